//! `**` in `directories`, which is no more than `*` there.

use super::Folders;
use super::matching::Matching;
use super::uses::{GitUse, ItemUse};
use crate::lang::glob::doublestar;
use crate::repo::Repo;
use crate::text::RepoPath;

impl ItemUse {
    /// Folders that the item would match, did `**` stand for any number of folders; those only that tell that this was
    /// meant, at most a few.
    ///
    /// A `**` at the end often works as it is; it tells nothing unless it matches nothing, or takes a folder that holds
    /// only folders, in which one with files is left out. An exclude misses what the generator takes nevertheless.
    pub fn misses_of_stars(&self, git: &GitUse, folders: &Folders, repo: &Repo) -> Vec<RepoPath> {
        const FEW: usize = 3;
        if git.matching != Matching::Folders || !self.patterns.iter().any(|pattern| pattern.contains("**")) {
            return Vec::new();
        }
        let (folders, taken) = (folders.in_root(git.root), git.taken());
        let has_files = |folder: &RepoPath| repo.children(git.root, folder).iter().any(|child| !child.is_folder);
        let mut missed = Vec::new();
        for pattern in self.patterns.iter().filter(|pattern| pattern.split('/').any(|segment| segment == "**")) {
            let (Ok(here), Ok(meant)) = (Matching::Folders.compile(pattern), doublestar::Pattern::new(pattern)) else {
                continue;
            };
            let is_last = pattern.ends_with("/**") && pattern.matches("**").count() == 1;
            let bare = |folder: &&RepoPath| here.matches(folder.as_str()) && !has_files(folder);
            let holders: Vec<&RepoPath> = if is_last && !self.exclude && self.matched > 0 {
                folders.iter().filter(bare).collect()
            } else {
                Vec::new()
            };
            let tells = |folder: &&RepoPath| match self.exclude {
                true => taken.contains(folder.as_str()),
                false if !is_last || self.matched == 0 => true,
                false => has_files(folder) && holders.iter().any(|holder| folder.is_within(holder)),
            };
            let is_missed =
                |folder: &&RepoPath| meant.matches_folder(folder.as_str()) && !here.matches(folder.as_str());
            missed.extend(folders.iter().filter(is_missed).filter(tells).take(FEW).cloned());
        }
        missed.truncate(FEW);
        missed
    }
}
