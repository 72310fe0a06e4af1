//! What may stand before a node: `&anchor` and `!tag`.

use super::error::Problem;
use super::scan::is_word;
use super::{Parsed, Parser};
use crate::yaml::tree::TagKind;

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

impl<'t> Parser<'t> {
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
            return self.fail(problem, start);
        }
        Ok((start as u32, self.pos as u32))
    }

    /// Reads a tag and finds what it means.
    fn tag(&mut self) -> Parsed<(u32, u32, TagKind)> {
        let start = self.pos;
        let (handle, suffix) = self.scan_tag()?;
        let prefix = match self.handles.iter().find(|known| known.0 == handle) {
            Some(known) => known.1.as_str(),
            None if handle == "!!" => "tag:yaml.org,2002:",
            None if handle == "!" || handle.is_empty() => handle,
            None => return self.fail(Problem::UnknownTagHandle, start),
        };
        Ok((start as u32, self.pos as u32, TagKind::of(&format!("{prefix}{suffix}"))))
    }

    /// Reads a tag as handle and suffix: `!` and `local`, `!!` and `core`, `!handle!` and `suffix`. Of `!<verbatim>` and
    /// a lone `!` the handle is empty.
    pub(super) fn scan_tag(&mut self) -> Parsed<(&'t str, String)> {
        let start = self.pos;
        let mut suffix = String::new();
        let mut handle = "";
        let is_whole = if self.at(start + 1) == b'<' {
            self.pos += 2;
            let is_whole = self.uri(&mut suffix)? && self.at(self.pos) == b'>';
            self.pos += 1;
            is_whole
        } else {
            self.pos += 1;
            self.word();
            if self.at(self.pos) == b'!' {
                self.pos += 1;
                handle = &self.text[start..self.pos];
                self.uri(&mut suffix)?
            } else {
                self.pos = start + 1;
                if self.uri(&mut suffix)? {
                    handle = "!";
                } else {
                    suffix.push('!');
                }
                true
            }
        };
        if !is_whole || !self.is_blank_or_end(self.pos) {
            return self.fail(Problem::BadTag, start);
        }
        Ok((handle, suffix))
    }

    /// Reads a word of letters, digits, `-` and `_`, which may be empty.
    pub(super) fn word(&mut self) -> &'t str {
        let start = self.pos;
        while is_word(self.at(self.pos)) {
            self.pos += 1;
        }
        &self.text[start..self.pos]
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
                return self.fail(Problem::BadTag, start);
            };
            bytes[count] = (high * 16 + low) as u8;
            if count == 0 {
                wanted = match bytes[0] {
                    0..0x80 => 1,
                    0xC0..0xE0 => 2,
                    0xE0..0xF0 => 3,
                    0xF0..0xF8 => 4,
                    _ => return self.fail(Problem::BadTag, start),
                };
            } else if bytes[count] & 0xC0 != 0x80 {
                return self.fail(Problem::BadTag, start);
            }
            count += 1;
            self.pos += 3;
        }
        into.push_str(&String::from_utf8_lossy(&bytes[..count]));
        Ok(())
    }
}
