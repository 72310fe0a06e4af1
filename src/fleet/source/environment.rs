//! The build environment: the variables that Argo CD replaces in the paths of value files.

use crate::formats::argo::Metadata;
use crate::formats::argo::application::{self, Spec};
use crate::value::Text;
use std::collections::BTreeMap;

/// Variables by name. Any other variable is empty to Argo CD.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `None` for a value that only exists while Argo CD runs.
    variables: BTreeMap<String, Option<String>>,
}

/// A text with its variables replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expanded {
    /// The result.
    pub text: String,
    /// A variable that Argo CD does not set, when one was replaced by nothing: perhaps another tool fills it in first.
    pub foreign: Option<String>,
}

/// Namespaces in which Argo CD itself runs, as far as everybody installs it: Applications there go by their plain name.
const CONTROL_PLANES: [&str; 2] = ["argocd", "openshift-gitops"];

impl Environment {
    /// The variables of a source. Mirrors Argo CD 3.6, `reposerver/repository`, `newEnv`.
    pub fn new(metadata: &Metadata, spec: &Spec, source: &application::Source) -> Environment {
        let known = |text: &Option<Text>| match text {
            None => Some(String::new()),
            Some(text) => text.as_str().map(str::to_owned),
        };
        let project = spec.project.clone().filter(|text| text.as_str() != Some(""));
        let destination = spec.destination.as_ref();
        let mut environment = Environment::default();
        let mut set = |name: &str, value| drop(environment.variables.insert(name.to_owned(), value));
        set("ARGOCD_APP_NAME", instance_name(metadata));
        set("ARGOCD_APP_NAMESPACE", destination.map_or(Some(String::new()), |found| known(&found.namespace)));
        set("ARGOCD_APP_PROJECT_NAME", project.map_or(Some("default".into()), |name| known(&Some(name))));
        set("ARGOCD_APP_REVISION", None);
        set("ARGOCD_APP_REVISION_SHORT", None);
        set("ARGOCD_APP_REVISION_SHORT_8", None);
        set("ARGOCD_APP_SOURCE_REPO_URL", known(&source.repo_url));
        set("ARGOCD_APP_SOURCE_PATH", known(&source.path));
        set("ARGOCD_APP_SOURCE_TARGET_REVISION", known(&source.revision));
        environment
    }

    /// An environment of exactly these variables.
    pub fn of(variables: impl IntoIterator<Item = (String, String)>) -> Environment {
        Environment { variables: variables.into_iter().map(|(name, value)| (name, Some(value))).collect() }
    }

    /// Whether Argo CD sets this variable.
    pub fn has(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }

    /// Replaces `$NAME` and `${NAME}`; `$$` is one `$`. The name of a variable without a value known offline is the error.
    ///
    /// Mirrors Go 1.26, `os.Expand`, with Argo CD's mapping.
    ///
    /// # Errors
    /// The name of a variable whose value only exists while Argo CD runs.
    pub fn expand(&self, text: &str) -> Result<Expanded, String> {
        let mut expanded = Expanded { text: String::with_capacity(text.len()), foreign: None };
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            expanded.text.push_str(before);
            let (name, skipped) = variable(after);
            match name {
                // A lone `$` stays; broken braces are eaten.
                "" if skipped == 0 => expanded.text.push('$'),
                "" => {}
                "$" => expanded.text.push('$'),
                name => match self.variables.get(name) {
                    Some(Some(value)) => expanded.text.push_str(value),
                    Some(None) => return Err(name.to_owned()),
                    None => expanded.foreign = Some(name.to_owned()),
                },
            }
            rest = &after[skipped..];
        }
        expanded.text.push_str(rest);
        Ok(expanded)
    }
}

/// The name by which the repo server knows an Application; `None` when it depends on where Argo CD runs.
pub fn instance_name(metadata: &Metadata) -> Option<String> {
    let name = metadata.name.as_ref()?.as_str()?;
    let namespace = metadata.namespace.as_ref().map(Text::as_str);
    match namespace {
        None => Some(name.to_owned()),
        Some(Some(namespace)) if CONTROL_PLANES.contains(&namespace) => Some(name.to_owned()),
        Some(_) => None,
    }
}

/// The name of the variable after a `$`, and how many bytes it takes, braces included.
fn variable(text: &str) -> (&str, usize) {
    let is_special = |byte: u8| b"*#$@!?-0123456789".contains(&byte);
    let bytes = text.as_bytes();
    match bytes {
        [b'{', special, b'}', ..] if is_special(*special) => (&text[1..2], 3),
        [b'{', rest @ ..] => match rest.iter().position(|&byte| byte == b'}') {
            Some(0) => ("", 2),
            Some(end) => (&text[1..=end], end + 2),
            None => ("", 1),
        },
        [special, ..] if is_special(*special) => (&text[..1], 1),
        _ => {
            let is_name = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
            let end = bytes.iter().position(|byte| !is_name(byte)).unwrap_or(bytes.len());
            (&text[..end], end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        Environment::of([("A".to_owned(), "aa".to_owned())]).expand(text).unwrap().text
    }

    #[test]
    fn variables_are_replaced_with_or_without_braces() {
        assert_eq!(expanded("x-$A/${A}.yaml"), "x-aa/aa.yaml");
    }

    #[test]
    fn other_variables_are_empty_and_noticed() {
        let found = Environment::default().expand("$values/a.yaml").unwrap();
        assert_eq!((found.text.as_str(), found.foreign.as_deref()), ("/a.yaml", Some("values")));
    }

    #[test]
    fn a_dollar_is_doubled_to_stay() {
        assert_eq!(expanded("$$A"), "$A");
        assert_eq!(expanded("a$/b$"), "a$/b$");
    }

    #[test]
    fn broken_braces_are_eaten() {
        assert_eq!(expanded("a${}b${A"), "abA");
    }

    #[test]
    fn what_exists_at_run_time_only_is_not_known() {
        let environment = Environment::new(&Metadata::default(), &Spec::default(), &application::Source::default());
        assert_eq!(environment.expand("$ARGOCD_APP_REVISION.yaml").unwrap_err(), "ARGOCD_APP_REVISION");
        assert_eq!(environment.expand("$ARGOCD_APP_PROJECT_NAME").unwrap().text, "default");
    }
}
