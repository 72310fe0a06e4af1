//! An object on its way through a build: who it is, who it was, and what it holds.

use super::merge::unknown;
use super::operations::text;
use crate::formats::kustomize::{Generator, Matched, Target};
use crate::formats::{DocId, Document, Kind, Resource, argo, read};
use crate::repo::{File, Repo};
use crate::text::{Span, Spanned};
use crate::value::{Map, Text, Value};
use std::sync::Arc;

/// A name or namespace; `None` is one that is not known.
pub type Word = Option<Arc<str>>;

/// Group, version and kind.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type {
    /// The API group; empty for the core group.
    pub group: Box<str>,
    /// The version without the group.
    pub version: Box<str>,
    /// The kind.
    pub kind: Box<str>,
}

/// What an object is called; its namespace is empty when it names none.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id {
    /// Its type.
    pub of: Arc<Type>,
    /// `metadata.name`.
    pub name: Word,
    /// `metadata.namespace`.
    pub namespace: Word,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A document of a resource file.
    Document(DocId),
    /// An entry of a generator.
    Generated(Span),
}

/// An object on its way through a build.
#[derive(Clone, Debug)]
pub struct Item {
    /// Where it comes from.
    pub source: Source,
    /// The entry of the present kustomization that brought it.
    pub entry: Span,
    /// Who it is now.
    pub id: Id,
    /// Who it was before, the first first. Kustomize finds an object by any of them.
    pub former: Vec<Id>,
    /// What it holds, once something changed it or when it is generated; else it is as written.
    pub value: Option<Arc<Value>>,
    /// Whether Argo CD may read it as one of its own; of all others only the identity is followed.
    pub is_read: bool,
    /// Whether a patch, a replacement or something that is not simulated changed it.
    pub is_changed: bool,
}

impl Type {
    /// The type that `apiVersion` and `kind` name.
    pub fn new(api_version: &str, kind: &str) -> Type {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Type { group: group.into(), version: version.into(), kind: kind.into() }
    }

    /// Whether kustomize knows the type as one without namespace. Mirrors kustomize 5.8, `kyaml/openapi`: the kinds of
    /// Kubernetes 1.21; any other is taken for one with namespace.
    pub fn is_cluster_scoped(&self) -> bool {
        let kinds: &[&str] = match (&*self.group, &*self.version) {
            ("", "v1") => &["ComponentStatus", "Namespace", "Node", "NodeProxyOptions", "PersistentVolume"],
            ("admissionregistration.k8s.io", "v1" | "v1beta1") => {
                &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]
            }
            ("apiextensions.k8s.io", "v1" | "v1beta1") => &["CustomResourceDefinition"],
            ("apiregistration.k8s.io", "v1" | "v1beta1") => &["APIService"],
            ("certificates.k8s.io", "v1" | "v1beta1") => &["CertificateSigningRequest"],
            ("flowcontrol.apiserver.k8s.io", "v1beta1") => &["FlowSchema", "PriorityLevelConfiguration"],
            ("networking.k8s.io", "v1" | "v1beta1") => &["IngressClass"],
            ("node.k8s.io", "v1" | "v1beta1") => &["RuntimeClass"],
            ("policy", "v1beta1") => &["PodSecurityPolicy"],
            ("rbac.authorization.k8s.io", "v1" | "v1beta1") => &["ClusterRole", "ClusterRoleBinding"],
            ("scheduling.k8s.io", "v1" | "v1beta1") => &["PriorityClass"],
            ("storage.k8s.io", "v1") => &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"],
            ("storage.k8s.io", "v1beta1") => &["CSIDriver", "StorageClass", "VolumeAttachment"],
            _ => &[],
        };
        kinds.contains(&&*self.kind)
    }

    /// Whether the kind may be one of Kubernetes itself.
    pub fn is_builtin(&self) -> bool {
        !self.group.contains('.') || self.group.ends_with(".k8s.io")
    }

    /// Whether `namePrefix` and `nameSuffix` leave its names alone.
    pub fn keeps_name(&self) -> bool {
        matches!(&*self.kind, "CustomResourceDefinition" | "Namespace")
            || &*self.group == "apiregistration.k8s.io" && &*self.kind == "APIService"
    }
}

