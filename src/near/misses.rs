//! Paths that nothing reads although a pattern of a generator nearly takes them.

use super::align::{Alignment, align};
use super::evidence::{holds_the_keys_of, holds_what, is_set_aside};
use super::meant::difference;
use crate::fleet::expand::uses::Taken;
use crate::fleet::expand::{Matcher, Matching};
use crate::fleet::{Fleet, Meaning, SourcePath};
use crate::lang::glob::doublestar::has_meta;
use crate::repo::{EntryKind, Repo, Slip};
use crate::text::{FileId, RepoPath, RootId, Span};
use crate::value::Text;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of a path and a pattern that are compared.
const PAIRS: usize = 4_000_000;
/// Unread paths that one missing path is compared with.
const ALIKE: usize = 256;
/// Siblings that a path is compared with.
const SIBLINGS: usize = 8;

/// A path that a pattern nearly takes, or several that differ from it by one slip in a folder they share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Miss {
    /// The root.
    pub root: RootId,
    /// The path, the first of them.
    pub path: RepoPath,
    /// The file itself, or the first file of the folder.
    pub file: FileId,
    /// Whether the pattern takes folders.
    pub is_folder: bool,
    /// How many paths differ by this slip.
    pub count: usize,
    /// How the path differs from one that the pattern takes.
    pub slip: Slip,
    /// The same, as the end of a sentence that begins with the path.
    pub difference: &'static str,
    /// The path as the pattern would take it.
    pub corrected: RepoPath,
    /// What to rename: the path, or a folder above it, and its new name or place.
    pub rename: (RepoPath, RepoPath),
    /// The pattern, as it ran.
    pub pattern: String,
    /// Where the pattern is written.
    pub item: Span,
    /// A path that the pattern takes.
    pub sibling: RepoPath,
}

/// What wanted something: a pattern or a path, as it ran.
struct Want<'a> {
    root: RootId,
    text: &'a str,
    segments: Vec<&'a str>,
    is_folder: bool,
    span: Span,
    what: &'static str,
}

/// The paths of generators that nothing reads and some pattern nearly takes, in order of path. Each looks like what the
/// pattern takes elsewhere.
pub fn misses(fleet: &Fleet, repo: &Repo) -> Vec<Miss> {
    let mut best: BTreeMap<(RootId, String), Miss> = BTreeMap::new();
    let mut candidates: BTreeMap<(RootId, bool), Vec<RepoPath>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut left = PAIRS;
    for git in fleet.sets.iter().flat_map(|set| &set.uses.git).filter(|git| !git.is_open) {
        let is_folder = git.matching == Matching::Folders;
        let taken = git.taken();
        for item in git.items.iter().filter(|item| !item.exclude && item.matched > 0) {
            for pattern in item.patterns.iter().filter(|pattern| is_plain(pattern)) {
                let excludes: Vec<&str> = git
                    .items
                    .iter()
                    .filter(|item| item.exclude)
                    .flat_map(|item| &item.patterns)
                    .map(String::as_str)
                    .collect();
                if !seen.insert((git.root, is_folder, pattern.as_str(), excludes)) {
                    continue;
                }
                let paths =
                    candidates.entry((git.root, is_folder)).or_insert_with(|| unread(git.root, is_folder, fleet, repo));
                let Some(rest) = left.checked_sub(paths.len()) else { return folded(best, repo) };
                left = rest;
                let Ok(matcher) = git.matching.compile(pattern) else { continue };
                let search = Search { root: git.root, is_folder, matcher, taken: &taken, fleet, repo };
                let segments: Vec<&str> = pattern.split('/').collect();
                let mut siblings = None;
                for path in paths.iter() {
                    let names: Vec<&str> = path.segments().collect();
                    let Some(found) = align(&segments, &names, is_folder) else { continue };
                    let siblings = siblings.get_or_insert_with(|| search.siblings());
                    let Some(miss) = search.judge(path, found, siblings, (pattern, item.span)) else { continue };
                    let known = best.entry((git.root, path.as_str().to_owned()));
                    let known = known.or_insert_with(|| miss.clone());
                    if miss.slip < known.slip {
                        *known = miss;
                    }
                }
            }
        }
    }
    folded(best, repo)
}

