//! What nothing reads, by name and by folder.

use super::Consumed;
use crate::repo::{EntryKind, Repo};
use crate::text::{RepoPath, RootId};
use std::collections::{BTreeSet, HashMap};

/// Files or folders of the roots that nothing reads and nothing may read, in order.
#[derive(Debug, Default)]
pub struct Unread {
    paths: Vec<(RootId, RepoPath)>,
    by_name: HashMap<(RootId, String), Vec<usize>>,
    by_folder: HashMap<(RootId, RepoPath), Vec<usize>>,
}

impl Unread {
    /// The files.
    pub fn files(consumed: &Consumed, repo: &Repo) -> Unread {
        let files = consumed.unread(repo).filter(|(_, entry)| entry.kind == EntryKind::File);
        Unread::new(files.map(|(_, entry)| (entry.root, entry.path.clone())).collect())
    }

    /// The folders that hold such files and nothing that is read.
    pub fn folders(files: &Unread, consumed: &Consumed, repo: &Repo) -> Unread {
        let mut folders = BTreeSet::new();
        for (root, path) in &files.paths {
            let mut folder = path.parent();
            while let Some(at) = folder.filter(|at| !at.is_root() && !folders.contains(&(*root, at.clone()))) {
                folder = at.parent();
                folders.insert((*root, at));
            }
        }
        let is_unread = |(root, folder): &(RootId, RepoPath)| !consumed.is_folder_read(*root, folder, repo);
        Unread::new(folders.into_iter().filter(is_unread).collect())
    }

    fn new(paths: Vec<(RootId, RepoPath)>) -> Unread {
        let mut unread = Unread { paths, ..Unread::default() };
        for (at, (root, path)) in unread.paths.iter().enumerate() {
            unread.by_name.entry((*root, path.name().to_owned())).or_default().push(at);
            if let Some(folder) = path.parent() {
                unread.by_folder.entry((*root, folder)).or_default().push(at);
            }
        }
        unread
    }

    /// All of a root.
    pub fn of(&self, root: RootId) -> impl Iterator<Item = &RepoPath> {
        self.paths.iter().filter(move |(other, _)| *other == root).map(|(_, path)| path)
    }

    /// Those that have the name of a path, then those in its folder.
    pub fn like(&self, root: RootId, path: &RepoPath) -> impl Iterator<Item = &RepoPath> {
        let named = self.by_name.get(&(root, path.name().to_owned())).into_iter().flatten();
        let folder = path.parent().and_then(|folder| self.by_folder.get(&(root, folder)));
        let beside = folder.into_iter().flatten().filter(|at| self.paths[**at].1.name() != path.name());
        named.chain(beside).map(|at| &self.paths[*at].1)
    }
}
