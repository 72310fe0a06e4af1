//! What the lists of a project permit.
//!
//! Mirrors Argo CD 3.6, `pkg/apis/application/v1alpha1/app_project_types.go`. Every answer is `None` where it depends on
//! something that is not known: a part of an entry, the other field of a cluster.

use crate::fleet::clusters::{Cluster, Clusters, Known};
use crate::fleet::destination::{LOCAL_NAME, LOCAL_SERVER};
use crate::fleet::literal::literal;
use crate::formats::argo::application;
use crate::formats::argo::project::{AppProject, Destination, Entries, ResourceKind};
use crate::lang::glob::argo::{Entry, List, Mode};
use crate::lang::glob::path;
use crate::repo::url;
use crate::value::Text;

/// A destination that permission is asked for. A field is `None` when it is not known, and the empty text when the
/// cluster has none, or the Application names none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target<'t> {
    /// The cluster's name.
    pub name: Option<&'t str>,
    /// The cluster's server, without a trailing slash.
    pub server: Option<&'t str>,
    /// The namespace.
    pub namespace: Option<&'t str>,
}

impl<'t> Target<'t> {
    /// What is known of the cluster and the namespace that an app's destination means; `None` when it means no cluster.
    pub fn new(wanted: &'t application::Destination, clusters: &'t Clusters) -> Option<Target<'t>> {
        let known = |text: &'t Text| literal(text).ok().map(|text| text.value);
        let namespace = wanted.namespace.as_ref().map_or(Some(""), known);
        let target = |name, server| Some(Target { name, server, namespace });
        match (&wanted.name, &wanted.server) {
            (Some(_), Some(_)) | (None, None) => None,
            (Some(name), None) => {
                let Some(name) = known(name) else { return target(None, None) };
                let mut named = clusters.known.iter().filter(|cluster| cluster.name.as_deref() == Ok(name));
                match (named.next(), named.next()) {
                    (Some(cluster), None) => target(Some(name), cluster.server.as_deref().ok().map(trimmed)),
                    (None, None) if name == LOCAL_NAME => target(Some(name), Some(LOCAL_SERVER)),
                    _ => target(Some(name), None),
                }
            }
            (None, Some(server)) => {
                let Some(server) = known(server).map(trimmed) else { return target(None, None) };
                let mut served =
                    clusters.known.iter().filter(|cluster| cluster.server.as_deref().map(trimmed) == Ok(server));
                match (served.next(), served.next()) {
                    (Some(cluster), None) => target(cluster.name.as_deref().ok(), Some(server)),
                    (None, None) if clusters.is_complete && server == LOCAL_SERVER => {
                        target(Some(LOCAL_NAME), Some(server))
                    }
                    _ => target(None, Some(server)),
                }
            }
        }
    }
}

fn trimmed(server: &str) -> &str {
    server.trim_end_matches('/')
}

/// A kind, perhaps of one object, that permission is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted<'w> {
    /// Its group; empty for the core group.
    pub group: &'w str,
    /// Its kind.
    pub kind: &'w str,
    /// The object's name; `None` when it is not known.
    pub name: Option<&'w str>,
    /// Whether its objects live in namespaces.
    pub is_namespaced: bool,
}

/// `sourceRepos`, read once for many questions.
#[derive(Debug)]
pub struct Sources {
    /// `None` for an entry that is not known.
    entries: Vec<Option<Entry>>,
    is_whole: bool,
}

impl Sources {
    /// Reads the entries.
    pub fn new(repos: &Entries<Text>) -> Sources {
        let read = |written| literal(written).ok().map(|written| repository(written.value));
        Sources { entries: repos.items.iter().map(read).collect(), is_whole: repos.is_whole }
    }

    /// Whether they permit a repository. Mirrors `IsSourcePermitted`.
    pub fn permit(&self, repo_url: &str) -> Option<bool> {
        let wanted = url::normalize(repo_url);
        let mut tally = Tally::default();
        for entry in &self.entries {
            let Some(entry) = entry else {
                tally.add(Verdicts::of(&[Verdict::Permits, Verdict::Refuses]));
                continue;
            };
            let on_miss = if entry.denies() { Verdict::Refuses } else { Verdict::Passes };
            match entry.matches(&wanted) {
                Some(true) => tally.add(Verdicts::of(&[Verdict::Permits])),
                Some(false) => tally.add(Verdicts::of(&[on_miss])),
                None => tally.add(Verdicts::of(&[Verdict::Permits, on_miss])),
            }
        }
        tally.outcome(self.is_whole)
    }
}

