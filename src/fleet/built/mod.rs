//! Argo CD's objects as they reach the cluster: as written, or as the kustomizations build them that reach them.
//!
//! For every kustomization that no other one uses, `build` follows resources, bases and Components and applies what
//! `change`, `merge` and `operations` simulate; `fields` finds places by path. An object that several kustomizations
//! reach exists once for each, one that a patch deletes not at all, and one that none reaches as it is written. What is
//! not simulated exactly is unknown in the object, with the place of the cause.

mod build;
mod change;
mod failure;
mod fields;
mod item;
mod merge;
mod operations;
mod outline;

pub use build::{Build, Collision, Folder, kustomization};
pub use failure::Failure;
pub use item::{Id, Item, Source, Type, Word};
pub use outline::{Contents, Outline, outline};

use super::Origin;
use super::partial::Partial;
use super::source;
use crate::formats::argo::application;
use crate::formats::kustomize::Kustomization;
use crate::formats::{DocId, Kind, Resource, read};
use crate::repo::{Found, Repo};
use crate::text::limits::BUILD_STEPS;
use crate::text::{RepoPath, Span};
use crate::value::Value;
use build::Builder;
use item::{is_argo, resource};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The annotation of objects that kustomize keeps to itself.
const LOCAL: &str = "config.kubernetes.io/local-config";

/// Argo CD's objects as they reach the cluster.
#[derive(Debug, Default)]
pub struct Built {
    /// Sorted by kind, document and kustomization.
    objects: Vec<Object>,
    /// Objects that two entries bring into one build, in order of the second one.
    pub collisions: Vec<Collision>,
    /// The kustomizations whose builds are incomplete because they are too much work.
    pub unfinished: Vec<Span>,
    /// What each kustomization builds.
    builds: BTreeMap<Folder, Arc<Build>>,
}

/// One of Argo CD's objects.
#[derive(Debug)]
pub struct Object {
    /// The document that declares it.
    pub document: DocId,
    /// The outermost kustomization that builds it; `None` as it is written.
    pub through: Option<DocId>,
    kind: Kind,
    /// What it is made into, and what that means; `None` when it is delivered as written.
    made: Option<(Arc<Value>, Resource)>,
}

impl Object {
    /// Where an app that it declares comes from.
    pub fn origin(&self) -> Origin {
        Origin::Declared { document: self.document, through: self.through }
    }

    /// What it means.
    pub fn resource<'a>(&'a self, repo: &'a Repo) -> &'a Resource {
        match &self.made {
            Some((_, resource)) => resource,
            None => &repo.document(self.document).1.resource,
        }
    }

    /// What it holds, whole.
    pub fn value(&self, repo: &Repo) -> Arc<Value> {
        match &self.made {
            Some((value, _)) => value.clone(),
            None => {
                let (file, document) = repo.document(self.document);
                Arc::new(read::value(document.node(&file.tree)))
            }
        }
    }
}

impl Built {
    /// The objects of a snapshot. What their kustomizations change is added to `partial`.
    pub fn new(repo: &Repo, partial: &mut Partial) -> Built {
        Built::within(BUILD_STEPS, repo, partial)
    }

    /// The same, with a limit on the work.
    fn within(steps: usize, repo: &Repo, partial: &mut Partial) -> Built {
        let mut builder = Builder::new(repo, steps);
        let folders = Folders::new(repo);
        let mut built = Built::default();
        let mut roots: BTreeSet<Folder> = folders.unused().collect();
        for (_, document) in repo.documents(Kind::Application) {
            let Resource::Application(application) = &document.resource else { continue };
            roots.extend(folders.sources_of(&application.spec, repo));
        }
        let mut done = BTreeSet::new();
        while let Some(root) = roots.pop_first() {
            if !done.insert(root.clone()) {
                continue;
            }
            let objects = built.add_root(&root, &mut builder, repo);
            for object in &built.objects[objects..] {
                let Some((_, Resource::Application(application))) = &object.made else { continue };
                roots.extend(folders.sources_of(&application.spec, repo).filter(|root| !done.contains(root)));
            }
        }
        // What only folders reach that use each other is delivered by nobody, and judged as written.
        let reached = builder.reached.clone();
        for (folder, _) in &folders.all {
            // Also those inside others: what they refuse, and what they change.
            for item in builder.build(folder, Span::default()).items.iter().filter(|item| item.is_changed) {
                partial.add_changed(item.source);
            }
        }
        partial.add_unused_components(&folders.all, &builder.components, repo);
        built.add_written(&reached, &folders, partial, repo);
        built.objects.sort_by_key(|object| (object.kind, object.document, object.through));
        built.collisions = std::mem::take(&mut builder.collisions).into_iter().collect();
        built.builds = builder.done;
        built
    }

