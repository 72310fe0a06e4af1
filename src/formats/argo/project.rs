//! AppProject: what the Applications of one group may use. Its matching comes with the permission rules.

use super::Metadata;
use crate::formats::read::Fields;
use crate::value::{Text, Value};

/// One AppProject as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppProject {
    /// `metadata`.
    pub metadata: Metadata,
    /// `spec.sourceRepos`, in order.
    pub source_repos: Vec<Text>,
    /// `spec.sourceNamespaces`, in order.
    pub source_namespaces: Vec<Text>,
}

impl AppProject {
    /// Reads a whole document.
    pub fn read(document: &Value) -> AppProject {
        let Some(fields) = Fields::of(document) else { return AppProject::default() };
        let spec = fields.fields("spec");
        AppProject {
            metadata: Metadata::read(fields),
            source_repos: spec.map(|spec| spec.texts("sourceRepos")).unwrap_or_default(),
            source_namespaces: spec.map(|spec| spec.texts("sourceNamespaces")).unwrap_or_default(),
        }
    }
}
