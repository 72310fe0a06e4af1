//! JUnit XML: a test case for each finding; one at `info` passes, the others fail.

use super::{Location, xml};
use crate::engine::{Judged, Report};
use crate::finding::Severity;
use std::io::{self, Write};

/// Writes the whole report. Without findings one test case passes, since readers refuse a report without any.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let tests = report.findings.len().max(1);
    let failures = report.summary.errors + report.summary.warnings;
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"plimsoll\" tests=\"{tests}\" failures=\"{failures}\">")?;
    writeln!(out, "  <testsuite name=\"plimsoll\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    if report.findings.is_empty() {
        writeln!(out, "    <testcase name=\"no findings\" classname=\"plimsoll\"/>")?;
    }
    report.findings.iter().try_for_each(|judged| case(report, judged, out))?;
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn case(report: &Report, judged: &Judged, out: &mut dyn Write) -> io::Result<()> {
    let finding = &judged.finding;
    let at = Location::of(&report.repo, finding.span).start;
    let path = xml::text(&report.path_of(finding.span));
    let (rule, message) = (finding.rule, xml::text(&finding.message));
    writeln!(out, "    <testcase name=\"{rule} at {path}:{}:{}\" classname=\"{path}\">", at.line, at.column)?;
    let mut text = format!("{path}:{}:{}: {}[{rule}] {message}", at.line, at.column, judged.severity);
    if let Some(help) = &finding.help {
        text += &format!("\nhelp: {}", xml::text(help));
    }
    match judged.severity {
        Severity::Error | Severity::Warning => {
            writeln!(out, "      <failure type=\"{}\" message=\"{message}\">{text}</failure>", judged.severity)?;
        }
        Severity::Info => writeln!(out, "      <system-out>{text}</system-out>")?,
    }
    writeln!(out, "    </testcase>")
}
