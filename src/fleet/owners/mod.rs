//! Code owners: which forge reads a root, which file it takes, and which of its lines decide about a path.
//!
//! Who owns a path is known only as far as the forge is known. Where several forges may be the one, a file is judged by
//! all that read it, and only what they agree on counts ([`RootOwners::agreed`]).

mod coverage;
mod matched;
mod overridden;
pub mod policy;

pub use coverage::{Unowned, unowned};
pub use matched::{Class, Matched, Ownership};
pub use overridden::{Extent, Overridden, covers, overridden};
pub use policy::{Coverage, Policy, Requirement};

use crate::formats::codeowners::{CodeOwners, Entry, FILE_NAME, Forge, Section};
use crate::repo::{EntryKind, FileState, Repo};
use crate::text::limits::OWNER_LINES;
use crate::text::{FileId, RepoPath, RootId};
use std::sync::OnceLock;

/// The code owners of all roots.
#[derive(Debug, Default)]
pub struct Owners {
    /// What is known of each root, in their order.
    pub roots: Vec<RootOwners>,
    /// What the configuration demands.
    pub policy: Policy,
}

/// The code owners of one root.
#[derive(Debug)]
pub struct RootOwners {
    /// The root.
    pub root: RootId,
    /// The forges that may hold it; none when it is known that no such file is read there.
    pub forges: Vec<Forge>,
    /// Whether the forge is configured or told by a remote, not only by what lies in the root.
    pub is_known: bool,
    /// How each of the forges reads the file that it takes; without those that take none, or one that cannot be read.
    pub readings: Vec<Reading>,
}

/// A file as one forge reads it.
#[derive(Debug)]
pub struct Reading {
    /// The root it speaks of.
    pub root: RootId,
    /// The forge.
    pub forge: Forge,
    /// The file.
    pub file: FileId,
    /// What it says.
    pub owners: CodeOwners,
    matched: OnceLock<Option<Matched>>,
}

/// What a forge finds where it looks for the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Located {
    /// This file.
    File(FileId),
    /// No file.
    Nothing,
    /// A link, a submodule, or a file that could not be read: what it takes is not known.
    Unknown,
}

/// One line that decides about a path.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'r> {
    /// The line.
    pub entry: &'r Entry,
    /// Its section.
    pub section: &'r Section,
}

impl Owners {
    /// The code owners of a snapshot.
    pub fn new(repo: &Repo, policy: &Policy) -> Owners {
        let roots = (0..repo.roots().len()).map(|root| RootOwners::new(repo, RootId(root as u16), policy));
        Owners { roots: roots.collect(), policy: policy.clone() }
    }
}

impl RootOwners {
    fn new(repo: &Repo, root: RootId, policy: &Policy) -> RootOwners {
        let (forges, is_known) = forges(repo, root, policy);
        let readings = forges.iter().filter_map(|&forge| Reading::new(repo, root, forge)).collect();
        RootOwners { root, forges, is_known, readings }
    }

    /// The file that has more lines than are followed, if there is one that a forge may take.
    pub fn unfollowed(&self, repo: &Repo) -> Option<FileId> {
        let located = self.forges.iter().map(|forge| locate(repo, self.root, *forge));
        let files = located.filter_map(|located| if let Located::File(file) = located { Some(file) } else { None });
        files.into_iter().find(|file| repo.file(*file).is_some_and(|file| is_too_long(&file.source.text)))
    }

    /// What all forges say that read the same file, for each file that is read, in the order of the first of them.
    pub fn agreed<T: PartialEq>(&self, judge: impl Fn(&Reading) -> Vec<T>) -> Vec<T> {
        let mut all = Vec::new();
        for (at, reading) in self.readings.iter().enumerate() {
            let is_of_file = |other: &&Reading| other.file == reading.file;
            if self.readings[..at].iter().any(|other| is_of_file(&other)) {
                continue;
            }
            let mut agreed = judge(reading);
            for other in self.readings[at + 1..].iter().filter(is_of_file) {
                let others = judge(other);
                agreed.retain(|one| others.contains(one));
            }
            all.extend(agreed);
        }
        all
    }

    /// Files with the right name that none of the forges ever reads, in order. Nothing where it is not known what a forge takes.
    pub fn ineffective(&self, repo: &Repo) -> Vec<FileId> {
        let located: Vec<Located> = self.forges.iter().map(|forge| locate(repo, self.root, *forge)).collect();
        if located.is_empty() || located.contains(&Located::Unknown) {
            return Vec::new();
        }
        let paths = repo.files_named(self.root, FILE_NAME).iter();
        let files = paths.filter_map(|path| repo.listed(self.root, path));
        files.filter(|file| !located.contains(&Located::File(*file))).collect()
    }

    /// Files that would be taken if only their names were written in the right letters; none where another one is taken.
    pub fn misspelt(&self, repo: &Repo) -> Vec<FileId> {
        if !self.is_without(repo) {
            return Vec::new();
        }
        let is_meant = |path: &str| {
            let mut locations = self.forges.iter().flat_map(|forge| forge.locations());
            path != FILE_NAME && locations.any(|location| location.eq_ignore_ascii_case(path))
        };
        let paths = repo.below(self.root, &RepoPath::root()).iter().filter(|entry| is_meant(entry.path.as_str()));
        paths.filter_map(|entry| repo.listed(self.root, &entry.path)).collect()
    }

