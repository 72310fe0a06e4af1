//! What the roots deploy: one shape for every unit of delivery.
//!
//! The fleet joins what the formats keep apart: Applications with their projects, sources with the folders and files
//! they mean, destinations with clusters, names with environments. It simulates; it does not judge. What cannot be
//! known from the roots stays an unknown with its reason.

pub mod app;
pub mod built;
pub mod clusters;
pub mod destination;
pub mod environment;
pub mod expand;
mod listed;
pub mod literal;
pub mod partial;
pub mod plain;
pub mod projects;
pub mod source;

pub use app::{App, AppId, Controller, Origin};
pub use built::Built;
pub use environment::Environments;
pub use partial::Partial;
pub use projects::Projects;
pub use source::{Meaning, Source, SourcePath, ValueFile};

use crate::formats::{DocId, Kind, Resource};
use crate::repo::Repo;
use crate::value::{Unknown, Why};
use listed::Listed;
use literal::is_placeholder;

/// Everything the roots deploy.
#[derive(Debug, Default)]
pub struct Fleet {
    /// What is deployed as it is written, in order of path and place.
    pub apps: Vec<App>,
    /// Argo CD's objects as they reach the cluster, and what was noticed when they were built.
    pub built: Built,
    /// Applications that are not deployed as they are written: patches and what is patched, templates for new files,
    /// files that a kustomization leaves out. No rule judges them.
    pub set_aside: Vec<App>,
    /// The projects that the roots declare.
    pub projects: Projects,
    /// Which documents are parts of objects.
    pub partial: Partial,
    /// What is known about environments.
    pub environments: Environments,
    /// What could not be decided, in order of path and place.
    pub undecided: Vec<Undecided>,
}

/// One thing that no rule could judge, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undecided {
    /// What was left open: `source path`, `generator git files`.
    pub what: &'static str,
    /// Where, and why.
    pub unknown: Unknown,
}

/// What the fleet needs to know from the configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of environments in promotion order; empty when not configured.
    pub environments: Vec<String>,
    /// Which of them are production; empty when not configured.
    pub production: Vec<String>,
}

impl Fleet {
    /// The fleet of a snapshot.
    pub fn new(repo: &Repo, options: &Options) -> Fleet {
        let mut partial = Partial::new(repo);
        let built = Built::new(repo, &mut partial);
        let mut fleet = Fleet {
            projects: Projects::new(repo, &built),
            partial,
            environments: Environments::new(options),
            ..Fleet::default()
        };
        for object in built.objects(Kind::Application) {
            let Resource::Application(application) = object.resource(repo) else { continue };
            let id = AppId(fleet.apps.len() as u32);
            fleet.apps.push(App::declared(id, application, object.origin(), repo));
        }
        fleet.built = built;
        fleet.set_aside_unsettled(repo);
        fleet.note_undecided();
        fleet
    }

    /// Whether a document is only a part of an object, or may be: a patch, or a base that something else completes.
    pub fn is_partial(&self, document: DocId) -> bool {
        self.partial.contains(document)
    }

    /// Sets aside what is not deployed as it is written.
    fn set_aside_unsettled(&mut self, repo: &Repo) {
        let listed = Listed::new(repo);
        let is_settled = |app: &App| {
            let is_named = app.metadata.name.as_ref().is_none_or(|name| !name.as_str().is_some_and(is_placeholder));
            let is_built = matches!(app.origin, Origin::Declared { through: Some(_), .. });
            let is_whole = is_built || !self.partial.contains(app.document());
            is_named && is_whole && !listed.leaves_out(app.document().file, &self.apps, repo)
        };
        let settled: Vec<bool> = self.apps.iter().map(is_settled).collect();
        for (app, is_settled) in std::mem::take(&mut self.apps).into_iter().zip(settled) {
            let list = if is_settled { &mut self.apps } else { &mut self.set_aside };
            let id = AppId(list.len() as u32);
            list.push(App { id, ..app });
        }
    }

    /// Lists what is not known of the sources, once for every place.
    fn note_undecided(&mut self) {
        let sources = self.apps.iter().flat_map(|app| &app.sources);
        let found =
            sources.flat_map(Source::undecided).map(|(what, unknown)| Undecided { what, unknown: unknown.clone() });
        self.undecided.extend(found);
        let why = || Why::Runtime("more objects and patches than are followed".into());
        let unfinished = self.built.unfinished.iter();
        self.undecided
            .extend(unfinished.map(|&span| Undecided { what: "kustomization", unknown: Unknown { why: why(), span } }));
        let key = |undecided: &Undecided| (undecided.unknown.span, undecided.what, undecided.unknown.why.clone());
        self.undecided.sort_by_cached_key(key);
        self.undecided.dedup();
    }

    /// One app.
    pub fn app(&self, id: AppId) -> &App {
        &self.apps[id.0 as usize]
    }
}
