//! Sources: which folder, tool and value files a source of an app means.
//!
//! [`resolve`] follows what the controller and the repo server do, in their order: the repository and revision, the path,
//! the override files in it, the tool, the refs, the value files. Each step is a file here, with the place it mirrors. The
//! result is computed once per app; rules and views look it up. What the roots cannot tell is kept as unknown, with the
//! reason; nothing is judged.

pub mod directory;
pub mod environment;
pub mod glob;
pub mod meant;
mod overrides;
pub mod refresh;
pub mod refs;
pub mod revision;
pub mod tool;
pub mod values;

pub use environment::{Environment, Expanded};
pub use meant::{Meant, Mistake};
pub use refs::RefProblem;
pub use tool::Tool;
pub use values::{Meaning, Place, ValueFile};

use super::literal::literal;
use crate::formats::argo::Metadata;
use crate::formats::argo::application::{self, Spec};
use crate::repo::{Found, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};
use crate::value::{Text, Unknown, Why};
use values::{Base, Refs, Resolver, Target};

/// A source of an app, and what it means in the roots.
#[derive(Clone, Debug)]
pub struct Source {
    /// As written, changed by the override files in its folder.
    pub written: application::Source,
    /// The root that its repository and revision mean; `None` for a chart, and when not known.
    pub root: Option<RootId>,
    /// Why the root is not known: the repository is not among the roots, the revision is not checked out.
    pub unknown: Option<Unknown>,
    /// Where its path leads.
    pub path: SourcePath,
    /// What renders it; `None` when that is not known, or when its blocks contradict each other.
    pub tool: Option<Tool>,
    /// Why its blocks and value files are not known: an override file that cannot be read.
    pub opaque: Option<Unknown>,
    /// `helm.valueFiles`, in order.
    pub value_files: Vec<ValueFile>,
    /// `helm.fileParameters[].path`, in order.
    pub file_parameters: Vec<ValueFile>,
}

/// Where the path of a source leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourcePath {
    /// There is none: the source is a chart, or only its `ref` counts.
    None,
    /// A folder: its path as written, and where links lead from there.
    Folder {
        /// Normalised, links not followed: relative paths start here.
        path: RepoPath,
        /// The folder itself.
        real: RepoPath,
    },
    /// It begins with `/`, which Argo CD refuses.
    Absolute,
    /// It leaves the repository.
    Outside,
    /// A link on the way leaves the repository.
    LinkOutside,
    /// A file.
    File(FileId),
    /// Nothing is there.
    Missing(RepoPath),
    /// It cannot be known.
    Unknown(Unknown),
}

impl Source {
    /// The root and the folder that the manifests come from, links followed.
    pub fn folder(&self) -> Option<(RootId, &RepoPath)> {
        match &self.path {
            SourcePath::Folder { real, .. } => Some((self.root?, real)),
            _ => None,
        }
    }

    /// Whether missing value files are left out.
    pub fn ignores_missing(&self) -> bool {
        self.written.helm.as_ref().and_then(|helm| helm.ignore_missing.as_ref()).is_some_and(|ignore| ignore.value)
    }

    /// What could not be known about it, with the name of each thing.
    pub fn undecided(&self) -> impl Iterator<Item = (&'static str, &Unknown)> {
        let path = match &self.path {
            SourcePath::Unknown(unknown) if self.unknown.is_none() => Some(("source path", unknown)),
            _ => None,
        };
        let repository = self.unknown.as_ref().map(|unknown| ("source repository", unknown));
        let files = self.value_files.iter().chain(&self.file_parameters).filter_map(|file| match &file.meaning {
            Meaning::Unknown(unknown) if Some(unknown) != self.unknown.as_ref() => Some(("value file", unknown)),
            _ => None,
        });
        let blocks = self.opaque.as_ref().map(|unknown| ("source blocks", unknown));
        repository.into_iter().chain(path).chain(blocks).chain(files)
    }
}

/// The sources of an app that count, resolved, in order.
pub fn resolve(metadata: &Metadata, spec: &Spec, repo: &Repo) -> Vec<Source> {
    let sources = spec.effective_sources();
    let roots: Vec<Result<Option<RootId>, Unknown>> = sources.iter().map(|source| root_of(source, repo)).collect();
    let refs = if spec.has_multiple_sources() { refs_of(sources, &roots) } else { Refs::default() };
    let resolve_one = |(source, root): (&application::Source, &Result<Option<RootId>, Unknown>)| {
        let environment = Environment::new(metadata, spec, source);
        let mut written = source.clone();
        let path = path_of(source, root, repo);
        let merged = match (&path, root) {
            (SourcePath::Folder { real, .. }, Ok(Some(root))) => {
                overrides::merge(&mut written, metadata, repo, *root, real)
            }
            _ => Ok(()),
        };
        let base = match (&merged, root, &path) {
            (Err(unknown), ..) | (_, Err(unknown), _) => Base::Unknown(unknown.clone()),
            (_, Ok(Some(root)), SourcePath::Folder { path, .. }) => Base::Root(*root, Some(path.clone())),
            (_, Ok(Some(root)), _) => Base::Root(*root, None),
            (_, Ok(None), _) if source.chart.is_some() => Base::Chart,
            (_, Ok(None), _) => Base::Unknown(Unknown { why: Why::Unreadable, span: source.span }),
        };
        let resolver = Resolver { repo, environment: &environment, base, refs: &refs };
        let helm = written.helm.as_ref();
        let value_files =
            helm.iter().flat_map(|helm| &helm.value_files).map(|text| resolver.value_file(text)).collect();
        let paths = helm.iter().flat_map(|helm| &helm.file_parameters);
        let file_parameters = paths.map(|text| resolver.file_parameter(text)).collect();
        let opaque = merged.err();
        let tool = if opaque.is_none() { tool_of(&written, &path, root, repo) } else { None };
        let (root, unknown) = match root {
            Ok(root) => (*root, None),
            Err(unknown) => (None, Some(unknown.clone())),
        };
        Source { written, root, unknown, path, tool, opaque, value_files, file_parameters }
    };
    sources.iter().zip(&roots).map(resolve_one).collect()
}

