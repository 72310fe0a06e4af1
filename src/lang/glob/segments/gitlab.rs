//! GitLab's patterns. Mirrors its documented normalisation and Ruby 3.1, `File.fnmatch` with PATHNAME and DOTMATCH.

use super::name::{Name, Token};
use super::{Part, Pattern};
use std::iter::Peekable;
use std::str::Chars;

/// Compiles a pattern of GitLab, as written in the file.
pub fn pattern(text: &str) -> Pattern {
    let text = normalize(text);
    let mut reader = Reader { chars: text.chars().peekable() };
    let mut parts = Vec::new();
    loop {
        let (part, is_last) = reader.segment();
        parts.push(part);
        if is_last {
            // Two stars mean folders only where a slash follows.
            return match parts.pop() {
                Some(Part::Folders) => Pattern::new([parts, vec![Part::Segment(Name::Any)]].concat(), false),
                last => Pattern::new(parts.into_iter().chain(last).collect(), false),
            };
        }
    }
}

/// The pattern as GitLab hands it to Ruby, without the leading slash that paths get too.
fn normalize(text: &str) -> String {
    let text = text.strip_prefix('\\').filter(|rest| rest.starts_with('#')).unwrap_or(text);
    let text = unescape_blanks(text);
    if text == "*" {
        return "**/*".to_owned();
    }
    let (anchor, inside) = text.strip_prefix('/').map_or(("**/", text.as_str()), |inside| ("", inside));
    let end = if text.ends_with('/') { "**/*" } else { "" };
    format!("{anchor}{inside}{end}")
}

/// A backslash and the blanks after it are one blank.
fn unescape_blanks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let after = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_whitespace());
        let is_blank = after.len() < rest.len() - at - 1;
        plain.push_str(&rest[..at]);
        plain.push(if is_blank { ' ' } else { '\\' });
        rest = after;
    }
    plain + rest
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
}

impl Reader<'_> {
    /// The next segment, and whether it is the last.
    fn segment(&mut self) -> (Part, bool) {
        let mut tokens = Vec::new();
        let mut is_impossible = false;
        let mut is_stars = 0;
        let is_last = loop {
            match self.chars.next() {
                None => break true,
                Some('/') => break false,
                // An escaped slash ends a segment all the same, and hides the stars before it.
                Some('\\') if self.chars.peek() == Some(&'/') => {
                    self.chars.next();
                    is_stars = 0;
                    break false;
                }
                Some('\\') => tokens.push(Token::Char(self.chars.next().unwrap_or('\\'))),
                Some('*') => {
                    is_stars += usize::from(tokens.len() == is_stars);
                    tokens.push(Token::Run);
                }
                Some('?') => tokens.push(Token::One),
                Some('[') => match self.class() {
                    Some(class) => tokens.push(class),
                    // A bracket that is not closed matches nothing; no more of the pattern is looked at.
                    None => is_impossible = true,
                },
                Some(c) => tokens.push(Token::Char(c)),
            }
        };
        if is_impossible {
            return (Part::Segment(Name::Never), is_last);
        }
        if tokens.len() == 2 && is_stars == 2 {
            return (Part::Folders, is_last);
        }
        (Part::Segment(Name::new(tokens)), is_last)
    }

    /// The class whose bracket was just read; a slash in it is a character like any other.
    fn class(&mut self) -> Option<Token> {
        let negated = self.chars.next_if(|c| matches!(c, '!' | '^')).is_some();
        let mut ranges = Vec::new();
        loop {
            let low = match self.chars.next()? {
                ']' => return Some(Token::Class { negated, ranges }),
                '\\' => self.chars.next()?,
                c => c,
            };
            let mut ahead = self.chars.clone();
            let is_range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
            if !is_range {
                ranges.push((low, low));
                continue;
            }
            self.chars.next();
            let high = match self.chars.next()? {
                '\\' => self.chars.next()?,
                c => c,
            };
            // Ruby takes the ends themselves whatever their order.
            ranges.extend([(low, high), (low, low), (high, high)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_needs_its_slash_and_two_stars_one_more() {
        for (text, path, is_match) in [
            ("*", "a/.b", true),
            ("docs", "docs/a", false),
            ("docs", "x/docs", true),
            ("docs/", "x/docs/a/b", true),
            ("/docs/", "x/docs/a", false),
            ("/docs/**", "docs/a", true),
            ("/docs/**", "docs/a/b", false),
            ("/docs/**/*", "docs/a/b", true),
            ("/a/**/b", "a/b", true),
            ("a/b.md", "x/a/b.md", true),
            ("\\#a", "x/#a", true),
            ("a\\ b", "a b", true),
            ("/a\\*", "a*", true),
            ("/a\\*", "ab", false),
            ("/***/a", "x/a", true),
            ("/***/a", "x/y/a", false),
        ] {
            assert_eq!(pattern(text).matches(path), is_match, "{text} {path}");
        }
    }

    #[test]
    fn brackets_are_classes() {
        for (text, path, is_match) in [
            ("/[ab]", "b", true),
            ("/[!ab]", "b", false),
            ("/[^ab]", "c", true),
            ("/[a-c]", "b", true),
            ("/[c-a]", "b", false),
            ("/[c-a]", "c", true),
            ("/[a-]", "-", true),
            ("/[\\]]", "]", true),
            ("/[]", "[]", false),
            ("/[a", "[a", false),
            ("/x[a/b]y", "xay", true),
        ] {
            assert_eq!(pattern(text).matches(path), is_match, "{text} {path}");
        }
    }
}
