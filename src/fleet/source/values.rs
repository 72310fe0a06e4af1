//! `valueFiles` and `fileParameters`: what each entry leads to, and what Helm reads in which order.
//!
//! Mirrors Argo CD 3.6, `reposerver/repository`, `getResolvedValueFiles`, and `util/io/path`, `ResolveValueFilePathOrUrl`.

use super::environment::Environment;
use super::glob;
use super::refs::{RefProblem, ref_name_of};
use crate::lang::glob::BadPattern;
use crate::lang::glob::doublestar::has_meta;
use crate::lang::url::Url;
use crate::repo::{EntryKind, Found, Repo};
use crate::text::limits::SYMLINKS;
use crate::text::{FileId, RepoPath, RootId, Spanned, is_placeholder};
use crate::value::{Text, Unknown, Why};

/// A path of a root.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The root.
    pub root: RootId,
    /// The path in it.
    pub path: RepoPath,
}

/// One entry of `valueFiles` or `fileParameters`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueFile {
    /// As written.
    pub written: Text,
    /// What it leads to.
    pub meaning: Meaning,
    /// A variable that Argo CD does not set and therefore replaces by nothing. Another tool may fill it in before, so
    /// that a file which is not there may be there after all.
    pub foreign: Option<String>,
}

/// What an entry leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A file.
    File(Place, FileId),
    /// Nothing is there.
    Missing(Place),
    /// A folder, which Helm cannot read.
    Folder(Place),
    /// What a glob matches, in order.
    Glob(Place, Vec<Place>),
    /// A glob that does not compile.
    BadGlob(BadPattern),
    /// A URL with a scheme that Argo CD allows by default.
    Remote(String),
    /// A URL with another scheme; the configuration of Argo CD may allow it.
    OtherScheme(String),
    /// It leaves the repository.
    Outside,
    /// It is the repository itself.
    Repository,
    /// `$name` at the start, with this problem.
    Ref(RefProblem),
    /// A path in a chart that is not in the roots.
    InChart(String),
    /// It is relative to a folder that is not there: the source's path is what is wrong.
    NoFolder,
    /// It cannot be known.
    Unknown(Unknown),
}

/// One file that Helm reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layer {
    /// In a root.
    Local(Place),
    /// At a URL.
    Remote(String),
}

/// Where the paths of a source without `$name` lead.
#[derive(Clone, Debug)]
pub enum Base {
    /// Into a folder of a root; without the folder, only paths from the root are known.
    Root(RootId, Option<RepoPath>),
    /// Into a chart that is not in the roots.
    Chart,
    /// Nobody knows.
    Unknown(Unknown),
}

/// The refs of an app.
#[derive(Clone, Debug, Default)]
pub struct Refs<'a> {
    /// By name.
    pub named: Vec<(&'a str, Target)>,
    /// What any other `$name` at the start is; `None` where it is a variable, as in an app with a single `source`.
    pub other: Option<Target>,
}

/// Where the paths with a `$name` lead.
#[derive(Clone, Debug)]
pub enum Target {
    /// Into a root.
    Root(RootId),
    /// Nowhere, for this reason.
    Problem(RefProblem),
    /// Nobody knows.
    Unknown(Unknown),
}

/// Resolves the entries of one source.
#[derive(Clone, Debug)]
pub struct Resolver<'a> {
    /// All roots.
    pub repo: &'a Repo,
    /// The variables of the source.
    pub environment: &'a Environment,
    /// Where plain paths lead.
    pub base: Base,
    /// The refs of the app.
    pub refs: &'a Refs<'a>,
}

impl Refs<'_> {
    fn target(&self, name: &str) -> Option<&Target> {
        self.named.iter().find(|(other, _)| *other == name).map(|(_, target)| target).or(self.other.as_ref())
    }
}

