//! Whether a path is there, and whether a commit would hold it.

use super::Model;
use super::git;
use super::ignored;
use super::snapshot::Contents;
use crate::repo::{Found, Ignored};
use crate::text::{RepoPath, RootId};
use std::cell::OnceCell;

/// How a path is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It is read, and git tracks it or is not asked.
    Listed,
    /// It is in the work tree, but no commit holds it yet.
    Untracked,
    /// It is in the work tree, but a line of a `.gitignore` keeps it out of commits.
    Ignored(Ignored),
    /// It is in the work tree, but not part of the root: ignored elsewhere, a checkout of its own, a hidden place.
    Unlisted,
    /// Nothing is there.
    Missing,
}

/// The work trees of a model; git is asked once for each root.
#[derive(Debug)]
pub struct WorkTrees<'m> {
    model: &'m Model,
    /// By root, sorted; `None` where git is not asked.
    tracked: Vec<OnceCell<Option<Vec<String>>>>,
}

impl<'m> WorkTrees<'m> {
    /// Those of a model.
    pub fn new(model: &'m Model) -> WorkTrees<'m> {
        WorkTrees { model, tracked: model.contents.iter().map(|_| OnceCell::new()).collect() }
    }

    /// How a path is there.
    pub fn presence(&self, root: RootId, path: &RepoPath) -> Presence {
        let Model { repo, contents, .. } = self.model;
        if repo.listed(root, path).is_none() && repo.find(root, path) == Found::Missing {
            return match contents.get(root.index()).and_then(|_| ignored::is_folder(contents, root, path)) {
                Some(is_folder) => match ignored::line_of(repo, contents, root, path, is_folder) {
                    Some(ignored) => Presence::Ignored(ignored),
                    None => Presence::Unlisted,
                },
                None => Presence::Missing,
            };
        }
        if self.is_tracked(root, path) { Presence::Listed } else { Presence::Untracked }
    }

    /// Whether git tracks a path or something below it, or cannot be asked.
    fn is_tracked(&self, root: RootId, path: &RepoPath) -> bool {
        let Some(cell) = self.tracked.get(root.index()) else { return true };
        let Some(tracked) = cell.get_or_init(|| tracked(&self.model.contents[root.index()])) else { return true };
        let is_inside = |other: &String| RepoPath::new(other).is_ok_and(|other| other.is_within(path));
        let at = tracked.partition_point(|other| other.as_str() < path.as_str());
        path.is_root() || tracked[at..].iter().take_while(|other| other.starts_with(path.as_str())).any(is_inside)
    }
}

fn tracked(contents: &Contents) -> Option<Vec<String>> {
    let Contents::Disk(folder) = contents else { return None };
    let top = git::top_of(folder)?;
    let prefix = git::prefix(folder, top)?;
    let checkout = git::read(top).ok()?;
    let inside = checkout.tracked.iter().filter_map(|tracked| git::strip_prefix(&tracked.path, &prefix));
    let mut inside: Vec<String> = inside.map(str::to_owned).collect();
    inside.sort_unstable();
    Some(inside)
}
