//! What wants a path that nothing reads: exactly, were it there or not left out, or nearly.

use super::set_name;
use crate::fleet::expand::Matching;
use crate::fleet::expand::uses::GitUse;
use crate::fleet::{Fleet, Meaning, Set};
use crate::near::{self, NearTo};
use crate::repo::{Near, Repo, Wanted, nearest};
use crate::text::{RepoPath, RootId, Span};

/// Near wants that are shown for one path.
const SHOWN: usize = 3;

/// Something that wants a path.
#[derive(Clone, Debug)]
pub struct Want {
    /// What it is: `pattern`, `exclude`, `value file`, `source path`, `file name`.
    pub what: &'static str,
    /// The pattern or path.
    pub wanted: String,
    /// The set it belongs to.
    pub set: Option<String>,
    /// Where it is written; nothing for the file name of a tool.
    pub at: Option<Span>,
    /// How the path differs; nothing when it does not.
    pub difference: Option<Difference>,
}

/// How a path differs from what is wanted.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The path that differs: the one that was asked for, a folder above it, or the first one below it.
    pub path: RepoPath,
    /// Its segment that differs, from 0.
    pub segment: usize,
    /// The difference, as the end of a sentence that begins with the path.
    pub text: &'static str,
    /// What to rename, and its new name or place.
    pub rename: Option<(RepoPath, RepoPath)>,
}

/// What would take a path as it is, but for an exclude or because it is not there.
pub fn exact(root: RootId, path: &RepoPath, fleet: &Fleet, repo: &Repo) -> Vec<Want> {
    let mut wants = Vec::new();
    let is_there = repo.listed(root, path).is_some() || repo.is_folder(root, path);
    for (set, git) in uses(fleet).filter(|(_, git)| git.root == root) {
        let is_folder = git.matching == Matching::Folders;
        if is_there && is_folder != repo.is_folder(root, path) {
            continue;
        }
        let matching = |exclude: bool| {
            let items = git.items.iter().filter(move |item| item.exclude == exclude);
            let pairs = items.flat_map(|item| item.patterns.iter().map(move |pattern| (pattern, item.span)));
            pairs.filter(|(pattern, _)| {
                git.matching.compile(pattern).is_ok_and(|matcher| matcher.matches(path.as_str()))
            })
        };
        let Some(include) = matching(false).next() else { continue };
        let (what, (pattern, span)) = match matching(true).next() {
            Some(exclude) => ("exclude", exclude),
            None if is_there => continue,
            None => ("pattern", include),
        };
        let set = Some(set_name(set, fleet, repo));
        wants.push(Want { what, wanted: pattern.clone(), set, at: Some(span), difference: None });
    }
    for file in fleet.apps.iter().flat_map(|app| &app.sources).flat_map(|source| &source.value_files) {
        let is_it = matches!(&file.meaning, Meaning::Missing(place) if place.root == root && place.path == *path);
        let span = file.written.span();
        if is_it && !wants.iter().any(|want: &Want| want.at == Some(span)) {
            let wanted = path.as_str().to_owned();
            wants.push(Want { what: "value file", wanted, set: None, at: Some(span), difference: None });
        }
    }
    wants
}

/// What nearly takes a path, a folder above it, or something below it; nearest first.
pub fn near(root: RootId, path: &RepoPath, fleet: &Fleet, repo: &Repo) -> Vec<Want> {
    let mut wants: Vec<Want> = Vec::new();
    let misnamed = near::misnamed(repo).into_iter().find(|file| {
        let entry = repo.entry(file.file);
        entry.root == root && entry.path == *path
    });
    if let Some(file) = misnamed {
        let to = path.parent().and_then(|folder| folder.join(file.wanted).ok());
        let difference = Difference {
            path: path.clone(),
            segment: path.segments().count() - 1,
            text: "is not the name that the tool looks for",
            rename: to.map(|to| (path.clone(), to)),
        };
        let wanted = file.wanted.to_owned();
        wants.push(Want { what: "file name", wanted, set: None, at: None, difference: Some(difference) });
    }
    let is_folder = repo.is_folder(root, path);
    let is_missing = !is_folder && repo.listed(root, path).is_none();
    let mut add = |path: &RepoPath, is_folder: bool| {
        let found = near::near_to(root, path, is_folder, fleet, repo);
        wants.extend(found.into_iter().map(|near| want(near, path, fleet, repo)));
        wants.len()
    };
    let mut count = add(path, is_folder);
    if is_missing && count == 0 {
        count = add(path, true);
    }
    let mut folder = path.parent().filter(|folder| !folder.is_root());
    while let Some(above) = folder.filter(|_| count == 0) {
        count = add(&above, true);
        folder = above.parent().filter(|folder| !folder.is_root());
    }
    if is_folder && count == 0 {
        let misses = near::misses(fleet, repo).into_iter().find(|miss| miss.root == root && miss.path.is_within(path));
        if let Some(miss) = misses {
            add(&miss.path, miss.is_folder);
        }
    }
    wants.truncate(SHOWN);
    wants
}

/// The path that is there and that a missing one may be meant to be.
pub fn existing(root: RootId, path: &RepoPath, repo: &Repo) -> Option<Near> {
    let near = |kind| nearest(repo, root, path, kind);
    let (file, folder) = (near(Wanted::File), near(Wanted::Folder));
    let best = file.into_iter().chain(folder).min_by_key(|near| near.slip);
    best.or_else(|| {
        let folder = path.parent().filter(|folder| !folder.is_root() && !repo.is_folder(root, folder))?;
        existing(root, &folder, repo)
    })
}

fn want(near: NearTo, path: &RepoPath, fleet: &Fleet, repo: &Repo) -> Want {
    let set = uses(fleet).find(|(_, git)| git.items.iter().any(|item| item.span == near.span));
    let difference =
        Difference { path: path.clone(), segment: near.alignment.at, text: near.difference, rename: near.rename };
    Want {
        what: near.what,
        wanted: near.wanted,
        set: set.map(|(set, _)| set_name(set, fleet, repo)),
        at: Some(near.span),
        difference: Some(difference),
    }
}

fn uses(fleet: &Fleet) -> impl Iterator<Item = (&Set, &GitUse)> {
    fleet.sets.iter().flat_map(|set| set.uses.git.iter().map(move |git| (set, git)))
}
