//! Files whose content is that of a tool, but whose name is not: the tool does not see them.

use crate::formats::Kind;
use crate::formats::kustomize::Kustomization;
use crate::repo::{File, Repo, Slip, slip};
use crate::text::FileId;

/// A file that its tool does not see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misnamed {
    /// The file.
    pub file: FileId,
    /// The tool.
    pub tool: &'static str,
    /// The name that the tool looks for.
    pub wanted: &'static str,
    /// What is wrong with its own name.
    pub slip: Slip,
}

/// The files that hold a kustomization, the description of a chart, or the defaults of one, under a name that differs by
/// one slip from the one that the tool looks for, in folders that have none of that name; in order.
pub fn misnamed(repo: &Repo) -> Vec<Misnamed> {
    let found = repo.files().filter_map(|file| {
        let (tool, wanted) = wanted(file)?;
        let folder = file.source.path.parent()?;
        let is_there = |name: &str| folder.join(name).is_ok_and(|path| repo.listed(file.source.root, &path).is_some());
        let has_one = match tool {
            Tool::Kustomize => Kustomization::FILE_NAMES.into_iter().any(is_there),
            Tool::Chart => is_there("Chart.yaml"),
            Tool::Values => is_there("values.yaml") || !is_there("Chart.yaml"),
        };
        let slip = slip(wanted, file.source.path.name(), false)?;
        let tool = if tool == Tool::Kustomize { "Kustomize" } else { "Helm" };
        (!has_one).then_some(Misnamed { file: file.source.id, tool, wanted, slip })
    });
    found.chain(templates(repo)).collect()
}

/// The first files of folders of charts that are not quite named `templates`.
fn templates(repo: &Repo) -> impl Iterator<Item = Misnamed> {
    let charts = repo.documents(Kind::Chart).map(|(file, _)| &file.source);
    charts.filter(|source| source.path.name() == "Chart.yaml").filter_map(|source| {
        let folder = source.path.parent()?;
        let children = repo.children(source.root, &folder);
        let is_there = children.iter().any(|child| child.name == "templates");
        let is_near = |slip: &Slip| match slip {
            Slip::Case | Slip::Typing(1) => true,
            Slip::Plural => !is_there,
            _ => false,
        };
        let near = |name: &str| slip("templates", name, false).filter(is_near);
        let child = children.iter().find(|child| child.is_folder && near(child.name).is_some())?;
        let first = repo.below(source.root, &folder.join(child.name).ok()?).first()?;
        let file = repo.listed(source.root, &first.path)?;
        Some(Misnamed { file, tool: "Helm", wanted: "templates", slip: near(child.name)? })
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    Kustomize,
    Chart,
    Values,
}

/// The tool that a file is meant for, by its content and the likeness of its name, and the name that the tool looks for.
fn wanted(file: &File) -> Option<(Tool, &'static str)> {
    let name = file.source.path.name();
    if Kustomization::is_file_name(name) || matches!(name, "Chart.yaml" | "values.yaml") {
        return None;
    }
    let root = file.tree.root(file.tree.documents().first()?)?;
    let text = |key: &str| root.get(key).and_then(|node| node.as_str());
    let near = |wanted: &str| slip(wanted, name, false).is_some();
    if near("kustomization.yaml") {
        let is_kustomize = match text("apiVersion") {
            Some(version) => version.starts_with("kustomize.config.k8s.io/"),
            None => {
                text("kind").is_none()
                    && ["resources", "components", "patches", "bases"].iter().any(|key| root.get(key).is_some())
            }
        };
        return is_kustomize.then_some((Tool::Kustomize, "kustomization.yaml"));
    }
    if near("Chart.yaml") {
        let is_chart = matches!(text("apiVersion"), Some("v1" | "v2"))
            && root.get("name").is_some()
            && root.get("version").is_some();
        return is_chart.then_some((Tool::Chart, "Chart.yaml"));
    }
    (near("values.yaml") && text("kind").is_none()).then_some((Tool::Values, "values.yaml"))
}
