//! Files that no kustomization lists, although one lists their neighbours: what stands in them is not delivered.
//!
//! They are patches, templates for new files, or files somebody forgot.

use super::app::App;
use super::source::Tool;
use super::source::directory::Filter;
use crate::formats::kustomize::Field;
use crate::formats::{Kind, Resource};
use crate::repo::{Found, Repo};
use crate::text::{FileId, RepoPath, RootId};
use std::collections::HashSet;

/// What the kustomizations of a snapshot list.
#[derive(Debug, Default)]
pub struct Listed {
    files: HashSet<FileId>,
    /// The folders that listed files stand in.
    folders: HashSet<(RootId, RepoPath)>,
}

impl Listed {
    /// The listed files of a snapshot.
    pub fn new(repo: &Repo) -> Listed {
        let mut listed = Listed::default();
        for (file, document) in repo.documents(Kind::Kustomization) {
            let (Resource::Kustomization(kustomization), Some(folder)) =
                (&document.resource, file.source.path.parent())
            else {
                continue;
            };
            for reference in &kustomization.references {
                if !matches!(reference.field, Field::Resources | Field::Bases | Field::Components) {
                    continue;
                }
                let found = folder.join(&reference.path.value).map(|path| repo.find(file.source.root, &path));
                if let Ok(Found::File(id)) = found {
                    listed.files.insert(id);
                    listed.folders.extend(repo.entry(id).path.parent().map(|folder| (file.source.root, folder)));
                }
            }
        }
        listed
    }

    /// Whether a file is left out: its neighbours are listed, and no directory source of an app takes it either.
    pub fn leaves_out(&self, file: FileId, apps: &[App], repo: &Repo) -> bool {
        let entry = repo.entry(file);
        let has_listed_neighbours =
            entry.path.parent().is_some_and(|folder| self.folders.contains(&(entry.root, folder)));
        !self.files.contains(&file)
            && has_listed_neighbours
            && !apps.iter().any(|app| takes(app, entry.root, &entry.path))
    }
}

/// Whether a directory source of an app takes a file for a manifest.
fn takes(app: &App, root: RootId, path: &RepoPath) -> bool {
    app.sources.iter().any(|source| {
        let inside = source.folder().filter(|(of, _)| *of == root).and_then(|(_, folder)| path.relative_to(folder));
        source.tool == Some(Tool::Directory) && inside.is_some_and(|path| Filter::of(&source.written).selects(path))
    })
}