/// The path that nothing reads and that differs from a wanted one, or from what a pattern takes, by one slip; with
/// several that differ alike only where a wildcard expects them.
pub fn strayed(root: RootId, wanted: &str, is_folder: bool, fleet: &Fleet, repo: &Repo) -> Option<(Slip, RepoPath)> {
    let segments: Vec<&str> = wanted.split('/').collect();
    if !is_plain(wanted) || !fleet.consumed(repo).sees(root) {
        return None;
    }
    let unread = fleet.consumed(repo).all_unread(is_folder, repo);
    let aligned = |path: &RepoPath| {
        let names: Vec<&str> = path.segments().collect();
        let slip = align(&segments, &names, is_folder)?.slip;
        (!is_set_aside(path)).then(|| (slip, path.clone()))
    };
    let mut found: Vec<(Slip, RepoPath)> = if has_meta(wanted) {
        unread.of(root).filter_map(aligned).collect()
    } else {
        // One slip leaves the name or the folder as it is.
        unread.like(root, &RepoPath::new(wanted).ok()?).take(ALIKE).filter_map(aligned).collect()
    };
    found.sort();
    let is_clear = has_meta(wanted) || found.get(1).is_none_or(|second| second.0 > found[0].0);
    found.into_iter().next().filter(|_| is_clear)
}

/// Whether a pattern is plain enough to be taken apart: no magic, no escapes, no classes, no braces.
fn is_plain(pattern: &str) -> bool {
    !pattern.starts_with([':', '/', '.']) && !pattern.contains(['\\', '[', '{', '}'])
}

/// What nothing reads and what may be meant to be read, in order.
fn unread(root: RootId, is_folder: bool, fleet: &Fleet, repo: &Repo) -> Vec<RepoPath> {
    let consumed = fleet.consumed(repo);
    if is_folder {
        let folders = fleet.folders.in_root(root).iter();
        let mut folders: Vec<RepoPath> = folders
            .filter(|folder| !is_set_aside(folder) && !consumed.is_folder_read(root, folder, repo))
            .cloned()
            .collect();
        folders.sort();
        return folders;
    }
    let entries = repo.below(root, &RepoPath::root()).iter().filter(|entry| entry.kind == EntryKind::File);
    let is_unread = |path: &RepoPath| repo.listed(root, path).is_some_and(|file| !consumed.is_read(file));
    entries.map(|entry| &entry.path).filter(|path| !is_set_aside(path) && is_unread(path)).cloned().collect()
}

struct Search<'a> {
    root: RootId,
    is_folder: bool,
    matcher: Matcher,
    taken: &'a Taken,
    fleet: &'a Fleet,
    repo: &'a Repo,
}

impl Search<'_> {
    /// Some of what the pattern takes.
    fn siblings(&self) -> Vec<RepoPath> {
        let is_taken = |path: &&RepoPath| self.matcher.matches(path.as_str()) && self.taken.contains(path.as_str());
        if self.is_folder {
            return self.fleet.folders.in_root(self.root).iter().filter(is_taken).take(SIBLINGS).cloned().collect();
        }
        let entries = self.repo.starting_with(self.root, self.matcher.literal_prefix()).iter().map(|entry| &entry.path);
        entries.filter(is_taken).take(SIBLINGS).cloned().collect()
    }

    /// A path that differs by one slip, when it is what the pattern wants and not meant to differ.
    fn judge(
        &self,
        path: &RepoPath,
        found: Alignment,
        siblings: &[RepoPath],
        (pattern, item): (&str, Span),
    ) -> Option<Miss> {
        let corrected = RepoPath::new(&found.corrected.join("/")).ok()?;
        let is_there = self.repo.listed(self.root, &corrected).is_some() || self.repo.is_folder(self.root, &corrected);
        // An exclude that takes the corrected path would leave it out again.
        if is_there || !self.taken.contains(corrected.as_str()) {
            return None;
        }
        let sibling = siblings.iter().find(|sibling| self.is_alike(path, sibling, &found))?;
        let (before, after) = (path.segments().count(), found.corrected.len());
        let rename = renamed(path, &corrected, &found)?;
        let inside =
            || self.repo.below(self.root, path).first().and_then(|entry| self.repo.listed(self.root, &entry.path));
        Some(Miss {
            root: self.root,
            file: self.repo.listed(self.root, path).or_else(inside)?,
            path: path.clone(),
            is_folder: self.is_folder,
            count: 1,
            slip: found.slip,
            difference: difference(found.slip, before > after),
            corrected,
            rename,
            pattern: pattern.to_owned(),
            item,
            sibling: sibling.clone(),
        })
    }

    fn is_alike(&self, path: &RepoPath, sibling: &RepoPath, found: &Alignment) -> bool {
        if self.is_folder {
            return holds_what(path, sibling, self.root, self.repo);
        }
        let (Some(file), Some(other)) = (self.repo.listed(self.root, path), self.repo.listed(self.root, sibling))
        else {
            return false;
        };
        // What is not read because of its extension has only its name to tell.
        let is_name = found.slip == Slip::Typing(1) && found.at + 1 == path.segments().count();
        match self.repo.file(file) {
            Some(_) => holds_the_keys_of(file, other, self.repo),
            None => {
                is_name
                    && path.name().rsplit_once('.').map(|(stem, _)| stem)
                        == sibling.name().rsplit_once('.').map(|(stem, _)| stem)
            }
        }
    }
}

