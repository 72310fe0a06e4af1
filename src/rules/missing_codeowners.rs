//! A repository that deploys something says who must review it.

use super::{Check, Context, Findings};
use crate::fleet::owners::RootOwners;
use crate::formats::codeowners::{FILE_NAME, Forge};
use crate::repo::Repo;
use crate::text::{FileId, RepoPath, RootId, Span};

pub const CHECK: Check = Check::fleet(check);

/// Where the finding stands, if there is such a file: the file itself is what is missing.
const PLACES: [&str; 2] = [".plimsoll.yaml", "README.md"];

fn check(cx: &Context<'_>, out: &mut Findings) {
    let owners = &cx.fleet.owners;
    // Many repositories do well without one; whether this one may is for its team to say.
    if !owners.policy.is_configured {
        return;
    }
    for root in owners.roots.iter().filter(|root| root.is_without(cx.repo) && !has_misspelt(root, cx.repo)) {
        if !deploys(root.root, cx) {
            continue;
        }
        let Some(place) = place(root.root, cx.repo) else { continue };
        let location = root.forges.first().map_or(FILE_NAME, |forge| preferred(*forge));
        out.at(Span::whole(place), "this repository has no CODEOWNERS file")
            .help(format!("add `{location}` with a line `* @owner`, and one for what only some may change"));
    }
}

/// Whether something is deployed from a root, or declared in it.
fn deploys(root: RootId, cx: &Context<'_>) -> bool {
    cx.fleet.apps.iter().any(|app| {
        cx.repo.entry(app.document().file).root == root || app.sources.iter().any(|source| source.root == Some(root))
    })
}

/// Whether a file lacks only the right letters: another rule says so.
fn has_misspelt(root: &RootOwners, repo: &Repo) -> bool {
    !root.misspelt(repo).is_empty()
}

fn place(root: RootId, repo: &Repo) -> Option<FileId> {
    let named = PLACES.iter().filter_map(|path| repo.listed(root, &RepoPath::new(path).ok()?));
    let first = || repo.below(root, &RepoPath::root()).first().and_then(|entry| repo.listed(root, &entry.path));
    named.chain(std::iter::once_with(first).flatten()).next()
}

/// Where most repositories of a forge have it.
fn preferred(forge: Forge) -> &'static str {
    match forge {
        Forge::GitHub | Forge::Bitbucket => forge.locations()[0],
        Forge::GitLab | Forge::Gitea => FILE_NAME,
    }
}
