//! The reader: one pass over the bytes into the arena.
//!
//! It accepts what go-yaml accepts and builds the same tree. Where a rule looks odd (a key reaches at most 1,024
//! characters, `?` ends a plain scalar inside brackets), it is theirs. Their scanner finds tokens, ours goes straight to
//! nodes, but two pieces of its state are kept because the dialect is defined by them: `key_ok`, whether a key or an
//! entry may start at the cursor, and `indent`, the column of the innermost block collection.
//!
//! [`stream`] splits documents and recovers, [`block`] and [`flow`] read collections, [`scalar`] and [`literal`] read
//! text, [`scan`] knows bytes, [`arena`] builds nodes and measures aliases,
//! [`error`] names what may be wrong, [`words`] says it.

mod arena;
mod block;
mod error;
mod flow;
mod literal;
mod property;
mod scalar;
mod scan;
mod stream;
mod words;

use super::tree::{Comment, Document, NodeData, NodeId, SyntaxError, Tag, Tree};
use crate::text::FileId;
use arena::{Anchor, Watched};
use error::Failure;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Parses a file. It never fails: broken documents have their error in [`Tree::errors`], the others are read as if they
/// stood alone.
pub fn parse(file: FileId, text: Arc<str>) -> Tree {
    let mut parser = Parser::new(&text);
    parser.stream();
    let Parser { mut nodes, texts, owned, anchors, tags, comments, documents, errors, .. } = parser;
    // The estimate is generous: what is left over serves the next file.
    nodes.shrink_to_fit();
    Tree { file, nodes, texts, owned, anchors, tags, comments, documents, errors, text }
}

/// The document cannot be read on; [`Parser::failure`] says why.
struct Broken;

type Parsed<T> = Result<T, Broken>;

struct Parser<'t> {
    text: &'t str,
    /// The text up to where reading must stop: its end, or a character that no document may hold. Holds no NUL.
    src: &'t [u8],
    pos: usize,
    /// Start of the line that holds `pos`.
    line: usize,
    /// Column of the innermost block collection; -1 outside.
    indent: i32,
    /// Open brackets.
    flow: usize,
    /// The innermost open bracket.
    bracket: usize,
    /// Whether a key or a block entry may start at the cursor.
    key_ok: bool,
    /// Open collections.
    depth: usize,
    /// The deepest level so far, aliases expanded: of the innermost node that is measured, else of the document.
    deepest: usize,
    /// Nodes of this document so far, aliases expanded.
    weight: u64,
    /// Those of them that are reached through aliases.
    aliased: u64,
    /// Anchors of this document.
    names: BTreeMap<&'t str, Anchor>,
    /// Anchored collections around the cursor.
    watched: Vec<Watched<'t>>,
    /// `%TAG` handles of this document and their prefixes.
    handles: Vec<(&'t str, String)>,
    failure: Option<Failure>,
    /// Nodes that stay when this document is broken: those of the documents before.
    kept: usize,

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
            bracket: 0,
            key_ok: true,
            depth: 0,
            deepest: 0,
            weight: 0,
            aliased: 0,
            names: BTreeMap::new(),
            watched: Vec::new(),
            handles: Vec::new(),
            failure: None,
            kept: 0,
            // Real files have a node for every 12 to 20 bytes.
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
}
