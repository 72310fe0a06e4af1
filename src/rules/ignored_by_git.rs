//! What an app reads must not be ignored by git.

use super::{Check, Context, Findings};
use crate::lang::glob::doublestar;
use crate::text::{RepoPath, Span};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    if cx.repo.ignored().is_empty() {
        return;
    }
    for sought in cx.fleet.sought() {
        let is_meant = |path: &RepoPath| {
            path.segments().count() == sought.path.segments().count()
                && sought
                    .path
                    .segments()
                    .zip(path.segments())
                    .all(|(segment, name)| doublestar::matches(segment, name).unwrap_or(false))
        };
        let here = cx.repo.ignored().iter().filter(|ignored| ignored.root == sought.root);
        for ignored in here.filter(|ignored| is_meant(&ignored.path)) {
            let path = cx.repo.path_seen_from(sought.span, sought.root, &ignored.path);
            out.at(sought.span, format!("`{path}` is in the work tree, but git ignores it"))
                .label(Span::whole(ignored.by), format!("line {}, `{}`, ignores it", ignored.line, ignored.pattern))
                .help("except it from that line and commit it, or name a path that is committed");
        }
    }
}
