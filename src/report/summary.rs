//! What a run amounts to: counts, what was taken for granted, and what stayed undecided.

use super::{Location, View, escape};
use crate::engine::{Report, Summary};
use crate::finding::Severity;
use crate::fleet::Undecided;
use crate::formats::Kind;
use crate::repo::RepoUrl;
use crate::value::Why;
use std::collections::BTreeMap;

/// Environments that are named.
const ENVIRONMENTS: usize = 6;

/// Kinds of undecided things that are listed unless all are asked for.
const KINDS: usize = 3;

/// The summary, one line after another.
pub fn lines(report: &Report, notes: &[String], view: View) -> Vec<String> {
    let mut lines = vec![counts(&report.summary, view)];
    if report.summary.fixable > 0 {
        lines.push(format!("{} on offer", counted(report.summary.fixable, "fix", "fixes")));
    }
    lines.extend(nothing_found(report));
    lines.extend(inferred(report));
    lines.extend(notes.iter().map(|note| format!("note: {}", escape(note))));
    lines.extend(missing_identity(report));
    lines.extend(if view.verbose { every_undecided(report) } else { undecided_kinds(&report.undecided) });
    lines
}

/// `2 errors, 1 warning in 214 files, 380 documents, 61 applications; 3 infos not shown`.
pub fn counts(summary: &Summary, view: View) -> String {
    let found = [
        (Severity::Error, summary.errors, "error", "errors"),
        (Severity::Warning, summary.warnings, "warning", "warnings"),
        (Severity::Info, summary.infos, "info", "infos"),
    ];
    let list = |wanted: &dyn Fn(Severity) -> bool| {
        let some = found.iter().filter(|(severity, count, ..)| *count > 0 && wanted(*severity));
        some.map(|(_, count, one, many)| counted(*count, one, many)).collect::<Vec<_>>().join(", ")
    };
    let (shown, hidden) = (list(&|severity| severity >= view.show), list(&|severity| severity < view.show));
    let mut line = if shown.is_empty() { "no findings".to_owned() } else { shown };
    let scope = [
        counted(summary.files, "file", "files"),
        counted(summary.documents, "document", "documents"),
        counted(summary.applications, "application", "applications"),
    ];
    line += &format!(" in {}", scope.join(", "));
    if !hidden.is_empty() {
        line += &format!("; {hidden} not shown (`--show info`)");
    }
    if summary.suppressed > 0 {
        line += &format!("; {} suppressed", summary.suppressed);
    }
    if summary.baselined > 0 {
        line += &format!("; {} in the baseline", summary.baselined);
    }
    line
}

/// `1 file`, `2 files`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn inferred(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(url) = &report.inferred.url {
        lines.push(format!("inferred: this is a checkout of {}, the only repository its sources name", escape(url)));
    }
    if let Some(branch) = &report.inferred.branch {
        lines.push(format!("inferred: branch `{}` is checked out, the only one its sources name", escape(branch)));
    }
    lines.extend(environments(report));
    lines
}

/// Which environments names and folders told, as nothing is configured.
fn environments(report: &Report) -> Option<String> {
    let found = report.fleet.environments.inferred(&report.fleet.apps, &report.repo);
    let quoted = |wanted: bool| {
        let names = found.iter().filter(|(_, is_production)| wanted || **is_production);
        names.map(|(name, _)| format!("`{}`", escape(name))).collect::<Vec<_>>()
    };
    let (all, production) = (quoted(true), quoted(false));
    let (rest, dots) = (all.len().saturating_sub(ENVIRONMENTS), if all.len() > ENVIRONMENTS { " …" } else { "" });
    let named = all[..all.len() - rest].join(", ");
    let production = match production.len() {
        0 => String::new(),
        1 => format!("; {} is production", production[0]),
        count => format!("; {count} of them are production"),
    };
    (!all.is_empty()).then(|| format!("inferred: environments {named}{dots}{production}, by names, labels and folders"))
}

/// That a run had nothing to say something about: without it, a mere absence of findings looks like a success.
pub fn nothing_found(report: &Report) -> Option<String> {
    let kinds = [Kind::Application, Kind::ApplicationSet, Kind::AppProject];
    let is_empty = kinds.into_iter().all(|kind| report.repo.documents(kind).next().is_none());
    let is_all = is_empty && report.fleet.apps.is_empty() && report.fleet.undecided.is_empty();
    is_all.then(|| {
        let files = counted(report.repo.entries().len(), "file", "files");
        format!("no Argo CD object found: no Application, ApplicationSet or AppProject is in {files}")
    })
}

/// Why something is not known, and what would decide it.
pub fn explain(why: &Why) -> (String, Option<&'static str>) {
    let (why, remedy) = match why {
        Why::Repository(url) => {
            return (format!("repository {url} is not among the roots"), Some("map it with `repos:` or `--repo`"));
        }
        Why::Revision(name) => {
            let why = format!("revision `{name}` is neither checked out nor a tag or commit of this clone");
            return (why, Some("fetch it, or check it out and map it"));
        }
        Why::Runtime(what) => return (format!("{what} is known only while the controller runs"), None),
        Why::Cluster => (
            "the cluster is not declared in the roots",
            Some("put its Secret into a root, or list it with `clusters:`"),
        ),
        Why::Template => ("another tool fills in a template here", None),
        Why::Submodule => ("it lies in a submodule or another checkout", Some("map that checkout with `repos:`")),
        Why::Unreadable => ("a file that decides could not be read", None),
        Why::Patched => ("a kustomization changes the value on its way", None),
    };
    (why.to_owned(), remedy)
}

