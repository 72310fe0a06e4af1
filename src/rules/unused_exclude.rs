//! An exclude must exclude something.

use super::{Check, Context, Findings};
use crate::fleet::expand::{Folders, GitUse, Matching};
use crate::near;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for git in cx.fleet.sets.iter().flat_map(|set| &set.uses.git).filter(|git| !git.is_open) {
        // Where nothing is matched, nothing can be excluded; that is another mistake.
        if !git.items.iter().any(|item| !item.exclude && item.matched > 0) {
            continue;
        }
        for item in git.items.iter().filter(|item| item.exclude && item.matched == 0 && !item.is_cut) {
            let is_told =
                item.fault(git).is_some() || !item.misses_of_stars(git, &cx.fleet.folders, cx.repo).is_empty();
            if let ([pattern], false) = (item.patterns.as_slice(), is_told) {
                let finding = out.at(item.span, format!("`{pattern}` excludes nothing that this generator matches"));
                finding.help(advice(pattern, git, cx));
            }
        }
    }
}

fn advice(pattern: &str, git: &GitUse, cx: &Context<'_>) -> String {
    let below = format!("{pattern}/*");
    if git.matching == Matching::Folders && takes_some(git, &below, &cx.fleet.folders) {
        return format!("write `{below}`: what is below a folder is not excluded with it");
    }
    let meant = near::meant(None, cx.repo, git.root, git.matching, pattern);
    let taken = meant.filter(|meant| meant.slip.is_sure() && git.taken().contains(meant.path.as_str()));
    match taken.and_then(|meant| meant.pattern) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "remove it, or correct the pattern".to_owned(),
    }
}

/// Whether the generator takes a folder that this pattern matches.
fn takes_some(git: &GitUse, pattern: &str, folders: &Folders) -> bool {
    let Ok(matcher) = git.matching.compile(pattern) else { return false };
    let taken = git.taken();
    folders.in_root(git.root).iter().any(|folder| matcher.matches(folder.as_str()) && taken.contains(folder.as_str()))
}
