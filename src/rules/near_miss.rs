//! A path that nothing reads, although a pattern or a tool nearly takes it.

use super::{Check, Context, Findings};
use crate::finding::{Fix, Rename};
use crate::fleet::consumed::mentioned;
use crate::near::{self, Misnamed, Miss, Mistake, Stray};
use crate::repo::{Repo, Slip, slip};
use crate::text::{FileId, RepoPath, RootId, Span};
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub const CHECK: Check = Check::fleet(check);

/// Files that one fix moves.
const MOVED: usize = 200;

fn check(cx: &Context<'_>, out: &mut Findings) {
    for miss in cx.near.misses(cx.fleet, cx.repo) {
        report(miss, cx.repo, out);
    }
    let consumed = cx.fleet.consumed(cx.repo);
    let told: BTreeSet<FileId> = out.spans().map(|span| span.file).collect();
    let strays: Vec<&Stray> =
        cx.near.strays(cx.fleet, cx.repo).iter().filter(|stray| !told.contains(&stray.file)).collect();
    let named = mentioned(&strays.iter().map(|stray| stray.file).collect(), cx.repo);
    for stray in strays.iter().filter(|stray| stray.mistake == Mistake::Entries || !named.contains(&stray.file)) {
        report_stray(stray, cx.repo, out);
    }
    for file in near::misnamed(cx.repo) {
        let is_used = consumed.is_value_file(file.file) || consumed.is_named(file.file);
        let path = &cx.repo.entry(file.file).path;
        // Folders of templates have names that mean something else anywhere but in a chart.
        let is_set_aside = file.wanted != "templates" && near::is_set_aside(path);
        if !is_used && !is_set_aside {
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

fn report_stray(stray: &Stray, repo: &Repo, out: &mut Findings) {
    let ((from, to), root) = (&stray.rename, repo.entry(stray.file).root);
    let path = &repo.entry(stray.file).path;
    let mut message = match stray.count {
        1 => format!("nothing reads `{path}`"),
        count => format!("nothing reads `{path}` and {} more", count - 1),
    };
    match stray.mistake {
        Mistake::Name(Slip::Extension) => message.push_str(": its extension is none that is looked for"),
        Mistake::Name(_) => write!(message, ": `{}` is not `{}`", from.name(), to.name()).expect("a string takes text"),
        // That is said as what is not delivered.
        Mistake::Place => return,
        Mistake::Entries => message.push_str(", and nothing of what it names is there"),
    }
    let finding = out.at(Span::whole(stray.file), message);
    if let Some(beside) = repo.listed(root, &stray.beside) {
        finding.label(Span::whole(beside), format!("`{}` is read", stray.beside));
    }
    finding.help(format!("move `{from}` to `{to}`, or remove it"));
    if let Some(fix) = moved(root, from, to, repo) {
        finding.fix(fix);
    }
}

fn report_name(file: &Misnamed, repo: &Repo, out: &mut Findings) {
    let mut path = repo.entry(file.file).path.clone();
    while file.wanted == "templates" && slip(file.wanted, path.name(), false) != Some(file.slip) {
        let Some(folder) = path.parent() else { return };
        path = folder;
    }
    let path = &path;
    let Some(wanted) = path.parent().and_then(|folder| folder.join(file.wanted).ok()) else { return };
    if path.parent().is_some_and(|folder| near::is_set_aside(&folder)) {
        return;
    }
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
