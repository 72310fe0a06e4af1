//! A line of CODEOWNERS must decide about some file that it matches.

use super::{Check, Context, Findings};
use crate::fleet::owners::{Extent, Overridden, Reading, overridden};
use crate::formats::codeowners::{Entry, Forge};
use crate::repo::Repo;
use crate::text::Span;
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check);

/// A line, and the one that decides instead.
#[derive(PartialEq)]
struct Shadowed {
    pattern: String,
    span: Span,
    by: String,
    by_span: Span,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    for root in &cx.fleet.owners.roots {
        for line in root.agreed(|reading| shadowed(reading, cx.repo)) {
            let (message, help) = if line.pattern == line.by {
                let message = format!("this line never counts: a later one is for `{}` too", line.pattern);
                (message, "name all owners in one line: those of several lines do not add up")
            } else {
                let message = format!("`{}` never counts: `{}` below it matches the same files", line.pattern, line.by);
                (message, "the last line that matches decides: move this one below it, or remove it")
            };
            out.at(line.span, message).label(line.by_span, "this line decides instead").help(help);
        }
    }
}

/// Lines that a later and wider one makes void. A wide line before narrow ones is a default, whatever is left for it;
/// and nothing is lost where both name the same owners.
fn shadowed(reading: &Reading, repo: &Repo) -> Vec<Shadowed> {
    if reading.forge == Forge::Bitbucket {
        return Vec::new();
    }
    let is_wider = |line: &Overridden<'_>| matches!(line.extent, Extent::Pattern | Extent::Wider);
    let lines = overridden(reading, repo).into_iter().filter(is_wider);
    lines
        .filter_map(|line| Some((line.entry, line.by?)))
        .filter(|(entry, by)| !entry.is_doubtful && !by.is_doubtful && owners(entry) != owners(by))
        .map(|(entry, by)| Shadowed {
            pattern: entry.pattern.value.clone(),
            span: entry.pattern.span,
            by: by.pattern.value.clone(),
            by_span: by.pattern.span,
        })
        .collect()
}

fn owners(entry: &Entry) -> BTreeSet<String> {
    entry.owners.iter().map(|owner| owner.value.to_lowercase()).collect()
}