/// An entry of `sourceRepos` as it is compared: a URL in normal form, `!` kept in front.
pub fn repository(written: &str) -> Entry {
    match written.strip_prefix('!') {
        Some(denied) => Entry::new(&format!("!{}", url::normalize(denied)), &['/']),
        None => Entry::new(&url::normalize(written), &['/']),
    }
}

/// `destinations`, read once for many questions.
#[derive(Debug)]
pub struct Destinations {
    rows: Vec<Row>,
    is_whole: bool,
}

impl Destinations {
    /// Reads the entries.
    pub fn new(destinations: &Entries<Destination>) -> Destinations {
        Destinations { rows: destinations.items.iter().map(Row::new).collect(), is_whole: destinations.is_whole }
    }

    /// Whether they permit a target. Mirrors `IsDestinationPermitted`, without the clusters of the project.
    pub fn permit(&self, target: Target<'_>) -> Option<bool> {
        let mut tally = Tally::default();
        for row in &self.rows {
            tally.add(row.verdicts(target));
        }
        tally.outcome(self.is_whole)
    }
}

/// Whether a project permits a target that its lists answer `is_permitted` to. Mirrors `IsDestinationPermitted`.
///
/// `scoped` are the clusters that belong to the project; there may be others unless `is_complete`.
pub fn scoped_destination(
    project: &AppProject,
    is_permitted: Option<bool>,
    target: Target<'_>,
    scoped: &[&Cluster],
    is_complete: bool,
) -> Option<bool> {
    if project.only_scoped_clusters == Some(false) || is_permitted == Some(false) {
        return is_permitted;
    }
    let is_same = |known: &Known, wanted: Option<&str>| match known {
        Ok(known) => wanted.is_some_and(|wanted| !wanted.is_empty() && wanted == known.trim_end_matches('/')),
        Err(_) => false,
    };
    let is_scoped =
        scoped.iter().any(|cluster| is_same(&cluster.name, target.name) || is_same(&cluster.server, target.server));
    let is_known = is_complete && target.name.is_some() && target.server.is_some();
    match project.only_scoped_clusters {
        Some(true) if is_scoped => is_permitted,
        Some(true) if is_known && scoped.iter().all(|cluster| cluster.name.is_ok() && cluster.server.is_ok()) => {
            Some(false)
        }
        _ => None,
    }
}

/// Whether a project permits Applications in a namespace. Mirrors `IsAppNamespacePermitted`.
///
/// An empty `app_namespace` is the controller's own.
pub fn app_namespace(namespaces: &Entries<Text>, app_namespace: &str, controller_namespace: &str) -> Option<bool> {
    if app_namespace.is_empty() || app_namespace == controller_namespace {
        return Some(true);
    }
    let known: Vec<&str> =
        namespaces.items.iter().filter_map(|text| literal(text).ok()).map(|text| text.value).collect();
    let is_whole = namespaces.is_whole && known.len() == namespaces.items.len();
    match List::new(known, Mode::Regexp).matches(app_namespace) {
        Some(false) => is_whole.then_some(false),
        answer => answer,
    }
}

/// Whether the resource lists permit a kind. Mirrors `IsGroupKindNamePermitted`.
pub fn kind(project: &AppProject, wanted: Wanted<'_>) -> Option<bool> {
    let (allowed, denied) = if wanted.is_namespaced {
        (&project.namespace_allowed, &project.namespace_denied)
    } else {
        (&project.cluster_allowed, &project.cluster_denied)
    };
    // Only the namespaced kinds are all permitted where no list says which.
    let is_allowed = match allowed.key {
        None if wanted.is_namespaced && allowed.is_whole => Some(true),
        _ => lists(allowed, wanted),
    };
    match (is_allowed, lists(denied, wanted)) {
        (Some(false), _) | (_, Some(true)) => Some(false),
        (Some(true), Some(false)) => Some(true),
        _ => None,
    }
}

