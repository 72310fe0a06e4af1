//! Entries of a project that do nothing, or the opposite of what they look like, by their form alone.
//!
//! Mirrors Argo CD 3.6, `app_project_types.go`: how each list is matched decides what can never match.

use super::faults;
use crate::fleet::literal::literal;
use crate::formats::argo::AppProject;
use crate::formats::argo::project::{Destination, Entries, ResourceKind, ServiceAccount, SyncWindow};
use crate::lang::glob::{gobwas, path};
use crate::repo::url;
use crate::text::{Span, Spanned};
use crate::value::Text;
use std::collections::BTreeMap;

/// An entry that does not do what it looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Idle {
    /// Its place.
    pub span: Span,
    /// What is so, in the style of messages.
    pub message: String,
    /// What to do.
    pub help: &'static str,
    /// Another place that matters, and what it is.
    pub label: Option<(Span, &'static str)>,
}

impl Idle {
    fn new(span: Span, message: impl Into<String>, help: &'static str) -> Idle {
        Idle { span, message: message.into(), help, label: None }
    }
}

/// The idle entries of a project, list by list. `needs_namespace` tells whether every app of it names a namespace.
pub fn entries(project: &AppProject, needs_namespace: bool) -> Vec<Idle> {
    let mut found = Vec::new();
    repositories(&project.source_repos, &mut found);
    project.destinations.items.iter().for_each(|entry| destination(entry, needs_namespace, &mut found));
    denials_of_clusters(&project.destinations, &mut found);
    namespaces(&project.source_namespaces, &mut found);
    for list in
        [&project.namespace_allowed, &project.namespace_denied, &project.cluster_allowed, &project.cluster_denied]
    {
        list.items.iter().for_each(|entry| kind(entry, &mut found));
    }
    project.windows.items.iter().for_each(|entry| window(entry, &mut found));
    project.service_accounts.items.iter().for_each(|entry| service_account(entry, &mut found));
    twice(project, &mut found);
    found
}

fn known(text: &Text) -> Option<Spanned<&str>> {
    literal(text).ok()
}

/// A field as Argo CD compares it: an absent one is the empty text.
fn or_empty(text: &Option<Text>) -> Option<&str> {
    match text {
        Some(text) => known(text).map(|text| text.value),
        None => Some(""),
    }
}

fn repositories(repos: &Entries<Text>, found: &mut Vec<Idle>) {
    for entry in repos.items.iter().filter_map(known) {
        let (text, span) = (entry.value, entry.span);
        let pattern = text.strip_prefix('!').unwrap_or(text);
        let normal = url::normalize(pattern);
        if !faults::is_entry(text) {
            found.push(Idle::new(span, "`!*` denies every repository", "remove the entry"));
        } else if normal.is_empty() && !pattern.is_empty() {
            let message = format!("`{text}` matches nothing: it cannot be parsed as a URL");
            found.push(Idle::new(span, message, "keep wildcards out of the scheme and the port"));
        } else if pattern.contains(['{', '}']) && normal.contains("%7b") | normal.contains("%7B") {
            let message = format!("`{text}` matches nothing: braces are escaped");
            found.push(Idle::new(span, message, "write one entry for each alternative"));
        } else if gobwas::Pattern::new(&normal, &['/']).is_err() {
            found.push(broken(text, span));
        }
    }
    // A denial that is not met counts as a match, so that nothing else restricts what it does not name.
    let denial = repos.items.iter().filter_map(known).find(|entry| is_denial(entry.value));
    if let Some(denial) = denial.filter(|_| star(repos).is_none() && repos.is_whole) {
        let message = format!("`{}` permits every repository that it does not deny", denial.value);
        found.push(Idle::new(
            denial.span,
            message,
            "list what is permitted without `!`, or add `*` if all of it shall be",
        ));
    }
}

fn is_denial(text: &str) -> bool {
    text.starts_with('!') && faults::is_entry(text)
}

