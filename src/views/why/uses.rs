//! What reads a path, and for which apps.

use super::set_name;
use crate::engine::config;
use crate::fleet::AppId;
use crate::fleet::consumed::{Reader, Reading};
use crate::fleet::expand::Provenance;
use crate::fleet::source::Tool;
use crate::fleet::{App, Fleet};
use crate::formats::{DocId, Resource};
use crate::repo::Repo;
use crate::text::{FileId, RepoPath, RootId, Span};
use crate::value::Text;
use std::collections::{BTreeMap, BTreeSet};

/// One way in which a path is used, for the apps that use it so.
#[derive(Clone, Debug)]
pub struct Use {
    /// The way, one word of the form for programs.
    pub how: &'static str,
    /// The same for people.
    pub text: String,
    /// The place that says so.
    pub at: Span,
    /// Whether something that is delivered comes of it.
    pub is_live: bool,
    /// The apps.
    pub apps: BTreeSet<AppId>,
    /// Flux objects that it reaches, by kind and name.
    pub flux: BTreeSet<String>,
}

/// What readers make of paths.
#[derive(Debug)]
pub struct Uses<'m> {
    fleet: &'m Fleet,
    repo: &'m Repo,
    /// In the order noticed.
    found: Vec<Use>,
    known: BTreeMap<(&'static str, String, Span), usize>,
}

impl<'m> Uses<'m> {
    /// The uses of a path; for a folder those of what lies below as well, without what it does inside itself.
    pub fn of(root: RootId, path: &RepoPath, fleet: &'m Fleet, repo: &'m Repo) -> Vec<Use> {
        let mut uses = Uses { fleet, repo, found: Vec::new(), known: BTreeMap::new() };
        uses.add(root, path);
        if let Some(file) = repo.listed(root, path) {
            uses.declared(file);
        }
        for entry in repo.below(root, path) {
            uses.add(root, &entry.path);
            uses.declared(repo.listed(root, &entry.path).expect("it is listed"));
        }
        let is_inside = |span: Span| {
            let entry = repo.entry(span.file);
            repo.is_folder(root, path) && entry.root == root && entry.path.is_within(path)
        };
        uses.found.retain(|one| matches!(one.how, "declares" | "itself" | "source") || !is_inside(one.at));
        uses.found
    }

    fn add(&mut self, root: RootId, path: &RepoPath) {
        for reading in self.fleet.consumed(self.repo).readers(root, path, self.repo) {
            self.reading(reading, root, path);
        }
    }

    fn reading(&mut self, reading: Reading, root: RootId, path: &RepoPath) {
        let mut flux = BTreeSet::new();
        let is_live = reading.is_live && !self.is_only_held(reading.reader, root, path);
        let (how, text, at, apps) = match reading.reader {
            Reader::Generator { set, item } => self.generator(set, item, root, path),
            Reader::Source { app, source } => {
                let app = self.fleet.app(app);
                let (number, source) = (number(app, source), &app.sources[source]);
                let text = match source.tool {
                    Some(Tool::Helm) if !is_live => format!("beside the templates of {number}, for `.Files` only"),
                    Some(Tool::Helm) => format!("chart of {number}"),
                    Some(Tool::Kustomize) => format!("kustomization of {number}"),
                    Some(Tool::Directory) => format!("manifests of {number}"),
                    Some(Tool::Plugin) => format!("input of the plugin of {number}"),
                    None => format!("folder of {number}"),
                };
                let at = source.written.path.as_ref().map_or(source.written.span, Text::span);
                ("source", text, at, BTreeSet::from([app.id]))
            }
            Reader::ValueFile { app, source, layer } => {
                let app = self.fleet.app(app);
                let files = &app.sources[source].value_files;
                let text = format!("values, layer {} of {} of {}", layer + 1, files.len(), number(app, source));
                ("value-file", text, files[layer].written.span(), BTreeSet::from([app.id]))
            }
            Reader::FileParameter { app, source } => {
                let app = self.fleet.app(app);
                let at = app.sources[source].written.span;
                ("file-parameter", format!("parameter of {}", number(app, source)), at, BTreeSet::from([app.id]))
            }
            Reader::Kustomization { file, field, entry } => {
                let text = format!("`{}` of {}", field.name(), self.repo.entry(file).path);
                ("kustomization", text, entry, self.apps_of(file, &mut flux))
            }
            Reader::Chart { file } => {
                let text = format!("chart that {} needs", self.repo.entry(file).path);
                ("chart", text, Span::whole(file), self.apps_of(file, &mut flux))
            }
            Reader::Flux { document } => {
                flux.insert(self.object(document));
                ("flux", "what Flux delivers".to_owned(), self.span(document), BTreeSet::new())
            }
        };
        self.push(Use { how, text, at, is_live, apps, flux });
    }

    /// Whether a file lies in a chart and Helm makes nothing of it by itself.
    fn is_only_held(&self, reader: Reader, root: RootId, path: &RepoPath) -> bool {
        let Reader::Source { app, source } = reader else { return false };
        let source = &self.fleet.app(app).sources[source];
        let inside =
            source.folder().filter(|(other, _)| *other == root).and_then(|(_, folder)| path.relative_to(folder));
        let is_read = |inside: &str| {
            matches!(inside, "" | "Chart.yaml" | "Chart.lock" | "values.yaml" | "values.schema.json")
                || ["templates", "crds", "charts"].contains(&inside.split('/').next().unwrap_or_default())
        };
        source.tool == Some(Tool::Helm)
            && self.repo.listed(root, path).is_some()
            && inside.is_some_and(|inside| !is_read(inside))
    }

