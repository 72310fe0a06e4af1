//! Which documents are one part of an object: patches, bases that an overlay completes, expectations of tests.
//!
//! Such a document lacks required fields on purpose. Where it cannot be told, a document counts as partial.

use super::built::{Folder, Source};
use super::generated::Workers;
use crate::formats::kustomize::{Field, Kustomization};
use crate::formats::{DocId, Document, Kind, Resource};
use crate::repo::{File, Found, Repo};
use crate::text::{FileId, RepoPath, RootId};
use crate::yaml::Node;
use std::collections::BTreeSet;

/// The documents that are partial.
#[derive(Debug, Default)]
pub struct Partial {
    /// Files of which every document is.
    files: BTreeSet<FileId>,
    /// Documents that some kustomization changes.
    changed: BTreeSet<DocId>,
    /// Documents that are no objects at all, but changes to some.
    fragments: BTreeSet<DocId>,
}

impl Partial {
    /// What is partial by its own words, by its place, or by what kustomizations and Flux say of it. What
    /// kustomizations change is added when they are built.
    pub fn new(repo: &Repo, workers: &impl Workers) -> Partial {
        let mut partial = Partial::default();
        // What holds no document is no part of an object. The texts are searched once: they are many.
        let files: Vec<&File> = repo.files().filter(|file| !file.documents.is_empty()).collect();
        let has_directive = workers.map(&files, |file| has_directive(file));
        let directed = files.iter().zip(has_directive).filter(|(_, is_directed)| *is_directed);
        let directed: BTreeSet<FileId> = directed.map(|(file, _)| file.source.id).collect();
        for file in files {
            if is_expectation(&file.source.path) || is_set_aside(&file.source.path) {
                partial.files.insert(file.source.id);
            }
        }
        partial.files.extend(&directed);
        partial.add_fragments(&directed, repo);
        partial.add_patched_by_flux(repo);
        partial
    }

    /// Whether a document is only a part of an object, or may be.
    pub fn contains(&self, document: DocId) -> bool {
        self.files.contains(&document.file) || self.changed.contains(&document) || self.fragments.contains(&document)
    }

    /// Whether a document is no object at all, but a change to one: a patch.
    pub fn is_fragment(&self, document: DocId) -> bool {
        self.fragments.contains(&document)
    }

    /// Adds the document of an object that some build changes.
    pub fn add_changed(&mut self, source: Source) {
        if let Source::Document(document) = source {
            self.changed.insert(document);
        }
    }

    /// Adds the resources of Components that no build takes in: what would complete them is not here.
    pub fn add_unused_components(&mut self, all: &[(Folder, &Kustomization)], used: &BTreeSet<Folder>, repo: &Repo) {
        let unused = all.iter().filter(|(folder, kustomization)| kustomization.is_component && !used.contains(folder));
        for (folder, kustomization) in unused {
            for reference in kustomization.paths(Field::Resources) {
                let found = file_at(folder.0, &folder.1, &reference.path.value, repo);
                self.files.extend(found.map(|file| file.source.id));
            }
        }
    }

    /// Adds patches: files that kustomizations name as such, else what looks like one.
    /// `directed` are the files that say so themselves.
    fn add_fragments(&mut self, directed: &BTreeSet<FileId>, repo: &Repo) {
        let mut resources = BTreeSet::new();
        for (file, document) in repo.documents(Kind::Kustomization) {
            let Resource::Kustomization(kustomization) = &document.resource else { continue };
            let folder = file.source.path.parent().unwrap_or_else(RepoPath::root);
            for reference in kustomization.references.iter().filter(|reference| !reference.is_remote()) {
                let Some(found) = file_at(file.source.root, &folder, &reference.path.value, repo) else { continue };
                if reference.field.is_patch() {
                    self.fragments.extend(found.documents.iter().map(|document| document.id));
                } else if matches!(reference.field, Field::Resources | Field::Bases) {
                    resources.insert(found.source.id);
                }
            }
        }
        for file in repo.files().filter(|file| !resources.contains(&file.source.id)) {
            let is_named = is_named_patch(&file.source.path) || directed.contains(&file.source.id);
            let fragments = file.documents.iter().filter(|document| is_named || is_fragment(file, document));
            self.fragments.extend(fragments.map(|document| document.id));
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

    /// Everything that a kustomization builds from files, bases included.
    fn add_tree(&mut self, repo: &Repo, root: RootId, folder: RepoPath) {
        let mut seen = BTreeSet::from([folder.clone()]);
        let mut waiting = vec![folder];
        while let Some(folder) = waiting.pop() {
            let Some((_, kustomization)) = super::built::kustomization(repo, &(root, folder.clone())) else { continue };
            let is_built = |field| matches!(field, Field::Resources | Field::Bases | Field::Components);
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
}

fn file_at<'r>(root: RootId, folder: &RepoPath, path: &str, repo: &'r Repo) -> Option<&'r File> {
    match repo.find(root, &folder.join(path).ok()?) {
        Found::File(id) => repo.file(id),
        _ => None,
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

/// Whether a file is called a patch, or lies in a folder of patches.
fn is_named_patch(path: &RepoPath) -> bool {
    let is_word = |word: &str| matches!(word, "patch" | "patches");
    let mut segments = path.segments();
    let name = segments.next_back().unwrap_or_default();
    name.split(['-', '_', '.']).any(is_word) || segments.any(is_word)
}

/// Whether a document of the file is a strategic merge patch by its own words.
fn has_directive(file: &File) -> bool {
    file.source.mentions("$patch")
}

/// Whether a document is a fragment by what it holds: operations, or an object of Argo CD without any content.
fn is_fragment(file: &File, document: &Document) -> bool {
    let node = document.node(&file.tree);
    match document.kind() {
        Kind::Opaque => {
            let mut items = node.items().peekable();
            items.peek().is_some() && items.all(|item| item.get("op").is_some() && item.get("path").is_some())
        }
        Kind::Application | Kind::ApplicationSet | Kind::AppProject => node.get("spec").is_none(),
        _ => false,
    }
}
