//! The Applications that the roots declare and generate, where each comes from, and why some are not generated.

use super::manifest::{self, Shown};
use super::table;
use crate::engine::config::did_you_mean;
use crate::engine::{Model, Settings};
use crate::fleet::expand::{Failure, Provenance};
use crate::fleet::{App, Controller, Set, Undecided};
use crate::repo::Repo;
use crate::report::json::UndecidedForm;
use crate::report::{Location, escape, summary};
use crate::text::Span;
use crate::value::Text;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The namespace of Argo CD when neither the manifest nor the configuration names one.
const NAMESPACE: &str = "argocd";

/// Names that a mistake lists.
const LISTED: usize = 8;

/// Which apps are listed; what is empty or absent asks for all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Names of ApplicationSets; then only what they generate is listed.
    pub sets: Vec<String>,
    /// Environments.
    pub environments: Vec<String>,
    /// Projects.
    pub projects: Vec<String>,
}

impl Filter {
    /// What is wrong with it: a name that nothing has, although all are known.
    pub fn mistake(&self, model: &Model) -> Option<String> {
        let Model { repo, fleet, .. } = model;
        let sets = fleet.sets.iter().map(|set| set.resource(fleet, repo).metadata.name.as_ref().and_then(Text::as_str));
        let projects = fleet.apps.iter().map(App::project).chain(fleet.projects.names().map(Some));
        unknown("ApplicationSet", &self.sets, sets).or_else(|| unknown("project", &self.projects, projects)).or_else(
            || {
                let found = fleet.apps.iter().filter(|_| !self.environments.is_empty());
                let found: BTreeSet<String> = found.filter_map(|app| fleet.environments.of(app, repo)).collect();
                let configured = fleet.environments.order.iter().chain(&fleet.environments.production);
                unknown(
                    "environment",
                    &self.environments,
                    found.iter().chain(configured).map(|name| Some(name.as_str())),
                )
            },
        )
    }
}

/// A sentence about the first of the wanted names that nothing has. Where a name is not known, it may be any of them.
fn unknown<'n>(what: &str, wanted: &[String], names: impl Iterator<Item = Option<&'n str>>) -> Option<String> {
    if wanted.is_empty() {
        return None;
    }
    let names: BTreeSet<&str> = names.collect::<Option<_>>()?;
    let name = wanted.iter().find(|name| !names.contains(name.as_str()))?;
    let help = did_you_mean(name, names.iter().copied(), || match names.len() {
        0 => "there is none at all".to_owned(),
        _ => {
            let listed: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
            format!("there are {}{}", listed.join(", "), if names.len() > LISTED { " …" } else { "" })
        }
    });
    Some(format!("no {what} is named `{name}`; {help}"))
}

/// The apps that were asked for, in order of name, then of origin.
pub struct Listing<'m> {
    model: &'m Model,
    namespace: &'m str,
    rows: Vec<Row<'m>>,
    failures: Vec<(&'m Set, &'m Failure)>,
    undecided: Vec<&'m Undecided>,
}

struct Row<'m> {
    app: &'m App,
    environment: Option<String>,
}