impl Resolver<'_> {
    /// An entry of `valueFiles`, which may be a glob.
    pub fn value_file(&self, written: &Text) -> ValueFile {
        self.resolve(written, true)
    }

    /// A path of `fileParameters`, which is taken literally.
    pub fn file_parameter(&self, written: &Text) -> ValueFile {
        self.resolve(written, false)
    }

    fn resolve(&self, written: &Text, may_be_glob: bool) -> ValueFile {
        let mut foreign = None;
        let meaning = self.meaning(written, may_be_glob, &mut foreign);
        ValueFile { written: written.clone(), meaning, foreign }
    }

    fn meaning(&self, written: &Text, may_be_glob: bool, foreign: &mut Option<String>) -> Meaning {
        let name = ref_name_of(written).map(|name| name.value);
        let target = name.and_then(|name| self.refs.target(name));
        let is_braced = name.is_some_and(|name| name.starts_with('{'));
        if let Some(Target::Problem(problem)) = target.filter(|_| !is_braced) {
            return Meaning::Ref(*problem);
        }
        let Some(text) = written.known() else {
            let unknown = written.unknowns().next().cloned();
            return Meaning::Unknown(unknown.unwrap_or(Unknown { why: Why::Template, span: written.span() }));
        };
        let unknown = |why| Meaning::Unknown(Unknown { why, span: text.span });
        let path = match (target, name) {
            (Some(_), Some(name)) => &text.value[1 + name.len()..],
            _ => text.value,
        };
        let path = match self.environment.expand(path) {
            Ok(expanded) => {
                *foreign = expanded.foreign;
                expanded.text
            }
            Err(name) => return unknown(Why::Runtime(name)),
        };
        if is_placeholder(&path) {
            return unknown(Why::Template);
        }
        if let Some(scheme) = Url::parse(&path).map(|url| url.scheme().to_owned()).filter(|scheme| !scheme.is_empty()) {
            return if matches!(scheme.as_str(), "http" | "https") {
                Meaning::Remote(path)
            } else {
                Meaning::OtherScheme(scheme)
            };
        }
        match (target, &self.base) {
            (Some(Target::Root(root)), _) => {
                self.local(*root, Some(&RepoPath::root()), Spanned::new(&path, text.span), may_be_glob)
            }
            (Some(Target::Unknown(unknown)), _) | (None, Base::Unknown(unknown)) => Meaning::Unknown(unknown.clone()),
            // In braces it is somebody else's placeholder rather than a `ref`.
            (Some(Target::Problem(_)), _) => unknown(Why::Template),
            (None, Base::Root(root, folder)) => {
                self.local(*root, folder.as_ref(), Spanned::new(&path, text.span), may_be_glob)
            }
            (None, Base::Chart) => Meaning::InChart(path),
        }
    }

    fn local(&self, root: RootId, folder: Option<&RepoPath>, path: Spanned<&str>, may_be_glob: bool) -> Meaning {
        let Spanned { value: path, span } = path;
        let joined = match (path.starts_with('/'), folder) {
            (true, _) => RepoPath::new(path),
            (false, Some(folder)) => folder.join(path),
            (false, None) => return Meaning::NoFolder,
        };
        let Some(path) = joined.ok().and_then(|path| self.unlinked(root, path)) else { return Meaning::Outside };
        if path.is_root() {
            return Meaning::Repository;
        }
        if may_be_glob && has_meta(path.as_str()) {
            return self.glob(root, path);
        }
        let found = self.repo.find(root, &path);
        let place = Place { root, path };
        match found {
            Found::File(file) => Meaning::File(place, file),
            Found::Folder(_) => Meaning::Folder(place),
            Found::Missing => Meaning::Missing(place),
            Found::Outside => Meaning::Outside,
            Found::Submodule => Meaning::Unknown(Unknown { why: Why::Submodule, span }),
        }
    }

    fn glob(&self, root: RootId, pattern: RepoPath) -> Meaning {
        let matches = match glob::expand(self.repo, root, &pattern) {
            Ok(matches) => matches,
            Err(bad) => return Meaning::BadGlob(bad),
        };
        // One match that leads nowhere, or out, fails them all.
        if matches.iter().any(|path| matches!(self.repo.find(root, path), Found::Missing | Found::Outside)) {
            return Meaning::Outside;
        }
        Meaning::Glob(Place { root, path: pattern }, matches.into_iter().map(|path| Place { root, path }).collect())
    }

    /// The path with the links of its last segment followed; `None` when they leave the root or are too many.
    fn unlinked(&self, root: RootId, mut path: RepoPath) -> Option<RepoPath> {
        for _ in 0..=SYMLINKS {
            let Some(target) = self.link_target(root, &path) else { return Some(path) };
            if target.starts_with('/') {
                return None;
            }
            path = path.parent()?.join(target).ok()?;
        }
        None
    }

    fn link_target(&self, root: RootId, path: &RepoPath) -> Option<&str> {
        let Found::Folder(folder) = self.repo.find(root, &path.parent()?) else { return None };
        let listed = self.repo.listed(root, &folder.join(path.name()).ok()?)?;
        match &self.repo.entry(listed).kind {
            EntryKind::Symlink(target) => Some(target),
            _ => None,
        }
    }
}

