//! From what the command line names to roots, their listing, and the settings of the run.

use super::baseline;
use super::config::{self, Clusters, ConfigFile, Mistake};
use super::git;
use super::objects::{State, Stored};
use super::settings::{Place, Settings};
use super::snapshot::{self, Contents, Listed, Snapshot, SnapshotRoot};
use super::states::States;
use super::walk::slashes;
use crate::repo::{EntryKind, RepoUrl, Root};
use crate::text::limits::FILE_BYTES;
use crate::text::{RepoPath, RootId, Span};
use crate::yaml;
use anyhow::{Context as _, Error, Result, bail, ensure};
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The working directory, absolute; relative paths start here.
    pub folder: PathBuf,
    /// What is to be checked; empty for the repository that holds the working directory.
    pub paths: Vec<PathBuf>,
    /// The configuration file, instead of the one that is found upward from the first path.
    pub config: Option<PathBuf>,
    /// Where repositories are checked out, beside what the configuration says.
    pub repos: Vec<(String, PathBuf)>,
    /// The file with the clusters, instead of what the configuration says.
    pub clusters: Option<PathBuf>,
    /// Whether paths are only asked about: they need not be there, and where they have no configuration, that of the
    /// working directory holds.
    pub explains: bool,
    /// Which state of the checkouts that hold the paths is read; what is mapped elsewhere is read as it lies there.
    pub state: State,
    /// A revision to compare with: what it and the state above have in common is the base.
    pub since: Option<String>,
}

/// What is to be checked, and how.
#[derive(Debug)]
pub struct Opened {
    /// The roots.
    pub snapshot: Snapshot,
    /// The settings.
    pub settings: Settings,
    /// The same roots before the change, when that is asked for.
    pub base: Option<Snapshot>,
    /// What must be said about how the roots were found: sentences for the summary.
    pub notes: Vec<String>,
}

/// Finds the configuration and the roots.
///
/// # Errors
/// A path, a configuration, a mapped folder or a revision that is named on the command line is not there or cannot be
/// read.
pub fn open(request: &Request) -> Result<Opened> {
    let asked = asked_paths(request)?;
    let folder = real(&request.folder).context("cannot find the working directory")?;
    let folders: Vec<&Path> = asked.iter().map(Asked::folder).collect();
    let states = States::open(&request.state, request.since.as_deref(), &folders)?;
    let mut opening =
        Opening { folder, states, texts: Vec::new(), notes: Vec::new(), roots: Vec::new(), starts_here: false };
    let (config, mistakes, config_file) = opening.configuration(request, &asked)?;
    let mapped = opening.mappings(request, &config, config_file.as_deref())?;
    let scope = opening.find_roots(&asked, &mapped, config_file.as_deref());
    let mut snapshot = opening.list(&mapped);
    let mut base = opening.list_base(&snapshot);
    let place = config_file.as_ref().map(|file| opening.place(&mut snapshot, file));
    let (baseline, clusters) = (config.baseline.clone(), config.clusters.clone());
    let mut settings = match &place {
        Some(place) => Settings::new(config, mistakes, place.clone()),
        None => Settings::default(),
    };
    settings.scope = scope;
    if let Some((place, file)) = place.as_ref().zip(config_file.as_ref()) {
        let folder = file.parent().unwrap_or(Path::new("/"));
        if let Some(path) = baseline {
            opening.baseline(&mut settings, &mut snapshot, place, path.span, &folder.join(path.as_str()));
        }
        if let (Clusters::File(path), None) = (clusters, &request.clusters) {
            opening.clusters(&mut settings, &mut snapshot, place, path.span, &folder.join(path.as_str()));
        }
    }
    if let Some(path) = &request.clusters {
        let file = real(&request.folder.join(path)).with_context(|| format!("cannot read `{}`", path.display()))?;
        let text = opening.read(&file)?;
        let (clusters, mistakes) = config::read_clusters(&text);
        let place = opening.place(&mut snapshot, &file);
        settings.set_clusters(clusters);
        settings.mistakes.extend(mistakes.into_iter().map(|mistake| (place.clone(), mistake)));
    }
    if let Some(base) = &mut base {
        // The files that configure the run are the same before and after.
        base.roots.extend(snapshot.roots.iter().skip(base.roots.len()).cloned());
    }
    Ok(Opened { snapshot, settings, base, notes: opening.notes })
}

