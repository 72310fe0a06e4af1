//! A policy of Kyverno may be meant to refuse, and only reports.

use super::{Check, Context, Findings};
use crate::formats::{Kind, Kinds, Resource};
use crate::text::{Span, is_placeholder};
use crate::yaml::Node;

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(cx: &Context<'_>, out: &mut Findings) {
    for (file, document) in cx.repo.documents(Kind::Manifest) {
        let Resource::Manifest(manifest) = &document.resource else { continue };
        let root = document.node(&file.tree);
        let place = match (manifest.group(), &*manifest.kind.value) {
            ("kyverno.io", "ClusterPolicy" | "Policy") => action(root),
            ("policies.kyverno.io", "ValidatingPolicy" | "NamespacedValidatingPolicy" | "ImageValidatingPolicy") => {
                actions(root)
            }
            _ => continue,
        };
        if let Some((place, key)) = place.filter(|_| !cx.fleet.is_partial(document.id)) {
            let word = if key == "validationActions" { "Deny" } else { "Enforce" };
            out.at(place, "this policy reports what breaks it, and lets it in")
                .help(format!("set `{key}` to `{word}` once nothing breaks it"));
        }
    }
}

/// Where a policy says that it only reports, and the key that would change it. Without a word it does.
///
/// Mirrors Kyverno 1.13: rules have actions of their own, the one of the policy holds for the others.
fn action(root: Node<'_>) -> Option<(Span, &'static str)> {
    let spec = root.get("spec")?;
    let overrides = spec.get("validationFailureActionOverrides").into_iter().flat_map(Node::items);
    let of_policy = spec.get("validationFailureAction");
    let (mut judges, mut of_rule) = (false, None);
    for rule in spec.get("rules")?.items() {
        let checks: Vec<Node<'_>> = rule
            .get("validate")
            .into_iter()
            .chain(rule.get("verifyImages").into_iter().flat_map(Node::items))
            .collect();
        judges |= !checks.is_empty();
        for check in checks {
            let own = check.get("failureAction");
            if refuses(own) || check.get("failureActionOverrides").into_iter().flat_map(Node::items).any(is_refusal) {
                return None;
            }
            of_rule = of_rule.or(own);
        }
    }
    if !judges || refuses(of_policy) || overrides.into_iter().any(is_refusal) {
        return None;
    }
    match (of_rule, of_policy) {
        (Some(own), _) => Some((own.span(), "failureAction")),
        (None, Some(policy)) => Some((policy.span(), "validationFailureAction")),
        (None, None) => Some((root.at(&["metadata", "name"])?.span(), "validationFailureAction")),
    }
}

/// Whether an action is one that refuses, or one that is not known.
fn refuses(action: Option<Node<'_>>) -> bool {
    action.is_some_and(|action| {
        action.as_str().is_none_or(|word| !word.eq_ignore_ascii_case("audit") || is_placeholder(word))
    })
}

fn is_refusal(entry: Node<'_>) -> bool {
    refuses(entry.get("action"))
}

/// The same for a policy whose actions are a list; without one it refuses.
fn actions(root: Node<'_>) -> Option<(Span, &'static str)> {
    let actions = root.at(&["spec", "validationActions"])?;
    let is_report = |action: Node<'_>| matches!(action.as_str(), Some("Audit" | "Warn"));
    let is_listed = actions.items().next().is_some();
    (is_listed && actions.items().all(is_report)).then_some((actions.span(), "validationActions"))
}
