//! What the roots deploy: one shape for every unit of delivery.
//!
//! The fleet joins what the formats keep apart: Applications with their projects, sources with the folders and files
//! they mean, destinations with clusters, names with environments. It simulates; it does not judge. What cannot be
//! known from the roots stays an unknown with its reason.

pub mod app;
pub mod built;
pub mod environment;
pub mod partial;
pub mod plain;
pub mod projects;

pub use app::{App, AppId, Controller, Origin, Source};
pub use built::Built;
pub use environment::Environments;
pub use partial::Partial;
pub use projects::Projects;

use crate::formats::{DocId, Kind, Resource};
use crate::repo::Repo;
use crate::value::{Unknown, Why};

/// Everything the roots deploy.
#[derive(Debug, Default)]
pub struct Fleet {
    /// In order of path and place.
    pub apps: Vec<App>,
    /// Argo CD's objects as they reach the cluster, and what was noticed when they were built.
    pub built: Built,
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
        fleet.undecided.extend(built.unfinished.iter().map(|&span| Undecided {
            what: "kustomization",
            unknown: Unknown { why: Why::Runtime("more objects and patches than are followed".into()), span },
        }));
        fleet.built = built;
        fleet
    }

    /// Whether a document is only a part of an object, or may be: a patch, or a base that something else completes.
    pub fn is_partial(&self, document: DocId) -> bool {
        self.partial.contains(document)
    }

    /// One app.
    pub fn app(&self, id: AppId) -> &App {
        &self.apps[id.0 as usize]
    }
}
