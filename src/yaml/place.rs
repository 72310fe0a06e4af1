//! Where a part of a scalar's text stands in the file: through quotes, escapes, folds and indentation.

use super::tree::{Kind, Node, Style, Tree};
use crate::text::Span;
use std::ops::Range;

impl Tree {
    /// The bytes of the file behind `part` of the text of the scalar written at `span`.
    ///
    /// A line break that was folded or cut stands at the end of its line. A span that is no scalar of this tree, or a
    /// part beyond its text, gives the whole span.
    pub fn place_in_scalar(&self, span: Span, part: Range<usize>) -> Span {
        let found = self.nodes_starting_in(span.start..span.start + 1).find(|node| node.span() == span);
        found.and_then(|node| place(node, part)).unwrap_or(span)
    }
}

fn place(node: Node<'_>, part: Range<usize>) -> Option<Span> {
    let text =
        node.text().filter(|text| node.kind() == Kind::Scalar && part.start <= part.end && part.end <= text.len())?;
    let origin = node.origin();
    let source = node.tree().text().get(origin.range())?;
    let quote = usize::from(matches!(node.style(), Style::SingleQuoted | Style::DoubleQuoted));
    let at = |offset: usize| origin.start + offset as u32;
    if node.is_verbatim() {
        return Some(Span::new(origin.file, at(quote + part.start), at(quote + part.end)));
    }
    let mut walk = Walk { source: source.as_bytes(), at: quote, style: node.style() };
    if matches!(node.style(), Style::Literal | Style::Folded) {
        walk.at = source.find('\n').map_or(source.len(), |line_break| line_break + 1);
    }
    let (mut start, mut end) = (None, None);
    let mut offset = 0;
    for character in text.chars() {
        if offset >= part.end {
            break;
        }
        let bytes = walk.next(character)?;
        if offset >= part.start {
            start = start.or(Some(bytes.start));
            end = Some(bytes.end);
        }
        offset += character.len_utf8();
    }
    let start = start.unwrap_or(walk.at);
    Some(Span::new(origin.file, at(start), at(end.unwrap_or(start))))
}

/// A walk over the source of a scalar, one character of its text after the other.
struct Walk<'s> {
    source: &'s [u8],
    at: usize,
    style: Style,
}

impl Walk<'_> {
    /// The source bytes of the next character of the text; `None` when the two do not fit.
    fn next(&mut self, character: char) -> Option<Range<usize>> {
        if self.style == Style::DoubleQuoted {
            self.skip_escaped_breaks();
            if self.source.get(self.at) == Some(&b'\\') {
                let start = self.at;
                self.at += escape_len(&self.source[start..])?;
                return Some(start..self.at);
            }
        }
        if matches!(character, ' ' | '\t' | '\n') {
            return Some(self.white(character));
        }
        while matches!(self.source.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
            if self.style == Style::DoubleQuoted {
                self.skip_escaped_breaks();
            }
        }
        let start = self.at;
        let mut encoded = [0; 4];
        let encoded = character.encode_utf8(&mut encoded).as_bytes();
        if self.style == Style::DoubleQuoted && self.source.get(start) == Some(&b'\\') {
            self.at += escape_len(&self.source[start..])?;
        } else if self.source[start..].starts_with(encoded) {
            let is_doubled = self.style == Style::SingleQuoted && character == '\'';
            self.at += encoded.len() + usize::from(is_doubled);
        } else {
            return None;
        }
        Some(start..self.at)
    }

    /// White space of the text: the same byte where it stands, else (a fold) the line break, which is not consumed:
    /// what follows skips it.
    fn white(&mut self, character: char) -> Range<usize> {
        let start = self.at;
        let rest = &self.source[start..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let ends_line = matches!(rest.get(blanks), Some(b'\r' | b'\n'));
        if character == '\n' || (ends_line && blanks == 0) {
            let skipped = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
            let is_break = rest[..skipped].iter().all(|byte| byte.is_ascii_whitespace());
            if is_break {
                self.at += skipped;
            }
            return start..self.at;
        }
        if rest.first() == Some(&(character as u8)) {
            self.at += 1;
        }
        start..self.at
    }

    /// Skips `\` at the end of a line, and the blanks that begin the next.
    fn skip_escaped_breaks(&mut self) {
        while self.source[self.at.min(self.source.len())..].starts_with(b"\\\n")
            || self.source[self.at.min(self.source.len())..].starts_with(b"\\\r\n")
        {
            self.at += 2;
            while matches!(self.source.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                self.at += 1;
            }
        }
    }
}

/// Bytes of the escape sequence at the start of `source`.
fn escape_len(source: &[u8]) -> Option<usize> {
    Some(match source.get(1)? {
        b'x' => 4,
        b'u' => 6,
        b'U' => 10,
        _ => 2,
    })
}

#[cfg(test)]
mod tests {
    use crate::text::FileId;
    use crate::yaml::parse;

    /// The source behind `wanted` in the text of the value of `a`.
    fn behind(source: &str, wanted: &str) -> String {
        let tree = parse(FileId(0), source.into());
        let node = tree.root(&tree.documents()[0]).unwrap().get("a").unwrap();
        let start = node.text().unwrap().find(wanted).unwrap();
        let place = tree.place_in_scalar(node.span(), start..start + wanted.len());
        source[place.range()].to_owned()
    }

    #[test]
    fn a_part_of_a_verbatim_scalar_is_itself() {
        assert_eq!(behind("a: x {{ y }}\n", "{{ y }}"), "{{ y }}");
        assert_eq!(behind("a: 'x {{ y }}'\n", "{{ y }}"), "{{ y }}");
    }

    #[test]
    fn quotes_and_escapes_are_seen_through() {
        assert_eq!(behind("a: 'it''s {{ y }}'\n", "{{ y }}"), "{{ y }}");
        assert_eq!(behind("a: \"\\u00e9 \\\"{{ y }}\"\n", "{{ y }}"), "{{ y }}");
        assert_eq!(behind("a: \"x \\\n  {{ y }}\"\n", "{{ y }}"), "{{ y }}");
    }

    #[test]
    fn folds_and_indentation_are_seen_through() {
        assert_eq!(behind("a: |\n  x\n  {{ y }}\n", "{{ y }}"), "{{ y }}");
        assert_eq!(behind("a: >-\n  x\n  z {{ y }}\n", "{{ y }}"), "{{ y }}");
        assert_eq!(behind("a: x\n  z {{ y }}\n", "{{ y }}"), "{{ y }}");
        assert_eq!(behind("a: |\n  x\n\n    {{ y }}\n", "{{ y }}"), "{{ y }}");
    }

    #[test]
    fn a_part_may_span_lines() {
        assert_eq!(behind("a: |\n  {{ x }}\n  {{ y }}\n", "{{ x }}\n{{ y }}"), "{{ x }}\n  {{ y }}");
    }
}
