//! What projects may permit at most.
//!
//! An entry is in bounds when every text that it could stand for is; an entry with a class or with braces is compared as
//! it is written, and left alone where that does not tell.

use super::Breach;
use crate::fleet::Environments;
use crate::fleet::literal::literal;
use crate::fleet::projects::{Project, permits};
use crate::formats::argo::project::{Destination, ResourceKind};
use crate::lang::glob::argo::Entry;
use crate::lang::glob::path;
use crate::repo::url;
use crate::text::{Span, Spanned};
use crate::value::{Text, Value};

/// `policies.appproject`.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// `cluster-resources`: the kinds of the cluster that may be permitted, `Kind` or `group/Kind`, as patterns.
    pub cluster_resources: Option<Listed>,
    /// `forbid-wildcards`: lists in which no entry may be nothing but a star.
    pub forbid_wildcards: Vec<Spanned<Place>>,
    /// `source-repos`: patterns of repositories that may be permitted.
    pub source_repos: Option<Listed>,
    /// `destinations`: by environment, those that its projects may permit.
    pub destinations: Vec<(Spanned<String>, Vec<Target>)>,
    /// `require`: fields that every project has, as paths with dots.
    pub require: Vec<Spanned<String>>,
}

/// A list of texts, and the place of its key.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The place of the key.
    pub key: Span,
    /// In order.
    pub items: Vec<Spanned<String>>,
}

/// A destination that may be permitted: patterns; what is not named is not bound.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// `server`.
    pub server: Option<String>,
    /// `name`.
    pub name: Option<String>,
    /// `namespace`.
    pub namespace: Option<String>,
}

/// A list of a project in which a star may be forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// `sourceRepos`.
    SourceRepos,
    /// `sourceNamespaces`.
    SourceNamespaces,
    /// `destinations`: of the cluster as of the namespace.
    Destinations,
    /// The cluster of `destinations`.
    Cluster,
    /// The namespace of `destinations`.
    Namespace,
    /// `clusterResourceWhitelist`.
    ClusterResources,
    /// `namespaceResourceWhitelist`.
    NamespaceResources,
}

impl Place {
    /// The words of the configuration, and what they mean.
    pub const WORDS: [(&'static str, Place); 7] = [
        ("sourceRepos", Place::SourceRepos),
        ("sourceNamespaces", Place::SourceNamespaces),
        ("destinations", Place::Destinations),
        ("destinations.cluster", Place::Cluster),
        ("destinations.namespace", Place::Namespace),
        ("clusterResourceWhitelist", Place::ClusterResources),
        ("namespaceResourceWhitelist", Place::NamespaceResources),
    ];
}

impl Bounds {
    /// Where a project exceeds the bounds, in order of the bounds. `whole` is all that the project says.
    pub fn breaches(&self, project: &Project, whole: &Value, environments: &Environments) -> Vec<Breach> {
        let mut found = Vec::new();
        self.add_kinds(project, &mut found);
        for place in &self.forbid_wildcards {
            for (span, what) in stars(project, place.value) {
                found.push(Breach {
                    span,
                    message: format!("project `{}` permits {what}, and the policy forbids it", project.name()),
                    demand: place.span,
                    help: "list what the project needs".into(),
                });
            }
        }
        self.add_repositories(project, &mut found);
        self.add_destinations(project, environments, &mut found);
        for field in &self.require {
            let has = field.value.split('.').try_fold(whole, |value, key| value.get(key));
            if !matches!(has, None | Some(Value::Null(_))) || !matches!(whole, Value::Map(_)) {
                continue;
            }
            found.push(Breach {
                span: project.declared.metadata.name.as_ref().map_or(project.declared.span, Text::span),
                message: format!("project `{}` lacks `{}`, and the policy wants it", project.name(), field.value),
                demand: field.span,
                help: format!("write `{}`", field.value),
            });
        }
        found
    }