/// A path that is to be checked.
struct Asked {
    /// Absolute, links resolved.
    path: PathBuf,
    /// As given; `None` for the working directory when nothing was given.
    given: Option<String>,
}

impl Asked {
    fn folder(&self) -> &Path {
        if self.path.is_dir() { &self.path } else { self.path.parent().unwrap_or(&self.path) }
    }
}

/// A folder that is said to be a checkout of a repository.
struct Mapped {
    url: String,
    folder: PathBuf,
    given: String,
}

/// A root that was found.
struct Found {
    name: String,
    folder: PathBuf,
    top: Option<PathBuf>,
}

struct Opening {
    /// The working directory, links resolved.
    folder: PathBuf,
    states: States,
    /// The files that were read so far, so that those outside of all roots can be shown.
    texts: Vec<(PathBuf, String)>,
    notes: Vec<String>,
    roots: Vec<Found>,
    /// Whether the configuration is that of the working directory, because the paths have none.
    starts_here: bool,
}

fn asked_paths(request: &Request) -> Result<Vec<Asked>> {
    if request.paths.is_empty() {
        let path = real(&request.folder).context("cannot find the working directory")?;
        return Ok(vec![Asked { path, given: None }]);
    }
    let paths = request.paths.iter().map(|given| {
        let wanted = request.folder.join(given);
        let path = match real_unless_link(&wanted) {
            Err(_) if request.explains => real_as_far_as_it_is(&wanted),
            path => path,
        };
        let path = path.with_context(|| format!("cannot check `{}`", given.display()))?;
        Ok(Asked { path, given: Some(given.to_string_lossy().into_owned()) })
    });
    paths.collect()
}

/// The path with links resolved, but not the last one where it leads to no folder: the link itself is asked for.
fn real_unless_link(path: &Path) -> Result<PathBuf> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) && !path.is_dir();
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if is_link => Ok(real(folder)?.join(name)),
        _ => real(path),
    }
}

/// The path with links resolved down to the last folder that is there.
fn real_as_far_as_it_is(path: &Path) -> Result<PathBuf> {
    let folder = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    let rest = path.strip_prefix(folder).expect("a path starts with its ancestors");
    Ok(real(folder)?.join(rest))
}

fn real(path: &Path) -> Result<PathBuf> {
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!("no such file or folder"),
        Err(error) => bail!("{}", super::walk::reason(&error)),
    }
}

impl Opening {
    fn configuration(
        &mut self,
        request: &Request,
        asked: &[Asked],
    ) -> Result<(ConfigFile, Vec<Mistake>, Option<PathBuf>)> {
        let file = match &request.config {
            Some(path) => {
                let file = real(&request.folder.join(path));
                let file = file.with_context(|| format!("cannot read the configuration `{}`", path.display()))?;
                let (config, mistakes) = config::read(&self.read_from_disk(&file)?);
                return Ok((config, mistakes, Some(file)));
            }
            None => self.states.find_config(asked[0].folder()).or_else(|| {
                self.starts_here = request.explains;
                self.states.find_config(&self.folder).filter(|_| request.explains)
            }),
        };
        let Some(file) = file else { return Ok((ConfigFile::default(), Vec::new(), None)) };
        let text = self.read(&file)?;
        let (config, mistakes) = config::read(&text);
        Ok((config, mistakes, Some(file)))
    }

    fn read(&mut self, file: &Path) -> Result<String> {
        let what = || format!("cannot read `{}`", file.display());
        let Some((stored, path)) = self.states.holding(file) else { return self.read_from_disk(file) };
        let bytes = stored.read(&path).map_err(Error::msg).with_context(what)?;
        self.decode(file, &bytes)
    }

    fn read_from_disk(&mut self, file: &Path) -> Result<String> {
        let what = || format!("cannot read `{}`", file.display());
        ensure!(file.is_file(), "{}: it is no file", what());
        let mut bytes = Vec::new();
        let opened = std::fs::File::open(file).with_context(what)?;
        opened.take(FILE_BYTES + 1).read_to_end(&mut bytes).with_context(what)?;
        self.decode(file, &bytes)
    }