    /// The objects of one kind, in order of the documents that declare them.
    pub fn objects(&self, kind: Kind) -> impl Iterator<Item = &Object> {
        let start = self.objects.partition_point(|object| object.kind < kind);
        self.objects[start..].iter().take_while(move |object| object.kind == kind)
    }

    /// The object of a kind that a document declares, as it leaves an outermost kustomization, or as written.
    pub fn object(&self, kind: Kind, document: DocId, through: Option<DocId>) -> Option<&Object> {
        let key = |object: &Object| (object.kind, object.document, object.through);
        let at = self.objects.binary_search_by_key(&(kind, document, through), key).ok()?;
        self.objects.get(at)
    }

    /// What the kustomization in a folder builds, before the steps that only the outermost one takes: of objects that
    /// are not Argo CD's only who they are. `None` when there is none that is judged.
    pub fn build(&self, folder: &Folder) -> Option<&Build> {
        self.builds.get(folder).map(Arc::as_ref)
    }

    /// Adds what one outermost kustomization builds; the index of its first object.
    fn add_root(&mut self, root: &Folder, builder: &mut Builder<'_>, repo: &Repo) -> usize {
        let first = self.objects.len();
        let Some((through, _)) = kustomization(repo, root) else { return first };
        let build = builder.build(root, Span::whole(through.file));
        if build.is_cut {
            self.unfinished.push(Span::whole(through.file));
        }
        for item in build.items.iter().filter(|item| item.is_read && !is_local(item, repo)) {
            let Source::Document(document) = item.source else { continue };
            let as_written = repo.document(document).1.kind();
            let value = if build.is_cut {
                let mut value = (*item.value(repo)).clone();
                fields::lose(&mut value, Span::whole(through.file));
                Some(Arc::new(value))
            } else {
                item.value.clone()
            };
            let is_made = value.is_some();
            let made = value.and_then(|value| Some((value.clone(), resource(&value)?)));
            if made.is_none() && (is_made || !is_argo(as_written)) {
                continue;
            }
            let kind = made.as_ref().map_or(as_written, |(_, resource)| resource.kind());
            self.objects.push(Object { document, through: Some(through), kind, made });
        }
        first
    }

    /// Adds what no build reaches, and what is delivered from folders without being built.
    fn add_written(&mut self, reached: &BTreeSet<DocId>, folders: &Folders<'_>, partial: &Partial, repo: &Repo) {
        for kind in
            [Kind::Application, Kind::ApplicationSet, Kind::AppProject, Kind::ClusterSecret, Kind::RepositorySecret]
        {
            for (file, document) in repo.documents(kind) {
                let folder = file.source.path.parent().map(|parent| (file.source.root, parent));
                let is_plain = folder.is_some_and(|folder| folders.is_plain(&folder));
                if is_plain || !(reached.contains(&document.id) || partial.is_fragment(document.id)) {
                    self.objects.push(Object { document: document.id, through: None, kind, made: None });
                }
            }
        }
    }
}

/// Whether kustomize keeps an object to itself.
pub fn is_local(item: &Item, repo: &Repo) -> bool {
    let value = item.value(repo);
    let annotations = value.get("metadata").and_then(|metadata| metadata.get("annotations"));
    let local = annotations.and_then(|annotations| annotations.get(LOCAL));
    local.is_some_and(|local| matches!(local, Value::Text(_)) && local.as_str() != Some("false"))
}

