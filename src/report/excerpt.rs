//! The few lines of a file that a finding shows: harmless to a terminal, cut to a width, with places carried over.

use super::push_escaped;
use crate::repo::Repo;
use crate::text::{FileId, Position, Span};
use codespan_reporting::files::{Error, Files, Location};
use std::collections::BTreeSet;
use std::ops::Range;

/// Characters of a line that are shown.
const WIDTH: usize = 160;
/// Characters that are shown before the place when a line is cut.
const BEFORE: usize = 48;

/// Excerpts of the files that one finding names; a file's id is its index.
#[derive(Default)]
pub struct Excerpts {
    files: Vec<Excerpt>,
}

/// Some lines of one file, as shown.
struct Excerpt {
    name: String,
    text: String,
    lines: Vec<Line>,
    /// Places in `text`, and where they are in the file.
    places: Vec<(usize, Position)>,
}

struct Line {
    /// From 0, in the file.
    index: usize,
    range: Range<usize>,
}

/// A span in an excerpt.
pub struct Shown {
    /// The excerpt.
    pub file: usize,
    /// The bytes of its text.
    pub range: Range<usize>,
}

impl Excerpts {
    /// The lines that these spans start on, and one line between two of them. A span of several lines is shown by its
    /// first. The answers are in the order of the spans.
    pub fn new(repo: &Repo, spans: &[Span]) -> (Excerpts, Vec<Shown>) {
        let mut files: Vec<FileId> = Vec::new();
        for span in spans {
            if !files.contains(&span.file) {
                files.push(span.file);
            }
        }
        let mut excerpts = Excerpts::default();
        let mut shown: Vec<Option<Range<usize>>> = vec![None; spans.len()];
        for &file in &files {
            let wanted: Vec<(usize, Span)> =
                spans.iter().copied().enumerate().filter(|(_, span)| span.file == file).collect();
            let excerpt = Excerpt::new(repo, file, &wanted, &mut shown);
            excerpts.files.push(excerpt);
        }
        let file = |span: &Span| files.iter().position(|file| *file == span.file).unwrap_or_default();
        let shown =
            spans.iter().zip(shown).map(|(span, range)| Shown { file: file(span), range: range.unwrap_or_default() });
        let shown = shown.collect();
        (excerpts, shown)
    }
}

impl Excerpt {
    fn new(repo: &Repo, file: FileId, wanted: &[(usize, Span)], shown: &mut [Option<Range<usize>>]) -> Excerpt {
        let entry = repo.entry(file);
        let name = super::escape(&repo.display_path(entry)).into_owned();
        let mut excerpt = Excerpt { name, text: String::new(), lines: Vec::new(), places: Vec::new() };
        let Some(source) = entry.file.as_ref().map(|file| &file.source) else {
            excerpt.lines.push(Line { index: 0, range: 0..0 });
            excerpt.places.push((0, Position { line: 1, column: 1 }));
            wanted.iter().for_each(|(index, _)| shown[*index] = Some(0..0));
            return excerpt;
        };
        let line_of = |span: &Span| source.lines().line_of(span.start.min(source.text.len() as u32));
        let mut lines: BTreeSet<usize> = wanted.iter().map(|(_, span)| line_of(span)).collect();
        let between: Vec<usize> =
            lines.iter().filter(|line| lines.contains(&(*line + 2))).map(|line| line + 1).collect();
        lines.extend(between);
        for index in lines {
            let range = source.lines().range(&source.text, index).unwrap_or_default();
            let line = source.text[range.clone()].trim_end_matches(['\n', '\r']);
            let here: Vec<(usize, Span)> = wanted.iter().copied().filter(|(_, span)| line_of(span) == index).collect();
            let inside = |offset: u32| (offset as usize).clamp(range.start, range.start + line.len()) - range.start;
            let places: Vec<Range<usize>> = here.iter().map(|(_, span)| inside(span.start)..inside(span.end)).collect();
            let start = excerpt.text.len();
            let carried = push_line(&mut excerpt.text, line, &places);
            excerpt.lines.push(Line { index, range: start..excerpt.text.len() });
            for ((at, span), range) in here.iter().zip(carried) {
                excerpt.places.push((range.start, source.position(span.start)));
                shown[*at] = Some(range);
            }
            excerpt.text.push('\n');
        }
        excerpt
    }
}

