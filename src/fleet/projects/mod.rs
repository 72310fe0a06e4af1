//! The AppProjects that the roots declare, and what they permit.
//!
//! A project counts as it reaches the cluster: built by kustomizations, joined with global projects (`joined`), with the
//! repositories and clusters that Secrets add. `permits` decides as Argo CD does, `faults` tells what is wrong in a
//! project by itself.

pub mod faults;
pub mod idle;
mod joined;
pub mod permits;

use super::clusters::{Cluster, Clusters};
use super::partial::Partial;
use super::{App, Built, Instances};
use crate::formats::argo::{AppProject, RepositorySecret};
use crate::formats::{DocId, Document, Kind, Resource, read};
use crate::repo::{Entry, File, FileState, Repo};
use crate::text::nearest;
use crate::value::Value;
use joined::Globals;
use permits::{Destinations, Sources, Target};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Declared projects by name.
#[derive(Debug, Default)]
pub struct Projects {
    by_name: BTreeMap<String, Vec<Project>>,
    /// Which roots belong together; known once the apps are.
    pub instances: Instances,
    has_unknown_names: bool,
}

/// One declaration of a project.
#[derive(Debug)]
pub struct Project {
    /// The document that declares it.
    pub document: DocId,
    /// The outermost kustomization that builds it; `None` when it is delivered as written.
    pub through: Option<DocId>,
    /// What it says.
    pub declared: AppProject,
    /// What it grants together with global projects and with Secrets that belong to it; `None` when that is the same.
    joined: Option<Box<AppProject>>,
    /// Whether it is whole as it is: no patch, no base that something outside of the roots completes.
    is_settled: bool,
    /// Whether a chart may install another one of its name; looked up when first asked, as that reads many files.
    may_be_installed: OnceLock<bool>,
    /// What it grants, read when first asked, as every app asks again.
    sources: OnceLock<Sources>,
    destinations: OnceLock<Destinations>,
}

impl Projects {
    /// The projects of a snapshot, as they reach the cluster.
    pub fn new(repo: &Repo, built: &Built, partial: &Partial, clusters: &Clusters) -> Projects {
        let mut projects =
            Projects { has_unknown_names: repo.entries().iter().any(may_declare), ..Projects::default() };
        for object in built.objects(Kind::AppProject) {
            let Resource::AppProject(project) = object.resource(repo) else { continue };
            let Some(name) = project.name() else {
                projects.has_unknown_names = true;
                continue;
            };
            projects.by_name.entry(name.value.to_owned()).or_default().push(Project {
                document: object.document,
                through: object.through,
                declared: (**project).clone(),
                joined: None,
                may_be_installed: OnceLock::new(),
                sources: OnceLock::new(),
                destinations: OnceLock::new(),
                is_settled: project.is_known && (object.through.is_some() || !partial.contains(object.document)),
            });
        }
        projects.join(repo, built, clusters);
        projects
    }

    /// Adds what other objects grant.
    fn join(&mut self, repo: &Repo, built: &Built, clusters: &Clusters) {
        if self.is_empty() {
            return;
        }
        let secrets: Vec<&RepositorySecret> = built
            .objects(Kind::RepositorySecret)
            .filter_map(|object| match object.resource(repo) {
                Resource::RepositorySecret(secret) => Some(&**secret),
                _ => None,
            })
            .collect();
        let hidden = joined::hidden_secrets(repo);
        let globals = Globals::new(repo, self);
        for (name, projects) in &mut self.by_name {
            for project in projects {
                let mut joined = project.declared.clone();
                globals.join(&mut joined);
                joined::add_repositories(&mut joined, name, &secrets);
                joined::add_clusters(&mut joined, name, &clusters.known);
                joined.source_repos.is_whole &= !hidden.repositories;
                joined.destinations.is_whole &= !hidden.clusters;
                if joined != project.declared {
                    project.joined = Some(Box::new(joined));
                }
            }
        }
    }

    /// Whether no project is declared.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Whether some declared project has a name that is not known, or may be declared where nothing can be read: in the
    /// template of a chart, in a broken file.
    pub fn has_unknown_names(&self) -> bool {
        self.has_unknown_names
    }

    /// The declarations of a project, in order of their documents; none when there are none.
    pub fn declarations(&self, name: &str) -> &[Project] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Every declaration, by name and in order of their documents.
    pub fn all(&self) -> impl Iterator<Item = &Project> {
        self.by_name.values().flatten()
    }

