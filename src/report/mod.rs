//! Findings as people and programs read them: one file per output format.
//!
//! Here spans become lines and columns. Text from files leaves the program only through [`escape`] or the string
//! writer of a format: control characters and marks that change the order of text are shown as what they are.

pub mod checkstyle;
pub mod concise;
mod excerpt;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;
pub mod summary;
mod xml;

use crate::engine::{Judged, Report};
use crate::finding::Severity;
use crate::repo::Repo;
use crate::text::{Position, Span};
use std::borrow::Cow;
use std::fmt::Write as _;

/// What a reader wants to see.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Findings below this severity are counted, not shown; machine formats show everything.
    pub show: Severity,
    /// Whether everything that stayed undecided is listed.
    pub verbose: bool,
    /// Whether the terminal shows colours.
    pub color: bool,
}

impl View {
    fn shown<'r>(&self, report: &'r Report) -> impl Iterator<Item = &'r Judged> {
        let show = self.show;
        report.findings.iter().filter(move |judged| judged.severity >= show)
    }
}

/// A span as people read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location<'r> {
    /// The name of the root.
    pub root: &'r str,
    /// The path in the root.
    pub path: Cow<'r, str>,
    /// Where it starts.
    pub start: Position,
    /// Where it ends; the column after the last character.
    pub end: Position,
}

impl Location<'_> {
    /// The place of a span. What has no text (a folder, an unreadable file) is at line 1, column 1.
    pub fn of(repo: &Repo, span: Span) -> Location<'_> {
        let entry = repo.entry(span.file);
        let position =
            |offset| entry.file.as_ref().map_or(Position { line: 1, column: 1 }, |file| file.source.position(offset));
        Location {
            root: &repo.root(entry.root).name,
            path: if entry.path.is_root() { ".".into() } else { entry.path.as_str().into() },
            start: position(span.start),
            end: position(span.end),
        }
    }
}

/// Text that is safe to print on a terminal: what controls one, or hides or reorders text, is written as `\u{…}`.
pub fn escape(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        push_escaped(&mut escaped, character);
    }
    Cow::Owned(escaped)
}

fn push_escaped(out: &mut String, character: char) {
    if is_plain(character) {
        out.push(character);
    } else {
        write!(out, "\\u{{{:x}}}", u32::from(character)).expect("a string takes all text");
    }
}

/// Whether a character shows as itself and changes nothing around it.
fn is_plain(character: char) -> bool {
    !character.is_control()
        && !matches!(
            character,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays() {
        assert_eq!(escape("größer 日本 👩\u{200d}🚀"), "größer 日本 👩\u{200d}🚀");
    }

    #[test]
    fn what_controls_a_terminal_is_shown_as_what_it_is() {
        assert_eq!(escape("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(escape("a\nb\rc\u{9b}d\u{7f}"), "a\\u{a}b\\u{d}c\\u{9b}d\\u{7f}");
    }

    #[test]
    fn what_reorders_or_hides_text_is_shown_as_what_it_is() {
        assert_eq!(escape("a\u{202e}b\u{2066}c\u{200b}d\u{feff}"), "a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}");
    }
}
