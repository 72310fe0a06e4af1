//! Which words Argo CD knows only since some version.
//!
//! The list has what a version of 2023 or later brought. Where two versions may be the first one, the earlier is given.

use super::annotation::{self, COMPARE_OPTIONS, HOOK, Place, SYNC_OPTIONS};
use crate::text::Span;
use crate::yaml::Node;
use std::fmt;

/// A minor version of Argo CD.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version(pub u16, pub u16);

impl Version {
    /// Reads `3.1`, `v3.1` or `v3.1.4-rc1`.
    pub fn parse(text: &str) -> Option<Version> {
        let mut parts = text.trim().trim_start_matches('v').split('.');
        let (major, minor) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Version(major, minor))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// A word, and the version that knows it first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The word as it is written.
    pub word: String,
    /// Where.
    pub span: Span,
    /// The first version.
    pub since: Version,
}

/// Fields of `spec` of an Application, `*` for each item.
const APPLICATION: &[(&str, Version)] = &[
    ("sources", Version(2, 6)),
    ("sourceHydrator", Version(2, 14)),
    ("sourceHydrator.syncSource.repoURL", Version(3, 5)),
    ("syncPolicy.automated.enabled", Version(3, 1)),
    ("syncPolicy.managedNamespaceMetadata", Version(2, 6)),
];

/// Fields of a source.
const SOURCE: &[(&str, Version)] = &[
    ("directory.disableExtensionFilter", Version(3, 6)),
    ("helm.ignoreMissingValueFiles", Version(2, 3)),
    ("helm.valuesObject", Version(2, 8)),
    ("kustomize.components", Version(2, 10)),
    ("kustomize.patches", Version(2, 9)),
    ("tagPrefix", Version(3, 5)),
];

/// Fields of `spec` of an ApplicationSet.
const SET: &[(&str, Version)] = &[
    ("goTemplate", Version(2, 5)),
    ("goTemplateOptions", Version(2, 6)),
    ("ignoreApplicationDifferences", Version(2, 9)),
    ("strategy", Version(2, 6)),
    ("syncPolicy.applicationsSync", Version(2, 8)),
    ("templatePatch", Version(2, 10)),
];

/// Fields of a generator.
const GENERATOR: &[(&str, Version)] = &[("clusters.flatList", Version(2, 14)), ("git.files.*.exclude", Version(3, 1))];

/// Fields of `spec` of an AppProject.
const PROJECT: &[(&str, Version)] = &[
    ("clusterResourceBlacklist.*.name", Version(3, 3)),
    ("clusterResourceWhitelist.*.name", Version(3, 3)),
    ("destinationServiceAccounts", Version(2, 13)),
    ("sourceIntegrity", Version(3, 5)),
    ("sourceNamespaces", Version(2, 5)),
];

/// Options of a place, each with its value where only that one is new.
const OPTIONS: &[(Place, &str, Version)] = &[
    (Place::Application, "ClientSideApplyMigration", Version(3, 0)),
    (Place::Application, "Delete", Version(3, 4)),
    (Place::Application, "Prune", Version(3, 4)),
    (Place::Application, "RespectIgnoreDifferences", Version(2, 3)),
    (Place::Application, "ServerSideApply", Version(2, 5)),
    (Place::Object, "ClientSideApplyMigration", Version(3, 0)),
    (Place::Object, "Delete=confirm", Version(2, 14)),
    (Place::Object, "Prune=confirm", Version(2, 14)),
    (Place::Object, "ServerSideApply", Version(2, 5)),
    (Place::Compare, "IncludeMutationWebhook", Version(2, 10)),
    (Place::Compare, "ServerSideDiff", Version(2, 10)),
];

/// Phases of hooks.
const HOOKS: &[(&str, Version)] = &[("PostDelete", Version(2, 10)), ("PreDelete", Version(3, 3))];

/// The words of an object that are known since some version, in no order.
pub fn of(root: Node<'_>) -> Vec<Known> {
    let mut known = Vec::new();
    let group = root.get("apiVersion").and_then(Node::as_str).and_then(|version| version.split('/').next());
    if group == Some(super::GROUP) {
        match (root.get("kind").and_then(Node::as_str), root.get("spec")) {
            (Some("Application"), Some(spec)) => application(spec, &mut known),
            (Some("ApplicationSet"), Some(spec)) => {
                fields(spec, SET, &mut known);
                generators(spec, &mut known);
                for template in annotation::templates(root) {
                    template.get("spec").into_iter().for_each(|spec| application(spec, &mut known));
                }
            }
            (Some("AppProject"), Some(spec)) => fields(spec, PROJECT, &mut known),
            _ => {}
        }
    }
    for entry in annotation::of(root) {
        match &*entry.key.key_text() {
            HOOK => {
                for word in annotation::words(entry.value) {
                    let found = HOOKS.iter().find(|(hook, _)| *hook == word.value);
                    known.extend(found.map(|(hook, since)| known_at(hook, word.span, *since)));
                }
            }
            SYNC_OPTIONS => {
                annotation::words(entry.value).iter().for_each(|w| option(w.value, w.span, Place::Object, &mut known));
            }
            COMPARE_OPTIONS => {
                annotation::words(entry.value).iter().for_each(|w| option(w.value, w.span, Place::Compare, &mut known));
            }
            _ => {}
        }
    }
    known
}

