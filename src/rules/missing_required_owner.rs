//! Paths have the owners that `policies.codeowners.require` demands.

use super::{Check, Context, Findings};
use crate::fleet::owners::{Ownership, Policy, Reading, Requirement};
use crate::repo::Repo;
use crate::text::{FileId, RepoPath, Span};
use std::collections::BTreeMap;

pub const CHECK: Check = Check::fleet(check);

/// An owner that is missing, where one line, or none, decides.
#[derive(PartialEq)]
struct Missing {
    owner: String,
    /// The pattern of the line that decides, or the whole file when none does.
    span: Span,
    paths: usize,
    first: FileId,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    let policy = &cx.fleet.owners.policy;
    for root in &cx.fleet.owners.roots {
        for one in root.agreed(|reading| missing(reading, policy, cx.repo)) {
            let path = &cx.repo.entry(one.first).path;
            let paths = match one.paths {
                1 => format!("`{path}` lacks"),
                paths => format!("`{path}` and {} more lack", paths - 1),
            };
            let finding = out.at(one.span, format!("{paths} the required owner `{}`", one.owner));
            finding.label(Span::whole(one.first), "required for this path");
            finding.help("name it in the last line that matches, or correct `policies.codeowners.require`");
        }
    }
}

fn missing(reading: &Reading, policy: &Policy, repo: &Repo) -> Vec<Missing> {
    let paths = repo.below(reading.root, &RepoPath::root());
    let (Some(matched), Some(start)) = (reading.matched(repo), paths.first()) else { return Vec::new() };
    let start = repo.listed(start.root, &start.path).map_or(0, |id| id.0);
    let mut found: BTreeMap<(&str, Span), Missing> = BTreeMap::new();
    for requirement in &policy.require {
        let lacking: Vec<Vec<(&str, Span)>> =
            matched.classes.iter().map(|class| lacking(requirement, &class.entries, reading)).collect();
        for ((entry, class), id) in paths.iter().zip(&matched.of_path).zip(start..) {
            let lacking = &lacking[*class as usize];
            if lacking.is_empty() || !requirement.paths.is_match(&*policy.path(repo, entry)) {
                continue;
            }
            for &(owner, span) in lacking {
                let first = FileId(id);
                let new = || Missing { owner: owner.to_owned(), span, paths: 0, first };
                found.entry((owner, span)).or_insert_with(new).paths += 1;
            }
        }
    }
    found.into_values().collect()
}

/// The owners that paths lack which these lines match, and the place where they are missing.
fn lacking<'r>(requirement: &'r Requirement, entries: &[u32], reading: &Reading) -> Vec<(&'r str, Span)> {
    if reading.ownership(entries) == Ownership::Doubtful {
        return Vec::new();
    }
    let decisions = reading.deciding(entries);
    let span = decisions.last().map_or(Span::whole(reading.file), |decision| decision.entry.pattern.span);
    let asked = || decisions.iter().filter(|one| !one.entry.excludes && !one.section.is_optional);
    let is_named =
        |wanted: &str| asked().flat_map(|one| &one.entry.owners).any(|owner| owner.value.eq_ignore_ascii_case(wanted));
    let owners = requirement.owners.iter().map(String::as_str);
    owners.filter(|owner| !is_named(owner)).map(|owner| (owner, span)).collect()
}
