//! Files that went astray: nothing reads them, and beside them lies the folder or the name that they were meant to have.

use super::align::letter;
use super::evidence::{holds_the_keys_of, is_set_aside};
use super::shifts::{deepened, raised, swapped};
use crate::fleet::Fleet;
use crate::formats::kustomize::Kustomization;
use crate::formats::{Kind, Resource};
use crate::repo::{EntryKind, FileState, Repo, Slip, slip};
use crate::text::{FileId, RepoPath, RootId};
use std::collections::BTreeMap;

/// Folders of one name among which a file may belong.
const NAMESAKES: usize = 16;

/// A file that went astray, or several in one folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stray {
    /// The first file.
    pub file: FileId,
    /// How many there are.
    pub count: usize,
    /// What is misspelt: a folder, or the file itself; with where it belongs.
    pub rename: (RepoPath, RepoPath),
    /// What is wrong with it.
    pub mistake: Mistake,
    /// A path that is read where the file belongs.
    pub beside: RepoPath,
}

/// Why nothing reads a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// A name is misspelt.
    Name(Slip),
    /// It lies alone one level too high or too deep, or below two folders that are swapped.
    Place,
    /// It is a kustomization, and nothing of what it names is there.
    Entries,
}

/// The files that went astray, in order.
pub fn strays(fleet: &Fleet, repo: &Repo) -> Vec<Stray> {
    let consumed = fleet.consumed(repo);
    let mut twins: BTreeMap<(RootId, RepoPath), Option<(RepoPath, Slip)>> = BTreeMap::new();
    let mut found: Vec<Stray> = Vec::new();
    for (id, entry) in consumed.unread(repo).filter(|(_, entry)| entry.kind == EntryKind::File) {
        let (root, path) = (entry.root, &entry.path);
        if is_set_aside(path) || consumed.is_named(id) {
            continue;
        }
        if let Some((to, beside)) = extended(root, path, fleet, repo) {
            found.push(Stray {
                file: id,
                count: 1,
                rename: (path.clone(), to),
                mistake: Mistake::Name(Slip::Extension),
                beside,
            });
            continue;
        }
        if let Some((to, beside)) = misplaced(id, fleet, repo) {
            found.push(Stray { file: id, count: 1, rename: (path.clone(), to), mistake: Mistake::Entries, beside });
            continue;
        }
        let twin = path.folders().find_map(|folder| {
            let twin = twins.entry((root, folder.clone())).or_insert_with(|| twin(root, &folder, fleet, repo));
            Some((folder, twin.clone()?))
        });
        let Some((folder, (twin, slip))) = twin else {
            if let Some((to, beside)) = lonely(id, fleet, repo) {
                let rename = (path.clone(), to);
                found.push(Stray { file: id, count: 1, rename, mistake: Mistake::Place, beside });
            }
            continue;
        };
        if slip != Slip::Case && starts_others(id, fleet, repo) {
            continue;
        }
        let corrected = path.relative_to(&folder).and_then(|inside| twin.join(inside).ok());
        // Environments are named in more than one way on purpose, but one of them is not spread over two names.
        let is_tool = Kustomization::is_file_name(path.name()) || path.name() == "Chart.yaml";
        let corrected = corrected.filter(|_| slip != Slip::Alias || is_tool);
        let Some(beside) = corrected.and_then(|corrected| fits(id, &corrected, fleet, repo)) else { continue };
        match found.iter_mut().find(|stray| stray.rename.0 == folder && repo.entry(stray.file).root == root) {
            Some(stray) => stray.count += 1,
            None => {
                found.push(Stray { file: id, count: 1, rename: (folder, twin), mistake: Mistake::Name(slip), beside })
            }
        }
    }
    found
}