    fn add_kinds(&self, project: &Project, found: &mut Vec<Breach>) {
        let Some(bounds) = &self.cluster_resources else { return };
        for item in &project.declared.cluster_allowed.items {
            let Some((group, kind)) = literals(item) else { continue };
            let is_bound = |bound: &str| match bound.rsplit_once('/') {
                Some((bound_group, bound_kind)) => is_within(group, bound_group) && is_within(kind, bound_kind),
                None => is_within(kind, bound),
            };
            if bounds.items.iter().any(|bound| is_bound(&bound.value)) {
                continue;
            }
            let what = if group.is_empty() { format!("`{kind}`") } else { format!("`{kind}` of `{group}`") };
            found.push(Breach {
                span: item.span,
                message: format!("project `{}` permits {what}, which the policy does not", project.name()),
                demand: bounds.key,
                help: "remove the entry, or add the kind to `policies.appproject.cluster-resources`".into(),
            });
        }
    }

    fn add_repositories(&self, project: &Project, found: &mut Vec<Breach>) {
        let Some(bounds) = &self.source_repos else { return };
        let bound: Vec<Entry> = bounds.items.iter().map(|bound| permits::repository(&bound.value)).collect();
        let repos = project.declared.source_repos.items.iter().filter_map(|entry| literal(entry).ok());
        for entry in repos.filter(|entry| !entry.value.starts_with('!')) {
            let is_same = |bound: &Spanned<String>| bound.value == entry.value;
            let is_covered =
                |sample: &String| bound.iter().any(|bound| bound.matches(&url::normalize(sample)) != Some(false));
            let samples = samples(entry.value, "x/y");
            if bounds.items.iter().any(is_same) || samples.is_none_or(|samples| samples.iter().all(is_covered)) {
                continue;
            }
            found.push(Breach {
                span: entry.span,
                message: format!("project `{}` permits `{}`, which the policy does not", project.name(), entry.value),
                demand: bounds.key,
                help: "narrow the entry, or add it to `policies.appproject.source-repos`".into(),
            });
        }
    }

