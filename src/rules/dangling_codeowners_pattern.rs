//! A pattern of CODEOWNERS must match a file.

use super::{Check, Context, Findings};
use crate::fleet::owners::Reading;
use crate::formats::codeowners::{Entry, Forge, Matcher, is_like_owner};
use crate::repo::{EntryKind, Repo, Wanted, nearest};
use crate::text::limits::FINDINGS_PER_RULE_AND_FILE;
use crate::text::{RepoPath, RootId, Span};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for root in &cx.fleet.owners.roots {
        for span in root.agreed(|reading| dangling(reading, cx.repo)).into_iter().take(FINDINGS_PER_RULE_AND_FILE) {
            let reading = root.readings.iter().find(|reading| reading.file == span.file);
            let entry =
                |reading: &'_ Reading| reading.owners.entries.iter().position(|entry| entry.pattern.span == span);
            let Some((reading, at)) = reading.and_then(|reading| Some((reading, entry(reading)?))) else { continue };
            let entry = &reading.owners.entries[at];
            out.at(span, format!("pattern `{}` matches no file", entry.pattern.value))
                .help(help(entry, reading, cx.repo));
        }
    }
}

/// The patterns that match nothing.
fn dangling(reading: &Reading, repo: &Repo) -> Vec<Span> {
    let Some(matched) = reading.matched(repo) else { return Vec::new() };
    if reading.forge == Forge::Bitbucket {
        return Vec::new();
    }
    let paths = repo.below(reading.root, &RepoPath::root());
    let hidden: Vec<&str> =
        paths.iter().filter(|entry| entry.kind == EntryKind::Submodule).map(|entry| entry.path.as_str()).collect();
    let entries = reading.owners.entries.iter().zip(0usize..);
    let entries = entries.filter(|(entry, at)| {
        let is_forgotten = entry.pattern.span == entry.span && is_like_owner(&entry.pattern.value);
        !entry.is_doubtful && !is_forgotten && matched.paths_of[*at] == 0 && !may_match_in(&hidden, entry)
    });
    entries.map(|(entry, _)| entry.pattern.span).collect()
}

/// Whether a pattern may match something in a folder of which nothing is known.
fn may_match_in(hidden: &[&str], entry: &Entry) -> bool {
    match &entry.matcher {
        Matcher::Segments(pattern) => hidden.iter().any(|folder| pattern.may_match_below(folder)),
        Matcher::Regexp { .. } => !hidden.is_empty(),
    }
}

fn help(entry: &Entry, reading: &Reading, repo: &Repo) -> String {
    let written = entry.pattern.value.as_str();
    let otherwise = || "correct the pattern, or remove the line".to_owned();
    let root = reading.root;
    if reading.forge == Forge::Gitea {
        let folder = RepoPath::new(written.trim_start_matches('!')).ok();
        let is_folder = folder.is_some_and(|folder| !folder.is_root() && repo.is_folder(root, &folder));
        let meant = format!("write `{}/.*`: it is a regular expression for whole paths", written.trim_matches('/'));
        return if is_folder { meant } else { otherwise() };
    }
    let path = written.replace("\\ ", " ");
    let Ok(path) = RepoPath::new(&path) else { return otherwise() };
    if path.is_root() {
        return "write `*` for all files".to_owned();
    }
    if written.starts_with("./") {
        return format!("write `{}`: patterns start at the root", &written[1..]);
    }
    if repo.listed(root, &path).is_some() && written.ends_with('/') {
        return format!("`{path}` is a file: write it without the `/` at its end");
    }
    if repo.is_folder(root, &path) && !written.ends_with('/') {
        return format!("`{path}` is a folder: write `{written}/`");
    }
    near(written, &path, root, repo).unwrap_or_else(otherwise)
}

/// Names the path that was probably meant, in the form of the pattern.
fn near(written: &str, path: &RepoPath, root: RootId, repo: &Repo) -> Option<String> {
    let folder = || nearest(repo, root, path, Wanted::Folder);
    let near = if written.ends_with('/') { folder() } else { nearest(repo, root, path, Wanted::File).or_else(folder) }?;
    if written.contains(['*', '?']) {
        return Some(format!("the nearest path is `{}`", near.path));
    }
    let start = if written.starts_with('/') { "/" } else { "" };
    let end = if written.ends_with('/') { "/" } else { "" };
    Some(format!("did you mean `{start}{}{end}`?", near.path.as_str().replace(' ', "\\ ")))
}
