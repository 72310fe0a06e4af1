//! The reader: one pass over the bytes, documents and their recovery here, nodes in the files below.
//!
//! It accepts what go-yaml 2 and 3 accept. Where a rule looks odd (a key ends 1,024 characters before its colon, `?`
//! ends a plain scalar inside brackets), it is theirs. Two pieces of their scanner's state shape the code: `key_ok`,
//! whether a key or an entry may start at the cursor, and `indent`, the column of the innermost block collection.

mod block;
mod error;
mod flow;
mod literal;
mod scalar;
mod scan;

use super::tree::{Comment, Document, Kind, NONE, NodeData, NodeId, Style, SyntaxError, Tag, Tree};
use crate::text::FileId;
use crate::text::limits::{ALIAS_NODES, DEPTH};
use error::Problem;
use scan::Properties;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Parses a file. Broken documents are in [`Tree::errors`]; the others are read as if they stood alone.
pub fn parse(file: FileId, text: Arc<str>) -> Tree {
    let mut parser = Parser::new(&text);
    parser.stream();
    let Parser { nodes, texts, owned, anchors, tags, comments, documents, errors, .. } = parser;
    Tree { file, nodes, texts, owned, anchors, tags, comments, documents, errors, text }
}

/// The document cannot be read on; what is wrong is in [`Parser::error`].
struct Broken;

type Parsed<T> = Result<T, Broken>;

/// What an alias needs to know of the node it stands for.
#[derive(Clone, Copy)]
struct Anchor {
    node: u32,
    /// Nodes it stands for with its aliases expanded; 0 while it is still open.
    weight: u64,
    /// Levels below it with its aliases expanded.
    height: usize,
}

/// An anchored collection that is still open.
struct Watched<'t> {
    node: u32,
    name: &'t str,
    /// [`Parser::weight`] before it.
    weight: u64,
    /// [`Parser::deepest`] around it.
    deepest: usize,
}

