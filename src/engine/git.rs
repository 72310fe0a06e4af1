//! What git knows about a checkout: tracked paths, remotes, branches. Nothing is run, and only `.git` is read.

use super::walk::slashes;
use crate::repo::EntryKind;
use crate::text::RepoPath;
use std::collections::BTreeMap;
use std::path::Path;

#[cfg(feature = "git")]
use crate::fleet::source::revision::is_range;
#[cfg(feature = "git")]
use crate::text::limits::{FILE_BYTES, LINK_BYTES, PATH_BYTES, REVISION_BYTES, REVISION_FILES};

/// What git knows about a checkout.
#[derive(Debug, Default)]
pub struct Checkout {
    /// Every path of the index, relative to the top of the work tree, in byte order; a conflict may list one twice.
    pub tracked: Vec<Tracked>,
    /// The URLs of all remotes, as written.
    pub urls: Vec<String>,
    /// The current branch; `None` when a commit is checked out.
    pub branch: Option<String>,
    /// The branches that remotes name as their default, as far as this clone knows.
    pub defaults: Vec<String>,
}

/// A path of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tracked {
    /// Relative to the top of the work tree; not normalised.
    pub path: String,
    /// What the index says about it.
    pub kind: TrackedKind,
}

/// What the index says about a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrackedKind {
    /// A file or a link.
    File,
    /// A submodule.
    Submodule,
    /// A file or folder that a sparse checkout leaves out.
    LeftOut,
}

/// Opens a repository: of its own settings nothing is run, and nobody else's are read.
///
/// # Errors
/// Why it cannot be opened, as the end of a sentence.
#[cfg(feature = "git")]
pub fn open(top: &Path) -> Result<gix::Repository, String> {
    let options = gix::open::Options::isolated().with(gix::sec::Trust::Full);
    gix::open_opts(top, options).map_err(|error| first_line(&error))
}

/// Reads the checkout whose work tree is `top`. Ownership does not matter: nothing that git runs is run here.
///
/// # Errors
/// Why git's files cannot be used, as the end of a sentence.
#[cfg(feature = "git")]
pub fn read(top: &Path) -> Result<Checkout, String> {
    let repo = open(top)?;
    match repo.workdir() {
        None => return Err("it is bare: it has no work tree".into()),
        Some(folder) if !is_same(folder, top) => return Err("its work tree is another folder".into()),
        Some(_) => {}
    }
    let head = repo.head().map_err(|error| first_line(&error))?;
    let branch = head.referent_name().map(|name| name.shorten().to_string());
    let mut urls = Vec::new();
    for section in repo.config_snapshot().plumbing().sections_by_name("remote").into_iter().flatten() {
        urls.extend(section.values("url").into_iter().map(|url| url.to_string()));
    }
    let defaults = repo.remote_names().iter().filter_map(|remote| default_branch(&repo, &remote.to_string())).collect();
    let tracked = match repo.try_index().map_err(|error| first_line(&error))? {
        Some(index) => index.entries().iter().filter_map(|entry| tracked(entry, entry.path(&index))).collect(),
        None => Vec::new(),
    };
    Ok(Checkout { tracked, urls, branch, defaults })
}

/// One revision: what it holds, and the bytes of the files that were asked for.
#[derive(Debug, Default)]
pub struct Revision {
    /// Every path that is no folder, in any order.
    pub listed: Vec<(RepoPath, EntryKind)>,
    /// Bytes by path.
    pub bytes: BTreeMap<RepoPath, Vec<u8>>,
}

/// Reads what lies below `prefix` in a revision: a tag or a commit. Bytes are read of the files that `is_read` wants.
/// Nothing when this clone does not have all of it, or when it is beyond the limits. What a branch or a range of
/// versions means may have moved since this clone was fetched, so those are never read.
#[cfg(feature = "git")]
pub fn read_revision(
    top: &Path,
    prefix: &RepoPath,
    revision: &str,
    is_read: impl Fn(&RepoPath) -> bool,
) -> Option<Revision> {
    let repo = open(top).ok()?;
    let tree = find(&repo, revision)?.peel_to_tree().ok()?;
    let mut found = Revision::default();
    let mut bytes = 0;
    for (path, kind, id) in paths_below(&repo, tree.id, "", REVISION_FILES).ok()? {
        let Some(Ok(path)) = strip_prefix(&path, prefix).map(RepoPath::new) else { continue };
        if kind == EntryKind::File && is_read(&path) {
            let size = repo.find_header(id).ok()?.size();
            bytes += size;
            if bytes > REVISION_BYTES {
                return None;
            }
            if size <= FILE_BYTES {
                let mut blob = repo.find_object(id).ok()?;
                found.bytes.insert(path.clone(), std::mem::take(&mut blob.data));
            }
        }
        found.listed.push((path, kind));
    }
    Some(found)
}

/// Every path below a folder of git's objects that is no folder, after `prefix`, and its object; in no order. Folders may
/// hold each other many times, so that what they say is counted, and not believed.
///
/// # Errors
/// Why not all are known, as the end of a sentence: an object is missing, or there are more than `most`.
#[cfg(feature = "git")]
pub fn paths_below(
    repo: &gix::Repository,
    folder: gix::ObjectId,
    prefix: &str,
    most: usize,
) -> Result<Vec<(String, EntryKind, gix::ObjectId)>, String> {
    let (mut found, mut count) = (Vec::new(), 0);
    let mut folders = vec![(prefix.to_owned(), folder)];
    while let Some((prefix, id)) = folders.pop() {
        let tree = repo.find_tree(id).map_err(|_| missing(if prefix.is_empty() { "top folder" } else { &prefix }))?;
        for entry in tree.iter() {
            let entry = entry.map_err(|error| first_line(&error))?;
            count += 1;
            if count > most {
                return Err(format!("it holds more than {most} paths"));
            }
            let Ok(name) = std::str::from_utf8(entry.filename()) else { continue };
            let (path, id) = (format!("{prefix}{name}"), entry.object_id());
            match kind(repo, &path, entry.mode().kind(), id)? {
                Some(kind) => found.push((path, kind, id)),
                None if path.len() <= PATH_BYTES => folders.push((path + "/", id)),
                None => {}
            }
        }
    }
    Ok(found)
}