/// Whether a resource list has an item for a kind.
fn lists(list: &Entries<ResourceKind>, wanted: Wanted<'_>) -> Option<bool> {
    let mut is_known = list.is_whole;
    for item in &list.items {
        match lists_kind(item, wanted) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(false)
}

/// Whether an item of a resource list means a kind. Mirrors `isResourceInList` and `isNamedResourceInList`.
pub fn lists_kind(item: &ResourceKind, wanted: Wanted<'_>) -> Option<bool> {
    let fits = |pattern: &Option<Text>, text: &str| {
        let Some(pattern) = pattern else { return Some(text.is_empty()) };
        match literal(pattern).ok()?.value {
            "*" if !text.contains('/') => Some(true),
            pattern => Some(path::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(text))),
        }
    };
    let name = item.name.as_ref().filter(|name| !wanted.is_namespaced && name.as_str() != Some(""));
    let is_named = match (name, wanted.name) {
        (None, _) => Some(true),
        (Some(name), None) if name.as_str() == Some("*") => Some(true),
        (Some(_), None) => None,
        (Some(_), Some(wanted)) => fits(&item.name, wanted),
    };
    match (fits(&item.kind, wanted.kind), fits(&item.group, wanted.group), is_named) {
        (Some(true), Some(true), Some(true)) => Some(true),
        (Some(false), ..) | (_, Some(false), _) | (.., Some(false)) => Some(false),
        _ => None,
    }
}

/// What an entry of a list makes of what is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Permitted, unless another entry refuses.
    Permits,
    /// Refused, whatever the others say.
    Refuses,
    /// Nothing.
    Passes,
}

/// Those of the three verdicts that an entry may come to.
#[derive(Clone, Copy, Default)]
struct Verdicts {
    permits: bool,
    refuses: bool,
    passes: bool,
}

impl Verdicts {
    fn of(verdicts: &[Verdict]) -> Verdicts {
        let mut found = Verdicts::default();
        verdicts.iter().for_each(|verdict| found.add(*verdict));
        found
    }

    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Permits => self.permits = true,
            Verdict::Refuses => self.refuses = true,
            Verdict::Passes => self.passes = true,
        }
    }
}

/// An item of `destinations`.
#[derive(Debug)]
struct Row {
    name: Field,
    server: Field,
    namespace: Field,
}

/// A pattern of it.
#[derive(Debug)]
enum Field {
    Absent,
    Unknown,
    Pattern { entry: Entry, is_star: bool },
}

impl Field {
    fn new(written: Option<&Text>) -> Field {
        match written.map(literal) {
            None => Field::Absent,
            Some(Err(_)) => Field::Unknown,
            Some(Ok(pattern)) => {
                Field::Pattern { entry: Entry::new(pattern.value, &[]), is_star: pattern.value == "*" }
            }
        }
    }

    fn denies(&self) -> bool {
        matches!(self, Field::Pattern { entry, .. } if entry.denies())
    }

    /// What may be the case for a name, a server or a namespace: whether the pattern matches.
    fn possible(&self, subject: Option<&str>, needs_text: bool) -> &'static [bool] {
        let answer = match (self, subject) {
            (_, Some("")) if needs_text => Some(false),
            (Field::Absent, Some(subject)) => Some(subject.is_empty()),
            // A cluster has a server and nearly always a name, so that an absent pattern does not match it.
            (Field::Absent, None) => needs_text.then_some(false),
            (Field::Pattern { entry, .. }, Some(subject)) => entry.matches(subject),
            (Field::Pattern { is_star: true, .. }, None) if !needs_text => Some(true),
            _ => None,
        };
        match answer {
            Some(true) => &[true],
            Some(false) => &[false],
            None => &[true, false],
        }
    }
}

impl Row {
    fn new(written: &Destination) -> Row {
        Row {
            name: Field::new(written.name.as_ref()),
            server: Field::new(written.server.as_ref()),
            namespace: Field::new(written.namespace.as_ref()),
        }
    }

    /// Every verdict that the entry may come to.
    fn verdicts(&self, target: Target<'_>) -> Verdicts {
        let mut found = Verdicts::default();
        for &name in self.name.possible(target.name, true) {
            for &server in self.server.possible(target.server, true) {
                for &namespace in self.namespace.possible(target.namespace, false) {
                    found.add(if (server || name) && namespace {
                        Verdict::Permits
                    } else if (!name && self.name.denies())
                        || (!server && self.server.denies() && namespace)
                        || (!namespace && self.namespace.denies() && server)
                    {
                        Verdict::Refuses
                    } else {
                        Verdict::Passes
                    });
                }
            }
        }
        if [&self.name, &self.server, &self.namespace].into_iter().any(|field| matches!(field, Field::Unknown)) {
            found.add(Verdict::Refuses);
        }
        found
    }
}

