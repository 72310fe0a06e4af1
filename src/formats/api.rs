//! The kinds of the Kubernetes API and of the tools around it: their scope, and when a version ends.

use std::sync::LazyLock;

/// One kind in one version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Api {
    /// The group; empty for the core group.
    pub group: &'static str,
    /// The version, such as `v1beta1`.
    pub version: &'static str,
    /// The kind, such as `Ingress`.
    pub kind: &'static str,
    /// Where its objects live, when it is known.
    pub scope: Option<Scope>,
    /// The first release that serves it, such as `Flux 2.0`; empty when it is not known.
    pub since: &'static str,
    /// How the version ends, when it does.
    pub end: Option<End>,
}

/// Where objects live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// In a namespace.
    Namespace,
    /// In the cluster as a whole.
    Cluster,
}

/// How a version ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// Whether it is not served any more; else it is deprecated.
    pub is_removed: bool,
    /// The first release in which that is so, such as `Kubernetes 1.22`; empty when it is not known.
    pub since: &'static str,
    /// The `apiVersion` to use instead; empty when there is none.
    pub instead: &'static str,
    /// The kind to use instead, when it is another one.
    pub instead_kind: Option<&'static str>,
    /// Whether an object may be moved to `instead` by its `apiVersion` alone.
    pub step: Step,
}

/// How far it is to the next version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Fields must be rewritten, or nobody has looked.
    Rewrite,
    /// Only the `apiVersion` changes, unless the object has one of these fields.
    Rename(Vec<&'static str>),
}

/// Every kind in every version, sorted by group, version and kind.
pub fn all() -> &'static [Api] {
    &APIS
}

/// The kind in this version, when it is known.
pub fn find(group: &str, version: &str, kind: &str) -> Option<&'static Api> {
    let apis = &*APIS;
    let wanted = (group, version, kind);
    apis.binary_search_by(|api| (api.group, api.version, api.kind).cmp(&wanted)).ok().map(|at| &apis[at])
}

/// Where objects of this kind live, whatever the version, when it is known.
pub fn scope(group: &str, kind: &str) -> Option<Scope> {
    let start = APIS.partition_point(|api| api.group < group);
    APIS[start..].iter().take_while(|api| api.group == group).find(|api| api.kind == kind)?.scope
}

/// The group and the version of an `apiVersion`; the core group is empty.
pub fn split(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

/// Sorted by group, version, kind.
static APIS: LazyLock<Vec<Api>> =
    LazyLock::new(|| TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(read).collect());

const TABLE: &str = include_str!("../../schemas/apis.tsv");

fn read(line: &'static str) -> Option<Api> {
    let mut cells = line.split('\t');
    let (group, version, kind) = (cells.next()?, cells.next()?, cells.next()?);
    let scope = match cells.next() {
        Some("namespace") => Some(Scope::Namespace),
        Some("cluster") => Some(Scope::Cluster),
        _ => None,
    };
    let (state, since) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
    let (instead, step) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
    let (instead, instead_kind) = instead.split_once(' ').map_or((instead, None), |(api, kind)| (api, Some(kind)));
    let step = match step.strip_prefix("unless ") {
        Some(fields) => Step::Rename(fields.split(' ').collect()),
        None if step == "drop-in" => Step::Rename(Vec::new()),
        None => Step::Rewrite,
    };
    let end = End { is_removed: state == "removed", since, instead, instead_kind, step };
    let (since, end) = match state {
        "deprecated" | "removed" => ("", Some(end)),
        _ => (since, None),
    };
    Some(Api { group, version, kind, scope, since, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_row_is_read() {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(rows.count(), APIS.len());
        assert!(APIS.is_sorted_by(|a, b| (a.group, a.version, a.kind) < (b.group, b.version, b.kind)));
    }

    #[test]
    fn states_and_steps_are_words_of_the_table() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: usize| cells.get(at).copied().unwrap_or("");
            assert!(cells.len() <= 8, "{line}");
            assert!(["", "namespace", "cluster"].contains(&cell(3)), "{line}");
            assert!(["", "served", "deprecated", "removed"].contains(&cell(4)), "{line}");
            assert!(["", "drop-in"].contains(&cell(7)) || cell(7).starts_with("unless "), "{line}");
            assert!(cell(7).is_empty() || !cell(6).is_empty(), "{line}");
        }
    }

    #[test]
    fn a_kind_is_found_by_its_version() {
        let ingress = find("extensions", "v1beta1", "Ingress").unwrap();
        let end = ingress.end.as_ref().unwrap();
        assert_eq!((end.since, end.instead, &end.step), ("Kubernetes 1.22", "networking.k8s.io/v1", &Step::Rewrite));
        assert_eq!(find("apps", "v1", "Deployment").unwrap().end, None);
        assert_eq!(find("apps", "v9", "Deployment"), None);
        assert_eq!(find("helm.toolkit.fluxcd.io", "v2", "HelmRelease").unwrap().since, "Flux 2.3");
    }

    #[test]
    fn the_scope_does_not_need_the_version() {
        assert_eq!(scope("", "Namespace"), Some(Scope::Cluster));
        assert_eq!(scope("argoproj.io", "Application"), Some(Scope::Namespace));
        assert_eq!(scope("example.com", "Thing"), None);
    }
}