    fn add_destinations(&self, project: &Project, environments: &Environments, found: &mut Vec<Breach>) {
        for (environment, targets) in &self.destinations {
            if !environments.is_project_in(&project.declared, &environment.value) {
                continue;
            }
            for entry in project.declared.destinations.items.iter().filter(|entry| !denies(entry)) {
                if targets.iter().any(|target| target.covers(entry)) {
                    continue;
                }
                let (name, environment_name) = (project.name(), &environment.value);
                found.push(Breach {
                    span: entry.span,
                    message: format!("project `{name}` permits a destination that is not one of `{environment_name}`"),
                    demand: environment.span,
                    help: "narrow the entry, or add it to `policies.appproject.destinations`".into(),
                });
            }
        }
    }
}

impl Target {
    /// Whether an entry permits nothing but this; true where that is not known.
    fn covers(&self, entry: &Destination) -> bool {
        let within = |text: &Option<Text>, bound: &Option<String>| match (text.as_ref().map(literal), bound) {
            (_, None) | (None | Some(Err(_)), _) => true,
            (Some(Ok(text)), Some(bound)) => is_within(text.value, bound),
        };
        // An entry permits a cluster that it means by either field.
        let names_other_field = |given: &Option<Text>, bound: &Option<String>| given.is_some() && bound.is_none();
        let is_other = (names_other_field(&entry.server, &self.server) && self.name.is_some())
            || (names_other_field(&entry.name, &self.name) && self.server.is_some());
        !is_other
            && within(&entry.server, &self.server)
            && within(&entry.name, &self.name)
            && within(&entry.namespace, &self.namespace)
    }
}

/// Whether some part of an entry denies, so that it rather narrows than permits.
fn denies(entry: &Destination) -> bool {
    let denies = |text: &Option<Text>| text.as_ref().and_then(Text::as_str).is_some_and(|text| text.starts_with('!'));
    denies(&entry.server) || denies(&entry.name) || denies(&entry.namespace)
}

/// The group and the kind of an entry, when both are known.
fn literals(item: &ResourceKind) -> Option<(&str, &str)> {
    Some((literal_or_empty(&item.group)?, literal_or_empty(&item.kind)?))
}

fn literal_or_empty(text: &Option<Text>) -> Option<&str> {
    text.as_ref().map_or(Some(""), Text::as_str)
}

/// Whether everything that a pattern stands for matches another one; true where that is not known.
fn is_within(pattern: &str, bound: &str) -> bool {
    if bound == "*" || pattern == bound {
        return true;
    }
    let Some(samples) = samples(pattern, "x.y:z") else { return true };
    // As with groups and kinds, slashes have no meaning of their own in names.
    let bound = bound.replace('/', "\u{1}");
    path::Pattern::new(&bound)
        .is_ok_and(|bound| samples.iter().all(|sample| bound.matches(&sample.replace('/', "\u{1}"))))
}

/// Texts that a pattern stands for, such that a pattern which matches all of them matches the others; `deep` is what two
/// stars may stand for. `None` when it has classes or alternatives.
fn samples(pattern: &str, deep: &str) -> Option<[String; 2]> {
    let with = |one: &str, two: &str| pattern.replace("**", two).replace('*', one).replace('?', "x");
    (!pattern.contains(['[', '{', '\\'])).then(|| [with("x", deep), with("zz", "q")])
}

/// The entries of a list that are nothing but a star, and what they permit.
fn stars(project: &Project, place: Place) -> Vec<(Span, &'static str)> {
    let declared = &project.declared;
    let is_star = |text: &Text| matches!(text.as_str(), Some("*" | "**"));
    let is_set = |text: &Option<Text>| text.as_ref().is_some_and(is_star);
    let texts =
        |texts: &[Text], what| texts.iter().filter(|text| is_star(text)).map(|text| (text.span(), what)).collect();
    let kinds = |kinds: &[ResourceKind], what| {
        let stars = kinds.iter().filter(|kind| is_set(&kind.kind));
        stars.map(|kind| (kind.span, what)).collect()
    };
    let clusters = || {
        let stars = declared.destinations.items.iter().flat_map(|entry| [&entry.server, &entry.name]).flatten();
        stars.filter(|text| is_star(text)).map(|text| (text.span(), "every cluster"))
    };
    let namespaces = || {
        let stars = declared.destinations.items.iter().filter_map(|entry| entry.namespace.as_ref());
        stars.filter(|text| is_star(text)).map(|text| (text.span(), "every namespace"))
    };
    match place {
        Place::SourceRepos => texts(&declared.source_repos.items, "every repository"),
        Place::SourceNamespaces => texts(&declared.source_namespaces.items, "apps in every namespace"),
        Place::Destinations => clusters().chain(namespaces()).collect(),
        Place::Cluster => clusters().collect(),
        Place::Namespace => namespaces().collect(),
        Place::ClusterResources => kinds(&declared.cluster_allowed.items, "every kind of the cluster"),
        Place::NamespaceResources => kinds(&declared.namespace_allowed.items, "every kind of a namespace"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_within_one_that_matches_all_it_stands_for() {
        for (pattern, bound, wanted) in [
            ("Namespace", "Namespace", true),
            ("Namespace", "*", true),
            ("*", "Namespace", false),
            ("Cluster*", "Cluster*", true),
            ("ClusterRole*", "Cluster*", true),
            ("Cluster*", "ClusterRole*", false),
            ("shop-*", "shop-?", false),
            ("https://prod.example.com", "https://*.example.com", true),
            ("", "apps", false),
            ("[ab]c", "x", true),
        ] {
            assert_eq!(is_within(pattern, bound), wanted, "{pattern} in {bound}");
        }
    }

    #[test]
    fn a_destination_is_bound_in_the_field_that_the_bound_names() {
        let text = |text: &str| Some(Text::known_at(text, Span::default()));
        let entry = |server: Option<Text>, name: Option<Text>| Destination {
            server,
            name,
            namespace: text("a"),
            span: Span::default(),
        };
        let target = Target { server: Some("https://dev*".into()), ..Target::default() };
        assert!(target.covers(&entry(text("https://dev-1"), None)));
        assert!(!target.covers(&entry(text("*"), None)));
        assert!(!target.covers(&entry(None, text("prod"))));
    }
}