impl Id {
    /// The id that a patch or another object states.
    pub fn of_value(value: &Value) -> Option<Id> {
        let of = Type::new(value.get("apiVersion")?.as_str()?, value.get("kind")?.as_str()?);
        Some(Id { of: Arc::new(of), name: word(value, "name"), namespace: word(value, "namespace") })
    }

    /// The namespace that counts for comparing: none is `default`, and without namespaces there is only one.
    pub fn effective_namespace(&self) -> Option<&str> {
        if self.of.is_cluster_scoped() {
            return Some("");
        }
        self.namespace.as_deref().map(|namespace| if namespace.is_empty() { "default" } else { namespace })
    }

    /// Whether both mean one object.
    pub fn equals(&self, other: &Id) -> Matched {
        let word = |a: Option<&str>, b: Option<&str>| match (a, b) {
            (Some(a), Some(b)) => (a == b).into(),
            _ => Matched::Maybe,
        };
        Matched::from(self.of == other.of)
            .and(word(self.name.as_deref(), other.name.as_deref()))
            .and(word(self.effective_namespace(), other.effective_namespace()))
    }
}

/// A text of `metadata`; the empty text when it is absent.
fn word(value: &Value, key: &str) -> Word {
    match value.get("metadata").map(|metadata| (metadata, metadata.get(key))) {
        Some((Value::Unknown(_), _)) => None,
        None | Some((_, None | Some(Value::Null(_)))) => Some("".into()),
        Some((_, Some(found))) => found.as_str().map(Arc::from),
    }
}

impl Item {
    /// The object that a document of a resource file declares; `None` when it declares none, or one without a name.
    pub fn of_document(file: &File, document: &Document, entry: Span) -> Option<Item> {
        let node = document.node(&file.tree);
        let text = |keys: &[&str]| node.at(keys).and_then(|node| node.as_str()).filter(|text| !text.is_empty());
        let is_object =
            !matches!(document.resource, Resource::Opaque | Resource::Kustomization(_) | Resource::Chart(_));
        let name = text(&["metadata", "name"]).filter(|_| is_object)?;
        let of = Type::new(text(&["apiVersion"])?, text(&["kind"])?);
        let namespace = text(&["metadata", "namespace"]).unwrap_or_default();
        // A label that the build adds may make any Secret one of Argo CD's.
        let is_read = is_argo(document.kind()) || (of.group.is_empty() && &*of.kind == "Secret");
        Some(Item {
            source: Source::Document(document.id),
            entry,
            id: Id { of: Arc::new(of), name: Some(name.into()), namespace: Some(namespace.into()) },
            former: Vec::new(),
            value: None,
            is_read,
            is_changed: false,
        })
    }

    /// The object that a generator makes, with what its literals say of its data; `None` without a name.
    pub fn of_generator(generator: &Generator) -> Option<Item> {
        let of = Arc::new(Type::new("v1", if generator.is_secret { "Secret" } else { "ConfigMap" }));
        let namespace = generator.namespace.as_ref().map_or_else(|| Some("".into()), known);
        let literals = generator.literals.iter().filter(|_| !generator.is_secret).filter_map(|literal| {
            let (key, value) = literal.as_str()?.split_once('=')?;
            let span = literal.span();
            Some((Spanned::new(key.to_owned(), span), text(value.trim_matches(['"', '\'']), span)))
        });
        let data = Value::Map(Map { entries: literals.collect(), span: generator.span });
        let entries = vec![(Spanned::new("data".to_owned(), generator.span), data)];
        Some(Item {
            source: Source::Generated(generator.span),
            entry: generator.span,
            id: Id { of, name: known(generator.name.as_ref()?), namespace },
            former: Vec::new(),
            value: Some(Arc::new(Value::Map(Map { entries, span: generator.span }))),
            is_read: false,
            is_changed: false,
        })
    }

