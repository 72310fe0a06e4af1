//! The pass over the fleet: apps and generators first, then the kustomizations and charts that they lead to.

use super::loose::{Loose, Looses};
use super::{Consumed, Extent, Reader, Reading};
use crate::fleet::app::App;
use crate::fleet::built::{self, Folder};
use crate::fleet::source::directory::Filter;
use crate::fleet::source::{Meaning, SourcePath, Tool, ValueFile};
use crate::fleet::{Fleet, Source};
use crate::formats::kustomize::{Field, Kustomization};
use crate::formats::{DocId, Kind, Resource};
use crate::repo::{Found, Repo};
use crate::text::{FileId, RepoPath, RootId};
use crate::value::{Text, Why};
use crate::yaml::Node;
use std::collections::BTreeSet;

/// Different paths with unknown parts that are kept; with more, anything may be read.
const LOOSE: usize = 256;

/// The pass under way.
pub struct Walk<'a> {
    fleet: &'a Fleet,
    repo: &'a Repo,
    consumed: Consumed,
    loose: BTreeSet<Loose>,
    /// Charts that something delivers.
    charts: BTreeSet<Folder>,
    waiting: Vec<Step>,
}

/// A folder to follow further.
enum Step {
    Kustomization(Folder),
    Chart(Folder),
}

