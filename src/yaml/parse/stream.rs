//! Documents, their directives, and the recovery from broken ones.

use super::error::Problem;
use super::property::Properties;
use super::scan::{Mark, forbidden_from};
use super::{Broken, Parsed, Parser};
use crate::yaml::tree::{Document, NONE};

/// A line that starts with `%`.
enum Directive<'t> {
    /// `%YAML`; whether the version is one that go-yaml takes.
    Version(bool),
    /// `%TAG`: handle and prefix.
    Tag(&'t str, String),
}

impl<'t> Parser<'t> {
    /// Reads all documents.
    pub(super) fn stream(&mut self) {
        loop {
            // No document may hold certain characters, not even in a comment: they end what is read at once.
            let wall = forbidden_from(self.text, self.pos);
            self.src = &self.text.as_bytes()[..wall];
            self.documents();
            if wall == self.text.len() {
                return;
            }
            self.forbid(wall);
            self.src = self.text.as_bytes();
            self.pos = wall;
            let is_over = !self.resume();
            if is_over {
                self.pos = self.src.len();
            }
            self.documents.last_mut().expect("one holds the character").end = self.pos as u32;
            if is_over {
                return;
            }
        }
    }

    /// Reads documents until the text, or its readable part, ends.
    fn documents(&mut self) {
        loop {
            self.reset();
            let start = self.pos;
            match self.document() {
                Ok(true) => self.failure = None,
                Ok(false) => return,
                Err(Broken) => {
                    self.give_up(start);
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
        (self.indent, self.flow, self.depth, self.deepest, self.weight, self.aliased) = (-1, 0, 0, 0, 0, 0);
        self.kept = self.nodes.len();
        self.names.clear();
        self.watched.clear();
        self.handles.clear();
    }

    /// Reads one document with its directives. Whether there was one.
    fn document(&mut self) -> Parsed<bool> {
        let is_first = self.documents.is_empty();
        let mut start = self.pos;
        self.advance();
        while !is_first && self.at_marker(b'.') {
            self.skip_marker();
            self.advance();
        }
        let has_directives = self.directives()?;
        let is_explicit = self.at_marker(b'-');
        if is_explicit {
            self.skip_marker();
            start = self.pos;
            self.advance();
        } else if self.pos >= self.src.len() && !has_directives {
            return Ok(false);
        } else if !is_first || has_directives {
            return self.fail(Problem::NoDocumentStart { root: NONE }, self.pos);
        }
        let document = self.documents.len();
        self.documents.push(Document { start: start as u32, end: NONE, root: NONE, error: NONE });
        if !is_explicit && self.at_marker(b'.') {
            return self.fail(Problem::NoContent, self.pos);
        }
        let key = self.key_ok.then(|| self.mark());
        let mut root = NONE;
        if !self.at_document_end() {
            root = self.block_node(false)?;
            self.documents[document].root = root;
            self.advance();
        }
        self.look_ahead(root, key)?;
        if !self.at_document_end() {
            self.kept = self.nodes.len();
            // The document is whole; what follows is the next one, without the marker it needs.
            self.documents[document].end = self.pos as u32;
            return self.fail(Problem::NoDocumentStart { root }, self.pos);
        }
        Ok(true)
    }

    fn skip_marker(&mut self) {
        self.pos += 3;
        self.key_ok = false;
    }

    /// Fails when what stands behind the root is no token, or makes the root a key: go-yaml reads so far before it gives
    /// a document away, so the document is broken. `key` is where `root` started, if that could be a key.
    fn look_ahead(&mut self, root: u32, key: Option<Mark>) -> Parsed<()> {
        let (pos, line, nodes, comments, key_ok) =
            (self.pos, self.line, self.nodes.len(), self.comments.len(), self.key_ok);
        match self.at(pos) {
            _ if pos >= self.src.len() || self.at_marker(b'-') || self.at_marker(b'.') => return Ok(()),
            b'%' if pos == line => drop(self.directive()?),
            b':' if self.at_indicator(b':') && !key_ok => {
                return self.fail(Problem::Surplus { parent: NONE, entry: root }, pos);
            }
            b'-' if self.at_indicator(b'-') && !key_ok => return self.fail(Problem::MisplacedEntry, pos),
            b'?' if self.at_indicator(b'?') && !key_ok => return self.fail(Problem::MisplacedKey, pos),
            b':' | b'-' | b'?' if self.is_blank_or_end(pos + 1) => {}
            b'[' | b'{' | b']' | b'}' | b',' => {}
            b'*' => drop(self.name(Problem::BadAlias)?),
            b'&' => drop(self.name(Problem::BadAnchor)?),
            b'!' => drop(self.scan_tag()?),
            b'|' | b'>' => drop(self.block_scalar(Properties::default())?),
            _ => drop(self.inline_node(Properties::default())?),
        }
        if root != NONE && key.is_some_and(|key| self.key_follows(key, root)) {
            return self.fail(Problem::Surplus { parent: NONE, entry: root }, pos);
        }
        self.nodes.truncate(nodes);
        self.comments.truncate(comments);
        (self.pos, self.line, self.key_ok) = (pos, line, key_ok);
        Ok(())
    }

    /// Reads `%YAML` and `%TAG` lines. Whether there was one.
    fn directives(&mut self) -> Parsed<bool> {
        let mut has_version = false;
        let mut found = false;
        while self.pos == self.line && self.at(self.pos) == b'%' {
            found = true;
            let start = self.pos;
            match self.directive()? {
                Directive::Version(_) if has_version => return self.fail(Problem::RepeatedDirective, start),
                Directive::Version(false) => return self.fail(Problem::YamlVersion, start),
                Directive::Version(true) => has_version = true,
                Directive::Tag(handle, _) if self.handles.iter().any(|known| known.0 == handle) => {
                    return self.fail(Problem::RepeatedDirective, start);
                }
                Directive::Tag(handle, prefix) => self.handles.push((handle, prefix)),
            }
            self.advance();
        }
        Ok(found)
    }

    /// Reads the directive at the cursor, up to the end of its line.
    fn directive(&mut self) -> Parsed<Directive<'t>> {
        let start = self.pos;
        self.key_ok = false;
        self.pos += 1;
        let name = self.word();
        if name.is_empty() || !self.is_blank_or_end(self.pos) {
            return self.fail(Problem::BadDirective, start);
        }
        self.skip_blanks();
        let directive = match name {
            "YAML" => self.version(),
            "TAG" => self.handle()?,
            _ => None,
        };
        self.skip_blanks();
        if self.at(self.pos) == b'#' {
            self.comment();
        }
        match directive {
            Some(directive) if self.pos >= self.src.len() || self.break_len(self.pos) > 0 => Ok(directive),
            _ => self.fail(Problem::BadDirective, start),
        }
    }

    /// Reads `1.1`: each part has one or two digits. A comment may follow at once.
    fn version(&mut self) -> Option<Directive<'t>> {
        let major = self.digits()?;
        if self.at(self.pos) != b'.' {
            return None;
        }
        self.pos += 1;
        let minor = self.digits()?;
        let is_one = |part: &str| matches!(part, "1" | "01");
        Some(Directive::Version(is_one(major) && is_one(minor)))
    }

    /// Reads one or two digits.
    fn digits(&mut self) -> Option<&'t str> {
        let start = self.pos;
        while self.at(self.pos).is_ascii_digit() {
            self.pos += 1;
        }
        matches!(self.pos - start, 1 | 2).then(|| &self.text[start..self.pos])
    }