    /// The id by which it first came into the build.
    pub fn original(&self) -> &Id {
        self.former.first().unwrap_or(&self.id)
    }

    /// Keeps the present id as a former one.
    pub fn remember(&mut self) {
        if self.former.last() != Some(&self.id) {
            self.former.push(self.id.clone());
        }
    }

    /// Whether an id means this object: the present one or any former one.
    pub fn is_called(&self, id: &Id) -> Matched {
        self.former.iter().chain([&self.id]).map(|own| own.equals(id)).fold(Matched::No, Matched::or)
    }

    /// Whether a selector selects this object.
    pub fn is_selected(&self, target: &Target, repo: &Repo) -> Matched {
        let of = &self.id.of;
        let by_type = target.matches_type(&of.group, &of.version, &of.kind);
        if by_type == Matched::No {
            return Matched::No;
        }
        let names = [&self.original().name, &self.id.name];
        let namespaces = [self.original().effective_namespace(), self.id.effective_namespace()];
        // Kustomize compares with this word where there are no namespaces.
        let scoped = |namespace| if of.is_cluster_scoped() { "_non_namespaceable_" } else { namespace };
        let or_maybe = |is_known: bool, absent: bool, matched: Matched| match matched {
            Matched::No if !is_known && !absent => Matched::Maybe,
            matched => matched,
        };
        let by_name = or_maybe(
            names.iter().all(|name| name.is_some()),
            target.name.is_none(),
            target.matches_name(names.iter().filter_map(|name| name.as_deref())),
        );
        let by_namespace = or_maybe(
            namespaces.iter().all(Option::is_some),
            target.namespace.is_none(),
            target.matches_namespace(namespaces.into_iter().flatten().map(scoped)),
        );
        let matched = by_type.and(by_name).and(by_namespace);
        if matched == Matched::No || (target.labels.is_none() && target.annotations.is_none()) {
            return matched;
        }
        if !self.is_read {
            return Matched::Maybe;
        }
        let value = self.value(repo);
        if matches!(value.get("metadata"), Some(Value::Unknown(_))) {
            return Matched::Maybe;
        }
        let metadata = |key| value.get("metadata").and_then(|metadata| metadata.get(key));
        matched.and(target.matches_metadata(metadata("labels"), metadata("annotations")))
    }

    /// Whether an entry of `replicas` with this name scales it: a workload that had the name at any time.
    pub fn scales_as(&self, name: &str) -> Matched {
        let kinds = ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];
        let names = self.former.iter().chain([&self.id]).map(|id| &id.name);
        let matched = names.map(|own| own.as_deref().map_or(Matched::Maybe, |own| (own == name).into()));
        Matched::from(kinds.contains(&&*self.id.of.kind)).and(matched.fold(Matched::No, Matched::or))
    }

    /// Whether the source of a replacement means this object: its parts are compared, not matched.
    pub fn is_meant(&self, source: &Target) -> Matched {
        let part = |wanted: &Option<Text>, have: Option<&str>| match (wanted, have) {
            (None, _) => Matched::Yes,
            (Some(wanted), Some(have)) => wanted.as_str().map_or(Matched::Maybe, |wanted| (wanted == have).into()),
            (Some(_), None) => Matched::Maybe,
        };
        let ids = self.former.iter().chain([&self.id]).map(|id| {
            part(&source.group, Some(&id.of.group))
                .and(part(&source.version, Some(&id.of.version)))
                .and(part(&source.kind, Some(&id.of.kind)))
                .and(part(&source.name, id.name.as_deref()))
                .and(part(&source.namespace, id.effective_namespace()))
        });
        ids.fold(Matched::No, Matched::or)
    }

    /// What it holds now.
    pub fn value(&self, repo: &Repo) -> Arc<Value> {
        match (&self.value, self.source) {
            (Some(value), _) => value.clone(),
            (None, Source::Document(id)) => {
                let (file, document) = repo.document(id);
                Arc::new(read::value(document.node(&file.tree)))
            }
            (None, Source::Generated(span)) => Arc::new(unknown(span)),
        }
    }

    /// Reads the id from the value again, after something changed it.
    pub fn reread_id(&mut self) {
        let Some(value) = &self.value else { return };
        match Id::of_value(value) {
            Some(id) => self.id = id,
            None => (self.id.name, self.id.namespace) = (None, None),
        }
    }

    /// Forgets who it is: something not simulated may have renamed it.
    pub fn forget_id(&mut self) {
        self.remember();
        (self.id.name, self.id.namespace) = (None, None);
    }
}

