//! One line per finding, for editors and `grep`: `path:line:column: severity[rule] message`.

use super::{Location, View, escape};
use crate::engine::Report;
use std::io::{self, Write};

/// Writes the findings that the view shows.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, view: View, out: &mut dyn Write) -> io::Result<()> {
    for judged in view.shown(report) {
        let finding = &judged.finding;
        let at = Location::of(&report.repo, finding.span).start;
        let path = report.path_of(finding.span);
        let (path, message) = (escape(&path), escape(&finding.message));
        writeln!(out, "{path}:{}:{}: {}[{}] {message}", at.line, at.column, judged.severity, finding.rule)?;
    }
    Ok(())
}
