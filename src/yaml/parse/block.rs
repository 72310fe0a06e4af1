//! Collections by indentation, and the nodes in them.

use super::error::Problem;
use super::property::Properties;
use super::scan::Mark;
use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, NONE, Style};

impl<'t> Parser<'t> {
    /// Whether the token at the cursor lies outside the node that was to start here: the document or the block ends.
    fn is_outside(&self, list: bool) -> bool {
        let column = self.column();
        self.at_document_end() || column < self.indent || (column == self.indent && !self.is_flush(list))
    }

    /// Whether what stands in the column of the parent belongs to the node: with `list` an entry, and always a block
    /// scalar, which no scanner rule forbids there.
    fn is_flush(&self, list: bool) -> bool {
        matches!(self.at(self.pos), b'|' | b'>') || (list && self.at_indicator(b'-'))
    }

    /// Reads the value behind the indicator that ends at the cursor, or nothing there.
    fn block_value(&mut self, list: bool) -> Parsed<u32> {
        let after = self.pos;
        self.advance();
        if self.is_outside(list) {
            return Ok(self.push_empty(after, Properties::default()));
        }
        self.block_node(list)
    }

    /// Reads the node at the cursor. With `list` it may be a sequence in the column of its parent mapping.
    pub(super) fn block_node(&mut self, list: bool) -> Parsed<u32> {
        // Properties on lines of their own belong to the node; those before a key on its line belong to the key.
        let mut own = Properties::default();
        loop {
            let key = self.key_ok.then(|| self.mark());
            let line = self.line;
            let run = self.properties()?;
            if run.is_empty() {
                return self.block_content(list, key, own, run);
            }
            let after = self.pos;
            self.advance();
            if self.line == line && self.pos < self.src.len() {
                return self.block_content(list, key, own, run);
            }
            own = match own.and(run) {
                Some(both) => both,
                None => return self.fail(Problem::RepeatedProperty, after),
            };
            if self.is_outside(list) {
                return Ok(self.push_empty(after, own));
            }
        }
    }

    /// Reads what stands behind the properties `run` of this line; `own` are those of the lines before.
    fn block_content(&mut self, list: bool, key: Option<Mark>, own: Properties, run: Properties) -> Parsed<u32> {
        let start = self.pos;
        match self.at(start) {
            b'-' if self.is_blank_or_end(start + 1) => {
                if !self.key_ok {
                    return self.fail(Problem::MisplacedEntry, start);
                }
                return self.block_sequence(own, list && self.column() == self.indent);
            }
            b'?' if self.is_blank_or_end(start + 1) => {
                if !self.key_ok {
                    return self.fail(Problem::MisplacedKey, start);
                }
                let mapping = self.open(Kind::Mapping, Style::Block, start, own)?;
                return self.block_mapping(mapping, self.column(), NONE);
            }
            b'|' | b'>' => {
                return match own.and(run) {
                    Some(both) => self.block_scalar(both),
                    None => self.fail(Problem::RepeatedProperty, start),
                };
            }
            b':' if run.is_empty() && self.is_blank_or_end(start + 1) => {
                let problem = if self.key_ok { Problem::NoKey } else { Problem::MisplacedValue };
                return self.fail(problem, start);
            }
            _ => {}
        }
        let both = own.and(run);
        let around = self.measure();
        let node = self.inline_node(both.unwrap_or(run))?;
        let is_alias = self.kind_of(node) == Kind::Alias;
        if let Some(key) = key
            && self.key_follows(key, node)
        {
            if is_alias && !run.is_empty() {
                return self.fail(Problem::AliasWithProperties, start);
            }
            self.wrap(node, key.pos, Style::Block, around, own)?;
            return self.block_mapping(node, key.column(), node + 1);
        }
        self.settle(around);
        match both {
            None => self.fail(Problem::RepeatedProperty, start),
            Some(both) if is_alias && !both.is_empty() => self.fail(Problem::AliasWithProperties, start),
            Some(_) => Ok(node),
        }
    }