/// Whether Argo CD reads resources of this kind.
pub fn is_argo(kind: Kind) -> bool {
    use Kind::{AppProject, Application, ApplicationSet, ClusterSecret, RepositorySecret};
    matches!(kind, Application | ApplicationSet | AppProject | ClusterSecret | RepositorySecret)
}

/// The map behind a path of keys; missing ones are created. `None` when something else is in the way.
pub fn map_at<'v>(value: &'v mut Value, keys: &[&str], span: Span) -> Option<&'v mut Map> {
    let Value::Map(map) = value else { return None };
    let Some((key, rest)) = keys.split_first() else { return Some(map) };
    let at = map.entries.iter().position(|(name, _)| name.value == *key).unwrap_or(map.entries.len());
    if at == map.entries.len() {
        map.entries.push((Spanned::new((*key).to_owned(), span), Value::Null(span)));
    }
    let child = &mut map.entries[at].1;
    if matches!(child, Value::Null(_)) {
        *child = Value::Map(Map { entries: Vec::new(), span });
    }
    map_at(child, rest, span)
}

/// Sets the value of a key.
pub fn set(map: &mut Map, key: &str, value: Value, span: Span) {
    match map.entries.iter_mut().find(|(name, _)| name.value == key) {
        Some((_, old)) => *old = value,
        None => map.entries.push((Spanned::new(key.to_owned(), span), value)),
    }
}

/// Decodes an object of Argo CD again after its build changed it.
pub fn resource(value: &Value) -> Option<Resource> {
    let kind = value.get("kind")?.as_str()?;
    let group = value.get("apiVersion")?.as_str()?.split_once('/').map_or("", |(group, _)| group);
    let label = |value: &Value| {
        let role = value.get("metadata")?.get("labels")?.get(argo::secret::TYPE_LABEL)?.as_str()?;
        Some(role.to_owned())
    };
    Some(match (group, kind) {
        (argo::GROUP, "Application") => Resource::Application(Box::new(argo::Application::read(value))),
        (argo::GROUP, "ApplicationSet") => Resource::ApplicationSet(Box::new(argo::ApplicationSet::read(value))),
        (argo::GROUP, "AppProject") => Resource::AppProject(Box::new(argo::AppProject::read(value))),
        ("", "Secret") => match label(value).as_deref() {
            Some("cluster") => Resource::ClusterSecret(Box::new(argo::ClusterSecret::read(value))),
            Some("repository" | "repo-creds") => {
                Resource::RepositorySecret(Box::new(argo::RepositorySecret::read(value)))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// Joins a prefix or suffix and a name; unknown when either is.
pub fn joined(before: Option<&str>, after: Option<&str>) -> Word {
    Some(Arc::from(format!("{}{}", before?, after?)))
}

/// The word of a text; `None` when it is not known.
pub fn known(text: &Text) -> Word {
    text.as_str().map(Arc::from)
}
