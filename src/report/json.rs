//! Everything a run found, for programs. The form is a contract: `schemas/report.schema.json`.

use super::{Location, is_plain, summary};
use crate::engine::{Judged, Report, Summary};
use crate::finding::{Fix, Safety};
use crate::fleet::Undecided;
use crate::repo::Repo;
use crate::rules::{self, Nature};
use crate::text::Span;
use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The version of the form.
const VERSION: u32 = 1;

/// Writes the whole report.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    to_ascii(&Form::new(report), out)
}

/// Writes JSON in which nothing controls a terminal, and a last line end.
///
/// # Errors
/// Those of `out`.
pub fn to_ascii(form: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = serde_json::Serializer::with_formatter(&mut *out, Ascii(PrettyFormatter::new()));
    form.serialize(&mut writer).map_err(io::Error::from)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Form<'r> {
    version: u32,
    tool: Tool,
    summary: Summary,
    findings: Vec<FindingForm<'r>>,
    undecided: Vec<UndecidedForm<'r>>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct FindingForm<'r> {
    rule: &'r str,
    nature: &'static str,
    severity: &'static str,
    message: &'r str,
    help: Option<&'r str>,
    #[serde(flatten)]
    place: PlaceForm<'r>,
    start: u32,
    end: u32,
    labels: Vec<LabelForm<'r>>,
    application: Option<&'r str>,
    applications: u32,
    fix: Option<FixForm<'r>>,
    fingerprint: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlaceForm<'r> {
    path: Cow<'r, str>,
    root: &'r str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct LabelForm<'r> {
    #[serde(flatten)]
    place: PlaceForm<'r>,
    text: &'r str,
}

#[derive(Serialize)]
struct FixForm<'r> {
    title: &'r str,
    safety: &'static str,
    edits: Vec<EditForm<'r>>,
    renames: Vec<RenameForm<'r>>,
}

#[derive(Serialize)]
struct EditForm<'r> {
    path: &'r str,
    root: &'r str,
    start: u32,
    end: u32,
    text: &'r str,
}

#[derive(Serialize)]
struct RenameForm<'r> {
    root: &'r str,
    from: &'r str,
    to: &'r str,
}

/// One thing that could not be decided, in the form of the contract.
#[derive(Serialize)]
pub struct UndecidedForm<'r> {
    path: Cow<'r, str>,
    root: &'r str,
    line: u32,
    what: &'r str,
    why: String,
    remedy: Option<&'static str>,
}

impl<'r> Form<'r> {
    fn new(report: &'r Report) -> Form<'r> {
        Form {
            version: VERSION,
            tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
            summary: report.summary,
            findings: report.findings.iter().map(|judged| FindingForm::new(&report.repo, judged)).collect(),
            undecided: report.undecided.iter().map(|one| UndecidedForm::new(&report.repo, one)).collect(),
        }
    }
}

impl<'r> FindingForm<'r> {
    fn new(repo: &'r Repo, judged: &'r Judged) -> FindingForm<'r> {
        let finding = &judged.finding;
        let nature = match rules::find(finding.rule.0).map(|rule| rule.nature) {
            Some(Nature::Opinion) => "opinion",
            Some(Nature::Fact) | None => "fact",
        };
        let label =
            |label: &'r crate::finding::Label| LabelForm { place: PlaceForm::new(repo, label.span), text: &label.text };
        FindingForm {
            rule: finding.rule.0,
            nature,
            severity: judged.severity.name(),
            message: &finding.message,
            help: finding.help.as_deref(),
            place: PlaceForm::new(repo, finding.span),
            start: finding.span.start,
            end: finding.span.end,
            labels: finding.labels.iter().map(label).collect(),
            application: finding.subject.as_ref().map(|subject| subject.0.as_str()),
            applications: judged.apps,
            fix: finding.fix.as_deref().map(|fix| FixForm::new(repo, fix)),
            fingerprint: fingerprint(repo, judged),
        }
    }
}

impl<'r> PlaceForm<'r> {
    fn new(repo: &'r Repo, span: Span) -> PlaceForm<'r> {
        let at = Location::of(repo, span);
        PlaceForm {
            path: at.path,
            root: at.root,
            line: at.start.line,
            column: at.start.column,
            end_line: at.end.line,
            end_column: at.end.column,
        }
    }
}

impl<'r> FixForm<'r> {
    fn new(repo: &'r Repo, fix: &'r Fix) -> FixForm<'r> {
        let root = |file| repo.root(repo.entry(file).root).name.as_str();
        let edits = fix.edits.iter().map(|edit| EditForm {
            path: repo.entry(edit.span.file).path.as_str(),
            root: root(edit.span.file),
            start: edit.span.start,
            end: edit.span.end,
            text: &edit.text,
        });
        let renames = fix.renames.iter().map(|rename| RenameForm {
            root: root(rename.from),
            from: repo.entry(rename.from).path.as_str(),
            to: rename.to.as_str(),
        });
        let safety = match fix.safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        };
        FixForm { title: &fix.title, safety, edits: edits.collect(), renames: renames.collect() }
    }
}

impl<'r> UndecidedForm<'r> {
    /// The form of one thing, with its place in lines.
    pub fn new(repo: &'r Repo, one: &'r Undecided) -> UndecidedForm<'r> {
        let at = Location::of(repo, one.unknown.span);
        let (why, remedy) = summary::explain(&one.unknown.why);
        UndecidedForm { path: at.path, root: at.root, line: at.start.line, what: one.what, why, remedy }
    }
}

/// Tells a finding from all others whatever line it stands on: by rule, path, app and message.
pub fn fingerprint(repo: &Repo, judged: &Judged) -> String {
    let finding = &judged.finding;
    let path = repo.display_path(repo.entry(finding.span.file));
    let subject = finding.subject.as_ref().map_or("", |subject| &subject.0);
    let mut hash = Sha256::new();
    for part in [finding.rule.0, &path, subject, &finding.message] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes all text");
        hex
    })
}

/// Writes what a terminal would obey, or what hides or reorders text, as `\uXXXX`: the text read back is the same.
struct Ascii(PrettyFormatter<'static>);

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| !is_plain(*character)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_characters_survive_without_reaching_the_terminal() {
        let text = "a\u{1b}[31m\u{202e}b\u{9b}\u{e0001}é\n";
        let mut bytes = Vec::new();
        text.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Ascii(PrettyFormatter::new()))).unwrap();
        let written = String::from_utf8(bytes).unwrap();
        assert_eq!(written, r#""a\u001b[31m\u202eb\u009b\udb40\udc01é\n""#);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    }
}
