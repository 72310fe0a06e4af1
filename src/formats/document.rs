//! From a document of a tree to its typed resource.

use super::argo::{self, AppProject, Application, ApplicationSet, ClusterSecret, RepositorySecret};
use super::helm::Chart;
use super::kustomize::Kustomization;
use super::manifest::Manifest;
use super::read;
use crate::text::{FileId, RepoPath, Span};
use crate::yaml::{self, Node, NodeId, Tree};

/// A document: the file, and its place among the file's documents (items of a `List` count one by one).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DocId {
    /// The file that holds it.
    pub file: FileId,
    /// Its index in the file's documents.
    pub index: u32,
}

/// One document and what it means.
#[derive(Debug)]
pub struct Document {
    /// Its id.
    pub id: DocId,
    /// All of it.
    pub span: Span,
    /// Its root node in the file's tree.
    pub root: NodeId,
    /// Its typed meaning.
    pub resource: Resource,
    /// What the decoders and the schema noticed, in order of the file.
    pub problems: Vec<Problem>,
}

/// The typed meaning of a document.
#[derive(Debug)]
pub enum Resource {
    /// An Argo CD Application.
    Application(Box<Application>),
    /// An Argo CD ApplicationSet.
    ApplicationSet(Box<ApplicationSet>),
    /// An Argo CD AppProject.
    AppProject(Box<AppProject>),
    /// A Secret that declares a cluster.
    ClusterSecret(Box<ClusterSecret>),
    /// A Secret that declares a repository or its credentials.
    RepositorySecret(Box<RepositorySecret>),
    /// A kustomization file.
    Kustomization(Box<Kustomization>),
    /// A `Chart.yaml`.
    Chart(Box<Chart>),
    /// Any other object with `apiVersion` and `kind`.
    Manifest(Manifest),
    /// Not an object: values, parameters, patches in JSON form, anything else.
    Opaque,
}

/// The kinds of resources, for asking which are wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each is the resource of that name")]
pub enum Kind {
    Application,
    ApplicationSet,
    AppProject,
    ClusterSecret,
    RepositorySecret,
    Kustomization,
    Chart,
    Manifest,
    Opaque,
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u16);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);
    /// What the fleet is built from, decoded in every run.
    pub const FLEET: Kinds = Kinds::NONE
        .with(Kind::Application)
        .with(Kind::ApplicationSet)
        .with(Kind::AppProject)
        .with(Kind::ClusterSecret)
        .with(Kind::RepositorySecret)
        .with(Kind::Kustomization)
        .with(Kind::Chart);

    /// This set and one more kind.
    pub const fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | 1 << kind as u16)
    }

    /// Both sets.
    pub const fn union(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Whether the set has this kind.
    pub const fn has(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }
}

/// Something a decoder or a schema noticed; it becomes a finding through the rule of its kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// What sort of thing it is.
    pub kind: ProblemKind,
    /// The place.
    pub span: Span,
    /// What is wrong there, in the style of finding messages.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// A replacement of the text at `span` that certainly is what was meant.
    pub replacement: Option<String>,
    /// Another place and what it is.
    pub label: Option<(Span, String)>,
}

/// Which rule a problem belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// A field its schema does not have.
    UnknownField,
    /// A value of another type, or none of the allowed values.
    WrongType,
    /// A field its schema demands; holds for whole objects only, not for patches and partial bases.
    MissingField,
}

impl Resource {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Resource::Application(_) => Kind::Application,
            Resource::ApplicationSet(_) => Kind::ApplicationSet,
            Resource::AppProject(_) => Kind::AppProject,
            Resource::ClusterSecret(_) => Kind::ClusterSecret,
            Resource::RepositorySecret(_) => Kind::RepositorySecret,
            Resource::Kustomization(_) => Kind::Kustomization,
            Resource::Chart(_) => Kind::Chart,
            Resource::Manifest(_) => Kind::Manifest,
            Resource::Opaque => Kind::Opaque,
        }
    }
}

