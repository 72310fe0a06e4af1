//! Patterns over whole paths, matched segment by segment: those of CODEOWNERS files on GitHub and GitLab.
//!
//! Each forge has its own way from a text to a [`Pattern`] ([`github`], [`gitlab`]); what a pattern then matches is the
//! same for both. Only files are matched: a pattern that means a folder matches what lies below it. [`Set`] matches many
//! patterns at once and shares the work between paths of one folder.

pub mod github;
pub mod gitlab;
mod name;
mod set;

pub use set::{Set, TooMuch};

use name::Name;

/// Parts of a pattern; no path is so deep that a longer one could match it.
const PARTS: usize = u16::MAX as usize;

/// A compiled pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Never empty; the last one is a segment.
    parts: Vec<Part>,
    /// Whether what lies below a match is matched too.
    descends: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Any number of folders, none too.
    Folders,
    Segment(Name),
}

impl Pattern {
    fn new(mut parts: Vec<Part>, descends: bool) -> Pattern {
        if !matches!(parts.last(), Some(Part::Segment(_))) {
            parts.push(Part::Segment(Name::Any));
        }
        parts.dedup_by(|second, first| *first == Part::Folders && *second == Part::Folders);
        if parts.len() > PARTS {
            parts = vec![Part::Segment(Name::Never)];
        }
        Pattern { parts, descends }
    }

    /// Whether the pattern matches the file at `path`, which is relative to the root and has no leading `/`.
    pub fn matches(&self, path: &str) -> bool {
        let mut is_matched = false;
        // One pattern takes few steps; the limit is for sets.
        let _ = Set::new([self]).each([path], usize::MAX, |found| is_matched = !found.is_empty());
        is_matched
    }

    /// Whether it matches every path of a repository.
    pub fn matches_all(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Folders, Part::Segment(Name::Any)])
    }

    /// Whether everything that `other` matches is certainly matched by this pattern too: they are the same, or this one
    /// matches all paths, or all below a folder that `other` cannot leave. `false` says nothing.
    pub fn covers(&self, other: &Pattern) -> bool {
        if self == other || self.matches_all() {
            return true;
        }
        let folder = match self.parts.as_slice() {
            [folder @ .., Part::Folders, Part::Segment(Name::Any)] => folder,
            whole if self.descends => whole,
            _ => return false,
        };
        let is_longer = other.parts.len() > folder.len() || (self.descends && other.descends);
        is_longer && other.parts.starts_with(folder)
    }

    /// The path that the pattern names, when it has no wildcard and starts at the root.
    pub fn literal(&self) -> Option<String> {
        let folder = match self.parts.as_slice() {
            [folder @ .., Part::Folders, Part::Segment(Name::Any)] => folder,
            whole => whole,
        };
        let names: Option<Vec<&str>> = folder.iter().map(Part::literal).collect();
        names.map(|names| names.join("/")).filter(|path| !path.is_empty())
    }

    /// Whether it may match something below the folder `folder`.
    pub fn may_match_below(&self, folder: &str) -> bool {
        let mut parts = self.parts.iter();
        for segment in folder.split('/') {
            match parts.next() {
                Some(Part::Folders) => return true,
                Some(Part::Segment(name)) if name.matches(segment) => {}
                Some(Part::Segment(_)) => return false,
                None => return self.descends,
            }
        }
        parts.next().is_some() || self.descends
    }
}

impl Part {
    fn literal(&self) -> Option<&str> {
        match self {
            Part::Segment(Name::Literal(name)) => Some(name),
            _ => None,
        }
    }
}
