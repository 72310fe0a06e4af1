//! From a snapshot to judged findings: load, build the fleet, run the rules, triage.
//!
//! Here meet the pure floors below and the world: files are read, threads run, panics are caught. No judgement lives
//! here; whatever a user can meet is said by a rule.

pub mod baseline;
pub mod config;
pub mod git;
pub mod ignored;
pub mod infer;
pub mod inventory;
pub mod load;
pub mod objects;
pub mod open;
pub mod pins;
pub mod presence;
pub mod run;
pub mod settings;
pub mod since;
pub mod snapshot;
pub mod states;
pub mod suppress;
pub mod triage;
pub mod walk;

pub use infer::Inferred;
pub use objects::State;
pub use open::{Opened, Request, open};
pub use settings::{Place, Settings};
pub use since::check_since;
pub use snapshot::{Contents, Snapshot, SnapshotRoot};
pub use triage::Judged;

use crate::finding::{Finding, RuleId, Severity};
use crate::fleet::{Fleet, Undecided};
use crate::repo::{FileState, Repo};
use crate::text::{FileId, Span};
use std::fmt;
use std::time::{Duration, Instant};

/// What a run found.
#[derive(Debug)]
pub struct Report {
    /// Everything that was read.
    pub repo: Repo,
    /// Everything the roots deploy.
    pub fleet: Fleet,
    /// The findings, in order of root, path, start and rule.
    pub findings: Vec<Judged>,
    /// What could not be decided about the paths that were asked for, in order of path and place.
    pub undecided: Vec<Undecided>,
    /// What the tree told about itself.
    pub inferred: Inferred,
    /// The run in numbers.
    pub summary: Summary,
    /// Whether something that is asked for could not be read: no statement about it is complete.
    pub is_incomplete: bool,
    /// How long each step took, in order.
    pub timings: Vec<(&'static str, Duration)>,
}

impl Report {
    /// The path of the file of a place, as people read it.
    pub fn path_of(&self, span: Span) -> String {
        self.repo.display_path(self.repo.entry(span.file))
    }
}

/// A run in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Summary {
    /// Roots that were checked.
    pub roots: usize,
    /// Listed paths.
    pub files: usize,
    /// Documents that were read.
    pub documents: usize,
    /// Apps, declared and generated.
    pub applications: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are worth knowing.
    pub infos: usize,
    /// Findings that comments accept.
    pub suppressed: usize,
    /// Findings that the baseline accepts.
    pub baselined: usize,
    /// Findings with a change on offer.
    pub fixable: usize,
    /// Things that could not be decided.
    pub undecided: usize,
}

impl Summary {
    /// The same, with these findings counted.
    fn of(self, findings: &[Judged]) -> Summary {
        let count = |severity| findings.iter().filter(|judged| judged.severity == severity).count();
        Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            fixable: findings.iter().filter(|judged| judged.finding.fix.is_some()).count(),
            ..self
        }
    }
}

/// What the roots hold and deploy, before anything is judged.
#[derive(Debug)]
pub struct Model {
    /// Everything that was read.
    pub repo: Repo,
    /// Everything the roots deploy.
    pub fleet: Fleet,
    /// What the tree told about itself.
    pub inferred: Inferred,
    /// Where the bytes of each root are.
    pub contents: Vec<Contents>,
    /// Roots that are asked for.
    pub roots: usize,
    /// The paths that the system did not let us read, in order.
    pub refused: Vec<FileId>,
    /// What could not be built: mistakes of ours.
    pub failures: Vec<Finding>,
}

/// Reads a snapshot and builds its fleet, and judges nothing.
pub fn model(snapshot: Snapshot, settings: &Settings) -> Model {
    build(snapshot, settings, &run::Plan::default(), &mut Clock::start())
}

