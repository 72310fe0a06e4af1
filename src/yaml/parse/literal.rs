//! Literal and folded block scalars.

use super::error::Problem;
use super::property::Properties;
use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, Style};

/// What happens to the line breaks at the end.
#[derive(Clone, Copy, PartialEq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}

impl<'t> Parser<'t> {
    /// Reads the block scalar whose `|` or `>` is at the cursor.
    pub(super) fn block_scalar(&mut self, properties: Properties) -> Parsed<u32> {
        let start = self.pos;
        let style = if self.at(start) == b'|' { Style::Literal } else { Style::Folded };
        self.key_ok = true;
        self.pos += 1;
        let (chomp, increment) = self.block_header(start)?;
        let mut end = self.pos;
        self.skip_blanks();
        if self.at(self.pos) == b'#' {
            self.comment();
        }
        if self.pos < self.src.len() && self.break_len(self.pos) == 0 {
            return self.fail(Problem::BadBlockHeader { open: start }, self.pos);
        }
        let len = self.break_len(self.pos);
        if len > 0 {
            self.next_line(len);
        }

        let from = self.owned.len();
        let mut gap = self.pos;
        let indent = match increment {
            0 => self.detect_indent()?,
            _ => {
                let indent = self.indent.max(0) + increment;
                self.block_gap(indent)?;
                indent
            }
        };
        // The break that ended the last line, not yet written.
        let mut pending = (0, 0);
        let mut was_indented = false;
        while self.column() == indent && self.pos < self.src.len() {
            let is_indented = matches!(self.at(self.pos), b' ' | b'\t');
            let (at, len) = pending;
            let folds = style == Style::Folded && !was_indented && !is_indented && len > 0 && self.at(at) != 0xE2;
            let first_of_gap = self.owned.len();
            if !folds {
                self.write_break(at, len);
            }
            self.write_breaks(gap, self.pos);
            if folds && self.owned.len() == first_of_gap {
                self.owned.push(' ');
            }
            was_indented = is_indented;
            let line = self.pos;
            self.skip_line();
            self.owned.push_str(&self.text[line..self.pos]);
            end = self.pos;
            let len = self.break_len(self.pos);
            pending = (self.pos, len);
            if len > 0 {
                self.next_line(len);
            }
            gap = self.pos;
            self.block_gap(indent)?;
        }
        if chomp != Chomp::Strip {
            self.write_break(pending.0, pending.1);
        }
        if chomp == Chomp::Keep {
            self.write_breaks(gap, self.pos);
        }
        let text = self.own(from);
        Ok(self.push(Kind::Scalar, style, (start, end), text, properties))
    }

    /// Reads `+`, `-` and the indentation digit, in any order.
    fn block_header(&mut self, start: usize) -> Parsed<(Chomp, i32)> {
        let mut chomp = None;
        let mut increment = None;
        loop {
            match self.at(self.pos) {
                b'+' if chomp.is_none() => chomp = Some(Chomp::Keep),
                b'-' if chomp.is_none() => chomp = Some(Chomp::Strip),
                b'0' if increment.is_none() => return self.fail(Problem::BadBlockHeader { open: start }, self.pos),
                digit @ b'1'..=b'9' if increment.is_none() => increment = Some(i32::from(digit - b'0')),
                _ => return Ok((chomp.unwrap_or(Chomp::Clip), increment.unwrap_or(0))),
            }
            self.pos += 1;
        }
    }

    /// Moves over leading blank lines and finds the column of the content: that of the first line with text, but at
    /// least one deeper than the parent and at least that of any blank line before it.
    fn detect_indent(&mut self) -> Parsed<i32> {
        let mut widest = 0;
        loop {
            while self.at(self.pos) == b' ' {
                self.pos += 1;
            }
            widest = widest.max(self.column());
            if self.at(self.pos) == b'\t' {
                return self.fail(Problem::Tab, self.pos);
            }
            match self.break_len(self.pos) {
                0 => return Ok(widest.max(self.indent + 1).max(1)),
                len => self.next_line(len),
            }
        }
    }

    /// Moves over indentation and blank lines to the next line with text.
    fn block_gap(&mut self, indent: i32) -> Parsed<()> {
        loop {
            while self.column() < indent && self.at(self.pos) == b' ' {
                self.pos += 1;
            }
            if self.column() < indent && self.at(self.pos) == b'\t' {
                return self.fail(Problem::Tab, self.pos);
            }
            match self.break_len(self.pos) {
                0 => return Ok(()),
                len => self.next_line(len),
            }
        }
    }

    /// Writes the line break of `len` bytes at `at`.
    fn write_break(&mut self, at: usize, len: usize) {
        match (len, self.at(at)) {
            (0, _) => {}
            (_, 0xE2) => self.owned.push_str(&self.text[at..at + len]),
            _ => self.owned.push('\n'),
        }
    }

    /// Writes the line breaks in `from..to`.
    fn write_breaks(&mut self, from: usize, to: usize) {
        let mut i = from;
        while i < to {
            let len = self.break_len(i);
            self.write_break(i, len);
            i += len.max(1);
        }
    }
}
