//! Which kinds live in namespaces: those of the table of known kinds, and those that the roots define.

use crate::formats::api::{self, Scope};
use crate::formats::{Kind, Resource};
use crate::repo::Repo;
use crate::yaml::Node;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::OnceLock;

/// The scopes of kinds. What the roots define is looked up when a kind is first asked for that is in no table.
#[derive(Debug, Default)]
pub struct Scopes {
    /// By group and kind; `None` where definitions contradict each other.
    defined: OnceLock<BTreeMap<(String, String), Option<Scope>>>,
}

impl Scopes {
    /// Where objects of this kind live, when it is known.
    pub fn of(&self, group: &str, kind: &str, repo: &Repo) -> Option<Scope> {
        api::scope(group, kind).or_else(|| {
            let defined = self.defined.get_or_init(|| defined(repo));
            *defined.get(&(group.to_owned(), kind.to_owned()))?
        })
    }
}

fn defined(repo: &Repo) -> BTreeMap<(String, String), Option<Scope>> {
    let mut scopes = BTreeMap::new();
    for (file, document) in repo.documents(Kind::Manifest) {
        let Resource::Manifest(manifest) = &document.resource else { continue };
        if &*manifest.kind.value != "CustomResourceDefinition" {
            continue;
        }
        let root = document.node(&file.tree);
        let text = |keys: &[&str]| root.at(keys).and_then(Node::as_str);
        let scope = match text(&["spec", "scope"]) {
            Some("Cluster") => Some(Scope::Cluster),
            Some("Namespaced") => Some(Scope::Namespace),
            _ => None,
        };
        let (Some(group), Some(kind)) = (text(&["spec", "group"]), text(&["spec", "names", "kind"])) else { continue };
        match scopes.entry((group.to_owned(), kind.to_owned())) {
            Entry::Vacant(free) => drop(free.insert(scope)),
            Entry::Occupied(mut other) if *other.get() != scope => drop(other.insert(None)),
            Entry::Occupied(_) => {}
        }
    }
    scopes
}