    /// Reads a scalar, an alias, a flow collection, or nothing when there are properties for it.
    pub(super) fn inline_node(&mut self, properties: Properties) -> Parsed<u32> {
        let start = self.pos;
        match self.at(start) {
            b'[' | b'{' => self.flow_collection(properties),
            b'*' => self.alias(properties),
            b'"' => self.quoted(Style::DoubleQuoted, properties),
            b'\'' => self.quoted(Style::SingleQuoted, properties),
            _ if self.starts_plain() => self.plain(properties),
            b':' | b',' | b']' | b'}' if !properties.is_empty() => Ok(self.push_empty(start, properties)),
            b'&' | b'!' => self.fail(Problem::RepeatedProperty, start),
            _ => self.fail(Problem::NoContent, start),
        }
    }

    /// Reads the entries of a block mapping in `column`. `key` is its first key when that has been read: the cursor is
    /// then at the colon behind it.
    fn block_mapping(&mut self, mapping: u32, column: i32, mut key: u32) -> Parsed<u32> {
        let outer = std::mem::replace(&mut self.indent, column);
        let mut last = NONE;
        loop {
            let mut has_value = true;
            if key != NONE {
                self.key_ok = false;
            } else if self.at_indicator(b'?') {
                (key, has_value) = self.explicit_key(column)?;
            } else {
                key = self.block_key()?;
                self.key_ok = false;
            }
            self.adopt(mapping, last, key);
            let value = if has_value {
                self.pos += 1;
                self.block_value(true)?
            } else {
                let at = self.end_of(key);
                self.push_empty(at, Properties::default())
            };
            self.nodes[key as usize].next = value;
            last = value;
            key = NONE;
            self.advance();
            if self.at_document_end() || self.column() < column {
                break;
            }
            // In the column, but not at the start of the line: a scalar of several lines ended here.
            if self.column() > column || !self.key_ok {
                return self.fail(Problem::Surplus { parent: mapping, entry: value }, self.pos);
            }
        }
        self.indent = outer;
        self.close(mapping, self.end_of(last));
        Ok(mapping)
    }

    /// Reads `? key`; the second part is whether its value follows: the cursor is then at the colon.
    fn explicit_key(&mut self, column: i32) -> Parsed<(u32, bool)> {
        self.pos += 1;
        self.key_ok = true;
        let key = self.block_value(true)?;
        self.advance();
        let has_value = !self.at_document_end() && self.column() == column && self.at_indicator(b':');
        if has_value && !self.key_ok {
            return self.fail(Problem::MisplacedValue, self.pos);
        }
        // Behind a colon that belongs to no simple key another block may start on the same line.
        self.key_ok = true;
        Ok((key, has_value))
    }

    /// Reads a key in the column of its mapping, up to its colon.
    fn block_key(&mut self) -> Parsed<u32> {
        let mark = self.mark();
        if self.at_indicator(b':') || self.at_indicator(b'-') {
            return self.fail(Problem::NoKey, mark.pos);
        }
        let run = self.properties()?;
        if !run.is_empty() {
            self.advance();
        }
        if self.line != mark.line || matches!(self.at(self.pos), b'|' | b'>') {
            return self.fail(Problem::NoColon, mark.pos);
        }
        let key = self.inline_node(run)?;
        if !self.key_follows(mark, key) {
            return self.fail(Problem::NoColon, mark.pos);
        }
        if self.kind_of(key) == Kind::Alias && !run.is_empty() {
            return self.fail(Problem::AliasWithProperties, mark.pos);
        }
        Ok(key)
    }

    /// Reads the entries of the block sequence at the cursor; `flush` when it stands in the column of its parent mapping.
    fn block_sequence(&mut self, properties: Properties, flush: bool) -> Parsed<u32> {
        let column = self.column();
        let sequence = self.open(Kind::Sequence, Style::Block, self.pos, properties)?;
        let outer = std::mem::replace(&mut self.indent, column);
        let mut last = NONE;
        loop {
            self.pos += 1;
            self.key_ok = true;
            let item = self.block_value(false)?;
            self.adopt(sequence, last, item);
            last = item;
            self.advance();
            if self.at_document_end() || self.column() < column {
                break;
            }
            if self.column() > column || !self.key_ok {
                return self.fail(Problem::Surplus { parent: sequence, entry: item }, self.pos);
            }
            if !self.at_indicator(b'-') {
                if flush {
                    break;
                }
                return self.fail(Problem::NoDash { list: sequence }, self.pos);
            }
        }
        self.indent = outer;
        self.close(sequence, self.end_of(last));
        Ok(sequence)
    }
}
