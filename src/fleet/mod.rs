//! What the roots deploy: one shape for every unit of delivery.
//!
//! The fleet joins what the formats keep apart: Applications with their projects, sources with the folders and files
//! they mean, destinations with clusters, names with environments. It simulates; it does not judge. What cannot be
//! known from the roots stays an unknown with its reason.

pub mod app;
pub mod applied;
mod barren;
pub mod built;
pub mod clusters;
pub mod consumed;
pub mod customized;
pub mod delivery;
pub mod destination;
pub mod environment;
pub mod expand;
pub mod generated;
pub mod instances;
mod listed;
pub mod literal;
pub mod owners;
pub mod partial;
pub mod plain;
pub mod policies;
pub mod projects;
pub mod rbac;
pub mod refused;
pub mod scopes;
pub mod sought;
pub mod source;

pub use app::{App, AppId, Controller, Origin};
pub use applied::Applied;
pub use built::Built;
pub use consumed::Consumed;
pub use environment::Environments;
pub use generated::{InOrder, Set, Workers};
pub use instances::Instances;
pub use owners::Owners;
pub use partial::Partial;
pub use policies::Policies;
pub use projects::Projects;
pub use rbac::Rbac;
pub use source::{Meaning, Source, SourcePath, ValueFile};

use crate::formats::argo::since::Version;
use crate::formats::{DocId, Kind, Resource, argo};
use crate::repo::{FileState, Repo};
use crate::text::{RepoPath, SourceFile, Span, is_placeholder};
use crate::value::{Text, Unknown, Why};
use built::Object;
use clusters::{Cluster, Clusters};
use expand::Folders;
use generated::World;
use listed::Listed;
use scopes::Scopes;
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Everything the roots deploy.
#[derive(Debug, Default)]
pub struct Fleet {
    /// What is deployed: the declared apps in order of path and place, then the generated ones in order of their sets.
    pub apps: Vec<App>,
    /// The ApplicationSets, in order of path and place.
    pub sets: Vec<Set>,
    /// The folders that git generators see; none without ApplicationSets.
    pub folders: Folders,
    /// Argo CD's objects as they reach the cluster, and what was noticed when they were built.
    pub built: Built,
    /// Applications that are not deployed as they are written: patches and what is patched, templates for new files,
    /// files that a kustomization leaves out. No rule judges them.
    pub set_aside: Vec<App>,
    /// The projects that the roots declare.
    pub projects: Projects,
    /// Who may use Argo CD.
    pub rbac: Rbac,
    /// The clusters that are known.
    pub clusters: Clusters,
    /// Which kinds live in namespaces.
    pub scopes: Scopes,
    /// Which documents are parts of objects.
    pub partial: Partial,
    /// What is known about environments.
    pub environments: Environments,
    /// Who must review what.
    pub owners: Owners,
    /// What the configuration demands of projects and apps.
    pub policies: Policies,
    /// The version of Argo CD that reads the roots; the newest when it is not configured.
    pub argocd: Option<Version>,
    /// What could not be decided, in order of path and place.
    pub undecided: Vec<Undecided>,
    consumed: OnceLock<Consumed>,
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
    /// Clusters beside those of Secrets in the roots; when there are any, all clusters are known.
    pub clusters: Vec<Cluster>,
    /// How the controller of ApplicationSets is set up.
    pub expansion: expand::Settings,
    /// What is demanded of code owners.
    pub owners: owners::Policy,
    /// What is demanded of projects and apps.
    pub policies: Policies,
    /// The version of Argo CD, when it is configured.
    pub argocd: Option<Version>,
}

impl Fleet {
    /// The fleet of a snapshot. It is the same, however `workers` share out the work.
    pub fn new(repo: &Repo, options: &Options, workers: &impl Workers) -> Fleet {
        let mut partial = Partial::new(repo, workers);
        let built = Built::new(repo, &mut partial);
        let clusters = Clusters::new(repo, &built, &partial, &options.clusters);
        let mut fleet = Fleet {
            projects: Projects::new(repo, &built, &partial, &clusters),
            rbac: Rbac::new(repo, &partial),
            clusters,
            partial,
            environments: Environments::new(options),
            owners: Owners::new(repo, &options.owners),
            policies: options.policies.clone(),
            argocd: options.argocd,
            ..Fleet::default()
        };
        let listed = Listed::new(repo);
        fleet.declare(&built, &listed, repo, workers);
        fleet.generate(&built, &listed, options, repo, workers);
        fleet.projects.instances = Instances::new(&fleet.apps, repo);
        fleet.built = built;
        fleet.undecided.extend(templates(repo));
        fleet.note_undecided(repo);
        fleet
    }

    /// Whether a document is only a part of an object, or may be: a patch, or a base that something else completes.
    pub fn is_partial(&self, document: DocId) -> bool {
        self.partial.contains(document)
    }

