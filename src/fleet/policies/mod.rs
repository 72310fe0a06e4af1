//! What a configuration demands of projects, of sync policies and of revisions; each demand knows its line there.
//!
//! `bounds` compares projects with what they may permit at most, `sync` and `revision` compare apps with what is demanded
//! of them. Nothing is demanded that is not configured.

pub mod bounds;
pub mod revision;
pub mod sync;

pub use bounds::Bounds;
pub use revision::Tracking;
pub use sync::Bucket;

use super::owners::policy::seen_from;
use crate::repo::{Entry, Repo};
use crate::text::{RepoPath, RootId, Span};
use std::borrow::Cow;

/// `policies` as meant, without those of code owners.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// `appproject`.
    pub projects: Bounds,
    /// `sync`, in order: each bucket demands for itself.
    pub sync: Vec<Bucket>,
    /// `revision`, in order.
    pub revisions: Vec<Tracking>,
    /// The configuration file, when there is one.
    pub file: Option<(RootId, RepoPath)>,
}

/// What differs from a demand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Where.
    pub span: Span,
    /// What, in the style of messages.
    pub message: String,
    /// The demand, in the configuration.
    pub demand: Span,
    /// What to do.
    pub help: String,
}

impl Policies {
    /// The place of a demand, when the configuration is a file of the roots.
    pub fn place(&self, demand: Span, repo: &Repo) -> Option<Span> {
        let (root, path) = self.file.as_ref()?;
        Some(Span { file: repo.listed(*root, path)?, ..demand })
    }

    /// A path as the globs see it: from the folder of the configuration, in other roots with their name.
    pub fn path<'e>(&self, repo: &Repo, entry: &'e Entry) -> Cow<'e, str> {
        let folder = self.file.as_ref().map(|(root, path)| (*root, path.parent().unwrap_or_else(RepoPath::root)));
        seen_from(folder.as_ref(), repo, entry)
    }
}
