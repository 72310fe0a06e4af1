//! Lines that other lines make void.

use super::{Matched, Reading};
use crate::formats::codeowners::{Entry, Forge, Matcher};
use crate::repo::Repo;
use crate::text::limits::OWNER_COMPARISONS;

/// A line that matches paths and decides about none of them.
#[derive(Clone, Copy, Debug)]
pub struct Overridden<'r> {
    /// The line.
    pub entry: &'r Entry,
    /// A line that decides instead wherever this one matches, if one alone does.
    pub by: Option<&'r Entry>,
    /// How the one compares with the other.
    pub extent: Extent,
}

/// How much of what a line can match another one takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it, whatever paths there will be.
    Pattern,
    /// All paths that are there, and others: it is the wider one.
    Wider,
    /// All paths that are there, and no other: the first may be meant for what is to come.
    Same,
    /// No line alone takes all of it.
    Parts,
}

/// The lines of a file that match paths and decide about none of them, in order. None on Gitea, where all lines count, and
/// where it would take too long to find them.
pub fn overridden<'r>(reading: &'r Reading, repo: &Repo) -> Vec<Overridden<'r>> {
    let Some(matched) = reading.matched(repo).filter(|_| reading.forge != Forge::Gitea) else { return Vec::new() };
    let entries = &reading.owners.entries;
    let is_deciding = deciding(reading, matched);
    let is_void = |at: usize| matched.paths_of[at] > 0 && !is_deciding[at];
    let Some(everywhere) = everywhere(matched, entries, is_void) else { return Vec::new() };
    let found = entries.iter().enumerate().filter(|(at, _)| is_void(*at)).map(|(at, entry)| {
        let of_all = || everywhere[at].iter().map(|&other| other as usize);
        let wider = of_all().find(|&other| matched.paths_of[other] > matched.paths_of[at]);
        let covering = of_all().find(|&other| covers(&entries[other], entry));
        let (by, extent) = match (covering, wider, of_all().next()) {
            (Some(other), ..) => (Some(&entries[other]), Extent::Pattern),
            (None, Some(other), _) => (Some(&entries[other]), Extent::Wider),
            (None, None, Some(other)) => (Some(&entries[other]), Extent::Same),
            (None, None, None) => (None, Extent::Parts),
        };
        Overridden { entry, by, extent }
    });
    found.collect()
}

/// Which entries decide about some path. What an exclusion takes out is taken on purpose: all entries that it overrides
/// count as deciding.
fn deciding(reading: &Reading, matched: &Matched) -> Vec<bool> {
    let entries = &reading.owners.entries;
    let mut is_deciding = vec![false; entries.len()];
    for class in &matched.classes {
        for decision in reading.deciding(&class.entries) {
            let is_of_section = |at: &&u32| entries[**at as usize].section == decision.entry.section;
            for &at in class.entries.iter().filter(is_of_section) {
                let entry = &entries[at as usize];
                is_deciding[at as usize] |= decision.entry.excludes || entry.line == decision.entry.line;
            }
        }
    }
    is_deciding
}

/// For each void entry the later ones of its section that match wherever it does; `None` when that takes too long.
fn everywhere(matched: &Matched, entries: &[Entry], is_void: impl Fn(usize) -> bool) -> Option<Vec<Vec<u32>>> {
    let mut everywhere: Vec<Option<Vec<u32>>> = vec![None; entries.len()];
    let mut steps = 0usize;
    for class in &matched.classes {
        for (place, &at) in class.entries.iter().enumerate().filter(|(_, at)| is_void(**at as usize)) {
            let later = &class.entries[place + 1..];
            steps += later.len() + 1;
            if steps > OWNER_COMPARISONS {
                return None;
            }
            let is_alike = |other: &&u32| {
                let other = &entries[**other as usize];
                other.section == entries[at as usize].section && !other.excludes
            };
            match &mut everywhere[at as usize] {
                Some(known) => known.retain(|other| later.binary_search(other).is_ok()),
                new => *new = Some(later.iter().filter(is_alike).copied().collect()),
            }
        }
    }
    Some(everywhere.into_iter().map(Option::unwrap_or_default).collect())
}

/// Whether one line matches whatever another one matches.
pub fn covers(wide: &Entry, narrow: &Entry) -> bool {
    match (&wide.matcher, &narrow.matcher) {
        (Matcher::Segments(wide), Matcher::Segments(narrow)) => wide.covers(narrow),
        _ => false,
    }
}