/// Where a path from the root of a repository leads. Mirrors Argo CD 3.6, `util/app/path`, `Path`.
pub fn locate(repo: &Repo, root: RootId, path: &str, span: Span) -> SourcePath {
    if path.starts_with('/') {
        return SourcePath::Absolute;
    }
    let Ok(path) = RepoPath::new(path) else { return SourcePath::Outside };
    match repo.find(root, &path) {
        Found::Folder(real) => SourcePath::Folder { path, real },
        Found::File(file) => SourcePath::File(file),
        Found::Missing => SourcePath::Missing(path),
        Found::Outside => SourcePath::LinkOutside,
        Found::Submodule => SourcePath::Unknown(Unknown { why: Why::Submodule, span }),
    }
}

/// The root that a source's repository and revision mean; none for a chart, or without a URL.
///
/// # Errors
/// Why that is not known.
pub fn root_of(source: &application::Source, repo: &Repo) -> Result<Option<RootId>, Unknown> {
    if source.chart.is_some() {
        return Ok(None);
    }
    let root = repository(source.repo_url.as_ref(), source.revision.as_ref(), repo)?;
    match (&source.tag_prefix, &source.revision) {
        (Some(prefix), Some(revision)) => Err(Unknown {
            why: Why::Revision(format!(
                "{}{}",
                prefix.as_str().unwrap_or_default(),
                revision.as_str().unwrap_or_default()
            )),
            span: revision.span(),
        }),
        _ => Ok(root),
    }
}

/// The root that is a checkout of this repository at this revision; none without a URL.
///
/// # Errors
/// Why that is not known: the repository is not among the roots, the revision is not checked out.
pub fn repository(url: Option<&Text>, revision: Option<&Text>, repo: &Repo) -> Result<Option<RootId>, Unknown> {
    let Some(url) = url.map(literal).transpose()? else { return Ok(None) };
    let Some(root) = repo.root_of_url(url.value) else {
        return Err(Unknown { why: Why::Repository(url.value.to_owned()), span: url.span });
    };
    let Some(revision) = revision.map(literal).transpose()? else { return Ok(Some(root)) };
    if let Some(root) = repo.roots_of_url(url.value).find(|root| repo.root(*root).is_checked_out(revision.value)) {
        return Ok(Some(root));
    }
    Err(Unknown { why: Why::Revision(revision.value.to_owned()), span: revision.span })
}

fn path_of(source: &application::Source, root: &Result<Option<RootId>, Unknown>, repo: &Repo) -> SourcePath {
    match (root, &source.path) {
        (_, None) | (Ok(None), _) => SourcePath::None,
        (Err(unknown), Some(_)) => SourcePath::Unknown(unknown.clone()),
        (Ok(Some(root)), Some(path)) => match literal(path) {
            Ok(path) => locate(repo, *root, path.value, path.span),
            Err(unknown) => SourcePath::Unknown(unknown),
        },
    }
}

/// The refs of an app with `sources`.
fn refs_of<'s>(sources: &'s [application::Source], roots: &[Result<Option<RootId>, Unknown>]) -> Refs<'s> {
    let target = |index: usize| match &roots[index] {
        Ok(Some(root)) => Target::Root(*root),
        Ok(None) if sources[index].chart.is_some() => Target::Problem(RefProblem::Chart { target: index }),
        Ok(None) => Target::Unknown(Unknown { why: Why::Unreadable, span: sources[index].span }),
        Err(unknown) => Target::Unknown(unknown.clone()),
    };
    let unknown = sources.iter().filter_map(|source| literal(source.reference.as_ref()?).err()).next();
    Refs {
        named: refs::declared(sources).names.into_iter().map(|(name, index)| (name, target(index))).collect(),
        other: Some(unknown.map_or(Target::Problem(RefProblem::Undefined), Target::Unknown)),
    }
}

fn tool_of(
    source: &application::Source,
    path: &SourcePath,
    root: &Result<Option<RootId>, Unknown>,
    repo: &Repo,
) -> Option<Tool> {
    let blocks: Vec<Tool> = tool::blocks(source).into_iter().map(|(tool, _)| tool).collect();
    let found = match (path, root) {
        (SourcePath::Folder { real, .. }, Ok(Some(root))) => {
            let mut names: Vec<&str> = tool::files(repo, *root, real).collect();
            names.sort_unstable();
            tool::tool(&blocks, names)
        }
        _ if source.chart.is_some() => tool::tool(&blocks, ["Chart.yaml"]),
        _ if blocks.is_empty() => return None,
        _ => tool::tool(&blocks, []),
    };
    found.ok()
}
