//! Placeholders `{{name}}` in ApplicationSets without `goTemplate`.
//!
//! Mirrors Argo CD 3.5, `applicationset/utils`, `Replace`, on valyala/fasttemplate 1.2.2. There are no functions, no
//! escapes, and no second round: what a value brings in is not looked at again.

use std::fmt;
use std::ops::Range;

/// A part of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece<'t> {
    /// Text that stays.
    Literal(&'t str),
    /// A placeholder.
    Tag {
        /// Its bytes in the template, braces included. These stay when the name has no value.
        range: Range<usize>,
        /// What stands between the braces, without the white space around it; may be empty, and then has no value.
        name: &'t str,
    },
}

/// A `{{` without its `}}`, beside a proper placeholder. Alone it is text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unclosed {
    /// Where the `{{` stands, in bytes of the template.
    pub offset: usize,
}

impl fmt::Display for Unclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this placeholder is not closed")
    }
}

impl std::error::Error for Unclosed {}

/// Whether Argo CD looks for placeholders in `text`: `{{` and a later `}}` stand on one line.
pub fn is_template(text: &str) -> bool {
    text.split('\n').any(|line| line.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}")))
}

/// The pieces of `text`, in order, without empty literals; together they cover it.
///
/// # Errors
/// When a `{{` is not closed. Argo CD then renders nothing of the whole ApplicationSet.
pub fn parse(text: &str) -> Result<Vec<Piece<'_>>, Unclosed> {
    let mut pieces = Vec::new();
    let mut at = 0;
    if is_template(text) {
        while let Some(open) = text[at..].find("{{").map(|open| at + open) {
            let inner = open + "{{".len();
            let close = text[inner..].find("}}").map(|close| inner + close).ok_or(Unclosed { offset: open })?;
            if at < open {
                pieces.push(Piece::Literal(&text[at..open]));
            }
            at = close + "}}".len();
            pieces.push(Piece::Tag { range: open..at, name: text[inner..close].trim() });
        }
    }
    if at < text.len() {
        pieces.push(Piece::Literal(&text[at..]));
    }
    Ok(pieces)
}

/// `text` with every placeholder replaced for whose name `value` answers; all others stay as they are written.
///
/// # Errors
/// As for [`parse`].
pub fn render<'v>(text: &str, value: impl Fn(&str) -> Option<&'v str>) -> Result<String, Unclosed> {
    let mut rendered = String::with_capacity(text.len());
    for piece in parse(text)? {
        rendered.push_str(match piece {
            Piece::Literal(literal) => literal,
            Piece::Tag { range, name: "" } => &text[range],
            Piece::Tag { range, name } => value(name).unwrap_or(&text[range]),
        });
    }
    Ok(rendered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> Result<String, Unclosed> {
        render(text, |name| match name {
            "a" => Some("x"),
            "path[0]" => Some("{{a}}"),
            "" => Some("never"),
            _ => None,
        })
    }

    #[test]
    fn a_known_name_is_replaced_and_blanks_do_not_count() {
        assert_eq!(rendered("-{{a}}-{{ \ta }}-").unwrap(), "-x-x-");
    }

    #[test]
    fn an_unknown_name_stays_as_it_is_written() {
        for text in ["{{ b }}", "{{}}", "{{ }}", "{{ .a }}", "{{ a | lower }}", "{{{a}}}", "{{ {{a}} }}"] {
            assert_eq!(rendered(text).unwrap(), text);
        }
    }

    #[test]
    fn a_value_is_not_rendered_again() {
        assert_eq!(rendered("{{path[0]}}").unwrap(), "{{a}}");
    }

    #[test]
    fn an_open_placeholder_is_an_error_only_beside_a_closed_one() {
        assert_eq!(rendered("{{a}} {{").unwrap_err().offset, 6);
        assert_eq!(rendered("{{a").unwrap(), "{{a");
        assert_eq!(rendered("{{a}").unwrap(), "{{a}");
    }

    #[test]
    fn a_placeholder_over_two_lines_is_seen_only_beside_another() {
        assert_eq!(rendered("{{a\n}}").unwrap(), "{{a\n}}");
        assert_eq!(rendered("{{a\n}} {{a}}").unwrap(), "x x");
    }

    #[test]
    fn pieces_know_their_place() {
        let pieces = parse("x{{ a }}").unwrap();
        assert_eq!(pieces, [Piece::Literal("x"), Piece::Tag { range: 1..8, name: "a" }]);
    }
}
