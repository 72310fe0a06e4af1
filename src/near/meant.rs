//! What a pattern that takes nothing was probably meant to take.

use super::misses::strayed;
use crate::fleet::Fleet;
use crate::fleet::expand::{Matcher, Matching};
use crate::lang::glob::doublestar::{self, has_meta};
use crate::repo::{Repo, Slip, Wanted, nearest};
use crate::text::{RepoPath, RootId};

/// A path that a pattern nearly takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meant {
    /// The path.
    pub path: RepoPath,
    /// How the pattern differs from one that takes it.
    pub slip: Slip,
    /// The same about the path, as the end of a sentence that begins with it.
    pub difference: &'static str,
    /// A pattern that takes it, when one change makes it.
    pub pattern: Option<String>,
    /// The path down to where it differs, and the name there that the pattern would take; only where a plain name
    /// differs, and in this one path.
    pub rename: Option<(RepoPath, String)>,
}

impl Meant {
    /// What to type. `is_single` tells whether the pattern is the only one that its place stands for; `what` names the
    /// sort of path.
    pub fn advice(&self, is_single: bool, what: &str) -> String {
        let rename = self.rename.as_ref().filter(|_| self.slip.is_sure());
        match (self.pattern.as_ref().filter(|_| is_single), rename) {
            (Some(pattern), Some((path, name))) => format!("write `{pattern}`, or rename `{path}` to `{name}`"),
            (Some(pattern), None) => format!("write `{pattern}`"),
            (None, _) => format!("correct the pattern; the nearest {what} is `{}`", self.path),
        }
    }
}

/// The nearest path that a pattern of a git generator could take; nothing when none looks like it. With a fleet, what
/// nothing reads is looked at more closely.
pub fn meant(fleet: Option<&Fleet>, repo: &Repo, root: RootId, matching: Matching, pattern: &str) -> Option<Meant> {
    // Magic, escapes, and braces where they are plain letters make it another kind of pattern.
    let is_plain = !pattern.starts_with(':') && !pattern.contains(['\\', '[', '{', '}']);
    let wanted = RepoPath::new(pattern).ok().filter(|path| is_plain && !path.is_root())?;
    let kind = if matching == Matching::Folders { Wanted::Folder } else { Wanted::File };
    // What nothing reads may be nearer than what is in its place.
    let near = nearest(repo, root, &wanted, kind);
    let is_sure = near.as_ref().is_some_and(|near| near.slip.is_sure());
    let wander = |fleet| strayed(root, wanted.as_str(), kind == Wanted::Folder, fleet, repo);
    let stray = fleet.filter(|_| !is_sure).and_then(wander);
    let (slip, path) = match (near, stray) {
        (Some(near), Some((slip, path))) if slip < near.slip => (slip, path),
        (Some(near), _) => (near.slip, near.path),
        (None, stray) => stray?,
    };
    let is_hidden = || path.segments().any(|name| name.starts_with('.'));
    if matching == Matching::Folders && is_hidden() {
        return None;
    }
    let written: Vec<&str> = wanted.segments().collect();
    let existing: Vec<&str> = path.segments().collect();
    let takes =
        |pattern: &String| matching.compile(pattern).is_ok_and(|matcher: Matcher| matcher.matches(path.as_str()));
    let difference = difference(slip, existing.len() > written.len());
    let pattern = changed(&written, &existing).map(|segments| segments.join("/")).filter(takes);
    let rename = renamed(&written, &existing);
    Some(Meant { path, slip, difference, pattern, rename })
}

/// The segments of the pattern with the one change that makes them match.
fn changed(pattern: &[&str], path: &[&str]) -> Option<Vec<String>> {
    let owned = |segments: &[&str]| segments.iter().map(|&segment| segment.to_owned()).collect::<Vec<String>>();
    if pattern.len() + 1 == path.len() {
        let without = |at: usize| [&path[..at], &path[at + 1..]].concat();
        let at = (0..path.len()).find(|&at| is_match(pattern, &without(at)))?;
        let mut segments = owned(pattern);
        segments.insert(at, "*".to_owned());
        return Some(segments);
    }
    if pattern.len() == path.len() + 1 {
        let without = |at: usize| [&pattern[..at], &pattern[at + 1..]].concat();
        let (wild, plain): (Vec<usize>, Vec<usize>) = (0..pattern.len()).partition(|&at| has_meta(pattern[at]));
        let mut shorter = wild.into_iter().chain(plain).map(without);
        return shorter.find(|shorter| is_match(shorter, path)).map(|shorter| owned(&shorter));
    }
    match *differences(pattern, path) {
        [at] => {
            let mut segments = owned(pattern);
            segments[at] = spelt(pattern[at], path[at])?;
            Some(segments)
        }
        [one, other] => {
            let mut segments = owned(pattern);
            segments.swap(one, other);
            Some(segments)
        }
        _ => None,
    }
}