impl<'a> Walk<'a> {
    /// A pass that has read nothing yet.
    pub fn new(fleet: &'a Fleet, repo: &'a Repo) -> Walk<'a> {
        Walk {
            fleet,
            repo,
            consumed: Consumed::default(),
            loose: BTreeSet::new(),
            charts: BTreeSet::new(),
            waiting: Vec::new(),
        }
    }

    /// What is read; its files in no order.
    pub fn finish(mut self) -> Consumed {
        self.blind();
        for app in &self.fleet.apps {
            self.app(app);
        }
        for source in self.fleet.set_aside.iter().flat_map(|app| &app.sources) {
            self.perhaps(source);
        }
        self.generators();
        self.flux();
        while let Some(step) = self.waiting.pop() {
            self.follow(step);
        }
        self.kustomizations();
        self.dependencies();
        if self.loose.len() > LOOSE {
            self.consumed.blind = self.roots().collect();
        }
        Consumed { loose: Looses::new(self.loose), ..self.consumed }
    }

    fn roots(&self) -> impl Iterator<Item = RootId> + use<> {
        (0..self.repo.roots().len()).map(|index| RootId(index as u16))
    }

    /// Notes the roots in which anything may be read: by Applications that are not known.
    fn blind(&mut self) {
        let is_unsure = |why: &Why| matches!(why, Why::Template | Why::Revision(_) | Why::Unreadable | Why::Patched);
        let has_failed = self.fleet.sets.iter().any(|set| !set.failures.is_empty())
            || !self.fleet.built.unfinished.is_empty()
            || self.fleet.undecided.iter().any(|one| {
                matches!(one.what, "template" | "ApplicationSet")
                    || one.what == "generator git" && is_unsure(&one.unknown.why)
            });
        if has_failed {
            self.consumed.blind.extend((0..self.repo.roots().len()).map(|index| RootId(index as u16)));
        }
        for undecided in self.fleet.undecided.iter().filter(|one| one.what == "generator git") {
            if let Why::Repository(url) = &undecided.unknown.why {
                let ours: Vec<RootId> = self.may_be(url).collect();
                self.consumed.blind.extend(ours);
            }
        }
    }

    /// The roots that a repository which is not mapped may be all the same: its name is theirs, or they have none.
    fn may_be(&self, url: &str) -> impl Iterator<Item = RootId> {
        let wanted = repository_name(url).to_owned();
        self.roots().filter(move |root| {
            let urls = &self.repo.root(*root).urls;
            urls.is_empty() || urls.iter().any(|url| repository_name(url.as_str()).eq_ignore_ascii_case(&wanted))
        })
    }

    fn app(&mut self, app: &App) {
        for (index, source) in app.sources.iter().enumerate() {
            let reader = Reader::Source { app: app.id, source: index };
            match source.folder() {
                Some((root, folder)) => self.source(source, (root, folder.clone()), reader),
                None => self.perhaps(source),
            }
            for (layer, file) in source.value_files.iter().enumerate() {
                self.value_file(file, Reader::ValueFile { app: app.id, source: index, layer });
            }
            for file in &source.file_parameters {
                self.value_file(file, Reader::FileParameter { app: app.id, source: index });
            }
        }
    }

    fn source(&mut self, source: &Source, folder: Folder, reader: Reader) {
        let reading = Reading { reader, is_live: true };
        match source.tool {
            Some(Tool::Kustomize) => {
                self.kustomization(folder.clone(), reader);
                let components = source.written.kustomize.iter().flat_map(|kustomize| &kustomize.components);
                for component in components.filter_map(Text::as_str) {
                    if let Some(Found::Folder(real)) = self.find(&folder, component) {
                        self.kustomization((folder.0, real), reader);
                    }
                }
            }
            Some(Tool::Directory) => {
                let text = |glob: &Option<Text>| glob.as_ref().and_then(Text::as_str).unwrap_or_default().to_owned();
                let key = source.written.directory.as_ref().map_or_else(String::new, |directory| {
                    format!("{}\n{}\n{}", directory.recurse, text(&directory.include), text(&directory.exclude))
                });
                let extent = Extent::Plain(Box::new(Filter::of(&source.written)), format!("plain {key}"));
                self.consumed.folders.entry(folder).or_default().push((extent, reading));
            }
            tool => {
                self.consumed.folders.entry(folder.clone()).or_default().push((Extent::All, reading));
                if tool != Some(Tool::Plugin) {
                    self.waiting.push(Step::Chart(folder));
                }
            }
        }
    }

    /// A source whose folder is not known: it may lie where its path says, in any root that may be its repository.
    fn perhaps(&mut self, source: &Source) {
        let Some(path) = source.written.path.as_ref().filter(|_| !matches!(source.path, SourcePath::Missing(_))) else {
            return;
        };
        match (Loose::new(path, true), &source.unknown) {
            (Some(loose), _) => drop(self.loose.insert(loose)),
            (None, Some(unknown)) => {
                let roots: Vec<RootId> = match &unknown.why {
                    Why::Repository(url) => self.may_be(url).collect(),
                    _ => self.roots().collect(),
                };
                self.consumed.blind.extend(roots);
            }
            (None, None) => self.consumed.blind.extend(source.root),
        }
    }

    fn value_file(&mut self, file: &ValueFile, reader: Reader) {
        let mut read = |file: FileId| self.consumed.files.push((file, Reading { reader, is_live: true }));
        match &file.meaning {
            Meaning::File(_, id) => read(*id),
            Meaning::Glob(_, places) => {
                for place in places {
                    if let Found::File(id) = self.repo.find(place.root, &place.path) {
                        read(id);
                    }
                }
            }
            Meaning::Unknown(_) | Meaning::NoFolder | Meaning::OtherScheme(_) => {
                // Without any known part it tells nothing, not even that something is read here.
                self.loose.extend(Loose::new(&file.written, false));
            }
            _ => {}
        }
    }

    fn generators(&mut self) {
        for (set, git) in
            self.fleet.sets.iter().enumerate().flat_map(|(at, set)| set.uses.git.iter().map(move |git| (at, git)))
        {
            let taken = git.taken();
            for item in git.items.iter().filter(|item| !item.exclude) {
                let reading = Reading { reader: Reader::Generator { set, item: item.span }, is_live: true };
                for matcher in item.patterns.iter().filter_map(|pattern| git.matching.compile(pattern).ok()) {
                    if git.matching == crate::fleet::expand::Matching::Folders {
                        let folders = self.fleet.folders.in_root(git.root).iter();
                        for folder in
                            folders.filter(|folder| matcher.matches(folder.as_str()) && taken.contains(folder.as_str()))
                        {
                            self.consumed.taken.entry((git.root, folder.clone())).or_default().push(reading);
                        }
                        continue;
                    }
                    for entry in self.repo.starting_with(git.root, matcher.literal_prefix()) {
                        let path = entry.path.as_str();
                        if matcher.matches(path) && taken.contains(path) {
                            self.consumed
                                .files
                                .extend(self.repo.listed(git.root, &entry.path).map(|file| (file, reading)));
                        }
                    }
                }
            }
        }
    }

    fn flux(&mut self) {
        for (file, document) in self.repo.documents(Kind::Manifest) {
            let Resource::Manifest(manifest) = &document.resource else { continue };
            let node = document.node(&file.tree);
            match (manifest.group(), &*manifest.kind.value) {
                ("kustomize.toolkit.fluxcd.io", "Kustomization") => {
                    let path = node.at(&["spec", "path"]).and_then(Node::as_str).unwrap_or("");
                    self.flux_path(path, document.id);
                }
                ("helm.toolkit.fluxcd.io", "HelmRelease") => self.helm_release(node, document.id),
                _ => {}
            }
        }
    }

    fn flux_path(&mut self, path: &str, document: DocId) {
        let reader = Reader::Flux { document };
        let text = Text::known_at(path, crate::text::Span::default());
        if crate::text::is_placeholder(path) {
            self.loose.extend(Loose::new(&text, true));
            return;
        }
        let Ok(path) = RepoPath::new(path) else { return };
        for root in self.roots() {
            let mut folders = vec![path.clone()];
            if !self.repo.is_folder(root, &path) {
                // Where an artifact holds a part of the repository, its paths start further down.
                let named = self.repo.folders_named(root, path.name()).iter();
                folders = named.filter(|folder| folder.as_str().ends_with(&format!("/{path}"))).cloned().collect();
            }
            for folder in folders.into_iter().map(|folder| (root, folder)) {
                if built::kustomization(self.repo, &folder).is_some() {
                    self.kustomization(folder, reader);
                } else if self.repo.is_folder(root, &folder.1) {
                    let reading = Reading { reader, is_live: true };
                    self.consumed.folders.entry(folder).or_default().push((Extent::All, reading));
                }
            }
        }
    }

    fn helm_release(&mut self, node: Node<'_>, document: DocId) {
        let reading = Reading { reader: Reader::Flux { document }, is_live: true };
        let spec = ["spec", "chart", "spec"];
        let chart = node
            .at(&["spec", "chart", "spec", "chart"])
            .and_then(Node::as_str)
            .and_then(|path| RepoPath::new(path).ok());
        let files = node.at(&spec).and_then(|spec| spec.get("valuesFiles")).into_iter().flat_map(|files| files.items());
        let files: Vec<RepoPath> = files.filter_map(|file| RepoPath::new(file.as_str()?).ok()).collect();
        for root in self.roots() {
            if let Some(folder) = chart.clone().filter(|chart| !chart.is_root() && self.repo.is_folder(root, chart)) {
                self.consumed.folders.entry((root, folder.clone())).or_default().push((Extent::All, reading));
                self.waiting.push(Step::Chart((root, folder)));
            }
            let found = files.iter().filter_map(|path| match self.repo.find(root, path) {
                Found::File(file) => Some((file, reading)),
                _ => None,
            });
            self.consumed.files.extend(found);
        }
    }

    /// A kustomization that something delivers.
    fn kustomization(&mut self, folder: Folder, reader: Reader) {
        let reading = Reading { reader, is_live: true };
        self.consumed.taken.entry(folder.clone()).or_default().push(reading);
        if let Some((document, _)) = built::kustomization(self.repo, &folder) {
            self.consumed.files.push((document.file, reading));
        }
        self.waiting.push(Step::Kustomization(folder));
    }

    /// Finds what is live in its turn.
    fn follow(&mut self, step: Step) {
        match step {
            Step::Kustomization(folder) => {
                if !self.consumed.live.insert(folder.clone()) {
                    return;
                }
                let Some((_, kustomization)) = built::kustomization(self.repo, &folder) else { return };
                for reference in kustomization.references.iter().filter(|reference| reference.field.takes_folders()) {
                    if let Some(Found::Folder(real)) = self.find(&folder, &reference.path.value) {
                        self.waiting.push(Step::Kustomization((folder.0, real)));
                    }
                }
                for chart in inflated(kustomization, &folder) {
                    self.waiting.push(Step::Chart((folder.0, chart)));
                }
            }
            Step::Chart(folder) => {
                if self.charts.insert(folder.clone()) {
                    for chart in self.dependencies_of(&folder) {
                        self.waiting.push(Step::Chart((folder.0, chart.1)));
                    }
                }
            }
        }
    }

    /// Adds what kustomizations name, all of them: also those that nothing delivers.
    fn kustomizations(&mut self) {
        for (file, document) in self.repo.documents(Kind::Kustomization) {
            let (Resource::Kustomization(kustomization), Some(parent)) =
                (&document.resource, file.source.path.parent())
            else {
                continue;
            };
            let folder = (file.source.root, parent);
            let is_live = self.consumed.live.contains(&folder);
            for reference in kustomization.references.iter().filter(|reference| !reference.is_remote()) {
                let (field, entry) = (reference.field, reference.path.span);
                let reading = Reading { reader: Reader::Kustomization { file: file.source.id, field, entry }, is_live };
                match self.find(&folder, &reference.path.value) {
                    Some(Found::File(id)) => self.consumed.files.push((id, reading)),
                    Some(Found::Folder(real)) if field.takes_folders() => self.used((folder.0, real), reading),
                    Some(Found::Folder(real)) if field == Field::GeneratorFiles => {
                        self.consumed.folders.entry((folder.0, real)).or_default().push((Extent::All, reading));
                    }
                    _ => {}
                }
            }
            for chart in inflated(kustomization, &folder) {
                let reading = Reading { reader: Reader::Chart { file: file.source.id }, is_live };
                self.consumed.folders.entry((folder.0, chart)).or_default().push((Extent::All, reading));
            }
        }
    }

    fn used(&mut self, folder: Folder, reading: Reading) {
        if let Some((document, _)) = built::kustomization(self.repo, &folder) {
            self.consumed.files.push((document.file, reading));
        }
        if reading.is_live {
            self.consumed.taken.entry(folder).or_default().push(reading);
        }
    }

    /// Adds the charts that others depend on.
    fn dependencies(&mut self) {
        for (file, _) in self.repo.documents(Kind::Chart) {
            let Some(folder) = file.source.path.parent().map(|parent| (file.source.root, parent)) else { continue };
            let is_live = self.charts.contains(&folder);
            let reading = Reading { reader: Reader::Chart { file: file.source.id }, is_live };
            for chart in self.dependencies_of(&folder) {
                self.consumed.folders.entry(chart).or_default().push((Extent::All, reading));
            }
        }
    }

    fn dependencies_of(&self, folder: &Folder) -> Vec<Folder> {
        let file = folder.1.join("Chart.yaml").ok().and_then(|path| self.repo.listed(folder.0, &path));
        let documents =
            file.and_then(|file| self.repo.file(file)).map(|file| file.documents.as_slice()).unwrap_or_default();
        let charts = documents.iter().filter_map(|document| match &document.resource {
            Resource::Chart(chart) => Some(&chart.dependencies),
            _ => None,
        });
        let local =
            charts.flatten().filter_map(|dependency| dependency.repository.as_ref()?.as_str()?.strip_prefix("file://"));
        let found = local.filter_map(|path| match self.find(folder, path)? {
            Found::Folder(real) => Some((folder.0, real)),
            _ => None,
        });
        found.collect()
    }

    fn find(&self, folder: &Folder, path: &str) -> Option<Found> {
        Some(self.repo.find(folder.0, &folder.1.join(path).ok()?))
    }
}

/// The folders of charts that a kustomization may inflate.
fn inflated(kustomization: &Kustomization, folder: &Folder) -> Vec<RepoPath> {
    let home = kustomization.chart_home.as_ref().and_then(Text::as_str).unwrap_or("charts");
    let names = kustomization.charts.iter().filter_map(|chart| chart.name.as_ref()?.as_str());
    names.filter_map(|name| folder.1.join(home).ok()?.join(name).ok()).collect()
}

/// The last segment of a URL, without `.git`.
fn repository_name(url: &str) -> &str {
    let url = url.trim_end_matches('/').trim_end_matches(".git");
    url.rsplit(['/', ':']).next().unwrap_or(url)
}
