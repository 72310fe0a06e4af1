//! Which lines match which paths. Paths that the same lines match are one class, and there are few classes.

use super::Decision;
use crate::formats::codeowners::{Entry, Forge, Matcher};
use crate::lang::glob::segments::{Pattern, Set};
use crate::lang::template::pattern::PatternSet;
use crate::repo;
use crate::text::limits::OWNER_STEPS;
use rustc_hash::FxHashMap;

/// The classes of the paths of a root.
#[derive(Debug)]
pub struct Matched {
    /// In the order of their first paths.
    pub classes: Vec<Class>,
    /// The class of each path, in the order of the root's paths.
    pub of_path: Vec<u32>,
    /// How many paths each entry matches.
    pub paths_of: Vec<usize>,
}

/// Paths that the same lines match.
#[derive(Debug)]
pub struct Class {
    /// The lines, in order; indices of entries.
    pub entries: Vec<u32>,
    /// How many paths there are.
    pub paths: usize,
    /// The first of them: its place among the root's paths.
    pub first: usize,
}

/// Whether somebody owns a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ownership {
    /// Somebody does.
    Owned,
    /// Somebody does, but the section asks for no approval.
    Optional,
    /// A line takes ownership away on purpose.
    TakenAway,
    /// No line matches.
    Unmatched,
    /// The line that decides is in doubt.
    Doubtful,
}

impl Ownership {
    /// What the deciding lines mean together.
    pub fn of(forge: Forge, decisions: &[Decision<'_>]) -> Ownership {
        if decisions.is_empty() {
            return Ownership::Unmatched;
        }
        if decisions.iter().any(|decision| decision.entry.is_doubtful) {
            return Ownership::Doubtful;
        }
        let owning = || decisions.iter().filter(|one| !one.entry.excludes && !one.entry.owners.is_empty());
        match (owning().next(), forge) {
            (None, _) => Ownership::TakenAway,
            (Some(_), Forge::GitLab) if owning().all(|one| one.section.is_optional) => Ownership::Optional,
            (Some(_), _) => Ownership::Owned,
        }
    }
}

impl Matched {
    /// Matches all entries of a file with all paths of a root; `None` when that takes more steps than are allowed.
    pub(super) fn new(entries: &[Entry], paths: &[repo::Entry]) -> Option<Matched> {
        let mut matched =
            Matched { classes: Vec::new(), of_path: Vec::with_capacity(paths.len()), paths_of: vec![0; entries.len()] };
        let mut known: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut add = |found: &[u32], first: usize| {
            let class = known.get(found).copied().unwrap_or_else(|| {
                let class = matched.classes.len() as u32;
                known.insert(found.into(), class);
                matched.classes.push(Class { entries: found.to_vec(), paths: 0, first });
                class
            });
            matched.classes[class as usize].paths += 1;
            matched.of_path.push(class);
            found.iter().for_each(|&entry| matched.paths_of[entry as usize] += 1);
        };
        let texts = || paths.iter().map(|entry| entry.path.as_str());
        let segments: Option<Vec<&Pattern>> = entries
            .iter()
            .map(|entry| if let Matcher::Segments(pattern) = &entry.matcher { Some(pattern) } else { None })
            .collect();
        let mut at = 0;
        if let Some(patterns) = segments {
            let each = |found: &[u32]| {
                add(found, at);
                at += 1;
            };
            Set::new(patterns).each(texts(), OWNER_STEPS, each).ok()?;
            return Some(matched);
        }
        if entries.len().saturating_mul(paths.len()) > OWNER_STEPS {
            return None;
        }
        let together = together(entries);
        for (at, path) in texts().enumerate() {
            let found: Vec<u32> = match &together {
                Some((set, negated)) => {
                    let mut is_matched = negated.clone();
                    set.matches(path).for_each(|at| is_matched[at] = !negated[at]);
                    is_matched.iter().zip(0..).filter(|(is_matched, _)| **is_matched).map(|(_, at)| at).collect()
                }
                None => entries.iter().zip(0..).filter(|(entry, _)| entry.matches(path)).map(|(_, at)| at).collect(),
            };
            add(&found, at);
        }
        Some(matched)
    }
}

/// All regular expressions as one set, and which of them are negated; `None` when they are too large together.
fn together(entries: &[Entry]) -> Option<(PatternSet, Vec<bool>)> {
    let expressions = entries.iter().map(|entry| match &entry.matcher {
        Matcher::Regexp { text, negated, .. } => Some((text.as_str(), *negated)),
        Matcher::Segments(_) => None,
    });
    let expressions: Vec<(&str, bool)> = expressions.collect::<Option<_>>()?;
    let set = PatternSet::compile(expressions.iter().map(|(text, _)| *text))?;
    Some((set, expressions.into_iter().map(|(_, negated)| negated).collect()))
}
