//! What is to be checked: the listing of every root, and a way to its contents.

use super::git::{self, Checkout, TrackedKind};
use super::objects::{self, Objects, Stored};
use super::walk::{self, Ignores, Listing, Unread};
use crate::repo::{EntryKind, Root};
use crate::text::limits::FILE_BYTES;
use crate::text::{RepoPath, RootId};
use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The roots of a run.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// In the order given.
    pub roots: Vec<SnapshotRoot>,
}

/// One root: what is there and how to read it.
#[derive(Clone, Debug, Default)]
pub struct SnapshotRoot {
    /// Name, URLs, branches.
    pub root: Root,
    /// Every path that is no folder, in any order.
    pub entries: Vec<(RepoPath, EntryKind)>,
    /// Paths that are there but cannot be read, in any order; they need not be among the entries.
    pub unread: Vec<(RepoPath, Unread)>,
    /// Where the bytes are.
    pub contents: Contents,
    /// Whether it only holds a file that configures the run, and is not checked itself.
    pub is_settings: bool,
}

/// Where the bytes of a root are.
#[derive(Clone, Debug)]
pub enum Contents {
    /// In files below this folder.
    Disk(PathBuf),
    /// In git's objects; the root's folder in the work tree is this one.
    Objects(PathBuf, Box<Objects>),
    /// In memory, by path; a listed path without bytes is empty.
    Memory(BTreeMap<RepoPath, Vec<u8>>),
}

impl Default for Contents {
    fn default() -> Contents {
        Contents::Memory(BTreeMap::new())
    }
}

impl SnapshotRoot {
    /// A root in memory.
    pub fn in_memory(name: &str, files: BTreeMap<RepoPath, Vec<u8>>) -> SnapshotRoot {
        SnapshotRoot {
            root: Root { name: name.to_owned(), ..Root::default() },
            entries: files.keys().map(|path| (path.clone(), EntryKind::File)).collect(),
            contents: Contents::Memory(files),
            ..SnapshotRoot::default()
        }
    }
}

impl Contents {
    /// The folder of the root, where it is part of a checkout or may be.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Contents::Disk(folder) | Contents::Objects(folder, _) => Some(folder),
            Contents::Memory(_) => None,
        }
    }
}

/// Reads the files of all roots, for one thread: one buffer serves them all.
pub struct Reader<'a> {
    contents: &'a [Contents],
    /// What reads the objects of each root that has been read from so far.
    objects: Vec<Option<objects::Reader>>,
    buffer: Vec<u8>,
}