    fn decode(&mut self, file: &Path, bytes: &[u8]) -> Result<String> {
        let what = || format!("cannot read `{}`", file.display());
        ensure!(bytes.len() as u64 <= FILE_BYTES, "{}: it is larger than {} MiB", what(), FILE_BYTES >> 20);
        let text = yaml::decode(bytes).with_context(what)?.into_owned();
        self.texts.push((file.to_owned(), text.clone()));
        Ok(text)
    }

    /// The folders of repositories, those of the command line first; it wins over the configuration.
    fn mappings(&mut self, request: &Request, config: &ConfigFile, file: Option<&Path>) -> Result<Vec<Mapped>> {
        let mut mapped: Vec<Mapped> = Vec::new();
        for (url, path) in &request.repos {
            let given = path.to_string_lossy().into_owned();
            ensure!(RepoUrl::new(url).is_some(), "`--repo {url}={given}`: `{url}` is not the URL of a repository");
            let folder =
                real(&request.folder.join(path)).with_context(|| format!("cannot use `--repo {url}={given}`"))?;
            ensure!(folder.is_dir(), "cannot use `--repo {url}={given}`: `{given}` is no folder");
            mapped.push(Mapped { url: url.clone(), folder, given });
        }
        let folder = file.and_then(Path::parent).unwrap_or(&request.folder);
        for (url, path) in &config.repos {
            let identity = RepoUrl::new(url.as_str());
            if identity.is_none() || mapped.iter().any(|other| RepoUrl::new(&other.url) == identity) {
                continue;
            }
            match real(&folder.join(path.as_str())) {
                Ok(folder) if folder.is_dir() => {
                    mapped.push(Mapped { url: url.value.clone(), folder, given: path.value.clone() });
                }
                _ => self
                    .notes
                    .push(format!("`{}` is not there: what reads {} cannot be decided", path.value, url.value)),
            }
        }
        Ok(mapped)
    }

    /// Names the roots: those of the paths in their order, then what is mapped. Returns which paths are asked for,
    /// nothing when that is all.
    fn find_roots(&mut self, asked: &[Asked], mapped: &[Mapped], config: Option<&Path>) -> Vec<Place> {
        let mut scope = Vec::new();
        if self.starts_here {
            let here = Asked { path: self.folder.clone(), given: None };
            self.add_root(root_of(&here, &self.folder, mapped, config), ".".to_owned());
            for repo in mapped {
                self.add_root(repo.folder.clone(), repo.given.clone());
            }
        }
        for path in asked {
            let folder = root_of(path, &self.folder, mapped, config);
            let inside = path.path.strip_prefix(&folder).unwrap_or(Path::new(""));
            let given = path.given.as_deref().unwrap_or(".");
            let root = self.add_root(folder.clone(), without(given, inside));
            // A path that is not UTF-8 has no place in the repository's terms: its folder has.
            let inside = inside.ancestors().find_map(|path| RepoPath::new(&slashes(path.to_str()?)).ok());
            scope.push(Place { root, path: inside.unwrap_or_else(RepoPath::root) });
        }
        for repo in mapped {
            self.add_root(repo.folder.clone(), repo.given.clone());
        }
        let is_whole = asked.iter().all(|path| path.given.is_none()) || scope.iter().all(|place| place.path.is_root());
        if is_whole { Vec::new() } else { scope }
    }

    fn add_root(&mut self, folder: PathBuf, given: String) -> RootId {
        let at = self.roots.iter().position(|root| root.folder == folder).unwrap_or_else(|| {
            let name = if self.roots.is_empty() { ".".to_owned() } else { slashes(&given).into_owned() };
            let top = git::top_of(&folder).map(Path::to_owned);
            self.roots.push(Found { name, folder, top });
            self.roots.len() - 1
        });
        RootId(at as u16)
    }

