//! Bytes: what a place in a file is, and how text changes.
//!
//! This floor knows files, byte spans, repository paths, line starts, edits and the limits on hostile input.
//! It must not know YAML, rules, or anything of the file system: a [`SourceFile`] is text somebody else read.
//! Lines and columns are computed here but used only where people read them (`report`, `views`, `lsp`).

pub mod edit;
pub mod limits;
mod lines;
mod path;
mod placeholder;
pub mod similar;

pub use edit::Edit;
pub use lines::{LineIndex, Position};
pub use path::{OutsideRoot, RepoPath, RootId};
pub use placeholder::is_placeholder;
pub use similar::nearest;

use std::sync::Arc;

/// A file of this run: an index into the snapshot's sorted listing of all paths of all roots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

impl FileId {
    /// The index this id stands for.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file the bytes are in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

const _: () = assert!(size_of::<Span>() == 12);

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// The empty span at the start of `file`: for findings about a file as a whole, or a path without text.
    pub fn whole(file: FileId) -> Span {
        Span { file, start: 0, end: 0 }
    }

    /// The bytes as a range that indexes the file's text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether no byte is covered (an insertion point).
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies within this span, in the same file.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Whether the two spans share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.file == other.file && self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both; `other` must be of the same file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file, "a span cannot cross files");
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value and the bytes it was read from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it is written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, read at `span`.
    pub fn new(value: T, span: Span) -> Spanned<T> {
        Spanned { value, span }
    }

    /// The same place with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: change(self.value), span: self.span }
    }

    /// A borrowed view of the value at the same place.
    pub fn as_ref(&self) -> Spanned<&T> {
        Spanned { value: &self.value, span: self.span }
    }
}

impl Spanned<String> {
    /// The value as a string slice.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}

/// One file's text, with its place in the repository.
#[derive(Debug)]
pub struct SourceFile {
    /// Its id in the snapshot.
    pub id: FileId,
    /// The root it belongs to.
    pub root: RootId,
    /// Its path, relative to the root.
    pub path: RepoPath,
    /// The whole text, UTF-8; shared with the tree that was parsed from it.
    pub text: Arc<str>,
    lines: std::sync::OnceLock<LineIndex>,
}

impl SourceFile {
    /// A file with this text.
    pub fn new(id: FileId, root: RootId, path: RepoPath, text: impl Into<Arc<str>>) -> SourceFile {
        SourceFile { id, root, path, text: text.into(), lines: std::sync::OnceLock::new() }
    }

    /// Whether a word stands anywhere in the text: a quick search, for questions that are asked of every file.
    pub fn mentions(&self, word: &str) -> bool {
        memchr::memmem::find(self.text.as_bytes(), word.as_bytes()).is_some()
    }

    /// The line starts, computed at the first call: most files are never reported on.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Line and column of a byte offset; see [`Position`].
    pub fn position(&self, offset: u32) -> Position {
        self.lines().position(&self.text, offset)
    }

    /// The text under a span of this file, empty when the span does not fit.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}
