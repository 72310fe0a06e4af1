//! Runs rules by their scope. A panic in a rule becomes the finding `internal-error`, and the run goes on.

use super::settings::Settings;
use crate::finding::{Finding, RuleId, Subject};
use crate::fleet::Fleet;
use crate::repo::{File, Repo};
use crate::rules::{Context, DocumentContext, Findings, Rule, Run};
use crate::text::Span;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Apps judged in one piece of parallel work.
const CHUNK: usize = 64;

/// Runs the file and document rules on one file.
pub fn run_on_file(file: &File, settings: &Settings) -> Vec<Finding> {
    let mut found = Vec::new();
    for rule in settings.enabled() {
        let options = settings.options(rule);
        match rule.check.run {
            Run::File(check) => {
                found.extend(guarded(rule, Span::whole(file.source.id), None, |out| check(file, &options, out)));
            }
            Run::Document(check) => {
                for document in &file.documents {
                    let cx = DocumentContext { file, options };
                    found.extend(guarded(rule, document.span, None, |out| check(document, &cx, out)));
                }
            }
            _ => {}
        }
    }
    found
}

/// Runs the app and fleet rules, and joins what the files already found. In no particular order.
pub fn run(repo: &Repo, fleet: &Fleet, settings: &Settings) -> Vec<Finding> {
    let rules: Vec<&'static Rule> = settings.enabled().collect();
    let of_apps: Vec<Finding> = fleet
        .apps
        .par_chunks(CHUNK)
        .flat_map_iter(|apps| apps.iter().flat_map(|app| run_on_app(app, repo, fleet, &rules, settings)))
        .collect();
    let of_fleet: Vec<Finding> = rules
        .par_iter()
        .flat_map_iter(|rule| match rule.check.run {
            Run::Fleet(check) => {
                let cx = Context { repo, fleet, options: settings.options(rule) };
                guarded(rule, Span::default(), None, |out| check(&cx, out))
            }
            _ => Vec::new(),
        })
        .collect();
    let of_files = repo.files().flat_map(|file| file.findings.iter().cloned());
    of_files.chain(of_apps).chain(of_fleet).collect()
}

fn run_on_app(
    app: &crate::fleet::App,
    repo: &Repo,
    fleet: &Fleet,
    rules: &[&'static Rule],
    settings: &Settings,
) -> Vec<Finding> {
    let subject = app.name().map(|name| Subject(name.to_owned()));
    let mut found = Vec::new();
    for rule in rules {
        if let Run::App(check) = rule.check.run {
            let cx = Context { repo, fleet, options: settings.options(rule) };
            found.extend(guarded(rule, app.span(), subject.clone(), |out| check(app, &cx, out)));
        }
    }
    found
}

/// Runs one rule on one unit; a panic is reported at `place`.
fn guarded(rule: &Rule, place: Span, subject: Option<Subject>, check: impl FnOnce(&mut Findings)) -> Vec<Finding> {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut out = Findings::new(rule.id).about(subject);
        check(&mut out);
        out.into_vec()
    }));
    result.unwrap_or_else(|_| {
        let mut finding = Finding::new(RuleId("internal-error"), place, format!("rule `{}` failed here", rule.id));
        finding.help("report this as a bug of plimsoll, with the file");
        vec![finding]
    })
}