fn known_at(word: &str, span: Span, since: Version) -> Known {
    Known { word: word.to_owned(), span, since }
}

fn application(spec: Node<'_>, known: &mut Vec<Known>) {
    fields(spec, APPLICATION, known);
    let sources = spec.get("sources").into_iter().flat_map(Node::items);
    let dry = spec.at(&["sourceHydrator", "drySource"]);
    spec.get("source").into_iter().chain(sources).chain(dry).for_each(|source| fields(source, SOURCE, known));
    for node in spec.at(&["syncPolicy", "syncOptions"]).into_iter().flat_map(Node::items) {
        if let Some(text) = node.as_str() {
            option(text, node.span(), Place::Application, known);
        }
    }
}

/// Matrix and merge hold generators themselves, one level deep.
fn generators(spec: Node<'_>, known: &mut Vec<Known>) {
    for generator in spec.get("generators").into_iter().flat_map(Node::items) {
        fields(generator, GENERATOR, known);
        for inner in ["matrix", "merge"].into_iter().filter_map(|key| generator.get(key)) {
            generators(inner, known);
        }
    }
}

fn option(text: &str, span: Span, place: Place, known: &mut Vec<Known>) {
    let name = text.split('=').next().unwrap_or(text);
    let found = OPTIONS.iter().find(|(at, word, _)| *at == place && (*word == name || *word == text));
    known.extend(found.map(|(_, _, since)| known_at(text, span, *since)));
}

fn fields(root: Node<'_>, table: &[(&str, Version)], known: &mut Vec<Known>) {
    for (path, since) in table {
        let (parents, last) = path.rsplit_once('.').map_or((None, *path), |(parents, last)| (Some(parents), last));
        let mut nodes = vec![root];
        for step in parents.into_iter().flat_map(|parents| parents.split('.')) {
            nodes = match step {
                "*" => nodes.into_iter().flat_map(Node::items).collect(),
                key => nodes.into_iter().filter_map(|node| node.get(key)).collect(),
            };
        }
        for entry in nodes.into_iter().flat_map(Node::entries).filter(|entry| entry.key.key_text() == last) {
            known.push(known_at(last, entry.key.span(), *since));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;
    use crate::yaml;

    #[test]
    fn a_version_is_read_in_every_form() {
        for (text, version) in [
            ("3.1", Some(Version(3, 1))),
            ("v2.14.9", Some(Version(2, 14))),
            ("2.10.0-rc1", Some(Version(2, 10))),
            ("3", None),
            ("latest", None),
        ] {
            assert_eq!(Version::parse(text), version, "{text}");
        }
        assert!(Version(2, 9) < Version(2, 10));
    }

    #[test]
    fn every_entry_is_found_where_it_is_known() {
        let tree = yaml::parse(
            FileId(0),
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec:\n  templatePatch: ''\n  generators:\n  - matrix:\n      \
             generators:\n      - git: {files: [{path: a, exclude: true}]}\n  template:\n    metadata: {annotations: \
             {argocd.argoproj.io/compare-options: ServerSideDiff=true}}\n    spec:\n      sources:\n      - helm: \
             {valuesObject: {}}\n      syncPolicy: {syncOptions: [Prune=false, CreateNamespace=true]}\n"
                .into(),
        );
        let mut words: Vec<String> =
            of(tree.root(&tree.documents()[0]).unwrap()).into_iter().map(|known| known.word).collect();
        words.sort();
        assert_eq!(
            words,
            ["Prune=false", "ServerSideDiff=true", "exclude", "sources", "templatePatch", "valuesObject"]
        );
    }

    #[test]
    fn options_and_hooks_are_ones_that_exist() {
        for (_, word, _) in OPTIONS {
            let name = word.split('=').next().unwrap();
            assert!(annotation::OPTIONS.iter().any(|option| option.name == name), "{word}");
        }
        assert!(HOOKS.iter().all(|(hook, _)| annotation::HOOKS.contains(hook)));
    }
}
