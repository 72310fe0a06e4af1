//! Which documents are one part of an object: patches, bases that an overlay completes, expectations of tests.
//!
//! Such a document lacks required fields on purpose. Where it cannot be told, a document counts as partial.

use crate::formats::kustomize::{Field, Kustomization, PatchContent};
use crate::formats::{DocId, Document, Kind, Resource};
use crate::repo::{File, Found, Repo};
use crate::text::{FileId, RepoPath, RootId};
use crate::yaml::Node;
use std::collections::BTreeSet;

/// The files whose documents are partial.
#[derive(Debug, Default)]
pub struct Partial {
    files: BTreeSet<FileId>,
}

impl Partial {
    /// The partial files of a snapshot.
    pub fn new(repo: &Repo) -> Partial {
        let mut partial = Partial::default();
        for file in repo.files() {
            if is_expectation(&file.source.path) || is_set_aside(&file.source.path) || has_directive(file) {
                partial.files.insert(file.source.id);
            }
        }
        for (file, document) in repo.documents(Kind::Kustomization) {
            let Resource::Kustomization(kustomization) = &document.resource else { continue };
            let Some(folder) = file.source.path.parent() else { continue };
            partial.add_patches(repo, file.source.root, &folder, kustomization);
            if changes_objects(kustomization) {
                partial.add_tree(repo, file.source.root, folder);
            }
        }
        partial.add_patched_by_flux(repo);
        partial
    }

    /// Whether a document is only a part of an object, or may be.
    pub fn contains(&self, document: DocId) -> bool {
        self.files.contains(&document.file)
    }

    fn add_patches(&mut self, repo: &Repo, root: RootId, folder: &RepoPath, kustomization: &Kustomization) {
        for patch in &kustomization.patches {
            if let PatchContent::File(path) = &patch.content
                && let Some(Found::File(id)) = folder.join(&path.value).ok().map(|path| repo.find(root, &path))
            {
                self.files.insert(id);
            }
        }
    }

    /// Everything that a kustomization builds from files, bases included.
    fn add_tree(&mut self, repo: &Repo, root: RootId, folder: RepoPath) {
        let mut seen = BTreeSet::from([folder.clone()]);
        let mut waiting = vec![folder];
        while let Some(folder) = waiting.pop() {
            let Some(kustomization) = kustomization_in(repo, root, &folder) else { continue };
            for reference in kustomization.references.iter().filter(|reference| is_built(reference.field)) {
                let Ok(path) = folder.join(&reference.path.value) else { continue };
                match repo.find(root, &path) {
                    Found::File(id) => drop(self.files.insert(id)),
                    Found::Folder(path) if seen.insert(path.clone()) => waiting.push(path),
                    _ => {}
                }
            }
        }
    }

    /// What Flux Kustomizations with patches deliver. One that is itself partial may get its patches where it is built.
    fn add_patched_by_flux(&mut self, repo: &Repo) {
        let mut others: Vec<(&File, &Document)> =
            repo.documents(Kind::Manifest).filter(|(_, doc)| is_flux(doc)).collect();
        loop {
            let (patched, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|(file, document)| {
                self.contains(document.id) || document.node(&file.tree).at(&["spec", "patches"]).is_some()
            });
            if patched.is_empty() {
                return;
            }
            others = rest;
            for (file, document) in patched {
                let path = document.node(&file.tree).at(&["spec", "path"]).and_then(Node::as_str).unwrap_or("");
                for folder in folders(repo, file.source.root, path) {
                    let below = repo.below(file.source.root, &folder);
                    self.files.extend(below.iter().filter_map(|entry| Some(entry.file.as_ref()?.source.id)));
                    self.add_tree(repo, file.source.root, folder);
                }
            }
        }
    }
}

/// The folders that a Flux path may mean: an artifact may hold only a part of the repository, so that its paths start
/// further down.
fn folders(repo: &Repo, root: RootId, path: &str) -> BTreeSet<RepoPath> {
    let Ok(folder) = RepoPath::new(path) else { return BTreeSet::new() };
    if repo.is_folder(root, &folder) {
        return BTreeSet::from([folder]);
    }
    let inside = format!("/{folder}/");
    let starts = repo.below(root, &RepoPath::root()).iter().filter_map(|entry| {
        let at = entry.path.as_str().find(&inside)?;
        RepoPath::new(&entry.path.as_str()[..at + inside.len()]).ok()
    });
    starts.collect()
}

/// Whether a document is a Flux Kustomization.
fn is_flux(document: &Document) -> bool {
    matches!(&document.resource, Resource::Manifest(manifest)
        if manifest.group() == "kustomize.toolkit.fluxcd.io" && *manifest.kind.value == *"Kustomization")
}

fn is_built(field: Field) -> bool {
    matches!(field, Field::Resources | Field::Bases | Field::Components)
}

/// Whether a kustomization may complete what it builds: by itself, or by a component.
fn changes_objects(kustomization: &Kustomization) -> bool {
    let has_components = kustomization.references.iter().any(|reference| reference.field == Field::Components);
    kustomization.is_component
        || has_components
        || !kustomization.patches.is_empty()
        || !kustomization.opaque_changes.is_empty()
}

fn kustomization_in<'r>(repo: &'r Repo, root: RootId, folder: &RepoPath) -> Option<&'r Kustomization> {
    let names = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
    let id = names.iter().find_map(|name| repo.listed(root, &folder.join(name).ok()?))?;
    repo.file(id)?.documents.iter().find_map(|document| match &document.resource {
        Resource::Kustomization(kustomization) => Some(&**kustomization),
        _ => None,
    })
}

/// Whether a file says what a test expects of an object (chainsaw, kuttl), not the whole object.
fn is_expectation(path: &RepoPath) -> bool {
    let stem = path.name().rsplit_once('.').map_or(path.name(), |(stem, _)| stem);
    let words = ["assert", "asserts", "error", "errors", "expected"];
    stem.rsplit(['-', '_', '.']).next().is_some_and(|word| words.contains(&word))
}

/// Whether a file lies in a hidden folder, such as `.archive`: nothing delivers what is there.
fn is_set_aside(path: &RepoPath) -> bool {
    path.segments().any(|segment| segment.starts_with('.'))
}

/// Whether a document of the file is a strategic merge patch by its own words.
fn has_directive(file: &File) -> bool {
    memchr::memmem::find(file.source.text.as_bytes(), b"$patch").is_some()
}
