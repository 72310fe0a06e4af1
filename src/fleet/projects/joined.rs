//! What other objects add to a project: global projects, repositories and clusters that belong to it.
//!
//! Mirrors Argo CD 3.6, `util/argo`, `GetAppProject`, `mergeVirtualProject` and `GetGlobalProjects`.

use super::Projects;
use crate::fleet::clusters::Cluster;
use crate::fleet::expand::select::{Answer, Label, Selection};
use crate::formats::argo::project::{AppProject, Destination};
use crate::formats::argo::secret::TYPE_LABEL;
use crate::formats::argo::{Metadata, RepositorySecret};
use crate::formats::read::Fields;
use crate::formats::{Kind, Resource, read};
use crate::lang::selector::Values;
use crate::repo::Repo;
use crate::text::{FileId, Span};
use crate::value::{Text, Unknown, Value, Why};
use crate::yaml::{self, Node};
use std::sync::Arc;

/// The key of `argocd-cm`, and of the values of Argo CD's chart, that lists global projects.
const KEY: &str = "globalProjects";

/// The projects that others inherit from.
pub(super) struct Globals {
    entries: Vec<(Option<Selection>, Option<AppProject>)>,
}

impl Globals {
    /// The global projects of a snapshot.
    pub(super) fn new(repo: &Repo, projects: &Projects) -> Globals {
        let mut globals = Globals { entries: Vec::new() };
        for file in repo.files().filter(|file| file.source.mentions(KEY)) {
            for document in &file.documents {
                // In a ConfigMap and in values the list is a text that is YAML again.
                let mut found = Vec::new();
                collect(document.node(&file.tree), KEY, &mut found);
                found.into_iter().for_each(|node| globals.add(&list(node), projects));
            }
        }
        globals
    }

    fn add(&mut self, list: &Value, projects: &Projects) {
        if !matches!(list, Value::List(_)) {
            self.entries.push((None, None));
        }
        for item in list.items() {
            let fields = Fields::of(item);
            let selector = fields.and_then(|fields| fields.value("labelSelector"));
            let selection = selector.and_then(|selector| Selection::new(selector, Values::OfLabels).ok());
            let name = fields.and_then(|fields| fields.text("projectName"));
            let declared = name.as_ref().and_then(Text::as_str).map_or(&[][..], |name| projects.declarations(name));
            let project = match declared {
                [project] if project.is_settled => Some(project.declared.clone()),
                _ => None,
            };
            self.entries.push((selection, project));
        }
    }

    /// Adds what the global projects that select this one grant.
    pub(super) fn join(&self, project: &mut AppProject) {
        for (selection, global) in &self.entries {
            let answer = selection.as_ref().map_or(Answer::Unknown, |selection| takes(selection, &project.metadata));
            match (answer, global) {
                (Answer::No, _) => {}
                (Answer::Yes, Some(global)) => append(project, global),
                _ => lose(project),
            }
        }
    }
}

fn takes(selection: &Selection, metadata: &Metadata) -> Answer {
    selection.answer(|key| match metadata.label(key) {
        None => Label::Absent,
        Some(text) => text.as_str().map_or(Label::Unknown, Label::Known),
    })
}

fn append(project: &mut AppProject, global: &AppProject) {
    project.source_repos.append(&global.source_repos);
    project.destinations.append(&global.destinations);
    project.namespace_allowed.append(&global.namespace_allowed);
    project.namespace_denied.append(&global.namespace_denied);
    project.cluster_allowed.append(&global.cluster_allowed);
    project.cluster_denied.append(&global.cluster_denied);
    project.windows.append(&global.windows);
    project.service_accounts.append(&global.service_accounts);
}

/// Forgets that the lists are all there is.
fn lose(project: &mut AppProject) {
    project.source_repos.is_whole = false;
    project.destinations.is_whole = false;
    for list in [
        &mut project.namespace_allowed,
        &mut project.namespace_denied,
        &mut project.cluster_allowed,
        &mut project.cluster_denied,
    ] {
        list.is_whole = false;
    }
}

/// The values of a key, at any depth.
fn collect<'t>(node: Node<'t>, key: &str, found: &mut Vec<Node<'t>>) {
    for entry in node.entries() {
        if entry.key.key_text() == key {
            found.push(entry.value);
        } else {
            collect(entry.value, key, found);
        }
    }
    node.items().for_each(|item| collect(item, key, found));
}

/// What a node holds; a text that is YAML stands for what it says.
fn list(node: Node<'_>) -> Value {
    let Some(text) = node.as_str() else { return read::value(node) };
    let tree = yaml::parse(FileId(0), Arc::from(text));
    let root = tree.documents().first().filter(|_| tree.errors().is_empty()).and_then(|first| tree.root(first));
    let unknown = Value::Unknown(Unknown { why: Why::Unreadable, span: node.span() });
    root.map_or(unknown, read::value)
}

/// Which Secrets may belong to a project without being readable.
#[derive(Clone, Copy, Default)]
pub(super) struct Hidden {
    pub(super) repositories: bool,
    pub(super) clusters: bool,
}

/// Whether other tools make Secrets of repositories or clusters that name a project: sealed or external ones.
pub(super) fn hidden_secrets(repo: &Repo) -> Hidden {
    let mut hidden = Hidden::default();
    for (file, document) in repo.documents(Kind::Manifest) {
        let Resource::Manifest(manifest) = &document.resource else { continue };
        if !manifest.kind.value.ends_with("Secret") || !file.source.mentions(TYPE_LABEL) {
            continue;
        }
        let (mut roles, mut projects) = (Vec::new(), Vec::new());
        collect(document.node(&file.tree), TYPE_LABEL, &mut roles);
        collect(document.node(&file.tree), "project", &mut projects);
        if !projects.is_empty() {
            hidden.repositories |= roles.iter().any(|role| role.as_str() != Some("cluster"));
            hidden.clusters |= roles.iter().any(|role| role.as_str() != Some("repository"));
        }
    }
    hidden
}

/// Adds the repositories whose Secrets belong to the project.
pub(super) fn add_repositories(project: &mut AppProject, name: &str, secrets: &[&RepositorySecret]) {
    for secret in secrets.iter().filter(|secret| !secret.is_template) {
        let Some(owner) = secret.project.as_ref() else { continue };
        match (owner.as_str(), &secret.url) {
            (Some(owner), Some(url)) if owner == name => project.source_repos.items.push(url.clone()),
            (Some(owner), None) if owner == name => project.source_repos.is_whole = false,
            (None, _) => project.source_repos.is_whole = false,
            _ => {}
        }
    }
}

/// Adds the clusters whose Secrets belong to the project.
pub(super) fn add_clusters(project: &mut AppProject, name: &str, clusters: &[Cluster]) {
    for cluster in clusters {
        match (&cluster.project, &cluster.server) {
            (Ok(owner), Ok(server)) if owner == name && !owner.is_empty() => {
                let namespaces = if cluster.namespaces.is_empty() {
                    vec!["*"]
                } else {
                    cluster.namespaces.iter().map(String::as_str).collect()
                };
                let known = |text: &str| Some(Text::known_at(text, Span::default()));
                let grant = |namespace| Destination {
                    server: known(server.trim_end_matches('/')),
                    namespace: known(namespace),
                    ..Destination::default()
                };
                project.destinations.items.extend(namespaces.into_iter().map(grant));
            }
            (Ok(owner), Err(_)) if owner == name && !owner.is_empty() => project.destinations.is_whole = false,
            (Err(_), _) => project.destinations.is_whole = false,
            _ => {}
        }
    }
}
