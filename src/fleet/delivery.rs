//! What is delivered together, and so certainly meets in one cluster.
//!
//! Two folders of one repository may belong to two instances of Argo CD. Of two documents it is certain only when they
//! stand in one file, when one kustomization builds both, or when one directory source of an app holds both.

use super::app::{App, AppId, Origin};
use super::{Fleet, plain};
use crate::formats::DocId;
use crate::repo::Repo;
use crate::text::FileId;
use std::collections::{BTreeMap, BTreeSet};

/// Which apps deliver which files as they are.
#[derive(Debug)]
pub struct Deliveries {
    by_file: BTreeMap<FileId, BTreeSet<AppId>>,
}

impl Deliveries {
    /// The deliveries of all apps.
    pub fn new(fleet: &Fleet, repo: &Repo) -> Deliveries {
        let mut by_file: BTreeMap<FileId, BTreeSet<AppId>> = BTreeMap::new();
        for app in &fleet.apps {
            let files = app.sources.iter().filter_map(|source| plain::manifests(source, repo)).flatten();
            for file in files {
                by_file.entry(file.source.id).or_default().insert(app.id);
            }
        }
        Deliveries { by_file }
    }

    /// Whether two apps, or the sets that generate them, are certainly delivered to one cluster.
    pub fn are_together(&self, one: &App, other: &App) -> bool {
        match (through(one), through(other)) {
            (Some(one), Some(other)) => one == other,
            (None, None) => {
                let (one, other) = (one.document().file, other.document().file);
                one == other || self.of(one).any(|app| self.of(other).any(|it| it == app))
            }
            _ => false,
        }
    }

    /// The apps that deliver a file as it is.
    pub fn of(&self, file: FileId) -> impl Iterator<Item = AppId> {
        self.by_file.get(&file).into_iter().flatten().copied()
    }
}

fn through(app: &App) -> Option<DocId> {
    let (Origin::Declared { through, .. } | Origin::Generated { through, .. }) = &app.origin;
    *through
}
