//! The AppProjects that the roots declare.

use super::Built;
use crate::formats::{DocId, Document, Kind, Resource, read};
use crate::repo::{Entry, File, FileState, Repo};
use crate::value::{Text, Value};
use std::collections::BTreeMap;

/// Declared projects by name.
#[derive(Debug, Default)]
pub struct Projects {
    by_name: BTreeMap<String, Vec<DocId>>,
    has_unknown_names: bool,
}

impl Projects {
    /// The projects of a snapshot, as they reach the cluster.
    pub fn new(repo: &Repo, built: &Built) -> Projects {
        let mut projects =
            Projects { has_unknown_names: repo.entries().iter().any(may_declare), ..Projects::default() };
        for object in built.objects(Kind::AppProject) {
            let Resource::AppProject(project) = object.resource(repo) else { continue };
            match project.metadata.name.as_ref().and_then(Text::as_str) {
                Some(name) => projects.by_name.entry(name.to_owned()).or_default().push(object.document),
                None => projects.has_unknown_names = true,
            }
        }
        projects
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

    /// Where a project is declared; empty when it is not.
    pub fn declarations(&self, name: &str) -> &[DocId] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a chart may install a project: a values file lists its name below a key such as `projects`.
    pub fn may_be_installed(&self, name: &str, repo: &Repo) -> bool {
        let lists = |file: &File, document: &Document| {
            matches!(document.resource, Resource::Opaque)
                && lists_project(&read::value(document.node(&file.tree)), name, false)
        };
        let mut files = repo.files().filter(|file| file.source.text.contains(name));
        files.any(|file| file.documents.iter().any(|document| lists(file, document)))
    }

    /// The declared names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}

/// Whether a path may declare projects that cannot be read.
fn may_declare(entry: &Entry) -> bool {
    match &entry.file {
        None => entry.path.name().contains("project") && entry.path.segments().any(|segment| segment == "templates"),
        Some(file) => {
            let is_broken = file.state != FileState::Read || !file.tree.errors().is_empty();
            is_broken && file.source.text.contains("AppProject")
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
