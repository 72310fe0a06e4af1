//! ApplicationSets that certainly generate nothing, by a mistake of theirs.

use super::Set;
use crate::formats::argo::ApplicationSet;
use crate::formats::argo::generator::{Generator, GeneratorKind};
use crate::repo::Repo;

impl Set {
    /// Whether it is certain that no generator yields anything, and nothing tells that this is meant.
    pub fn yields_nothing(&self, resource: &ApplicationSet, repo: &Repo) -> bool {
        let is_empty = !self.entries.is_empty() && self.entries.iter().all(|entry| entry.sets == 0);
        is_empty && is_decided(self, resource) && !is_meant(self, resource, repo)
    }
}

/// Whether it is certain that no generator yields anything, and that this is no other mistake.
fn is_decided(set: &Set, resource: &ApplicationSet) -> bool {
    let has_kind = resource.generators.iter().all(|entry| !Generator::read(entry).kinds.is_empty());
    let is_known = |kind: &GeneratorKind| match kind {
        GeneratorKind::Git(git) => git.repo_url.is_some() && !(git.files.is_empty() && git.directories.is_empty()),
        // Fixtures are examples.
        GeneratorKind::Remote(_) => false,
        _ => true,
    };
    set.failures.is_empty()
        && !set.is_undecided
        && !set.uses.git.iter().any(|git| git.is_open)
        && has_kind
        && Generator::all(&resource.generators).iter().all(is_known)
}

/// Whether somebody left it empty: a list without elements, a folder that is kept empty.
fn is_meant(set: &Set, resource: &ApplicationSet, repo: &Repo) -> bool {
    let is_empty_list = |kind: &GeneratorKind| matches!(kind, GeneratorKind::List(list) if list.elements.is_empty() && list.elements_yaml.is_none());
    Generator::all(&resource.generators).iter().any(is_empty_list)
        || set
            .uses
            .git
            .iter()
            .any(|git| git.items.iter().any(|item| item.matched == 0 && item.is_kept_empty(git, repo)))
}
