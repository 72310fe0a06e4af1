//! The Secrets by which Argo CD knows its clusters and repositories.
//!
//! Mirrors Argo CD 3.6, `util/db`: the label `argocd.argoproj.io/secret-type` says which one it is.

use super::Metadata;
use crate::formats::read::Fields;
use crate::value::{Text, Value, Why};

/// The label that makes a Secret one of Argo CD's.
pub const TYPE_LABEL: &str = "argocd.argoproj.io/secret-type";

/// A cluster that Argo CD may deploy to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterSecret {
    /// `metadata`.
    pub metadata: Metadata,
    /// `name` of its data; unknown when it is encoded or encrypted.
    pub name: Option<Text>,
    /// `server` of its data; unknown when it is encoded or encrypted.
    pub server: Option<Text>,
    /// `project` of its data.
    pub project: Option<Text>,
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
    /// Reads a whole document.
    pub fn read(document: &Value) -> ClusterSecret {
        let Some(fields) = Fields::of(document) else { return ClusterSecret::default() };
        ClusterSecret {
            metadata: Metadata::read(fields),
            name: datum(fields, "name"),
            server: datum(fields, "server"),
            project: datum(fields, "project"),
        }
    }
}

impl RepositorySecret {
    /// Reads a whole document.
    pub fn read(document: &Value) -> RepositorySecret {
        let Some(fields) = Fields::of(document) else { return RepositorySecret::default() };
        let metadata = Metadata::read(fields);
        let is_template = metadata.label(TYPE_LABEL).and_then(Text::as_str) == Some("repo-creds");
        RepositorySecret { url: datum(fields, "url"), project: datum(fields, "project"), metadata, is_template }
    }
}

/// An entry of the Secret: `stringData` wins over `data`, whose base64 text is kept unknown.
fn datum(fields: Fields<'_>, key: &str) -> Option<Text> {
    if let Some(text) = fields.fields("stringData").and_then(|data| data.text(key)) {
        return Some(text);
    }
    let encoded = fields.fields("data")?.text(key)?;
    Some(Text::unknown(Why::Runtime("base64 data of a Secret".into()), encoded.span()))
}
