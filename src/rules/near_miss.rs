//! A path that nothing reads, although a pattern or a tool nearly takes it.

use super::{Check, Context, Findings};
use crate::finding::{Fix, Rename};
use crate::near::{self, Misnamed, Miss};
use crate::repo::{Repo, Slip};
use crate::text::{RepoPath, RootId, Span};

pub const CHECK: Check = Check::fleet(check);

/// Files that one fix moves.
const MOVED: usize = 200;

fn check(cx: &Context<'_>, out: &mut Findings) {
    for miss in near::misses(cx.fleet, cx.repo) {
        report(&miss, cx.repo, out);
    }
    let consumed = cx.fleet.consumed(cx.repo);
    for file in near::misnamed(cx.repo) {
        let is_used = consumed.is_value_file(file.file) || consumed.is_named(file.file);
        if !is_used && !near::is_set_aside(&cx.repo.entry(file.file).path) {
            report_name(&file, cx.repo, out);
        }
    }
}

fn report(miss: &Miss, repo: &Repo, out: &mut Findings) {
    let path = &miss.path;
    let message = match miss.count {
        1 => format!("no generator takes `{path}`: it {}", miss.difference),
        count => format!("no generator takes `{path}` and {} more: it {}", count - 1, miss.difference),
    };
    let finding = out.at(Span::whole(miss.file), message);
    let sibling = repo.path_seen_from(miss.item, miss.root, &miss.sibling);
    finding.label(miss.item, format!("`{}` takes `{sibling}`, and would take `{}`", miss.pattern, miss.corrected));
    let (from, to) = &miss.rename;
    let is_level = matches!(miss.slip, Slip::Level | Slip::Order);
    let verb = if is_level { "move" } else { "rename" };
    finding.help(format!("{verb} `{from}` to `{to}`, or add a pattern that takes it"));
    if let Some(fix) = moved(miss.root, from, to, repo) {
        finding.fix(fix);
    }
}

fn report_name(file: &Misnamed, repo: &Repo, out: &mut Findings) {
    let path = &repo.entry(file.file).path;
    let Some(wanted) = path.parent().and_then(|folder| folder.join(file.wanted).ok()) else { return };
    let message = format!("{} does not see `{}`: it looks for `{}`", file.tool, path.name(), file.wanted);
    let finding = out.at(Span::whole(file.file), message);
    finding.help(format!("rename it to `{}`", file.wanted));
    if let Some(fix) = moved(repo.entry(file.file).root, path, &wanted, repo) {
        finding.fix(fix);
    }
}

/// The change that moves a file, or all files of a folder; nothing when something is there already.
fn moved(root: RootId, from: &RepoPath, to: &RepoPath, repo: &Repo) -> Option<Fix> {
    let below = repo.below(root, from);
    let mut renames: Vec<Rename> = Vec::new();
    for path in repo
        .listed(root, from)
        .map(|file| &repo.entry(file).path)
        .into_iter()
        .chain(below.iter().map(|entry| &entry.path))
    {
        let target = to.join(path.relative_to(from)?).ok()?;
        if repo.listed(root, &target).is_some() || renames.len() >= MOVED {
            return None;
        }
        renames.push(Rename { from: repo.listed(root, path)?, to: target });
    }
    Some(Fix { renames, ..Fix::unsafe_(format!("rename `{from}` to `{to}`"), Vec::new()) })
}
