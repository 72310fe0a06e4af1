//! The snapshot of one or more roots: what is there, by path, by folder, by kind.
//!
//! A [`Repo`] is replaced as a whole, never changed in place; files are shared between snapshots. It knows every path
//! of every root (sorted, so that a folder is a range), the parsed files, and which repository URLs mean which root.
//! It must not know what a controller does with them.

mod names;
pub mod nearest;
pub mod url;

pub use nearest::{Near, Slip, Wanted, nearest, slip};
pub use url::RepoUrl;

use crate::finding::Finding;
use crate::formats::{DocId, Document, Kind};
use crate::text::limits::SYMLINKS;
use crate::text::{FileId, RepoPath, RootId, SourceFile, Span};
use crate::yaml::Tree;
use names::Names;
use std::sync::{Arc, OnceLock};

/// A checkout that may be read.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Its name in output: `.` for the first root, else the path the user gave.
    pub name: String,
    /// The repositories it is a checkout of: its remotes and what the configuration maps to it.
    pub urls: Vec<RepoUrl>,
    /// Branch names that mean what is checked out: the current branch, the default branch. Empty outside git.
    pub branches: Vec<String>,
    /// The revision that was read from git's objects instead of the work tree: such a root is looked up, never judged.
    pub pin: Option<String>,
}

impl Root {
    /// Names that a default branch has where nothing tells which one it is.
    pub const DEFAULT_BRANCHES: [&str; 2] = ["main", "master"];

    /// Whether a source that tracks `revision` reads what is checked out here, as far as one can tell: `HEAD`, one of
    /// the root's branches, or, where no branch is known, a name that default branches have.
    pub fn is_checked_out(&self, revision: &str) -> bool {
        if let Some(pin) = &self.pin {
            return pin == revision;
        }
        let name = revision.strip_prefix("refs/heads/").unwrap_or(revision);
        let is_default = || self.branches.is_empty() && Root::DEFAULT_BRANCHES.contains(&name);
        name.is_empty() || name == "HEAD" || self.branches.iter().any(|branch| branch == name) || is_default()
    }
}

/// A path in a root.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The root it belongs to.
    pub root: RootId,
    /// Where it is.
    pub path: RepoPath,
    /// What it is.
    pub kind: EntryKind,
    /// Its content, when it is of a kind that is read.
    pub file: Option<Arc<File>>,
}

/// What a listed path is. Folders are not listed: a folder exists when something lies in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link, with its target as stored.
    Symlink(String),
    /// A submodule, another checkout, or what a sparse checkout leaves out: what is there, or below, is not known.
    Submodule,
}

/// A file that was read.
#[derive(Debug)]
pub struct File {
    /// Its text; empty when it could not be read.
    pub source: SourceFile,
    /// Its tree; without documents when the file is no YAML.
    pub tree: Tree,
    /// Its documents, in order.
    pub documents: Vec<Document>,
    /// What the file and document rules found.
    pub findings: Vec<Finding>,
    /// How much the file can say.
    pub state: FileState,
}

/// How much a file can say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileState {
    /// All of it was read.
    Read,
    /// A template of another tool: its text is not YAML yet.
    Template,
    /// It could not be read; says why (`larger than 10 MiB`), in the style of messages.
    Unread(String),
}

/// What a path leads to, symbolic links followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A folder; its real path.
    Folder(RepoPath),
    /// A file.
    File(FileId),
    /// Nothing.
    Missing,
    /// A symbolic link on the way leaves the root.
    Outside,
    /// It lies in a submodule.
    Submodule,
}

/// A path that is in the work tree, but that git ignores.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ignored {
    /// The root it belongs to.
    pub root: RootId,
    /// Where it is; it is not among the listed paths.
    pub path: RepoPath,
    /// The `.gitignore` that says so.
    pub by: FileId,
    /// The line in it, from 1.
    pub line: u32,
    /// The line as written.
    pub pattern: String,
}

/// All roots of a run.
#[derive(Debug, Default)]
pub struct Repo {
    roots: Vec<Root>,
    /// Sorted by root and path; a [`FileId`] is an index into it.
    entries: Vec<Entry>,
    /// Number of entries of roots that are judged; those of pinned revisions follow.
    judged: usize,
    has_links: bool,
    by_kind: Vec<(Kind, DocId)>,
    ignored: Vec<Ignored>,
    names: OnceLock<Names>,
}

