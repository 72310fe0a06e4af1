//! Workflow commands of GitHub Actions: one line for each finding becomes an annotation.

use super::{Location, escape};
use crate::engine::Report;
use crate::finding::Severity;
use std::io::{self, Write};

/// Writes all findings.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for judged in &report.findings {
        let finding = &judged.finding;
        let command = match judged.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let at = Location::of(&report.repo, finding.span);
        let path = report.path_of(finding.span);
        write!(out, "::{command} file={},line={},endLine={}", property(&path), at.start.line, at.end.line)?;
        // Columns of a place of several lines are refused.
        if at.start.line == at.end.line {
            write!(out, ",col={},endColumn={}", at.start.column, at.end.column)?;
        }
        write!(out, ",title={}::{}", property(finding.rule.0), data(&finding.message))?;
        match &finding.help {
            Some(help) => writeln!(out, "%0Ahelp: {}", data(help))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// The text of a command: `%` begins an escape there.
fn data(text: &str) -> String {
    escape(text).replace('%', "%25")
}

/// The value of a property, which `,` and `:` end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_neither_ends_nor_begins_a_command() {
        assert_eq!(data("a\n::error::b%0A::c"), "a\\u{a}::error::b%250A::c");
        assert_eq!(property("a,line=1::b\r\n"), "a%2Cline=1%3A%3Ab\\u{d}\\u{a}");
    }

    #[test]
    fn marks_that_reorder_text_are_shown() {
        assert_eq!(data("a\u{202e}b\u{1b}[0m"), "a\\u{202e}b\\u{1b}[0m");
    }
}
