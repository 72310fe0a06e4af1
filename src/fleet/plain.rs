//! Plain directories: the files that Argo CD takes as manifests where no tool renders a source.
//!
//! Mirrors Argo CD 3.6, `findManifests`. Only directories without recursion, include and exclude are decided.

use super::app::Source;
use crate::formats::kustomize::Kustomization;
use crate::repo::{Child, File, Found, Repo};
use crate::text::RepoPath;

/// The text that makes Argo CD skip a whole file.
const SKIP: &str = "+argocd:skip-file-rendering";

/// The files that a source delivers as they are, in order; `None` when a tool renders it or it cannot be told.
/// Files that could not be read are left out.
pub fn manifests<'r>(source: &Source, repo: &'r Repo) -> Option<Vec<&'r File>> {
    let written = &source.written;
    let is_other = written.chart.is_some() || written.plugin.is_some();
    let is_tool = written.helm.as_ref().is_some_and(|helm| !helm.is_zero)
        || written.kustomize.as_ref().is_some_and(|kustomize| !kustomize.is_zero);
    let is_narrowed = written.directory.as_ref().is_some_and(|directory| !directory.is_zero);
    if is_other || is_tool || is_narrowed {
        return None;
    }
    let path = written.path.as_ref()?.as_str().filter(|path| !path.starts_with('/'))?;
    let Found::Folder(folder) = repo.find(source.root?, &RepoPath::new(path).ok()?) else { return None };
    let children = repo.children(source.root?, &folder);
    if children.iter().any(|child| !child.is_folder && has_tool(child.name)) {
        return None;
    }
    let files = children.iter().filter(|child| is_manifest(child)).filter_map(|child| {
        match repo.find(source.root?, &folder.join(child.name).ok()?) {
            Found::File(id) => repo.file(id),
            _ => None,
        }
    });
    Some(files.filter(|file| !file.source.text.contains(SKIP)).collect())
}

fn has_tool(name: &str) -> bool {
    name.ends_with("Chart.yaml") || Kustomization::is_file_name(name)
}

fn is_manifest(child: &Child<'_>) -> bool {
    !child.is_folder && [".yaml", ".yml", ".json"].iter().any(|extension| child.name.ends_with(extension))
}