    /// Reads `!handle! prefix`.
    fn handle(&mut self) -> Parsed<Option<Directive<'t>>> {
        let start = self.pos;
        if self.at(start) != b'!' {
            return Ok(None);
        }
        self.pos += 1;
        let is_primary = self.word().is_empty();
        let is_closed = self.at(self.pos) == b'!';
        self.pos += usize::from(is_closed);
        let handle = &self.text[start..self.pos];
        if !(is_primary || is_closed) || !matches!(self.at(self.pos), b' ' | b'\t') {
            return Ok(None);
        }
        self.skip_blanks();
        let mut prefix = String::new();
        let is_whole = self.uri(&mut prefix)? && self.is_blank_or_end(self.pos);
        Ok(is_whole.then_some(Directive::Tag(handle, prefix)))
    }

    /// Records the failure for the document being read, which started at or after `start`, and drops its nodes.
    fn give_up(&mut self, start: usize) {
        let error = self.errors.len() as u32;
        let failure = self.failure.expect("what breaks a document leaves a failure");
        self.errors.push(self.describe(failure));
        match self.documents.last_mut() {
            Some(open) if open.end == NONE => (open.root, open.error) = (NONE, error),
            last => {
                let start = last.map_or(0, |last| last.end).max(start as u32);
                self.documents.push(Document { start, end: NONE, root: NONE, error });
            }
        }
        self.forget();
    }

    /// Drops the nodes of the broken document.
    fn forget(&mut self) {
        let kept = self.kept as u32;
        self.nodes.truncate(self.kept);
        self.anchors.truncate(self.anchors.partition_point(|anchor| anchor.0.0 < kept));
        self.tags.truncate(self.tags.partition_point(|tag| tag.node.0 < kept));
    }

    /// Moves to the next `---` line, the cursor's own line included when the cursor is at its start.
    fn resume(&mut self) -> bool {
        let mut at = self.pos;
        if self.pos != self.line {
            at += match self.break_after(at) {
                Some(len) => len,
                None => return false,
            };
        }
        loop {
            (self.pos, self.line) = (at, at);
            if self.at_marker(b'-') {
                self.key_ok = true;
                return true;
            }
            match self.break_after(at) {
                Some(len) => at += len,
                None => return false,
            }
        }
    }

    /// Bytes from `at` to behind the next line break.
    fn break_after(&self, at: usize) -> Option<usize> {
        memchr::memchr2(b'\n', b'\r', self.src.get(at..)?).map(|len| len + 1)
    }

    /// The readable part ended at a forbidden character: breaks the document that holds it, unless that broke before.
    fn forbid(&mut self, at: usize) {
        let earlier = self.failure.take();
        if let Some(last) = self.documents.last_mut().filter(|last| last.end as usize == at) {
            if earlier.is_some_and(|failure| failure.pos < at) {
                return;
            }
            if last.error != NONE {
                self.errors.pop();
            } else if last.root != NONE {
                self.kept = last.root as usize;
            }
            last.end = NONE;
        }
        self.pos = at;
        let _: Parsed<()> = self.fail(Problem::Forbidden, at);
        self.give_up(0);
    }
}
