//! An ApplicationSet must generate something.

use super::{Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::Set;
use crate::formats::argo::ApplicationSet;
use crate::formats::argo::generator::{Generator, GeneratorKind};
use crate::repo::Repo;
use crate::value::Text;

pub const CHECK: Check = Check::fleet(check);

/// Generators that are named.
const NAMED: usize = 3;

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        let resource = set.resource(cx.fleet, cx.repo);
        let is_empty = !set.entries.is_empty() && set.entries.iter().all(|entry| entry.sets == 0);
        if is_empty && is_decided(set, resource) && !is_meant(set, resource, cx.repo) {
            report(set, resource, out);
        }
    }
}

/// Whether it is certain that no generator yields anything, and that this is no other mistake.
fn is_decided(set: &Set, resource: &ApplicationSet) -> bool {
    let has_kind = resource.generators.iter().all(|entry| !Generator::read(entry).kinds.is_empty());
    let is_known = |kind: &GeneratorKind| match kind {
        GeneratorKind::Git(git) => git.repo_url.is_some() && !(git.files.is_empty() && git.directories.is_empty()),
        // Fixtures are examples.
        GeneratorKind::Remote(_) => false,
        _ => true,
    };
    set.failures.is_empty()
        && !set.is_undecided
        && !set.uses.git.iter().any(|git| git.is_open)
        && has_kind
        && Generator::all(&resource.generators).iter().all(is_known)
}

/// Whether somebody left it empty: a list without elements, a folder that is kept empty.
fn is_meant(set: &Set, resource: &ApplicationSet, repo: &Repo) -> bool {
    let is_empty_list = |kind: &GeneratorKind| matches!(kind, GeneratorKind::List(list) if list.elements.is_empty() && list.elements_yaml.is_none());
    Generator::all(&resource.generators).iter().any(is_empty_list)
        || set
            .uses
            .git
            .iter()
            .any(|git| git.items.iter().any(|item| item.matched == 0 && item.is_kept_empty(git, repo)))
}

fn report(set: &Set, resource: &ApplicationSet, out: &mut Findings) {
    let effect = match resource.applications_sync.as_ref().map(Text::as_str) {
        Some(Some("create-only" | "create-update")) => "those it generated before stay",
        Some(None) => "what it generated before may be deleted",
        _ if resource.preserves_resources => "those it generated before are deleted, not what they deployed",
        _ => "those it generated before are deleted",
    };
    let span = resource.metadata.name.as_ref().map_or(resource.span, Text::span);
    let finding = out.at(span, format!("generates no Application: {effect}"));
    for entry in set.entries.iter().take(NAMED) {
        finding.label(entry.span, "yields nothing");
    }
    finding.help("correct its generators, or remove it");
    finding.subject = resource.metadata.name.as_ref().and_then(Text::as_str).map(|name| Subject(name.to_owned()));
}
