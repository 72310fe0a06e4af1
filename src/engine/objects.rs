//! States of a checkout other than its work tree: the index, or a commit. Their bytes come from git's objects; nothing is
//! checked out, and nothing is fetched.

use crate::repo::EntryKind;
use crate::text::RepoPath;

/// Which state of a checkout is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum State {
    /// What lies in the work tree.
    #[default]
    WorkTree,
    /// What the next commit would hold.
    Index,
    /// What a revision holds, in any notation of git.
    Commit(String),
}

#[cfg(feature = "git")]
pub use with_git::{Objects, Reader, Stored, merge_base};
#[cfg(not(feature = "git"))]
pub use without_git::{Objects, Reader, Stored, merge_base};

/// What a path of a state is, and the object that holds its bytes.
type Found<Id> = (String, EntryKind, Id);

/// The paths below a folder of a checkout, as seen from there.
fn below<'a, Id: Copy>(
    entries: &'a [Found<Id>],
    prefix: &'a RepoPath,
) -> impl Iterator<Item = (RepoPath, &'a EntryKind, Id)> {
    entries.iter().filter_map(move |(path, kind, id)| {
        let inside = super::git::strip_prefix(path, prefix)?;
        let path = RepoPath::new(inside).ok().filter(|path| path.as_str() == inside)?;
        Some((path, kind, *id))
    })
}

#[cfg(feature = "git")]
mod with_git {
    use super::{Found, State, below};
    use crate::repo::EntryKind;
    use crate::text::RepoPath;
    use crate::text::limits::{FILE_BYTES, LINK_BYTES, PATH_BYTES, STATE_PATHS};
    use gix::objs::tree::EntryKind as TreeKind;
    use gix::prelude::FindExt as _;
    use rustc_hash::FxHashMap;
    use std::fmt;
    use std::path::Path;
    use std::sync::Arc;

    /// A state of a checkout: every path that is no folder, and where its bytes are.
    pub struct Stored {
        repo: gix::ThreadSafeRepository,
        entries: Vec<Found<gix::ObjectId>>,
        /// The commit that is read; `None` for the index.
        commit: Option<gix::ObjectId>,
    }

    impl Stored {
        /// Reads a state of the checkout whose top is `top`; the work tree is none that git holds.
        ///
        /// # Errors
        /// Why it cannot be read, as the end of a sentence.
        pub fn open(top: &Path, state: &State) -> Result<Stored, String> {
            let repo = open(top)?;
            let (entries, commit) = match state {
                State::WorkTree => return Err("the work tree is not held by git".into()),
                State::Index => (of_index(&repo)?, None),
                State::Commit(revision) => {
                    let commit = commit(&repo, revision)?;
                    (of_commit(&repo, commit)?, Some(commit))
                }
            };
            Ok(Stored { repo: repo.into_sync(), entries, commit })
        }

        /// Whether a path, as seen from the top, is a file.
        pub fn is_file(&self, path: &str) -> bool {
            self.find(path).is_some()
        }

        /// The bytes of a file, its path as seen from the top; of a file that is too large, an error.
        ///
        /// # Errors
        /// Why there are none, as the end of a sentence.
        pub fn read(&self, path: &str) -> Result<Vec<u8>, String> {
            let id = self.find(path).ok_or("no such file or folder")?;
            let mut bytes = Vec::new();
            read(&self.repo.to_thread_local(), id, &mut bytes)?;
            Ok(bytes)
        }

        fn find(&self, path: &str) -> Option<gix::ObjectId> {
            let at = self.entries.binary_search_by(|(other, _, _)| other.as_str().cmp(path)).ok()?;
            let (_, kind, id) = &self.entries[at];
            (*kind == EntryKind::File).then_some(*id)
        }

        /// What lies below a folder of the checkout, and a way to its bytes.
        pub fn below(&self, prefix: &RepoPath) -> (Vec<(RepoPath, EntryKind)>, Objects) {
            let mut listed = Vec::new();
            let mut ids = FxHashMap::default();
            for (path, kind, id) in below(&self.entries, prefix) {
                if *kind == EntryKind::File {
                    ids.insert(path.clone(), id);
                }
                listed.push((path, kind.clone()));
            }
            (listed, Objects { repo: self.repo.clone(), ids: Arc::new(ids) })
        }
    }