/// Appends a line as it is shown, and says where the given ranges of it are in `out`.
fn push_line(out: &mut String, line: &str, places: &[Range<usize>]) -> Vec<Range<usize>> {
    let window = window(line, places);
    let mut carried: Vec<Range<usize>> = vec![0..0; places.len()];
    if window.start > 0 {
        out.push('…');
    }
    let mut carry = |from: usize, at: usize| {
        for (place, carried) in places.iter().zip(&mut carried) {
            if place.start.clamp(window.start, window.end) == from {
                carried.start = at;
            }
            if place.end.clamp(window.start, window.end) == from {
                carried.end = at;
            }
        }
    };
    for (offset, character) in line[window.clone()].char_indices() {
        carry(window.start + offset, out.len());
        if character == '\t' {
            out.push(character);
        } else {
            push_escaped(out, character);
        }
    }
    carry(window.end, out.len());
    if window.end < line.len() {
        out.push('…');
    }
    carried
}

/// The part of a line that is shown: all of it, or some characters around its first place.
fn window(line: &str, places: &[Range<usize>]) -> Range<usize> {
    if line.len() <= WIDTH {
        return 0..line.len();
    }
    let first = places.iter().map(|place| place.start).min().unwrap_or_default();
    let start = line[..first].char_indices().rev().nth(BEFORE - 1).map_or(0, |(offset, _)| offset);
    let end = line[start..].char_indices().nth(WIDTH).map_or(line.len(), |(offset, _)| start + offset);
    if end < line.len() {
        return start..end;
    }
    let start = line.char_indices().rev().nth(WIDTH - 1).map_or(0, |(offset, _)| offset).min(start);
    start..line.len()
}

impl<'a> Files<'a> for Excerpts {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.file(id)?.name)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(&self.file(id)?.text)
    }

    fn line_index(&'a self, id: usize, offset: usize) -> Result<usize, Error> {
        let lines = &self.file(id)?.lines;
        let line = lines.iter().rev().find(|line| line.range.start <= offset);
        line.map(|line| line.index).ok_or(Error::IndexTooLarge { given: offset, max: 0 })
    }

    fn line_range(&'a self, id: usize, index: usize) -> Result<Range<usize>, Error> {
        let line = self.file(id)?.lines.iter().find(|line| line.index == index);
        line.map(|line| line.range.clone()).ok_or(Error::LineTooLarge { given: index, max: 0 })
    }

    fn location(&'a self, id: usize, offset: usize) -> Result<Location, Error> {
        let place = self.file(id)?.places.iter().find(|place| place.0 == offset);
        let at = place.map_or(Position { line: 1, column: 1 }, |place| place.1);
        Ok(Location { line_number: at.line as usize, column_number: at.column as usize })
    }
}

impl Excerpts {
    fn file(&self, id: usize) -> Result<&Excerpt, Error> {
        self.files.get(id).ok_or(Error::FileMissing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str, place: Range<usize>) -> (String, String) {
        let mut out = String::new();
        let carried = push_line(&mut out, line, &[place]);
        let marked = out[carried[0].clone()].to_owned();
        (out, marked)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        assert_eq!(shown("path: charts", 6..12), ("path: charts".into(), "charts".into()));
    }

    #[test]
    fn places_are_carried_over_escapes() {
        assert_eq!(shown("\u{1b}[0m: é", 6..8), ("\\u{1b}[0m: é".into(), "é".into()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = format!("{}HERE{}", "a".repeat(10_000), "b".repeat(10_000));
        let (text, marked) = shown(&line, 10_000..10_004);
        assert_eq!(marked, "HERE");
        assert_eq!(text.chars().count(), WIDTH + 2);
        assert!(text.starts_with('…') && text.ends_with('…'));
    }

    #[test]
    fn a_long_place_is_cut_with_its_line() {
        let line = "é".repeat(9_000);
        let (text, marked) = shown(&line, 0..line.len());
        assert_eq!((text.chars().count(), marked.chars().count()), (WIDTH + 1, WIDTH));
    }

    #[test]
    fn the_end_of_a_long_line_is_shown_with_what_stands_before_it() {
        let line = format!("{}END", "a".repeat(1_000));
        let (text, marked) = shown(&line, 1_000..1_003);
        assert_eq!((marked.as_str(), text.chars().count()), ("END", WIDTH + 1));
    }
}
