//! An ApplicationSet must generate something.

use super::{Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::Set;
use crate::fleet::expand::{GitUse, ItemUse};
use crate::formats::argo::ApplicationSet;
use crate::near;
use crate::value::Text;

pub const CHECK: Check = Check::fleet(check);

/// Generators that are named.
const NAMED: usize = 3;

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        let resource = set.resource(cx.fleet, cx.repo);
        if set.yields_nothing(resource, cx.repo) {
            report(set, resource, cx, out);
        }
    }
}

fn report(set: &Set, resource: &ApplicationSet, cx: &Context<'_>, out: &mut Findings) {
    let effect = match resource.applications_sync.as_ref().map(Text::as_str) {
        Some(Some("create-only" | "create-update")) => "those it generated before stay",
        Some(None) => "what it generated before may be deleted",
        _ if resource.preserves_resources => "those it generated before are deleted, not what they deployed",
        _ => "those it generated before are deleted",
    };
    let span = resource.metadata.name.as_ref().map_or(resource.span, Text::span);
    let finding = out.at(span, format!("generates no Application: {effect}"));
    let items: Vec<(&GitUse, &ItemUse)> =
        set.uses.git.iter().flat_map(|git| git.idle().map(move |item| (git, item))).take(NAMED).collect();
    for (git, item) in &items {
        let Some(pattern) = item.patterns.first() else { continue };
        finding.label(item.span, format!("no {} matches `{pattern}`", git.matching.what()));
    }
    for entry in set.entries.iter().take(NAMED).filter(|_| items.is_empty()) {
        finding.label(entry.span, "yields nothing");
    }
    let advice = items.iter().find_map(|(git, item)| {
        let near = |pattern: &String| near::meant(Some(cx.fleet), cx.repo, git.root, git.matching, pattern);
        Some(item.patterns.iter().find_map(near)?.advice(item.patterns.len() == 1, git.matching.what()))
    });
    finding.help(advice.unwrap_or_else(|| "correct its generators, or remove it".to_owned()));
    finding.subject = resource.metadata.name.as_ref().and_then(Text::as_str).map(|name| Subject(name.to_owned()));
}
