//! What the tree tells about itself where nothing else does: which repository it is, and which branch.

use crate::formats::argo::application::{self, Spec};
use crate::formats::read::Fields;
use crate::formats::{Kind, Resource};
use crate::repo::{Repo, RepoUrl, Root};
use crate::text::limits::GENERATOR_DEPTH;
use crate::text::{RepoPath, RootId, is_placeholder, nearest};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What was inferred about the first root.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inferred {
    /// The URL, as most sources write it, that is taken for the checkout itself.
    pub url: Option<String>,
    /// The branch that is taken for the one that is checked out.
    pub branch: Option<String>,
}

/// A place that reads a git repository.
pub struct Reference {
    /// The repository, as written.
    pub url: String,
    /// The revision, when one is named.
    pub revision: Option<String>,
    paths: Vec<String>,
}

/// Names the first root after what its sources say. Only a single root without any URL is named; only a root of which
/// no branch is known gets one.
pub fn infer(repo: Repo, checked: usize) -> (Repo, Inferred) {
    let mut inferred = Inferred::default();
    let Some(root) = repo.roots().first().cloned() else { return (repo, inferred) };
    let needs_url = checked == 1 && root.urls.is_empty();
    if !needs_url && !root.branches.is_empty() {
        return (repo, inferred);
    }
    let references = references(&repo);
    let mut named = root.clone();
    if needs_url
        && let Some((identity, url)) = only_url(&references)
        && is_plausible(&repo, &references)
    {
        named.urls.push(identity);
        inferred.url = Some(url);
    }
    if root.branches.is_empty()
        && let Some(branch) = only_branch(&references, &named)
    {
        named.branches.push(branch.clone());
        inferred.branch = Some(branch);
    }
    if inferred == Inferred::default() { (repo, inferred) } else { (repo.with_root(RootId(0), named), inferred) }
}

/// The one repository that all sources name; nothing when one of them is written as a template.
fn only_url(references: &[Reference]) -> Option<(RepoUrl, String)> {
    let mut spellings: BTreeMap<&str, usize> = BTreeMap::new();
    let mut identities = BTreeSet::new();
    for reference in references {
        if is_placeholder(&reference.url) {
            return None;
        }
        identities.insert(RepoUrl::new(&reference.url)?);
        *spellings.entry(&reference.url).or_default() += 1;
    }
    let identity = identities.pop_first().filter(|_| identities.is_empty())?;
    let (url, _) = spellings.into_iter().max_by_key(|(url, count)| (*count, std::cmp::Reverse(*url)))?;
    Some((identity, url.to_owned()))
}

/// Whether the folders that the sources name may be those of this tree: not when not one of them begins with a folder
/// that is here, or nearly here. A lone Application that delivers somebody else's repository is recognised so.
fn is_plausible(repo: &Repo, references: &[Reference]) -> bool {
    let here: Vec<&str> = repo.children(RootId(0), &RepoPath::root()).into_iter().map(|child| child.name).collect();
    let firsts = references.iter().flat_map(|reference| &reference.paths).filter_map(|path| {
        let first = path.trim_start_matches("./").trim_start_matches('/').split('/').next().unwrap_or("");
        let is_literal = !first.contains(['*', '?', '[', '{', '$']) && !matches!(first, "" | "." | "..");
        is_literal.then_some(first)
    });
    let mut firsts = firsts.peekable();
    firsts.peek().is_none()
        || firsts.any(|first| here.contains(&first) || nearest(first, here.iter().copied()).is_some())
}

/// The one branch that all sources of this root name, unless it is a name that needs no proof.
fn only_branch(references: &[Reference], root: &Root) -> Option<String> {
    let is_here = |reference: &&Reference| RepoUrl::new(&reference.url).is_some_and(|url| root.urls.contains(&url));
    let mut revisions: BTreeSet<&str> =
        references.iter().filter(is_here).map(|reference| reference.revision.as_deref().unwrap_or("HEAD")).collect();
    let revision = revisions.pop_first().filter(|_| revisions.is_empty())?;
    let branch = revision.strip_prefix("refs/heads/").unwrap_or(revision);
    (is_branch(branch) && !root.is_checked_out(branch)).then(|| branch.to_owned())
}

/// Whether a revision looks like a branch: no version, no range, no commit, no template.
fn is_branch(revision: &str) -> bool {
    let is_commit = revision.len() >= 7 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    let version = revision.strip_prefix('v').unwrap_or(revision);
    let is_version = version.starts_with(|first: char| first.is_ascii_digit())
        && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte));
    let is_range = revision.contains(['*', '^', '~', '<', '>', '=', ' ']);
    !(is_commit || is_version || is_range || is_placeholder(revision) || revision.starts_with("refs/"))
}

/// Every place of the tree where Argo CD reads a git repository.
pub fn references(repo: &Repo) -> Vec<Reference> {
    let mut references = Vec::new();
    for kind in [Kind::Application, Kind::ApplicationSet] {
        for (_, document) in repo.documents(kind) {
            match &document.resource {
                Resource::Application(app) => of_spec(&app.spec, &mut references),
                Resource::ApplicationSet(set) => {
                    if let Some(template) = set.template.as_ref().and_then(Fields::of) {
                        of_spec(&Spec::read(template), &mut references);
                    }
                    set.generators.iter().for_each(|generator| of_generator(generator, 0, &mut references));
                }
                _ => {}
            }
        }
    }
    references
}

fn of_spec(spec: &Spec, references: &mut Vec<Reference>) {
    let text = |text: &Option<crate::value::Text>| text.as_ref().and_then(|text| text.as_str()).map(str::to_owned);
    for source in spec.effective_sources().iter().filter(|source: &&application::Source| source.chart.is_none()) {
        let Some(url) = text(&source.repo_url).filter(|url| !url.starts_with("oci://")) else { continue };
        references.push(Reference {
            url,
            revision: text(&source.revision),
            paths: text(&source.path).into_iter().collect(),
        });
    }
}

/// A git generator, at any depth of matrix and merge.
fn of_generator(generator: &Value, depth: usize, references: &mut Vec<Reference>) {
    if depth > GENERATOR_DEPTH {
        return;
    }
    if let Some(git) = generator.get("git")
        && let Some(url) = git.get("repoURL").and_then(Value::as_str)
    {
        let items = ["directories", "files"].into_iter().filter_map(|key| git.get(key)).flat_map(Value::items);
        references.push(Reference {
            url: url.to_owned(),
            revision: git.get("revision").and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned),
            paths: items.filter_map(|item| item.get("path")?.as_str()).map(str::to_owned).collect(),
        });
    }
    for parent in ["matrix", "merge"] {
        let children = generator.get(parent).and_then(|parent| parent.get("generators")).map_or(&[][..], Value::items);
        children.iter().for_each(|child| of_generator(child, depth + 1, references));
    }
}
