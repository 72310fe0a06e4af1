//! Reads, parses and decodes every file that can matter, in parallel, and runs the file and document rules.

use super::run;
use super::settings::Settings;
use super::snapshot::{Contents, Snapshot};
use crate::formats::{document, kustomize::Kustomization};
use crate::repo::{Entry, EntryKind, File, FileState, Repo};
use crate::text::limits::FILE_BYTES;
use crate::text::{FileId, RepoPath, RootId, SourceFile};
use crate::yaml;
use rayon::prelude::*;
use std::collections::HashSet;
use std::io::Read as _;
use std::sync::Arc;

/// Reads a snapshot.
pub fn load(snapshot: Snapshot, settings: &Settings) -> Repo {
    let mut roots = Vec::with_capacity(snapshot.roots.len());
    let mut entries: Vec<Entry> = Vec::new();
    let mut contents = Vec::with_capacity(snapshot.roots.len());
    for (index, root) in snapshot.roots.into_iter().enumerate() {
        let id = RootId(index as u16);
        entries.extend(root.entries.into_iter().map(|(path, kind)| Entry { root: id, path, kind, file: None }));
        roots.push(root.root);
        contents.push(root.contents);
    }
    entries.par_sort_unstable_by(|a, b| (a.root, a.path.as_str()).cmp(&(b.root, b.path.as_str())));
    entries.dedup_by(|a, b| a.root == b.root && a.path == b.path);
    let charts = Charts::new(&entries);
    entries.par_iter_mut().enumerate().for_each(|(index, entry)| {
        if entry.kind == EntryKind::File && is_read(&entry.path) && !charts.is_template(entry) {
            let id = FileId(index as u32);
            let bytes = read(&contents[entry.root.index()], &entry.path);
            entry.file = Some(Arc::new(file(id, entry.root, &entry.path, bytes, settings)));
        }
    });
    Repo::new(roots, entries)
}

/// Whether a file's content can matter: YAML, JSON, and the kustomization file without extension.
fn is_read(path: &RepoPath) -> bool {
    matches!(path.extension(), Some("yaml" | "yml" | "json")) || Kustomization::is_file_name(path.name())
}

fn read(contents: &Contents, path: &RepoPath) -> Result<Vec<u8>, String> {
    match contents {
        Contents::Memory(files) => Ok(files.get(path).cloned().unwrap_or_default()),
        Contents::Disk(folder) => {
            let file = std::fs::File::open(folder.join(path.as_str())).map_err(|error| reason(&error))?;
            let size = file.metadata().map_err(|error| reason(&error))?.len();
            let mut bytes = Vec::with_capacity(size.min(FILE_BYTES) as usize + 1);
            file.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
            Ok(bytes)
        }
    }
}

fn reason(error: &std::io::Error) -> String {
    error.kind().to_string()
}

fn file(id: FileId, root: RootId, path: &RepoPath, bytes: Result<Vec<u8>, String>, settings: &Settings) -> File {
    let decoded = bytes.and_then(|bytes| {
        if bytes.len() as u64 > FILE_BYTES {
            return Err(format!("larger than {} MiB", FILE_BYTES >> 20));
        }
        String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())
    });
    let (text, state) = match decoded {
        Ok(text) => (text, FileState::Read),
        Err(reason) => (String::new(), FileState::Unread(reason)),
    };
    let source = SourceFile::new(id, root, path.clone(), text);
    let tree = yaml::parse(id, source.text.clone());
    let documents = document::decode(path, &tree);
    let mut file = File { source, tree, documents, findings: Vec::new(), state };
    file.findings = run::run_on_file(&file, settings);
    file
}

/// The folders that hold a `Chart.yaml`.
struct Charts {
    folders: HashSet<(RootId, RepoPath)>,
}

impl Charts {
    fn new(entries: &[Entry]) -> Charts {
        let charts = entries.iter().filter(|entry| entry.path.name() == "Chart.yaml");
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
