//! In patterns of files `*` crosses `/`, unless the controller uses the new globbing.

use super::{Check, Context, Findings};
use crate::fleet::expand::uses::Taken;
use crate::fleet::expand::{GitUse, ItemUse, Matching};
use crate::lang::glob::doublestar;
use crate::repo::{Entry, Repo};
use crate::text::Span;

pub const CHECK: Check = Check::fleet(check);

/// Paths that are named.
const NAMED: usize = 3;

fn check(cx: &Context<'_>, out: &mut Findings) {
    let uses = cx.fleet.sets.iter().flat_map(|set| &set.uses.git);
    for git in uses.filter(|git| git.matching == Matching::Pathspec) {
        let includes = || git.items.iter().filter(|item| !item.exclude);
        let strict = |pattern: &String| doublestar::Pattern::new(pattern).ok();
        let asked = Asked {
            taken: git.taken(),
            depths: includes().flat_map(|item| &item.patterns).filter_map(strict).collect(),
        };
        for item in includes().filter(|item| item.matched > 1) {
            for pattern in item.patterns.iter().filter(|pattern| says_depth(pattern)) {
                check_pattern(pattern, &asked, item, git, cx.repo, out);
            }
        }
    }
}

/// What a generator takes, and its patterns as they read where `*` stops at `/`.
struct Asked {
    taken: Taken,
    depths: Vec<doublestar::Pattern>,
}

/// Whether a pattern asks for one depth: `**` asks for any, magic says itself what a star is, and a folder has all that
/// is below it.
fn says_depth(pattern: &str) -> bool {
    !pattern.contains("**") && !pattern.starts_with(':') && doublestar::has_meta(pattern)
}

/// Reports files below the depth that a pattern says, when it also takes some there, and no other pattern asks for them.
fn check_pattern(pattern: &str, asked: &Asked, item: &ItemUse, git: &GitUse, repo: &Repo, out: &mut Findings) {
    let (Ok(matcher), Ok(own)) = (git.matching.compile(pattern), doublestar::Pattern::new(pattern)) else { return };
    let files = repo.starting_with(git.root, matcher.literal_prefix()).iter();
    let taken = |entry: &&Entry| matcher.matches(entry.path.as_str()) && asked.taken.contains(entry.path.as_str());
    let (expected, deeper): (Vec<&Entry>, Vec<&Entry>) =
        files.filter(taken).partition(|entry| own.matches_file(entry.path.as_str()));
    let is_surprise = |entry: &&Entry| !asked.depths.iter().any(|depth| depth.matches_file(entry.path.as_str()));
    let deeper: Vec<&Entry> = deeper.into_iter().filter(is_surprise).collect();
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
