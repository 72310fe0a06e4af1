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

/// Of the objects of one identity in a plain directory Argo CD delivers the last one.
fn in_directories(app: &App, repo: &Repo, reported: &mut BTreeSet<DocId>, out: &mut Findings) {
    let namespace = app.spec.destination.as_ref().and_then(|destination| destination.namespace.as_ref()?.as_str());
    for source in &app.sources {
        let mut last: BTreeMap<Identity, (DocId, Span)> = BTreeMap::new();
        let mut lost: Vec<(Identity, DocId, Span)> = Vec::new();
        for file in plain::manifests(source, repo).unwrap_or_default() {
            for document in &file.documents {
                let Some(identity) = identity(file, document, namespace) else { continue };
                let earlier = last.insert(identity.clone(), (document.id, name_span(file, document)));
                lost.extend(earlier.filter(|(id, _)| *id != document.id).map(|(id, span)| (identity, id, span)));
            }
        }
        for (identity, id, span) in lost {
            if reported.insert(id) {
                out.at(span, format!("{} `{}` is never delivered: a later one replaces it", identity.1, identity.3))
                    .label(last[&identity].1, "the last one in the folder wins")
                    .help("remove one of them, or give them different names");
            }
        }
    }
}

/// Group, kind, namespace and name.
type Identity = (String, String, String, String);

/// The identity by which Argo CD compares; the destination's namespace where none is written.
fn identity(file: &File, document: &Document, namespace: Option<&str>) -> Option<Identity> {
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
