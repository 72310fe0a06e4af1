//! Texts by words: case styles, titles, wrapping, abbreviating.
//!
//! Mirrors sprig 3.3 over Masterminds/goutils 1.1 and huandu/xstrings 1.5, oddities included: some of these walk over
//! bytes and take each for a character.

use super::strings::slice;
use super::{Call, Function, Outcome, Type};
use crate::lang::template::env::Fault;
use crate::lang::template::unicode::{
    is_digit, is_letter, is_lower, is_number, is_punctuation, is_title, is_upper, to_lower, to_title, to_upper,
};

use Type::{Int, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("abbrev", &[Int, Text], |call| {
        let (width, text) = (call.int(0)?, call.string(1)?);
        call.env.text(if width < 4 { text.to_string() } else { abbreviate(text, 0, width)? })
    }),
    Function::new("abbrevboth", &[Int, Int, Text], |call| {
        let (left, right, text) = (call.int(0)?, call.int(1)?, call.string(2)?);
        let is_too_short = right < 4 || (left > 0 && right < 7);
        call.env.text(if is_too_short { text.to_string() } else { abbreviate(text, left, right)? })
    }),
    Function::new("camelcase", &[Text], |call| call.env.text(pascal(call.string(0)?))),
    Function::new("initials", &[Text], |call| call.env.text(initials(call.string(0)?))),
    Function::new("kebabcase", &[Text], |call| call.env.text(joined(call.string(0)?, '-'))),
    Function::new("nospace", &[Text], |call| call.env.text(without_spaces(call.string(0)?))),
    Function::new("snakecase", &[Text], |call| call.env.text(joined(call.string(0)?, '_'))),
    Function::new("swapcase", &[Text], |call| call.env.text(swap_case(call.string(0)?))),
    Function::new("title", &[Text], |call| call.env.text(title(call.string(0)?))),
    Function::new("untitle", &[Text], |call| call.env.text(untitle(call.string(0)?))),
    Function::new("wrap", &[Int, Text], |call| wrap(call, call.int(0)?, "", call.string(1)?, false)),
    Function::new("wrapWith", &[Int, Text, Text], |call| {
        wrap(call, call.int(0)?, call.string(1)?, call.string(2)?, true)
    }),
];

fn abbreviate(text: &str, offset: i64, width: i64) -> Result<String, Fault> {
    let length = text.len() as i64;
    if length <= width {
        return Ok(text.to_owned());
    }
    let offset = offset.min(length);
    let offset = if length.wrapping_sub(offset) < width - 3 { length - (width - 3) } else { offset };
    if offset <= 4 {
        return Ok(format!("{}...", slice(text, 0, width - 3)?));
    }
    if width < 7 {
        return Ok(String::new());
    }
    if offset + width - 3 < length {
        let rest = abbreviate(slice(text, offset, length)?, 0, width - 3)?;
        return Ok(format!("...{rest}"));
    }
    Ok(format!("...{}", slice(text, length - (width - 3), length)?))
}

fn is_connector(c: char) -> bool {
    c == '-' || c == '_' || c.is_whitespace()
}

/// `some_words` as `SomeWords`; connectors at the start stay, doubled ones shrink by one.
fn pascal(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    let mut current = loop {
        let Some(c) = chars.next() else {
            // Nothing but connectors: the last one comes twice.
            out.extend(text.chars().next_back());
            return out;
        };
        if !is_connector(c) {
            break c;
        }
        out.push(c);
    };
    let mut was_upper = is_upper(current);
    current = to_upper(current);
    for c in chars {
        let previous = current;
        current = c;
        if is_connector(c) && is_connector(previous) {
            out.push(previous);
            continue;
        }
        if is_connector(previous) {
            was_upper = is_upper(c);
            current = to_upper(c);
        } else {
            // A run of capitals is one word.
            if was_upper && is_upper(c) {
                current = to_lower(c);
            } else {
                was_upper = false;
            }
            out.push(previous);
        }
    }
    out.push(current);
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    None,
    Number,
    Upper,
    Letters,
    Connector,
    Punctuation,
    Other,
}

/// A letter, but none of the common Chinese ones.
fn is_alphabet(c: char) -> bool {
    is_letter(c) && !matches!(c, '\u{3400}'..='\u{4d85}' | '\u{4e00}'..='\u{9fcc}' | '\u{20000}'..='\u{2b81d}')
}

/// The kind of the next word, the word, and the rest.
fn next_word(text: &str) -> (Word, &str, &str) {
    let Some(first) = text.chars().next() else { return (Word::None, "", "") };
    let run =
        |from: usize, holds: fn(char) -> bool| from + text[from..].find(|c| !holds(c)).unwrap_or(text.len() - from);
    let start = first.len_utf8();
    let is_small = |c: char| is_alphabet(c) && !is_upper(c);
    let (word, end) = match first {
        c if is_connector(c) => (Word::Connector, run(start, is_connector)),
        c if is_punctuation(c) => (Word::Punctuation, run(start, is_punctuation)),
        c if is_upper(c) => {
            let capitals = run(start, is_upper);
            let next = text[capitals..].chars().next();
            let end = if capitals > start {
                // The last capital starts the word that follows: `HTTPServer`.
                let last = text[..capitals].chars().next_back().map_or(0, char::len_utf8);
                if next.is_some_and(is_alphabet) { capitals - last } else { capitals }
            } else {
                run(start, is_small)
            };
            (Word::Upper, end)
        }
        c if is_alphabet(c) => (Word::Letters, run(start, is_small)),
        c if is_number(c) => (Word::Number, run(start, is_number)),
        _ => {
            let is_other = |c: char| !(is_connector(c) || is_alphabet(c) || is_number(c) || is_punctuation(c));
            (Word::Other, run(start, is_other))
        }
    };
    (word, &text[..end], &text[end..])
}

