//! An app's project must be declared where the other apps' projects are.

use super::{App, Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::{Fleet, Projects};
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let projects = &cx.fleet.projects;
    if projects.is_empty() || projects.has_unknown_names() {
        return;
    }
    let is_declared = |name: &str| name == "default" || !projects.declarations(name).is_empty();
    let undeclared: BTreeSet<&str> = names(cx.fleet).filter(|name| !is_declared(name)).collect();
    for name in &undeclared {
        let near = projects.nearest(name);
        let is_certain = near.is_some() || (undeclared.len() == 1 && covers_the_others(name, cx.fleet, projects));
        if !is_certain || projects.may_be_installed(name, cx.repo) {
            continue;
        }
        for app in cx.fleet.apps.iter().filter(|app| app.project() == Some(name)) {
            let Some(written) = &app.spec.project else { continue };
            let finding = out.at(written.span(), format!("project `{name}` is not declared"));
            finding.help(match near.or_else(|| shortened_project(name, projects)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "declare an AppProject of this name beside the others, or correct the name".to_owned(),
            });
            finding.subject = app.name().map(|name| Subject(name.to_owned()));
        }
    }
}

/// The projects that apps name, with repetitions.
fn names(fleet: &Fleet) -> impl Iterator<Item = &str> {
    fleet.apps.iter().filter_map(App::project)
}

/// A declared project with the same words, some of them shortened, as `infra` is.
fn shortened_project<'p>(name: &str, projects: &'p Projects) -> Option<&'p str> {
    let wanted = words(name);
    let is_same = |(one, other): (&String, &String)| one.starts_with(other.as_str()) || other.starts_with(one.as_str());
    projects.names().find(|other| {
        let other = words(other);
        other.len() == wanted.len() && wanted.iter().zip(&other).all(is_same)
    })
}

fn words(name: &str) -> Vec<String> {
    name.split(['-', '_', '.']).map(str::to_lowercase).collect()
}

/// Whether declaring projects is what these roots do: every other project in use is declared, and either several are, or
/// an app that differs from this project's app in one word only has its project declared by that word.
fn covers_the_others(name: &str, fleet: &Fleet, projects: &Projects) -> bool {
    let used: BTreeSet<&str> = names(fleet).filter(|used| !projects.declarations(used).is_empty()).collect();
    if used.len() > 1 {
        return true;
    }
    used.iter().any(|other| {
        let is_sibling =
            |app: &str, sibling: &str| replaced(sibling, app).is_some_and(|(from, to)| other.replace(from, to) == name);
        apps_of(name, fleet).any(|app| apps_of(other, fleet).any(|sibling| is_sibling(app, sibling)))
    })
}

/// The names of the apps in a project.
fn apps_of<'f>(project: &'f str, fleet: &'f Fleet) -> impl Iterator<Item = &'f str> {
    fleet.apps.iter().filter(move |app| app.project() == Some(project)).filter_map(App::name)
}

/// The one word that differs between two names of the same number of words.
fn replaced<'n>(one: &'n str, other: &'n str) -> Option<(&'n str, &'n str)> {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.split('-').collect(), other.split('-').collect());
    let mut different = one.iter().zip(&other).filter(|(one, other)| one != other);
    let first = different.next()?;
    (one.len() == other.len() && different.next().is_none()).then_some((*first.0, *first.1))
}