impl Document {
    /// The kind of its resource.
    pub fn kind(&self) -> Kind {
        self.resource.kind()
    }

    /// Its root node, in the tree it came from.
    pub fn node<'t>(&self, tree: &'t Tree) -> Node<'t> {
        tree.node(self.root)
    }
}

/// Decodes every readable document of a file, in order. A `List` stands for its items.
pub fn decode(path: &RepoPath, tree: &Tree) -> Vec<Document> {
    let mut documents = Vec::with_capacity(tree.documents().len());
    for document in tree.documents() {
        let Some(root) = tree.root(document) else { continue };
        if is_list(root) {
            if let Some(items) = root.get("items") {
                items.items().for_each(|item| push(path, item, &mut documents));
            }
        } else {
            push(path, root, &mut documents);
        }
    }
    documents
}

fn push(path: &RepoPath, root: Node<'_>, documents: &mut Vec<Document>) {
    let tree = root.tree();
    let id = DocId { file: tree.file(), index: documents.len() as u32 };
    let resource = resource(path, root, documents.is_empty());
    let problems = problems(root, &resource);
    documents.push(Document { id, span: root.span(), root: root.id(), resource, problems });
}

#[cfg(feature = "schema")]
fn problems(root: Node<'_>, resource: &Resource) -> Vec<Problem> {
    super::schema::check(root, resource)
}

#[cfg(not(feature = "schema"))]
fn problems(_: Node<'_>, _: &Resource) -> Vec<Problem> {
    Vec::new()
}

/// `v1` `List`: what `kubectl get -o yaml` prints, and Argo CD and Kustomize unfold.
fn is_list(root: Node<'_>) -> bool {
    let kind = root.get("kind").and_then(Node::as_str);
    let api_version = root.get("apiVersion").and_then(Node::as_str);
    kind == Some("List")
        && api_version == Some("v1")
        && root.get("items").is_some_and(|items| items.kind() == yaml::Kind::Sequence)
}

fn resource(path: &RepoPath, root: Node<'_>, is_first: bool) -> Resource {
    if root.kind() != yaml::Kind::Mapping {
        return Resource::Opaque;
    }
    if is_first && path.name() == "Chart.yaml" {
        return Resource::Chart(Box::new(Chart::read(&read::value(root))));
    }
    let api_version = root.get("apiVersion").and_then(Node::as_str);
    let kind = root.get("kind").and_then(Node::as_str);
    if is_first && Kustomization::is_file_name(path.name()) && Kustomization::accepts(api_version, kind) {
        return Resource::Kustomization(Box::new(Kustomization::read(root)));
    }
    let (Some(api_version), Some(kind)) = (api_version, kind) else { return Resource::Opaque };
    let group = api_version.rsplit_once('/').map_or("", |(group, _)| group);
    match (group, kind) {
        (argo::GROUP, "Application") => Resource::Application(Box::new(Application::read(&read::value(root)))),
        (argo::GROUP, "ApplicationSet") => Resource::ApplicationSet(Box::new(ApplicationSet::read(&read::value(root)))),
        (argo::GROUP, "AppProject") => Resource::AppProject(Box::new(AppProject::read(&read::value(root)))),
        ("", "Secret") => secret(root, api_version, kind),
        _ => Resource::Manifest(Manifest::read(root, api_version, kind)),
    }
}

fn secret(root: Node<'_>, api_version: &str, kind: &str) -> Resource {
    let role = root.at(&["metadata", "labels", argo::secret::TYPE_LABEL]).and_then(Node::as_str);
    match role {
        Some("cluster") => Resource::ClusterSecret(Box::new(ClusterSecret::read(&read::value(root)))),
        Some("repository" | "repo-creds") => {
            Resource::RepositorySecret(Box::new(RepositorySecret::read(&read::value(root))))
        }
        _ => Resource::Manifest(Manifest::read(root, api_version, kind)),
    }
}
