//! The places of a file one move away: a folder less, a folder more, two folders swapped.

use crate::repo::Repo;
use crate::text::{RepoPath, RootId};

/// The path without one of its folders, and which, from 0.
pub fn raised(path: &RepoPath) -> impl Iterator<Item = (usize, RepoPath)> {
    let segments: Vec<&str> = path.segments().collect();
    let without = |at: usize| [&segments[..at], &segments[at + 1..]].concat().join("/");
    let all: Vec<_> = (0..segments.len().saturating_sub(1)).map(|at| (at, without(at))).collect();
    parsed(all)
}

/// The path with two neighbouring folders swapped, and which is the second of them, from 0.
pub fn swapped(path: &RepoPath) -> impl Iterator<Item = (usize, RepoPath)> {
    let segments: Vec<&str> = path.segments().collect();
    let exchanged = |at: usize| {
        let mut segments = segments.clone();
        segments.swap(at - 1, at);
        segments.join("/")
    };
    let all: Vec<_> = (1..segments.len().saturating_sub(1)).map(|at| (at, exchanged(at))).collect();
    parsed(all)
}

/// The paths in folders of the name of its own that lie one level deeper, in order; none where more than `most` folders
/// have that name, which says nothing then.
pub fn deepened(root: RootId, path: &RepoPath, most: usize, repo: &Repo) -> Vec<RepoPath> {
    let Some(folder) = path.parent().filter(|folder| !folder.is_root()) else { return Vec::new() };
    let depth = folder.segments().count() + 1;
    let named = repo.folders_named(root, folder.name());
    let deeper = named.iter().filter(|other| named.len() <= most && other.segments().count() == depth);
    deeper.filter_map(|folder| folder.join(path.name()).ok()).collect()
}

fn parsed(all: Vec<(usize, String)>) -> impl Iterator<Item = (usize, RepoPath)> {
    all.into_iter().filter_map(|(at, path)| Some((at, RepoPath::new(&path).ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_moves_by_one_folder() {
        let path = RepoPath::new("apps/shop/dev/app.yaml").unwrap();
        let texts = |found: &mut dyn Iterator<Item = (usize, RepoPath)>| -> Vec<String> {
            found.map(|(at, path)| format!("{at} {path}")).collect()
        };
        let higher = ["0 shop/dev/app.yaml", "1 apps/dev/app.yaml", "2 apps/shop/app.yaml"];
        assert_eq!(texts(&mut raised(&path)), higher);
        assert_eq!(texts(&mut swapped(&path)), ["1 shop/apps/dev/app.yaml", "2 apps/dev/shop/app.yaml"]);
        let top = RepoPath::new("app.yaml").unwrap();
        assert!(raised(&top).next().is_none() && swapped(&top).next().is_none());
    }
}
