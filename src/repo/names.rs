//! Every file and folder by its name alone; built when the first one is asked for.

use super::Entry;
use crate::text::{RepoPath, RootId};
use std::collections::{BTreeSet, HashMap};

/// Paths by root and name.
#[derive(Debug, Default)]
pub struct Names {
    files: HashMap<(RootId, String), Vec<RepoPath>>,
    folders: HashMap<(RootId, String), Vec<RepoPath>>,
}

impl Names {
    /// The names of these entries, which are sorted by root and path.
    pub fn new(entries: &[Entry]) -> Names {
        let mut names = Names::default();
        let mut found = BTreeSet::new();
        for entry in entries {
            let key = (entry.root, entry.path.name().to_owned());
            names.files.entry(key).or_default().push(entry.path.clone());
            let mut folder = entry.path.parent();
            while let Some(path) = folder.filter(|path| !path.is_root()) {
                folder = path.parent();
                if !found.insert((entry.root, path)) {
                    break;
                }
            }
        }
        for (root, path) in found {
            names.folders.entry((root, path.name().to_owned())).or_default().push(path);
        }
        names
    }

    /// The files of a root with this name, sorted.
    pub fn files(&self, root: RootId, name: &str) -> &[RepoPath] {
        self.files.get(&(root, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The folders of a root with this name, sorted.
    pub fn folders(&self, root: RootId, name: &str) -> &[RepoPath] {
        self.folders.get(&(root, name.to_owned())).map_or(&[], Vec::as_slice)
    }
}
