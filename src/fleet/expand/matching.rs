//! How the git generator reads its patterns: one engine for folders, two for files.

use crate::lang::glob::{BadPattern, doublestar, path, pathspec};

/// Which engine reads a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matching {
    /// `directories`: Go's `path.Match` on the path of a folder.
    Folders,
    /// `files` as a controller reads them by default: a git pathspec, in which `*` crosses `/`.
    Pathspec,
    /// `files` under the new globbing: doublestar.
    Doublestar,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub enum Matcher {
    /// Of [`Matching::Folders`].
    Folders(path::Pattern),
    /// Of [`Matching::Pathspec`].
    Pathspec(pathspec::Pattern),
    /// Of [`Matching::Doublestar`].
    Doublestar(doublestar::Pattern),
}

impl Matching {
    /// What it matches, in words.
    pub fn what(self) -> &'static str {
        if self == Matching::Folders { "folder" } else { "file" }
    }

    /// Compiles a pattern.
    ///
    /// # Errors
    /// When the engine refuses it. Of folders the generator then ignores the pattern, of files it fails.
    pub fn compile(self, text: &str) -> Result<Matcher, BadPattern> {
        Ok(match self {
            Matching::Folders => Matcher::Folders(path::Pattern::new(text)?),
            Matching::Pathspec => Matcher::Pathspec(pathspec::Pattern::new(if text.is_empty() { "." } else { text })?),
            Matching::Doublestar => Matcher::Doublestar(doublestar::Pattern::new(text)?),
        })
    }
}

impl Matcher {
    /// Whether it takes this path: of a folder in `directories`, else of a file.
    pub fn matches(&self, path: &str) -> bool {
        match self {
            Matcher::Folders(pattern) => pattern.matches(path),
            Matcher::Pathspec(pattern) => pattern.matches(path),
            Matcher::Doublestar(pattern) => pattern.matches_file(path),
        }
    }

    /// Text that every path it takes begins with.
    pub fn literal_prefix(&self) -> &str {
        match self {
            Matcher::Folders(pattern) => pattern.literal_prefix(),
            Matcher::Pathspec(pattern) => pattern.literal_prefix(),
            Matcher::Doublestar(pattern) => pattern.literal_prefix(),
        }
    }
}
