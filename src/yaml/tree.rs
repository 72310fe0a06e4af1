//! The arena a file is parsed into, and the cursor that reads it.

use crate::text::{FileId, Span};
use std::ops::Range;
use std::sync::Arc;

/// A node's index in its tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(super) u32);

/// What a node is. Aliases are followed by [`Node`], so no reader meets one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text of any style, or nothing (an empty plain scalar).
    Scalar,
    /// Keys and values.
    Mapping,
    /// Items.
    Sequence,
    /// A reference to an earlier node; only in the arena.
    Alias,
}

impl Kind {
    /// The word of our messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Scalar => "scalar",
            Kind::Mapping => "mapping",
            Kind::Sequence => "list",
            Kind::Alias => "alias",
        }
    }
}

/// How a node is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A scalar without quotes.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in brackets.
    Flow,
}

/// No child, no sibling, or no owned text.
pub(super) const NONE: u32 = u32::MAX;

/// One node of the arena. Children of a mapping alternate: key, value, key, value.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeData {
    pub kind: Kind,
    pub style: Style,
    /// First byte; for an empty plain scalar the place where a value would stand.
    pub start: u32,
    /// After the last byte. Block scalars and block collections end after their last content byte's line break is cut.
    pub end: u32,
    /// Collection: first child. Scalar: index of its owned text, else the text is a slice of the source.
    /// Alias: the node it stands for.
    pub link: u32,
    /// Next sibling.
    pub next: u32,
}

const _: () = assert!(size_of::<NodeData>() == 20);

/// What a tag says about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TagKind {
    /// `!`: text, whatever it looks like.
    NonSpecific,
    /// `!!str`
    Str,
    /// `!!bool`
    Bool,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!null`
    Null,
    /// `!!timestamp`
    Timestamp,
    /// `!!binary`
    Binary,
    /// `!!merge`
    Merge,
    /// Any other: says nothing of types.
    Other,
}

impl TagKind {
    /// The meaning of a resolved tag.
    pub(super) fn of(tag: &str) -> TagKind {
        match tag.strip_prefix("tag:yaml.org,2002:") {
            Some("str") => TagKind::Str,
            Some("bool") => TagKind::Bool,
            Some("int") => TagKind::Int,
            Some("float") => TagKind::Float,
            Some("null") => TagKind::Null,
            Some("timestamp") => TagKind::Timestamp,
            Some("binary") => TagKind::Binary,
            Some("merge") => TagKind::Merge,
            None if tag == "!" => TagKind::NonSpecific,
            _ => TagKind::Other,
        }
    }
}

/// A tag as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub node: NodeId,
    pub start: u32,
    pub end: u32,
    pub kind: TagKind,
}

/// A comment, from `#` to the end of its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// First byte (`#`).
    pub start: u32,
    /// After the last byte, the line break not included.
    pub end: u32,
    /// Whether nothing but white space stands before it on its line.
    pub own_line: bool,
}

/// Something go-yaml would refuse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Where the reader stopped: the character that must change, as well as we can tell.
    pub start: u32,
    /// After the last byte of that place; may equal `start`.
    pub end: u32,
    /// What is wrong, in the style of house messages (lower case, no final stop).
    pub message: String,
    /// What to do, when it is plain.
    pub help: Option<String>,
    /// A second place, such as the bracket that is never closed: first byte, end, what it is.
    pub related: Option<(u32, u32, &'static str)>,
}

/// One document of a stream.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// First byte of the document's part of the file (after `---`).
    pub start: u32,
    /// After the last byte.
    pub end: u32,
    pub(super) root: u32,
    pub(super) error: u32,
}

/// A parsed file.
#[derive(Debug)]
pub struct Tree {
    pub(super) file: FileId,
    pub(super) text: Arc<str>,
    pub(super) nodes: Vec<NodeData>,
    /// Texts that differ from their source bytes (escapes, folds, block scalars): ranges of `owned`.
    pub(super) texts: Vec<(u32, u32)>,
    pub(super) owned: String,
    /// `&name` by node, sorted by node; the span covers the `&`.
    pub(super) anchors: Vec<(NodeId, u32, u32)>,
    /// Tags by node, sorted by node.
    pub(super) tags: Vec<Tag>,
    pub(super) comments: Vec<Comment>,
    pub(super) documents: Vec<Document>,
    pub(super) errors: Vec<SyntaxError>,
}

impl Tree {
    /// The file this tree was read from.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The text this tree was read from.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// All comments, in order of the file.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// What go-yaml would refuse, in order of the file; at most one error per document.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// The documents of the stream, in order. Empty documents count; a file without any token has none.
    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// The root of a document; `None` when it is empty or broken.
    pub fn root(&self, document: &Document) -> Option<Node<'_>> {
        (document.root != NONE).then(|| self.node(NodeId(document.root)))
    }

    /// The error that broke a document.
    pub fn error(&self, document: &Document) -> Option<&SyntaxError> {
        self.errors.get(document.error as usize)
    }

    /// All nodes, in the order of the document: a collection before its content.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node that starts at `offset` or, else, the innermost one that holds it; of several that start there the
    /// innermost. Empty values count where they stand.
    pub fn node_at(&self, offset: u32) -> Option<NodeId> {
        // Nodes are sorted by their start, and a collection stands before its content.
        let after = self.nodes.partition_point(|node| node.start <= offset);
        let mut id = after.checked_sub(1)?;
        loop {
            let node = &self.nodes[id];
            if node.start == offset || node.end > offset {
                return Some(NodeId(id as u32));
            }
            id = id.checked_sub(1)?;
        }
    }

    /// The nodes that start in `range`, in the order of the document: outer ones first. Aliases count where they are
    /// written.
    pub fn nodes_starting_in(&self, range: Range<u32>) -> impl Iterator<Item = Node<'_>> {
        let first = self.nodes.partition_point(|node| node.start < range.start);
        let count = self.nodes[first..].partition_point(|node| node.start < range.end);
        (first..first + count).map(|id| self.node(NodeId(id as u32)))
    }

    /// The cursor at a node. `id` must come from this tree.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        let data = &self.nodes[id.0 as usize];
        let target = if data.kind == Kind::Alias { NodeId(data.link) } else { id };
        Node { tree: self, written: id, target }
    }
}