/// The segment, spelt so that it takes the name.
fn spelt(segment: &str, name: &str) -> Option<String> {
    if !has_meta(segment) {
        return Some(name.to_owned());
    }
    let (stem, _) = segment.rsplit_once('.')?;
    let (_, extension) = name.rsplit_once('.')?;
    Some(format!("{stem}.{extension}"))
}

/// The existing path down to the one segment that differs, and the name that the pattern wants there. Behind a wildcard
/// there may be more of its kind.
fn renamed(pattern: &[&str], path: &[&str]) -> Option<(RepoPath, String)> {
    let &[at] = &*differences(pattern, path) else { return None };
    if pattern[..=at].iter().any(|segment| has_meta(segment)) {
        return None;
    }
    Some((RepoPath::new(&path[..=at].join("/")).ok()?, pattern[at].to_owned()))
}

/// The places where segments do not match; none at all when there are not equally many.
fn differences(pattern: &[&str], path: &[&str]) -> Vec<usize> {
    if pattern.len() != path.len() {
        return Vec::new();
    }
    (0..path.len()).filter(|&at| !is_match(&pattern[at..=at], &path[at..=at])).collect()
}

/// Whether segments with wildcards match those of a path, one by one.
pub(super) fn is_match(pattern: &[&str], path: &[&str]) -> bool {
    let is_same = |(segment, name): (&&str, &&str)| doublestar::matches(segment, name).unwrap_or(false);
    pattern.len() == path.len() && pattern.iter().zip(path).all(is_same)
}

/// How a path differs, as the end of a sentence that begins with it.
pub(super) fn difference(slip: Slip, is_deeper: bool) -> &'static str {
    match slip {
        Slip::Case => "differs in letter case",
        Slip::Extension => "differs in the extension",
        Slip::Plural => "differs in a plural",
        Slip::Alias => "differs in the name of the environment",
        Slip::Typing(_) => "differs in spelling",
        Slip::Order => "has two segments swapped",
        Slip::Level if is_deeper => "lies one level deeper",
        Slip::Level => "lies one level higher",
        Slip::Longer => "has a longer name",
        Slip::Elsewhere => "lies in another folder",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{Entry, EntryKind, Root};

    fn found(listing: &[&str], matching: Matching, pattern: &str) -> Option<Meant> {
        let entry = |path: &&str| Entry {
            root: RootId(0),
            path: RepoPath::new(path).unwrap(),
            kind: EntryKind::File,
            file: None,
        };
        let repo = Repo::new(vec![Root::default()], listing.iter().map(entry).collect());
        meant(None, &repo, RootId(0), matching, pattern)
    }

    fn pattern(listing: &[&str], matching: Matching, pattern: &str) -> Option<String> {
        found(listing, matching, pattern)?.pattern
    }

    #[test]
    fn one_change_makes_the_pattern_match() {
        let tree = ["apps/shop/envs/dev/app.yaml"];
        for (written, corrected) in [
            ("app/*/envs/dev/app.yaml", "apps/*/envs/dev/app.yaml"),
            ("apps/*/env/dev/app.yaml", "apps/*/envs/dev/app.yaml"),
            ("apps/*/envs/dev/app.yml", "apps/*/envs/dev/app.yaml"),
            ("apps/*/envs/dev/*.yml", "apps/*/envs/dev/*.yaml"),
            ("apps/*/envs/development/app.yaml", "apps/*/envs/dev/app.yaml"),
            ("Apps/*/envs/dev/app.yaml", "apps/*/envs/dev/app.yaml"),
            ("apps/*/dev/envs/app.yaml", "apps/*/envs/dev/app.yaml"),
            ("apps/*/*/envs/dev/app.yaml", "apps/*/envs/dev/app.yaml"),
        ] {
            assert_eq!(pattern(&tree, Matching::Pathspec, written).as_deref(), Some(corrected), "{written}");
        }
    }

    #[test]
    fn a_level_is_inserted_in_patterns_of_folders() {
        let tree = ["apps/a/shop/overlays/dev/x.yaml"];
        let corrected = pattern(&tree, Matching::Folders, "apps/*/overlays/dev");
        assert_eq!(corrected.as_deref(), Some("apps/*/*/overlays/dev"));
    }

    #[test]
    fn the_other_side_is_the_name_that_differs() {
        let meant = found(&["app/shop/x.yaml"], Matching::Folders, "apps/*").unwrap();
        let (path, name) = meant.rename.unwrap();
        assert_eq!((path.as_str(), name.as_str()), ("app", "apps"));
        assert_eq!(found(&["apps/shop/app.yml"], Matching::Pathspec, "apps/*/app.yaml").unwrap().rename, None);
    }

    #[test]
    fn hidden_folders_are_not_near() {
        assert_eq!(found(&[".apps/shop/x.yaml"], Matching::Folders, "apps/*"), None);
    }

    #[test]
    fn patterns_of_another_kind_are_near_to_nothing() {
        for written in [":(icase)APP/x", "app/{x,y}", "app/[!x]", "", "../app/x"] {
            assert_eq!(found(&["apps/x"], Matching::Pathspec, written), None, "{written}");
        }
    }
}