/// `SomeWords` as `some_words`.
fn joined(text: &str, connector: char) -> String {
    let mut out = String::new();
    let write = |out: &mut String, kind: Word, word: &str| {
        if !matches!(kind, Word::Upper | Word::Connector) {
            out.push_str(word);
            return;
        }
        out.extend(word.chars().map(|c| match c {
            c if is_connector(c) => connector,
            c if is_upper(c) => to_lower(c),
            c => c,
        }));
    };
    let (mut kind, mut word, mut rest) = next_word(text);
    while !rest.is_empty() {
        if kind != Word::Connector {
            write(&mut out, kind, word);
        }
        let (previous, last) = (kind, word);
        (kind, word, rest) = next_word(rest);
        match previous {
            Word::Number => {
                while matches!(kind, Word::Letters | Word::Number) {
                    write(&mut out, kind, word);
                    (kind, word, rest) = next_word(rest);
                }
                if !matches!(kind, Word::None | Word::Punctuation | Word::Connector) {
                    out.push(connector);
                }
            }
            Word::Connector => write(&mut out, previous, last),
            Word::Punctuation => {}
            _ if kind != Word::Number => {
                if !matches!(kind, Word::Connector | Word::Punctuation) {
                    out.push(connector);
                }
            }
            _ if rest.is_empty() => {}
            _ => {
                let number = word;
                (kind, word, rest) = next_word(rest);
                if kind != Word::Letters {
                    // `Bld4Floor`: the number belongs to what is before it.
                    write(&mut out, Word::Number, number);
                    if !matches!(kind, Word::Connector | Word::Punctuation) {
                        out.push(connector);
                    }
                    continue;
                }
                // `http2xx`: it belongs to what follows.
                out.push(connector);
                write(&mut out, Word::Number, number);
                while matches!(kind, Word::Letters | Word::Number) {
                    write(&mut out, kind, word);
                    (kind, word, rest) = next_word(rest);
                }
                if !matches!(kind, Word::None | Word::Connector | Word::Punctuation) {
                    out.push(connector);
                }
            }
        }
    }
    write(&mut out, kind, word);
    out
}

/// The first byte of each word, as a character.
fn initials(text: &str) -> String {
    let mut after_gap = true;
    let mut out = String::new();
    for c in text.bytes().map(char::from) {
        if c.is_whitespace() {
            after_gap = true;
        } else if std::mem::take(&mut after_gap) {
            out.push(c);
        }
    }
    out
}

/// Without white space; once there is any, every other byte comes out as a character of its own.
fn without_spaces(text: &str) -> String {
    if text.bytes().any(|byte| char::from(byte).is_whitespace()) {
        text.bytes().map(char::from).filter(|c| !c.is_whitespace()).collect()
    } else {
        text.to_owned()
    }
}

fn swap_case(text: &str) -> String {
    let mut after_space = true;
    let swapped = text.chars().map(|c| {
        if is_upper(c) || is_title(c) {
            after_space = false;
            to_lower(c)
        } else if is_lower(c) {
            if std::mem::take(&mut after_space) { to_title(c) } else { to_upper(c) }
        } else {
            after_space = c.is_whitespace();
            c
        }
    });
    swapped.collect()
}

/// `strings.Title`: the first letter after anything that is no part of a word.
fn title(text: &str) -> String {
    let mut after_separator = true;
    let titled = text.chars().map(|c| {
        let is_first = std::mem::replace(&mut after_separator, is_separator(c));
        if is_first { to_title(c) } else { c }
    });
    titled.collect()
}

fn is_separator(c: char) -> bool {
    if c.is_ascii() {
        return !(c.is_ascii_alphanumeric() || c == '_');
    }
    !is_letter(c) && !is_digit(c) && c.is_whitespace()
}

fn untitle(text: &str) -> String {
    let mut is_next = true;
    let lowered = text.chars().map(|c| {
        if c.is_whitespace() {
            is_next = true;
            c
        } else if std::mem::take(&mut is_next) {
            to_lower(c)
        } else {
            c
        }
    });
    lowered.collect()
}

/// Breaks lines at blanks, not wider than asked; long words only when `breaks_words`.
fn wrap(call: &Call<'_>, width: i64, separator: &str, text: &str, breaks_words: bool) -> Outcome {
    let separator = if separator.is_empty() { "\n" } else { separator };
    let width = width.max(1).min(text.len() as i64 + 1) as usize;
    call.env.spend_bytes(text.len().saturating_add((text.len() / width + 1).saturating_mul(separator.len())))?;
    let bytes = text.as_bytes();
    let (mut lines, mut at): (Vec<&[u8]>, usize) = (Vec::new(), 0);
    while bytes.len() - at > width {
        if bytes[at] == b' ' {
            at += 1;
            continue;
        }
        let end = at + width;
        match bytes[at..=end].iter().rposition(|byte| *byte == b' ') {
            Some(blank) => {
                lines.push(&bytes[at..at + blank]);
                at += blank + 1;
            }
            None if breaks_words => {
                lines.push(&bytes[at..end]);
                at = end;
            }
            None => match bytes[end..].iter().position(|byte| *byte == b' ') {
                Some(blank) => {
                    lines.push(&bytes[at..end + blank]);
                    at = end + blank + 1;
                }
                // The rest is one long word; Go writes the separator only before a next line.
                None => break,
            },
        }
    }
    lines.push(&bytes[at..]);
    call.env.bytes(lines.join(separator.as_bytes()))
}
