//! Bytes to tokens: white space, comments, line breaks, document markers, properties.

use super::error::Problem;
use super::{Parsed, Parser};
use crate::text::limits::KEY_BYTES as KEY_CHARS;
use crate::yaml::tree::{Comment, TagKind};

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

/// `&name` and `!tag` before a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Properties {
    /// The anchor, its `&` included.
    pub anchor: Option<(u32, u32)>,
    /// The tag as written and what it means.
    pub tag: Option<(u32, u32, TagKind)>,
}

impl Properties {
    pub fn is_empty(&self) -> bool {
        self.anchor.is_none() && self.tag.is_none()
    }

    /// Both sets together, unless one thing is set twice.
    pub fn and(self, other: Properties) -> Option<Properties> {
        let clash = (self.anchor.is_some() && other.anchor.is_some()) || (self.tag.is_some() && other.tag.is_some());
        (!clash).then(|| Properties { anchor: self.anchor.or(other.anchor), tag: self.tag.or(other.tag) })
    }
}

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

    /// Whether `---` or `...` is at the cursor, at the start of its line.
    #[inline]
    pub(super) fn at_marker(&self) -> bool {
        self.pos == self.line
            && matches!(self.src.get(self.pos..self.pos + 3), Some(b"---" | b"..."))
            && self.is_blank_or_end(self.pos + 3)
    }

    /// Whether the document ends at the cursor, for what the scanner can tell.
    #[inline]
    pub(super) fn at_document_end(&self) -> bool {
        self.pos >= self.src.len() || (self.pos == self.line && (self.at(self.pos) == b'%' || self.at_marker()))
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

    /// Whether `: ` follows on the line of `key`, close enough for what starts there to be a key.
    pub(super) fn key_follows(&mut self, key: Mark) -> bool {
        if self.line != key.line {
            return false;
        }
        self.skip_blanks();
        let is_value = self.at(self.pos) == b':' && (self.flow > 0 || self.is_blank_or_end(self.pos + 1));
        is_value && !self.is_too_far(key)
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

    /// Reads `&anchor` and `!tag`, each at most once and in any order, on one line.
    pub(super) fn properties(&mut self) -> Parsed<Properties> {
        let mut found = Properties::default();
        loop {
            match self.at(self.pos) {
                b'&' if found.anchor.is_none() => {
                    found.anchor = Some(self.name(Problem::BadAnchor)?);
                }
                b'!' if found.tag.is_none() => found.tag = Some(self.tag()?),
                _ => return Ok(found),
            }
            self.key_ok = false;
            let end = self.pos;
            self.skip_blanks();
            if !matches!(self.at(self.pos), b'&' | b'!') {
                self.pos = end;
                return Ok(found);
            }
        }
    }

    /// Reads `&name` or `*name`.
    pub(super) fn name(&mut self, problem: Problem) -> Parsed<(u32, u32)> {
        let start = self.pos;
        self.pos += 1;
        while is_word(self.at(self.pos)) {
            self.pos += 1;
        }
        let is_closed = self.is_blank_or_end(self.pos)
            || matches!(self.at(self.pos), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if self.pos == start + 1 || !is_closed {
            return Err(self.fail(problem, start));
        }
        Ok((start as u32, self.pos as u32))
    }

    /// Reads a tag: `!`, `!local`, `!!core`, `!handle!suffix`, `!<verbatim>`.
    fn tag(&mut self) -> Parsed<(u32, u32, TagKind)> {
        let start = self.pos;
        let mut full = String::new();
        if self.at(start + 1) == b'<' {
            self.pos += 2;
            if !self.uri(&mut full)? || self.at(self.pos) != b'>' {
                return Err(self.fail(Problem::BadTag, start));
            }
            self.pos += 1;
        } else {
            self.pos += 1;
            while is_word(self.at(self.pos)) {
                self.pos += 1;
            }
            let has_handle = self.at(self.pos) == b'!';
            let handle = if has_handle {
                self.pos += 1;
                &self.text[start..self.pos]
            } else {
                self.pos = start + 1;
                "!"
            };
            match self.handles.iter().find(|known| known.0 == handle) {
                Some(known) => full.push_str(&known.1),
                None if handle == "!!" => full.push_str("tag:yaml.org,2002:"),
                None if handle == "!" => full.push('!'),
                None => return Err(self.fail(Problem::UnknownTagHandle, start)),
            }
            let has_suffix = self.uri(&mut full)?;
            if has_handle && !has_suffix {
                return Err(self.fail(Problem::BadTag, start));
            }
            if !has_handle && !has_suffix {
                full.replace_range(.., "!");
            }
        }
        if !self.is_blank_or_end(self.pos) {
            return Err(self.fail(Problem::BadTag, start));
        }
        Ok((start as u32, self.pos as u32, TagKind::of(&full)))
    }

    /// Reads characters of a URI into `into`; whether there was any.
    pub(super) fn uri(&mut self, into: &mut String) -> Parsed<bool> {
        let start = self.pos;
        loop {
            match self.at(self.pos) {
                b'%' => self.uri_escape(into)?,
                byte if is_word(byte) || b";/?:@&=+$,.!~*'()[]".contains(&byte) => {
                    into.push(byte as char);
                    self.pos += 1;
                }
                _ => return Ok(self.pos > start),
            }
        }
    }

    /// Reads one `%XX…` character of a URI.
    fn uri_escape(&mut self, into: &mut String) -> Parsed<()> {
        let start = self.pos;
        let mut bytes = [0; 4];
        let mut wanted = 1;
        let mut count = 0;
        while count < wanted {
            let hex = |byte: u8| (byte as char).to_digit(16);
            let (b'%', Some(high), Some(low)) =
                (self.at(self.pos), hex(self.at(self.pos + 1)), hex(self.at(self.pos + 2)))
            else {
                return Err(self.fail(Problem::BadTag, start));
            };
            bytes[count] = (high * 16 + low) as u8;
            if count == 0 {
                wanted = match bytes[0] {
                    0..0x80 => 1,
                    0xC0..0xE0 => 2,
                    0xE0..0xF0 => 3,
                    0xF0..0xF8 => 4,
                    _ => return Err(self.fail(Problem::BadTag, start)),
                };
            } else if bytes[count] & 0xC0 != 0x80 {
                return Err(self.fail(Problem::BadTag, start));
            }
            count += 1;
            self.pos += 3;
        }
        into.push_str(&String::from_utf8_lossy(&bytes[..count]));
        Ok(())
    }
}

/// A character of an anchor's name or a tag's handle.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
