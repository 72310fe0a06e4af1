//! A pattern must be written in the language of its engine.

use super::{Check, Context, Findings};
use crate::fleet::expand::{Fault, GitUse, ItemUse, Matching};
use crate::fleet::{Set, Source};
use crate::repo::Repo;
use crate::text::RepoPath;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        for git in &set.uses.git {
            for item in &git.items {
                match item.fault(git) {
                    // Another run could find a folder with braces in its name.
                    Some((_, Fault::Braces)) if git.is_open => {}
                    Some((pattern, fault)) => report(item, pattern, fault, git, out),
                    None if git.is_open => {}
                    None => report_stars(item, &misses_of_stars(item, git, set, cx), cx.repo, git, out),
                }
            }
        }
    }
}

/// The folders that `**` misses. At the end of a pattern that matches something only those count that lie in what an
/// app delivers, which does not look into folders itself.
fn misses_of_stars(item: &ItemUse, git: &GitUse, set: &Set, cx: &Context<'_>) -> Vec<RepoPath> {
    let mut missed = item.misses_of_stars(git, &cx.fleet.folders, cx.repo);
    if !item.exclude && item.matched > 0 && item.patterns.iter().all(|pattern| pattern.ends_with("/**")) {
        let sources = || cx.fleet.apps[set.apps.clone()].iter().flat_map(|app| &app.sources);
        let recurses = |source: &Source| source.written.directory.as_ref().is_some_and(|directory| directory.recurse);
        missed.retain(|missed| {
            let holds = |source: &&Source| source.folder().is_some_and(|(_, folder)| missed.is_within(folder));
            sources().any(|source| holds(&source) && !recurses(source))
        });
    }
    missed
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
        (Fault::Hidden, _) => {
            "rename the folder; a repo server that includes it is configured by `include-hidden-directories`".to_owned()
        }
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
