//! Any object with `apiVersion` and `kind`: who it is. What it holds is read from its node when a rule asks.

use crate::text::Spanned;
use crate::yaml::Node;

/// The identity of a plain Kubernetes object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: Spanned<Box<str>>,
    /// `kind`.
    pub kind: Spanned<Box<str>>,
    /// `metadata.name`; absent with `generateName`.
    pub name: Option<Spanned<Box<str>>>,
    /// `metadata.namespace`.
    pub namespace: Option<Spanned<Box<str>>>,
}

impl Manifest {
    /// Reads the identity of the object at `root`, which has this `apiVersion` and `kind`.
    pub fn read(root: Node<'_>, api_version: &str, kind: &str) -> Manifest {
        let place = |key| root.get(key).map_or_else(|| root.span(), Node::span);
        let metadata = root.get("metadata");
        let text = |key| {
            let node = metadata?.get(key)?;
            Some(Spanned::new(Box::from(node.as_str().filter(|text| !text.is_empty())?), node.span()))
        };
        Manifest {
            api_version: Spanned::new(api_version.into(), place("apiVersion")),
            kind: Spanned::new(kind.into(), place("kind")),
            name: text("name"),
            namespace: text("namespace"),
        }
    }

    /// The API group; empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.value.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// The API version without its group.
    pub fn version(&self) -> &str {
        self.api_version.value.rsplit('/').next().unwrap_or("")
    }
}
