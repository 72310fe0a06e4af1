//! From a snapshot to judged findings: load, build the fleet, run the rules, triage.
//!
//! Here meet the pure floors below and the world: files are read, threads run, panics are caught. No judgement lives
//! here; whatever a user can meet is said by a rule.

pub mod config;
pub mod load;
pub mod run;
pub mod settings;
pub mod snapshot;
pub mod triage;

pub use settings::Settings;
pub use snapshot::{Contents, Snapshot, SnapshotRoot};
pub use triage::Judged;

use crate::fleet::Fleet;
use crate::repo::Repo;

/// What a run found.
#[derive(Debug)]
pub struct Report {
    /// Everything that was read.
    pub repo: Repo,
    /// Everything the roots deploy.
    pub fleet: Fleet,
    /// The findings, in order of root, path, start and rule.
    pub findings: Vec<Judged>,
}

/// Checks a snapshot. The result is the same for any number of threads.
pub fn check(snapshot: Snapshot, settings: &Settings) -> Report {
    let repo = load::load(snapshot, settings);
    let fleet = Fleet::new(&repo, &settings.fleet);
    let found = run::run(&repo, &fleet, settings);
    let findings = triage::triage(found, &repo, settings);
    Report { repo, fleet, findings }
}
