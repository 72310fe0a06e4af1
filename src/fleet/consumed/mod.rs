//! What reads what: for every path the apps, generators, kustomizations, charts and Flux objects that read it.
//!
//! [`Consumed`] is one pass over what the fleet already resolved (`read` follows it into kustomizations and charts), so
//! that "who reads this path" and "what nobody reads" are lookups. A path counts as read also where that is only possible:
//! when a path with an unknown part may mean it (`loose`), or when something nobody can know here may read anything in its
//! root. Whether other texts of the roots name a path is told by [`mentioned`].

mod loose;
mod mention;
mod read;
mod unread;

pub use mention::mentioned;
pub use unread::Unread;

use super::app::AppId;
use super::source::directory::Filter;
use super::{Fleet, built::Folder};
use crate::formats::DocId;
use crate::formats::kustomize::Field;
use crate::repo::{Entry, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};
use loose::Looses;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// What reads a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reader {
    /// A git generator takes it: a file for parameters, or a folder.
    Generator {
        /// The place of the set in [`Fleet::sets`].
        set: usize,
        /// The pattern.
        item: Span,
    },
    /// A source of an app takes its folder, or the tool that renders the source reads it.
    Source {
        /// The app.
        app: AppId,
        /// The index of the source.
        source: usize,
    },
    /// An app reads it as a value file.
    ValueFile {
        /// The app.
        app: AppId,
        /// The index of the source.
        source: usize,
        /// The index of the entry; later ones win.
        layer: usize,
    },
    /// An app reads it as a parameter of its own.
    FileParameter {
        /// The app.
        app: AppId,
        /// The index of the source.
        source: usize,
    },
    /// A kustomization names it.
    Kustomization {
        /// The file of the kustomization.
        file: FileId,
        /// The field that names it.
        field: Field,
        /// The entry.
        entry: Span,
    },
    /// A chart has it as a dependency, or a kustomization inflates it.
    Chart {
        /// The file that says so.
        file: FileId,
    },
    /// A Flux object takes it.
    Flux {
        /// The object.
        document: DocId,
    },
}

impl Reader {
    fn is_values(self) -> bool {
        matches!(self, Reader::ValueFile { .. } | Reader::FileParameter { .. })
    }
}

/// One reader of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reading {
    /// What reads it.
    pub reader: Reader,
    /// Whether it leads to something that is delivered: an app or a Flux object, not only a kustomization by itself.
    pub is_live: bool,
}

/// How much of a folder is read.
#[derive(Clone, Debug)]
enum Extent {
    /// All that lies below.
    All,
    /// The files that a directory source takes for manifests; the text tells filters apart.
    Plain(Box<Filter>, String),
}

impl Extent {
    fn takes(&self, inside: &str) -> bool {
        match self {
            Extent::All => true,
            Extent::Plain(filter, _) => filter.selects(inside),
        }
    }
}

/// What the roots hold and who reads it.
#[derive(Debug, Default)]
pub struct Consumed {
    /// Sorted by file, each once.
    files: Vec<(FileId, Reading)>,
    /// Readers of whole folders.
    folders: BTreeMap<Folder, Vec<(Extent, Reading)>>,
    /// Folders that generators take, whatever lies in them.
    taken: BTreeMap<Folder, Vec<Reading>>,
    /// Kustomizations that an app or a Flux object builds.
    live: BTreeSet<Folder>,
    /// Paths that are not wholly known.
    loose: Looses,
    /// Roots in which something may be read that cannot be known.
    blind: BTreeSet<RootId>,
    /// How many of the entries before each are read, one more than there are entries.
    counts: Vec<u32>,
    unread: OnceLock<(Unread, Unread)>,
}

impl Consumed {
    /// What the fleet reads of a snapshot.
    pub fn new(fleet: &Fleet, repo: &Repo) -> Consumed {
        let mut consumed = read::Walk::new(fleet, repo).finish();
        consumed.files.sort_unstable();
        consumed.files.dedup();
        consumed.count(repo);
        consumed
    }

    /// What reads a path, files first, then folders from the nearest on; for a folder what takes it as a whole.
    pub fn readers(&self, root: RootId, path: &RepoPath, repo: &Repo) -> Vec<Reading> {
        let mut found = Vec::new();
        if let Some(file) = repo.listed(root, path) {
            let start = self.files.partition_point(|(other, _)| *other < file);
            found.extend(
                self.files[start..].iter().take_while(|(other, _)| *other == file).map(|(_, reading)| *reading),
            );
        }
        found.extend(self.taken.get(&(root, path.clone())).into_iter().flatten());
        let is_folder = repo.is_folder(root, path);
        let mut folder = if is_folder { Some(path.clone()) } else { path.parent() };
        while let Some(at) = folder {
            let inside = path.relative_to(&at).unwrap_or_default();
            let here = self.folders.get(&(root, at.clone())).into_iter().flatten();
            let takes = |extent: &Extent| inside.is_empty() || extent.takes(inside);
            found.extend(here.filter(|(extent, _)| takes(extent)).map(|(_, reading)| *reading));
            folder = at.parent();
        }
        found
    }