fn broken(text: &str, span: Span) -> Idle {
    let message = format!("`{text}` matches nothing: it is no pattern");
    Idle::new(span, message, "close brackets and braces, or escape them with a backslash")
}

fn destination(entry: &Destination, needs_namespace: bool, found: &mut Vec<Idle>) {
    let is_absent = |text: &Option<Text>| text.as_ref().is_none_or(|text| text.as_str() == Some(""));
    for text in [&entry.server, &entry.name, &entry.namespace].into_iter().flatten().filter_map(known) {
        let pattern = text.value.strip_prefix('!').unwrap_or(text.value);
        if !faults::is_entry(text.value) {
            found.push(Idle::new(text.span, "`!*` denies every destination", "remove the entry, or deny less"));
        } else if gobwas::Pattern::new(pattern, &[]).is_err() {
            found.push(broken(text.value, text.span));
        }
    }
    if let Some(server) = entry.server.as_ref().and_then(known).filter(|server| server.value.ends_with('/')) {
        let message = format!("`{}` matches no server: Argo CD drops the slash at the end of theirs", server.value);
        found.push(Idle::new(server.span, message, "drop the slash here as well"));
    }
    if is_absent(&entry.server) && is_absent(&entry.name) {
        found.push(Idle::new(entry.span, "this entry matches no cluster", "add `server` or `name`"));
    } else if is_absent(&entry.namespace) && needs_namespace {
        let message = "this entry matches only apps without a namespace";
        found.push(Idle::new(entry.span, message, "add `namespace`; `*` permits all of them"));
    }
    let denied = entry.namespace.as_ref().and_then(known).filter(|namespace| namespace.value.starts_with('!'));
    if let Some(namespace) = denied.filter(|_| is_absent(&entry.server) && !is_absent(&entry.name)) {
        let message =
            format!("`{}` denies nothing: a namespace is denied only together with a server", namespace.value);
        found.push(Idle::new(namespace.span, message, "add `server` to the entry; `*` stands for every cluster"));
    }
}

/// A cluster that is denied: every other one is permitted by that, whatever the list says beside it.
fn denials_of_clusters(destinations: &Entries<Destination>, found: &mut Vec<Idle>) {
    let mut clusters =
        destinations.items.iter().flat_map(|entry| [&entry.server, &entry.name]).flatten().filter_map(known);
    let denial = clusters.clone().find(|cluster| is_denial(cluster.value));
    if let Some(denial) = denial.filter(|_| destinations.is_whole && clusters.all(|cluster| cluster.value != "*")) {
        let message = format!("`{}` permits every cluster that it does not deny", denial.value);
        found.push(Idle::new(
            denial.span,
            message,
            "list what is permitted without `!`, or add `*` if all of it shall be",
        ));
    }
}

fn namespaces(list: &Entries<Text>, found: &mut Vec<Idle>) {
    for entry in list.items.iter().filter_map(known) {
        let expression = entry.value.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let is_broken = match expression {
            Some(expression) => fancy_regex::Regex::new(expression).is_err(),
            None => gobwas::Pattern::new(entry.value, &[]).is_err(),
        };
        if is_broken {
            found.push(broken(entry.value, entry.span));
        }
    }
}

fn kind(entry: &ResourceKind, found: &mut Vec<Idle>) {
    for text in [&entry.group, &entry.kind, &entry.name].into_iter().flatten().filter_map(known) {
        if path::Pattern::new(text.value).is_err() {
            found.push(broken(text.value, text.span));
        }
    }
    let Some(group) = entry.group.as_ref().and_then(known) else { return };
    if matches!(group.value, "core" | "v1") {
        let message = format!("`{}` is no API group: that of the core kinds is the empty text", group.value);
        found.push(Idle::new(group.span, message, "write `group: \"\"`"));
    } else if group.value.contains('/') {
        let message = format!("`{}` matches no API group: a group has no version", group.value);
        found.push(Idle::new(group.span, message, "drop the slash and what follows"));
    }
}

