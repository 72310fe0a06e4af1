//! The Secrets by which Argo CD knows its clusters and repositories.
//!
//! Mirrors Argo CD 3.6, `util/db`: the label `argocd.argoproj.io/secret-type` says which one it is.

use super::Metadata;
use crate::formats::read::Fields;
use crate::value::{Text, Value, Why};
use crate::yaml;

/// The label that makes a Secret one of Argo CD's.
pub const TYPE_LABEL: &str = "argocd.argoproj.io/secret-type";

/// A cluster that Argo CD may deploy to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterSecret {
    /// `metadata`.
    pub metadata: Metadata,
    /// `name` of its data; unknown when it is encrypted.
    pub name: Option<Text>,
    /// `server` of its data; unknown when it is encrypted.
    pub server: Option<Text>,
    /// `project` of its data.
    pub project: Option<Text>,
    /// `namespaces` of its data, separated by commas.
    pub listed_namespaces: Option<Text>,
    /// `config` of its data, JSON.
    pub config: Option<Text>,
}

/// A repository, or with `repo-creds` a prefix of repository URLs, that Argo CD has credentials for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RepositorySecret {
    /// `metadata`.
    pub metadata: Metadata,
    /// `url` of its data.
    pub url: Option<Text>,
    /// `project` of its data.
    pub project: Option<Text>,
    /// Whether it is a credential template (`repo-creds`).
    pub is_template: bool,
}

impl ClusterSecret {
    /// Reads the Secret that an ExternalSecret (External Secrets Operator) or a SealedSecret (Bitnami) is made into, when
    /// its template has the label of a cluster. Data that comes from elsewhere is unknown.
    pub fn of_template(document: &Value) -> Option<ClusterSecret> {
        let spec = Fields::of(document)?.fields("spec")?;
        let template = spec.fields("target").unwrap_or(spec).fields("template")?;
        let metadata = Metadata::read(template);
        if metadata.label(TYPE_LABEL).and_then(Text::as_str) != Some("cluster") {
            return None;
        }
        let datum = |key| Some(untemplated(&template.fields("data")?.text(key)?));
        Some(ClusterSecret {
            name: datum("name"),
            server: datum("server"),
            project: datum("project"),
            listed_namespaces: datum("namespaces"),
            config: None,
            metadata: with_texts(metadata, untemplated),
        })
    }

    /// Reads a whole Secret.
    pub fn read(document: &Value) -> ClusterSecret {
        let Some(fields) = Fields::of(document) else { return ClusterSecret::default() };
        ClusterSecret {
            metadata: with_texts(Metadata::read(fields), decrypted),
            name: datum(fields, "name"),
            server: datum(fields, "server"),
            project: datum(fields, "project"),
            listed_namespaces: datum(fields, "namespaces"),
            config: datum(fields, "config"),
        }
    }

    /// The namespaces that Argo CD may use there; none when all, or when not known.
    pub fn namespaces(&self) -> Vec<String> {
        let listed = self.listed_namespaces.as_ref().and_then(Text::as_str).unwrap_or_default();
        listed.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }
}

impl RepositorySecret {
    /// Reads a whole Secret.
    pub fn read(document: &Value) -> RepositorySecret {
        let Some(fields) = Fields::of(document) else { return RepositorySecret::default() };
        let metadata = Metadata::read(fields);
        let is_template = metadata.label(TYPE_LABEL).and_then(Text::as_str) == Some("repo-creds");
        RepositorySecret { url: datum(fields, "url"), project: datum(fields, "project"), metadata, is_template }
    }
}

/// An entry of the Secret: `stringData` wins over `data`, whose text is base64. What SOPS has encrypted is unknown.
///
/// Asked for are names, URLs and projects, and how a cluster is reached; credentials of repositories are never read.
fn datum(fields: Fields<'_>, key: &str) -> Option<Text> {
    let plain = fields.fields("stringData").and_then(|data| data.text(key));
    let encoded = || Some(decoded(&fields.fields("data")?.text(key)?));
    let text = plain.map(|text| decrypted(&text)).or_else(encoded)?;
    Some(text)
}

fn decoded(encoded: &Text) -> Text {
    let Some(text) = decrypted(encoded).as_str().map(str::to_owned) else { return decrypted(encoded) };
    match yaml::decode_base64(&text).and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(plain) => Text::known_at(plain, encoded.span()),
        None => Text::unknown(Why::Runtime("what this base64 text stands for".into()), encoded.span()),
    }
}

/// The same with labels and annotations as they are understood.
fn with_texts(mut metadata: Metadata, understood: fn(&Text) -> Text) -> Metadata {
    for (_, text) in metadata.labels.iter_mut().chain(&mut metadata.annotations) {
        *text = understood(text);
    }
    metadata
}

/// A text of a template, unless it is one itself.
fn untemplated(text: &Text) -> Text {
    let is_literal = text.as_str().is_some_and(|text| !text.contains("{{"));
    if is_literal { text.clone() } else { Text::unknown(Why::Template, text.span()) }
}

/// The text itself, unless SOPS has encrypted it.
fn decrypted(text: &Text) -> Text {
    let is_encrypted = |text: &str| text.starts_with("ENC[") && text.ends_with(']');
    if text.as_str().is_some_and(is_encrypted) {
        Text::unknown(Why::Runtime("what SOPS has encrypted".into()), text.span())
    } else {
        text.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read::value;
    use crate::text::FileId;

    fn document(text: &str) -> Value {
        let tree = yaml::parse(FileId(0), text.into());
        value(tree.root(&tree.documents()[0]).expect("the text holds a document"))
    }

    fn read(text: &str) -> [Option<String>; 2] {
        let secret = ClusterSecret::read(&document(text));
        [secret.name, secret.server].map(|text| text.and_then(|text| text.as_str().map(str::to_owned)))
    }

    #[test]
    fn data_is_base64_and_string_data_wins() {
        let known = |texts: [&str; 2]| texts.map(|text| Some(text.to_owned()));
        assert_eq!(read("data: {name: ZGV2, server: aHR0cHM6Ly9k}"), known(["dev", "https://d"]));
        assert_eq!(
            read("data: {name: ZGV2, server: eA==}\nstringData: {server: 'https://s'}"),
            known(["dev", "https://s"])
        );
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        for text in [
            "data: {name: '%%', server: /w==}",
            "stringData: {name: 'ENC[AES256_GCM,data:x,type:str]', server: 'ENC[a]'}",
        ] {
            assert_eq!(read(text), [None, None], "{text}");
            assert!(ClusterSecret::read(&document(text)).name.is_some(), "it is there: {text}");
        }
    }

    #[test]
    fn a_template_of_an_external_or_sealed_secret_declares_a_cluster() {
        let label = "metadata: {labels: {argocd.argoproj.io/secret-type: cluster, env: dev}}";
        let external =
            format!("spec: {{target: {{template: {{{label}, data: {{name: dev, server: '{{{{ .url }}}}'}}}}}}}}");
        let sealed = format!("spec: {{encryptedData: {{name: x}}, template: {{{label}}}}}");
        let secret = ClusterSecret::of_template(&document(&external)).expect("it has the label");
        assert_eq!(secret.name.as_ref().and_then(Text::as_str), Some("dev"));
        assert!(secret.server.is_some_and(|server| server.as_str().is_none()));
        let secret = ClusterSecret::of_template(&document(&sealed)).expect("it has the label");
        assert_eq!((secret.name, secret.metadata.label("env").and_then(Text::as_str)), (None, Some("dev")));
        assert_eq!(ClusterSecret::of_template(&document("spec: {template: {metadata: {labels: {a: b}}}}")), None);
    }
}