/// A place in a tree: a copyable cursor. At an alias it reads as the node the alias stands for.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    /// The node as written: the alias, where there is one.
    written: NodeId,
    /// The node that is read.
    target: NodeId,
}

/// A key and its value.
#[derive(Clone, Copy)]
pub struct Entry<'t> {
    /// The key.
    pub key: Node<'t>,
    /// The value.
    pub value: Node<'t>,
}

impl<'t> Node<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.target.0 as usize]
    }

    /// The tree this node is in.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The id of the node as written; see [`Tree::node`].
    pub fn id(self) -> NodeId {
        self.written
    }

    /// What it is; never [`Kind::Alias`].
    pub fn kind(self) -> Kind {
        self.data().kind
    }

    /// How it is written.
    pub fn style(self) -> Style {
        self.data().style
    }

    /// Where it is written: for an alias the `*name`.
    pub fn span(self) -> Span {
        let data = &self.tree.nodes[self.written.0 as usize];
        Span::new(self.tree.file, data.start, data.end)
    }

    /// Where its content is written: for an alias the anchored node, else the same as [`Node::span`].
    pub fn origin(self) -> Span {
        let data = self.data();
        Span::new(self.tree.file, data.start, data.end)
    }

    /// Whether it is written as `*name`.
    pub fn is_alias(self) -> bool {
        self.written != self.target
    }

    /// A scalar's text, with escapes and folds resolved but no type: `"1"` and `1` read the same.
    pub fn text(self) -> Option<&'t str> {
        let data = self.data();
        if data.kind != Kind::Scalar {
            return None;
        }
        if let Some(&(start, end)) = self.tree.texts.get(data.link as usize) {
            return Some(&self.tree.owned[start as usize..end as usize]);
        }
        let (start, end) = (data.start as usize, data.end as usize);
        Some(match data.style {
            Style::SingleQuoted | Style::DoubleQuoted => &self.tree.text[start + 1..end - 1],
            _ => &self.tree.text[start..end],
        })
    }

    /// Whether its text is its source bytes one by one (no escapes, no folds), so that offsets map directly.
    pub fn is_verbatim(self) -> bool {
        self.data().kind == Kind::Scalar && self.data().link == NONE
    }

    /// The tag as written (`!!str`, `!Ref`), if any.
    pub fn tag(self) -> Option<&'t str> {
        let at = self.tree.tags.binary_search_by_key(&self.target, |tag| tag.node).ok()?;
        let tag = self.tree.tags[at];
        Some(&self.tree.text[tag.start as usize..tag.end as usize])
    }

    pub(super) fn tag_kind(self) -> Option<TagKind> {
        if self.tree.tags.is_empty() {
            return None;
        }
        let at = self.tree.tags.binary_search_by_key(&self.target, |tag| tag.node).ok()?;
        Some(self.tree.tags[at].kind)
    }

    /// The anchor as written (`&name`), if any.
    pub fn anchor(self) -> Option<&'t str> {
        let at = self.tree.anchors.binary_search_by_key(&self.target, |anchor| anchor.0).ok()?;
        let (_, start, end) = self.tree.anchors[at];
        Some(&self.tree.text[start as usize..end as usize])
    }

    fn children(self) -> impl Iterator<Item = NodeId> + 't {
        let tree = self.tree;
        let first = match self.kind() {
            Kind::Mapping | Kind::Sequence => self.data().link,
            _ => NONE,
        };
        std::iter::successors((first != NONE).then_some(NodeId(first)), move |id| {
            let next = tree.nodes[id.0 as usize].next;
            (next != NONE).then_some(NodeId(next))
        })
    }

    /// The items of a sequence, in order; none for anything else.
    pub fn items(self) -> impl Iterator<Item = Node<'t>> {
        let tree = self.tree;
        let is_sequence = self.kind() == Kind::Sequence;
        self.children().filter(move |_| is_sequence).map(move |id| tree.node(id))
    }

    /// The entries of a mapping as written, in order: duplicates and `<<` included; none for anything else.
    pub fn pairs(self) -> impl Iterator<Item = Entry<'t>> {
        let tree = self.tree;
        let mut children = self.children();
        let is_mapping = self.kind() == Kind::Mapping;
        std::iter::from_fn(move || {
            if !is_mapping {
                return None;
            }
            let key = tree.node(children.next()?);
            let value = tree.node(children.next().expect("the reader stores a value for every key"));
            Some(Entry { key, value })
        })
    }
}
