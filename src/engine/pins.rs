//! Tags and commits that sources name and that are not checked out, read from git's objects when this clone has them.
//!
//! Each becomes one more root, which is looked up like any other and never judged: its documents declare nothing. A tree
//! that pins nothing pays nothing.

use super::git::{self, Revision};
use super::snapshot::Contents;
use super::{infer, load};
use crate::repo::{Repo, Root};
use crate::text::limits::PINNED_REVISIONS;
use crate::text::{RootId, is_placeholder};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The same repository, with the revisions that its sources pin. `contents` are those of the roots.
pub fn add(repo: Repo, contents: &[Contents]) -> Repo {
    let mut wanted = BTreeSet::new();
    for reference in infer::references(&repo) {
        let Some(revision) = reference.revision.filter(|revision| !is_placeholder(revision)) else { continue };
        let Some(root) = repo.root_of_url(&reference.url) else { continue };
        let is_known = repo.roots_of_url(&reference.url).any(|root| repo.root(root).is_checked_out(&revision));
        if !is_known {
            wanted.insert((root, revision));
        }
    }
    let wanted: Vec<_> = wanted.into_iter().take(PINNED_REVISIONS).collect();
    let read = |(root, revision): &(RootId, String)| {
        let folder = contents[root.index()].folder()?;
        let top = git::top_of(folder)?;
        let found = git::read_revision(top, &git::prefix(folder, top)?, revision, load::is_read)?;
        let base = repo.root(*root);
        let root = Root {
            name: format!("{}@{revision}", base.name),
            urls: base.urls.clone(),
            branches: Vec::new(),
            pin: Some(revision.clone()),
        };
        Some((root, found))
    };
    let found: Vec<(Root, Revision)> = wanted.par_iter().filter_map(read).collect();
    if found.is_empty() { repo } else { load::add_revisions(repo, found) }
}