    /// Whether it is certain that every forge that may hold the root finds no file.
    pub fn is_without(&self, repo: &Repo) -> bool {
        !self.forges.is_empty() && self.forges.iter().all(|forge| locate(repo, self.root, *forge) == Located::Nothing)
    }
}

impl Reading {
    fn new(repo: &Repo, root: RootId, forge: Forge) -> Option<Reading> {
        let Located::File(file) = locate(repo, root, forge) else { return None };
        let text = &repo.file(file)?.source.text;
        if forge.size_limit().is_some_and(|limit| text.len() > limit) {
            return None;
        }
        if is_too_long(text) {
            return None;
        }
        let owners = CodeOwners::read(forge, file, text);
        Some(Reading { root, forge, file, owners, matched: OnceLock::new() })
    }

    /// Which lines match which paths; worked out at the first call. `None` when that would take too long.
    pub fn matched(&self, repo: &Repo) -> Option<&Matched> {
        let paths = repo.below(self.root, &RepoPath::root());
        self.matched.get_or_init(|| Matched::new(&self.owners.entries, paths)).as_ref()
    }

    /// The lines that decide when these match, in order; both are indices of entries.
    pub fn deciding(&self, entries: &[u32]) -> Vec<Decision<'_>> {
        let entry = |at: &u32| &self.owners.entries[*at as usize];
        let decision = |entry| Decision { entry, section: &self.owners.sections[entry.section] };
        match self.forge {
            Forge::GitHub | Forge::Bitbucket => entries.last().map(entry).map(decision).into_iter().collect(),
            Forge::Gitea => entries.iter().map(entry).map(decision).collect(),
            Forge::GitLab => {
                let in_section =
                    |section: usize| entries.iter().map(entry).filter(move |entry| entry.section == section);
                // An exclusion cannot be taken back.
                let deciding = |section| {
                    in_section(section).find(|entry| entry.excludes).or_else(|| in_section(section).next_back())
                };
                (0..self.owners.sections.len()).filter_map(deciding).map(decision).collect()
            }
        }
    }

    /// The lines that decide about a path, listed or not.
    pub fn decisions(&self, path: &str) -> Vec<Decision<'_>> {
        let entries = self.owners.entries.iter().zip(0..);
        let matching: Vec<u32> = entries.filter(|(entry, _)| entry.matches(path)).map(|(_, at)| at).collect();
        self.deciding(&matching)
    }

    /// What the lines that match together mean.
    pub fn ownership(&self, entries: &[u32]) -> Ownership {
        Ownership::of(self.forge, &self.deciding(entries))
    }
}

/// Whether a file has more lines than are followed.
fn is_too_long(text: &str) -> bool {
    text.bytes().filter(|byte| *byte == b'\n').count() > OWNER_LINES
}

/// What a forge takes, by where it looks.
pub fn locate(repo: &Repo, root: RootId, forge: Forge) -> Located {
    for location in forge.locations() {
        let path = RepoPath::new(location).expect("a location stays in the repository");
        let Some(id) = repo.listed(root, &path) else { continue };
        let is_read = repo.file(id).is_some_and(|file| file.state == FileState::Read);
        let is_file = repo.entry(id).kind == EntryKind::File;
        return if is_file && is_read { Located::File(id) } else { Located::Unknown };
    }
    Located::Nothing
}

/// The forges that may hold a root, and whether that is known: by configuration, by the host of a remote, by what lies
/// in it; else all.
fn forges(repo: &Repo, root: RootId, policy: &Policy) -> (Vec<Forge>, bool) {
    if let Some(forge) = policy.forge {
        return (vec![forge], true);
    }
    let urls = repo.root(root).urls.iter();
    let hosts = urls.filter_map(|url| Forge::of_host(url.as_str().split(['/', ':']).next().unwrap_or_default()));
    let hosts: Vec<&[Forge]> = hosts.collect();
    if !hosts.is_empty() {
        let forges: Vec<Forge> =
            Forge::ALL.into_iter().filter(|forge| hosts.iter().any(|at| at.contains(forge))).collect();
        let is_known = forges.len() == 1;
        return (forges, is_known);
    }
    let is_there = |mark: &str| {
        let path = RepoPath::new(mark).expect("a mark stays in the repository");
        if mark.ends_with('/') { repo.is_folder(root, &path) } else { repo.listed(root, &path).is_some() }
    };
    let is_marked = |forge: &Forge| forge.marks().iter().any(|mark| is_there(mark));
    let mut marked: Vec<Forge> = Forge::ALL.into_iter().filter(is_marked).collect();
    // Gitea runs workflows of `.github/` too: a file that may hold regular expressions is not taken for GitHub's.
    if marked == [Forge::GitHub] && has_expressions(repo, root) {
        marked.push(Forge::Gitea);
    }
    (if marked.is_empty() { Forge::ALL.to_vec() } else { marked }, false)
}

/// Whether the file that Gitea would take may hold regular expressions.
fn has_expressions(repo: &Repo, root: RootId) -> bool {
    let Located::File(file) = locate(repo, root, Forge::Gitea) else { return false };
    repo.file(file).is_some_and(|file| [".*", ".+", "\\\\."].iter().any(|sign| file.source.mentions(sign)))
}
