//! Plain directories: the files that Argo CD takes as manifests where no tool renders a source.

use super::source::directory::Filter;
use super::source::{Source, Tool};
use crate::repo::{File, Found, Repo};

/// The text that makes Argo CD skip a whole file.
const SKIP: &str = "+argocd:skip-file-rendering";

/// The files that a source delivers as they are, in order of path; `None` when a tool renders it or it cannot be told.
/// Files that could not be read are left out.
pub fn manifests<'r>(source: &Source, repo: &'r Repo) -> Option<Vec<&'r File>> {
    let (root, folder) = source.folder().filter(|_| source.tool == Some(Tool::Directory))?;
    let filter = Filter::of(&source.written);
    let taken = repo
        .below(root, folder)
        .iter()
        .filter(|entry| entry.path.relative_to(folder).is_some_and(|path| filter.selects(path)));
    let files = taken.filter_map(|entry| match repo.find(root, &entry.path) {
        Found::File(id) => repo.file(id),
        _ => None,
    });
    Some(files.filter(|file| !file.source.mentions(SKIP)).collect())
}