fn build(snapshot: Snapshot, settings: &Settings, plan: &run::Plan<'_>, clock: &mut Clock) -> Model {
    let roots = snapshot.roots.iter().filter(|root| !root.is_settings).count();
    let loaded = load::load(snapshot, plan);
    clock.lap("read");
    let (repo, inferred) = infer::infer(loaded.repo, roots);
    let repo = pins::add(repo, &loaded.contents);
    let mut failures = Vec::new();
    let fleet = or_default(&mut failures, format_args!("the fleet cannot be built"), || {
        Fleet::new(&repo, &settings.fleet, &run::Parallel)
    });
    let found = or_default(&mut failures, format_args!("ignored paths cannot be told"), || {
        ignored::find(&repo, &fleet, &loaded.contents)
    });
    let repo = repo.with_ignored(found);
    clock.lap("model");
    Model { repo, fleet, inferred, contents: loaded.contents, roots, refused: loaded.refused, failures }
}

/// Does some work; when it panics, nothing comes of it but a finding.
fn or_default<T: Default>(failures: &mut Vec<Finding>, message: fmt::Arguments<'_>, work: impl FnOnce() -> T) -> T {
    run::catch(Span::default(), message, work).unwrap_or_else(|failure| {
        failures.push(*failure);
        T::default()
    })
}

/// Checks a snapshot. The result is the same for any number of threads.
pub fn check(snapshot: Snapshot, settings: &Settings) -> Report {
    let mut clock = Clock::start();
    let plan = run::Plan::new(settings);
    let Model { repo, fleet, inferred, contents: _, roots, refused, failures } =
        build(snapshot, settings, &plan, &mut clock);
    let mut found = run::run(&repo, &fleet, &plan);
    found.extend(failures);
    found.extend(unread(&repo));
    report_mistakes(&mut found, &repo, settings);
    clock.lap("judge");
    let triaged = triage::triage(found, &repo, settings);
    let is_asked = |span: Span| settings.is_in_scope(repo.entry(span.file).root, &repo.entry(span.file).path);
    let undecided: Vec<Undecided> = fleet.undecided.iter().filter(|one| is_asked(one.unknown.span)).cloned().collect();
    let is_refused = |file: FileId| refused.binary_search(&file).is_ok();
    let is_incomplete = triaged
        .findings
        .iter()
        .any(|judged| judged.finding.rule == RuleId("unread-file") && is_refused(judged.finding.span.file));
    let summary = Summary {
        roots,
        files: repo.entries().len(),
        documents: repo.files().map(|file| file.documents.len()).sum(),
        applications: fleet.apps.len(),
        suppressed: triaged.suppressed,
        baselined: triaged.baselined,
        undecided: undecided.len(),
        ..Summary::default()
    };
    let summary = summary.of(&triaged.findings);
    clock.lap("triage");
    let timings = clock.timings;
    Report { repo, fleet, findings: triaged.findings, undecided, inferred, summary, is_incomplete, timings }
}

/// Measures the steps of a run.
struct Clock {
    last: Instant,
    timings: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn start() -> Clock {
        Clock { last: Instant::now(), timings: Vec::new() }
    }

    fn lap(&mut self, step: &'static str) {
        self.timings.push((step, self.last.elapsed()));
        self.last = Instant::now();
    }
}

/// A finding for every path that could not be read.
fn unread(repo: &Repo) -> impl Iterator<Item = Finding> {
    repo.files().filter_map(|file| {
        let FileState::Unread(reason) = &file.state else { return None };
        let mut finding =
            Finding::new(RuleId("unread-file"), Span::whole(file.source.id), format!("not read: {reason}"));
        finding.help("make it readable, or turn this rule off for the path with `overrides`");
        Some(finding)
    })
}

/// What is wrong with the configuration, as findings. Syntax errors in it are reported once.
fn report_mistakes(found: &mut Vec<Finding>, repo: &Repo, settings: &Settings) {
    for (place, mistake) in &settings.mistakes {
        let Some(file) = repo.listed(place.root, &place.path) else { continue };
        found.retain(|finding| finding.span.file != file || finding.rule != RuleId("yaml-syntax"));
        let span = Span::new(file, mistake.span.start, mistake.span.end);
        let mut finding = Finding::new(RuleId("bad-configuration"), span, mistake.message.clone());
        finding.help = mistake.help.clone();
        found.push(finding);
    }
}
