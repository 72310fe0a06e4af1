//! Which roots belong together: what one of them declares counts for an app of another only if somebody delivers both.
//!
//! A repository and the ones that its apps take their values from are one; two repositories that were merely given in
//! one command are not. A root belongs to another when an app of the one applies Argo CD's objects of the other.

use super::app::App;
use crate::formats::{DocId, Kind};
use crate::repo::Repo;
use crate::text::RootId;
use std::collections::{BTreeMap, BTreeSet};

/// Groups of roots. A root that is in no group is one by itself.
#[derive(Debug, Default)]
pub struct Instances {
    /// The first root of the group that each root belongs to.
    first: BTreeMap<RootId, RootId>,
}

impl Instances {
    /// The groups that apps make by what they apply.
    pub fn new(apps: &[App], repo: &Repo) -> Instances {
        let mut instances = Instances::default();
        if repo.roots().len() < 2 {
            return instances;
        }
        let places = [Kind::AppProject, Kind::Application, Kind::ApplicationSet]
            .into_iter()
            .flat_map(|kind| repo.documents(kind).map(|(file, _)| (file.source.root, &file.source.path)));
        let places: BTreeSet<_> = places.collect();
        for app in apps {
            let own = root_of(app.document(), repo);
            for (root, folder) in app.sources.iter().filter_map(|source| source.folder()) {
                let applies = || places.iter().any(|(of, path)| *of == root && path.is_within(folder));
                if root != own && !instances.are_one(own, root) && applies() {
                    instances.join(own, root);
                }
            }
        }
        instances
    }

    fn join(&mut self, one: RootId, other: RootId) {
        let (one, other) = (self.group(one), self.group(other));
        self.first.insert(other, one);
        for first in self.first.values_mut().filter(|first| **first == other) {
            *first = one;
        }
    }

    /// The root that stands for the group of a root.
    pub fn group(&self, root: RootId) -> RootId {
        self.first.get(&root).copied().unwrap_or(root)
    }

    /// Whether two roots belong together.
    pub fn are_one(&self, one: RootId, other: RootId) -> bool {
        self.group(one) == self.group(other)
    }

    /// The root that stands for the group of a document's root.
    pub fn of(&self, document: DocId, repo: &Repo) -> RootId {
        self.group(root_of(document, repo))
    }
}

fn root_of(document: DocId, repo: &Repo) -> RootId {
    repo.entry(document.file).root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_grow_together() {
        let mut instances = Instances::default();
        let [a, b, c, d] = [0, 1, 2, 3].map(RootId);
        assert!(!instances.are_one(a, b) && instances.are_one(a, a));
        instances.join(a, b);
        instances.join(c, d);
        assert!(instances.are_one(a, b) && !instances.are_one(b, c));
        instances.join(b, d);
        assert!(instances.are_one(a, c));
    }
}
