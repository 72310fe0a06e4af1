//! YAML and JSON with spans, comments, anchors and merge keys, and edits that keep the format.
//!
//! One pass over the bytes builds one arena ([`Tree`]); every value knows the bytes it came from. The dialect is that
//! of go-yaml (libyaml), because Argo CD, Helm and Kustomize read with it: what it refuses is a [`SyntaxError`] here,
//! what it accepts is accepted. Values are resolved as Kubernetes tooling does, YAML 1.1 through JSON ([`Scalar`]).
//!
//! This floor must not know what a document means: no kinds, no schemas, no Helm.

mod decode;
pub mod edit;
mod parse;
mod place;
mod resolve;
mod tree;
mod value;

pub use decode::{DecodeError, decode};
pub use parse::parse;
pub use resolve::Scalar;
pub use tree::{Comment, Document, Entry, Kind, Node, NodeId, Style, SyntaxError, Tree};
pub use value::{NotJson, decode_base64};