/// One line for each reason, the most frequent first, and no wall of them. Spellings of one repository are one reason.
pub fn undecided_kinds<'u>(undecided: impl IntoIterator<Item = &'u Undecided>) -> Vec<String> {
    let mut kinds: BTreeMap<String, (usize, &Why)> = BTreeMap::new();
    for one in undecided {
        let why = &one.unknown.why;
        let repository = if let Why::Repository(url) = why { RepoUrl::new(url) } else { None };
        let kind = repository.map_or_else(|| explain(why).0, |url| url.as_str().to_owned());
        kinds.entry(kind).or_insert((0, why)).0 += 1;
    }
    let mut kinds: Vec<(usize, &Why)> = kinds.into_values().collect();
    kinds.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let rest: usize = kinds.iter().skip(KINDS).map(|(count, _)| count).sum();
    let shown = kinds.iter().take(KINDS);
    let mut lines: Vec<String> =
        shown.map(|(count, why)| format!("undecided: {count}, because {}", reason(why))).collect();
    if rest > 0 {
        lines.push(format!("undecided: {rest} for other reasons (`-v` lists all)"));
    }
    lines
}

/// Why, and what would decide it, as the end of a sentence.
fn reason(why: &Why) -> String {
    let (why, remedy) = explain(why);
    let remedy = remedy.map(|remedy| format!("; {remedy}")).unwrap_or_default();
    format!("{}{remedy}", escape(&why))
}

fn every_undecided(report: &Report) -> Vec<String> {
    let line = |one: &Undecided| {
        let line = Location::of(&report.repo, one.unknown.span).start.line;
        let path = report.path_of(one.unknown.span);
        format!("undecided: {}:{line}: {}, because {}", escape(&path), one.what, reason(&one.unknown.why))
    };
    report.undecided.iter().map(line).collect()
}

/// What to type when nothing tells which repository is checked, and something depends on it.
fn missing_identity(report: &Report) -> Option<String> {
    let is_repository = |one: &Undecided| matches!(one.unknown.why, Why::Repository(_));
    let is_nameless = report.repo.roots().first().is_some_and(|root| root.urls.is_empty());
    let hint = "no remote says which repository this is: `--repo URL=.` does, or `repos:` in the configuration";
    (is_nameless && report.undecided.iter().any(is_repository)).then(|| hint.to_owned())
}

/// How many findings each rule has, the most frequent first.
pub fn statistics(report: &Report) -> Vec<String> {
    let mut rules: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    for judged in &report.findings {
        *rules.entry((judged.severity, judged.finding.rule.0)).or_default() += 1;
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|((severity, rule), count)| (std::cmp::Reverse(*count), std::cmp::Reverse(*severity), *rule));
    rules.into_iter().map(|((severity, rule), count)| format!("{count:>6} {severity:<7} {rule}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;
    use crate::value::Unknown;

    fn view(show: Severity) -> View {
        View { show, verbose: false, color: false }
    }

    #[test]
    fn counts_read_as_a_sentence() {
        let summary = Summary { errors: 2, warnings: 1, infos: 3, files: 1, documents: 2, ..Summary::default() };
        let wanted = "2 errors, 1 warning in 1 file, 2 documents, 0 applications; 3 infos not shown (`--show info`)";
        assert_eq!(counts(&summary, view(Severity::Warning)), wanted);
        let summary = Summary { suppressed: 1, ..Summary::default() };
        let wanted = "no findings in 0 files, 0 documents, 0 applications; 1 suppressed";
        assert_eq!(counts(&summary, view(Severity::Warning)), wanted);
    }

    #[test]
    fn spellings_of_one_repository_are_one_reason() {
        let urls = ["https://host/a/b", "https://host/a/b.git", "git@host:a/b"];
        let undecided = urls.map(|url| {
            let why = Why::Repository(url.to_owned());
            Undecided { what: "source", unknown: Unknown { why, span: Span::default() } }
        });
        let lines = undecided_kinds(&undecided);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("undecided: 3, because repository https://host/a/b is not"), "{}", lines[0]);
    }

    #[test]
    fn reasons_are_counted_and_never_a_wall() {
        let undecided: Vec<Undecided> = (0..9)
            .flat_map(|number| {
                let why = Why::Repository(format!("https://host/{number}"));
                let one = Undecided { what: "source", unknown: Unknown { why, span: Span::default() } };
                vec![one; if number == 5 { 2 } else { 1 }]
            })
            .collect();
        let lines = undecided_kinds(&undecided);
        assert_eq!(lines.len(), KINDS + 1);
        assert!(lines[0].starts_with("undecided: 2, because repository https://host/5 is not among the roots; map it"));
        assert_eq!(lines[KINDS], "undecided: 6 for other reasons (`-v` lists all)");
    }
}
