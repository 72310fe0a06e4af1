//! The clusters that are known: Secrets in the roots, and what the configuration names.

use super::built::{Built, Object};
use super::partial::Partial;
use crate::formats::argo::ClusterSecret;
use crate::formats::{DocId, Kind, Resource, read};
use crate::repo::Repo;
use crate::value::{Text, Why};
use std::collections::BTreeMap;

/// A cluster that Argo CD can deploy to.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Its name in Argo CD.
    pub name: Known,
    /// Its API server.
    pub server: Known,
    /// The project it belongs to; empty when to none.
    pub project: Known,
    /// The namespaces that Argo CD may use there; empty when all.
    pub namespaces: Vec<String>,
    /// Labels of its Secret.
    pub labels: BTreeMap<String, Known>,
    /// Annotations of its Secret.
    pub annotations: BTreeMap<String, Known>,
    /// The Secret that declares it; `None` when the configuration does.
    pub document: Option<DocId>,
}

/// A text that is known, or the reason why not.
pub type Known = Result<String, Why>;

/// The cluster inventory.
#[derive(Debug, Default)]
pub struct Clusters {
    /// In order of declaration.
    pub known: Vec<Cluster>,
    /// Whether there are no others: the configuration lists them.
    pub is_complete: bool,
}

impl Clusters {
    /// The clusters of a snapshot, as their Secrets reach Argo CD, and those that the configuration lists.
    pub fn new(repo: &Repo, built: &Built, partial: &Partial, configured: &[Cluster]) -> Clusters {
        let objects: Vec<&Object> = built.objects(Kind::ClusterSecret).collect();
        // Of one that several kustomizations build it is not known which of them counts where.
        let alone = objects.chunk_by(|one, other| one.document == other.document).filter(|same| {
            let first = same[0].value(repo);
            same.iter().all(|object| object.value(repo) == first)
        });
        let declared = alone.filter_map(|same| {
            let Resource::ClusterSecret(secret) = same[0].resource(repo) else { return None };
            Some(Cluster::of(secret, same[0].document))
        });
        let templated = repo.documents(Kind::Manifest).filter_map(|(file, document)| {
            let Resource::Manifest(manifest) = &document.resource else { return None };
            let is_template = matches!(&*manifest.kind.value, "ExternalSecret" | "SealedSecret");
            if !is_template || partial.contains(document.id) {
                return None;
            }
            let secret = ClusterSecret::of_template(&read::value(document.node(&file.tree)))?;
            Some(Cluster::of(&secret, document.id))
        });
        let known = declared.chain(templated).chain(configured.iter().cloned());
        Clusters { known: known.collect(), is_complete: !configured.is_empty() }
    }
}

impl Cluster {
    fn of(secret: &ClusterSecret, document: DocId) -> Cluster {
        Cluster {
            name: known(secret.name.as_ref()),
            server: known(secret.server.as_ref()),
            project: secret.project.as_ref().map_or(Ok(String::new()), |text| known(Some(text))),
            namespaces: secret.namespaces(),
            labels: texts(&secret.metadata.labels),
            annotations: texts(&secret.metadata.annotations),
            document: Some(document),
        }
    }
}

fn texts(entries: &[(crate::text::Spanned<String>, Text)]) -> BTreeMap<String, Known> {
    entries.iter().map(|(key, text)| (key.value.clone(), known(Some(text)))).collect()
}

fn known(text: Option<&Text>) -> Known {
    match text {
        None => Err(Why::Cluster),
        Some(text) => match text.as_str() {
            Some(known) => Ok(known.to_owned()),
            None => Err(text.unknowns().next().map_or(Why::Cluster, |unknown| unknown.why.clone())),
        },
    }
}
