//! A manifest or an overlay that nothing delivers, beside others that are delivered.

use super::{Check, Context, Findings};
use crate::fleet::Consumed;
use crate::fleet::consumed::{Reader, mentioned};
use crate::formats::kustomize::{Field, Kustomization};
use crate::formats::{Kind, Resource};
use crate::near::{self, Mistake};
use crate::repo::{File, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub const CHECK: Check = Check::fleet(check);

/// Delivered folders that make a family.
const FAMILY: usize = 2;
/// Delivered objects of Argo CD that make a habit.
const ARGO: usize = 3;

/// What is left out, with the list of a kustomization that names its neighbours.
type Found = BTreeMap<FileId, (String, Option<Span>)>;

fn check(cx: &Context<'_>, out: &mut Findings) {
    let mut found = Found::new();
    unlisted(cx, &mut found);
    folders(cx, &mut found);
    argo(cx, &mut found);
    let alone = cx.near.strays(cx.fleet, cx.repo).iter().filter(|stray| stray.mistake == Mistake::Place);
    let homes: BTreeMap<FileId, (&RepoPath, &RepoPath)> =
        alone.map(|stray| (stray.file, (&stray.rename.1, &stray.beside))).collect();
    for (file, (_, beside)) in &homes {
        found.entry(*file).or_insert_with(|| (format!("no application delivers this, as they do `{beside}`"), None));
    }
    if found.is_empty() {
        return;
    }
    let told: BTreeSet<FileId> = cx.near.misses(cx.fleet, cx.repo).iter().map(|miss| miss.file).collect();
    let files: BTreeSet<FileId> = found.keys().copied().filter(|file| !told.contains(file)).collect();
    let named = mentioned(&files, cx.repo);
    for file in files.difference(&named) {
        let (message, neighbour) = &found[file];
        let finding = out.at(Span::whole(*file), message.clone());
        if let Some(neighbour) = neighbour {
            finding.label(*neighbour, "its neighbours are listed here");
        }
        match homes.get(file).map(|(home, _)| (*home).clone()).or_else(|| home(*file, cx)) {
            Some(home) => finding.help(format!("move it to `{home}`, or remove it")),
            None => finding.help("add it where its neighbours are named, or remove it"),
        };
    }
}

/// Files beside a kustomization that is delivered, which lists their neighbours.
fn unlisted(cx: &Context<'_>, found: &mut Found) {
    let (repo, consumed) = (cx.repo, cx.fleet.consumed(cx.repo));
    for (file, document) in repo.documents(Kind::Kustomization) {
        let Resource::Kustomization(kustomization) = &document.resource else { continue };
        let Some(folder) = file.source.path.parent().map(|folder| (file.source.root, folder)) else { continue };
        if !consumed.is_live(&folder) {
            continue;
        }
        unlisted_folders(file, kustomization, &folder.1, cx, found);
        if !lists_files(kustomization) {
            continue;
        }
        for entry in repo.below(folder.0, &folder.1) {
            let is_beside = entry.path.relative_to(&folder.1).is_some_and(|inside| !inside.contains('/'));
            let Some(other) = entry.file.as_deref().filter(|_| is_beside) else { continue };
            if is_undelivered(other, consumed, cx) {
                let message =
                    format!("`{}` does not list this manifest, so nothing delivers it", file.source.path.name());
                found.insert(other.source.id, (message, list_of(file)));
            }
        }
    }
}

/// Folders with a kustomization beside others that a delivered one lists; one that it names in a comment is left out on
/// purpose.
fn unlisted_folders(
    file: &File,
    kustomization: &Kustomization,
    folder: &RepoPath,
    cx: &Context<'_>,
    found: &mut Found,
) {
    let (repo, consumed, root) = (cx.repo, cx.fleet.consumed(cx.repo), file.source.root);
    let tool = |name: &str| {
        Kustomization::FILE_NAMES.iter().find_map(|tool| repo.listed(root, &folder.join(name).ok()?.join(tool).ok()?))
    };
    let is_beside = |path: &str| !path.trim_start_matches("./").trim_end_matches('/').contains('/');
    let folders = kustomization.paths(Field::Resources).map(|reference| reference.path.as_str());
    let lists_folders = folders.filter(|path| is_beside(path)).any(|path| tool(path).is_some());
    if !lists_folders {
        return;
    }
    for child in repo.children(root, folder).iter().filter(|child| child.is_folder) {
        let Some(id) = tool(child.name) else { continue };
        let Ok(path) = folder.join(child.name) else { continue };
        let is_left_out = !consumed.is_folder_read(root, &path, repo)
            && !consumed.is_named(id)
            && consumed.sees(root)
            && !near::is_set_aside(&path)
            && !file.source.text.contains(child.name)
            && !repo.file(id).is_some_and(is_component)
            && !starts_others(root, &path, repo)
            && !is_part(root, &path, consumed, repo);
        if is_left_out {
            let (name, child) = (file.source.path.name(), child.name);
            let message = format!("`{name}` above does not list `{child}`, so nothing delivers it");
            found.insert(id, (message, list_of(file)));
        }
    }
}

/// The key `resources` of a kustomization file.
fn list_of(file: &File) -> Option<Span> {
    let root = file.tree.root(file.tree.documents().first()?)?;
    root.pairs().find(|pair| pair.key.as_str() == Some("resources")).map(|pair| pair.key.span())
}

fn lists_files(kustomization: &Kustomization) -> bool {
    kustomization
        .paths(Field::Resources)
        .any(|reference| !reference.is_remote() && reference.path.value.ends_with(".yaml"))
}

/// Whether a file holds nothing but whole objects, and nothing reads or names it.
fn is_undelivered(file: &File, consumed: &Consumed, cx: &Context<'_>) -> bool {
    let is_object = |kind| !matches!(kind, Kind::Opaque | Kind::Kustomization | Kind::Chart);
    let id = file.source.id;
    !file.documents.is_empty()
        && file.documents.iter().all(|document| is_object(document.kind()) && !cx.fleet.is_partial(document.id))
        && consumed.sees(file.source.root)
        && !consumed.is_read(id)
        && !consumed.is_named(id)
        && !near::is_set_aside(&file.source.path)
}

/// Folders that nothing delivers, although apps deliver others that differ in one folder of their path.
fn folders(cx: &Context<'_>, found: &mut Found) {
    let (repo, consumed) = (cx.repo, cx.fleet.consumed(cx.repo));
    let delivered: BTreeSet<(RootId, &RepoPath)> =
        cx.fleet.apps.iter().flat_map(|app| &app.sources).filter_map(|source| source.folder()).collect();
    let mut families: HashMap<(RootId, String), Vec<&RepoPath>> = HashMap::new();
    for (root, folder) in delivered {
        for family in families_of(folder) {
            families.entry((root, family)).or_default().push(folder);
        }
    }
    let is_tool = |file: &&File| {
        let name = file.source.path.name();
        Kustomization::is_file_name(name) || name == "Chart.yaml"
    };
    for file in repo.files().filter(is_tool) {
        let Some(folder) = file.source.path.parent().filter(|folder| !near::is_set_aside(folder)) else { continue };
        let root = file.source.root;
        let is_used = consumed.is_named(file.source.id) || consumed.is_folder_read(root, &folder, repo);
        if is_used
            || !consumed.sees(root)
            || is_component(file)
            || starts_others(root, &folder, repo)
            || is_part(root, &folder, consumed, repo)
        {
            continue;
        }
        let relatives = families_of(&folder).into_iter().filter_map(|family| families.get(&(root, family)));
        let has_tool = |other: &&RepoPath| {
            other.join(file.source.path.name()).is_ok_and(|path| repo.listed(root, &path).is_some())
        };
        let alike = relatives.map(|family| family.iter().copied().filter(has_tool).collect::<Vec<&RepoPath>>());
        if let Some(family) = alike.filter(|family| family.len() >= FAMILY).min() {
            let message = format!("no application delivers `{folder}`, as they do `{}`", family[0]);
            found.insert(file.source.id, (message, None));
        }
    }
}

/// Argo CD's own objects that nothing delivers, where nearly all others are delivered.
fn argo(cx: &Context<'_>, found: &mut Found) {
    let (repo, consumed) = (cx.repo, cx.fleet.consumed(cx.repo));
    let kinds = [Kind::Application, Kind::ApplicationSet, Kind::AppProject];
    let of_kind = |kind| repo.documents(kind).filter(|(_, document)| !cx.fleet.is_partial(document.id));
    let all = kinds.into_iter().flat_map(|kind| of_kind(kind).map(move |(file, _)| (file, kind)));
    let all: Vec<(&File, Kind)> = all.filter(|(file, _)| consumed.sees(file.source.root)).collect();
    let (delivered, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(file, _)| consumed.is_read(file.source.id));
    let is_left_out = |file: &File| {
        !consumed.is_named(file.source.id)
            && !near::is_set_aside(&file.source.path)
            && !near::starts_others(file.source.id, cx.fleet, repo)
    };
    let others: Vec<_> = others.into_iter().filter(|(file, _)| is_left_out(file)).collect();
    for (file, kind) in &others {
        let root = file.source.root;
        let here = |one: &&(&File, Kind)| one.0.source.root == root;
        let alike: Vec<_> = delivered.iter().filter(here).collect();
        if alike.len() < ARGO || others.iter().filter(here).count() >= alike.len() {
            continue;
        }
        let names: BTreeSet<&str> = file.source.path.segments().collect();
        let likeness = |one: &&&(&File, Kind)| {
            let shared = one.0.source.path.segments().filter(|name| names.contains(name)).count();
            (shared, one.1 == *kind)
        };
        let nearest = alike.iter().rev().max_by_key(|one| likeness(one)).expect("there are some");
        let message = format!("no application delivers this, as they do `{}`", nearest.0.source.path);
        found.entry(file.source.id).or_insert((message, None));
    }
}

/// Where a source would take a file that lies one level higher or deeper, or has two segments swapped: beside others of
/// its folder's name, else swapped, else without one of its folders; nothing when several places are as good.
fn home(file: FileId, cx: &Context<'_>) -> Option<RepoPath> {
    let (repo, consumed) = (cx.repo, cx.fleet.consumed(cx.repo));
    let (root, path) = (repo.entry(file).root, &repo.entry(file).path);
    let is_taken = |to: &RepoPath| {
        let readers = consumed.readers(root, to, repo);
        repo.listed(root, to).is_none()
            && to.parent().is_some_and(|folder| !folder.is_root())
            && readers.iter().any(|reading| reading.is_live && matches!(reading.reader, Reader::Source { .. }))
    };
    let only = |tries: Vec<RepoPath>| {
        let found: BTreeSet<RepoPath> = tries.into_iter().filter(is_taken).collect();
        found.first().filter(|_| found.len() == 1).cloned()
    };
    only(near::deepened(root, path, usize::MAX, repo))
        .or_else(|| only(near::swapped(path).map(|(_, to)| to).collect()))
        .or_else(|| only(near::raised(path).map(|(_, to)| to).collect()))
}

fn is_component(file: &File) -> bool {
    file.documents.iter().any(
        |document| matches!(&document.resource, Resource::Kustomization(kustomization) if kustomization.is_component),
    )
}

/// Whether a folder holds Applications: somebody applies the first ones by hand.
fn starts_others(root: RootId, folder: &RepoPath, repo: &Repo) -> bool {
    let documents =
        repo.below(root, folder).iter().filter_map(|entry| entry.file.as_deref()).flat_map(|file| &file.documents);
    documents.into_iter().any(|document| matches!(document.kind(), Kind::Application | Kind::ApplicationSet))
}

/// Whether a chart depends on the folder.
fn is_part(root: RootId, folder: &RepoPath, consumed: &Consumed, repo: &Repo) -> bool {
    let readers = consumed.readers(root, folder, repo);
    readers.iter().any(|reading| matches!(reading.reader, Reader::Chart { .. } | Reader::Kustomization { .. }))
}

/// The families that a folder may belong to: those that differ in one segment.
fn families_of(folder: &RepoPath) -> Vec<String> {
    let segments: Vec<&str> = folder.segments().collect();
    let family = |at: usize| {
        let mut segments = segments.clone();
        segments[at] = "*";
        segments.join("/")
    };
    (0..segments.len()).filter(|_| segments.len() > 1).map(family).collect()
}
