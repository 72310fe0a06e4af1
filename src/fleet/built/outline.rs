//! What one kustomization builds, whatever kind the objects are of, and what it reads for that.

use super::build::{Build, Builder, Folder, files_of, kustomization};
use super::failure::Failure;
use super::item::Id;
use crate::repo::{Found, Repo};
use crate::text::limits::BUILD_STEPS;
use crate::text::{FileId, Span};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What one kustomization builds.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The objects, in order; without the hashes that generated ones get in the end.
    pub objects: Vec<Id>,
    /// Every file that it reads, sorted.
    pub reads: BTreeSet<FileId>,
    /// Why kustomize refuses to build it, as far as it is noticed, in the order in which it would notice; the place is
    /// that of the entry.
    pub failures: Vec<(Failure, Span)>,
    /// Whether it has objects that are not known.
    pub is_open: bool,
}

/// What the kustomization in a folder builds.
pub fn outline(repo: &Repo, folder: &Folder) -> Outline {
    let place = files_of(repo, folder).next().map_or_else(Span::default, Span::whole);
    let mut builder = Builder::new(repo, BUILD_STEPS);
    builder.is_thorough = true;
    let build = builder.build(folder, place);
    Outline {
        objects: build.items.iter().map(|item| item.id.clone()).collect(),
        reads: reads(repo, folder),
        failures: build.failures.clone(),
        is_open: build.is_open,
    }
}

/// What kustomizations build, with the content of all objects. All that are asked for share one limit on the work.
pub struct Contents<'r> {
    builder: Builder<'r>,
}

impl<'r> Contents<'r> {
    /// Of the kustomizations of a snapshot; nothing is built before it is asked for.
    pub fn new(repo: &'r Repo) -> Contents<'r> {
        let mut builder = Builder::new(repo, BUILD_STEPS);
        builder.is_thorough = true;
        Contents { builder }
    }

    /// What the kustomization in a folder builds; `None` when it is not wholly known.
    pub fn build(&mut self, folder: &Folder) -> Option<Arc<Build>> {
        let build = self.builder.build(folder, Span::default());
        Some(build).filter(|build| !build.is_cut && build.failures.is_empty())
    }
}

/// Every file that the kustomization in a folder reads, and those that it uses.
fn reads(repo: &Repo, folder: &Folder) -> BTreeSet<FileId> {
    let mut files = BTreeSet::new();
    let mut seen = BTreeSet::from([folder.clone()]);
    let mut waiting = vec![folder.clone()];
    while let Some(folder) = waiting.pop() {
        files.extend(files_of(repo, &folder));
        let Some((_, kustomization)) = kustomization(repo, &folder) else { continue };
        for reference in kustomization.references.iter().filter(|reference| !reference.is_remote()) {
            let Ok(path) = folder.1.join(&reference.path.value) else { continue };
            match repo.find(folder.0, &path) {
                Found::File(id) => drop(files.insert(id)),
                Found::Folder(path) if reference.field.takes_folders() => {
                    let inner = (folder.0, path);
                    if seen.insert(inner.clone()) {
                        waiting.push(inner);
                    }
                }
                _ => {}
            }
        }
    }
    files
}