    /// Whether something that is delivered reads a listed path, or may read it.
    pub fn is_read(&self, file: FileId) -> bool {
        let at = file.index();
        self.counts.get(at + 1).is_none_or(|after| *after > self.counts[at])
    }

    /// Whether something that is delivered reads a path in a folder, or may read it; a folder that is taken itself counts.
    pub fn is_folder_read(&self, root: RootId, folder: &RepoPath, repo: &Repo) -> bool {
        if self.taken.contains_key(&(root, folder.clone())) {
            return true;
        }
        let below = repo.below(root, folder);
        let Some(first) = below.first().and_then(|entry| repo.listed(root, &entry.path)) else { return false };
        let end = first.index() + below.len();
        self.counts.get(end).is_none_or(|after| *after > self.counts[first.index()])
    }

    /// Whether a kustomization, live or not, names a listed path.
    pub fn is_named(&self, file: FileId) -> bool {
        let start = self.files.partition_point(|(other, _)| *other < file);
        self.files.get(start).is_some_and(|(other, _)| *other == file)
    }

    /// Whether an app or a Flux object builds the kustomization in a folder.
    pub fn is_live(&self, folder: &Folder) -> bool {
        self.live.contains(folder)
    }

    /// Whether an app reads a listed path as a value file or a parameter.
    pub fn is_value_file(&self, file: FileId) -> bool {
        let start = self.files.partition_point(|(other, _)| *other < file);
        let readings = self.files[start..].iter().take_while(|(other, _)| *other == file);
        readings.into_iter().any(|(_, reading)| reading.reader.is_values())
    }

    /// Whether a path that is not wholly known may mean this one.
    pub fn may_be_read(&self, path: &RepoPath) -> bool {
        self.loose.may_mean(path.as_str())
    }

    /// Whether what is read in a root is known, apart from paths with unknown parts.
    pub fn sees(&self, root: RootId) -> bool {
        !self.blind.contains(&root)
    }

    /// The files that apps read as value files or parameters, in order, each once.
    pub fn value_files(&self) -> Vec<FileId> {
        let files = self.files.iter().filter(|(_, reading)| reading.reader.is_values()).map(|(file, _)| *file);
        let mut files: Vec<FileId> = files.collect();
        files.dedup();
        files
    }

    /// The listed paths that nothing reads and nothing may read, in order.
    pub fn unread<'r>(&'r self, repo: &'r Repo) -> impl Iterator<Item = (FileId, &'r Entry)> {
        let entries = repo.entries().iter().enumerate().map(|(index, entry)| (FileId(index as u32), entry));
        entries.filter(|(file, entry)| self.sees(entry.root) && !self.is_read(*file))
    }

    /// The unread paths of all roots, indexed when they are first asked for: folders, or files.
    pub fn all_unread(&self, is_folder: bool, repo: &Repo) -> &Unread {
        let (files, folders) = self.unread.get_or_init(|| {
            let files = Unread::files(self, repo);
            let folders = Unread::folders(&files, self, repo);
            (files, folders)
        });
        if is_folder { folders } else { files }
    }

    /// Counts the entries that are read.
    fn count(&mut self, repo: &Repo) {
        let entries = repo.entries();
        let mut is_read = vec![false; entries.len()];
        for (file, _) in self.files.iter().filter(|(_, reading)| reading.is_live) {
            if let Some(read) = is_read.get_mut(file.index()) {
                *read = true;
            }
        }
        for ((root, folder), readers) in &self.folders {
            let mut seen: Vec<&str> = Vec::new();
            let below = repo.below(*root, folder);
            let Some(first) = below.first().and_then(|entry| repo.listed(*root, &entry.path)) else { continue };
            for (extent, _) in readers.iter().filter(|(_, reading)| reading.is_live) {
                let key = if let Extent::Plain(_, key) = extent { key.as_str() } else { "" };
                if seen.contains(&key) {
                    continue;
                }
                seen.push(key);
                for (entry, read) in below.iter().zip(is_read.iter_mut().skip(first.index())) {
                    *read |= entry.path.relative_to(folder).is_some_and(|inside| extent.takes(inside));
                }
            }
        }
        for (entry, read) in entries.iter().zip(&mut is_read).filter(|(_, read)| !**read) {
            *read = self.loose.may_mean(entry.path.as_str());
        }
        let mut sum = 0;
        self.counts = std::iter::once(0)
            .chain(is_read.into_iter().map(|read| {
                sum += u32::from(read);
                sum
            }))
            .collect();
    }
}
