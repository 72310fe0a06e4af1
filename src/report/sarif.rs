//! SARIF 2.1.0, for code scanning: rules with their pages, places, fingerprints and fixes.
//!
//! Suppressed and baselined findings are counted by a run, not kept, so none is listed here.

use super::json::{fingerprint, to_ascii};
use super::{Location, escape};
use crate::engine::{Judged, Report};
use crate::finding::{Finding, Fix, Severity};
use crate::repo::Repo;
use crate::rules::{self, Nature};
use crate::text::{FileId, Span};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

/// What paths of the first root are relative to.
const BASE: &str = "%SRCROOT%";

/// Writes the whole report. Of the rules those are described that speak.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let ids: BTreeSet<&str> = report.findings.iter().map(|judged| judged.finding.rule.0).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let results: Vec<Value> = report.findings.iter().map(|judged| result(&report.repo, judged, &ids)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": env!("CARGO_PKG_NAME"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": ids.iter().map(|id| descriptor(id)).collect::<Vec<_>>(),
            }},
            "invocations": [{"executionSuccessful": !report.is_incomplete}],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    to_ascii(&log, out)
}

fn descriptor(id: &str) -> Value {
    let Some(rule) = rules::find(id) else { return json!({"id": id}) };
    let nature = match rule.nature {
        Nature::Fact => "fact",
        Nature::Opinion => "opinion",
    };
    json!({
        "id": id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.page.lines().find(|line| !line.is_empty()).unwrap_or(rule.title)},
        "help": {"text": rule.page.trim(), "markdown": rule.page.trim()},
        "defaultConfiguration": {
            "level": rule.severity.map_or("none", level),
            "enabled": rule.severity.is_some(),
        },
        "properties": {"tags": ["gitops", nature]},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(repo: &Repo, judged: &Judged, ids: &[&str]) -> Value {
    let finding = &judged.finding;
    let mut place = json!({"physicalLocation": physical(repo, finding.span)});
    if let Some(subject) = &finding.subject {
        place["logicalLocations"] = json!([{"name": subject.0, "kind": "resource"}]);
    }
    let mut result = json!({
        "ruleId": finding.rule.0,
        "ruleIndex": ids.binary_search(&finding.rule.0).expect("every rule that speaks is listed"),
        "level": level(judged.severity),
        "message": {"text": text(&said(finding))},
        "locations": [place],
        "partialFingerprints": {"plimsoll/v1": fingerprint(repo, judged)},
    });
    if !finding.labels.is_empty() {
        let labels = finding.labels.iter().enumerate().map(|(index, label)| {
            json!({
                "id": index + 1,
                "physicalLocation": physical(repo, label.span),
                "message": {"text": text(&label.text)},
            })
        });
        result["relatedLocations"] = labels.collect();
    }
    // The format knows no renames, and half of a fix would be worse than none.
    if let Some(fix) = finding.fix.as_deref().filter(|fix| fix.renames.is_empty() && !fix.edits.is_empty()) {
        result["fixes"] = json!([change(repo, fix)]);
    }
    result
}

fn said(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}\nhelp: {}", escape(&finding.message), escape(help)),
        None => escape(&finding.message).into_owned(),
    }
}

/// Plain text of the format holds links as `[text](target)`: where a text could be read so, it is escaped.
fn text(text: &str) -> Cow<'_, str> {
    if text.contains("](") { text.replace('[', "\\[").replace(']', "\\]").into() } else { text.into() }
}

fn physical(repo: &Repo, span: Span) -> Value {
    json!({"artifactLocation": artifact(repo, span.file), "region": region(repo, span)})
}

fn region(repo: &Repo, span: Span) -> Value {
    let at = Location::of(repo, span);
    json!({
        "startLine": at.start.line,
        "startColumn": at.start.column,
        "endLine": at.end.line,
        "endColumn": at.end.column,
    })
}

fn artifact(repo: &Repo, file: FileId) -> Value {
    let path = repo.display_path(repo.entry(file));
    let mut artifact = Map::new();
    if path.starts_with('/') {
        artifact.insert("uri".into(), format!("file://{}", uri(&path)).into());
    } else {
        artifact.insert("uri".into(), uri(&path).into());
        artifact.insert("uriBaseId".into(), BASE.into());
    }
    artifact.into()
}

/// A path as a URI reference; a `:` in it begins no scheme.
fn uri(path: &str) -> String {
    path.bytes().fold(String::with_capacity(path.len()), |mut uri, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => write!(uri, "%{byte:02X}").expect("a string takes all text"),
        }
        uri
    })
}

fn change(repo: &Repo, fix: &Fix) -> Value {
    let files: BTreeSet<FileId> = fix.edits.iter().map(|edit| edit.span.file).collect();
    let changes = files.into_iter().map(|file| {
        let edits = fix.edits.iter().filter(|edit| edit.span.file == file);
        let replacements =
            edits.map(|edit| json!({"deletedRegion": region(repo, edit.span), "insertedContent": {"text": edit.text}}));
        json!({"artifactLocation": artifact(repo, file), "replacements": replacements.collect::<Vec<_>>()})
    });
    json!({"description": {"text": text(&fix.title)}, "artifactChanges": changes.collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_relative_reference() {
        assert_eq!(uri("a b/ü:%0A?#.yaml"), "a%20b/%C3%BC%3A%250A%3F%23.yaml");
    }

    #[test]
    fn no_text_is_a_link() {
        assert_eq!(text("[a](https://b)"), "\\[a\\](https://b)");
        assert_eq!(text("`[ab]*`"), "`[ab]*`");
    }
}
