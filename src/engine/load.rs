//! Reads, parses and decodes every file that can matter, in parallel, and runs the file and document rules.

use super::git::Revision;
use super::run::{self, Plan};
use super::snapshot::{Contents, Reader, Snapshot};
use crate::formats::{codeowners, document, kustomize::Kustomization, template_files};
use crate::repo::{Entry, EntryKind, File, FileState, Repo, Root};
use crate::text::limits::FILE_BYTES;
use crate::text::{FileId, RepoPath, RootId, SourceFile, Span};
use crate::yaml;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What was read.
#[derive(Debug)]
pub struct Loaded {
    /// Everything that is there.
    pub repo: Repo,
    /// Where the bytes of each root are.
    pub contents: Vec<Contents>,
    /// The paths that the system did not let us read, in order.
    pub refused: Vec<FileId>,
}

/// Why a file has no text.
enum Failure {
    /// The system did not hand it out.
    Refused(String),
    /// It is there, but we do not read such files.
    Unfit(String),
}

/// Reads a snapshot.
pub fn load(snapshot: Snapshot, plan: &Plan<'_>) -> Loaded {
    let mut roots = Vec::with_capacity(snapshot.roots.len());
    let mut entries: Vec<Entry> = Vec::new();
    let mut contents = Vec::with_capacity(snapshot.roots.len());
    let mut unread: HashMap<(RootId, RepoPath), String> = HashMap::new();
    for (index, root) in snapshot.roots.into_iter().enumerate() {
        let id = RootId(index as u16);
        let entry = |path, kind| Entry { root: id, path, kind, file: None };
        entries.extend(root.entries.into_iter().map(|(path, kind)| entry(path, kind)));
        for (path, why) in root.unread {
            let kind = if why.is_folder { EntryKind::Submodule } else { EntryKind::File };
            entries.push(entry(path.clone(), kind));
            unread.insert((id, path), why.reason);
        }
        roots.push(root.root);
        contents.push(root.contents);
    }
    // Stable: of two entries of one path the listed one stays.
    entries.par_sort_by(|a, b| (a.root, a.path.as_str()).cmp(&(b.root, b.path.as_str())));
    entries.dedup_by(|a, b| a.root == b.root && a.path == b.path);
    let charts = Charts::new(entries.iter());
    let failed = |entry: &Entry| {
        if unread.is_empty() { None } else { unread.get(&(entry.root, entry.path.clone())).cloned() }
    };
    let read_entry = |reader: &mut Reader<'_>, (index, entry): (usize, &mut Entry)| {
        let id = FileId(index as u32);
        let text = match failed(entry) {
            Some(reason) => Err(Failure::Refused(reason)),
            None if entry.kind != EntryKind::File || !is_read(&entry.path) => return None,
            None if charts.is_template(entry) => {
                entry.file = template(id, entry, reader).map(Arc::new);
                return None;
            }
            None => reader.read(entry.root, &entry.path).map_err(Failure::Refused).and_then(decoded),
        };
        if is_policy(&entry.path) && matches!(text, Err(Failure::Unfit(_))) {
            return None;
        }
        let is_refused = matches!(text, Err(Failure::Refused(_)));
        entry.file = Some(Arc::new(file(id, entry.root, &entry.path, text, plan)));
        is_refused.then_some(id)
    };
    let refused =
        entries.par_iter_mut().enumerate().map_init(|| Reader::new(&contents), read_entry).flatten_iter().collect();
    Loaded { repo: Repo::new(roots, entries), contents, refused }
}

/// Adds revisions that were read from git's objects. No rule runs on their files.
pub fn add_revisions(repo: Repo, revisions: Vec<(Root, Revision)>) -> Repo {
    let (mut roots, mut entries) = (Vec::new(), Vec::new());
    let first = repo.roots().len();
    for (root, Revision { mut listed, mut bytes }) in revisions {
        let id = RootId((first + roots.len()) as u16);
        listed.sort_by(|(a, _), (b, _)| a.as_str().cmp(b.as_str()));
        listed.dedup_by(|(a, _), (b, _)| a == b);
        roots.push(root);
        let new =
            listed.into_iter().map(|(path, kind)| (bytes.remove(&path), Entry { root: id, path, kind, file: None }));
        entries.extend(new);
    }
    let start = repo.all_entries();
    let charts = Charts::new(entries.iter().map(|(_, entry)| entry));
    let plan = Plan::default();
    let read = |(index, (bytes, mut entry)): (usize, (Option<Vec<u8>>, Entry))| {
        let id = FileId((start + index) as u32);
        if let Some(bytes) = bytes.filter(|_| !charts.is_template(&entry)) {
            entry.file = Some(Arc::new(file(id, entry.root, &entry.path, decoded(&bytes), &plan)));
        }
        entry
    };
    let entries = entries.into_par_iter().enumerate().map(read).collect();
    repo.with_pinned(roots, entries)
}

