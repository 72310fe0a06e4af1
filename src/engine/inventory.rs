//! A list of clusters as `kubectl get secret -l argocd.argoproj.io/secret-type=cluster -o yaml` prints it.
//!
//! Of each Secret the name, the server, labels and annotations are taken; credentials are left out.

use super::config::Cluster;
use crate::formats::Resource;
use crate::formats::argo::ClusterSecret;
use crate::formats::document;
use crate::text::{FileId, RepoPath, Spanned};
use crate::value::Text;
use crate::yaml;

/// The clusters of a text that holds Secrets, alone or as a `List`, as YAML or JSON; nothing when it holds none.
pub fn read(text: &str) -> Option<Vec<Cluster>> {
    let tree = yaml::parse(FileId::default(), text.into());
    if !tree.errors().is_empty() {
        return None;
    }
    let documents = document::decode(&RepoPath::root(), &tree);
    let secrets = documents.iter().filter_map(|document| match &document.resource {
        Resource::ClusterSecret(secret) => Some(cluster(secret)),
        _ => None,
    });
    let clusters: Vec<Cluster> = secrets.collect();
    (!clusters.is_empty()).then_some(clusters)
}

fn cluster(secret: &ClusterSecret) -> Cluster {
    let known = |text: &Text| text.known().map(|text| Spanned::new(text.value.to_owned(), text.span));
    let texts = |entries: &[(Spanned<String>, Text)]| {
        entries.iter().filter_map(|(key, text)| Some((key.clone(), known(text)?))).collect()
    };
    Cluster {
        name: secret.name.as_ref().and_then(known),
        server: secret.server.as_ref().and_then(known),
        labels: texts(&secret.metadata.labels),
        annotations: texts(&secret.metadata.annotations),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  labels: {argocd.argoproj.io/secret-type: \
                          cluster, env: dev}\ndata: {name: ZGV2, server: aHR0cHM6Ly9k, config: e30=}\n";

    fn names(text: &str) -> Option<Vec<(String, String)>> {
        let name = |text: Option<Spanned<String>>| text.map(|text| text.value).unwrap_or_default();
        Some(read(text)?.into_iter().map(|cluster| (name(cluster.name), name(cluster.server))).collect())
    }

    #[test]
    fn secrets_are_clusters_alone_in_a_list_and_in_several_documents() {
        let dev = ("dev".to_owned(), "https://d".to_owned());
        assert_eq!(names(SECRET), Some(vec![dev.clone()]));
        assert_eq!(names(&format!("{SECRET}---\n{SECRET}")), Some(vec![dev.clone(), dev.clone()]));
        let list = format!("apiVersion: v1\nkind: List\nitems:\n- {}", SECRET.trim_end().replace('\n', "\n  "));
        assert_eq!(names(&list), Some(vec![dev]));
    }

    #[test]
    fn other_texts_hold_no_secrets() {
        for text in ["", "[{name: dev, server: https://d}]", "a: [", "apiVersion: v1\nkind: Secret\n"] {
            assert_eq!(names(text), None, "{text}");
        }
    }
}
