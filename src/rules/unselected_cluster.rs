//! A cluster with a folder of its own must be selected by somebody.

use super::{App, Check, Context, Findings};
use crate::fleet::clusters::Cluster;
use crate::fleet::expand::select::Selection;
use crate::fleet::expand::{ClustersUse, Provenance};
use crate::fleet::{Set, SourcePath};
use crate::lang::selector::{Operator, Values};
use crate::text::{RepoPath, RootId};
use crate::value::Why;
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    // What is not known may deliver the folder.
    if !cx.fleet.knows_all_apps() {
        return;
    }
    for set in &cx.fleet.sets {
        // With one generator it is clear which one misses the cluster.
        let [used] = set.uses.clusters.as_slice() else { continue };
        if used.taken == 0 {
            continue;
        }
        let places = places(set, cx);
        for cluster in cx.fleet.clusters.known.iter().filter(|cluster| lacks_label(cluster, used)) {
            let Ok(name) = &cluster.name else { continue };
            let own = places.iter().filter_map(|place| Some((place.root, place.of(name)?)));
            let mut idle = own.filter(|(root, own)| cx.repo.is_folder(*root, own) && !may_be_delivered(*root, own, cx));
            let Some((root, own)) = idle.next() else { continue };
            let path = cx.repo.path_seen_from(used.span, root, &own);
            let finding = out.at(used.span, format!("`{path}` is delivered nowhere: `{name}` is not selected"));
            if let Some(document) = cluster.document {
                finding.label(cx.repo.document(document).1.span, "this cluster lacks a label that is selected");
            }
            finding.help("label the cluster, or remove the folder");
        }
    }
}

/// Where folders lie that are named after clusters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'f> {
    root: RootId,
    before: &'f str,
    after: &'f str,
}

impl Place<'_> {
    /// The folder of a cluster.
    fn of(&self, cluster: &str) -> Option<RepoPath> {
        RepoPath::new(&format!("{}{cluster}{}", self.before, self.after)).ok()
    }
}

/// The places where the set's apps find the folder of their cluster.
fn places<'f>(set: &Set, cx: &Context<'f>) -> BTreeSet<Place<'f>> {
    let mut places = BTreeSet::new();
    for app in &cx.fleet.apps[set.apps.clone()] {
        for cluster in clusters_of(app, cx) {
            let folders = app.sources.iter().filter_map(|source| source.folder());
            places.extend(folders.filter_map(|(root, folder)| {
                let (before, after) = around(folder.as_str(), cluster)?;
                Some(Place { root, before, after })
            }));
        }
    }
    places
}

/// The names of the clusters that an app was made from.
fn clusters_of<'f>(app: &'f App, cx: &Context<'f>) -> impl Iterator<Item = &'f str> {
    let clusters = &cx.fleet.clusters.known;
    app.parameters_from().iter().filter_map(|from| match from {
        Provenance::Cluster(document) => {
            clusters.iter().find(|cluster| cluster.document == Some(*document))?.name.as_deref().ok()
        }
        Provenance::NamedCluster(name) => Some(name.as_str()),
        _ => None,
    })
}

/// What stands around the one segment of a path that is this name.
fn around<'p>(path: &'p str, name: &str) -> Option<(&'p str, &'p str)> {
    let mut found = path.match_indices(name).filter(|(at, _)| {
        let (before, after) = (&path[..*at], &path[at + name.len()..]);
        (before.is_empty() || before.ends_with('/')) && (after.is_empty() || after.starts_with('/'))
    });
    let (at, _) = found.next().filter(|_| !name.is_empty())?;
    found.next().is_none().then(|| (&path[..at], &path[at + name.len()..]))
}

/// Whether a cluster is left out because a label is not there at all: another value is there on purpose.
fn lacks_label(cluster: &Cluster, used: &ClustersUse) -> bool {
    let [selector] = used.selectors.as_slice() else { return false };
    let Ok(selection) = Selection::new(selector, Values::OfLabels) else { return false };
    selection.selector.requirements().iter().any(|requirement| {
        let is_wanted = matches!(requirement.operator(), Operator::In | Operator::Exists);
        is_wanted && !cluster.labels.contains_key(requirement.key())
    })
}

/// Whether some app delivers the folder, a part of it or what is around it, or may do so.
fn may_be_delivered(root: RootId, folder: &RepoPath, cx: &Context<'_>) -> bool {
    cx.fleet.apps.iter().flat_map(|app| &app.sources).any(|source| match (&source.path, source.folder()) {
        (SourcePath::Unknown(unknown), _) => !matches!(unknown.why, Why::Repository(_)),
        (_, Some((of, path))) => of == root && (path.is_within(folder) || folder.is_within(path)),
        _ => false,
    })
}
