//! Globs in `valueFiles`: the files they mean, in the order Helm reads them.
//!
//! Mirrors Argo CD 3.5, which calls doublestar 4.10, `FilepathGlob`: segment by segment, folders in byte order, what lies
//! in a folder before what lies in its subfolders.

use crate::lang::glob::BadPattern;
use crate::lang::glob::doublestar::Pattern;
use crate::repo::{Found, Repo};
use crate::text::limits::{DEPTH, GLOB_MATCHES};
use crate::text::{RepoPath, RootId};
use std::collections::HashSet;

/// What matches `pattern`, a path from the root, in order; folders too. Links to folders are followed.
///
/// # Errors
/// When the pattern does not compile.
pub fn expand(repo: &Repo, root: RootId, pattern: &RepoPath) -> Result<Vec<RepoPath>, BadPattern> {
    let whole = Pattern::new(pattern.as_str())?;
    let segments = segments(pattern.as_str());
    let found = if segments.iter().any(|segment| segment.contains('/')) {
        // A brace spans folders, which the library sorts by text.
        let mut all = vec![RepoPath::root()];
        descend(repo, root, &RepoPath::root(), true, &mut all);
        all.retain(|path| is_match(repo, root, &whole, path));
        all.sort();
        all
    } else {
        let mut found = vec![RepoPath::root()];
        let last = segments.len() - 1;
        let has_inner_folders = segments[..last].contains(&"**");
        for (at, segment) in segments.iter().enumerate() {
            let is_before_meta = !segments[..=at].iter().any(|segment| is_pattern(segment));
            let step = Step { repo, root, segment, is_before_meta, is_last: at == last };
            let mut next = Vec::new();
            for folder in &found {
                step.take(folder, &mut next)?;
            }
            // The library walks such a pattern in another way, which sorts alternatives by text.
            if has_inner_folders && segment.contains('{') {
                next.sort();
            }
            found = first_only(next);
        }
        found
    };
    Ok(found)
}

/// The same without repetitions, which several `**` yield.
fn first_only(mut paths: Vec<RepoPath>) -> Vec<RepoPath> {
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}