impl<'m> Listing<'m> {
    /// The apps of a model that a filter and the paths of the settings leave.
    pub fn new(model: &'m Model, settings: &'m Settings, filter: &Filter) -> Listing<'m> {
        let Model { repo, fleet, .. } = model;
        let is_asked = |span: Span| settings.is_in_scope(repo.entry(span.file).root, &repo.entry(span.file).path);
        let is_among = |wanted: &[String], name: Option<&str>| {
            wanted.is_empty() || name.is_some_and(|name| wanted.iter().any(|wanted| wanted == name))
        };
        let set_name = |set: &Set| set.resource(fleet, repo).metadata.name.as_ref().and_then(Text::as_str);
        let sets: Vec<&Set> = fleet.sets.iter().filter(|set| is_among(&filter.sets, set_name(set))).collect();
        let of_sets = sets.iter().flat_map(|set| &fleet.apps[set.apps.clone()]);
        let declared = fleet.apps.iter().filter(|app| filter.sets.is_empty() && !app.is_generated());
        let rows =
            declared.chain(of_sets).filter(|app| is_asked(app.span()) && is_among(&filter.projects, app.project()));
        let rows = rows.map(|app| Row { app, environment: fleet.environments.of(app, repo) });
        let mut rows: Vec<Row<'_>> =
            rows.filter(|row| is_among(&filter.environments, row.environment.as_deref())).collect();
        rows.sort_by_cached_key(|row| (manifest::brief_or(row.app.metadata.name.as_ref(), ""), row.app.id));
        let failing = sets.iter().flat_map(|set| set.failures.iter().map(|failure| (*set, failure)));
        let is_of_set = |one: &&Undecided| {
            filter.sets.is_empty() || sets.iter().any(|set| set.document.file == one.unknown.span.file)
        };
        Listing {
            model,
            namespace: settings.argocd_namespace.as_deref().unwrap_or(NAMESPACE),
            rows,
            failures: failing.filter(|(_, failure)| is_asked(failure.span)).collect(),
            undecided: fleet.undecided.iter().filter(|one| is_asked(one.unknown.span)).filter(is_of_set).collect(),
        }
    }

    /// A table for people.
    pub fn table(&self) -> String {
        let cell = |text: Option<&Text>| text.map(manifest::brief).unwrap_or_default();
        let row = |row: &Row<'_>| {
            let app = row.app;
            let destination = app.spec.destination.as_ref();
            let cluster = destination.map(|to| cell(to.name.as_ref().or(to.server.as_ref()))).unwrap_or_default();
            let namespace = destination.map(|to| cell(to.namespace.as_ref())).unwrap_or_default();
            let sources: Vec<String> = app
                .sources
                .iter()
                .map(|source| {
                    let written = &source.written;
                    match (&written.path, &written.chart) {
                        (Some(path), _) => manifest::brief(path),
                        (None, Some(chart)) => {
                            format!("{}:{}", manifest::brief(chart), cell(written.revision.as_ref()))
                        }
                        (None, None) => written
                            .reference
                            .as_ref()
                            .map(|name| format!("${}", manifest::brief(name)))
                            .unwrap_or_default(),
                    }
                })
                .collect();
            [
                manifest::brief_or(app.metadata.name.as_ref(), "{?}"),
                app.spec.project.as_ref().map_or_else(|| "default".to_owned(), manifest::brief),
                row.environment.clone().unwrap_or_else(|| "-".to_owned()),
                if namespace.is_empty() { cluster } else { format!("{cluster}/{namespace}") },
                sources.join(" + "),
                self.place(app.document_span(&self.model.repo)),
            ]
        };
        let rows: Vec<[String; 6]> = self.rows.iter().map(row).collect();
        table::lay_out(["NAME", "PROJECT", "ENV", "DESTINATION", "SOURCE", "FROM"], &rows)
    }

    /// What people are told beside the table: how many, why some are missing.
    pub fn notes(&self) -> Vec<String> {
        let count = |is: fn(&App) -> bool| self.rows.iter().filter(|row| is(row.app)).count();
        let (generated, symbolic) = (count(App::is_generated), count(App::is_symbolic));
        let mut line = summary::counted(self.rows.len(), "application", "applications");
        if generated > 0 {
            write!(line, ", {generated} generated").expect("a string takes all text");
        }
        if symbolic > 0 {
            let stand = if symbolic == 1 { "stands" } else { "stand" };
            write!(line, ", {symbolic} of which {stand} for any number").expect("a string takes all text");
        }
        let mut lines = vec![line];
        lines.extend(self.failures.iter().map(|(_, failure)| {
            format!("{}: generates nothing: {}", self.place(failure.span), escape(&failure.message))
        }));
        lines.extend(summary::undecided_kinds(self.undecided.iter().copied()));
        lines
    }

    /// The form of the contract, `schemas/apps.schema.json`.
    pub fn json(&self) -> Value {
        json!({
            "version": 1,
            "applications": self.rows.iter().map(|row| self.app_json(row)).collect::<Vec<_>>(),
            "failures": self.failures.iter().map(|(set, failure)| self.failure_json(set, failure)).collect::<Vec<_>>(),
            "undecided": self.undecided.iter().map(|one| UndecidedForm::new(&self.model.repo, one)).collect::<Vec<_>>(),
        })
    }

    /// The manifests, one YAML document each, after a comment that says where each comes from.
    pub fn yaml(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let from = self.place(row.app.document_span(&self.model.repo));
            let word = if row.app.is_generated() { "generated by" } else { "declared in" };
            writeln!(text, "---\n# {word} {from}").expect("a string takes all text");
            text.push_str(&manifest::yaml(&self.manifest(row.app).json));
        }
        text
    }

    fn manifest(&self, app: &App) -> Shown {
        Shown::new(&app.manifest(&self.model.fleet, &self.model.repo))
    }

    fn app_json(&self, row: &Row<'_>) -> Value {
        let Model { repo, fleet, .. } = self.model;
        let app = row.app;
        let at = Location::of(repo, app.document_span(repo));
        let set = fleet.sets.iter().find(|set| set.apps.contains(&(app.id.0 as usize)));
        let set_name = set.and_then(|set| set.resource(fleet, repo).metadata.name.as_ref()).map(manifest::text);
        let (kind, origin) = match set {
            Some(_) => ("ApplicationSet", set_name),
            None => ("Application", app.metadata.name.as_ref().map(manifest::text)),
        };
        let shown = self.manifest(app);
        json!({
            "name": app.metadata.name.as_ref().map(manifest::text),
            "namespace": app.metadata.namespace.as_ref().map_or_else(|| self.namespace.to_owned(), manifest::text),
            "controller": match app.controller { Controller::Argo => "argocd" },
            "project": app.spec.project.as_ref().map_or_else(|| "default".to_owned(), manifest::text),
            "environment": row.environment,
            "origin": {"kind": kind, "name": origin, "root": at.root, "path": at.path, "line": at.start.line},
            "parametersFrom": app.parameters_from().iter().filter_map(|from| parameters(from, repo)).collect::<Vec<_>>(),
            "complete": shown.unknowns.is_empty() && !app.is_symbolic(),
            "unknowns": shown.unknowns,
            "manifest": shown.json,
        })
    }

    fn failure_json(&self, set: &Set, failure: &Failure) -> Value {
        let Model { repo, fleet, .. } = self.model;
        let at = Location::of(repo, failure.span);
        json!({
            "set": set.resource(fleet, repo).metadata.name.as_ref().map(manifest::text),
            "root": at.root, "path": at.path, "line": at.start.line,
            "class": failure.class.name(), "message": failure.message,
        })
    }

    fn place(&self, span: Span) -> String {
        let at = Location::of(&self.model.repo, span);
        let entry = self.model.repo.entry(span.file);
        format!("{}:{}", escape(&self.model.repo.display_path(entry)), at.start.line)
    }
}

/// A file, folder, list element or cluster that gives parameters; nothing for what stands nowhere.
fn parameters(from: &Provenance, repo: &Repo) -> Option<Value> {
    let at = |span: Span| {
        let at = Location::of(repo, span);
        json!({"root": at.root, "path": at.path, "line": at.start.line})
    };
    match from {
        Provenance::File(file) => {
            let at = Location::of(repo, Span::whole(*file));
            Some(json!({"root": at.root, "path": at.path}))
        }
        Provenance::Folder(root, path) => Some(json!({"root": repo.root(*root).name, "path": path.as_str()})),
        Provenance::Element(span) | Provenance::Remote(span) => Some(at(*span)),
        Provenance::Cluster(document) => Some(at(repo.document(*document).1.span)),
        Provenance::NamedCluster(_) => None,
    }
}
