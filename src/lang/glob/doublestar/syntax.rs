//! The parts of a pattern, found by looking at its characters alone. Mirrors doublestar 4.10.0, `validate.go` and
//! `utils.go`.

use super::{EMPTY_CLASS, NO_ESCAPED, UNCLOSED_BRACE, UNCLOSED_CLASS};
use crate::lang::glob::BadPattern;

/// `ValidatePattern`: braces and classes are closed, nothing ends in a backslash.
pub fn validate(pattern: &[u8]) -> Result<(), BadPattern> {
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        let start = at;
        match byte {
            b'\\' => {
                at += 1;
                if at == pattern.len() {
                    return Err(BadPattern::new(start, NO_ESCAPED));
                }
            }
            b'[' => {
                at += 1 + usize::from(matches!(pattern.get(at + 1), Some(b'^' | b'!')));
                if pattern.get(at) == Some(&b']') {
                    return Err(BadPattern::new(start, EMPTY_CLASS));
                }
                let close = pattern.get(at..).and_then(|rest| find_unescaped(rest, b']'));
                at += close.ok_or(BadPattern::new(start, UNCLOSED_CLASS))?;
            }
            b'{' => open.push(start),
            b'}' => {
                open.pop().ok_or(BadPattern::new(start, "no brace is open here"))?;
            }
            _ => {}
        }
        at += 1;
    }
    open.first().map_or(Ok(()), |&open| Err(BadPattern::new(open, UNCLOSED_BRACE)))
}

pub fn find_unescaped(text: &[u8], wanted: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            byte if byte == wanted => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the brace at `open` closes.
pub fn closing(pattern: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = open;
    while let Some(&byte) = pattern.as_bytes().get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The alternatives between two braces. Classes are not seen here: `{[,]}` has two.
pub fn split_choices(inner: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut at) = (0, 0, 0);
    while let Some(&byte) = inner.as_bytes().get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.push(&inner[start..]);
    found
}

/// The last such byte without a backslash before it.
pub fn last(pattern: &str, wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = pattern.as_bytes();
    (0..bytes.len()).rev().find(|&at| wanted(bytes[at]) && (at == 0 || bytes[at - 1] != b'\\'))
}

/// Where the brace opens that closes behind `pattern`.
pub fn opening(pattern: &str) -> Option<usize> {
    let mut depth = 1;
    let mut rest = pattern;
    while let Some(at) = last(rest, |byte| byte == b'{' || byte == b'}') {
        depth = if rest.as_bytes()[at] == b'}' { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return Some(at);
        }
        rest = &rest[..at];
    }
    None
}

/// The first character with a meaning, outside of escapes.
pub fn first_meta(pattern: &str) -> Option<usize> {
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'*' | b'?' | b'[' | b'{' => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Takes the backslash off characters with a meaning, and off nothing else.
pub fn unescape(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        match rest.peek() {
            Some(&('*' | '?' | '[' | ']' | '{' | '}')) if character == '\\' => {}
            _ => plain.push(character),
        }
    }
    plain
}
