//! Whether a path looks like what a pattern takes elsewhere.

use crate::formats::kustomize::Kustomization;
use crate::repo::Repo;
use crate::text::{FileId, RepoPath, RootId};
use std::collections::BTreeSet;

/// Names of folders for what is not in use: what lies there is left alone on purpose.
const SET_ASIDE: &[&str] = &[
    "archive",
    "archived",
    "archives",
    "attic",
    "backup",
    "backups",
    "bak",
    "deprecated",
    "disabled",
    "doc",
    "docs",
    "draft",
    "drafts",
    "example",
    "examples",
    "fixtures",
    "inactive",
    "legacy",
    "obsolete",
    "old",
    "retired",
    "sample",
    "samples",
    "scaffold",
    "scaffolds",
    "skeleton",
    "solutions",
    "template",
    "templates",
    "testdata",
    "tests",
    "trash",
    "unused",
    "wip",
];

/// Whether a path lies where nobody expects it to be delivered: in a hidden folder, or in one for what is not in use.
pub fn is_set_aside(path: &RepoPath) -> bool {
    path.segments().any(|segment| {
        let is_word = |word: &str| SET_ASIDE.contains(&word.to_ascii_lowercase().as_str());
        segment.starts_with(['.', '_']) || segment.split(['-', '_', '.']).any(is_word)
    })
}

/// Whether a file holds at least half of the keys that another one has.
pub fn holds_the_keys_of(file: FileId, other: FileId, repo: &Repo) -> bool {
    let (keys, others) = (keys(file, repo), keys(other, repo));
    let shared = keys.intersection(&others).count();
    shared > 0 && 2 * shared >= others.len()
}

fn keys(file: FileId, repo: &Repo) -> BTreeSet<String> {
    let Some(file) = repo.file(file) else { return BTreeSet::new() };
    let root = file.tree.documents().first().and_then(|document| file.tree.root(document));
    let first = root.and_then(|root| root.items().next()).or(root);
    first.into_iter().flat_map(|root| root.pairs()).filter_map(|pair| Some(pair.key.as_str()?.to_owned())).collect()
}

/// Whether a folder holds what another one does: the file that names its tool, or a manifest of the same name.
pub fn holds_what(folder: &RepoPath, other: &RepoPath, root: RootId, repo: &Repo) -> bool {
    let names = |folder: &RepoPath| -> BTreeSet<&str> {
        repo.children(root, folder).into_iter().filter(|child| !child.is_folder).map(|child| child.name).collect()
    };
    let (names, others) = (names(folder), names(other));
    let is_tool = |name: &&&str| **name == "Chart.yaml" || Kustomization::is_file_name(name);
    match others.iter().find(is_tool) {
        Some(tool) => names.contains(tool),
        None => names.intersection(&others).any(|name| name.ends_with(".yaml") || name.ends_with(".yml")),
    }
}
