//! An app's project must be declared where the other apps' projects are.

use super::{App, Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::projects::{Project, nearest_name};
use crate::text::RootId;
use crate::value::Text;
use std::collections::{BTreeMap, BTreeSet};

pub const CHECK: Check = Check::fleet(check);

/// Roots that belong together: their apps, and the projects that they declare.
#[derive(Default)]
struct Group<'f> {
    apps: Vec<&'f App>,
    projects: BTreeSet<&'f str>,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    if !cx.fleet.projects.has_unknown_names() {
        groups(cx).values().filter(|group| !group.projects.is_empty()).for_each(|group| check_group(group, cx, out));
    }
}

/// The groups of which it is certain that one instance of Argo CD reads each.
fn groups<'f>(cx: &Context<'f>) -> BTreeMap<RootId, Group<'f>> {
    let instances = &cx.fleet.projects.instances;
    let mut groups: BTreeMap<RootId, Group<'f>> = BTreeMap::new();
    for app in &cx.fleet.apps {
        groups.entry(instances.of(app.document(), cx.repo)).or_default().apps.push(app);
    }
    let mut namespaces: BTreeMap<RootId, BTreeSet<&str>> = BTreeMap::new();
    for project in cx.fleet.projects.all() {
        let root = instances.of(project.document, cx.repo);
        groups.entry(root).or_default().projects.insert(project.name());
        namespaces.entry(root).or_default().extend(namespace(project));
    }
    groups.retain(|root, _| namespaces.get(root).is_none_or(|namespaces| namespaces.len() < 2));
    groups
}

/// Projects live where their Argo CD does.
fn namespace(project: &Project) -> Option<&str> {
    project.declared.metadata.namespace.as_ref().and_then(Text::as_str)
}

fn check_group(group: &Group<'_>, cx: &Context<'_>, out: &mut Findings) {
    let projects = &cx.fleet.projects;
    // One that another group declares may have been copied to where it counts.
    let is_declared = |name: &str| name == "default" || !projects.declarations(name).is_empty();
    let undeclared: BTreeSet<&str> = group.names().filter(|name| !is_declared(name)).collect();
    for name in &undeclared {
        let near = nearest_name(name, group.projects.iter().copied());
        let is_certain = near.is_some() || (undeclared.len() == 1 && covers_the_others(name, group));
        if !is_certain || projects.may_be_installed(name, cx.repo) {
            continue;
        }
        for app in group.apps.iter().filter(|app| app.project() == Some(name)) {
            let Some(written) = &app.spec.project else { continue };
            let finding = out.at(written.span(), format!("project `{name}` is not declared"));
            finding.help(match near.or_else(|| shortened_project(name, group)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "declare an AppProject of this name beside the others, or correct the name".to_owned(),
            });
            finding.subject = app.name().map(|name| Subject(name.to_owned()));
        }
    }
}

impl<'f> Group<'f> {
    /// The projects that apps name, with repetitions.
    fn names(&self) -> impl Iterator<Item = &'f str> {
        self.apps.iter().filter_map(|app| app.project())
    }
}

/// A declared project with the same words, some of them shortened, as `infra` is.
fn shortened_project<'f>(name: &str, group: &Group<'f>) -> Option<&'f str> {
    let wanted = words(name);
    let is_same = |(one, other): (&String, &String)| one.starts_with(other.as_str()) || other.starts_with(one.as_str());
    group.projects.iter().copied().find(|other| {
        let other = words(other);
        other.len() == wanted.len() && wanted.iter().zip(&other).all(is_same)
    })
}

fn words(name: &str) -> Vec<String> {
    name.split(['-', '_', '.']).map(str::to_lowercase).collect()
}

/// Whether declaring projects is what these roots do: every other project in use is declared, and either several are, or
/// an app that differs from this project's app in one word only has its project declared by that word.
fn covers_the_others(name: &str, group: &Group<'_>) -> bool {
    let used: BTreeSet<&str> = group.names().filter(|used| group.projects.contains(used)).collect();
    if used.len() > 1 {
        return true;
    }
    used.iter().any(|other| {
        let is_sibling =
            |app: &str, sibling: &str| replaced(sibling, app).is_some_and(|(from, to)| other.replace(from, to) == name);
        apps_of(name, group).any(|app| apps_of(other, group).any(|sibling| is_sibling(app, sibling)))
    })
}

/// The names of the apps in a project.
fn apps_of<'f>(project: &str, group: &Group<'f>) -> impl Iterator<Item = &'f str> {
    group.apps.iter().filter(move |app| app.project() == Some(project)).filter_map(|app| app.name())
}

/// The one word that differs between two names of the same number of words.
fn replaced<'n>(one: &'n str, other: &'n str) -> Option<(&'n str, &'n str)> {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split('-').collect(), other.split('-').collect());
    let mut different = one.iter().zip(&other).filter(|(one, other)| one != other);
    let first = different.next()?;
    (one.len() == other.len() && different.next().is_none()).then_some((*first.0, *first.1))
}
