//! Lists what lies below a folder, in parallel: no link is followed, no file is opened.

use crate::repo::EntryKind;
use crate::text::RepoPath;
use ignore::{DirEntry, WalkBuilder, WalkState};
use rayon::prelude::*;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What lies below a folder.
#[derive(Debug, Default)]
pub struct Listing {
    /// Every path that is no folder, sorted.
    pub entries: Vec<(RepoPath, EntryKind)>,
    /// Paths that are there but cannot be read, and why, sorted.
    pub unread: Vec<(RepoPath, Unread)>,
}

/// Why a path cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The reason, in the style of messages.
    pub reason: String,
    /// Whether it is a folder: what lies below it is not known then.
    pub is_folder: bool,
}

/// Which ignore files count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ignores {
    /// Those of git, as git reads them: the folder lies in a checkout.
    Git,
    /// `.gitignore` and `.ignore` in the folder and below.
    Plain,
}

/// Lists `folder`. Other checkouts in it, and the folders of `others`, count as submodules: they are listed, not entered.
pub fn walk(folder: &Path, ignores: Ignores, others: &[RepoPath]) -> Listing {
    let is_git = ignores == Ignores::Git;
    let found = Mutex::new(Found::default());
    if !may_enter(folder, ignores) {
        return Listing { unread: vec![(RepoPath::root(), closed())], ..Listing::default() };
    }
    let shut: Arc<Mutex<Vec<PathBuf>>> = Arc::default();
    let left_out = Arc::clone(&shut);
    let walker = WalkBuilder::new(folder)
        .filter_entry(move |entry| {
            let is_open = !entry.file_type().is_some_and(|kind| kind.is_dir()) || may_enter(entry.path(), ignores);
            if !is_open {
                left_out.lock().expect("nothing here panics").push(entry.path().to_owned());
            }
            is_open
        })
        .hidden(false)
        .follow_links(false)
        .ignore(!is_git)
        .parents(is_git)
        .git_ignore(true)
        .git_exclude(is_git)
        .git_global(is_git)
        .require_git(is_git)
        .threads(rayon::current_num_threads())
        .build_parallel();
    walker.run(|| {
        let mut visitor = Visitor { folder, others, found: Found::default(), all: &found };
        Box::new(move |entry| visitor.visit(entry))
    });
    let mut found = found.into_inner().expect("a visitor does not panic");
    for path in shut.lock().expect("nothing here panics").iter() {
        found.listing.unread.extend(lossy(folder, path).map(|path| (path, closed())));
    }
    found.into_listing()
}

/// Whether the walker may enter a folder: it opens files that say what to ignore whatever they are, and a pipe blocks it
/// for ever.
fn may_enter(folder: &Path, ignores: Ignores) -> bool {
    let is_harmless = |name| folder.join(name).metadata().map_or(true, |file| file.is_file() || file.is_dir());
    is_harmless(".gitignore") && (ignores == Ignores::Git || is_harmless(".ignore"))
}

fn closed() -> Unread {
    Unread { reason: "what it ignores stands in no file".to_owned(), is_folder: true }
}

/// What one thread, and in the end all of them, came across.
#[derive(Default)]
struct Found {
    listing: Listing,
    checkouts: Vec<RepoPath>,
}

impl Found {
    fn into_listing(self) -> Listing {
        let mut listing = self.listing;
        listing.entries.extend(self.checkouts.into_iter().map(|folder| (folder, EntryKind::Submodule)));
        listing.normalise();
        listing
    }
}

impl Listing {
    /// Sorts the paths, keeps each once, and drops what lies below a submodule.
    pub fn normalise(&mut self) {
        // The stable sort keeps a submodule before whatever else was listed under its name.
        self.entries.par_sort_by(|a, b| {
            a.0.as_str().cmp(b.0.as_str()).then_with(|| is_submodule(&b.1).cmp(&is_submodule(&a.1)))
        });
        self.entries.dedup_by(|a, b| a.0 == b.0);
        let submodules: Vec<String> =
            self.entries.iter().filter(|entry| is_submodule(&entry.1)).map(|(path, _)| format!("{path}/")).collect();
        for folder in submodules {
            let from = self.entries.partition_point(|(path, _)| path.as_str() < folder.as_str());
            let below = self.entries[from..].iter().take_while(|(path, _)| path.as_str().starts_with(&folder)).count();
            self.entries.drain(from..from + below);
        }
        self.unread.sort_by(|a, b| a.0.as_str().cmp(b.0.as_str()));
        self.unread.dedup_by(|a, b| a.0 == b.0);
    }
}

fn is_submodule(kind: &EntryKind) -> bool {
    *kind == EntryKind::Submodule
}

/// One thread of the walk; hands over what it found when the walk ends.
struct Visitor<'a> {
    folder: &'a Path,
    others: &'a [RepoPath],
    found: Found,
    all: &'a Mutex<Found>,
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().expect("a visitor does not panic");
        all.listing.entries.append(&mut self.found.listing.entries);
        all.listing.unread.append(&mut self.found.listing.unread);
        all.checkouts.append(&mut self.found.checkouts);
    }
}

