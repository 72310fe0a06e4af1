//! Lines that other lines make void.

use super::Reading;
use crate::formats::codeowners::{Entry, Forge, Matcher};
use crate::repo::Repo;
use std::collections::BTreeSet;

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

/// The lines of a file that match paths and decide about none of them, in order. None on Gitea, where all lines count.
pub fn overridden<'r>(reading: &'r Reading, repo: &Repo) -> Vec<Overridden<'r>> {
    let Some(matched) = reading.matched(repo).filter(|_| reading.forge != Forge::Gitea) else { return Vec::new() };
    let entries = &reading.owners.entries;
    let mut paths = vec![0usize; entries.len()];
    let mut is_deciding = vec![false; entries.len()];
    for class in &matched.classes {
        class.entries.iter().for_each(|&at| paths[at as usize] += class.paths);
        for decision in reading.deciding(&class.entries) {
            // What an exclusion takes out is taken on purpose.
            let is_excluded = decision.entry.excludes;
            let of_section = |at: &&u32| entries[**at as usize].section == decision.entry.section;
            for &at in class.entries.iter().filter(of_section) {
                is_deciding[at as usize] |= is_excluded || std::ptr::eq(&entries[at as usize], decision.entry);
            }
        }
    }
    let mut found = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if paths[at] == 0 || is_deciding[at] {
            continue;
        }
        let later: Vec<usize> = (at + 1..entries.len())
            .filter(|&other| entries[other].section == entry.section && !entries[other].excludes)
            .collect();
        let covering = later.iter().find(|&&other| covers(&entries[other], entry));
        let (by, extent) = match covering {
            Some(&other) => (Some(other), Extent::Pattern),
            None => {
                let classes = || matched.of_entry(at as u32);
                let is_everywhere =
                    |other: &usize| classes().all(|class| class.entries.binary_search(&(*other as u32)).is_ok());
                let everywhere: BTreeSet<usize> = later.into_iter().filter(is_everywhere).collect();
                let wider = everywhere.iter().find(|other| paths[**other] > paths[at]);
                match (wider, everywhere.first()) {
                    (Some(&other), _) => (Some(other), Extent::Wider),
                    (None, Some(&other)) => (Some(other), Extent::Same),
                    (None, None) => (None, Extent::Parts),
                }
            }
        };
        found.push(Overridden { entry, by: by.map(|other| &entries[other]), extent });
    }
    found
}

/// Whether one line matches whatever another one matches.
pub fn covers(wide: &Entry, narrow: &Entry) -> bool {
    match (&wide.matcher, &narrow.matcher) {
        (Matcher::Segments(wide), Matcher::Segments(narrow)) => wide.covers(narrow),
        _ => false,
    }
}
