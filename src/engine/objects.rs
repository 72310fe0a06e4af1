//! States of a checkout other than its work tree: the index, or a commit. Their bytes come from git's objects; nothing
//! is checked out, and nothing is fetched.

#[cfg(feature = "git")]
pub use with_git::{Objects, Reader, Stored, merge_base};
#[cfg(not(feature = "git"))]
pub use without_git::{Objects, Reader, Stored, merge_base};

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
mod with_git {
    use super::State;
    use crate::engine::git::{self, first_line, strip_prefix};
    use crate::repo::EntryKind;
    use crate::text::RepoPath;
    use crate::text::limits::{FILE_BYTES, STATE_PATHS};
    use gix::prelude::FindExt as _;
    use rustc_hash::FxHashMap;
    use std::fmt;
    use std::path::Path;
    use std::sync::Arc;

    /// A state of a checkout: every path that is no folder, and where its bytes are.
    pub struct Stored {
        repo: gix::ThreadSafeRepository,
        /// In byte order, each path once.
        entries: Vec<(String, EntryKind, gix::ObjectId)>,
    }

    impl Stored {
        /// Reads the index of the checkout whose top is `top`.
        ///
        /// # Errors
        /// Why it cannot be read, as the end of a sentence.
        pub fn index(top: &Path) -> Result<Stored, String> {
            let repo = git::open(top)?;
            let entries = of_index(&repo)?;
            Ok(Stored::new(repo, entries))
        }

        /// Reads a commit of the checkout whose top is `top`.
        ///
        /// # Errors
        /// Why it cannot be read, as the end of a sentence.
        pub fn commit(top: &Path, revision: &str) -> Result<Stored, String> {
            let repo = git::open(top)?;
            let tree = commit(&repo, revision)?.tree_id().map_err(|error| first_line(&error))?.detach();
            let entries = git::paths_below(&repo, tree, "", STATE_PATHS)?;
            Ok(Stored::new(repo, entries))
        }

        fn new(repo: gix::Repository, mut entries: Vec<(String, EntryKind, gix::ObjectId)>) -> Stored {
            entries.sort_by(|(a, ..), (b, ..)| a.cmp(b));
            entries.dedup_by(|(a, ..), (b, ..)| a == b);
            Stored { repo: repo.into_sync(), entries }
        }

        /// Whether a path, as seen from the top, is a file.
        pub fn is_file(&self, path: &str) -> bool {
            self.find(path).is_some()
        }

        /// The bytes of a file, its path as seen from the top; of one that is too large, one byte too many.
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
            let at = self.entries.binary_search_by(|(other, ..)| other.as_str().cmp(path)).ok()?;
            let (_, kind, id) = &self.entries[at];
            (*kind == EntryKind::File).then_some(*id)
        }

        /// What lies below a folder of the checkout, as seen from there, and a way to its bytes.
        pub fn below(&self, prefix: &RepoPath) -> (Vec<(RepoPath, EntryKind)>, Objects) {
            let (mut listed, mut ids) = (Vec::new(), FxHashMap::default());
            for (path, kind, id) in &self.entries {
                let Some(inside) = strip_prefix(path, prefix) else { continue };
                let Some(path) = RepoPath::new(inside).ok().filter(|path| path.as_str() == inside) else { continue };
                if *kind == EntryKind::File {
                    ids.insert(path.clone(), *id);
                }
                listed.push((path, kind.clone()));
            }
            (listed, Objects { repo: self.repo.clone(), ids: Arc::new(ids) })
        }
    }

    impl fmt::Debug for Stored {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Stored").field("paths", &self.entries.len()).finish_non_exhaustive()
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
        /// Reads the bytes of a path into `buffer`, instead of what it holds; of a file that is too large, one byte too
        /// many.
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
        let repo = git::open(top)?;
        let base = commit(&repo, revision)?.id;
        let head = match state {
            State::Commit(head) => commit(&repo, head)?.id,
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

    fn commit<'r>(repo: &'r gix::Repository, revision: &str) -> Result<gix::Commit<'r>, String> {
        let missing = || {
            let hint = if repo.is_shallow().unwrap_or(false) { ", and is shallow" } else { "" };
            format!("this clone has no revision `{revision}`{hint}; fetch it first")
        };
        let id = repo.rev_parse_single(revision).map_err(|_| missing())?;
        let object = id.object().map_err(|_| missing())?;
        object.peel_to_commit().map_err(|_| format!("`{revision}` is no commit"))
    }

    fn of_index(repo: &gix::Repository) -> Result<Vec<(String, EntryKind, gix::ObjectId)>, String> {
        use gix::index::entry::{Flags, Mode, Stage};
        let Some(index) = repo.try_index().map_err(|error| first_line(&error))? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for entry in index.entries() {
            // Of a conflict, our own side: there is no other state that a commit could hold.
            let is_ours = matches!(entry.stage(), Stage::Unconflicted | Stage::Ours);
            if !is_ours || entry.flags.contains(Flags::INTENT_TO_ADD) {
                continue;
            }
            let Ok(path) = std::str::from_utf8(entry.path(&index)) else { continue };
            if entry.mode == Mode::DIR {
                // A folder that a sparse checkout leaves out stands in the index as one.
                found.extend(git::paths_below(repo, entry.id, path, STATE_PATHS)?);
            } else if let Some(mode) = entry.mode.to_tree_entry_mode()
                && let Some(kind) = git::kind(repo, path, mode.kind(), entry.id)?
            {
                found.push((path.to_owned(), kind, entry.id));
            }
        }
        Ok(found)
    }

    fn read(repo: &gix::Repository, id: gix::ObjectId, buffer: &mut Vec<u8>) -> Result<(), String> {
        let missing = "this clone does not have its object; fetch it first";
        let size = repo.find_header(id).map_err(|_| missing)?.size();
        if size > FILE_BYTES {
            buffer.clear();
            buffer.resize(FILE_BYTES as usize + 1, b' ');
            return Ok(());
        }
        repo.objects.find_blob(&id, buffer).map_err(|_| missing)?;
        Ok(())
    }
}

/// Without the feature `git`, no state but the work tree is known: there is never one that is stored.
#[cfg(not(feature = "git"))]
mod without_git {
    use super::State;
    use crate::repo::EntryKind;
    use crate::text::RepoPath;
    use std::path::Path;

    const REASON: &str = "this plimsoll is built without git";

    /// A state of a checkout.
    #[derive(Debug)]
    pub enum Stored {}

    impl Stored {
        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn index(_: &Path) -> Result<Stored, String> {
            Err(REASON.into())
        }

        /// Always fails.
        ///
        /// # Errors
        /// Always.
        pub fn commit(_: &Path, _: &str) -> Result<Stored, String> {
            Err(REASON.into())
        }

        /// Whether a path is a file.
        pub fn is_file(&self, _: &str) -> bool {
            match *self {}
        }

        /// The bytes of a file.
        ///
        /// # Errors
        /// Never.
        pub fn read(&self, _: &str) -> Result<Vec<u8>, String> {
            match *self {}
        }

        /// What lies below a folder.
        pub fn below(&self, _: &RepoPath) -> (Vec<(RepoPath, EntryKind)>, Objects) {
            match *self {}
        }
    }

    /// Objects of files.
    #[derive(Clone, Debug)]
    pub struct Objects;

    impl Objects {
        /// What reads them.
        pub fn reader(&self) -> Reader {
            Reader
        }
    }

    /// Reads objects.
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