/// The segments of a pattern; a slash in braces separates nothing.
fn segments(pattern: &str) -> Vec<&str> {
    let (mut depth, mut start, mut segments) = (0_usize, 0, Vec::new());
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'/' if depth == 0 => {
                segments.push(&pattern[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    segments.push(&pattern[start..]);
    segments
}

fn is_pattern(segment: &str) -> bool {
    segment.contains(['*', '?', '[', '{', '\\'])
}

/// One segment of a pattern, applied to a folder.
struct Step<'a> {
    repo: &'a Repo,
    root: RootId,
    segment: &'a str,
    is_before_meta: bool,
    is_last: bool,
}

impl Step<'_> {
    fn take(&self, folder: &RepoPath, next: &mut Vec<RepoPath>) -> Result<(), BadPattern> {
        if self.segment == "**" {
            if matches!(self.repo.find(self.root, folder), Found::Folder(_)) {
                next.push(folder.clone());
                descend(self.repo, self.root, folder, self.is_last, next);
            }
            return Ok(());
        }
        if self.is_before_meta {
            next.push(below(folder, self.segment));
            return Ok(());
        }
        let pattern = Pattern::new(self.segment)?;
        for (path, is_folder) in children(self.repo, self.root, folder) {
            if (self.is_last || is_folder) && pattern.matches_file(path.name()) {
                next.push(path);
            }
        }
        Ok(())
    }
}

/// What lies below a folder, in byte order of the names, a subfolder before its content.
fn descend(repo: &Repo, root: RootId, folder: &RepoPath, with_files: bool, found: &mut Vec<RepoPath>) {
    for (path, is_folder) in children(repo, root, folder) {
        // Links may multiply a tree without end.
        if found.len() >= GLOB_MATCHES || path.segments().count() > DEPTH {
            return;
        }
        if is_folder {
            found.push(path.clone());
            if !leads_up(repo, root, &path) {
                descend(repo, root, &path, with_files, found);
            }
        } else if with_files {
            found.push(path);
        }
    }
}

/// Whether a path is a link to a folder that holds it.
fn leads_up(repo: &Repo, root: RootId, path: &RepoPath) -> bool {
    match repo.find(root, path) {
        Found::Folder(real) => real != *path && path.is_within(&real),
        _ => false,
    }
}

/// The names in a folder, links followed, each with whether it is a folder; links that lead nowhere are names too.
fn children(repo: &Repo, root: RootId, folder: &RepoPath) -> Vec<(RepoPath, bool)> {
    let Found::Folder(real) = repo.find(root, folder) else { return Vec::new() };
    let mut found: Vec<(RepoPath, bool)> = repo
        .children(root, &real)
        .into_iter()
        .map(|child| {
            let is_folder = child.is_folder || matches!(repo.find(root, &below(&real, child.name)), Found::Folder(_));
            (below(folder, child.name), is_folder)
        })
        .collect();
    // The listing has `a-b/x` before `a/x`, a folder has `a` before `a-b`.
    found.sort_by(|one, other| one.0.name().cmp(other.0.name()));
    found
}

fn is_match(repo: &Repo, root: RootId, pattern: &Pattern, path: &RepoPath) -> bool {
    match repo.find(root, path) {
        Found::Folder(_) => pattern.matches_folder(path.as_str()),
        _ => pattern.matches_file(path.as_str()),
    }
}

/// A name in a folder; names hold neither `/` nor `..`.
fn below(folder: &RepoPath, name: &str) -> RepoPath {
    folder.join(name).expect("one name below a folder stays in its root")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{Entry, EntryKind, Root};

    fn found(listing: &[&str], pattern: &str) -> Vec<String> {
        let mut entries: Vec<Entry> = listing
            .iter()
            .map(|line| {
                let (path, kind) = match line.split_once(" -> ") {
                    Some((path, target)) => (path, EntryKind::Symlink(target.to_owned())),
                    None => (*line, EntryKind::File),
                };
                Entry { root: RootId(0), path: RepoPath::new(path).unwrap(), kind, file: None }
            })
            .collect();
        entries.sort_by(|one, other| one.path.as_str().cmp(other.path.as_str()));
        let repo = Repo::new(vec![Root::default()], entries);
        let found = expand(&repo, RootId(0), &RepoPath::new(pattern).unwrap()).unwrap();
        found.iter().map(|path| path.as_str().to_owned()).collect()
    }

    #[test]
    fn a_star_stays_in_its_folder() {
        assert_eq!(found(&["v/a.yaml", "v/b.yaml", "v/sub/c.yaml"], "v/*.yaml"), ["v/a.yaml", "v/b.yaml"]);
    }

    #[test]
    fn folders_come_in_byte_order_of_their_names() {
        assert_eq!(found(&["a-b/x.yaml", "a/x.yaml"], "*/x.yaml"), ["a/x.yaml", "a-b/x.yaml"]);
    }

    #[test]
    fn files_come_before_those_of_subfolders() {
        assert_eq!(found(&["v/a/x.yaml", "v/b.yaml"], "v/**/*.yaml"), ["v/b.yaml", "v/a/x.yaml"]);
    }

    #[test]
    fn a_double_star_at_the_end_finds_folders_too() {
        assert_eq!(found(&["v/a/x", "v/b"], "v/**"), ["v", "v/a", "v/a/x", "v/b"]);
        assert_eq!(found(&["v"], "v/**"), Vec::<String>::new());
    }

    #[test]
    fn links_to_folders_are_followed_but_not_back_up() {
        assert_eq!(found(&["a/x.yaml", "b -> a"], "*/x.yaml"), ["a/x.yaml", "b/x.yaml"]);
        assert_eq!(found(&["a/x.yaml", "a/up -> ../a"], "**/x.yaml"), ["a/x.yaml", "a/up/x.yaml"]);
    }

    #[test]
    fn braces_may_span_folders() {
        assert_eq!(found(&["a/x.yaml", "b/y.yaml", "c.yaml"], "{b/*,a/x,c}*.yaml").len(), 3);
    }

    #[test]
    fn many_double_stars_end() {
        assert_eq!(found(&["a/b/c/d/e/f/g/h/x"], &"**/".repeat(60)).len(), 10);
    }
}