impl Repo {
    /// The snapshot of these roots. `entries` must be sorted by root and path, without duplicates, and a file's id
    /// must be its index. Pinned roots come last.
    pub fn new(roots: Vec<Root>, entries: Vec<Entry>) -> Repo {
        debug_assert!(entries.is_sorted_by(|a, b| (a.root, a.path.as_str()) < (b.root, b.path.as_str())));
        let has_links = entries.iter().any(|entry| entry.kind != EntryKind::File);
        let judged = entries.partition_point(|entry| roots[entry.root.index()].pin.is_none());
        let mut by_kind: Vec<(Kind, DocId)> = entries[..judged]
            .iter()
            .filter_map(|entry| entry.file.as_deref())
            .flat_map(|file| &file.documents)
            .filter(|document| !matches!(document.kind(), Kind::Opaque))
            .map(|document| (document.kind(), document.id))
            .collect();
        by_kind.sort_unstable();
        Repo { roots, entries, judged, has_links, by_kind, ignored: Vec::new(), names: OnceLock::new() }
    }

    /// The roots, in the order given.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// One root.
    pub fn root(&self, id: RootId) -> &Root {
        &self.roots[id.index()]
    }

    /// The root that is a checkout of `url`, if any.
    pub fn root_of_url(&self, url: &str) -> Option<RootId> {
        let wanted = RepoUrl::new(url)?;
        let at = self.roots.iter().position(|root| root.urls.contains(&wanted))?;
        Some(RootId(at as u16))
    }

    /// The roots that hold revisions of `url`: checkouts first.
    pub fn roots_of_url(&self, url: &str) -> impl Iterator<Item = RootId> {
        let wanted = RepoUrl::new(url);
        let roots = self.roots.iter().enumerate();
        roots
            .filter(move |(_, root)| wanted.as_ref().is_some_and(|wanted| root.urls.contains(wanted)))
            .map(|(at, _)| RootId(at as u16))
    }

    /// The same snapshot with more roots, whose entries follow those that are there.
    pub fn with_pinned(self, roots: Vec<Root>, entries: Vec<Entry>) -> Repo {
        let Repo { roots: mut all, entries: mut listed, ignored, .. } = self;
        all.extend(roots);
        listed.extend(entries);
        Repo { ignored, ..Repo::new(all, listed) }
    }

    /// The same snapshot with other names, URLs or branches of one root.
    pub fn with_root(mut self, id: RootId, root: Root) -> Repo {
        self.roots[id.index()] = root;
        self
    }

    /// The same snapshot with what is known of ignored paths.
    pub fn with_ignored(self, ignored: Vec<Ignored>) -> Repo {
        Repo { ignored, ..self }
    }

    /// The ignored paths that something looks for, sorted; others are not known.
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// A listed path as people read it: with the root's name before it, unless it is in the first root.
    pub fn display_path(&self, entry: &Entry) -> String {
        match self.root(entry.root).name.as_str() {
            "." | "" => entry.path.to_string(),
            name => format!("{}/{}", name.trim_end_matches('/'), entry.path),
        }
    }

    /// A path of a root, in a message about the file of `span`: with the root's name before it, when it is another one.
    pub fn path_seen_from(&self, span: Span, root: RootId, path: &RepoPath) -> String {
        match self.root(root).name.as_str() {
            name if self.entry(span.file).root != root => format!("{}/{path}", name.trim_end_matches('/')),
            _ => path.to_string(),
        }
    }

    /// Every listed path that is judged, sorted by root and path.
    pub fn entries(&self) -> &[Entry] {
        &self.entries[..self.judged]
    }

    /// Number of all entries, those of pinned revisions too: the next file's id.
    pub fn all_entries(&self) -> usize {
        self.entries.len()
    }

    /// A listed path.
    pub fn entry(&self, id: FileId) -> &Entry {
        &self.entries[id.index()]
    }

    /// The content of a file, when it was read.
    pub fn file(&self, id: FileId) -> Option<&File> {
        self.entries.get(id.index())?.file.as_deref()
    }

    /// Every file that was read and is judged, in order.
    pub fn files(&self) -> impl Iterator<Item = &File> {
        self.entries().iter().filter_map(|entry| entry.file.as_deref())
    }

    /// A document and its file.
    pub fn document(&self, id: DocId) -> (&File, &Document) {
        let file = self.file(id.file).expect("a document id comes from a file that was read");
        (file, &file.documents[id.index as usize])
    }

    /// The documents of one kind that are judged, in order of path and place.
    pub fn documents(&self, kind: Kind) -> impl Iterator<Item = (&File, &Document)> {
        let start = self.by_kind.partition_point(|entry| entry.0 < kind);
        self.by_kind[start..].iter().take_while(move |entry| entry.0 == kind).map(|entry| self.document(entry.1))
    }

    /// The listed path itself, no link followed.
    pub fn listed(&self, root: RootId, path: &RepoPath) -> Option<FileId> {
        let wanted = (root, path.as_str());
        self.entries
            .binary_search_by(|entry| (entry.root, entry.path.as_str()).cmp(&wanted))
            .ok()
            .map(|at| FileId(at as u32))
    }

