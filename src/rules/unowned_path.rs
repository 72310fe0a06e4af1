//! Every path has an owner, unless a line of CODEOWNERS takes ownership away.

use super::{Check, Context, Findings};
use crate::fleet::owners::{Policy, RootOwners, Unowned, unowned};
use crate::repo::{Entry, Repo};
use crate::text::{RepoPath, Span};
use std::collections::BTreeMap;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for root in &cx.fleet.owners.roots {
        let (folders, files): (Vec<Unowned>, Vec<Unowned>) = found(root, cx).into_iter().partition(|one| one.is_folder);
        for folder in folders {
            let name = if folder.path.is_root() { "this repository" } else { &format!("`{}`", folder.path) };
            let message = match folder.files {
                1 => format!("the only file in {name} has no owner"),
                files => format!("none of the {files} files in {name} has an owner"),
            };
            out.at(Span::whole(folder.first), message).help(help(&format!("/{}/", folder.path), &folder.path));
        }
        let mut by_folder: BTreeMap<RepoPath, Vec<Unowned>> = BTreeMap::new();
        for file in files {
            by_folder.entry(file.path.parent().unwrap_or_else(RepoPath::root)).or_default().push(file);
        }
        for (folder, files) in by_folder {
            let (first, more) = (&files[0], files.len() - 1);
            let message = match more {
                0 => format!("`{}` has no owner", first.path),
                more => format!("`{}` and {more} more beside it have no owner", first.path),
            };
            out.at(Span::whole(first.first), message).help(help(&format!("/{}", first.path), &folder));
        }
    }
}

fn found(root: &RootOwners, cx: &Context<'_>) -> Vec<Unowned> {
    let policy = &cx.fleet.owners.policy;
    let is_wanted = |entry: &Entry| is_wanted(entry, policy, cx.repo);
    root.agreed(
        |reading| if reading.owners.entries.is_empty() { Vec::new() } else { unowned(reading, cx.repo, is_wanted) },
    )
}

fn is_wanted(entry: &Entry, policy: &Policy, repo: &Repo) -> bool {
    policy.coverage.as_ref().is_none_or(|coverage| coverage.has(&policy.path(repo, entry)))
}

fn help(pattern: &str, folder: &RepoPath) -> String {
    let pattern = if folder.is_root() { "*" } else { pattern };
    format!("add a line for `{}`, or one without owners if nobody needs to review it", pattern.replace(' ', "\\ "))
}