/// The verdicts of a list's entries. Their order does not matter: one that refuses decides, then one that permits.
#[derive(Default)]
struct Tally {
    permits: bool,
    may_permit: bool,
    refuses: bool,
    may_refuse: bool,
}

impl Tally {
    /// Adds an entry by the verdicts that it may come to.
    fn add(&mut self, possible: Verdicts) {
        let Verdicts { permits, refuses, passes } = possible;
        self.permits |= permits && !refuses && !passes;
        self.refuses |= refuses && !permits && !passes;
        self.may_permit |= permits;
        self.may_refuse |= refuses;
    }

    fn outcome(&self, is_whole: bool) -> Option<bool> {
        if self.refuses || (is_whole && !self.may_permit) {
            return Some(false);
        }
        (is_whole && self.permits && !self.may_refuse).then_some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read;
    use crate::text::{FileId, Span};
    use crate::value::Why;
    use crate::yaml;

    fn project(spec: &str) -> AppProject {
        let tree = yaml::parse(FileId(0), format!("spec: {spec}\n").into());
        assert_eq!(tree.errors(), [], "{spec}");
        AppProject::read(&read::value(tree.root(&tree.documents()[0]).unwrap()))
    }

    fn permits(destinations: &str, name: Option<&str>, server: Option<&str>, namespace: Option<&str>) -> Option<bool> {
        let project = project(&format!("{{destinations: {destinations}}}"));
        Destinations::new(&project.destinations).permit(Target { name, server, namespace })
    }

    #[test]
    fn one_entry_that_refuses_decides() {
        let repos = project("{sourceRepos: ['*', '!https://h/bad/*']}").source_repos;
        assert_eq!(Sources::new(&repos).permit("https://h/good/x"), Some(true));
        assert_eq!(Sources::new(&repos).permit("https://h/bad/x"), Some(false));
    }

    #[test]
    fn a_part_that_is_not_known_matters_only_where_it_decides() {
        let mut repos = project("{sourceRepos: ['https://h/a/*']}").source_repos;
        repos.items.push(Text::unknown(Why::Template, Span::default()));
        assert_eq!(Sources::new(&repos).permit("https://h/a/x"), None);
        assert_eq!(Sources::new(&repos).permit("https://h/b/x"), None);
        repos.items.pop();
        repos.is_whole = false;
        assert_eq!(Sources::new(&repos).permit("https://h/b/x"), None);
    }

    #[test]
    fn a_cluster_is_met_by_name_or_server() {
        let by_name = "[{name: prod, namespace: web}]";
        assert_eq!(permits(by_name, Some("prod"), Some("https://p"), Some("web")), Some(true));
        assert_eq!(permits(by_name, Some("dev"), Some("https://p"), Some("web")), Some(false));
    }

    #[test]
    fn the_other_field_of_a_cluster_matters_where_an_entry_asks_for_it() {
        assert_eq!(permits("[{name: prod, namespace: web}]", None, Some("https://p"), Some("web")), None);
        assert_eq!(
            permits("[{server: 'https://q', namespace: web}]", None, Some("https://p"), Some("web")),
            Some(false)
        );
        assert_eq!(permits("[{name: prod, namespace: web}]", None, Some("https://p"), Some("shop")), Some(false));
        assert_eq!(permits("[{server: '*', namespace: '*'}]", None, Some("https://p"), None), Some(true));
    }

    #[test]
    fn namespaced_kinds_are_permitted_unless_listed_and_cluster_kinds_are_not() {
        let wanted = |kind, is_namespaced| Wanted { group: "", kind, name: None, is_namespaced };
        assert_eq!(kind(&project("{}"), wanted("Secret", true)), Some(true));
        assert_eq!(kind(&project("{namespaceResourceWhitelist: []}"), wanted("Secret", true)), Some(false));
        assert_eq!(kind(&project("{}"), wanted("Namespace", false)), Some(false));
        let named = project("{clusterResourceWhitelist: [{group: '', kind: Namespace, name: 'team-*'}]}");
        assert_eq!(kind(&named, wanted("Namespace", false)), None);
        assert_eq!(kind(&named, Wanted { name: Some("team-a"), ..wanted("Namespace", false) }), Some(true));
    }
}