/// What a path of git's objects is; `None` for a folder. A target that is too long to be one leads nowhere.
///
/// # Errors
/// The target of a link is not known, as the end of a sentence.
#[cfg(feature = "git")]
pub fn kind(
    repo: &gix::Repository,
    path: &str,
    kind: gix::objs::tree::EntryKind,
    id: gix::ObjectId,
) -> Result<Option<EntryKind>, String> {
    use gix::objs::tree::EntryKind as Kind;
    Ok(match kind {
        Kind::Tree => None,
        Kind::Commit => Some(EntryKind::Submodule),
        Kind::Blob | Kind::BlobExecutable => Some(EntryKind::File),
        Kind::Link if repo.find_header(id).map_err(|_| missing(path))?.size() > LINK_BYTES => {
            Some(EntryKind::Symlink(String::new()))
        }
        Kind::Link => {
            let blob = repo.find_object(id).map_err(|_| missing(path))?;
            Some(EntryKind::Symlink(String::from_utf8_lossy(&blob.data).into_owned()))
        }
    })
}

/// That an object is not here, as the end of a sentence.
#[cfg(feature = "git")]
fn missing(path: &str) -> String {
    format!("this clone does not have the object of `{}`; fetch it first", path.trim_end_matches('/'))
}

/// The object that a tag or a commit names.
#[cfg(feature = "git")]
fn find<'r>(repo: &'r gix::Repository, revision: &str) -> Option<gix::Object<'r>> {
    let tag = revision.strip_prefix("refs/tags/").unwrap_or(revision);
    // Argo CD takes a branch before a tag of its name, and a range for the highest version in it.
    let of_remotes = repo.remote_names().into_iter().map(|remote| format!("refs/remotes/{remote}/{revision}"));
    let mut branches = of_remotes.chain([format!("refs/heads/{revision}")]);
    if is_range(revision) || branches.any(|name| !matches!(repo.try_find_reference(&name), Ok(None))) {
        return None;
    }
    if let Ok(Some(mut tag)) = repo.try_find_reference(&format!("refs/tags/{tag}")) {
        return tag.peel_to_id().ok()?.object().ok();
    }
    let is_commit = (7..=40).contains(&revision.len()) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_commit { repo.rev_parse_single(revision).ok()?.object().ok() } else { None }
}

/// A path of a checkout as seen from a folder of it.
pub fn strip_prefix<'p>(path: &'p str, prefix: &RepoPath) -> Option<&'p str> {
    if prefix.is_root() { Some(path) } else { path.strip_prefix(prefix.as_str())?.strip_prefix('/') }
}

/// Without the feature `git`, no revision is known.
#[cfg(not(feature = "git"))]
pub fn read_revision(_: &Path, _: &RepoPath, _: &str, _: impl Fn(&RepoPath) -> bool) -> Option<Revision> {
    None
}

/// Without the feature `git`, git's files are never used.
///
/// # Errors
/// Always.
#[cfg(not(feature = "git"))]
pub fn read(_top: &Path) -> Result<Checkout, String> {
    Err("this plimsoll is built without git".into())
}

#[cfg(feature = "git")]
fn default_branch(repo: &gix::Repository, remote: &str) -> Option<String> {
    let head = repo.try_find_reference(&format!("refs/remotes/{remote}/HEAD")).ok()??;
    let gix::refs::TargetRef::Symbolic(target) = head.target() else { return None };
    let target = target.as_bstr().to_string();
    Some(target.strip_prefix(&format!("refs/remotes/{remote}/"))?.to_owned())
}

/// `None` for a path that is not UTF-8: the walk reports it when it is there.
#[cfg(feature = "git")]
fn tracked(entry: &gix::index::Entry, path: &gix::bstr::BStr) -> Option<Tracked> {
    use gix::index::entry::{Flags, Mode};
    let kind = if entry.mode == Mode::COMMIT {
        TrackedKind::Submodule
    } else if entry.mode == Mode::DIR || entry.flags.contains(Flags::SKIP_WORKTREE) {
        TrackedKind::LeftOut
    } else {
        TrackedKind::File
    };
    let path = std::str::from_utf8(path).ok()?;
    Some(Tracked { path: path.trim_end_matches('/').to_owned(), kind })
}

#[cfg(feature = "git")]
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// The first line of an error, without a final stop: the chain below it speaks of git's inner parts.
#[cfg(feature = "git")]
pub fn first_line(error: &impl std::fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or("unknown reason").trim_end_matches('.').to_owned()
}

/// The top of the checkout that holds `folder`: the nearest folder upward with a `.git`.
pub fn top_of(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// A folder as seen from the top of the checkout that holds it; `None` when it is not UTF-8.
pub fn prefix(folder: &Path, top: &Path) -> Option<RepoPath> {
    RepoPath::new(&slashes(folder.strip_prefix(top).ok()?.to_str()?)).ok()
}

/// Whether a folder is the inside of a repository without a work tree.
pub fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}
