//! An object must be of a version that clusters serve.

use super::{Check, Context, Findings};
use crate::finding::Fix;
use crate::formats::api::{self, End, Step};
use crate::formats::{Document, Kind, Kinds, Resource};
use crate::yaml::{Node, edit};

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(cx: &Context<'_>, out: &mut Findings) {
    for file in cx.repo.files() {
        for document in &file.documents {
            check_document(document, document.node(&file.tree), cx, out);
        }
    }
}

fn check_document(document: &Document, root: Node<'_>, cx: &Context<'_>, out: &mut Findings) {
    let Resource::Manifest(manifest) = &document.resource else { return };
    let (api_version, kind) = (&*manifest.api_version.value, &*manifest.kind.value);
    let (group, version) = api::split(api_version);
    let Some(end) = api::find(group, version, kind).and_then(|api| api.end.as_ref()) else { return };
    let node = root.get("apiVersion").expect("its text was read");
    let state = if end.is_removed { "not served" } else { "deprecated" };
    let since = match end.since {
        "" => " any more".repeat(usize::from(end.is_removed)),
        release => format!(" since {release}"),
    };
    let finding = out.at(node.span(), format!("`{kind}` in `{api_version}` is {state}{since}"));
    let changed = match &end.step {
        Step::Rewrite => None,
        Step::Rename(fields) => Some(fields.iter().find(|field| has(root, field))),
    };
    finding.help(match changed {
        _ if end.instead.is_empty() => "remove it: there is no version to move to".to_owned(),
        Some(Some(field)) => format!("rewrite `{field}` and move to {}", successor(end)),
        Some(None) => format!("write {}", successor(end)),
        None => format!("move to {}; its fields may differ", successor(end)),
    });
    // A patch and its base must change together, and one of them may be elsewhere.
    if changed == Some(None) && !cx.fleet.partial.contains(document.id) && !node.is_alias() {
        finding.fix(Fix::safe(format!("write `{}`", end.instead), vec![edit::replace_scalar(node, end.instead)]));
    }
}

fn successor(end: &End) -> String {
    match end.instead_kind {
        Some(kind) => format!("`{kind}` in `{}`", end.instead),
        None => format!("`{}`", end.instead),
    }
}

fn has(root: Node<'_>, path: &str) -> bool {
    let keys: Vec<&str> = path.split('.').collect();
    root.at(&keys).is_some_and(|node| !node.is_null())
}