fn star(list: &Entries<Text>) -> Option<Span> {
    list.items.iter().filter_map(known).find(|text| text.value == "*").map(|text| text.span)
}

/// In a sync window the lists are alternatives, so that a `*` in one of them leaves the others nothing to say.
fn window(window: &SyncWindow, found: &mut Vec<Idle>) {
    let lists = [&window.applications, &window.namespaces, &window.clusters];
    for text in lists.iter().flat_map(|list| &list.items).filter_map(known) {
        if gobwas::Pattern::new(text.value, &[]).is_err() {
            found.push(broken(text.value, text.span));
        }
    }
    let Some(all) = lists.iter().find_map(|list| star(list)).filter(|_| window.joins_by_and == Some(false)) else {
        return;
    };
    for list in lists.iter().filter(|list| star(list).is_none()) {
        let Some(first) = list.items.iter().find_map(known) else { continue };
        let message = format!("`{}` restricts nothing: the lists of a sync window are alternatives", first.value);
        let mut idle = Idle::new(first.span, message, "remove the `*`, or set `andOperator: true`");
        idle.label = Some((all, "this matches every app"));
        found.push(idle);
    }
}

fn service_account(entry: &ServiceAccount, found: &mut Vec<Idle>) {
    for pattern in [&entry.server, &entry.namespace].into_iter().flatten().filter_map(known) {
        if pattern.value.contains('!') {
            let message = format!("`{}` matches nothing: service accounts are not denied", pattern.value);
            found.push(Idle::new(pattern.span, message, "list what shall match"));
        } else if gobwas::Pattern::new(pattern.value, &[]).is_err() {
            found.push(broken(pattern.value, pattern.span));
        }
    }
    let account = entry.account.as_ref().and_then(known);
    if let Some(account) = account.filter(|account| !faults::is_service_account("", "", account.value)) {
        let message = format!("`{}` cannot be the name of a service account", account.value);
        found.push(Idle::new(account.span, message, "write its name, with `NAMESPACE:` before it if it is elsewhere"));
    }
}

/// Entries that stand in a list twice: Argo CD's API refuses every change to such a project.
fn twice(project: &AppProject, found: &mut Vec<Idle>) {
    let text = |text: &Text| Some((known(text)?.value.to_owned(), text.span()));
    repeated(project.source_repos.items.iter().filter_map(text), found);
    repeated(project.source_namespaces.items.iter().filter_map(text), found);
    repeated(project.destinations.items.iter().filter_map(|entry| Some((destination_key(entry)?, entry.span))), found);
    repeated(project.roles.items.iter().filter_map(|role| text(role.name.as_ref()?)), found);
    for role in &project.roles.items {
        repeated(role.policies.iter().filter_map(text), found);
        repeated(role.groups.iter().filter_map(text), found);
    }
    repeated(project.windows.items.iter().filter_map(|window| Some((window_key(window)?, window.span))), found);
}

fn repeated<K: Ord>(keys: impl Iterator<Item = (K, Span)>, found: &mut Vec<Idle>) {
    let help = "remove one of them: Argo CD's API refuses every change to a project that lists it twice";
    let mut seen = BTreeMap::new();
    for (key, span) in keys {
        let first = *seen.entry(key).or_insert(span);
        if first != span {
            let mut idle = Idle::new(span, "this entry is listed twice", help);
            idle.label = Some((first, "it is here as well"));
            found.push(idle);
        }
    }
}

/// What two destinations must not share: the server, or the name where there is none, and the namespace.
fn destination_key(entry: &Destination) -> Option<(bool, String)> {
    let (server, name, namespace) = (or_empty(&entry.server)?, or_empty(&entry.name)?, or_empty(&entry.namespace)?);
    let is_by_name = server.is_empty();
    Some((is_by_name, format!("{}/{namespace}", if is_by_name { name } else { server })))
}