    /// Adds the declared apps; sets those aside that are not deployed as they are written.
    fn declare(&mut self, built: &Built, listed: &Listed, repo: &Repo, workers: &impl Workers) {
        let read = |object: &&Object| match object.resource(repo) {
            Resource::Application(application) => Some(App::declared(AppId(0), application, object.origin(), repo)),
            _ => None,
        };
        let objects: Vec<&Object> = built.objects(Kind::Application).collect();
        let apps: Vec<App> = workers.map(&objects, read).into_iter().flatten().collect();
        let is_settled = |app: &App| {
            self.is_settled(app.document(), app.is_built(), app.metadata.name.as_ref())
                && !listed.leaves_out(app.document().file, &apps, repo)
        };
        let settled = workers.map(&apps, is_settled);
        for (app, is_settled) in apps.into_iter().zip(settled) {
            let list = if is_settled { &mut self.apps } else { &mut self.set_aside };
            let id = AppId(list.len() as u32);
            list.push(App { id, ..app });
        }
    }

    /// Adds the ApplicationSets that are deployed as they are written, and their apps.
    fn generate(&mut self, built: &Built, listed: &Listed, options: &Options, repo: &Repo, workers: &impl Workers) {
        let is_settled = |object: &&Object| {
            let Resource::ApplicationSet(set) = object.resource(repo) else { return false };
            self.is_settled(object.document, object.through.is_some(), set.metadata.name.as_ref())
                && !listed.leaves_out(object.document.file, &self.apps, repo)
        };
        let objects: Vec<&Object> = built.objects(Kind::ApplicationSet).filter(is_settled).collect();
        if objects.is_empty() {
            return;
        }
        let settings = &options.expansion;
        let folders = Folders::new(repo, settings);
        let world = World { repo, clusters: &self.clusters, folders: &folders, settings };
        let (sets, apps, undecided) = generated::generate(&objects, self.apps.len(), &world, workers);
        self.sets = sets;
        self.folders = folders;
        self.apps.extend(apps);
        self.undecided.extend(undecided);
    }

    /// Whether an object is whole as it is, and no template for others.
    fn is_settled(&self, document: DocId, is_built: bool, name: Option<&Text>) -> bool {
        let is_named = name.is_none_or(|name| !name.as_str().is_some_and(is_placeholder));
        is_named && (is_built || !self.partial.contains(document))
    }

    /// Lists what is not known of the sources, once for every place.
    fn note_undecided(&mut self, repo: &Repo) {
        let sources = self.apps.iter().flat_map(|app| &app.sources);
        let found =
            sources.flat_map(Source::undecided).map(|(what, unknown)| Undecided { what, unknown: unknown.clone() });
        self.undecided.extend(found);
        let why = || Why::Runtime("more objects and patches than are followed".into());
        let unfinished = self.built.unfinished.iter();
        self.undecided
            .extend(unfinished.map(|&span| Undecided { what: "kustomization", unknown: Unknown { why: why(), span } }));
        for file in self.owners.roots.iter().filter_map(|root| root.unfollowed(repo)) {
            let why = Why::Runtime("more lines than are followed".into());
            let unknown = Unknown { why, span: Span::whole(file) };
            self.undecided.push(Undecided { what: "code owners", unknown });
        }
        let key = |undecided: &Undecided| (undecided.unknown.span, undecided.what, undecided.unknown.why.clone());
        self.undecided.sort_by_cached_key(key);
        self.undecided.dedup();
    }

    /// Whether every app that the roots deploy is known, with its project: no template of another tool makes more, no
    /// set fails or leaves open what it yields, and none is set aside.
    pub fn knows_all_apps(&self) -> bool {
        let is_template = |one: &Undecided| one.unknown.why == Why::Template;
        self.set_aside.is_empty()
            && !self.undecided.iter().any(is_template)
            && self.sets.iter().all(|set| !set.is_undecided && set.failures.is_empty())
            && self.apps.iter().all(|app| app.project().is_some() && !app.is_symbolic())
    }

    /// What reads what; found out when it is first asked for.
    pub fn consumed(&self, repo: &Repo) -> &Consumed {
        self.consumed.get_or_init(|| Consumed::new(self, repo))
    }

    /// One app.
    pub fn app(&self, id: AppId) -> &App {
        &self.apps[id.0 as usize]
    }
}

/// Templates of other tools that make Applications or ApplicationSets: what they make is not known. A chart is named
/// once, by its first such template.
fn templates(repo: &Repo) -> impl Iterator<Item = Undecided> {
    let mut charts = BTreeSet::new();
    let files = repo.files().filter(|file| file.state == FileState::Template && makes_applications(&file.source.text));
    files.filter_map(move |file| {
        let chart = chart_of(&file.source, repo);
        let is_first = chart.is_none_or(|chart| charts.insert((file.source.root, chart)));
        let unknown = Unknown { why: Why::Template, span: Span::whole(file.source.id) };
        is_first.then_some(Undecided { what: "template", unknown })
    })
}

fn makes_applications(text: &str) -> bool {
    let is_kind = |line: &str| {
        let kind = line.trim_start_matches(['-', ' ']).strip_prefix("kind:").map(str::trim);
        matches!(kind, Some("Application" | "ApplicationSet"))
    };
    text.contains(argo::GROUP) && text.lines().any(is_kind)
}

/// The folder of the chart that a template belongs to.
fn chart_of(template: &SourceFile, repo: &Repo) -> Option<RepoPath> {
    let mut folder = template.path.parent();
    while let Some(path) = folder {
        if path.join("Chart.yaml").is_ok_and(|chart| repo.listed(template.root, &chart).is_some()) {
            return Some(path);
        }
        folder = path.parent();
    }
    None
}
