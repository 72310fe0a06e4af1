//! A line of CODEOWNERS must be one that the forge reads as it is meant.

use super::{Check, Context, Findings};
use crate::fleet::owners::Reading;
use crate::formats::codeowners::{Entry, Forge, Problem, ProblemKind, is_like_owner};
use crate::lang::glob::segments::github::pattern;
use crate::repo::Repo;
use crate::text::{RepoPath, Span};

pub const CHECK: Check = Check::fleet(check);

/// What is wrong at a place, and what to do.
type Slip = (Span, String, Option<String>);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for root in &cx.fleet.owners.roots {
        for (span, message, help) in root.agreed(|reading| slips(reading, cx.repo)) {
            out.at(span, message).help = help;
        }
    }
}

fn slips(reading: &Reading, repo: &Repo) -> Vec<Slip> {
    let problems = reading.owners.problems.iter().filter(|problem| problem.is_certain);
    let mut slips: Vec<Slip> = problems.map(|problem| of_problem(problem, reading, repo)).collect();
    for (entry, at) in reading.owners.entries.iter().zip(0usize..) {
        let is_void = || reading.matched(repo).is_some_and(|matched| matched.paths_of[at] == 0);
        if entry.pattern.span == entry.span && is_like_owner(&entry.pattern.value) && is_void() {
            slips.push(without_pattern(entry.pattern.span, &entry.pattern.value));
        } else if entry.pattern.value.contains('[') && reading.forge == Forge::GitHub && is_void() {
            slips.extend(range(entry, reading, repo));
        }
    }
    slips
}

fn of_problem(problem: &Problem, reading: &Reading, repo: &Repo) -> Slip {
    let text = repo.file(reading.file).map_or("", |file| file.source.slice(problem.span));
    if problem.kind == ProblemKind::NoOwner && is_like_owner(text) {
        return without_pattern(problem.span, text);
    }
    let help = escaped(problem, reading, repo).or_else(|| problem.help.clone());
    (problem.span, problem.message.clone(), help)
}

fn without_pattern(span: Span, owner: &str) -> Slip {
    let message = format!("`{owner}` stands where the pattern belongs, so this line has no effect");
    (span, message, Some(format!("name the paths first; `* {owner}` is for all of them")))
}

/// A path with a blank, of which only the first word was taken for the pattern.
fn escaped(problem: &Problem, reading: &Reading, repo: &Repo) -> Option<String> {
    let file = &repo.file(reading.file)?.source;
    let range =
        file.lines().range(&file.text, problem.line as usize - 1).filter(|_| problem.kind == ProblemKind::Owner)?;
    let words: Vec<&str> = file.text[range].split_whitespace().collect();
    (2..=words.len()).rev().map(|count| words[..count].join(" ")).find_map(|path| {
        let inside = RepoPath::new(&path).ok()?;
        let is_there = repo.listed(reading.root, &inside).is_some() || repo.is_folder(reading.root, &inside);
        is_there.then(|| format!("escape the blanks of a path: `{}`", path.replace(' ', "\\ ")))
    })
}

/// Brackets that would match something if they were a range.
fn range(entry: &Entry, reading: &Reading, repo: &Repo) -> Option<Slip> {
    let mut relaxed = String::new();
    let mut rest = entry.pattern.value.as_str();
    while let Some((before, after)) = rest.split_once('[') {
        relaxed = relaxed + before + "?";
        rest = after.split_once(']')?.1;
    }
    let meant = pattern(&(relaxed + rest));
    let mut paths = repo.below(reading.root, &RepoPath::root()).iter();
    paths.any(|path| meant.matches(path.path.as_str())).then(|| {
        let message = format!("brackets are no range on GitHub, so `{}` matches no file", entry.pattern.value);
        (entry.pattern.span, message, Some("write a line for each name, or `?` for any one character".to_owned()))
    })
}
