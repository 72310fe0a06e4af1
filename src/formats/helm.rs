//! Chart.yaml: a chart's name and what it depends on.
//!
//! Mirrors Helm 3 and 4, `pkg/chart`.

use super::read::Fields;
use crate::text::Span;
use crate::value::{Text, Value};

/// One Chart.yaml as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// `name`.
    pub name: Option<Text>,
    /// `version`.
    pub version: Option<Text>,
    /// `dependencies`, in order.
    pub dependencies: Vec<Dependency>,
}

/// One entry of `dependencies`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dependency {
    /// The whole entry.
    pub span: Span,
    /// `name`.
    pub name: Option<Text>,
    /// `version`, a constraint.
    pub version: Option<Text>,
    /// `repository`.
    pub repository: Option<Text>,
    /// `alias`.
    pub alias: Option<Text>,
    /// `condition`.
    pub condition: Option<Text>,
}

impl Chart {
    /// Reads a whole Chart.yaml.
    pub fn read(document: &Value) -> Chart {
        let Some(fields) = Fields::of(document) else { return Chart::default() };
        Chart {
            name: fields.non_empty("name"),
            version: fields.non_empty("version"),
            dependencies: fields
                .items("dependencies")
                .iter()
                .filter_map(Fields::of)
                .map(|dependency| Dependency {
                    span: dependency.span(),
                    name: dependency.non_empty("name"),
                    version: dependency.non_empty("version"),
                    repository: dependency.non_empty("repository"),
                    alias: dependency.non_empty("alias"),
                    condition: dependency.non_empty("condition"),
                })
                .collect(),
        }
    }
}
