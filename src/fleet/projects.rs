//! The AppProjects that the roots declare.

use super::Built;
use crate::formats::{DocId, Kind, Resource};
use crate::repo::Repo;
use crate::value::Text;
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
        let mut projects = Projects::default();
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
        self.by_name.is_empty() && !self.has_unknown_names
    }

    /// Whether some declared project has a name that is not known.
    pub fn has_unknown_names(&self) -> bool {
        self.has_unknown_names
    }

    /// Where a project is declared; empty when it is not.
    pub fn declarations(&self, name: &str) -> &[DocId] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The declared names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }
}
