//! The store that an ExternalSecret names must be declared, where stores are.

use super::{Check, Context, Findings};
use crate::formats::{DocId, Kind, Kinds, Resource};
use crate::repo::{File, FileState, Repo};
use crate::text::{Span, is_placeholder, similar};
use crate::yaml::Node;
use std::collections::{BTreeMap, BTreeSet};

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

const GROUP: &str = "external-secrets.io";
const STORES: [&str; 2] = ["SecretStore", "ClusterSecretStore"];

/// References that are met before one that is not counts as a slip.
const OTHERS: usize = 3;

/// A reference to a store.
struct Reference<'r> {
    document: DocId,
    kind: &'r str,
    /// Where the kind is written, if it is.
    kind_span: Option<Span>,
    name: &'r str,
    name_span: Span,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    let mut references = Vec::new();
    let mut stores: BTreeMap<&str, BTreeMap<&str, Span>> = BTreeMap::new();
    for (file, document) in cx.repo.documents(Kind::Manifest) {
        let Resource::Manifest(manifest) = &document.resource else { continue };
        if manifest.group() != GROUP {
            continue;
        }
        let root = document.node(&file.tree);
        if let Some(kind) = STORES.into_iter().find(|kind| *kind == &*manifest.kind.value) {
            let Some(name) = manifest.name.as_ref().filter(|name| !is_placeholder(&name.value)) else { return };
            stores.entry(kind).or_default().insert(&name.value, name.span);
        } else if !cx.fleet.is_partial(document.id) {
            references_of(root, document.id, &mut references);
        }
    }
    if references.is_empty() || stores.is_empty() || makes_stores(cx.repo) {
        return;
    }
    let declares = |kind: &str, name: &str| stores.get(kind).is_some_and(|names| names.contains_key(name));
    for reference in &references {
        if declares(reference.kind, reference.name) {
            continue;
        }
        let other = STORES.into_iter().find(|kind| *kind != reference.kind).unwrap_or_default();
        if let Some(store) = stores.get(other).and_then(|names| names.get(reference.name)) {
            let Reference { name, kind, .. } = reference;
            let finding = out.at(
                reference.kind_span.unwrap_or(reference.name_span),
                format!("store `{name}` is a {other}, and this is about a {kind}"),
            );
            finding.label(*store, "declared here").help(format!("write `kind: {other}`"));
            continue;
        }
        let names = stores.get(reference.kind).into_iter().flat_map(BTreeMap::keys).copied();
        // A prefix or a suffix may be one that a kustomization adds.
        let is_grown = |name: &&str| reference.name.starts_with(*name) || reference.name.ends_with(*name);
        let near = similar::near(reference.name, names.filter(|name| !is_grown(name)));
        if near.is_empty() && !is_alone(reference, &references, declares) {
            continue;
        }
        let finding = out.at(reference.name_span, format!("{} `{}` is not declared", reference.kind, reference.name));
        match near.first() {
            Some(near) => finding.help(format!("write `{}`, or declare it", near.word)),
            None => finding.help("declare it, or name one that is"),
        };
        if let Some(span) = near.first().and_then(|near| stores.get(reference.kind)?.get(near.word)) {
            finding.label(*span, "this one is");
        }
    }
}

/// Whether only one document refers to a store that is not declared, while several refer to ones that are.
fn is_alone(reference: &Reference<'_>, all: &[Reference<'_>], declares: impl Fn(&str, &str) -> bool) -> bool {
    let same_kind = || all.iter().filter(|other| other.kind == reference.kind);
    let met: BTreeSet<DocId> =
        same_kind().filter(|other| declares(other.kind, other.name)).map(|other| other.document).collect();
    let is_missing = |other: &&Reference<'_>| !declares(other.kind, other.name);
    let missing: BTreeSet<DocId> = same_kind().filter(is_missing).map(|other| other.document).collect();
    met.len() >= OTHERS && missing.len() == 1
}

/// The stores that an ExternalSecret, a ClusterExternalSecret or a PushSecret refers to.
fn references_of<'r>(root: Node<'r>, document: DocId, found: &mut Vec<Reference<'r>>) {
    let Some(spec) = root.get("spec") else { return };
    let spec = spec.get("externalSecretSpec").unwrap_or(spec);
    let entries = ["data", "dataFrom"].into_iter().filter_map(|key| spec.get(key)).flat_map(Node::items);
    let places = spec
        .get("secretStoreRef")
        .into_iter()
        .chain(spec.get("secretStoreRefs").into_iter().flat_map(Node::items))
        .chain(entries.filter_map(|entry| entry.at(&["sourceRef", "storeRef"])));
    for place in places {
        let Some(name) = place.get("name").filter(|name| name.as_str().is_some_and(|name| !name.is_empty())) else {
            continue;
        };
        let text = name.as_str().unwrap_or_default();
        let kind = place.get("kind");
        let kind_text = kind.and_then(Node::as_str).unwrap_or(STORES[0]);
        if is_placeholder(text) || !STORES.contains(&kind_text) {
            continue;
        }
        let (kind_span, name_span) = (kind.map(|kind| kind.span()), name.span());
        found.push(Reference { document, kind: kind_text, kind_span, name: text, name_span });
    }
}

/// Whether stores may be made of what is not read: templates of charts, values with manifests in them, remote parts.
fn makes_stores(repo: &Repo) -> bool {
    let holds_others = |file: &File| {
        let is_opaque = |file: &File| file.documents.iter().any(|document| document.kind() == Kind::Opaque);
        (file.state != FileState::Read || is_opaque(file))
            && file.source.mentions("SecretStore")
            && STORES.iter().any(|kind| file.source.mentions(&format!("kind: {kind}\n")))
            && file.source.mentions("provider")
    };
    repo.files().any(holds_others)
}
