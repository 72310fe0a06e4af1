//! Path and name patterns: one matcher per engine, because no two engines of the field agree.
//!
//! | engine | where Argo CD uses it | `*` crosses `/` | `{a,b}` | negated class | broken pattern |
//! |---|---|---|---|---|---|
//! | [`path`] | git directories, resource lists, `manifest-generate-paths` | no | literal | `[^x]` | skipped |
//! | [`pathspec`] | git files, the default | yes | literal | `[!x]`, `[^x]` | matches nothing |
//! | [`doublestar`] | git files on request, globs in `valueFiles` | no, `**` does | yes | `[!x]`, `[^x]` | the generator fails |
//! | [`gobwas`] | projects, directory sources, RBAC | without separators | yes | `[!x]` | matches nothing |
//!
//! [`segments`] is for CODEOWNERS files, which no part of Argo CD reads.
//!
//! Every pattern is compiled once and then matched in time bounded by the product of both lengths, whatever the
//! pattern; `literal_prefix` is text that every match begins with, so that a sorted listing can be narrowed before
//! anything is matched.

pub mod argo;
pub mod doublestar;
pub mod gobwas;
pub mod path;
pub mod pathspec;
mod rune;
pub mod segments;
pub mod wildmatch;

use std::fmt;

/// A pattern that its engine refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadPattern {
    /// Where the mistake starts, in bytes of the pattern.
    pub offset: usize,
    /// What is wrong there; lower case, no final stop.
    pub message: &'static str,
}

impl BadPattern {
    fn new(offset: usize, message: &'static str) -> BadPattern {
        BadPattern { offset, message }
    }
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl std::error::Error for BadPattern {}