    impl fmt::Debug for Stored {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Stored").field("commit", &self.commit).finish_non_exhaustive()
        }
    }

    /// The objects of the files below a folder.
    #[derive(Clone)]
    pub struct Objects {
        repo: gix::ThreadSafeRepository,
        ids: Arc<FxHashMap<RepoPath, gix::ObjectId>>,
    }

    impl fmt::Debug for Objects {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Objects").field("files", &self.ids.len()).finish_non_exhaustive()
        }
    }

    impl Objects {
        /// What reads them; each thread has its own.
        pub fn reader(&self) -> Reader {
            Reader { repo: self.repo.to_thread_local(), ids: Arc::clone(&self.ids) }
        }
    }

    /// Reads objects, for one thread.
    pub struct Reader {
        repo: gix::Repository,
        ids: Arc<FxHashMap<RepoPath, gix::ObjectId>>,
    }

    impl Reader {
        /// Reads the bytes of a path into `buffer`, instead of what it holds.
        ///
        /// # Errors
        /// Why there are none, as the end of a sentence.
        pub fn read(&self, path: &RepoPath, buffer: &mut Vec<u8>) -> Result<(), String> {
            let id = self.ids.get(path).ok_or("no such file or folder")?;
            read(&self.repo, *id, buffer)
        }
    }

    /// The commit in which the histories of a revision and of a state part.
    ///
    /// # Errors
    /// Why there is none, as the end of a sentence.
    pub fn merge_base(top: &Path, revision: &str, state: &State) -> Result<String, String> {
        let repo = open(top)?;
        let base = commit(&repo, revision)?;
        let head = match state {
            State::Commit(head) => commit(&repo, head)?,
            _ => repo.head_id().map_err(|_| "this checkout has no commit yet".to_owned())?.detach(),
        };
        match repo.merge_base(base, head) {
            Ok(Some(found)) => Ok(found.detach().to_string()),
            _ if repo.is_shallow().unwrap_or(false) => {
                Err("this clone is shallow and does not reach the commit that both share; `git fetch --unshallow`"
                    .into())
            }
            _ => Err("it shares no commit with what is checked; name a commit that it does".into()),
        }
    }

    fn open(top: &Path) -> Result<gix::Repository, String> {
        let options = gix::open::Options::isolated().with(gix::sec::Trust::Full);
        gix::open_opts(top, options).map_err(|error| super::super::git::first_line(&error))
    }

    fn commit(repo: &gix::Repository, revision: &str) -> Result<gix::ObjectId, String> {
        let missing = || {
            let hint = if repo.is_shallow().unwrap_or(false) { ", and is shallow" } else { "" };
            format!("this clone has no revision `{revision}`{hint}; fetch it first")
        };
        let id = repo.rev_parse_single(revision).map_err(|_| missing())?;
        let object = id.object().map_err(|_| missing())?;
        let commit = object.peel_to_commit().map_err(|_| format!("`{revision}` is no commit"))?;
        Ok(commit.id)
    }

    fn of_commit(repo: &gix::Repository, commit: gix::ObjectId) -> Result<Vec<Found<gix::ObjectId>>, String> {
        let incomplete = "this clone does not have its folders; fetch it first";
        let tree = repo.find_commit(commit).ok().and_then(|commit| commit.tree_id().ok()).ok_or(incomplete)?;
        let mut found = Vec::new();
        add_tree(repo, tree.detach(), "", &mut found)?;
        Ok(sorted(found))
    }

    fn of_index(repo: &gix::Repository) -> Result<Vec<Found<gix::ObjectId>>, String> {
        use gix::index::entry::{Flags, Mode, Stage};
        let Some(index) = repo.try_index().map_err(|error| super::super::git::first_line(&error))? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in index.entries() {
            // Of a conflict, our own side: there is no other state that a commit could hold.
            let is_ours = matches!(entry.stage(), Stage::Unconflicted | Stage::Ours);
            if !is_ours || entry.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            let Ok(path) = std::str::from_utf8(entry.path(&index)) else { continue };
            if entry.mode == Mode::DIR {
                add_tree(repo, entry.id, path, &mut found)?;
                continue;
            }
            let mode = entry.mode.to_tree_entry_mode();
            if let Some(kind) = mode.and_then(|mode| kind(repo, mode.kind(), entry.id)) {
                found.push((path.to_owned(), kind, entry.id));
            }
        }
        Ok(sorted(found))
    }

    /// Adds all that lies below a folder. Folders are objects that may hold each other many times, so what they say is
    /// counted, not believed.
    fn add_tree(
        repo: &gix::Repository,
        id: gix::ObjectId,
        prefix: &str,
        found: &mut Vec<Found<gix::ObjectId>>,
    ) -> Result<(), String> {
        let mut folders = vec![(prefix.to_owned(), id)];
        let mut steps = 0;
        while let Some((prefix, id)) = folders.pop() {
            let tree = repo.find_tree(id).map_err(|_| {
                let name = if prefix.is_empty() { "top folder" } else { prefix.trim_end_matches('/') };
                format!("this clone does not have the object of `{name}`; fetch it first")
            })?;
            for entry in tree.iter() {
                let entry = entry.map_err(|error| super::super::git::first_line(&error))?;
                steps += 1;
                if steps > STATE_PATHS {
                    return Err(format!("it holds more than {STATE_PATHS} paths"));
                }
                let Ok(name) = std::str::from_utf8(entry.filename()) else { continue };
                let path = format!("{prefix}{name}");
                match kind(repo, entry.mode().kind(), entry.object_id()) {
                    Some(kind) => found.push((path, kind, entry.object_id())),
                    None if path.len() <= PATH_BYTES => folders.push((path + "/", entry.object_id())),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// What a path is; `None` for a folder. A link whose target is not there, or too long to be one, leads nowhere.
    fn kind(repo: &gix::Repository, kind: TreeKind, id: gix::ObjectId) -> Option<EntryKind> {
        match kind {
            TreeKind::Tree => None,
            TreeKind::Commit => Some(EntryKind::Submodule),
            TreeKind::Blob | TreeKind::BlobExecutable => Some(EntryKind::File),
            TreeKind::Link => {
                let is_short = repo.find_header(id).is_ok_and(|header| header.size() <= LINK_BYTES);
                let target = is_short.then(|| repo.find_object(id).ok()).flatten();
                let target = target.map(|blob| String::from_utf8_lossy(&blob.data).into_owned());
                Some(EntryKind::Symlink(target.unwrap_or_default()))
            }
        }
    }

    fn sorted(mut found: Vec<Found<gix::ObjectId>>) -> Vec<Found<gix::ObjectId>> {
        found.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        found.dedup_by(|(a, ..), (b, ..)| a == b);
        found
    }

    /// Reads an object into a buffer; of one that is too large, one byte too many.
    fn read(repo: &gix::Repository, id: gix::ObjectId, buffer: &mut Vec<u8>) -> Result<(), String> {
        let missing = |_| "this clone does not have its object; fetch it first".to_owned();
        let size = repo.find_header(id).map_err(|_| missing(()))?.size();
        if size > FILE_BYTES {
            buffer.clear();
            buffer.resize(FILE_BYTES as usize + 1, b' ');
            return Ok(());
        }
        repo.objects.find_blob(&id, buffer).map(drop).map_err(|_| missing(()))
    }
}

/// Without the feature `git`, no state but the work tree is known.
#[cfg(not(feature = "git"))]
mod without_git {
    use super::{Found, State, below};
    use crate::repo::EntryKind;
    use crate::text::RepoPath;
    use std::path::Path;

    const REASON: &str = "this plimsoll is built without git";

    /// A state of a checkout; there is never one.
    #[derive(Debug)]
    pub struct Stored {
        entries: Vec<Found<()>>,
    }

    impl Stored {
        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn open(_: &Path, _: &State) -> Result<Stored, String> {
            Err(REASON.into())
        }

        /// Never a file.
        pub fn is_file(&self, _: &str) -> bool {
            false
        }

        /// Never any bytes.
        ///
        /// # Errors
        /// Always.
        pub fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            Err(REASON.into())
        }

        /// Nothing.
        pub fn below(&self, prefix: &RepoPath) -> (Vec<(RepoPath, EntryKind)>, Objects) {
            (below(&self.entries, prefix).map(|(path, kind, ())| (path, kind.clone())).collect(), Objects)
        }
    }

    /// No objects.
    #[derive(Clone, Debug)]
    pub struct Objects;

    impl Objects {
        /// What reads nothing.
        pub fn reader(&self) -> Reader {
            Reader
        }
    }

    /// Reads nothing.
    pub struct Reader;

    impl Reader {
        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn read(&self, _: &RepoPath, _: &mut Vec<u8>) -> Result<(), String> {
            Err(REASON.into())
        }
    }

    /// Always fails.
    ///
    /// # Errors
    /// Always.
    pub fn merge_base(_: &Path, _: &str, _: &State) -> Result<String, String> {
        Err(REASON.into())
    }
}
