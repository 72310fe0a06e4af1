//! Which tool renders a source: what its blocks say, else what lies in its folder.
//!
//! Mirrors Argo CD 3.6, `NormalizeSource`, `ExplicitType` and `util/app/discovery`.

use crate::formats::argo::application::Source;
use crate::formats::kustomize::Kustomization;
use crate::formats::{Kind, Resource};
use crate::repo::{Found, Repo};
use crate::text::{RepoPath, RootId, Span};

/// What renders a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tool {
    /// Helm.
    Helm,
    /// Kustomize.
    Kustomize,
    /// None: the files are the manifests.
    Directory,
    /// A config management plugin.
    Plugin,
}

impl Tool {
    /// The tool's block in a source: `helm`, `kustomize`, `directory`, `plugin`.
    pub fn block(self) -> &'static str {
        match self {
            Tool::Helm => "helm",
            Tool::Kustomize => "kustomize",
            Tool::Directory => "directory",
            Tool::Plugin => "plugin",
        }
    }

    /// The tool whose block has this name.
    pub fn of_block(name: &str) -> Option<Tool> {
        [Tool::Helm, Tool::Kustomize, Tool::Directory, Tool::Plugin].into_iter().find(|tool| tool.block() == name)
    }

    /// The tool that a file directly in the source's folder asks for.
    pub fn of_file(name: &str) -> Option<Tool> {
        if Kustomization::is_file_name(name) {
            return Some(Tool::Kustomize);
        }
        name.ends_with("Chart.yaml").then_some(Tool::Helm)
    }
}

/// The blocks of a source that decide its tool, with their places: empty ones are dropped before, except `plugin`.
pub fn blocks(source: &Source) -> Vec<(Tool, Span)> {
    [
        source.helm.as_ref().filter(|block| !block.is_zero).map(|block| (Tool::Helm, block.span)),
        source.kustomize.as_ref().filter(|block| !block.is_zero).map(|block| (Tool::Kustomize, block.span)),
        source.directory.as_ref().filter(|block| !block.is_zero).map(|block| (Tool::Directory, block.span)),
        source.plugin.map(|span| (Tool::Plugin, span)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The names of the files directly in a folder, in no particular order.
pub fn files<'r>(repo: &'r Repo, root: RootId, folder: &'r RepoPath) -> impl Iterator<Item = &'r str> {
    let is_file =
        move |name: &&str| folder.join(name).is_ok_and(|path| matches!(repo.find(root, &path), Found::File(_)));
    repo.children(root, folder).into_iter().filter(|child| !child.is_folder).map(|child| child.name).filter(is_file)
}

/// Whether the kustomization of a folder builds without the chart beside it: it inflates none, and what it lists is there
/// without a plugin having run before.
pub fn builds_alone(repo: &Repo, root: RootId, folder: &RepoPath) -> bool {
    repo.documents(Kind::Kustomization).any(|(file, document)| {
        let Resource::Kustomization(kustomization) = &document.resource else { return false };
        let node = document.node(&file.tree);
        let is_there = |path: &str| {
            path.contains("://") || folder.join(path).is_ok_and(|path| repo.find(root, &path) != Found::Missing)
        };
        file.source.root == root
            && file.source.path.parent().as_ref() == Some(folder)
            && ["helmCharts", "helmChartInflationGenerator", "generators"].iter().all(|key| node.get(key).is_none())
            && kustomization.references.iter().all(|reference| is_there(&reference.path.value))
    })
}

/// More than one block asks for a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeveralTools;

/// The tool of a source with these blocks, and these files directly in its folder, in byte order: the last one that asks
/// for a tool decides, so a kustomization wins over a chart.
///
/// # Errors
/// [`SeveralTools`] when there is more than one block.
pub fn tool<'n>(blocks: &[Tool], files: impl IntoIterator<Item = &'n str>) -> Result<Tool, SeveralTools> {
    match blocks {
        [] => Ok(files.into_iter().filter_map(Tool::of_file).last().unwrap_or(Tool::Directory)),
        [block] => Ok(*block),
        _ => Err(SeveralTools),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_decides() {
        assert_eq!(tool(&[Tool::Directory], ["Chart.yaml"]), Ok(Tool::Directory));
        assert_eq!(tool(&[Tool::Helm, Tool::Kustomize], []), Err(SeveralTools));
    }

    #[test]
    fn without_a_block_the_last_file_decides() {
        assert_eq!(tool(&[], ["a.yaml"]), Ok(Tool::Directory));
        assert_eq!(tool(&[], ["MyChart.yaml", "values.yaml"]), Ok(Tool::Helm));
        assert_eq!(tool(&[], ["Chart.yaml", "kustomization.yaml"]), Ok(Tool::Kustomize));
        assert_eq!(tool(&[], ["Kustomization.yaml"]), Ok(Tool::Directory));
    }

    #[test]
    fn an_empty_block_does_not_count() {
        use crate::formats::argo::application::Helm;
        let source = |is_zero| Source { helm: Some(Helm { is_zero, ..Helm::default() }), ..Source::default() };
        assert_eq!(blocks(&source(true)), []);
        assert_eq!(blocks(&source(false)), [(Tool::Helm, Span::default())]);
    }
}