/// Whether a file declares an app that delivers others: somebody applies the first ones by hand.
pub fn starts_others(file: FileId, fleet: &Fleet, repo: &Repo) -> bool {
    let is_argo = |kind| matches!(kind, Kind::Application | Kind::ApplicationSet | Kind::AppProject);
    let sources = fleet.apps.iter().filter(|app| app.document().file == file).flat_map(|app| &app.sources);
    let files = sources.filter_map(|source| source.folder()).flat_map(|(root, folder)| repo.below(root, folder));
    files.filter_map(|entry| entry.file.as_deref()).any(|file| file.documents.iter().any(|one| is_argo(one.kind())))
}

/// The folder beside one in which nothing is read, that is read and that this one is misspelt for.
fn twin(root: RootId, folder: &RepoPath, fleet: &Fleet, repo: &Repo) -> Option<(RepoPath, Slip)> {
    let consumed = fleet.consumed(repo);
    if consumed.is_folder_read(root, folder, repo) {
        return None;
    }
    let parent = folder.parent()?;
    let children = repo.children(root, &parent);
    let mut found =
        children.iter().filter(|child| child.is_folder && child.name != folder.name()).filter_map(|child| {
            let slip = slip(child.name, folder.name(), true).or_else(|| letter(child.name, folder.name()))?;
            let path = parent.join(child.name).ok()?;
            let is_meant = matches!(slip, Slip::Case | Slip::Plural | Slip::Typing(1) | Slip::Alias);
            // Names of two letters are codes.
            let is_word = child.name.len().min(folder.name().len()) > 2;
            (is_meant && is_word && consumed.is_folder_read(root, &path, repo)).then_some((path, slip))
        });
    found.next().filter(|_| found.next().is_none())
}

/// The one place for a file that is alone in a folder, where others of its kind are read: with a folder less, with one
/// more before its own, or with two swapped.
fn lonely(id: FileId, fleet: &Fleet, repo: &Repo) -> Option<(RepoPath, RepoPath)> {
    let (root, path) = (repo.entry(id).root, &repo.entry(id).path);
    let folders: Vec<RepoPath> = path.folders().collect();
    let is_alone = |folder: &RepoPath| repo.below(root, folder).len() == 1;
    if !is_alone(folders.last()?) || starts_others(id, fleet, repo) {
        return None;
    }
    // Where nothing else lies below it, the folder may be there by mistake.
    let is_extra = |at: usize| is_alone(&folders[at]);
    // Its own folder is not what is too much: its name tells what the file is.
    let higher = raised(path).filter(|(at, _)| *at + 1 < folders.len() && is_extra(*at));
    let moved = higher.chain(swapped(path).filter(|(at, _)| is_extra(*at))).map(|(_, to)| to);
    let tries = moved.chain(deepened(root, path, NAMESAKES, repo));
    let fitting = |to: RepoPath| {
        let beside = fits(id, &to, fleet, repo)?;
        Some((to, beside))
    };
    let mut found: Vec<(RepoPath, RepoPath)> = tries.filter_map(fitting).collect();
    found.dedup();
    if found.len() == 1 { found.pop() } else { None }
}

/// What is read beside the place where a file belongs and is of its kind; nothing when the place is taken.
fn fits(id: FileId, corrected: &RepoPath, fleet: &Fleet, repo: &Repo) -> Option<RepoPath> {
    let (consumed, root) = (fleet.consumed(repo), repo.entry(id).root);
    let folder = corrected.parent()?;
    if repo.listed(root, corrected).is_some() {
        return None;
    }
    let file = repo.file(id)?;
    let is_object = |file: &crate::repo::File| {
        !file.documents.is_empty() && file.documents.iter().all(|document| document.kind() != Kind::Opaque)
    };
    let is_tool = |name: &str| Kustomization::is_file_name(name) || matches!(name, "Chart.yaml" | "values.yaml");
    let is_read = |path: &RepoPath| repo.listed(root, path).is_some_and(|other| consumed.is_read(other));
    let mut others = repo.below(root, &folder).iter().filter(|entry| is_read(&entry.path));
    let is_alike = |entry: &&crate::repo::Entry| {
        let Some(other) = entry.file.as_deref() else { return false };
        let is_beside = entry.path.parent().as_ref() == Some(&folder);
        let is_template = file.state == FileState::Template && other.state == FileState::Template;
        is_tool(corrected.name())
            || is_beside
                && (is_template || is_object(file) && is_object(other) || holds_the_keys_of(id, other.source.id, repo))
    };
    others.find(is_alike).map(|entry| entry.path.clone())
}

