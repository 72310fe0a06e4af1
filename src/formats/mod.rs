//! What one document says: from a tree to a typed resource.
//!
//! A decoder returns a value *and* its problems, never an error, and reads through [`read`] alone. Models own their
//! text, so no lifetime crosses this floor. A decoder looks at one document: whether a path exists, whether a name is
//! declared elsewhere, whether an overlay changes a field, is not known here. Formats do not know each other;
//! [`document`] lists them.

pub mod api;
pub mod argo;
pub mod chart_template;
pub mod codeowners;
pub mod credential;
pub mod document;
pub mod helm;
pub mod kustomize;
pub mod manifest;
pub mod read;
#[cfg(feature = "schema")]
pub mod schema;
pub mod template_files;

pub use document::{DocId, Document, Kind, Kinds, Problem, ProblemKind, Resource};