struct Parser<'t> {
    text: &'t str,
    /// The text up to where reading must stop: its end, or a character that no document may hold.
    src: &'t [u8],
    pos: usize,
    /// Start of the line that holds `pos`.
    line: usize,
    /// Column of the innermost block collection; -1 outside.
    indent: i32,
    /// Open brackets.
    flow: usize,
    /// Whether a key or a block entry may start at the cursor.
    key_ok: bool,
    /// Open collections.
    depth: usize,
    /// The deepest level reached in the innermost anchored node, aliases expanded.
    deepest: usize,
    /// Nodes of this document so far, aliases expanded.
    weight: u64,
    /// Anchors of this document.
    names: BTreeMap<&'t str, Anchor>,
    /// Anchored collections around the cursor.
    watched: Vec<Watched<'t>>,
    /// `%TAG` handles of this document and their prefixes.
    handles: Vec<(&'t str, String)>,
    /// Nodes that stay when the document turns out to be broken.
    kept: usize,
    /// Why the document is broken.
    error: Option<SyntaxError>,

    nodes: Vec<NodeData>,
    texts: Vec<(u32, u32)>,
    owned: String,
    anchors: Vec<(NodeId, u32, u32)>,
    tags: Vec<Tag>,
    comments: Vec<Comment>,
    documents: Vec<Document>,
    errors: Vec<SyntaxError>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Parser {
            text,
            src: text.as_bytes(),
            pos: start,
            line: start,
            indent: -1,
            flow: 0,
            key_ok: true,
            depth: 0,
            deepest: 0,
            weight: 0,
            names: BTreeMap::new(),
            watched: Vec::new(),
            handles: Vec::new(),
            kept: 0,
            error: None,
            nodes: Vec::with_capacity(text.len() / 12),
            texts: Vec::new(),
            owned: String::new(),
            anchors: Vec::new(),
            tags: Vec::new(),
            comments: Vec::new(),
            documents: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Reads all documents.
    fn stream(&mut self) {
        loop {
            let wall = self.next_forbidden();
            self.src = &self.text.as_bytes()[..wall];
            self.documents();
            if wall == self.text.len() {
                return;
            }
            self.forbid(wall);
            self.src = self.text.as_bytes();
            self.pos = wall + 1;
            if !self.resume() {
                return;
            }
        }
    }

    /// Reads documents until the text or its readable part ends.
    fn documents(&mut self) {
        loop {
            self.reset();
            let start = self.pos;
            self.kept = self.nodes.len();
            match self.document() {
                Ok(true) => {}
                Ok(false) => return,
                Err(Broken) => {
                    let error = self.errors.len() as u32;
                    self.errors.extend(self.error.take());
                    match self.documents.last_mut() {
                        Some(open) if open.end == NONE => {
                            (open.root, open.error) = (NONE, error);
                        }
                        last => {
                            let start = last.map_or(0, |last| last.end).max(start as u32);
                            self.documents.push(Document { start, end: NONE, root: NONE, error });
                        }
                    }
                    self.forget();
                    if !self.resume() {
                        self.pos = self.src.len();
                    }
                }
            }
            let end = self.pos as u32;
            if let Some(open) = self.documents.last_mut().filter(|document| document.end == NONE) {
                open.end = end;
            }
        }
    }

    fn reset(&mut self) {
        (self.indent, self.flow, self.depth, self.deepest, self.weight) = (-1, 0, 0, 0, 0);
        self.names.clear();
        self.watched.clear();
        self.handles.clear();
    }

    /// Drops the nodes of a broken document.
    fn forget(&mut self) {
        let kept = self.kept as u32;
        self.nodes.truncate(self.kept);
        self.anchors.truncate(self.anchors.partition_point(|anchor| anchor.0.0 < kept));
        self.tags.truncate(self.tags.partition_point(|tag| tag.node.0 < kept));
    }

    /// Reads one document with its directives. Whether there was one.
    fn document(&mut self) -> Parsed<bool> {
        let is_first = self.documents.is_empty();
        let mut start = self.pos;
        self.advance();
        while !is_first && self.at_marker() && self.at(self.pos) == b'.' {
            self.end_marker();
            self.advance();
        }
        let has_directives = self.directives()?;
        let is_explicit = self.at_marker() && self.at(self.pos) == b'-';
        if is_explicit {
            self.pos += 3;
            self.key_ok = false;
            start = self.pos;
            self.advance();
        } else if self.pos >= self.src.len() && !has_directives {
            return Ok(false);
        } else if !is_first || has_directives {
            return Err(self.fail(Problem::NoDocumentStart, self.pos));
        }
        let document = self.documents.len();
        self.documents.push(Document { start: start as u32, end: NONE, root: NONE, error: NONE });
        if !is_explicit || !self.at_document_end() {
            self.documents[document].root = self.block_node(false)?;
            self.advance();
        }
        let whole = self.nodes.len();
        if !self.at_document_end() {
            self.refuse_token()?;
            self.kept = whole;
            // The document is whole; what follows is the next one, without the marker it needs.
            self.documents[document].end = self.pos as u32;
            return Err(self.fail(Problem::NoDocumentStart, self.pos));
        }
        Ok(true)
    }

    /// Fails when the token behind a whole document is none. go-yaml looks that far before it gives the document away.
    fn refuse_token(&mut self) -> Parsed<()> {
        let at = (self.pos, self.line);
        match self.at(self.pos) {
            b':' if self.at_indicator(b':') && !self.key_ok => return Err(self.fail(Problem::MisplacedValue, self.pos)),
            b'-' if self.at_indicator(b'-') && !self.key_ok => return Err(self.fail(Problem::MisplacedEntry, self.pos)),
            b'?' if self.at_indicator(b'?') && !self.key_ok => return Err(self.fail(Problem::MisplacedKey, self.pos)),
            b':' | b'-' | b'?' if self.is_blank_or_end(self.pos + 1) => {}
            b'[' | b'{' | b']' | b'}' | b',' => {}
            b'&' | b'!' => drop(self.properties()?),
            b'*' => drop(self.name(Problem::BadAlias)?),
            b'|' | b'>' => drop(self.block_scalar(Properties::default())?),
            _ => drop(self.inline_node(Properties::default())?),
        }
        (self.pos, self.line) = at;
        Ok(())
    }

    fn end_marker(&mut self) {
        self.pos += 3;
        self.key_ok = false;
    }

    /// Reads `%YAML` and `%TAG`. Whether there was one.
    fn directives(&mut self) -> Parsed<bool> {
        let mut has_version = false;
        let mut found = false;
        while self.pos == self.line && self.at(self.pos) == b'%' {
            found = true;
            let start = self.pos;
            self.key_ok = false;
            self.pos += 1;
            while scan::is_word(self.at(self.pos)) {
                self.pos += 1;
            }
            let name = &self.text[start + 1..self.pos];
            if !self.is_blank_or_end(self.pos) {
                return Err(self.fail(Problem::BadDirective, start));
            }
            self.skip_blanks();
            match name {
                "YAML" if has_version => return Err(self.fail(Problem::DuplicateDirective, start)),
                "YAML" => {
                    has_version = true;
                    self.version(start)?;
                }
                "TAG" => self.tag_directive(start)?,
                _ => return Err(self.fail(Problem::BadDirective, start)),
            }
            self.skip_blanks();
            if self.at(self.pos) == b'#' {
                self.comment();
            }
            if self.pos < self.src.len() && self.break_len(self.pos) == 0 {
                return Err(self.fail(Problem::BadDirective, start));
            }
            self.advance();
        }
        Ok(found)
    }

    fn version(&mut self, start: usize) -> Parsed<()> {
        let from = self.pos;
        while matches!(self.at(self.pos), b'0'..=b'9' | b'.') {
            self.pos += 1;
        }
        let is_known = matches!(&self.src[from..self.pos], b"1.1" | b"01.1" | b"1.01" | b"01.01");
        if is_known { Ok(()) } else { Err(self.fail(Problem::YamlVersion, start)) }
    }

    fn tag_directive(&mut self, start: usize) -> Parsed<()> {
        let from = self.pos;
        if self.at(from) != b'!' {
            return Err(self.fail(Problem::BadDirective, start));
        }
        self.pos += 1;
        while scan::is_word(self.at(self.pos)) {
            self.pos += 1;
        }
        if self.at(self.pos) == b'!' {
            self.pos += 1;
        } else if self.pos > from + 1 {
            return Err(self.fail(Problem::BadDirective, start));
        }
        let handle = &self.text[from..self.pos];
        if !matches!(self.at(self.pos), b' ' | b'\t') {
            return Err(self.fail(Problem::BadDirective, start));
        }
        self.skip_blanks();
        let mut prefix = String::new();
        if !self.uri(&mut prefix)? || !self.is_blank_or_end(self.pos) {
            return Err(self.fail(Problem::BadDirective, start));
        }
        if self.handles.iter().any(|known| known.0 == handle) {
            return Err(self.fail(Problem::DuplicateDirective, start));
        }
        self.handles.push((handle, prefix));
        Ok(())
    }

    /// Moves to the next `---` line at or after the cursor's line; whether there is one.
    fn resume(&mut self) -> bool {
        let mut at = self.text[..self.pos.min(self.text.len())].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        if at < self.pos && self.pos != self.line {
            at = match memchr::memchr2(b'\n', b'\r', &self.src[self.pos.min(self.src.len())..]) {
                Some(next) => self.pos + next + 1,
                None => return false,
            };
        }
        loop {
            (self.pos, self.line) = (at, at);
            if self.at_marker() && self.at(at) == b'-' {
                self.key_ok = true;
                return true;
            }
            match memchr::memchr2(b'\n', b'\r', &self.src[at..]) {
                Some(next) => at += next + 1,
                None => return false,
            }
        }
    }

    /// Where the first character stands, at or after the cursor, that no YAML text may hold; else the end.
    fn next_forbidden(&self) -> usize {
        error::forbidden_from(self.text, self.pos)
    }

    /// The readable part ended at a forbidden character: breaks the document that holds it.
    fn forbid(&mut self, at: usize) {
        self.pos = at;
        let _: Broken = self.fail(Problem::Forbidden, at);
        let error = self.error.take();
        let count = self.errors.len() as u32;
        match self.documents.last_mut() {
            Some(document) if document.end as usize == at => {
                document.root = NONE;
                if document.error == NONE {
                    document.error = count;
                    self.errors.extend(error);
                } else if let (Some(last), Some(error)) = (self.errors.last_mut(), error) {
                    *last = error;
                }
            }
            _ => {
                self.documents.push(Document { start: self.line as u32, end: at as u32, root: NONE, error: count });
                self.errors.extend(error);
            }
        }
    }

    /// Opens a collection.
    fn open(&mut self, kind: Kind, style: Style, start: usize, properties: Properties) -> Parsed<u32> {
        if self.depth >= DEPTH {
            return Err(self.fail(Problem::TooDeep, start));
        }
        let weight = self.weight;
        let node = self.push(kind, style, (start, start), NONE, properties);
        self.depth += 1;
        self.watch(node, weight, properties);
        self.deepest = self.deepest.max(self.depth);
        Ok(node)
    }

    /// Starts to measure an anchored collection; until it is closed no alias may stand for it.
    fn watch(&mut self, node: u32, weight: u64, properties: Properties) {
        if let Some(name) = self.anchor_name(properties) {
            self.names.insert(name, Anchor { node, weight: 0, height: 0 });
            self.watched.push(Watched { node, name, weight, deepest: self.deepest });
            self.deepest = self.depth;
        }
    }

    /// Closes a collection at `end`.
    fn close(&mut self, node: u32, end: usize) {
        self.depth -= 1;
        self.nodes[node as usize].end = end as u32;
        if let Some(watched) = self.watched.pop_if(|watched| watched.node == node) {
            let anchor = Anchor { node, weight: self.weight - watched.weight, height: self.deepest - self.depth };
            if let Some(known) = self.names.get_mut(watched.name).filter(|known| known.node == node) {
                *known = anchor;
            }
            self.deepest = self.deepest.max(watched.deepest);
        }
    }

    /// Puts `node` and all behind it, which has turned out to be a key, into a new mapping with the properties `own`,
    /// which `node` may hold now. The mapping takes the index `node`, so that ids stay in the order of the document.
    /// A key is short: what moves is at most a few kilobytes.
    fn wrap(&mut self, node: u32, start: usize, style: Style, weight: u64, own: Properties) -> Parsed<()> {
        if self.depth >= DEPTH || self.deepest >= DEPTH {
            return Err(self.fail(Problem::TooDeep, start));
        }
        let moved = |id: u32| if id >= node && id != NONE { id + 1 } else { id };
        for data in &mut self.nodes[node as usize..] {
            if data.kind != Kind::Scalar {
                data.link = moved(data.link);
            }
            data.next = moved(data.next);
        }
        let start = start as u32;
        self.nodes
            .insert(node as usize, NodeData { kind: Kind::Mapping, style, start, end: start, link: NONE, next: NONE });
        self.weight += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth) + 1;
        let first = self.anchors.partition_point(|anchor| anchor.0.0 < node);
        for anchor in &mut self.anchors[first..] {
            let is_own = own.anchor == Some((anchor.1, anchor.2));
            anchor.0.0 += u32::from(!is_own);
            let name = &self.text[anchor.1 as usize + 1..anchor.2 as usize];
            if let Some(known) = self.names.get_mut(name).filter(|known| known.node >= node && !is_own) {
                known.node += 1;
            }
        }
        let first = self.tags.partition_point(|tag| tag.node.0 < node);
        for tag in &mut self.tags[first..] {
            let is_own = own.tag.is_some_and(|own| (own.0, own.1) == (tag.start, tag.end));
            tag.node.0 += u32::from(!is_own);
        }
        self.watch(node, weight, own);
        Ok(())
    }

    fn anchor_name(&self, properties: Properties) -> Option<&'t str> {
        let (start, end) = properties.anchor?;
        Some(&self.text[start as usize + 1..end as usize])
    }

    /// Appends a node to the arena.
    fn push(&mut self, kind: Kind, style: Style, span: (usize, usize), link: u32, properties: Properties) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(NodeData { kind, style, start: span.0 as u32, end: span.1 as u32, link, next: NONE });
        self.weight += 1;
        if let Some((start, end)) = properties.anchor {
            self.anchors.push((NodeId(node), start, end));
            let name = &self.text[start as usize + 1..end as usize];
            self.names.insert(name, Anchor { node, weight: 1, height: 0 });
        }
        if let Some((start, end, kind)) = properties.tag {
            self.tags.push(Tag { node: NodeId(node), start, end, kind });
        }
        node
    }

    /// Appends `child` after `last` (or as the first child) of `parent`.
    fn adopt(&mut self, parent: u32, last: u32, child: u32) {
        if last == NONE {
            self.nodes[parent as usize].link = child;
        } else {
            self.nodes[last as usize].next = child;
        }
    }

    /// Appends a node for nothing at `at`.
    fn empty(&mut self, at: usize, properties: Properties) -> u32 {
        self.push(Kind::Scalar, Style::Plain, (at, at), NONE, properties)
    }

    /// Reads `*name`.
    fn alias(&mut self, properties: Properties) -> Parsed<u32> {
        let (start, end) = self.name(Problem::BadAlias)?;
        self.key_ok = false;
        let name = &self.text[start as usize + 1..end as usize];
        let Some(&anchor) = self.names.get(name) else {
            return Err(self.fail(Problem::UnknownAnchor, start as usize));
        };
        if anchor.weight == 0 {
            return Err(self.fail(Problem::SelfAlias { anchor: anchor.node }, start as usize));
        }
        self.weight += anchor.weight;
        self.deepest = self.deepest.max(self.depth + anchor.height);
        if self.weight > ALIAS_NODES || self.deepest > DEPTH {
            return Err(self.fail(Problem::TooMuchExpansion, start as usize));
        }
        Ok(self.push(Kind::Alias, Style::Plain, (start as usize, end as usize), anchor.node, properties))
    }
}