/// What two sync windows must not share.
fn window_key(window: &SyncWindow) -> Option<(Vec<String>, Option<bool>)> {
    let mut key = Vec::new();
    for text in [&window.kind, &window.schedule, &window.duration, &window.time_zone] {
        key.push(or_empty(text)?.to_owned());
    }
    for list in [&window.applications, &window.namespaces, &window.clusters] {
        let texts: Option<Vec<&str>> = list.items.iter().map(|text| known(text).map(|text| text.value)).collect();
        key.push(texts.filter(|_| list.is_whole)?.join("\n"));
    }
    Some((key, window.joins_by_and))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read;
    use crate::text::FileId;
    use crate::yaml;

    fn idle(spec: &str) -> Vec<String> {
        let tree = yaml::parse(FileId(0), format!("spec: {spec}\n").into());
        assert_eq!(tree.errors(), [], "{spec}");
        let project = AppProject::read(&read::value(tree.root(&tree.documents()[0]).unwrap()));
        entries(&project, true).into_iter().map(|idle| idle.message).collect()
    }

    #[test]
    fn usual_projects_have_no_idle_entries() {
        for spec in [
            "{}",
            "{sourceRepos: ['*'], destinations: [{server: '*', namespace: '*'}]}",
            "{sourceRepos: ['https://h/a/*', 'git@h:a/*', 'oci://r/x', 'r.example.com/charts']}",
            "{sourceRepos: ['*', '!https://h/a/b']}",
            "{destinations: [{name: a, namespace: '!{kube-system,argocd}', server: 'https://a'}]}",
            "{clusterResourceWhitelist: [{group: '', kind: Namespace}, {group: '*', kind: '*'}]}",
            "{syncWindows: [{applications: ['*'], clusters: ['*']}, {applications: [a], namespaces: [b]}]}",
            "{destinations: [{name: a, server: '', namespace: x}, {server: a, namespace: x}]}",
            "{roles: [{name: a, groups: [c]}, {name: b, groups: [c]}]}",
            "{syncWindows: [{kind: deny, clusters: [a]}, {kind: deny, clusters: [b]}]}",
        ] {
            assert_eq!(idle(spec), Vec::<String>::new(), "{spec}");
        }
    }

    #[test]
    fn what_cannot_match_is_idle() {
        for spec in [
            "{sourceRepos: ['https://h/{a,b}/*']}",
            "{sourceRepos: ['*://h/x']}",
            "{sourceRepos: ['https://h/[a']}",
            "{sourceRepos: ['!https://h/a']}",
            "{sourceRepos: ['a', 'a']}",
            "{sourceNamespaces: ['/(/']}",
            "{destinations: [{server: 'https://a/', namespace: x}]}",
            "{destinations: [{namespace: x}]}",
            "{destinations: [{server: 'https://a'}]}",
            "{destinations: [{name: a, namespace: '!x'}]}",
            "{destinations: [{server: '!https://a', namespace: '*'}]}",
            "{destinations: [{name: a, namespace: x}, {name: a, namespace: x}]}",
            "{roles: [{name: a}, {name: a}]}",
            "{roles: [{name: a, groups: [b, b]}]}",
            "{syncWindows: [{kind: deny, clusters: [a]}, {kind: deny, clusters: [a]}]}",
            "{namespaceResourceBlacklist: [{group: core, kind: Secret}]}",
            "{clusterResourceWhitelist: [{group: apps/v1, kind: Deployment}]}",
            "{clusterResourceWhitelist: [{group: '[', kind: X}]}",
            "{syncWindows: [{applications: ['*'], clusters: [a]}]}",
            "{destinationServiceAccounts: [{server: '!a', namespace: b, defaultServiceAccount: c}]}",
            "{destinationServiceAccounts: [{server: a, namespace: b, defaultServiceAccount: 'c*'}]}",
        ] {
            assert_eq!(idle(spec).len(), 1, "{spec}: {:?}", idle(spec));
        }
    }
}
