//! Plain and quoted scalars.

use super::error::Problem;
use super::property::Properties;
use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, NONE, Style};

impl<'t> Parser<'t> {
    /// Registers what was written to `owned` since `from` as a text.
    pub(super) fn own(&mut self, from: usize) -> u32 {
        self.texts.push((from as u32, self.owned.len() as u32));
        self.texts.len() as u32 - 1
    }

    /// Whether a plain scalar starts at the cursor.
    pub(super) fn starts_plain(&self) -> bool {
        let next = self.pos + 1;
        match self.at(self.pos) {
            b'-' => !self.is_blank_or_end(next) || (self.flow > 0 && next >= self.src.len()),
            b'?' | b':' => self.flow == 0 && !self.is_blank_or_end(next),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@' => {
                false
            }
            b'`' | b' ' | b'\t' | b'\n' | b'\r' | 0 => false,
            0xC2 | 0xE2 => self.break_len(self.pos) == 0,
            _ => true,
        }
    }

    /// Reads the plain scalar at the cursor.
    pub(super) fn plain(&mut self, properties: Properties) -> Parsed<u32> {
        let start = self.pos;
        self.key_ok = false;
        let mut end = self.plain_line();
        let mut text = NONE;
        let from = self.owned.len();
        loop {
            let gap = self.pos;
            if self.break_len(gap) == 0 {
                break;
            }
            self.skip_gap(self.indent + 1)?;
            self.key_ok = true;
            if (self.flow == 0 && self.column() <= self.indent)
                || self.pos >= self.src.len()
                || self.at(self.pos) == b'#'
                || self.at_any_marker()
                || self.ends_plain(self.pos)
            {
                break;
            }
            self.key_ok = false;
            if text == NONE {
                text = 0;
                self.owned.push_str(&self.text[start..end]);
            }
            self.fold(gap, self.pos, false);
            let part = self.pos;
            end = self.plain_line();
            self.owned.push_str(&self.text[part..end]);
        }
        if text != NONE {
            text = self.own(from);
        }
        Ok(self.push(Kind::Scalar, Style::Plain, (start, end), text, properties))
    }

    /// Moves over white space and line breaks. Left of column `indent` a tab is an error.
    fn skip_gap(&mut self, indent: i32) -> Parsed<()> {
        loop {
            match self.at(self.pos) {
                b' ' => self.pos += 1,
                b'\t' if self.column() < indent => return self.fail(Problem::Tab, self.pos),
                b'\t' => self.pos += 1,
                _ => match self.break_len(self.pos) {
                    0 => return Ok(()),
                    len => self.next_line(len),
                },
            }
        }
    }

    /// Writes what the line breaks in `from..to` stand for: one is a space, more are one line break fewer. After an
    /// escaped break all count. LS and PS stay as they are.
    fn fold(&mut self, from: usize, to: usize, is_escaped: bool) {
        let mut i = from;
        let mut is_first = !is_escaped;
        let mut owes_space = false;
        while i < to {
            let len = self.break_len(i);
            if len == 0 {
                i += 1;
                continue;
            }
            let stays = self.at(i) == 0xE2;
            if is_first && !stays {
                owes_space = true;
            } else {
                owes_space = false;
                self.owned.push_str(if stays { &self.text[i..i + len] } else { "\n" });
            }
            is_first = false;
            i += len;
        }
        if owes_space {
            self.owned.push(' ');
        }
    }

    /// Reads the quoted scalar at the cursor.
    pub(super) fn quoted(&mut self, style: Style, properties: Properties) -> Parsed<u32> {
        let start = self.pos;
        let quote = self.at(start);
        self.key_ok = false;
        let from = self.owned.len();
        let mut is_owned = false;
        self.pos += 1;
        let mut part = self.pos;
        loop {
            match self.at(self.pos) {
                0 => {
                    self.owned.truncate(from);
                    return self.fail(Problem::UnclosedQuote { open: start }, self.pos);
                }
                byte if byte == quote => {
                    if quote == b'\'' && self.at(self.pos + 1) == b'\'' {
                        self.owned.push_str(&self.text[part..self.pos + 1]);
                        is_owned = true;
                        self.pos += 2;
                        part = self.pos;
                        continue;
                    }
                    break;
                }
                b'\\' if quote == b'"' => {
                    self.owned.push_str(&self.text[part..self.pos]);
                    is_owned = true;
                    self.escape(start)?;
                    part = self.pos;
                }
                b'\n' | b'\r' | 0xC2 | 0xE2 if self.break_len(self.pos) > 0 => {
                    let kept = self.text[part..self.pos].trim_end_matches([' ', '\t']);
                    self.owned.push_str(kept);
                    is_owned = true;
                    self.quoted_gap(start, false)?;
                    part = self.pos;
                }
                _ => self.pos += 1,
            }
        }
        let text = if is_owned {
            self.owned.push_str(&self.text[part..self.pos]);
            self.own(from)
        } else {
            NONE
        };
        self.pos += 1;
        Ok(self.push(Kind::Scalar, style, (start, self.pos), text, properties))
    }

    /// Moves over the line breaks at the cursor and writes what they stand for.
    fn quoted_gap(&mut self, open: usize, is_escaped: bool) -> Parsed<()> {
        let gap = self.pos;
        self.skip_gap(0)?;
        if self.at_any_marker() {
            return self.fail(Problem::UnclosedQuote { open }, self.pos);
        }
        self.fold(gap, self.pos, is_escaped);
        Ok(())
    }

    /// Reads the escape at the cursor of a double-quoted scalar that opens at `open`.
    fn escape(&mut self, open: usize) -> Parsed<()> {
        let start = self.pos;
        let len = self.break_len(start + 1);
        if len > 0 {
            self.pos += 1;
            self.next_line(len);
            return self.quoted_gap(open, true);
        }
        let digits = match self.at(start + 1) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            byte => {
                let Some(character) = simple_escape(byte) else {
                    return self.fail(Problem::UnknownEscape, start);
                };
                self.owned.push(character);
                self.pos += 2;
                return Ok(());
            }
        };
        let mut value: u32 = 0;
        for i in start + 2..start + 2 + digits {
            let Some(digit) = (self.at(i) as char).to_digit(16) else {
                return self.fail(Problem::BadHexEscape { digits }, start);
            };
            value = value.wrapping_shl(4) | digit;
        }
        let Some(character) = char::from_u32(value) else {
            return self.fail(Problem::NoSuchCharacter { digits }, start);
        };
        self.owned.push(character);
        self.pos = start + 2 + digits;
        Ok(())
    }
}

/// The character that a backslash and `byte` stand for.
fn simple_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\x07',
        b'b' => '\x08',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\x0B',
        b'f' => '\x0C',
        b'r' => '\r',
        b'e' => '\x1B',
        b' ' => ' ',
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{A0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}