impl<'a> Reader<'a> {
    /// Of these roots.
    pub fn new(contents: &'a [Contents]) -> Reader<'a> {
        Reader { contents, objects: contents.iter().map(|_| None).collect(), buffer: Vec::new() }
    }

    /// The bytes of a path; of a file that is too large, one byte too many.
    ///
    /// # Errors
    /// Why there are none, in the style of messages.
    pub fn read(&mut self, root: RootId, path: &RepoPath) -> Result<&[u8], String> {
        let refused = |error: std::io::Error| walk::reason(&error);
        self.buffer.clear();
        match &self.contents[root.index()] {
            Contents::Memory(files) => self.buffer.extend(files.get(path).into_iter().flatten()),
            Contents::Disk(folder) => {
                let file = std::fs::File::open(folder.join(path.as_str())).map_err(refused)?;
                file.take(FILE_BYTES + 1).read_to_end(&mut self.buffer).map_err(refused)?;
            }
            Contents::Objects(_, objects) => {
                let reader = self.objects[root.index()].get_or_insert_with(|| objects.reader());
                reader.read(path, &mut self.buffer)?;
            }
        }
        Ok(&self.buffer)
    }
}

/// A root as it was found on disk, and what its checkout says about it.
#[derive(Debug)]
pub struct Listed {
    /// The paths.
    pub listing: Listing,
    /// The checkout, when the root lies in one that git can read; its paths are already part of the listing.
    pub checkout: Option<Checkout>,
    /// What must be said about how the paths were found: sentences for the summary.
    pub notes: Vec<String>,
}

/// Lists a root: in git what a commit would hold, else every file that no ignore file excludes.
///
/// `top` is the top of the checkout that holds `folder`, `others` are the folders of other roots inside it.
pub fn list(name: &str, folder: &Path, top: Option<&Path>, others: &[RepoPath]) -> Listed {
    let Some(top) = top else {
        let notes = if git::is_bare(folder) {
            vec![format!("`{name}` is a repository without a work tree: give a checkout of it")]
        } else {
            Vec::new()
        };
        return Listed { listing: walk::walk(folder, Ignores::Plain, others), checkout: None, notes };
    };
    let (mut listing, checkout) = rayon::join(|| walk::walk(folder, Ignores::Git, others), || git::read(top));
    let mut notes = Vec::new();
    let checkout = match checkout {
        Ok(checkout) => Some(checkout),
        Err(reason) => {
            notes.push(format!(
                "git cannot be asked about `{name}` ({reason}): every file that is not ignored is checked"
            ));
            None
        }
    };
    if let Some(checkout) = &checkout {
        let left_out = add_tracked(&mut listing, checkout, folder, top);
        if left_out > 0 {
            notes
                .push(format!("a sparse checkout leaves out {left_out} paths of `{name}`: nothing is said about them"));
        }
    }
    Listed { listing, checkout, notes }
}

/// Lists a root as git's objects hold it. `top` is the top of the checkout that holds `folder`, `others` are the folders
/// of other roots inside it.
pub fn list_stored(stored: &Stored, folder: &Path, top: &Path, others: &[RepoPath]) -> (Listing, Contents) {
    let prefix = git::prefix(folder, top).unwrap_or_else(RepoPath::root);
    let (mut entries, objects) = stored.below(&prefix);
    entries.extend(others.iter().map(|other| (other.clone(), EntryKind::Submodule)));
    let mut listing = Listing { entries, unread: Vec::new() };
    listing.normalise();
    (listing, Contents::Objects(folder.to_owned(), Box::new(objects)))
}

/// Adds the tracked paths that the walk did not list: submodules, what is left out, and files that are ignored but
/// tracked. Returns how many paths are left out.
fn add_tracked(listing: &mut Listing, checkout: &Checkout, folder: &Path, top: &Path) -> usize {
    let prefix = git::prefix(folder, top).unwrap_or_else(RepoPath::root);
    let mut missing: Vec<(RepoPath, EntryKind)> = Vec::new();
    let mut left_out = 0;
    let mut links = Links { folder, known: HashSet::new() };
    let mut listed = listing.entries.iter().map(|(path, _)| path.as_str()).peekable();
    for tracked in &checkout.tracked {
        let Some(inside) = git::strip_prefix(&tracked.path, &prefix) else { continue };
        while listed.next_if(|path| *path < inside).is_some() {}
        let is_listed = listed.peek() == Some(&inside);
        if is_listed && tracked.kind == TrackedKind::File {
            continue;
        }
        let Ok(path) = RepoPath::new(inside) else { continue };
        if path.as_str() != inside {
            continue;
        }
        match tracked.kind {
            TrackedKind::Submodule => missing.push((path, EntryKind::Submodule)),
            TrackedKind::LeftOut if is_listed || links.kind(&path).is_some() => {
                missing.extend(links.kind(&path).map(|kind| (path, kind)));
            }
            TrackedKind::LeftOut => {
                left_out += 1;
                missing.push((path, EntryKind::Submodule));
            }
            TrackedKind::File => missing.extend(links.kind(&path).map(|kind| (path, kind))),
        }
    }
    if !missing.is_empty() {
        listing.entries.append(&mut missing);
        listing.normalise();
    }
    left_out
}

/// Looks at single paths without following a link on the way.
struct Links<'a> {
    folder: &'a Path,
    /// Folders that are none but links, or are not there.
    known: HashSet<RepoPath>,
}

impl Links<'_> {
    fn kind(&mut self, path: &RepoPath) -> Option<EntryKind> {
        let mut parent = path.parent();
        while let Some(folder) = parent.filter(|folder| !folder.is_root()) {
            if self.known.contains(&folder) {
                return None;
            }
            if !self.folder.join(folder.as_str()).symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
                self.known.insert(folder);
                return None;
            }
            parent = folder.parent();
        }
        let path = self.folder.join(path.as_str());
        let metadata = path.symlink_metadata().ok()?;
        walk::entry_kind(&path, metadata.file_type())
    }
}
