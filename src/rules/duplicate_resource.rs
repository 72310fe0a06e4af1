//! One delivery may hold an object once.

use super::{Check, Context, Findings};
use crate::fleet::built::{Collision, Source, Type};
use crate::fleet::{App, plain};
use crate::formats::{DocId, Document};
use crate::repo::{File, Repo};
use crate::text::Span;
use std::collections::{BTreeMap, BTreeSet};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    // Sorted by entry: a folder that is used twice brings all its objects twice.
    for collisions in cx.fleet.built.collisions.chunk_by(|a, b| (a.entry, a.first_entry) == (b.entry, b.first_entry)) {
        in_kustomization(collisions, cx.repo, out);
    }
    let mut reported = BTreeSet::new();
    for app in &cx.fleet.apps {
        in_directories(app, cx.repo, &mut reported, out);
    }
}

/// Kustomize refuses a second object of one identity.
fn in_kustomization(collisions: &[Collision], repo: &Repo, out: &mut Findings) {
    let Some(collision) = collisions.first() else { return };
    let name = collision.id.name.as_deref().unwrap_or_default();
    let more = match collisions.len() - 1 {
        0 => "is".to_owned(),
        1 => "and one more object are".to_owned(),
        more => format!("and {more} more objects are"),
    };
    let found =
        out.at(collision.entry, format!("{} `{name}` {more} in this kustomization already", collision.id.of.kind));
    if collision.first_entry != collision.entry {
        found.label(collision.first_entry, "first added by this entry");
    }
    let mut places = vec![place(collision.first, repo), place(collision.source, repo)];
    places.dedup();
    for place in places.into_iter().filter(|place| *place != collision.entry && *place != collision.first_entry) {
        found.label(place, "declared here");
    }
    found.help("list it once, or let a namespace or a prefix tell the two apart: kustomize refuses to build both");
}

fn place(source: Source, repo: &Repo) -> Span {
    match source {
        Source::Document(id) => {
            let (file, document) = repo.document(id);
            name_span(file, document)
        }
        Source::Generated(span) => span,
    }
}

fn name_span(file: &File, document: &Document) -> Span {
    let node = document.node(&file.tree);
    node.at(&["metadata", "name"]).map_or(document.span, |name| name.span())
}

/// Of two objects of one identity in a plain directory Argo CD delivers the last one.
fn in_directories(app: &App, repo: &Repo, reported: &mut BTreeSet<DocId>, out: &mut Findings) {
    let namespace = app.spec.destination.as_ref().and_then(|destination| destination.namespace.as_ref()?.as_str());
    for source in &app.sources {
        let mut present: BTreeMap<(String, String, String, String), (DocId, Span)> = BTreeMap::new();
        for file in plain::manifests(source, repo).unwrap_or_default() {
            for document in &file.documents {
                let Some(key) = identity(file, document, namespace) else { continue };
                let span = name_span(file, document);
                if let Some((_, first)) = present.get(&key).filter(|(id, _)| *id != document.id)
                    && reported.insert(document.id)
                {
                    out.at(span, format!("{} `{}` is declared in this folder twice; the last one wins", key.1, key.3))
                        .label(*first, "never delivered")
                        .help("remove one of them, or give them different names");
                }
                present.insert(key, (document.id, span));
            }
        }
    }
}

/// Group, kind, namespace and name, as Argo CD compares them; the destination's namespace where none is written.
fn identity(file: &File, document: &Document, namespace: Option<&str>) -> Option<(String, String, String, String)> {
    let node = document.node(&file.tree);
    let text = |path: &[&str]| node.at(path).and_then(|node| node.as_str()).filter(|text| !text.is_empty());
    let name = text(&["metadata", "name"])?;
    let of = Type::new(text(&["apiVersion"])?, text(&["kind"])?);
    let namespace = match text(&["metadata", "namespace"]) {
        _ if of.is_cluster_scoped() => "",
        Some(written) => written,
        None => namespace.unwrap_or_default(),
    };
    Some((of.group.into(), of.kind.into(), namespace.to_owned(), name.to_owned()))
}
