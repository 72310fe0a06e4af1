//! Runs rules by their scope. A panic in a rule becomes the finding `internal-error`, and the run goes on.

use super::settings::Settings;
use crate::finding::{Finding, RuleId, Subject};
use crate::fleet::expand::Provenance;
use crate::fleet::{App, Fleet, Workers};
use crate::near::Nearby;
use crate::repo::{File, Repo};
use crate::rules::{Context, DocumentContext, Findings, Options, Rule, Run};
use crate::text::Span;
use crate::text::limits::FINDINGS_PER_RULE_AND_FILE;
use rayon::prelude::*;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Apps judged in one piece of parallel work.
const CHUNK: usize = 64;

/// All threads share out the work.
#[derive(Clone, Copy, Debug)]
pub struct Parallel;

impl Workers for Parallel {
    fn map<T: Sync, R: Send>(&self, pieces: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        pieces.par_iter().map(&work).collect()
    }
}

/// The rules that are on, with their options, looked up once; by default none.
#[derive(Default)]
pub struct Plan<'s> {
    rules: Vec<(&'static Rule, Options<'s>)>,
}

impl<'s> Plan<'s> {
    /// What `settings` turn on.
    pub fn new(settings: &'s Settings) -> Plan<'s> {
        Plan { rules: settings.enabled().map(|rule| (rule, settings.options(rule))).collect() }
    }
}

/// Runs the file and document rules on one file.
pub fn run_on_file(file: &File, plan: &Plan<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for &(rule, options) in &plan.rules {
        let before = found.len();
        match rule.check.run {
            Run::File(check) => {
                guarded(rule, Span::whole(file.source.id), None, &mut found, |out| check(file, &options, out));
            }
            Run::Document(check) => {
                let cx = DocumentContext { file, options };
                for document in &file.documents {
                    guarded(rule, document.span, None, &mut found, |out| check(document, &cx, out));
                }
            }
            _ => {}
        }
        limit(rule, &mut found, before);
    }
    found
}

/// Keeps a flood of findings of one rule in one file bounded; the last one kept says how many there are.
fn limit(rule: &Rule, found: &mut Vec<Finding>, before: usize) {
    let more = (found.len() - before).saturating_sub(FINDINGS_PER_RULE_AND_FILE);
    if more > 0 {
        let place = found[before + FINDINGS_PER_RULE_AND_FILE].span;
        found.truncate(before + FINDINGS_PER_RULE_AND_FILE);
        found.push(self::more(rule.id, place, more));
    }
}

/// What stands for findings that are not listed.
pub fn more(rule: RuleId, place: Span, count: usize) -> Finding {
    let findings = if count == 1 { "finding" } else { "findings" };
    Finding::new(rule, place, format!("{count} more {findings} of this rule in this file"))
}

/// Runs the app and fleet rules, and joins what the files already found. In no particular order.
pub fn run(repo: &Repo, fleet: &Fleet, plan: &Plan<'_>) -> Vec<Finding> {
    let near = Nearby::default();
    let of_apps: Vec<Finding> = fleet
        .apps
        .par_chunks(CHUNK)
        .flat_map_iter(|apps| apps.iter().flat_map(|app| run_on_app(app, repo, fleet, &near, plan)))
        .collect();
    let of_fleet: Vec<Finding> = plan
        .rules
        .par_iter()
        .flat_map_iter(|&(rule, options)| {
            let mut found = Vec::new();
            if let Run::Fleet(check) = rule.check.run {
                let cx = Context { repo, fleet, near: &near, options };
                guarded(rule, Span::default(), None, &mut found, |out| check(&cx, out));
            }
            found
        })
        .collect();
    let of_files = repo.files().flat_map(|file| file.findings.iter().cloned());
    of_files.chain(of_apps).chain(of_fleet).collect()
}

fn run_on_app(app: &App, repo: &Repo, fleet: &Fleet, near: &Nearby, plan: &Plan<'_>) -> Vec<Finding> {
    let subject = app.name().map(|name| Subject(name.to_owned()));
    let mut found = Vec::new();
    for &(rule, options) in &plan.rules {
        if let Run::App(check) = rule.check.run {
            let cx = Context { repo, fleet, near, options };
            guarded(rule, app.span(), subject.clone(), &mut found, |out| check(app, &cx, out));
        }
    }
    if app.is_generated() {
        found.iter_mut().for_each(|finding| explain_origin(finding, app, repo));
    }
    found
}

/// Adds to a finding about a generated app where its parameters come from. A change of a text that parameters fill in
/// would change it for every app of the set, so it is not offered.
fn explain_origin(finding: &mut Finding, app: &App, repo: &Repo) {
    for from in app.parameters_from() {
        if let Some((span, text)) = place_of(from, repo).filter(|(span, _)| *span != finding.span) {
            finding.label(span, text);
        }
    }
    let is_filled_in = |span: Span| {
        let text = repo.file(span.file).and_then(|file| file.source.text.get(span.start as usize..span.end as usize));
        text.is_none_or(|text| text.contains("{{"))
    };
    if finding.fix.as_ref().is_some_and(|fix| fix.edits.iter().any(|edit| is_filled_in(edit.span))) {
        finding.fix = None;
    }
}

/// Where parameters come from, and what this place is; nothing for what has no text.
fn place_of(from: &Provenance, repo: &Repo) -> Option<(Span, &'static str)> {
    match from {
        Provenance::Element(span) => Some((*span, "with the parameters of this element")),
        Provenance::File(file) => Some((Span::whole(*file), "with the parameters of this file")),
        Provenance::Cluster(document) => Some((repo.document(*document).1.span, "for this cluster")),
        Provenance::Folder(..) | Provenance::NamedCluster(_) | Provenance::Remote(_) => None,
    }
}

/// Runs one rule on one unit.
fn guarded(
    rule: &Rule,
    place: Span,
    subject: Option<Subject>,
    found: &mut Vec<Finding>,
    check: impl FnOnce(&mut Findings),
) {
    let result = catch(place, format_args!("rule `{}` failed here", rule.id), || {
        let mut out = Findings::new(rule.id).about(subject);
        check(&mut out);
        out.into_vec()
    });
    found.extend(result.unwrap_or_else(|failure| vec![*failure]));
}

/// Does some work; a panic becomes a finding at `place`, with what it said.
///
/// # Errors
/// The finding.
pub fn catch<T>(place: Span, message: fmt::Arguments<'_>, work: impl FnOnce() -> T) -> Result<T, Box<Finding>> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it said nothing");
        let mut finding = Finding::new(RuleId("internal-error"), place, message.to_string());
        finding.help(format!("report this as a bug of plimsoll: {said}"));
        Box::new(finding)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;
    use crate::text::FileId;

    #[test]
    fn a_panic_becomes_a_finding_and_the_run_goes_on() {
        let (rule, place) = (&RULES[0], Span::new(FileId(3), 1, 2));
        let mut found = Vec::new();
        guarded(rule, place, None, &mut found, |_| panic!("no such thing"));
        guarded(rule, place, None, &mut found, |out| {
            out.at(place, "after");
        });
        assert_eq!((found[0].rule.0, found[0].span), ("internal-error", place));
        assert_eq!(found[0].help.as_deref(), Some("report this as a bug of plimsoll: no such thing"));
        assert_eq!(found[1].message, "after");
    }

    #[test]
    fn a_flood_is_cut_off_and_counted() {
        let rule = &RULES[0];
        let mut found = Vec::new();
        guarded(rule, Span::default(), None, &mut found, |out| {
            for at in 0..FINDINGS_PER_RULE_AND_FILE + 7 {
                out.at(Span::default(), format!("{at}"));
            }
        });
        limit(rule, &mut found, 0);
        assert_eq!(found.len(), FINDINGS_PER_RULE_AND_FILE + 1);
        assert_eq!(found[FINDINGS_PER_RULE_AND_FILE].message, "7 more findings of this rule in this file");
    }
}
