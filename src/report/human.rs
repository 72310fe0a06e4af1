//! For people: each finding with the lines it is about, then what the run amounts to.

use super::excerpt::Excerpts;
use super::{View, escape, summary};
use crate::engine::{Judged, Report};
use crate::finding::Severity;
use crate::repo::Repo;
use crate::text::Span;
use codespan_reporting::diagnostic::{self, Diagnostic, Label, LabelStyle};
use codespan_reporting::term::{self, Config, WriteStyle};
use rayon::prelude::*;
use std::io::{self, Write};

/// Findings rendered in one piece of parallel work.
const CHUNK: usize = 64;

/// Writes the findings that the view shows, without the summary.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, view: View, out: &mut dyn Write) -> io::Result<()> {
    let shown: Vec<&Judged> = view.shown(report).collect();
    let rendered: Vec<Vec<u8>> = shown
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut painter = Painter { out: Vec::new(), color: view.color, is_info_header: false };
            chunk.iter().for_each(|judged| render(&report.repo, judged, &mut painter));
            painter.out
        })
        .collect();
    rendered.iter().try_for_each(|piece| out.write_all(piece))
}

/// Writes what the run amounts to.
///
/// # Errors
/// Those of `out`.
pub fn write_summary(report: &Report, notes: &[String], view: View, out: &mut dyn Write) -> io::Result<()> {
    summary::lines(report, notes, view).iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn render(repo: &Repo, judged: &Judged, painter: &mut Painter) {
    let finding = &judged.finding;
    let entry = repo.entry(finding.span.file);
    let has_text = entry.file.as_ref().is_some_and(|file| !file.source.text.is_empty());
    let mut message = escape(&finding.message).into_owned();
    if !has_text {
        // With no line to show, the path stands in the first line.
        message = format!("{}: {message}", escape(&repo.display_path(entry)));
    }
    let mut spans: Vec<Span> = has_text.then_some(finding.span).into_iter().collect();
    spans.extend(finding.labels.iter().map(|label| label.span));
    let (excerpts, shown) = Excerpts::new(repo, &spans);
    let (own, others) = shown.split_at(usize::from(has_text));
    let own = own.iter().map(|shown| Label::primary(shown.file, shown.range.clone()));
    let mut labels: Vec<Label<usize>> = own.collect();
    for (label, shown) in finding.labels.iter().zip(others) {
        let text = escape(&label.text).into_owned();
        match labels.first_mut() {
            Some(own) if label.span == finding.span => own.message = text,
            _ => labels.push(Label::secondary(shown.file, shown.range.clone()).with_message(text)),
        }
    }
    let mut notes: Vec<String> = Vec::new();
    notes.extend(finding.help.as_ref().map(|help| format!("help: {}", escape(help))));
    notes.extend(finding.fix.as_ref().map(|fix| format!("fix: {}", escape(&fix.title))));
    if let Some(subject) = &finding.subject {
        let name = escape(&subject.0);
        notes.push(match judged.apps {
            0 | 1 => format!("application: {name}"),
            apps => format!("applications: {name} and {} more", apps - 1),
        });
    }
    let severity = match judged.severity {
        Severity::Error => diagnostic::Severity::Error,
        Severity::Warning => diagnostic::Severity::Warning,
        Severity::Info => diagnostic::Severity::Note,
    };
    let diagnostic =
        Diagnostic::new(severity).with_code(finding.rule.0).with_message(message).with_labels(labels).with_notes(notes);
    term::emit_to_write_style(painter, &config(), &excerpts, &diagnostic)
        .expect("memory takes all bytes, and every label is inside its excerpt");
}

fn config() -> Config {
    Config { tab_width: 2, ..Config::default() }
}

/// Collects the text, with colours or without.
struct Painter {
    out: Vec<u8>,
    color: bool,
    /// Whether the next word is the severity of an info, which the renderer calls a note.
    is_info_header: bool,
}

impl Painter {
    fn paint(&mut self, code: &str) -> io::Result<()> {
        if self.color { write!(self.out, "\u{1b}[{code}m") } else { Ok(()) }
    }
}

fn color_of(severity: diagnostic::Severity) -> &'static str {
    match severity {
        diagnostic::Severity::Bug | diagnostic::Severity::Error => "31",
        diagnostic::Severity::Warning => "33",
        diagnostic::Severity::Note | diagnostic::Severity::Help => "36",
    }
}

impl Write for Painter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_info_header)
            && let Some(rest) = bytes.strip_prefix(b"note")
        {
            self.out.extend_from_slice(b"info");
            self.out.extend_from_slice(rest);
            return Ok(bytes.len());
        }
        self.out.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WriteStyle for Painter {
    fn set_header(&mut self, severity: diagnostic::Severity) -> io::Result<()> {
        self.is_info_header = severity == diagnostic::Severity::Note;
        self.paint(&format!("1;{}", color_of(severity)))
    }

    fn set_header_message(&mut self) -> io::Result<()> {
        self.paint("1")
    }

    fn set_line_number(&mut self) -> io::Result<()> {
        self.paint("34")
    }

    fn set_note_bullet(&mut self) -> io::Result<()> {
        self.paint("34")
    }

    fn set_source_border(&mut self) -> io::Result<()> {
        self.paint("34")
    }

    fn set_label(&mut self, severity: diagnostic::Severity, style: LabelStyle) -> io::Result<()> {
        self.paint(if style == LabelStyle::Primary { color_of(severity) } else { "34" })
    }

    fn reset(&mut self) -> io::Result<()> {
        self.paint("0")
    }
}
