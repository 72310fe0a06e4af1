//! Words for what stands in the wrong place: keys without a colon, values behind values, odd indentation.

use super::{Words, quoted, shorten, without_comment};
use crate::text::limits::KEY_BYTES;
use crate::yaml::parse::Parser;
use crate::yaml::tree::{Kind, NONE, NodeData, Style};

impl Parser<'_> {
    /// Something without a colon stands where keys stand.
    pub(super) fn no_colon(&self, at: usize) -> Words {
        let line = self.rest_of_line(at);
        let text = without_comment(line);
        let span = (at, at + text.len());
        if let Some(colon) = lone_colon(text) {
            let (key, value) = (&text[..colon], &text[colon + 1..]);
            return Words::new((at + colon, at + colon + 1), "the space after the colon is missing").help(format!(
                "write `{}: {}`",
                shorten(key),
                shorten(value)
            ));
        }
        if self.colon_is_far(at) {
            return Words::new((at, at + 1), format!("a key has at most {KEY_BYTES} characters"))
                .help("write `? ` before it");
        }
        if let Some(dashed) = text.strip_prefix('-').filter(|rest| !rest.starts_with(['-', ' '])) {
            return Words::new((at, at + 1), "the space after the dash is missing")
                .help(format!("write `- {}`", shorten(dashed)));
        }
        if matches!(self.at(at), b'"' | b'\'' | b'[' | b'{') && self.line_start(at) != self.line {
            return Words::new((at, at + 1), "a key must end on its line, with a colon");
        }
        Words::new(span, format!("the colon after `{}` is missing", shorten(text)))
            .help("write `: ` and a value, or indent the line if it goes on with the text above")
    }

    pub(super) fn no_dash(&self, at: usize, list: u32) -> Words {
        let list = &self.nodes[list as usize];
        let text = without_comment(self.rest_of_line(at));
        let dash = (list.start as usize, list.start as usize + 1);
        let words = match text.strip_prefix('-') {
            Some(dashed) => Words::new((at, at + 1), "the space after the dash is missing")
                .help(format!("write `- {}`", shorten(dashed))),
            None => Words::new((at, at + text.len()), "only items may stand in the column of a list")
                .help("write `- ` before it, or indent it to belong to the item above"),
        };
        words.related(dash, "the list starts here")
    }

    /// Something stands behind a whole value, or below it with an indentation that fits nothing.
    pub(super) fn surplus(&self, at: usize, parent: u32, entry: u32) -> Words {
        let value = &self.nodes[entry as usize];
        if self.at(at) == b':' && self.is_blank_or_end(at + 1) {
            return self.second_colon(at, parent, entry);
        }
        let is_same_line = self.line_start(value.end as usize) == self.line_start(at);
        if is_same_line {
            return self.behind_value(at, value);
        }
        let text = without_comment(self.rest_of_line(at));
        let span = (at, at + text.len());
        if value.kind != Kind::Scalar && value.style == Style::Block {
            // It stands left of the value's entries and right of the parent's.
            let words = Words::new(span, format!("the indentation of `{}` fits nothing above", shorten(text)));
            let (inner, outer) = (self.column_of(value), self.column_of(&self.nodes[parent as usize]));
            let is_item = text.starts_with("- ") && self.kind_of(parent) == Kind::Sequence;
            let help = match is_item {
                true => format!("indent it by {outer} spaces, as the items above"),
                false => format!("indent it by {inner} spaces to go on with the lines above, or by {outer}"),
            };
            return words.help(help).related(self.first_word(value), "the block above starts here");
        }
        let words =
            Words::new(span, format!("`{}` is indented, but what is above it has a value already", shorten(text)));
        match self.key_of(parent, entry) {
            Some(key) => words
                .help(format!("align it with `{}`", shorten(self.slice(key))))
                .related((key.start as usize, key.end as usize), "the key that has a value"),
            None => words.help("align it with the lines above").related(self.first_word(value), "that value"),
        }
    }

    /// `: ` behind a value: the value holds a colon, or an earlier line lacks one.
    fn second_colon(&self, at: usize, parent: u32, entry: u32) -> Words {
        let value = &self.nodes[entry as usize];
        let (start, end) = (value.start as usize, value.end as usize);
        let here = (at, at + 1);
        if value.kind != Kind::Scalar {
            return Words::new(here, "a collection in brackets is no key here").help("write the key as quoted text");
        }
        if start == end {
            return Words::new(here, "this colon belongs to no key").help("quote the text around it");
        }
        let key = if parent == NONE { None } else { self.key_of(parent, entry) };
        let is_beside_key = key.is_some_and(|key| self.line_start(key.start as usize) == self.line_start(start));
        let is_long = self.line_start(start) != self.line_start(at);
        match (is_long, is_beside_key) {
            (true, false) if value.style == Style::Plain => self.no_colon(start),
            (true, _) if value.style != Style::Plain => {
                Words::new((start, end), "a key must end on its line").help("write it on one line")
            }
            (true, _) => {
                let line = self.part(self.line_start(at), at).trim_end_matches([' ', '\t']);
                let name = line.trim_start_matches([' ', '\t']);
                let from = self.line_start(at) + line.len() - name.len();
                let first = without_comment(self.rest_of_line(start));
                let key = shorten(key.map_or("", |key| self.slice(key)));
                Words::new(
                    (from, from + name.len()),
                    format!("`{key}` has a value already, so no key can stand below it"),
                )
                .help(format!("align `{}` with `{}`, or remove the value", shorten(name), key))
                .related((start, start + first.len()), "the value it has")
            }
            (false, _) if self.colon_is_far(start) => {
                Words::new((start, start + 1), format!("a key has at most {KEY_BYTES} characters"))
                    .help("write `? ` before it")
            }
            (false, _) => {
                let line = without_comment(self.rest_of_line(start));
                let words = Words::new(here, "a text that holds `: ` needs quotes")
                    .help(format!("write {}, or put the second key on the next line", quoted(line)));
                match key {
                    Some(key) => words.related((key.start as usize, key.end as usize), "the key of the text"),
                    None => words,
                }
            }
        }
    }

    /// Something stands on the line of a value that has ended.
    fn behind_value(&self, at: usize, value: &NodeData) -> Words {
        let text = without_comment(self.rest_of_line(at));
        let span = (at, at + text.len());
        let whole = (value.start as usize, value.end as usize);
        match (value.kind, value.style) {
            (Kind::Alias, _) => {
                Words::new(span, "nothing may follow an alias").help("quote the whole text if no alias is meant")
            }
            (Kind::Scalar, Style::SingleQuoted) => Words::new(span, "text behind the closing quote")
                .help("write `''` for a quote inside the text")
                .related((whole.1 - 1, whole.1), "the closing quote"),
            (Kind::Scalar, Style::DoubleQuoted) => Words::new(span, "text behind the closing quote")
                .help("write `\\\"` for a quote inside the text")
                .related((whole.1 - 1, whole.1), "the closing quote"),
            (Kind::Mapping | Kind::Sequence, Style::Flow) => Words::new(span, "text behind the closing bracket")
                .help("quote the whole text if no brackets are meant")
                .related((whole.1 - 1, whole.1), "the closing bracket"),
            _ => Words::new(span, format!("`{}` cannot stand here", shorten(text))).help("quote the text"),
        }
    }

    pub(super) fn no_document_start(&self, at: usize, root: u32) -> Words {
        let text = without_comment(self.rest_of_line(at));
        let span = (at, at + text.len());
        if root == NONE {
            return Words::new(span, "`---` is missing before this document").help("write `---` on a line before it");
        }
        let node = &self.nodes[root as usize];
        if node.style == Style::Block && node.kind != Kind::Scalar {
            return Words::new(span, format!("`{}` is indented less than the first line", shorten(text)))
                .help(format!("indent it by {} spaces, or write `---` before it", self.column_of(node)))
                .related(self.first_word(node), "the first line");
        }
        if self.line_start(node.end as usize) == self.line_start(at) {
            return self.behind_value(at, node);
        }
        Words::new(span, "a document holds one value, this is a second").help("write `---` on a line before it")
    }

    /// The key of the value `entry` of the mapping `parent`.
    fn key_of(&self, parent: u32, entry: u32) -> Option<&NodeData> {
        let parent = &self.nodes[parent as usize];
        if parent.kind != Kind::Mapping {
            return None;
        }
        let mut key = &self.nodes[parent.link as usize];
        while key.next != entry {
            let value = self.nodes.get(key.next as usize)?;
            key = self.nodes.get(value.next as usize)?;
        }
        Some(key)
    }

    /// Whether the next `: ` on the line is farther away than a key may reach.
    fn colon_is_far(&self, at: usize) -> bool {
        let line = self.rest_of_line(at);
        let colon = line.find(": ").or_else(|| line.ends_with(':').then(|| line.len() - 1));
        colon.is_some_and(|colon| line[..colon].chars().count() > KEY_BYTES)
    }
}

/// Where the first colon is that no space follows, when the text before it looks like a key.
fn lone_colon(text: &str) -> Option<usize> {
    let colon = text.find(':')?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'"' | b'\'');
    let is_key = colon > 0 && text[..colon].bytes().all(is_word);
    let value = &text[colon + 1..];
    (is_key && !value.is_empty() && !value.starts_with([' ', '\t', '/', ':'])).then_some(colon)
}
