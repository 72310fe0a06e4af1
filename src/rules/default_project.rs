//! Where projects are declared, an app belongs into one of them.

use super::{App, Check, Context, Findings};
use crate::fleet::projects::Project;
use crate::fleet::{Source, Undecided};
use crate::formats::Kind;
use crate::text::{RepoPath, RootId};
use crate::value::Why;
use std::collections::BTreeSet;

pub const CHECK: Check = Check::app(check);

/// Projects that the help names.
const SHOWN: usize = 3;

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let projects = &cx.fleet.projects;
    // A repository that declares `default` itself has decided what it may do.
    let Some(written) = app.spec.project.as_ref().filter(|_| app.project() == Some("default")) else { return };
    let names: BTreeSet<&str> = projects.beside(app, cx.repo).map(Project::name).collect();
    if names.is_empty() || !projects.declarations("default").is_empty() {
        return;
    }
    // What installs the projects cannot be in one of them.
    let may_install = |source: &Source| match source.folder() {
        Some((root, folder)) => installs(cx, root, folder),
        None => source.undecided().next().is_some(),
    };
    if app.sources.iter().any(may_install) {
        return;
    }
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let (shown, rest) = names.split_at(names.len().min(SHOWN));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    out.at(written.span(), "app is in the project `default`, which permits everything")
        .help(format!("put it into a project of its own, such as {}{more}", shown.join(", ")));
}

/// Whether a folder holds Applications, sets or projects, or templates for them: its app is part of the bootstrap.
fn installs(cx: &Context<'_>, root: RootId, folder: &RepoPath) -> bool {
    let is_inside = |one: &Undecided| {
        let entry = cx.repo.entry(one.unknown.span.file);
        one.unknown.why == Why::Template && entry.root == root && entry.path.is_within(folder)
    };
    cx.fleet.undecided.iter().any(is_inside)
        || [Kind::AppProject, Kind::Application, Kind::ApplicationSet].into_iter().any(|kind| {
            cx.repo.documents(kind).any(|(file, _)| file.source.root == root && file.source.path.is_within(folder))
        })
}
