//! What is to be checked: the listing of every root, and a way to its contents.

use crate::repo::{EntryKind, Root};
use crate::text::RepoPath;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The roots of a run.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// In the order given.
    pub roots: Vec<SnapshotRoot>,
}

/// One root: what is there and how to read it.
#[derive(Debug)]
pub struct SnapshotRoot {
    /// Name, URLs, branches.
    pub root: Root,
    /// Every path that is no folder, in any order.
    pub entries: Vec<(RepoPath, EntryKind)>,
    /// Where the bytes are.
    pub contents: Contents,
}

/// Where the bytes of a root are.
#[derive(Debug)]
pub enum Contents {
    /// In files below this folder.
    Disk(PathBuf),
    /// In memory, by path; a listed path without bytes is empty.
    Memory(BTreeMap<RepoPath, Vec<u8>>),
}