    fn push(&mut self, one: Use) {
        let key = (one.how, one.text.clone(), one.at);
        match self.known.get(&key) {
            Some(known) => {
                self.found[*known].apps.extend(one.apps);
                self.found[*known].flux.extend(one.flux);
            }
            None => {
                self.known.insert(key, self.found.len());
                self.found.push(one);
            }
        }
    }

    fn generator(
        &self,
        set: usize,
        item: Span,
        root: RootId,
        path: &RepoPath,
    ) -> (&'static str, String, Span, BTreeSet<AppId>) {
        let set = &self.fleet.sets[set];
        let file = self.repo.listed(root, path);
        let is_it = |from: &Provenance| match from {
            Provenance::File(other) => Some(*other) == file,
            Provenance::Folder(other, folder) => *other == root && folder == path,
            _ => false,
        };
        let apps = self.fleet.apps[set.apps.clone()].iter().filter(|app| app.parameters_from().iter().any(is_it));
        let name = set_name(set, self.fleet, self.repo);
        let what = if file.is_some() { "parameters" } else { "folder" };
        let text = format!("{what} of ApplicationSet {name}");
        ("generator", text, item, apps.map(|app| app.id).collect())
    }

    /// What the documents of a file declare; of what is no application's, what else it is for.
    fn declared(&mut self, file: FileId) {
        let mut readings = self.fleet.owners.roots.iter().flat_map(|root| &root.readings);
        let entry = self.repo.entry(file);
        let text = if readings.any(|reading| reading.file == file) {
            Some("says who must review")
        } else {
            (entry.path.as_str() == config::NAME).then_some("configures plimsoll")
        };
        if let Some(text) = text {
            let (apps, flux) = (BTreeSet::new(), BTreeSet::new());
            let (text, at) = (text.to_owned(), Span::whole(file));
            self.push(Use { how: "itself", text, at, is_live: true, apps, flux });
        }
        let Some(file) = self.repo.file(file) else { return };
        for document in &file.documents {
            let id = document.id;
            let apps: BTreeSet<AppId> = match &document.resource {
                Resource::Application(_) | Resource::ApplicationSet(_) => {
                    self.fleet.apps.iter().filter(|app| app.document() == id).map(|app| app.id).collect()
                }
                Resource::AppProject(project) => {
                    let name = project.metadata.name.as_ref().and_then(Text::as_str);
                    let is_in = |app: &&App| name.is_some() && app.project() == name;
                    self.fleet.apps.iter().filter(is_in).map(|app| app.id).collect()
                }
                _ => {
                    let is_it = |from: &Provenance| *from == Provenance::Cluster(id);
                    let apps = self.fleet.apps.iter().filter(|app| app.parameters_from().iter().any(is_it));
                    let apps: BTreeSet<AppId> = apps.map(|app| app.id).collect();
                    if !apps.is_empty() {
                        let text = "cluster of generators".to_owned();
                        let flux = BTreeSet::new();
                        self.push(Use { how: "declares", text, at: document.span, is_live: true, apps, flux });
                    }
                    continue;
                }
            };
            let text = format!("declares {}", self.object(id));
            let is_live = !self.fleet.set_aside.iter().any(|app| app.document() == id);
            self.push(Use { how: "declares", text, at: document.span, is_live, apps, flux: BTreeSet::new() });
        }
    }

    /// The apps that build a kustomization or render a chart, given its file, directly or through others; adds the
    /// Flux objects that do.
    fn apps_of(&self, file: FileId, flux: &mut BTreeSet<String>) -> BTreeSet<AppId> {
        let mut found = BTreeSet::new();
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![file]);
        while let Some(file) = waiting.pop() {
            if !seen.insert(file) {
                continue;
            }
            let entry = self.repo.entry(file);
            for reading in self.fleet.consumed(self.repo).readers(entry.root, &entry.path, self.repo) {
                match reading.reader {
                    Reader::Source { app, .. } | Reader::ValueFile { app, .. } | Reader::FileParameter { app, .. } => {
                        found.insert(app);
                    }
                    Reader::Kustomization { file, .. } | Reader::Chart { file } => waiting.push(file),
                    Reader::Flux { document } => {
                        flux.insert(self.object(document));
                    }
                    Reader::Generator { .. } => {}
                }
            }
        }
        found
    }

    fn span(&self, document: DocId) -> Span {
        self.repo.document(document).1.span
    }

    /// Kind and name of an object.
    fn object(&self, document: DocId) -> String {
        let (file, document) = self.repo.document(document);
        let root = document.node(&file.tree);
        let text = |keys: &[&str]| root.at(keys).and_then(|node| node.as_str()).unwrap_or("{?}");
        format!("{} {}", text(&["kind"]), text(&["metadata", "name"]))
    }
}

/// A source of an app, by number where there are several.
fn number(app: &App, source: usize) -> String {
    if app.sources.len() > 1 { format!("source {}", source + 1) } else { "the source".to_owned() }
}
