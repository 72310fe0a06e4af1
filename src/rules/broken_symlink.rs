//! A symbolic link must lead to something inside its repository.

use super::{Check, Context, Findings};
use crate::repo::{Entry, EntryKind, Found};
use crate::text::{FileId, RepoPath, RootId, Span};
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let read: BTreeSet<RootId> =
        cx.fleet.apps.iter().flat_map(|app| &app.sources).filter_map(|source| source.root).collect();
    for (index, entry) in cx.repo.entries().iter().enumerate() {
        let EntryKind::Symlink(target) = &entry.kind else { continue };
        let span = Span::whole(FileId(index as u32));
        if leaves(entry, target) {
            if read.contains(&entry.root) {
                out.at(span, format!("link to `{target}` leads out of the repository"))
                    .help("copy what it leads to, or link to something in here: Argo CD refuses the whole repository");
            }
        } else if cx.repo.find(entry.root, &entry.path) == Found::Missing && is_in_chart(entry, cx) {
            out.at(span, format!("link to `{target}` leads nowhere"))
                .help("remove it, or add what it leads to: Helm cannot load the chart");
        }
    }
}

/// Whether a link leaves its repository, at its end or on the way. What it leads to need not exist.
///
/// Mirrors Argo CD 3.6, `CheckOutOfBoundsSymlinks`.
fn leaves(entry: &Entry, target: &str) -> bool {
    let folder = entry.path.parent().unwrap_or_else(RepoPath::root);
    target.starts_with('/') || folder.join(target).is_err()
}

/// Whether a link lies in the folder of a chart, all of which Helm walks through.
fn is_in_chart(entry: &Entry, cx: &Context<'_>) -> bool {
    let folders = std::iter::successors(entry.path.parent(), RepoPath::parent);
    folders
        .filter_map(|folder| folder.join("Chart.yaml").ok())
        .any(|chart| cx.repo.listed(entry.root, &chart).is_some())
}