    fn list(&mut self, mapped: &[Mapped]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for root in &self.roots {
            let inside = self.inside(root);
            let held = self.states.of(&root.folder);
            let (listed, contents) = match held.and_then(|held| Some((&held.top, held.now.as_ref()?))) {
                Some((top, now)) => {
                    let (listing, contents) = snapshot::list_stored(now, &root.folder, top, &inside);
                    (Listed { listing, checkout: git::read(top).ok(), notes: Vec::new() }, contents)
                }
                None => {
                    let listed = snapshot::list(&root.name, &root.folder, root.top.as_deref(), &inside);
                    (listed, Contents::Disk(root.folder.clone()))
                }
            };
            let described = describe(root, &listed, mapped);
            self.notes.extend(listed.notes);
            snapshot.roots.push(SnapshotRoot {
                root: described,
                entries: listed.listing.entries,
                unread: listed.listing.unread,
                contents,
                is_settings: false,
            });
        }
        snapshot
    }

    /// The roots before the change; those that are read as they lie there are the same.
    fn list_base(&self, snapshot: &Snapshot) -> Option<Snapshot> {
        let before = |(root, now): (&Found, &SnapshotRoot)| {
            let held = self.states.of(&root.folder);
            let Some((top, base)) = held.and_then(|held| Some((&held.top, held.base.as_ref()?))) else {
                return now.clone();
            };
            let (listing, contents) = snapshot::list_stored(base, &root.folder, top, &self.inside(root));
            let root = now.root.clone();
            SnapshotRoot { root, entries: listing.entries, contents, ..SnapshotRoot::default() }
        };
        let roots = self.roots.iter().zip(&snapshot.roots);
        self.states.is_compared.then(|| Snapshot { roots: roots.map(before).collect() })
    }

    /// The folders of other roots inside a root.
    fn inside(&self, root: &Found) -> Vec<RepoPath> {
        let others = self.roots.iter().filter(|other| other.folder != root.folder);
        let inside = others.filter_map(|other| other.folder.strip_prefix(&root.folder).ok()?.to_str());
        inside.filter_map(|path| RepoPath::new(&slashes(path)).ok()).collect()
    }

    /// Where a file that configures the run is listed; it is added when it is not.
    fn place(&self, snapshot: &mut Snapshot, file: &Path) -> Place {
        let inside = |root: &Found| {
            let path = file.strip_prefix(&root.folder).ok()?.to_str()?;
            RepoPath::new(&slashes(path)).ok()
        };
        let text = self.texts.iter().find(|(read, _)| read == file).map_or("", |(_, text)| text);
        // What git holds may not be what was read: `--config` names a file of the work tree.
        let is_same = |stored: &Stored, path: &str| stored.read(path).is_ok_and(|bytes| bytes == text.as_bytes());
        let is_listed = self.states.holding(file).is_none_or(|(stored, path)| is_same(stored, &path));
        let innermost = self.roots.iter().enumerate().filter_map(|(index, root)| Some((index, inside(root)?)));
        let innermost = innermost.filter(|_| is_listed);
        if let Some((index, path)) = innermost.min_by_key(|(_, path)| path.as_str().len()) {
            let entries = &mut snapshot.roots[index].entries;
            if !entries.iter().any(|(listed, _)| *listed == path) {
                entries.push((path.clone(), EntryKind::File));
            }
            return Place { root: RootId(index as u16), path };
        }
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = RepoPath::new(&name).unwrap_or_else(|_| RepoPath::root());
        let folder = file.parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
        let files = BTreeMap::from([(path.clone(), text.as_bytes().to_vec())]);
        snapshot.roots.push(SnapshotRoot { is_settings: true, ..SnapshotRoot::in_memory(&folder, files) });
        Place { root: RootId(snapshot.roots.len() as u16 - 1), path }
    }

    fn baseline(&mut self, settings: &mut Settings, snapshot: &mut Snapshot, config: &Place, span: Span, path: &Path) {
        let Some((place, text)) = self.named_file(settings, snapshot, config, span, path) else { return };
        let (baseline, mistakes) = baseline::read(&text, place.clone());
        settings.mistakes.extend(mistakes.into_iter().map(|mistake| (place.clone(), mistake)));
        settings.baseline = Some(baseline);
    }

    fn clusters(&mut self, settings: &mut Settings, snapshot: &mut Snapshot, config: &Place, span: Span, path: &Path) {
        let Some((place, text)) = self.named_file(settings, snapshot, config, span, path) else { return };
        let (clusters, mistakes) = config::read_clusters(&text);
        settings.mistakes.extend(mistakes.into_iter().map(|mistake| (place.clone(), mistake)));
        settings.set_clusters(clusters);
    }