impl Meaning {
    /// Whether Argo CD or Helm certainly fails on it.
    pub fn fails(&self, ignore_missing: bool) -> bool {
        match self {
            Meaning::File(..) | Meaning::Remote(_) | Meaning::OtherScheme(_) => false,
            Meaning::InChart(_) | Meaning::NoFolder | Meaning::Unknown(_) => false,
            Meaning::Missing(_) => !ignore_missing,
            Meaning::Glob(_, matches) => matches.is_empty() && !ignore_missing,
            Meaning::Folder(_) | Meaning::BadGlob(_) | Meaning::Outside | Meaning::Repository | Meaning::Ref(_) => true,
        }
    }
}

/// What Helm is given, weakest first. A file is read once: where it is listed without a glob, else at the first glob that
/// matches it. A missing file is left out when those are ignored, else Helm is told to read it.
///
/// # Errors
/// The index of the first entry that is not known, or on which Argo CD itself fails.
pub fn layers(files: &[ValueFile], ignore_missing: bool) -> Result<Vec<Layer>, usize> {
    let plain = |file: &ValueFile| match &file.meaning {
        Meaning::File(place, _) | Meaning::Missing(place) | Meaning::Folder(place) => Some(place.clone()),
        _ => None,
    };
    let listed: Vec<Place> = files.iter().filter_map(plain).collect();
    let mut layers: Vec<Layer> = Vec::new();
    let mut push = |layer: Layer| {
        if !layers.contains(&layer) {
            layers.push(layer);
        }
    };
    for (index, file) in files.iter().enumerate() {
        match &file.meaning {
            Meaning::Missing(_) if ignore_missing => {}
            Meaning::File(place, _) | Meaning::Missing(place) | Meaning::Folder(place) => {
                push(Layer::Local(place.clone()))
            }
            Meaning::Remote(url) => push(Layer::Remote(url.clone())),
            Meaning::Glob(_, matches) if !matches.is_empty() || ignore_missing => {
                matches.iter().filter(|place| !listed.contains(place)).cloned().map(Layer::Local).for_each(&mut push);
            }
            _ => return Err(index),
        }
    }
    Ok(layers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{Entry, Root};
    use crate::text::Span;

    fn repo(listing: &[(&str, EntryKind)]) -> Repo {
        let mut entries: Vec<Entry> = listing
            .iter()
            .map(|(path, kind)| Entry {
                root: RootId(0),
                path: RepoPath::new(path).unwrap(),
                kind: kind.clone(),
                file: None,
            })
            .collect();
        entries.sort_by(|one, other| one.path.as_str().cmp(other.path.as_str()));
        Repo::new(vec![Root::default()], entries)
    }

    fn resolved(listing: &[(&str, EntryKind)], written: &str) -> Meaning {
        let (repo, environment, refs) = (repo(listing), Environment::default(), Refs::default());
        let base = Base::Root(RootId(0), Some(RepoPath::new("charts/shop").unwrap()));
        let resolver = Resolver { repo: &repo, environment: &environment, base, refs: &refs };
        resolver.value_file(&Text::known_at(written, Span::default())).meaning
    }

    fn path(meaning: &Meaning) -> Option<&str> {
        match meaning {
            Meaning::File(place, _) | Meaning::Missing(place) | Meaning::Folder(place) => Some(place.path.as_str()),
            _ => None,
        }
    }

    #[test]
    fn a_path_starts_in_the_folder_or_at_the_root() {
        let tree = [("charts/shop/a.yaml", EntryKind::File), ("b.yaml", EntryKind::File)];
        assert!(matches!(resolved(&tree, "a.yaml"), Meaning::File(..)));
        assert!(matches!(resolved(&tree, "../../b.yaml"), Meaning::File(..)));
        assert!(matches!(resolved(&tree, "/b.yaml"), Meaning::File(..)));
        assert_eq!(path(&resolved(&tree, "b.yaml")), Some("charts/shop/b.yaml"));
        assert_eq!(resolved(&tree, "../../../b.yaml"), Meaning::Outside);
        assert_eq!(resolved(&tree, "../.."), Meaning::Repository);
    }

    #[test]
    fn a_scheme_makes_a_url() {
        assert_eq!(resolved(&[], "https://h/a.yaml"), Meaning::Remote("https://h/a.yaml".into()));
        assert_eq!(resolved(&[], "secrets://a.yaml"), Meaning::OtherScheme("secrets".into()));
        // What Go cannot parse is a path.
        assert!(matches!(resolved(&[], "https://h h/a.yaml"), Meaning::Missing(_)));
    }

    #[test]
    fn links_are_followed_as_far_as_argo_cd_does() {
        let link = |target: &str| EntryKind::Symlink(target.to_owned());
        let tree = [("charts/shop/a.yaml", link("../b.yaml")), ("charts/b.yaml", EntryKind::File)];
        assert_eq!(path(&resolved(&tree, "a.yaml")), Some("charts/b.yaml"));
        assert_eq!(resolved(&[("charts/shop/a.yaml", link("../../../b.yaml"))], "a.yaml"), Meaning::Outside);
        assert_eq!(resolved(&[("charts/shop/a.yaml", link("/etc/b.yaml"))], "a.yaml"), Meaning::Outside);
        assert_eq!(resolved(&[("charts/shop/a.yaml", link("a.yaml"))], "a.yaml"), Meaning::Outside);
    }

    #[test]
    fn another_name_at_the_start_is_an_empty_variable_without_sources() {
        let tree = [("a.yaml", EntryKind::File)];
        assert!(matches!(resolved(&tree, "$values/a.yaml"), Meaning::File(..)));
    }

    #[test]
    fn a_file_is_read_where_it_is_listed_alone() {
        let file = |name: &str| Place { root: RootId(0), path: RepoPath::new(name).unwrap() };
        let entry = |meaning| ValueFile { written: Text::default(), meaning, foreign: None };
        let glob = entry(Meaning::Glob(file("*"), vec![file("a"), file("b")]));
        let plain = entry(Meaning::File(file("a"), FileId(0)));
        let missing = entry(Meaning::Missing(file("c")));
        let local = |names: &[&str]| Ok(names.iter().map(|name| Layer::Local(file(name))).collect());
        assert_eq!(layers(&[glob.clone(), plain.clone()], false), local(&["b", "a"]));
        assert_eq!(layers(&[plain.clone(), glob.clone(), missing.clone()], true), local(&["a", "b"]));
        assert_eq!(layers(&[plain, missing], false), local(&["a", "c"]));
        assert_eq!(layers(&[glob, entry(Meaning::Outside)], false), Err(1));
    }
}