    /// What lies below a folder, at any depth, sorted by path; empty when there is no such folder. No link is followed.
    pub fn below(&self, root: RootId, folder: &RepoPath) -> &[Entry] {
        let (from, to) = if folder.is_root() {
            (self.first_at(root, ""), self.entries.partition_point(|entry| entry.root <= root))
        } else {
            // `0` follows `/` in byte order, so this is the end of everything that starts with `folder/`.
            (self.first_at(root, &format!("{folder}/")), self.first_at(root, &format!("{folder}0")))
        };
        &self.entries[from..to]
    }

    /// The listed paths of a root that begin with this text, sorted by path.
    pub fn starting_with(&self, root: RootId, prefix: &str) -> &[Entry] {
        let from = &self.entries[self.first_at(root, prefix)..];
        let is_next = |entry: &Entry| entry.root == root && entry.path.as_str().starts_with(prefix);
        &from[..from.partition_point(is_next)]
    }

    fn first_at(&self, root: RootId, path: &str) -> usize {
        self.entries.partition_point(|entry| (entry.root, entry.path.as_str()) < (root, path))
    }

    /// The names directly in a folder, in byte order of the paths below it.
    pub fn children<'r>(&'r self, root: RootId, folder: &RepoPath) -> Vec<Child<'r>> {
        let skip = if folder.is_root() { 0 } else { folder.as_str().len() + 1 };
        let mut children: Vec<Child<'r>> = Vec::new();
        let mut rest = self.below(root, folder);
        while let Some(entry) = rest.first() {
            let path = entry.path.as_str();
            let (name, is_folder) =
                path[skip..].split_once('/').map_or((&path[skip..], false), |(name, _)| (name, true));
            children.push(Child { name, is_folder });
            let start = &path[..skip + name.len()];
            let is_of_child =
                |entry: &Entry| entry.path.as_str().strip_prefix(start).is_some_and(|rest| rest.starts_with('/'));
            // A folder's entries stand together; most folders hold few.
            rest = if is_folder { &rest[rest.partition_point(is_of_child)..] } else { &rest[1..] };
        }
        children
    }

    /// The files of a root with this name, in any folder, sorted.
    pub fn files_named(&self, root: RootId, name: &str) -> &[RepoPath] {
        self.names().files(root, name)
    }

    /// The folders of a root with this name, sorted.
    pub fn folders_named(&self, root: RootId, name: &str) -> &[RepoPath] {
        self.names().folders(root, name)
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::new(&self.entries))
    }

    /// Whether something lies in this folder, no link followed.
    pub fn is_folder(&self, root: RootId, folder: &RepoPath) -> bool {
        !self.below(root, folder).is_empty() || (folder.is_root() && root.index() < self.roots.len())
    }

    /// What `path` leads to, following symbolic links inside the root.
    pub fn find(&self, root: RootId, path: &RepoPath) -> Found {
        let plain = self.find_plain(root, path);
        if plain != Found::Missing || !self.has_links {
            return plain;
        }
        self.find_linked(root, path)
    }

    fn find_plain(&self, root: RootId, path: &RepoPath) -> Found {
        match self.listed(root, path).map(|id| (id, &self.entry(id).kind)) {
            Some((id, EntryKind::File)) => Found::File(id),
            Some((_, EntryKind::Submodule)) => Found::Submodule,
            Some((_, EntryKind::Symlink(_))) => self.find_linked(root, path),
            None if self.is_folder(root, path) => Found::Folder(path.clone()),
            None => Found::Missing,
        }
    }

    fn find_linked(&self, root: RootId, path: &RepoPath) -> Found {
        let mut wanted: Vec<String> = path.segments().rev().map(str::to_owned).collect();
        let mut real = RepoPath::root();
        let mut followed = 0;
        while let Some(segment) = wanted.pop() {
            let Ok(next) = real.join(&segment) else { return Found::Outside };
            match self.listed(root, &next).map(|id| &self.entry(id).kind) {
                Some(EntryKind::Submodule) => return Found::Submodule,
                Some(EntryKind::Symlink(target)) => {
                    followed += 1;
                    if followed > SYMLINKS {
                        return Found::Missing;
                    }
                    if target.starts_with('/') {
                        return Found::Outside;
                    }
                    wanted.extend(target.split('/').rev().map(str::to_owned));
                }
                _ => real = next,
            }
        }
        match self.listed(root, &real).map(|id| (id, &self.entry(id).kind)) {
            Some((id, EntryKind::File)) => Found::File(id),
            Some(_) => Found::Missing,
            None if self.is_folder(root, &real) => Found::Folder(real),
            None => Found::Missing,
        }
    }
}

/// A name in a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child<'r> {
    /// The name.
    pub name: &'r str,
    /// Whether it is a folder; links and submodules are not.
    pub is_folder: bool,
}
