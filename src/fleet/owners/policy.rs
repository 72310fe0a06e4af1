//! What a configuration demands of code owners.

use crate::formats::codeowners::Forge;
use crate::repo::{Entry, Repo};
use crate::text::{RepoPath, RootId};
use globset::GlobSet;
use std::borrow::Cow;

/// `policies.codeowners` as meant.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Whether there is such a policy at all.
    pub is_configured: bool,
    /// The forge of all roots.
    pub forge: Option<Forge>,
    /// Who must own what.
    pub require: Vec<Requirement>,
    /// What must have an owner; `None` when that is not configured.
    pub coverage: Option<Coverage>,
    /// The folder from which its paths are seen: that of the configuration file.
    pub folder: Option<(RootId, RepoPath)>,
}

/// Paths that need certain owners.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The paths.
    pub paths: GlobSet,
    /// The owners, each of whom must be one of the owners of each path.
    pub owners: Vec<String>,
}

/// Paths that need some owner.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The paths.
    pub paths: GlobSet,
    /// Those among them that need none.
    pub except: GlobSet,
}

impl Policy {
    /// A path as the globs see it: from the folder of the configuration, in other roots with their name.
    pub fn path<'e>(&self, repo: &Repo, entry: &'e Entry) -> Cow<'e, str> {
        seen_from(self.folder.as_ref(), repo, entry)
    }
}

/// A path seen from a folder of a root; one of another root has that root's name before it.
pub fn seen_from<'e>(folder: Option<&(RootId, RepoPath)>, repo: &Repo, entry: &'e Entry) -> Cow<'e, str> {
    match folder {
        Some((root, folder)) if *root == entry.root => match entry.path.relative_to(folder) {
            Some(path) => path.into(),
            None => entry.path.as_str().into(),
        },
        _ => repo.display_path(entry).into(),
    }
}

impl Coverage {
    /// Whether a path needs an owner.
    pub fn has(&self, path: &str) -> bool {
        self.paths.is_match(path) && !self.except.is_match(path)
    }
}