/// Whether a file's content can matter: YAML, JSON, the kustomization file without extension, code owners, policies.
pub fn is_read(path: &RepoPath) -> bool {
    matches!(path.extension(), Some("yaml" | "yml" | "json"))
        || Kustomization::is_file_name(path.name())
        || is_plain(path)
}

/// Whether a file that is read is no YAML: code owners, and the policies that a generator makes an RBAC ConfigMap of.
fn is_plain(path: &RepoPath) -> bool {
    codeowners::is_location(path.as_str()) || is_policy(path)
}

/// Whether a file may be a policy by its name. It may as well be anybody's data.
fn is_policy(path: &RepoPath) -> bool {
    let stem = path.name().strip_suffix(".csv").unwrap_or_default();
    stem.starts_with("policy") || stem.ends_with("policy")
}

fn decoded(bytes: &[u8]) -> Result<Arc<str>, Failure> {
    if bytes.len() as u64 > FILE_BYTES {
        return Err(Failure::Unfit(format!("larger than {} MiB", FILE_BYTES >> 20)));
    }
    match yaml::decode(bytes) {
        Ok(text) => Ok(text.into()),
        Err(error) => Err(Failure::Unfit(error.to_string())),
    }
}

/// A template of a chart that makes objects; others, such as named parts, say nothing that is looked at.
fn template(id: FileId, entry: &Entry, reader: &mut Reader<'_>) -> Option<File> {
    let buffer = reader.read(entry.root, &entry.path).ok()?;
    memchr::memmem::find(buffer, b"kind:")?;
    let text = decoded(buffer).ok()?;
    let source = SourceFile::new(id, entry.root, entry.path.clone(), text);
    let tree = yaml::parse(id, "".into());
    Some(File { source, tree, documents: Vec::new(), findings: Vec::new(), state: FileState::Template })
}

fn file(id: FileId, root: RootId, path: &RepoPath, text: Result<Arc<str>, Failure>, plan: &Plan<'_>) -> File {
    let (text, state) = match text {
        Ok(text) => (text, FileState::Read),
        Err(Failure::Refused(reason) | Failure::Unfit(reason)) => ("".into(), FileState::Unread(reason)),
    };
    let source = SourceFile::new(id, root, path.clone(), text);
    let parsed = run::catch(Span::whole(id), format_args!("this file cannot be read"), || {
        let tree = yaml::parse(id, if is_plain(path) { "".into() } else { source.text.clone() });
        let state = if template_files::is_template(path, &tree) { FileState::Template } else { state.clone() };
        let documents = if state == FileState::Read { document::decode(path, &tree) } else { Vec::new() };
        (tree, state, documents)
    });
    match parsed {
        Ok((tree, state, documents)) => {
            let mut file = File { source, tree, documents, findings: Vec::new(), state };
            file.findings = run::run_on_file(&file, plan);
            file
        }
        Err(failure) => {
            let tree = yaml::parse(id, "".into());
            File { source, tree, documents: Vec::new(), findings: vec![*failure], state }
        }
    }
}

/// The folders that hold a `Chart.yaml`.
struct Charts {
    folders: HashSet<(RootId, RepoPath)>,
}

impl Charts {
    fn new<'e>(entries: impl Iterator<Item = &'e Entry>) -> Charts {
        let charts = entries.filter(|entry| entry.path.name() == "Chart.yaml");
        Charts { folders: charts.filter_map(|entry| Some((entry.root, entry.path.parent()?))).collect() }
    }

    /// Whether a path lies in the `templates/` folder of a chart: such files are Go templates, not YAML.
    fn is_template(&self, entry: &Entry) -> bool {
        let path = entry.path.as_str();
        memchr::memmem::find_iter(path.as_bytes(), b"templates/")
            .filter(|&at| at == 0 || path.as_bytes()[at - 1] == b'/')
            .any(|at| {
                let chart = RepoPath::new(&path[..at]).expect("part of a normalised path is one");
                self.folders.contains(&(entry.root, chart))
            })
    }
}
