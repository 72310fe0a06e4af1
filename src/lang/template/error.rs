//! What can go wrong with a template, in Go's words and with its bytes.

use super::ast::Bytes;
use super::env::Fault;
use std::fmt;

/// Why a template has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// The bytes to look at, in the text of the template's source.
    pub bytes: Bytes,
    /// What is wrong, in Go's words, without the place: `map has no entry for key "x"`.
    pub message: String,
    /// Go's whole text, with the template's name, line, column and node.
    pub text: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The template does not parse.
    Parse,
    /// A key is missing, and `missingkey=error` is set.
    MissingKey,
    /// It fails when it runs.
    Exec,
    /// It would use more than this program grants; Go might go on.
    Limit,
}

impl Error {
    /// Whether Argo CD takes this failure as a sign that a parameter will come later.
    ///
    /// Mirrors Argo CD 3.6, `isMissingKeyError`: it looks for these words anywhere in the text.
    pub fn names_a_missing_key(&self) -> bool {
        ["map has no entry for key", "can't evaluate field"].iter().any(|words| self.text.contains(words))
    }
}

impl Error {
    /// The failure of a function that ran a template, after these words.
    pub(super) fn into_fault(self, before: &str) -> Fault {
        match self.kind {
            ErrorKind::Limit => Fault::Limit(self.message),
            _ => Fault::Failed(format!("{before}: {}", self.text)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
