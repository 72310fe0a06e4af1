//! What nobody owns, folded to the highest folders.

use super::{Ownership, Reading};
use crate::repo::{Entry, Repo};
use crate::text::{FileId, RepoPath};

/// A file without owner, or a folder without any owned file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unowned {
    /// The file or folder.
    pub path: RepoPath,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// How many files that are, among those that are wanted.
    pub files: usize,
    /// The first of them.
    pub first: FileId,
}

/// What was found, as long as it may be folded.
struct Piece {
    first: FileId,
    /// For a folder, how much of the first path it is.
    folder: Option<usize>,
    files: usize,
}

/// A folder on the way to the current path.
struct Frame {
    /// Bytes of its path, with its `/`.
    length: usize,
    /// Where what was found below it starts.
    start: usize,
    wanted: usize,
    unowned: usize,
}

/// The files that no line matches, of those that are wanted: a folder of such files only stands for all of them. Files
/// whose ownership a line takes away are not among them, and keep a folder from being folded.
pub fn unowned(reading: &Reading, repo: &Repo, is_wanted: impl Fn(&Entry) -> bool) -> Vec<Unowned> {
    let Some(matched) = reading.matched(repo) else { return Vec::new() };
    let ownership: Vec<Ownership> = matched.classes.iter().map(|class| reading.ownership(&class.entries)).collect();
    let mut found: Vec<Piece> = Vec::new();
    let mut frames = vec![Frame { length: 0, start: 0, wanted: 0, unowned: 0 }];
    let mut previous = "";
    let paths = repo.below(reading.root, &RepoPath::root());
    let Some(first) = paths.first().and_then(|entry| repo.listed(entry.root, &entry.path)) else { return Vec::new() };
    for ((entry, class), id) in paths.iter().zip(&matched.of_path).zip(first.0..) {
        let path = entry.path.as_str();
        while frames.len() > 1 && frames.last().is_some_and(|frame| !path.starts_with(&previous[..frame.length])) {
            leave(&mut frames, &mut found);
        }
        let length = frames.last().map_or(0, |frame| frame.length);
        for (at, _) in path[length..].match_indices('/') {
            frames.push(Frame { length: length + at + 1, start: found.len(), wanted: 0, unowned: 0 });
        }
        previous = path;
        if !is_wanted(entry) {
            continue;
        }
        let folder = frames.last_mut().expect("the root's frame stays");
        folder.wanted += 1;
        if ownership[*class as usize] == Ownership::Unmatched {
            folder.unowned += 1;
            found.push(Piece { first: FileId(id), folder: None, files: 1 });
        }
    }
    while frames.len() > 1 {
        leave(&mut frames, &mut found);
    }
    fold(&frames[0], &mut found);
    found.into_iter().map(|piece| piece.named(repo)).collect()
}

/// Closes the innermost folder.
fn leave(frames: &mut Vec<Frame>, found: &mut Vec<Piece>) {
    let Some(frame) = frames.pop() else { return };
    fold(&frame, found);
    if let Some(parent) = frames.last_mut() {
        parent.wanted += frame.wanted;
        parent.unowned += frame.unowned;
    }
}

/// Replaces what was found below a folder by the folder, when that is all of it.
fn fold(frame: &Frame, found: &mut Vec<Piece>) {
    if frame.unowned == 0 || frame.unowned < frame.wanted {
        return;
    }
    let first = found[frame.start].first;
    found.truncate(frame.start);
    found.push(Piece { first, folder: Some(frame.length), files: frame.unowned });
}

impl Piece {
    fn named(self, repo: &Repo) -> Unowned {
        let file = &repo.entry(self.first).path;
        let folder =
            |length: usize| RepoPath::new(&file.as_str()[..length]).expect("a part of a path of the repository");
        let path = self.folder.map_or_else(|| file.clone(), folder);
        Unowned { path, is_folder: self.folder.is_some(), files: self.files, first: self.first }
    }
}
