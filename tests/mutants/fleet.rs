//! A fleet in memory: its files can be changed, checked, and compared by what they make the controller read.

use plimsoll::engine::{self, Contents, Report, Request, Settings, Snapshot, SnapshotRoot};
use plimsoll::fleet::source::Tool;
use plimsoll::fleet::{App, Meaning, Source, ValueFile};
use plimsoll::repo::{EntryKind, Repo, Root};
use plimsoll::rules::{RULES, Run};
use plimsoll::text::{FileId, RepoPath, RootId};
use plimsoll::views::Shown;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

/// A root and its files.
#[derive(Clone)]
pub struct MemoryRoot {
    pub root: Root,
    pub files: BTreeMap<RepoPath, Vec<u8>>,
}

/// Roots with their settings.
#[derive(Clone)]
pub struct Fleet {
    pub name: String,
    pub roots: Vec<MemoryRoot>,
    settings: Settings,
}

/// What the controller makes of a fleet, whatever paths are called: the same when the same contents are read by the same
/// number of apps in the same way.
#[derive(PartialEq, Eq, Debug)]
pub struct Result {
    /// Each app by what its sources read, sorted.
    apps: Vec<u64>,
    /// The contents that are read, with how often.
    read: BTreeMap<u64, usize>,
}

impl Fleet {
    pub fn load(folder: &Path) -> Fleet {
        let here = std::env::current_dir().expect("tests run in the folder of the crate");
        let name = folder.iter().rev().find(|part| !["clean", "hub", "gitops"].iter().any(|word| part == word));
        let name = name.expect("a fleet has a name").to_string_lossy().into_owned();
        let request = Request { folder: here, paths: vec![folder.to_owned()], ..Request::default() };
        let opened = engine::open(&request).expect("the fleet is there");
        let roots = opened.snapshot.roots.into_iter().filter(|root| !root.is_settings).map(|root| {
            let Contents::Disk(folder) = &root.contents else { panic!("it is read from disk") };
            let read = |(path, kind): &(RepoPath, EntryKind)| {
                assert_eq!(*kind, EntryKind::File, "{path}: the fleets hold plain files");
                (path.clone(), std::fs::read(folder.join(path.as_str())).expect("it is listed"))
            };
            MemoryRoot { files: root.entries.iter().map(read).collect(), root: root.root }
        });
        let roots: Vec<MemoryRoot> = roots.collect();
        let mut settings = opened.settings;
        // What a document says by itself does not depend on where it lies.
        let alone = RULES.iter().filter(|rule| matches!(rule.check.run, Run::Document(_)));
        settings.ignored.extend(alone.map(|rule| rule.id));
        Fleet { name, roots, settings }
    }

    pub fn check(&self) -> Report {
        let roots = self.roots.iter().map(|root| SnapshotRoot {
            root: root.root.clone(),
            ..SnapshotRoot::in_memory(&root.root.name, root.files.clone())
        });
        engine::check(Snapshot { roots: roots.collect() }, &self.settings)
    }

    /// What a report says that the controller makes of these files.
    pub fn result(&self, report: &Report) -> Result {
        let Report { repo, fleet, .. } = report;
        let consumed = fleet.consumed(repo);
        let mut read = BTreeMap::new();
        for (at, _) in repo.entries().iter().enumerate() {
            let file = FileId(at as u32);
            let entry = repo.entry(file);
            // What may be read by something that is not known is no result.
            if consumed.readers(entry.root, &entry.path, repo).iter().any(|reading| reading.is_live) {
                *read.entry(self.content(file, repo)).or_default() += 1;
            }
        }
        let mut apps: Vec<u64> = fleet.apps.iter().map(|app| self.app(app, repo)).collect();
        apps.sort_unstable();
        Result { apps, read }
    }

    /// Each app as it is created, sorted.
    pub fn manifests(report: &Report) -> Vec<String> {
        let Report { repo, fleet, .. } = report;
        let manifest = |app: &App| Shown::new(&app.manifest(fleet, repo)).json.to_string();
        let mut manifests: Vec<String> = fleet.apps.iter().map(manifest).collect();
        manifests.sort();
        manifests
    }

    fn app(&self, app: &App, repo: &Repo) -> u64 {
        let sources: Vec<u64> = app.sources.iter().map(|source| self.source(source, repo)).collect();
        hash(&sources)
    }

    fn source(&self, source: &Source, repo: &Repo) -> u64 {
        let mut held: Vec<(&str, u64)> = Vec::new();
        if let Some((root, folder)) = source.folder() {
            for entry in repo.below(root, folder) {
                let inside = entry.path.relative_to(folder).unwrap_or_default();
                let place = match source.tool {
                    Some(Tool::Helm) if inside.starts_with("templates/") => "templates",
                    Some(Tool::Helm) if matches!(inside, "values.yaml" | "Chart.yaml") => inside,
                    Some(Tool::Helm) => continue,
                    _ => "",
                };
                let file = repo.listed(root, &entry.path).expect("it is listed");
                if source.tool == Some(Tool::Helm) || repo.file(file).is_some() {
                    held.push((place, self.content(file, repo)));
                }
            }
        }
        held.sort_unstable();
        let layer = |file: &ValueFile| match &file.meaning {
            Meaning::File(_, file) => self.content(*file, repo),
            Meaning::Glob(_, places) => {
                let files = places.iter().filter_map(|place| repo.listed(place.root, &place.path));
                hash(&files.map(|file| self.content(file, repo)).collect::<Vec<u64>>())
            }
            Meaning::Missing(_) => 0,
            _ => 1,
        };
        let layers: Vec<u64> = source.value_files.iter().chain(&source.file_parameters).map(layer).collect();
        hash(&(held, layers, source.tool.map(|tool| tool as u8)))
    }

    fn content(&self, file: FileId, repo: &Repo) -> u64 {
        let entry = repo.entry(file);
        hash(&self.roots.get(entry.root.index()).and_then(|root| root.files.get(&entry.path)))
    }

    /// The text of a file.
    pub fn text(&self, root: RootId, path: &RepoPath) -> Option<&str> {
        std::str::from_utf8(self.roots[root.index()].files.get(path)?).ok()
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
