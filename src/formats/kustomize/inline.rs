//! YAML inside a text of a kustomization: its values keep the place in the file where they are written.

use crate::formats::read;
use crate::text::Span;
use crate::value::{List, Map, Piece, Text, Unknown, Value};
use crate::yaml::{self, Node, Style};
use std::sync::Arc;

/// The documents of the YAML text that a scalar holds; `None` when it is no YAML. Empty documents are left out.
pub fn documents(scalar: Node<'_>) -> Option<Vec<Value>> {
    let text = scalar.text()?;
    let places = Places::new(scalar, text);
    let tree = yaml::parse(scalar.span().file, Arc::from(text));
    if !tree.errors().is_empty() {
        return None;
    }
    let roots = tree.documents().iter().filter_map(|document| tree.root(document));
    Some(roots.map(|root| places.moved(read::value(root))).filter(|value| !matches!(value, Value::Null(_))).collect())
}

/// Where the characters of a scalar's text stand in its file.
struct Places {
    /// The whole scalar: the place of everything that has no better one.
    whole: Span,
    /// For each line of the text: its first byte there, its first byte in the file, its length.
    lines: Vec<(u32, u32, u32)>,
}

impl Places {
    fn new(scalar: Node<'_>, text: &str) -> Places {
        let whole = scalar.span();
        let source = &scalar.tree().text()[scalar.origin().range()];
        let lines = match scalar.style() {
            // A block's lines follow its header one by one; each is cut on the left by the block's indentation.
            Style::Literal => {
                let body = source.split_inclusive('\n').scan(scalar.origin().start, |start, line| {
                    let from = *start;
                    *start += line.len() as u32;
                    Some((from, line.trim_end_matches(['\n', '\r'])))
                });
                let mut inner = 0;
                let cut = text.split_inclusive('\n').map(|line| {
                    let from = inner;
                    inner += line.len() as u32;
                    (from, line.trim_end_matches('\n').len() as u32)
                });
                body.skip(1)
                    .zip(cut)
                    .map(|((outer, line), (from, length))| {
                        (from, outer + (line.len() as u32).saturating_sub(length), length)
                    })
                    .collect()
            }
            _ if scalar.is_verbatim() => {
                let quote = u32::from(matches!(scalar.style(), Style::SingleQuoted | Style::DoubleQuoted));
                vec![(0, scalar.origin().start + quote, text.len() as u32)]
            }
            _ => Vec::new(),
        };
        Places { whole, lines }
    }

    fn place(&self, inner: u32) -> Option<u32> {
        let line = self.lines.partition_point(|line| line.0 <= inner).checked_sub(1)?;
        let (from, outer, length) = self.lines[line];
        Some(outer + (inner - from).min(length))
    }

    fn span(&self, inner: Span) -> Span {
        match (self.place(inner.start), self.place(inner.end)) {
            (Some(start), Some(end)) if start <= end => Span::new(self.whole.file, start, end),
            _ => self.whole,
        }
    }

    fn moved(&self, value: Value) -> Value {
        match value {
            Value::Null(span) => Value::Null(self.span(span)),
            Value::Bool(mut bool) => {
                bool.span = self.span(bool.span);
                Value::Bool(bool)
            }
            Value::Int(mut int) => {
                int.span = self.span(int.span);
                Value::Int(int)
            }
            Value::Float(mut float) => {
                float.span = self.span(float.span);
                Value::Float(float)
            }
            Value::Text(text) => {
                let mut moved = Text::default();
                for piece in text.pieces() {
                    moved.push(match piece {
                        Piece::Known(known) => {
                            let mut known = known.clone();
                            known.span = self.span(known.span);
                            Piece::Known(known)
                        }
                        Piece::Unknown(unknown) => {
                            Piece::Unknown(Unknown { why: unknown.why.clone(), span: self.span(unknown.span) })
                        }
                    });
                }
                Value::Text(moved)
            }
            Value::List(list) => Value::List(List {
                items: list.items.into_iter().map(|item| self.moved(item)).collect(),
                span: self.span(list.span),
            }),
            Value::Map(map) => {
                let span = self.span(map.span);
                let entries = map.entries.into_iter().map(|(mut key, value)| {
                    key.span = self.span(key.span);
                    (key, self.moved(value))
                });
                Value::Map(Map { entries: entries.collect(), span })
            }
            Value::Unknown(unknown) => Value::Unknown(Unknown { span: self.span(unknown.span), ..unknown }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;

    /// The source text under the place of every text of the first document below the key `patch`.
    fn places(source: &str) -> Vec<&str> {
        let tree = yaml::parse(FileId(0), Arc::from(source));
        let root = tree.root(&tree.documents()[0]).expect("the test's YAML is valid");
        let documents = documents(root.get("patch").unwrap()).unwrap();
        let mut found = Vec::new();
        collect(&documents[0], source, &mut found);
        found
    }

    fn collect<'s>(value: &Value, source: &'s str, found: &mut Vec<&'s str>) {
        match value {
            Value::Map(map) => {
                for (key, value) in &map.entries {
                    found.push(&source[key.span.range()]);
                    collect(value, source, found);
                }
            }
            Value::List(list) => list.items.iter().for_each(|item| collect(item, source, found)),
            other => found.push(&source[other.span().range()]),
        }
    }

    #[test]
    fn a_block_keeps_the_places_of_its_values() {
        let source = "a: 1\npatch: |-\n  kind: x\n\n  spec:\n    path: apps/y\n";
        assert_eq!(places(source), ["kind", "x", "spec", "path", "apps/y"]);
    }

    #[test]
    fn a_block_with_windows_line_ends_keeps_them_too() {
        let source = "patch: |\r\n    kind: x\r\n    spec: [b]\r\n";
        assert_eq!(places(source), ["kind", "x", "spec", "b"]);
    }

    #[test]
    fn a_quoted_text_without_escapes_keeps_them_too() {
        assert_eq!(places("patch: '{kind: x}'\n"), ["kind", "x"]);
    }

    #[test]
    fn a_folded_text_stands_for_all_its_values() {
        let source = "patch: >-\n  {kind:\n  x}\n";
        assert_eq!(places(source), [">-\n  {kind:\n  x}", ">-\n  {kind:\n  x}"]);
    }

    #[test]
    fn a_text_that_is_no_yaml_has_no_documents() {
        let tree = yaml::parse(FileId(0), Arc::from("patch: '{'\nempty: ''\n"));
        let root = tree.root(&tree.documents()[0]).unwrap();
        assert_eq!(documents(root.get("patch").unwrap()), None);
        assert_eq!(documents(root.get("empty").unwrap()), Some(Vec::new()));
    }
}
