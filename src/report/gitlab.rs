//! GitLab Code Quality: what a merge request shows beside its changes.

use super::json::{fingerprint, to_ascii};
use super::{Location, escape};
use crate::engine::Report;
use crate::finding::Severity;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

/// Writes the whole report.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let findings = report.findings.iter().map(|judged| {
        let finding = &judged.finding;
        let at = Location::of(&report.repo, finding.span);
        let mut fingerprint = fingerprint(&report.repo, judged);
        // GitLab shows one finding for each fingerprint; the same slip twice in a file is two.
        let count = seen.entry(fingerprint.clone()).or_default();
        *count += 1;
        if *count > 1 {
            fingerprint = format!("{fingerprint}-{count}");
        }
        json!({
            "description": escape(&finding.message),
            "check_name": finding.rule.0,
            "fingerprint": fingerprint,
            "severity": match judged.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            },
            "location": {
                "path": report.path_of(finding.span),
                "lines": {"begin": at.start.line, "end": at.end.line},
            },
        })
    });
    to_ascii(&findings.collect::<Value>(), out)
}
