//! Checkstyle XML, which many servers and review bots read.

use super::{Location, xml};
use crate::engine::Report;
use std::io::{self, Write};

/// Writes the whole report.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">")?;
    // Findings are in order of files.
    for of_file in report.findings.chunk_by(|one, next| one.finding.span.file == next.finding.span.file) {
        let path = report.path_of(of_file[0].finding.span);
        writeln!(out, "  <file name=\"{}\">", xml::text(&path))?;
        for judged in of_file {
            let finding = &judged.finding;
            let at = Location::of(&report.repo, finding.span).start;
            writeln!(
                out,
                "    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"plimsoll.{}\"/>",
                at.line,
                at.column,
                judged.severity,
                xml::text(&finding.message),
                finding.rule
            )?;
        }
        writeln!(out, "  </file>")?;
    }
    writeln!(out, "</checkstyle>")
}