/// The name with the extension that the files beside it have, where its own is none but a letter away from it.
fn extended(root: RootId, path: &RepoPath, fleet: &Fleet, repo: &Repo) -> Option<(RepoPath, RepoPath)> {
    let (stem, extension) = path.name().rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
    let meant = ["yaml", "yml", "json"].into_iter().find(|known| letter(known, extension).is_some())?;
    if matches!(extension, "yaml" | "yml" | "json" | "toml" | "xml" | "jsonl") {
        return None;
    }
    let folder = path.parent()?;
    let to = folder.join(&format!("{stem}.{meant}")).ok().filter(|to| repo.listed(root, to).is_none())?;
    let is_read = |path: &RepoPath| repo.listed(root, path).is_some_and(|file| fleet.consumed(repo).is_read(file));
    let mut beside = repo.below(root, &folder).iter().map(|entry| &entry.path);
    let beside = beside
        .find(|other| other.parent().as_ref() == Some(&folder) && other.extension() == Some(meant) && is_read(other))?;
    Some((to, beside.clone()))
}

/// Where a kustomization belongs of whose entries none is there: the one folder without a kustomization that has all.
fn misplaced(id: FileId, fleet: &Fleet, repo: &Repo) -> Option<(RepoPath, RepoPath)> {
    let file = repo.file(id).filter(|file| Kustomization::is_file_name(file.source.path.name()))?;
    let [document] = file.documents.as_slice() else { return None };
    let Resource::Kustomization(kustomization) = &document.resource else { return None };
    let root = file.source.root;
    let here = file.source.path.parent()?;
    let wanted: Vec<&str> = kustomization
        .references
        .iter()
        .filter(|reference| !reference.is_remote())
        .map(|reference| reference.path.as_str())
        .collect();
    let is_there = |folder: &RepoPath, wanted: &str| {
        folder.join(wanted).is_ok_and(|path| repo.listed(root, &path).is_some() || repo.is_folder(root, &path))
    };
    if wanted.is_empty()
        || wanted.iter().any(|wanted| is_there(&here, wanted))
        || fleet.consumed(repo).is_live(&(root, here.clone()))
    {
        return None;
    }
    // A folder that holds one of the entries, for each way down to a file of its name.
    let name = wanted.iter().find(|wanted| !wanted.starts_with("..")).or(wanted.first())?;
    let last = RepoPath::new(name.trim_start_matches("../")).ok()?;
    let named = repo.files_named(root, last.name()).iter().chain(repo.folders_named(root, last.name()));
    let mut homes: Vec<RepoPath> = Vec::new();
    let ups = name.split('/').take_while(|segment| *segment == "..").count();
    for path in named {
        let depth = last.segments().count();
        let Some(above) = (0..depth).try_fold(path.clone(), |path, _| path.parent()) else { continue };
        if ups == 0 {
            homes.push(above);
        } else {
            let inside = repo.below(root, &above).iter().filter_map(|entry| entry.path.parent());
            let is_deep =
                |folder: &RepoPath| folder.relative_to(&above).is_some_and(|inside| inside.split('/').count() == ups);
            homes.extend(inside.filter(is_deep));
        }
    }
    homes.sort();
    homes.dedup();
    let has_none = |folder: &RepoPath| Kustomization::FILE_NAMES.iter().all(|name| !is_there(folder, name));
    let mut homes =
        homes.into_iter().filter(|folder| has_none(folder) && wanted.iter().all(|wanted| is_there(folder, wanted)));
    let home = homes.next().filter(|_| homes.next().is_none())?;
    let to = home.join(file.source.path.name()).ok()?;
    Some((to, home.join(wanted[0]).ok()?))
}
