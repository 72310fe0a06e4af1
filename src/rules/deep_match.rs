//! In patterns of files `*` crosses `/`, unless the controller uses the new globbing.

use super::{Check, Context, Findings};
use crate::fleet::expand::{GitUse, ItemUse, Matching};
use crate::lang::glob::doublestar;
use crate::repo::{Entry, Repo};
use crate::text::{RepoPath, Span};

pub const CHECK: Check = Check::fleet(check);

/// Paths that are named.
const NAMED: usize = 3;

fn check(cx: &Context<'_>, out: &mut Findings) {
    let uses = cx.fleet.sets.iter().flat_map(|set| &set.uses.git);
    for git in uses.filter(|git| git.matching == Matching::Pathspec) {
        for item in git.items.iter().filter(|item| !item.exclude && item.matched > 1) {
            for pattern in &item.patterns {
                check_pattern(pattern, item, git, cx.repo, out);
            }
        }
    }
}

/// Reports the files that a pattern takes at more than one depth, when it says one.
fn check_pattern(pattern: &str, item: &ItemUse, git: &GitUse, repo: &Repo, out: &mut Findings) {
    // `**` asks for any depth, magic says itself what a star is, and a folder has all that is below it.
    let says_depth = !pattern.contains("**") && !pattern.starts_with(':') && doublestar::has_meta(pattern);
    let (Ok(matcher), Ok(strict)) = (git.matching.compile(pattern), doublestar::Pattern::new(pattern)) else { return };
    if !says_depth {
        return;
    }
    let all = repo.below(git.root, &RepoPath::root()).iter();
    let taken = all.filter(|entry| matcher.matches(entry.path.as_str()) && git.takes(entry.path.as_str()));
    let (expected, deeper): (Vec<&Entry>, Vec<&Entry>) =
        taken.partition(|entry| strict.matches_file(entry.path.as_str()));
    // All of them deeper: somebody knows it.
    let (false, Some(first)) = (expected.is_empty(), deeper.first()) else { return };
    let path = repo.path_seen_from(item.span, git.root, &first.path);
    let message = match deeper.len() {
        1 => format!("`*` crosses `/` here: the pattern also matches `{path}`"),
        count => format!("`*` crosses `/` here: the pattern also matches `{path}` and {} more", count - 1),
    };
    let finding = out.at(item.span, message);
    for entry in deeper.iter().take(NAMED) {
        if let Some(file) = repo.listed(git.root, &entry.path) {
            finding.label(Span::whole(file), "lies deeper than the pattern has segments");
        }
    }
    finding.help(match exclude(pattern, &expected, &deeper) {
        Some(exclude) => format!("exclude `{exclude}`, or give the deeper files another name"),
        None => "exclude the deeper files, or give them another name".to_owned(),
    });
}

/// A pattern that matches all that lies deeper, and nothing else.
fn exclude(pattern: &str, expected: &[&Entry], deeper: &[&Entry]) -> Option<String> {
    let exclude = pattern.replacen('*', "*/*", 1);
    let matcher = Matching::Pathspec.compile(&exclude).ok()?;
    let matches = |entry: &&Entry| matcher.matches(entry.path.as_str());
    (deeper.iter().all(matches) && !expected.iter().any(matches)).then_some(exclude)
}
