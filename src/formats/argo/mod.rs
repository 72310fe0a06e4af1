//! Argo CD's own resources: Application, ApplicationSet, AppProject, and the Secrets it reads.

pub mod annotation;
pub mod application;
pub mod difference;
pub mod generator;
pub mod policy;
pub mod project;
pub mod secret;
pub mod set;
pub mod since;

pub use application::Application;
pub use project::AppProject;
pub use secret::{ClusterSecret, RepositorySecret};
pub use set::ApplicationSet;

use super::read::Fields;
use crate::text::{Span, Spanned};
use crate::value::Text;

/// The API group of Argo CD's resources.
pub const GROUP: &str = "argoproj.io";

/// `metadata` of an Argo CD resource or of an ApplicationSet's template.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The whole map.
    pub span: Span,
    /// `name`; absent when `generateName` is used or it is missing.
    pub name: Option<Text>,
    /// `namespace`.
    pub namespace: Option<Text>,
    /// `labels`, in order.
    pub labels: Vec<(Spanned<String>, Text)>,
    /// `annotations`, in order; those that are not text are left out.
    pub annotations: Vec<(Spanned<String>, Text)>,
    /// `finalizers`, in order.
    pub finalizers: Vec<Text>,
}

impl Metadata {
    /// Reads `metadata` of a document's fields; everything is absent when the map is.
    pub fn read(document: Fields<'_>) -> Metadata {
        let Some(fields) = document.fields("metadata") else { return Metadata::default() };
        Metadata {
            span: fields.span(),
            name: fields.non_empty("name"),
            namespace: fields.non_empty("namespace"),
            labels: fields.text_entries("labels"),
            annotations: fields.text_entries("annotations"),
            finalizers: fields.texts("finalizers"),
        }
    }

    /// The value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&Text> {
        self.annotations.iter().find(|(name, _)| name.value == key).map(|(_, value)| value)
    }

    /// The value of a label.
    pub fn label(&self, key: &str) -> Option<&Text> {
        self.labels.iter().find(|(name, _)| name.value == key).map(|(_, value)| value)
    }
}