impl Visitor<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        match entry {
            Ok(entry) => match entry.file_type() {
                Some(kind) if entry.depth() > 0 => self.found_path(entry.path(), kind),
                _ => WalkState::Continue,
            },
            Err(error) => {
                self.failed(&error);
                WalkState::Continue
            }
        }
    }

    fn found_path(&mut self, path: &Path, kind: FileType) -> WalkState {
        if path.file_name().is_some_and(|name| name == ".git") {
            if let Some(parent) = self.repo_path(path).and_then(|path| path.parent()).filter(|path| !path.is_root()) {
                self.found.checkouts.push(parent);
            }
            return WalkState::Skip;
        }
        let Some(inside) = self.repo_path(path) else {
            if let Some(shown) = self.lossy(path)
                && (kind.is_dir() || kind.is_file())
            {
                let reason = "its name is not UTF-8".to_owned();
                self.found.listing.unread.push((shown, Unread { reason, is_folder: kind.is_dir() }));
            }
            return WalkState::Skip;
        };
        if kind.is_dir() {
            if !self.others.contains(&inside) {
                return WalkState::Continue;
            }
            self.found.checkouts.push(inside);
            return WalkState::Skip;
        }
        // A socket, a pipe or a device is not listed: git does not know such things, and opening one may block for ever.
        if let Some(kind) = entry_kind(path, kind) {
            self.found.listing.entries.push((inside, kind));
        }
        WalkState::Continue
    }

    fn failed(&mut self, error: &ignore::Error) {
        let (Some(path), Some(cause)) = (path_of(error), error.io_error()) else { return };
        if let Some(inside) = self.lossy(path) {
            let is_folder = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
            self.found.listing.unread.push((inside, Unread { reason: reason(cause), is_folder }));
        }
    }

    /// The path as seen from the root; `None` when it is not UTF-8.
    fn repo_path(&self, path: &Path) -> Option<RepoPath> {
        let inside = path.strip_prefix(self.folder).ok()?.to_str()?;
        RepoPath::new(&slashes(inside)).ok()
    }

    fn lossy(&self, path: &Path) -> Option<RepoPath> {
        lossy(self.folder, path)
    }
}

/// The path as seen from the root, with replacements for what is not UTF-8.
fn lossy(root: &Path, path: &Path) -> Option<RepoPath> {
    let inside = path.strip_prefix(root).ok()?.to_string_lossy();
    RepoPath::new(&slashes(&inside)).ok()
}

/// What a path of this type is listed as; `None` for what is neither file nor link.
pub fn entry_kind(path: &Path, kind: FileType) -> Option<EntryKind> {
    if kind.is_symlink() {
        let target = std::fs::read_link(path).map(|target| slashes(&target.to_string_lossy()).into_owned());
        return Some(EntryKind::Symlink(target.unwrap_or_default()));
    }
    kind.is_file().then_some(EntryKind::File)
}

/// A path of this system with `/` between its segments.
pub fn slashes(path: &str) -> std::borrow::Cow<'_, str> {
    if std::path::MAIN_SEPARATOR == '/' { path.into() } else { path.replace(std::path::MAIN_SEPARATOR, "/").into() }
}

/// Why the system refused, in the style of messages: `permission denied`.
pub fn reason(error: &std::io::Error) -> String {
    error.kind().to_string()
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(listing: &Listing) -> Vec<&str> {
        listing.entries.iter().map(|(path, _)| path.as_str()).collect()
    }

    fn tree(paths: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in paths {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn paths_are_listed_in_byte_order_hidden_ones_too() {
        let folder = tree(&["b/c.yaml", "b-a.yaml", ".argocd/a.yaml"]);
        assert_eq!(names(&walk(folder.path(), Ignores::Plain, &[])), [".argocd/a.yaml", "b-a.yaml", "b/c.yaml"]);
    }

    #[test]
    fn ignore_files_count_outside_git() {
        let folder = tree(&["a.yaml", "out/b.yaml", "c.yaml"]);
        fs::write(folder.path().join(".gitignore"), "out/\n").unwrap();
        fs::write(folder.path().join(".ignore"), "c.yaml\n").unwrap();
        assert_eq!(names(&walk(folder.path(), Ignores::Plain, &[])), [".gitignore", ".ignore", "a.yaml"]);
    }

    #[test]
    fn another_checkout_is_listed_but_not_entered() {
        let folder = tree(&["a.yaml", "vendor/x/.git/HEAD", "vendor/x/b.yaml", "other/c.yaml"]);
        let listing = walk(folder.path(), Ignores::Plain, &[RepoPath::new("other").unwrap()]);
        assert_eq!(names(&listing), ["a.yaml", "other", "vendor/x"]);
        assert_eq!(listing.entries[2].1, EntryKind::Submodule);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_listed_with_their_target_and_not_followed() {
        let folder = tree(&["a/b.yaml"]);
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
        let listing = walk(folder.path(), Ignores::Plain, &[]);
        assert_eq!(names(&listing), ["a/b.yaml", "a/up"]);
        assert_eq!(listing.entries[1].1, EntryKind::Symlink("..".into()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_that_is_not_utf8_is_reported() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tree(&["a.yaml"]);
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"b\xff.yaml")), "").unwrap();
        let listing = walk(folder.path(), Ignores::Plain, &[]);
        assert_eq!(names(&listing), ["a.yaml"]);
        assert_eq!(listing.unread[0].0.as_str(), "b\u{fffd}.yaml");
    }
}
