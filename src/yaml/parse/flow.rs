//! Collections in brackets.

use super::error::Problem;
use super::property::Properties;
use super::{Parsed, Parser};
use crate::yaml::tree::{Kind, NONE, Style};

impl<'t> Parser<'t> {
    /// Reads the collection whose bracket is at the cursor.
    pub(super) fn flow_collection(&mut self, properties: Properties) -> Parsed<u32> {
        let open = self.pos;
        let (kind, closer) = match self.at(open) {
            b'{' => (Kind::Mapping, b'}'),
            _ => (Kind::Sequence, b']'),
        };
        let node = self.open(kind, Style::Flow, open, properties)?;
        let outer = std::mem::replace(&mut self.bracket, open);
        self.flow += 1;
        self.pos += 1;
        self.key_ok = true;
        let mut last = NONE;
        loop {
            self.advance();
            if self.at(self.pos) == closer {
                break;
            }
            if last != NONE {
                if self.at(self.pos) != b',' {
                    return self.fail(Problem::UnclosedFlow, self.pos);
                }
                self.pos += 1;
                self.key_ok = true;
                self.advance();
                if self.at(self.pos) == closer {
                    break;
                }
            }
            if self.at_document_end() {
                return self.fail(Problem::UnclosedFlow, self.pos);
            }
            let first = if closer == b'}' { self.flow_entry()? } else { self.flow_item()? };
            self.adopt(node, last, first);
            last = if closer == b'}' { self.nodes[first as usize].next } else { first };
        }
        self.pos += 1;
        self.flow -= 1;
        self.bracket = outer;
        self.key_ok = false;
        self.close(node, self.pos);
        Ok(node)
    }

    /// Reads `key: value`, `key` or `? key : value`. Returns the key; its sibling is the value.
    fn flow_entry(&mut self) -> Parsed<u32> {
        let (key, has_value) = if self.at(self.pos) == b'?' {
            self.pos += 1;
            self.key_ok = false;
            self.advance();
            let key = match self.at(self.pos) {
                b':' | b',' | b'}' => self.push_empty(self.pos, Properties::default()),
                _ => self.flow_node()?,
            };
            self.advance();
            (key, self.at(self.pos) == b':')
        } else {
            let mark = self.mark();
            let key = self.flow_node()?;
            if self.is_placeholder(key) {
                return self.fail(Problem::Placeholder, mark.pos - 1);
            }
            (key, self.key_follows(mark, key))
        };
        let value = self.flow_value(key, has_value, b'}')?;
        self.nodes[key as usize].next = value;
        Ok(key)
    }

    /// Whether the key is the inner part of `{{ … }}`. The parser of go-yaml takes it, what reads its tree refuses it.
    fn is_placeholder(&self, key: u32) -> bool {
        let key = &self.nodes[key as usize];
        key.kind == Kind::Mapping && key.start > 0 && self.src[key.start as usize - 1] == b'{'
    }

    /// Reads an item of a sequence; `key: value` is a mapping of one entry.
    fn flow_item(&mut self) -> Parsed<u32> {
        let mark = self.mark();
        if self.at(mark.pos) == b'?' {
            let mapping = self.open(Kind::Mapping, Style::Flow, mark.pos, Properties::default())?;
            self.pos += 1;
            self.key_ok = false;
            self.advance();
            let key = match self.at(self.pos) {
                // go-yaml loses the token after a lone `?`.
                b':' | b',' => {
                    self.pos += 1;
                    self.push_empty(self.pos - 1, Properties::default())
                }
                _ => self.flow_node()?,
            };
            self.advance();
            let has_value = self.at(self.pos) == b':';
            return self.flow_pair(mapping, key, has_value);
        }
        let around = self.measure();
        let node = self.flow_node()?;
        if !self.key_follows(mark, node) {
            self.settle(around);
            return Ok(node);
        }
        self.wrap(node, mark.pos, Style::Flow, around, Properties::default())?;
        self.flow_pair(node, node + 1, true)
    }

    fn flow_pair(&mut self, mapping: u32, key: u32, has_value: bool) -> Parsed<u32> {
        let value = self.flow_value(key, has_value, b']')?;
        self.adopt(mapping, NONE, key);
        self.nodes[key as usize].next = value;
        self.close(mapping, self.end_of(value));
        Ok(mapping)
    }

    /// Reads the value behind the colon at the cursor, or makes an empty one behind `key`.
    fn flow_value(&mut self, key: u32, has_value: bool, closer: u8) -> Parsed<u32> {
        if !has_value {
            let at = self.end_of(key);
            return Ok(self.push_empty(at, Properties::default()));
        }
        self.pos += 1;
        let after = self.pos;
        self.key_ok = false;
        self.advance();
        if self.at(self.pos) == b',' || self.at(self.pos) == closer {
            return Ok(self.push_empty(after, Properties::default()));
        }
        self.flow_node()
    }

    /// Reads a node inside brackets.
    fn flow_node(&mut self) -> Parsed<u32> {
        let mut properties = Properties::default();
        loop {
            let run = self.properties()?;
            if run.is_empty() {
                break;
            }
            let at = self.pos;
            properties = match properties.and(run) {
                Some(both) => both,
                None => return self.fail(Problem::RepeatedProperty, at),
            };
            self.advance();
        }
        if self.at_any_marker() {
            return self.fail(Problem::NoContent, self.pos);
        }
        let start = self.pos;
        let node = self.inline_node(properties)?;
        if self.kind_of(node) == Kind::Alias && !properties.is_empty() {
            return self.fail(Problem::AliasWithProperties, start);
        }
        Ok(node)
    }
}
