//! A pattern of a git generator must match something.

use super::{Check, Context, Findings};
use crate::fleet::Set;
use crate::fleet::expand::{GitUse, ItemUse, Matching};
use crate::near::{self, Meant};
use crate::repo::Repo;
use crate::text::{FileId, RepoPath, RootId, Span};
use std::collections::BTreeMap;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    // Sets that are copies of each other look for the same, and looking around takes a while.
    let mut known: BTreeMap<(RootId, bool, &str), Option<Meant>> = BTreeMap::new();
    // Where all of a set is empty by it, `empty-set` tells.
    let speaks = |set: &&Set| !set.yields_nothing(set.resource(cx.fleet, cx.repo), cx.repo);
    for git in cx.fleet.sets.iter().filter(speaks).flat_map(|set| &set.uses.git).filter(|git| !git.is_open) {
        for item in git.idle() {
            // What can never match, `dead-pattern` tells.
            if item.fault(git).is_some()
                || !item.misses_of_stars(git, &cx.fleet.folders, cx.repo).is_empty()
                || has_variant(item, git)
            {
                continue;
            }
            let mut near = |pattern| {
                let meant = known.entry((git.root, git.matching == Matching::Folders, pattern));
                meant.or_insert_with(|| near::meant(Some(cx.fleet), cx.repo, git.root, git.matching, pattern)).clone()
            };
            let meant = item.patterns.iter().find_map(|pattern| near(pattern.as_str()));
            let is_sure = meant.as_ref().is_some_and(|meant| meant.slip.is_sure());
            if is_sure || !item.is_kept_empty(git, cx.repo) {
                report(item, git, meant.as_ref(), cx.repo, out);
            }
        }
    }
}

fn report(item: &ItemUse, git: &GitUse, meant: Option<&Meant>, repo: &Repo, out: &mut Findings) {
    let Some(pattern) = item.patterns.first() else { return };
    let what = git.matching.what();
    let finding = match item.patterns.len() {
        1 => out.at(item.span, format!("no {what} matches `{pattern}`")),
        _ => out.at(item.span, format!("no {what} matches `{pattern}`, or what else this is filled with")),
    };
    let Some(meant) = meant else {
        finding.help(format!("correct the pattern, or remove it until there is such a {what}"));
        return;
    };
    if let Some(file) = first_file(repo, git.root, &meant.path) {
        let path = repo.path_seen_from(item.span, git.root, &meant.path);
        finding.label(Span::whole(file), format!("`{path}` {}", meant.difference));
    }
    finding.help(meant.advice(item.patterns.len() == 1, what));
}

/// The file itself, or the first one in the folder.
fn first_file(repo: &Repo, root: RootId, path: &RepoPath) -> Option<FileId> {
    let inside = || repo.below(root, path).first().and_then(|entry| repo.listed(root, &entry.path));
    repo.listed(root, path).or_else(inside)
}

/// Whether another item takes the same files under another extension: then one of the two is often without a match.
fn has_variant(item: &ItemUse, git: &GitUse) -> bool {
    let stems = |item: &ItemUse| -> Vec<String> {
        item.patterns.iter().filter_map(|pattern| Some(pattern.rsplit_once('.')?.0.to_owned())).collect()
    };
    let others = || git.items.iter().filter(|other| !other.exclude && other.matched > 0);
    git.matching != Matching::Folders && others().any(|other| stems(other) == stems(item))
}
