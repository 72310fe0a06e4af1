//! Bytes to tokens: white space, comments, line breaks, document markers, properties.

use super::Parser;
use crate::text::limits::KEY_BYTES as KEY_CHARS;
use crate::yaml::tree::{Comment, NONE, Style};
use std::ops::Range;

/// An ordinary byte of a plain scalar, wherever it stands.
const PLAIN: u8 = 0;
/// Needs a look in every context.
const STOP: u8 = 1;
/// Needs a look inside brackets only.
const FLOW: u8 = 2;

/// What each byte may mean inside a plain scalar.
const PLAIN_CLASS: [u8; 256] = {
    let mut class = [PLAIN; 256];
    let (stop, flow) = (b"\0\t\n\r :\xC2\xE2", b",?[]{}");
    let mut i = 0;
    while i < stop.len() {
        class[stop[i] as usize] = STOP;
        i += 1;
    }
    i = 0;
    while i < flow.len() {
        class[flow[i] as usize] = FLOW;
        i += 1;
    }
    class
};

/// A place where a key could start.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub pos: usize,
    pub line: usize,
}

impl Mark {
    pub fn column(self) -> i32 {
        (self.pos - self.line) as i32
    }
}

impl<'t> Parser<'t> {
    /// The byte at `i`, 0 after the end; no 0 occurs before it.
    #[inline]
    pub(super) fn at(&self, i: usize) -> u8 {
        self.src.get(i).copied().unwrap_or(0)
    }

    /// Column of the cursor, in bytes: only white space and indicators stand before any column that matters.
    #[inline]
    pub(super) fn column(&self) -> i32 {
        (self.pos - self.line) as i32
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { pos: self.pos, line: self.line }
    }