/// The folders that hold kustomizations.
struct Folders<'r> {
    /// All of them, sorted.
    all: Vec<(Folder, &'r Kustomization)>,
    /// Those that some kustomization uses.
    used: BTreeSet<Folder>,
    /// Those that an Application takes as plain directories, and whether with all below them.
    plain: BTreeSet<(Folder, bool)>,
}

impl<'r> Folders<'r> {
    fn new(repo: &'r Repo) -> Folders<'r> {
        let mut all = Vec::new();
        let mut used = BTreeSet::new();
        for (file, _) in repo.documents(Kind::Kustomization) {
            let Some(folder) = file.source.path.parent().map(|parent| (file.source.root, parent)) else { continue };
            let Some((_, kustomization)) = kustomization(repo, &folder) else { continue };
            let paths = kustomization.references.iter().filter(|reference| reference.field.takes_folders());
            for reference in paths.filter(|reference| !reference.is_remote()) {
                let Ok(path) = folder.1.join(&reference.path.value) else { continue };
                if let Found::Folder(real) = repo.find(folder.0, &path) {
                    used.insert((folder.0, real));
                }
            }
            all.push((folder, kustomization));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let mut folders = Folders { all, used, plain: BTreeSet::new() };
        for (_, document) in repo.documents(Kind::Application) {
            let Resource::Application(application) = &document.resource else { continue };
            let plain = folders_of(&application.spec, repo);
            folders.plain.extend(plain.filter_map(|(folder, directory)| Some((folder, directory?.recurse))));
        }
        folders
    }

    /// Those that nothing but a person or a controller builds.
    fn unused(&self) -> impl Iterator<Item = Folder> {
        let roots = self.all.iter().filter(|(folder, kustomization)| {
            !kustomization.is_component && !self.used.contains(folder) && !self.is_plain(folder)
        });
        roots.map(|(folder, _)| folder.clone())
    }

    fn is_plain(&self, folder: &Folder) -> bool {
        self.plain.iter().any(|(plain, recurses)| {
            plain == folder || *recurses && plain.0 == folder.0 && folder.1.is_within(&plain.1)
        })
    }

    /// Those that an Application builds.
    fn sources_of(&self, spec: &application::Spec, repo: &Repo) -> impl Iterator<Item = Folder> {
        folders_of(spec, repo)
            .filter(|(folder, directory)| {
                directory.is_none() && self.all.binary_search_by(|(other, _)| other.cmp(folder)).is_ok()
            })
            .map(|(folder, _)| folder)
    }
}

/// The folders that an Application delivers, and what it says of them as plain directories.
fn folders_of<'s>(
    spec: &'s application::Spec,
    repo: &Repo,
) -> impl Iterator<Item = (Folder, Option<&'s application::Directory>)> {
    spec.effective_sources().iter().filter_map(|source| {
        let root = source::root_of(source, repo).ok()??;
        let path = source.path.as_ref()?.as_str().filter(|path| !path.starts_with('/'))?;
        let directory = source.directory.as_ref().filter(|directory| !directory.is_zero);
        match repo.find(root, &RepoPath::new(path).ok()?) {
            Found::Folder(real) => Some(((root, real), directory)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::InOrder;
    use crate::formats::document;
    use crate::repo::{Entry, EntryKind, File, FileState, RepoUrl, Root};
    use crate::text::{FileId, RootId, SourceFile};
    use crate::value::Text;
    use crate::yaml;

    /// The value of a YAML text.
    pub(super) fn read(text: &str) -> Value {
        let tree = yaml::parse(FileId(0), text.into());
        assert_eq!(tree.errors(), [], "{text}");
        read::value(tree.root(&tree.documents()[0]).expect("the text holds a value"))
    }

    /// A value in flow style; `?` is unknown.
    pub(super) fn show(value: &Value) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match value {
            Value::Null(_) => "null".to_owned(),
            Value::Bool(bool) => bool.value.to_string(),
            Value::Int(int) => int.value.to_string(),
            Value::Float(float) => float.value.to_string(),
            Value::Text(text) => text.as_str().unwrap_or("?").to_owned(),
            Value::List(list) => format!("[{}]", joined(list.items.iter().map(show).collect())),
            Value::Map(map) => {
                let entries = map.entries.iter().map(|(key, value)| format!("{}: {}", key.value, show(value)));
                format!("{{{}}}", joined(entries.collect()))
            }
            Value::Unknown(_) => "?".to_owned(),
        }
    }

    fn repo(files: &[(&str, &str)]) -> Repo {
        let mut files = files.to_vec();
        files.sort_unstable();
        let entries = files.iter().enumerate().map(|(index, (path, text))| {
            let (id, root, path) = (FileId(index as u32), RootId(0), RepoPath::new(path).unwrap());
            let source = SourceFile::new(id, root, path.clone(), *text);
            let tree = yaml::parse(id, source.text.clone());
            assert_eq!(tree.errors(), [], "{path}");
            let documents = document::decode(&path, &tree);
            let file = File { source, tree, documents, findings: Vec::new(), state: FileState::Read };
            let file = (path.extension() == Some("yaml")).then(|| Arc::new(file));
            Entry { root, path, kind: EntryKind::File, file }
        });
        let urls = vec![RepoUrl::new("https://git.example.com/acme/fleet").unwrap()];
        Repo::new(vec![Root { name: ".".into(), urls, ..Root::default() }], entries.collect())
    }

    fn application(name: &str, path: &str) -> String {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: {name}}}\nspec:\n  source:\n    \
             repoURL: https://git.example.com/acme/fleet\n    path: {path}\n"
        )
    }

    /// Each Application: the kustomization that builds it, its name, and its source path.
    fn applications(repo: &Repo) -> Vec<(Option<String>, Option<String>, Option<String>)> {
        let built = Built::new(repo, &mut Partial::default());
        let mut found: Vec<_> = built
            .objects(Kind::Application)
            .map(|object| {
                let through = object.through.map(|through| repo.entry(through.file).path.to_string());
                let Resource::Application(application) = object.resource(repo) else { panic!("it is an Application") };
                let known = |text: &Option<Text>| text.as_ref().and_then(Text::as_str).map(str::to_owned);
                let source = application.spec.source.clone().unwrap_or_default();
                (through, known(&application.metadata.name), known(&source.path))
            })
            .collect();
        found.sort();
        found
    }

    fn is(through: &str, name: &str, path: &str) -> (Option<String>, Option<String>, Option<String>) {
        let through = (!through.is_empty()).then(|| format!("{through}/kustomization.yaml"));
        let known = |text: &str| (text != "?").then(|| text.to_owned());
        (through, known(name), known(path))
    }

    #[test]
    fn an_object_that_no_kustomization_reaches_is_as_written() {
        assert_eq!(applications(&repo(&[("a.yaml", &application("shop", "x"))])), [is("", "shop", "x")]);
    }

    #[test]
    fn an_object_exists_once_for_each_overlay_that_builds_it() {
        let repo = repo(&[
            ("base/a.yaml", &application("shop", "x")),
            ("base/kustomization.yaml", "resources: [a.yaml]"),
            ("dev/kustomization.yaml", "resources: [../base]\nnameSuffix: -dev"),
            (
                "production/kustomization.yaml",
                "resources: [../base]\npatches:\n- target: {kind: Application}\n  patch: |-\n    - op: replace\n      \
                 path: /spec/source/path\n      value: z\n",
            ),
        ]);
        assert_eq!(applications(&repo), [is("dev", "shop-dev", "x"), is("production", "shop", "z")]);
    }

    #[test]
    fn a_patched_value_stands_where_the_patch_writes_it() {
        let patch = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec: {source: {path: patched}}\n";
        let repo = repo(&[
            ("a.yaml", &application("shop", "x")),
            ("kustomization.yaml", "resources: [a.yaml]\npatches: [{path: patch.yaml}]"),
            ("patch.yaml", patch),
        ]);
        let built = Built::new(&repo, &mut Partial::new(&repo, &InOrder));
        let object = built.objects(Kind::Application).next().unwrap();
        let value = object.value(&repo);
        let source = value.get("spec").and_then(|spec| spec.get("source")).unwrap();
        let text_at = |span: Span| &repo.file(span.file).unwrap().source.text[span.range()];
        assert_eq!(text_at(source.get("path").unwrap().span()), "patched");
        assert_eq!(text_at(source.get("repoURL").unwrap().span()), "https://git.example.com/acme/fleet");
        assert_eq!(built.objects(Kind::Application).count(), 1, "the patch itself is no Application");
    }

    #[test]
    fn a_deleted_object_is_gone() {
        let delete = "resources: [a.yaml]\npatches:\n- patch: |-\n    $patch: delete\n    apiVersion: argoproj.io/v1alpha1\n    \
                      kind: Application\n    metadata: {name: shop}\n";
        let repo = repo(&[("a.yaml", &application("shop", "x")), ("kustomization.yaml", delete)]);
        assert_eq!(applications(&repo), []);
    }

    #[test]
    fn an_object_that_kustomize_keeps_to_itself_is_gone() {
        let local = application("shop", "x")
            .replace("{name: shop}", "{name: shop, annotations: {config.kubernetes.io/local-config: 'true'}}");
        assert_eq!(applications(&repo(&[("a.yaml", &local), ("kustomization.yaml", "resources: [a.yaml]")])), []);
    }

    #[test]
    fn a_component_changes_what_its_user_has() {
        let repo = repo(&[
            ("app/a.yaml", &application("shop", "x")),
            ("app/kustomization.yaml", "resources: [a.yaml]\ncomponents: [../extra]\nnamePrefix: my-"),
            ("extra/b.yaml", &application("cart", "z")),
            ("extra/kustomization.yaml", "kind: Component\nresources: [b.yaml]\nnameSuffix: -one"),
        ]);
        assert_eq!(applications(&repo), [is("app", "my-cart-one", "z"), is("app", "my-shop-one", "x")]);
    }

    #[test]
    fn a_base_that_an_application_delivers_is_built_for_it_too() {
        let repo = repo(&[
            ("base/a.yaml", &application("shop", "x")),
            ("base/kustomization.yaml", "resources: [a.yaml]"),
            ("dev/kustomization.yaml", "resources: [../base]\nnameSuffix: -dev"),
            ("root.yaml", &application("root", "base")),
        ]);
        assert_eq!(applications(&repo), [is("", "root", "base"), is("base", "shop", "x"), is("dev", "shop-dev", "x")]);
    }

    #[test]
    fn a_folder_delivered_as_a_plain_directory_is_as_written() {
        let root = application("root", "apps") + "    directory: {recurse: true}\n";
        let repo = repo(&[
            ("apps/a.yaml", &application("shop", "x")),
            ("apps/kustomization.yaml", "resources: [a.yaml]\nnameSuffix: -dev"),
            ("root.yaml", &root),
        ]);
        assert_eq!(applications(&repo), [is("", "root", "apps"), is("", "shop", "x")]);
    }

    #[test]
    fn a_replacement_is_followed_where_its_source_is_known() {
        let kustomization = "resources: [a.yaml]\nconfigMapGenerator: [{name: env, literals: [path=y]}]\nreplacements:\n- \
                             source: {kind: ConfigMap, name: env, fieldPath: data.path}\n  targets: [{select: {kind: \
                             Application}, fieldPaths: [spec.source.path]}]\n";
        let known = repo(&[("a.yaml", &application("shop", "x")), ("kustomization.yaml", kustomization)]);
        assert_eq!(applications(&known)[0].2.as_deref(), Some("y"));
        let from_file = kustomization.replace("literals: [path=y]", "envs: [env.properties]");
        let unknown = repo(&[("a.yaml", &application("shop", "x")), ("kustomization.yaml", &from_file)]);
        assert_eq!(applications(&unknown)[0].2, None);
    }

    #[test]
    fn what_is_not_simulated_is_unknown_and_nothing_else() {
        for (change, name, path) in [
            ("transformers: [plugin.yaml]", "shop", "?"),
            ("transformers: [labels.yaml]", "shop", "x"),
            ("transformers: [renamer.yaml]", "?", "x"),
            ("configurations: [config.yaml]", "shop", "?"),
            ("patches: [{path: fetched.txt, target: {kind: Application}}]", "shop", "?"),
            ("patches: [{path: fetched.txt, target: {kind: AppProject}}]", "shop", "x"),
            ("helmCharts: [{name: chart}]", "shop", "x"),
        ] {
            let repo = repo(&[
                ("a.yaml", &application("shop", "x")),
                (
                    "config.yaml",
                    "nameReference: [{kind: A, fieldSpecs: [{kind: Application, path: spec/source/path}]}]",
                ),
                ("fetched.txt", ""),
                ("kustomization.yaml", &format!("resources: [a.yaml]\n{change}")),
                ("labels.yaml", "apiVersion: builtin\nkind: LabelTransformer\nfieldSpecs: [{path: metadata/labels}]"),
                ("plugin.yaml", "apiVersion: example.com/v1\nkind: Plugin"),
                ("renamer.yaml", "apiVersion: builtin\nkind: PrefixTransformer\nfieldSpecs: [{path: metadata/name}]"),
            ]);
            let found = applications(&repo);
            assert_eq!(
                found,
                [(Some("kustomization.yaml".into()), is("", name, path).1, is("", name, path).2)],
                "{change}"
            );
        }
    }

    #[test]
    fn folders_that_use_each_other_are_as_written() {
        let repo = repo(&[
            ("a/a.yaml", &application("shop", "x")),
            ("a/kustomization.yaml", "resources: [a.yaml, ../b]"),
            ("b/kustomization.yaml", "resources: [../a, ..]"),
        ]);
        assert_eq!(applications(&repo), [is("", "shop", "x")]);
    }

    #[test]
    fn work_on_a_hostile_tree_is_bounded() {
        // Each layer takes the one below twice, under two prefixes: 2^24 objects.
        let mut files = vec![
            ("0/a.yaml".to_owned(), application("shop", "x")),
            ("0/kustomization.yaml".to_owned(), "resources: [a.yaml]".to_owned()),
        ];
        for layer in 1..=24 {
            let below = layer - 1;
            files.push((format!("{layer}/kustomization.yaml"), "resources: [l, r]".to_owned()));
            files
                .push((format!("{layer}/l/kustomization.yaml"), format!("resources: [../../{below}]\nnamePrefix: l-")));
            files
                .push((format!("{layer}/r/kustomization.yaml"), format!("resources: [../../{below}]\nnamePrefix: r-")));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let built = Built::within(100_000, &repo(&files), &mut Partial::default());
        assert!(!built.unfinished.is_empty());
    }

    #[test]
    fn fragments_are_partial_and_whole_objects_are_not() {
        let repo = repo(&[
            ("a.yaml", &application("shop", "x")),
            ("b.yaml", &application("cart", "z")),
            ("empty.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: cart}"),
            ("kustomization.yaml", "resources: [a.yaml, b.yaml, patch-panel.yaml]\npatches: [{path: change.yaml}]"),
            ("change.yaml", &application("cart", "z")),
            ("operations.yaml", "[{op: remove, path: /spec}]"),
            ("patch-panel.yaml", &application("panel", "z")),
            ("patches/c.yaml", &application("cart", "z")),
            ("set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec: {template: {$patch: delete}}"),
        ]);
        let mut partial = Partial::new(&repo, &InOrder);
        Built::new(&repo, &mut partial);
        let partial: Vec<&str> = repo
            .files()
            .filter(|file| file.documents.iter().any(|document| partial.contains(document.id)))
            .map(|file| file.source.path.as_str())
            .collect();
        assert_eq!(partial, ["b.yaml", "change.yaml", "empty.yaml", "operations.yaml", "patches/c.yaml", "set.yaml"]);
    }
}