    /// Reads a file that the configuration names at `span`; that it cannot be read is a mistake there.
    fn named_file(
        &mut self,
        settings: &mut Settings,
        snapshot: &mut Snapshot,
        config: &Place,
        span: Span,
        path: &Path,
    ) -> Option<(Place, String)> {
        let read = real(path).and_then(|file| Ok((self.read(&file)?, file)));
        match read {
            Ok((text, file)) => Some((self.place(snapshot, &file), text)),
            Err(error) => {
                let message = format!("this file cannot be read: {}", error.root_cause());
                let mistake = Mistake { span, message, help: Some("correct the path, or remove the key".into()) };
                settings.mistakes.push((config.clone(), mistake));
                None
            }
        }
    }
}

/// What was given for a path, without what lies inside its root; as given where the two do not end alike.
fn without(given: &str, inside: &Path) -> String {
    let above = Path::new(given)
        .components()
        .rev()
        .zip(inside.components().rev())
        .try_fold(Path::new(given), |path, (one, other)| if one == other { path.parent() } else { None });
    let is_whole = Path::new(given).components().count() >= inside.components().count();
    match above.filter(|_| is_whole).and_then(Path::to_str) {
        // The working directory; `.` is the first root, whichever that is.
        Some("") => "./".to_owned(),
        Some(above) => above.to_owned(),
        None => given.to_owned(),
    }
}

/// The root that a path belongs to: the innermost of the mapped folders and the checkout that hold it. Outside of
/// both, the folder of the configuration, else the folder itself, for a file the working directory that holds it.
fn root_of(path: &Asked, working: &Path, mapped: &[Mapped], config: Option<&Path>) -> PathBuf {
    let folder = path.folder();
    let holds = |candidate: &&Path| path.path.starts_with(candidate);
    let checkouts = git::top_of(folder).into_iter().chain(mapped.iter().map(|mapped| mapped.folder.as_path()));
    if let Some(innermost) = checkouts.filter(holds).max_by_key(|folder| folder.as_os_str().len()) {
        return innermost.to_owned();
    }
    let config = config.and_then(Path::parent).filter(|folder| holds(folder));
    let working = Some(working).filter(|folder| !path.path.is_dir() && holds(folder));
    config.or(working).unwrap_or(folder).to_owned()
}

/// The root's identity: what is mapped to it, the remotes of its checkout unless they are mapped elsewhere, branches.
fn describe(root: &Found, listed: &Listed, mapped: &[Mapped]) -> Root {
    let mut urls: Vec<RepoUrl> = Vec::new();
    let here = mapped.iter().filter(|repo| repo.folder == root.folder);
    urls.extend(here.filter_map(|repo| RepoUrl::new(&repo.url)));
    let mut branches = Vec::new();
    if let Some(checkout) = &listed.checkout {
        if root.top.as_ref() == Some(&root.folder) {
            let elsewhere = |url: &RepoUrl| mapped.iter().any(|repo| RepoUrl::new(&repo.url).as_ref() == Some(url));
            let remotes = checkout.urls.iter().filter_map(|url| RepoUrl::new(url));
            urls.extend(remotes.filter(|url| !elsewhere(url)));
        }
        branches.extend(checkout.branch.clone());
        branches.extend(checkout.defaults.iter().cloned());
        if checkout.branch.is_some() && checkout.defaults.is_empty() {
            branches.extend(Root::DEFAULT_BRANCHES.map(str::to_owned));
        }
    }
    urls.dedup();
    branches.dedup();
    Root { name: root.name.clone(), urls, branches, pin: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_named_without_what_lies_inside_it() {
        for (given, inside, name) in [
            ("../spokes/apps/web", "apps/web", "../spokes"),
            ("../spokes", "", "../spokes"),
            ("values.yaml", "values.yaml", "./"),
            ("/etc/hosts", "hosts", "/etc"),
            ("../..", "apps/web", "../.."),
            ("web", "apps/web", "web"),
        ] {
            assert_eq!(without(given, Path::new(inside)), name, "{given} {inside}");
        }
    }
}