    /// Length of the line break at `i`, 0 if there is none.
    #[inline]
    pub(super) fn break_len(&self, i: usize) -> usize {
        match self.at(i) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.at(i + 1) == b'\n'),
            0xC2 if self.at(i + 1) == 0x85 => 2,
            0xE2 if self.at(i + 1) == 0x80 && matches!(self.at(i + 2), 0xA8 | 0xA9) => 3,
            _ => 0,
        }
    }

    /// Whether a space, a tab, a line break or the end is at `i`.
    #[inline]
    pub(super) fn is_blank_or_end(&self, i: usize) -> bool {
        match self.at(i) {
            b' ' | b'\t' | b'\n' | b'\r' | 0 => true,
            0xC2 | 0xE2 => self.break_len(i) > 0,
            _ => false,
        }
    }

    /// Whether the indicator `byte`, followed by white space, is at the cursor.
    #[inline]
    pub(super) fn at_indicator(&self, byte: u8) -> bool {
        self.at(self.pos) == byte && self.is_blank_or_end(self.pos + 1)
    }

    /// Whether three times `byte` is at the cursor, at the start of its line: `---` or `...`.
    #[inline]
    pub(super) fn at_marker(&self, byte: u8) -> bool {
        self.pos == self.line
            && self.at(self.pos) == byte
            && self.at(self.pos + 1) == byte
            && self.at(self.pos + 2) == byte
            && self.is_blank_or_end(self.pos + 3)
    }

    /// Whether a document marker is at the cursor.
    #[inline]
    pub(super) fn at_any_marker(&self) -> bool {
        self.pos == self.line && (self.at_marker(b'-') || self.at_marker(b'.'))
    }

    /// Whether the document ends at the cursor.
    #[inline]
    pub(super) fn at_document_end(&self) -> bool {
        self.pos >= self.src.len() || (self.pos == self.line && (self.at(self.pos) == b'%' || self.at_any_marker()))
    }

    /// Moves over the line break of `len` bytes at the cursor.
    #[inline]
    pub(super) fn next_line(&mut self, len: usize) {
        self.pos += len;
        self.line = self.pos;
    }

    /// Moves to the next token: over white space, comments and, from there, line breaks.
    pub(super) fn advance(&mut self) {
        loop {
            match self.at(self.pos) {
                b' ' => self.pos += 1,
                b'\t' if self.flow > 0 || !self.key_ok => self.pos += 1,
                b'#' => self.comment(),
                b'\n' | b'\r' | 0xC2 | 0xE2 => {
                    let len = self.break_len(self.pos);
                    if len == 0 {
                        return;
                    }
                    self.next_line(len);
                    self.key_ok |= self.flow == 0;
                }
                _ => return,
            }
        }
    }

    /// Moves over spaces and tabs.
    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.at(self.pos), b' ' | b'\t') {
            self.pos += 1;
        }
    }

    /// Moves to the end of the line.
    pub(super) fn skip_line(&mut self) {
        while let Some(&byte) = self.src.get(self.pos) {
            if matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2) && self.break_len(self.pos) > 0 {
                return;
            }
            self.pos += 1;
        }
    }

    /// Records the comment at the cursor and moves to the end of its line.
    pub(super) fn comment(&mut self) {
        let start = self.pos;
        let own_line = self.src[self.line..start].iter().all(|byte| matches!(byte, b' ' | b'\t'));
        self.skip_line();
        self.comments.push(Comment { start: start as u32, end: self.pos as u32, own_line });
    }

    /// Whether `: ` follows `node` on the line of `key`, close enough for what starts there to be a key.
    pub(super) fn key_follows(&mut self, key: Mark, node: u32) -> bool {
        if self.line != key.line || self.is_empty_flow(node) {
            return false;
        }
        self.skip_blanks();
        let is_value = self.at(self.pos) == b':' && (self.flow > 0 || self.is_blank_or_end(self.pos + 1));
        is_value && !self.is_too_far(key)
    }

    /// Whether the node is `[]` or `{}`. Those cannot be keys: go-yaml forgets at the closing bracket that a key could
    /// have started at the opening one.
    fn is_empty_flow(&self, node: u32) -> bool {
        let node = &self.nodes[node as usize];
        node.link == NONE && node.style == Style::Flow
    }

    /// Whether more characters than a key may have lie between `key` and the cursor.
    fn is_too_far(&self, key: Mark) -> bool {
        let bytes = &self.src[key.pos..self.pos];
        let is_char = |&&byte: &&u8| byte & 0xC0 != 0x80;
        bytes.len() > KEY_CHARS && (bytes.len() > 4 * KEY_CHARS || bytes.iter().filter(is_char).count() > KEY_CHARS)
    }

    /// Moves over ordinary text of a plain scalar on one line. Returns where the text ends; the cursor is then behind
    /// the blanks that follow it.
    pub(super) fn plain_line(&mut self) -> usize {
        let mask = if self.flow > 0 { STOP | FLOW } else { STOP };
        let mut i = self.pos;
        loop {
            while let Some(&byte) = self.src.get(i)
                && PLAIN_CLASS[byte as usize] & mask == 0
            {
                i += 1;
            }
            match self.at(i) {
                b':' if !self.is_blank_or_end(i + 1) => i += 1,
                b' ' | b'\t' => {
                    let end = i;
                    self.pos = i;
                    self.skip_blanks();
                    i = self.pos;
                    if i >= self.src.len() || self.at(i) == b'#' || self.break_len(i) > 0 || self.ends_plain(i) {
                        return end;
                    }
                }
                0xC2 | 0xE2 if self.break_len(i) == 0 => i += 1,
                _ => {
                    self.pos = i;
                    return i;
                }
            }
        }
    }

    /// Whether an indicator at `i` ends a plain scalar.
    #[inline]
    pub(super) fn ends_plain(&self, i: usize) -> bool {
        match self.at(i) {
            b':' => self.is_blank_or_end(i + 1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.flow > 0,
            _ => false,
        }
    }
}

/// A character of an anchor's name or a tag's handle.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Where the first character stands, at or after `from`, that no YAML text may hold; else the end.
pub(super) fn forbidden_from(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let first = |range: Range<usize>| range.into_iter().find(|&i| is_forbidden(bytes, i));
    let (blocks, _) = bytes[from..].as_chunks::<64>();
    let mut at = from;
    for block in blocks {
        // Without an early exit this becomes a few vector instructions.
        let is_suspect = block.iter().fold(false, |found, &byte| found | may_be_forbidden(byte));
        if is_suspect && let Some(found) = first(at..at + block.len()) {
            return found;
        }
        at += block.len();
    }
    first(at..bytes.len()).unwrap_or(bytes.len())
}

/// Whether a forbidden character may start with `byte`.
fn may_be_forbidden(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n' && byte != b'\t' && byte != b'\r') | (byte == 0x7F) | (byte == 0xC2) | (byte == 0xEF)
}

/// Whether a control character other than tab, CR, LF and NEL starts at `i`, or U+FFFE or U+FFFF.
fn is_forbidden(bytes: &[u8], i: usize) -> bool {
    let next = |n: usize| bytes.get(i + n).copied().unwrap_or(0);
    match bytes[i] {
        b'\n' | b'\t' | b'\r' => false,
        0..0x20 | 0x7F => true,
        0xC2 => next(1) < 0xA0 && next(1) != 0x85,
        0xEF => next(1) == 0xBF && next(2) >= 0xBE,
        _ => false,
    }
}
