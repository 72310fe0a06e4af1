//! A value file that no app reads, beside others that are read.

use super::{Check, Context, Findings};
use crate::fleet::consumed::{Reader, Reading, mentioned};
use crate::fleet::source::Tool;
use crate::formats::Kind;
use crate::near;
use crate::repo::{Entry, FileState, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};
use std::collections::{BTreeSet, HashMap};

pub const CHECK: Check = Check::fleet(check);

/// Read value files that make a family.
const FAMILY: usize = 2;

fn check(cx: &Context<'_>, out: &mut Findings) {
    let (repo, consumed) = (cx.repo, cx.fleet.consumed(cx.repo));
    let mut families: HashMap<(RootId, String), Vec<FileId>> = HashMap::new();
    for file in consumed.value_files() {
        let entry = repo.entry(file);
        for family in families_of(&entry.path) {
            families.entry((entry.root, family)).or_default().push(file);
        }
    }
    if families.is_empty() {
        return;
    }
    let mut unused: Vec<(FileId, FileId)> = Vec::new();
    for (at, entry) in repo.entries().iter().enumerate() {
        let file = FileId(at as u32);
        if !is_values(file, repo) || consumed.is_value_file(file) || near::is_set_aside(&entry.path) {
            continue;
        }
        let relatives = families_of(&entry.path).into_iter().filter_map(|family| families.get(&(entry.root, family)));
        let family = relatives.filter(|family| family.len() >= FAMILY).min_by_key(|family| family[0]);
        if let Some(family) = family.filter(|_| !is_otherwise_read(file, entry, cx)) {
            unused.push((file, family[0]));
        }
    }
    // One that an entry means is told where it is named.
    unused.retain(|(file, _)| {
        let entry = repo.entry(*file);
        !near::near_to(entry.root, &entry.path, false, cx.fleet, repo).iter().any(|near| near.what == "value file")
    });
    let named = mentioned(&unused.iter().map(|(file, _)| *file).collect::<BTreeSet<FileId>>(), repo);
    for (file, relative) in unused.into_iter().filter(|(file, _)| !named.contains(file)) {
        let relative = &repo.entry(relative).path;
        let finding =
            out.at(Span::whole(file), format!("no application reads this value file, as they do `{relative}`"));
        finding.help("name it in `valueFiles` of its application, or remove it");
    }
}

/// Whether something reads a file, or may read it, but for the chart that it lies in: a chart reads its defaults only.
fn is_otherwise_read(file: FileId, entry: &Entry, cx: &Context<'_>) -> bool {
    let consumed = cx.fleet.consumed(cx.repo);
    let is_of_chart = |reading: &Reading| match reading.reader {
        Reader::Source { app, source } => cx.fleet.app(app).sources[source].tool == Some(Tool::Helm),
        _ => false,
    };
    entry.path.name() == "values.yaml" && !consumed.readers(entry.root, &entry.path, cx.repo).is_empty()
        || !consumed.sees(entry.root)
        || consumed.is_named(file)
        || consumed.may_be_read(&entry.path)
        || !consumed.readers(entry.root, &entry.path, cx.repo).iter().all(is_of_chart)
}

/// Whether a file may hold values: a map that is no object of Kubernetes.
fn is_values(file: FileId, repo: &Repo) -> bool {
    repo.file(file).is_some_and(|file| {
        let root = file.tree.documents().first().and_then(|document| file.tree.root(document));
        matches!(file.source.path.extension(), Some("yaml" | "yml"))
            && file.state == FileState::Read
            && file.documents.iter().all(|document| document.kind() == Kind::Opaque)
            && root.is_some_and(|root| root.pairs().next().is_some())
    })
}

/// The families that a path may belong to: those that differ in one folder, or in one word of the name.
fn families_of(path: &RepoPath) -> Vec<String> {
    let segments: Vec<&str> = path.segments().collect();
    let Some((name, folders)) = segments.split_last() else { return Vec::new() };
    let mut families: Vec<String> = Vec::new();
    for at in 0..folders.len() {
        let mut segments = segments.clone();
        segments[at] = "*";
        families.push(segments.join("/"));
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let words: Vec<&str> = stem.split(['-', '_', '.']).collect();
    for at in 0..words.len() {
        let mut words = words.clone();
        words[at] = "*";
        families.push(format!("{}/{}.{extension}", folders.join("/"), words.join("-")));
    }
    families
}