/// What is to be renamed: down to the segment that differs, or all of a path that differs in more than a name.
fn renamed(path: &RepoPath, corrected: &RepoPath, found: &Alignment) -> Option<(RepoPath, RepoPath)> {
    if matches!(found.slip, Slip::Level | Slip::Order) {
        return Some((path.clone(), corrected.clone()));
    }
    let down = |path: &RepoPath| {
        let segments: Vec<&str> = path.segments().take(found.at + 1).collect();
        RepoPath::new(&segments.join("/")).ok()
    };
    Some((down(path)?, down(corrected)?))
}

/// One for each slip: paths below one misspelt folder belong together.
fn folded(best: BTreeMap<(RootId, String), Miss>, repo: &Repo) -> Vec<Miss> {
    let mut folded: Vec<Miss> = Vec::new();
    let mut at: BTreeMap<(RootId, RepoPath, RepoPath), usize> = BTreeMap::new();
    for miss in best.into_values() {
        let key = (miss.root, miss.rename.0.clone(), miss.rename.1.clone());
        match at.get(&key) {
            Some(known) => folded[*known].count += 1,
            None => {
                at.insert(key, folded.len());
                folded.push(miss);
            }
        }
    }
    folded.sort_by(|one, other| {
        (one.root, repo.entry(one.file).path.as_str()).cmp(&(other.root, repo.entry(other.file).path.as_str()))
    });
    folded
}

/// A pattern or path that wanted something, and how a path differs from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearTo {
    /// The difference.
    pub alignment: Alignment,
    /// The same, as the end of a sentence that begins with the path.
    pub difference: &'static str,
    /// The pattern or path, as it ran.
    pub wanted: String,
    /// What it is: `pattern`, `value file`, `source path`.
    pub what: &'static str,
    /// Where it is written.
    pub span: Span,
    /// What to rename, and its new name or place; nothing when something is there already.
    pub rename: Option<(RepoPath, RepoPath)>,
}

/// Everything that nearly wants a path, of a folder or a file, there or not, nearest first; whether the path looks like
/// it is not asked.
pub fn near_to(root: RootId, path: &RepoPath, is_folder: bool, fleet: &Fleet, repo: &Repo) -> Vec<NearTo> {
    let names: Vec<&str> = path.segments().collect();
    let wants = wants(fleet).into_iter().filter(|want| want.root == root && want.is_folder == is_folder);
    let mut found: Vec<NearTo> = wants
        .filter_map(|want| {
            let alignment = align(&want.segments, &names, is_folder)?;
            let is_deeper = names.len() > alignment.corrected.len();
            let difference = difference(alignment.slip, is_deeper);
            let corrected = RepoPath::new(&alignment.corrected.join("/")).ok()?;
            let is_there = repo.listed(root, &corrected).is_some() || repo.is_folder(root, &corrected);
            let down = renamed(path, &corrected, &alignment).filter(|(_, to)| !repo.is_folder(root, to));
            let rename = (!is_there).then(|| down.unwrap_or_else(|| (path.clone(), corrected)));
            let (wanted, what, span) = (want.text.to_owned(), want.what, want.span);
            Some(NearTo { alignment, difference, wanted, what, span, rename })
        })
        .collect();
    found.sort_by(|one, other| {
        (one.alignment.slip, &one.wanted, one.span).cmp(&(other.alignment.slip, &other.wanted, other.span))
    });
    found.dedup_by(|one, other| one.wanted == other.wanted && one.span == other.span);
    found
}

/// The patterns of generators, and the paths of apps that lead nowhere.
fn wants(fleet: &Fleet) -> Vec<Want<'_>> {
    let mut wants = Vec::new();
    for git in fleet.sets.iter().flat_map(|set| &set.uses.git) {
        let is_folder = git.matching == Matching::Folders;
        for item in git.items.iter().filter(|item| !item.exclude) {
            let patterns = item.patterns.iter().filter(|pattern| is_plain(pattern));
            wants.extend(patterns.map(|pattern| Want::new(git.root, pattern, is_folder, item.span, "pattern")));
        }
    }
    for source in fleet.apps.iter().flat_map(|app| &app.sources) {
        for file in source.value_files.iter().chain(&source.file_parameters) {
            if let Meaning::Missing(place) = &file.meaning {
                wants.push(Want::new(place.root, place.path.as_str(), false, file.written.span(), "value file"));
            }
        }
        if let (SourcePath::Missing(path), Some(root)) = (&source.path, source.root) {
            let span = source.written.path.as_ref().map_or(source.written.span, Text::span);
            wants.push(Want::new(root, path.as_str(), true, span, "source path"));
        }
    }
    wants
}

impl<'a> Want<'a> {
    fn new(root: RootId, text: &'a str, is_folder: bool, span: Span, what: &'static str) -> Want<'a> {
        Want { root, text, segments: text.split('/').collect(), is_folder, span, what }
    }
}