    /// The declarations that stand in the roots of an app, or in roots that belong to them.
    pub fn beside<'p>(&'p self, app: &App, repo: &Repo) -> impl Iterator<Item = &'p Project> {
        self.all().filter(self.is_beside(app, repo))
    }

    fn is_beside<'p>(&'p self, app: &App, repo: &Repo) -> impl FnMut(&&'p Project) -> bool {
        let own = self.instances.of(app.document(), repo);
        move |project| self.instances.of(project.document, repo) == own
    }

    /// The first declaration of an app's project, when each of them certainly answers no.
    ///
    /// Silent about a project that the roots of the app do not declare, and about one that something outside of them may
    /// change.
    pub fn refusing(&self, app: &App, repo: &Repo, permits: impl Fn(&Project) -> Option<bool>) -> Option<&Project> {
        let name = app.project()?;
        let mut declared = self.declarations(name).iter().filter(self.is_beside(app, repo)).peekable();
        let refuses = |project: &Project| project.is_settled && permits(project) == Some(false);
        let first = *declared.peek()?;
        if !declared.all(refuses) {
            return None;
        }
        let may_be_installed = first.may_be_installed.get_or_init(|| self.may_be_installed(name, repo));
        (!may_be_installed).then_some(first)
    }

    /// Whether a chart may install a project: a values file lists its name below a key such as `projects`.
    pub fn may_be_installed(&self, name: &str, repo: &Repo) -> bool {
        let lists = |file: &File, document: &Document| {
            matches!(document.resource, Resource::Opaque)
                && lists_project(&read::value(document.node(&file.tree)), name, false)
        };
        // A hidden file is the settings of some tool, ours among them.
        let is_hidden = |file: &&File| file.source.path.name().starts_with('.');
        let mut files = repo.files().filter(|file| file.source.mentions(name) && !is_hidden(file));
        files.any(|file| file.documents.iter().any(|document| lists(file, document)))
    }

    /// A declared project that is called nearly so. One letter or digit more or less is another name, as in `team-a`.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest_name(name, self.names())
    }

    /// The declared names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

/// A project that is called nearly so. One letter or digit more or less is another name, as in `team-a`.
pub fn nearest_name<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = nearest(name, names)?;
    let (words, others) = (words(name), words(near));
    let is_slip = |(word, other): (&String, &String)| {
        let letters = |word: &str| word.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned();
        word == other || (word.len() > 3 && other.len() > 3 && letters(word) != letters(other))
    };
    let is_same_words = words.len() == others.len() && words.iter().zip(&others).all(is_slip);
    (is_same_words || words.concat() == others.concat()).then_some(near)
}

impl Project {
    /// What it grants: its own lists, those of global projects, the repositories and clusters that belong to it.
    pub fn granted(&self) -> &AppProject {
        self.joined.as_deref().unwrap_or(&self.declared)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.declared.name().map_or("", |name| name.value)
    }

    /// All that it says.
    pub fn whole(&self, built: &Built, repo: &Repo) -> Option<Arc<Value>> {
        built.object(Kind::AppProject, self.document, self.through).map(|object| object.value(repo))
    }

    /// Whether nothing outside of what is known completes it.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Whether it permits a repository.
    pub fn permits_source(&self, url: &str) -> Option<bool> {
        self.sources.get_or_init(|| Sources::new(&self.granted().source_repos)).permit(url)
    }

    /// Whether it permits a destination; `clusters` are all that are known.
    pub fn permits_destination(&self, target: Target<'_>, clusters: &Clusters) -> Option<bool> {
        let scoped: Vec<&Cluster> =
            clusters.known.iter().filter(|cluster| cluster.project.as_deref() == Ok(self.name())).collect();
        let is_complete = clusters.is_complete && clusters.known.iter().all(|cluster| cluster.project.is_ok());
        let destinations = self.destinations.get_or_init(|| Destinations::new(&self.granted().destinations));
        permits::scoped_destination(self.granted(), destinations.permit(target), target, &scoped, is_complete)
    }
}

fn words(name: &str) -> Vec<String> {
    name.split(['-', '_', '.']).map(str::to_lowercase).collect()
}

/// Whether a path may declare projects that cannot be read.
fn may_declare(entry: &Entry) -> bool {
    match &entry.file {
        None => entry.path.name().contains("project") && entry.path.segments().any(|segment| segment == "templates"),
        Some(file) => {
            let is_broken = file.state != FileState::Read || !file.tree.errors().is_empty();
            is_broken && file.source.mentions("AppProject")
        }
    }
}

fn lists_project(value: &Value, name: &str, is_below_projects: bool) -> bool {
    match value {
        Value::Map(map) => map.entries.iter().any(|(key, value)| {
            let is_list = key.value.to_lowercase().ends_with("projects");
            (is_below_projects && key.value == name) || lists_project(value, name, is_below_projects || is_list)
        }),
        Value::List(list) => list.items.iter().any(|item| lists_project(item, name, is_below_projects)),
        value => is_below_projects && value.as_str() == Some(name),
    }
}
