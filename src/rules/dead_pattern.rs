//! A pattern must be written in the language of its engine.

use super::{Check, Context, Findings};
use crate::fleet::expand::{Fault, GitUse, ItemUse, Matching};
use crate::repo::Repo;
use crate::text::RepoPath;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for git in cx.fleet.sets.iter().flat_map(|set| &set.uses.git) {
        for item in &git.items {
            match item.fault(git) {
                // Another run could find a folder with braces in its name.
                Some((_, Fault::Braces)) if git.is_open => {}
                Some((pattern, fault)) => report(item, pattern, fault, git, out),
                None if git.is_open => {}
                None => report_stars(item, &item.misses_of_stars(git, cx.repo), cx.repo, git, out),
            }
        }
    }
}

fn report(item: &ItemUse, pattern: &str, fault: Fault, git: &GitUse, out: &mut Findings) {
    let effect = if item.exclude { "excludes nothing" } else { "never matches" };
    let what = if git.matching == Matching::Folders { "folders" } else { "files" };
    let message = match fault {
        Fault::Root => format!("`{pattern}` {effect}: the root is not among the folders"),
        Fault::LeadingSlash => format!("`{pattern}` {effect}: paths of folders begin without `/`"),
        Fault::TrailingSlash => format!("`{pattern}` {effect}: paths of folders end without `/`"),
        Fault::Dots => format!("`{pattern}` {effect}: paths of folders have no `.`, `..` or empty segment"),
        Fault::Hidden => format!("`{pattern}` {effect}: folders that begin with a dot are left out"),
        Fault::Broken(why) => format!("`{pattern}` is skipped, it is broken: {why}"),
        Fault::Negation => format!("`!` does not negate in patterns of folders, as in `{pattern}`"),
        Fault::Braces => format!("`{pattern}` {effect}: braces are plain letters in patterns of {what}"),
    };
    let mended: Vec<String> = fault.mended(pattern).iter().map(|pattern| format!("`{pattern}`")).collect();
    let help = match (fault, mended.as_slice()) {
        (Fault::Hidden, _) => "rename the folder, or let the repo server include hidden directories".to_owned(),
        (Fault::Root, _) => "write `*` for the folders in the root".to_owned(),
        (Fault::Broken(_), _) => "correct the pattern".to_owned(),
        (_, []) => "correct the pattern".to_owned(),
        (_, [one]) => format!("write {one}"),
        (_, several) => format!("write one item for each: {}", several.join(", ")),
    };
    out.at(item.span, message).help(help);
}

fn report_stars(item: &ItemUse, missed: &[RepoPath], repo: &Repo, git: &GitUse, out: &mut Findings) {
    let Some(first) = missed.first() else { return };
    let effect = if item.exclude { "does not exclude" } else { "does not match" };
    let path = repo.path_seen_from(item.span, git.root, first);
    out.at(item.span, format!("`**` is one segment in patterns of folders: it {effect} `{path}`"))
        .help("write one item for each depth, with a `*` for each segment");
}
