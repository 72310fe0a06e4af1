//! A CODEOWNERS file must be one that the forge reads.

use super::{Check, Context, Findings};
use crate::fleet::owners::{Located, RootOwners, locate};
use crate::formats::codeowners::{Forge, is_location};
use crate::repo::{EntryKind, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};

pub const CHECK: Check = Check::fleet(check);

/// What lies in a folder that was copied as a whole from elsewhere, together with a file of its own repository.
const FOREIGN: [&str; 4] = ["LICENSE", "LICENSE.md", ".github", ".gitlab-ci.yml"];

fn check(cx: &Context<'_>, out: &mut Findings) {
    for root in &cx.fleet.owners.roots {
        for file in root.ineffective(cx.repo) {
            check_file(file, root, cx, out);
        }
        for file in root.misspelt(cx.repo) {
            let path = &cx.repo.entry(file).path;
            out.at(Span::whole(file), format!("`{path}` is not read: the name is written `CODEOWNERS`"))
                .help("rename the file");
        }
        check_size(root, cx.repo, out);
    }
}

fn check_file(file: FileId, root: &RootOwners, cx: &Context<'_>, out: &mut Findings) {
    let entry = cx.repo.entry(file);
    let path = entry.path.as_str();
    if entry.kind != EntryKind::File {
        return;
    }
    let taken = root.forges.iter().find_map(|forge| match locate(cx.repo, root.root, *forge) {
        Located::File(file) => Some((*forge, &cx.repo.entry(file).path)),
        Located::Nothing | Located::Unknown => None,
    });
    let is_own = root.forges.iter().any(|forge| forge.locations().contains(&path));
    match taken {
        Some((forge, taken)) if is_own => {
            out.at(Span::whole(file), format!("{} does not read this file: `{taken}` comes first", who(root, forge)))
                .help(format!("move its lines to `{taken}`, and remove it"));
        }
        // Beside the file that is taken, one for another forge is for a mirror.
        Some(_) if is_location(path) => {}
        None if is_location(path) && root.is_known => {
            let forge = root.forges[0];
            out.at(Span::whole(file), format!("{} does not look for the file here", forge.name()))
                .help(format!("move it to `{}`", forge.locations()[0]));
        }
        _ if is_location(path) || is_copied(root.root, &entry.path, cx.repo) => {}
        _ => {
            out.at(Span::whole(file), "no forge reads a CODEOWNERS file in this folder")
                .help("move its lines to the file of the whole repository");
        }
    }
}

/// The forge in question, if it is one.
fn who(root: &RootOwners, forge: Forge) -> &'static str {
    if root.forges.len() == 1 { forge.name() } else { "the forge" }
}

/// Whether a file belongs to something that lies here as a copy.
fn is_copied(root: RootId, path: &RepoPath, repo: &Repo) -> bool {
    let Some(folder) = path.parent() else { return true };
    let is_beside = |name: &str| {
        folder.join(name).is_ok_and(|path| repo.listed(root, &path).is_some() || repo.is_folder(root, &path))
    };
    folder.name().starts_with('.') || folder.name() == "docs" || FOREIGN.iter().any(|name| is_beside(name))
}

fn check_size(root: &RootOwners, repo: &Repo, out: &mut Findings) {
    let [forge] = root.forges.as_slice() else { return };
    let (Some(limit), Located::File(id)) = (forge.size_limit(), locate(repo, root.root, *forge)) else { return };
    if repo.file(id).is_some_and(|file| file.source.text.len() > limit) {
        let message = format!("{} does not read this file: it is larger than {} MB", forge.name(), limit >> 20);
        out.at(Span::whole(id), message).help("join lines whose owners are the same, or name folders instead of files");
    }
}
