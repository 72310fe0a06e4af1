//! Why a path has an effect or none, and where an app comes from.
//!
//! `uses` says what reads a path, `wants` what nearly or perhaps wants it, `paths` puts both into answers; `apps` goes
//! the other way, from an app to what it is made of.

pub mod apps;
pub mod paths;
mod uses;
mod wants;

use super::manifest::brief_or;
use crate::fleet::{Fleet, Set};
use crate::repo::Repo;
use crate::report::Location;
use crate::text::{RepoPath, RootId, Span};
use serde_json::{Value, json};

/// A place as people read it.
fn place(span: Span, repo: &Repo) -> String {
    format!("{}:{}", repo.display_path(repo.entry(span.file)), Location::of(repo, span).start.line)
}

/// A place for programs.
fn place_json(span: Span, repo: &Repo) -> Value {
    let at = Location::of(repo, span);
    json!({"root": at.root, "path": at.path, "line": at.start.line, "column": at.start.column})
}

/// The name of a set, with marks for what is not known of it.
fn set_name(set: &Set, fleet: &Fleet, repo: &Repo) -> String {
    brief_or(set.resource(fleet, repo).metadata.name.as_ref(), "{?}")
}

/// A path of a root as people read it, whether or not it is there.
fn shown(root: RootId, path: &RepoPath, repo: &Repo) -> String {
    match repo.root(root).name.as_str() {
        "." | "" if path.is_root() => ".".to_owned(),
        "." | "" => path.as_str().to_owned(),
        name => format!("{}/{path}", name.trim_end_matches('/')),
    }
}
