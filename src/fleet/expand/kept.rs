//! Folders that are empty on purpose, where a pattern waits for what will come.

use super::uses::{GitUse, ItemUse};
use crate::lang::glob::doublestar;
use crate::repo::Repo;
use crate::text::RepoPath;

/// Files that keep a folder in git which holds nothing yet.
const KEEPERS: [&str; 4] = [".gitkeep", ".keep", ".placeholder", ".empty"];

/// Files that say nothing when they are alone.
const NOTES: [&str; 3] = [".gitignore", "README", "README.md"];

impl ItemUse {
    /// Whether a folder on the way to what the item looks for is kept empty: it holds a file such as `.gitkeep`, or
    /// nothing but notes.
    pub fn is_kept_empty(&self, git: &GitUse, repo: &Repo) -> bool {
        let folders = |names: &'static [&'static str]| {
            let files = names.iter().flat_map(|name| repo.files_named(git.root, name));
            files.filter_map(RepoPath::parent).filter(|folder| !folder.is_root())
        };
        let is_bare =
            |folder: &RepoPath| repo.below(git.root, folder).iter().all(|entry| NOTES.contains(&entry.path.name()));
        folders(&KEEPERS).any(|folder| self.passes(&folder))
            || folders(&NOTES).any(|folder| self.passes(&folder) && is_bare(&folder))
    }

    /// Whether a pattern leads into this folder and on.
    fn passes(&self, folder: &RepoPath) -> bool {
        let is_match = |(segment, name): (&str, &str)| doublestar::matches(segment, name).unwrap_or(false);
        let depth = folder.segments().count();
        let leads_on = |pattern: &&String| pattern.split('/').count() > depth;
        self.patterns.iter().filter(leads_on).any(|pattern| pattern.split('/').zip(folder.segments()).all(is_match))
    }
}
