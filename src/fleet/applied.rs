//! The objects that an app applies, as far as they are certain: of plain folders, of what kustomizations build, and of
//! local charts whose templates name a kind outright.
//!
//! What a remote chart, a plugin or a template may add is not known; such apps are open.

use super::built::{self, Built, Item};
use super::source::{Source, Tool};
use super::{App, plain};
use crate::formats::argo::annotation::{self, HELM_HOOK, HOOK};
use crate::formats::{DocId, Resource, api, chart_template};
use crate::repo::{File, FileState, Repo};
use crate::text::{RepoPath, RootId, Span, is_placeholder};
use crate::yaml::Node;

/// What an app applies.
#[derive(Debug, Default)]
pub struct Applied<'r> {
    /// In order of the sources, each in its own order. Hooks of a sync are among them.
    pub objects: Vec<Object<'r>>,
    /// Whether there may be others.
    pub is_open: bool,
}

/// One object that an app applies.
#[derive(Clone, Copy, Debug)]
pub struct Object<'r> {
    /// The group; empty for the core group.
    pub group: &'r str,
    /// The kind.
    pub kind: &'r str,
    /// Its name, when it is known.
    pub name: Option<&'r str>,
    /// Its namespace as it is built, when it is known; empty when it names none.
    pub namespace: Option<&'r str>,
    /// Where its kind is written.
    pub place: Span,
    /// The document that declares it, unless it is generated.
    pub document: Option<DocId>,
}

impl<'r> Applied<'r> {
    /// The objects of all sources of an app.
    pub fn new(app: &App, built: &'r Built, repo: &'r Repo) -> Applied<'r> {
        let mut applied = Applied::default();
        for source in &app.sources {
            applied.add(source, built, repo);
        }
        applied
    }

    fn add(&mut self, source: &Source, built: &'r Built, repo: &'r Repo) {
        match (source.tool, source.folder()) {
            (Some(Tool::Directory), Some(_)) => self.add_plain(source, repo),
            (Some(Tool::Kustomize), Some((root, folder))) => self.add_built(source, root, folder, built, repo),
            (Some(Tool::Helm), Some((root, folder))) => self.add_chart(source, root, folder, repo),
            // A source that others only refer to applies nothing.
            (None, None) if source.written.path.is_none() && source.written.chart.is_none() => {}
            _ => self.is_open = true,
        }
    }

    fn add_plain(&mut self, source: &Source, repo: &'r Repo) {
        self.is_open |= source.written.directory.as_ref().is_some_and(|directory| directory.has_jsonnet);
        for file in plain::manifests(source, repo).unwrap_or_default() {
            self.is_open |= file.state != FileState::Read || !file.tree.errors().is_empty();
            self.add_file(file);
        }
    }

    fn add_file(&mut self, file: &'r File) {
        for document in &file.documents {
            if !matches!(document.resource, Resource::Opaque) {
                self.add_document(document.id, document.node(&file.tree));
            }
        }
    }

    fn add_document(&mut self, id: DocId, root: Node<'r>) {
        let text = |keys: &[&str]| root.at(keys).and_then(Node::as_str).filter(|text| !is_placeholder(text));
        let (Some(api_version), Some(kind)) = (text(&["apiVersion"]), text(&["kind"])) else {
            self.is_open = true;
            return;
        };
        if !is_synced(root) {
            return;
        }
        let namespace = match root.at(&["metadata", "namespace"]) {
            Some(_) => text(&["metadata", "namespace"]),
            None => Some(""),
        };
        self.objects.push(Object {
            group: api::split(api_version).0,
            kind,
            name: text(&["metadata", "name"]),
            namespace,
            place: root.get("kind").map_or(root.span(), Node::span),
            document: Some(id),
        });
    }

    fn add_built(&mut self, source: &Source, root: RootId, folder: &RepoPath, built: &'r Built, repo: &'r Repo) {
        let block = source.written.kustomize.as_ref();
        let build = built.build(&(root, folder.clone())).filter(|build| !build.is_cut && build.failures.is_empty());
        let Some(build) = build.filter(|_| block.is_none_or(|block| !block.may_reshape)) else {
            self.is_open = true;
            return;
        };
        self.is_open |= build.is_open;
        let is_renamed = block.is_some_and(|block| block.may_rename);
        for item in build.items.iter().filter(|item| !built::is_local(item, repo)) {
            let known = |word: &'r Option<std::sync::Arc<str>>| word.as_deref().filter(|_| !is_renamed);
            let (place, document) = match item.source {
                built::Source::Generated(span) => (span, None),
                built::Source::Document(id) => {
                    let (file, document) = repo.document(id);
                    let node = document.node(&file.tree);
                    if !is_synced(node) {
                        continue;
                    }
                    (node.get("kind").map_or(node.span(), Node::span), Some(id))
                }
            };
            let Item { id, .. } = item;
            // The outermost build appends a hash to what is generated.
            let name = known(&id.name).filter(|_| document.is_some());
            let namespace = known(&id.namespace);
            self.objects.push(Object { group: &id.of.group, kind: &id.of.kind, name, namespace, place, document });
        }
    }

    fn add_chart(&mut self, source: &Source, root: RootId, folder: &RepoPath, repo: &'r Repo) {
        self.is_open = true;
        let below = |name: &str| folder.join(name).map_or(&[][..], |path| repo.below(root, &path));
        if !source.written.helm.as_ref().is_some_and(|helm| helm.skips_crds) {
            below("crds").iter().filter_map(|entry| entry.file.as_deref()).for_each(|file| self.add_file(file));
        }
        for file in below("templates").iter().filter_map(|entry| entry.file.as_deref()) {
            if file.state != FileState::Template || file.source.path.name().starts_with('_') {
                continue;
            }
            for made in chart_template::objects(&file.source.text) {
                let hook = |key| made.hooks.iter().find(|(name, _)| *name == key).map(|(_, hook)| *hook);
                if !annotation::is_synced(hook(HOOK), hook(HELM_HOOK)) {
                    continue;
                }
                self.objects.push(Object {
                    group: api::split(made.api_version).0,
                    kind: made.kind,
                    name: None,
                    namespace: None,
                    place: Span::new(file.source.id, made.place.start as u32, made.place.end as u32),
                    document: None,
                });
            }
        }
    }
}

/// Whether a sync applies an object.
fn is_synced(root: Node<'_>) -> bool {
    let Some(annotations) = root.at(&["metadata", "annotations"]) else { return true };
    let hook = |key| annotations.get(key).and_then(Node::as_str);
    annotation::is_synced(hook(HOOK), hook(HELM_HOOK))
}
