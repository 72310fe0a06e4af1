//! Building nodes, and measuring what aliases stand for.

use super::error::Problem;
use super::property::Properties;
use super::{Parsed, Parser};
use crate::text::limits::{ALIAS_NODES, DEPTH};
use crate::yaml::tree::{Kind, NONE, NodeData, NodeId, Style, Tag};

/// What an alias must know of the node it stands for.
#[derive(Clone, Copy)]
pub(super) struct Anchor {
    node: u32,
    /// Nodes it stands for, aliases expanded; 0 while it is still open.
    weight: u64,
    /// Levels of collections in it, itself included, aliases expanded.
    height: usize,
}

/// An anchored collection that is still open.
pub(super) struct Watched<'t> {
    node: u32,
    name: &'t str,
    around: Around,
}

/// The measures before a node that is measured by itself.
#[derive(Clone, Copy)]
pub(super) struct Around {
    weight: u64,
    deepest: usize,
}

impl<'t> Parser<'t> {
    /// Appends a node to the arena.
    pub(super) fn push(
        &mut self,
        kind: Kind,
        style: Style,
        span: (usize, usize),
        link: u32,
        properties: Properties,
    ) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(NodeData { kind, style, start: span.0 as u32, end: span.1 as u32, link, next: NONE });
        self.weight += 1;
        if let Some((start, end)) = properties.anchor {
            self.anchors.push((NodeId(node), start, end));
            self.names.insert(self.name_at(start, end), Anchor { node, weight: 1, height: 0 });
        }
        if let Some((start, end, kind)) = properties.tag {
            self.tags.push(Tag { node: NodeId(node), start, end, kind });
        }
        node
    }

    /// The name in `&name` or `*name`.
    fn name_at(&self, start: u32, end: u32) -> &'t str {
        &self.text[start as usize + 1..end as usize]
    }

    /// Appends a scalar for nothing at `at`.
    pub(super) fn push_empty(&mut self, at: usize, properties: Properties) -> u32 {
        self.push(Kind::Scalar, Style::Plain, (at, at), NONE, properties)
    }

    /// Links `child` behind `last`, or as the first child of `parent`.
    pub(super) fn adopt(&mut self, parent: u32, last: u32, child: u32) {
        if last == NONE {
            self.nodes[parent as usize].link = child;
        } else {
            self.nodes[last as usize].next = child;
        }
    }

    pub(super) fn end_of(&self, node: u32) -> usize {
        self.nodes[node as usize].end as usize
    }

    pub(super) fn kind_of(&self, node: u32) -> Kind {
        self.nodes[node as usize].kind
    }

    /// Opens a collection.
    pub(super) fn open(&mut self, kind: Kind, style: Style, start: usize, properties: Properties) -> Parsed<u32> {
        if self.depth >= DEPTH {
            return self.fail(Problem::TooDeep, start);
        }
        let around = Around { weight: self.weight, deepest: self.deepest };
        let node = self.push(kind, style, (start, start), NONE, properties);
        self.depth += 1;
        if let Some((start, end)) = properties.anchor {
            self.watch(node, self.name_at(start, end), around);
            self.deepest = self.depth;
        }
        self.deepest = self.deepest.max(self.depth);
        Ok(node)
    }

    /// Closes a collection at `end`.
    pub(super) fn close(&mut self, node: u32, end: usize) {
        self.depth -= 1;
        self.nodes[node as usize].end = end as u32;
        if let Some(watched) = self.watched.pop_if(|watched| watched.node == node) {
            let anchor =
                Anchor { node, weight: self.weight - watched.around.weight, height: self.deepest - self.depth };
            if let Some(known) = self.names.get_mut(watched.name).filter(|known| known.node == node) {
                *known = anchor;
            }
            self.deepest = self.deepest.max(watched.around.deepest);
        }
    }

    /// Measures an anchored collection until it is closed; before that, no alias may stand for it.
    fn watch(&mut self, node: u32, name: &'t str, around: Around) {
        self.names.insert(name, Anchor { node, weight: 0, height: 0 });
        self.watched.push(Watched { node, name, around });
    }

    /// Starts to measure a node that may turn out to be a key: [`Parser::wrap`] or [`Parser::settle`] follows.
    pub(super) fn measure(&mut self) -> Around {
        Around { weight: self.weight, deepest: std::mem::replace(&mut self.deepest, self.depth) }
    }

    /// The measured node is no key.
    pub(super) fn settle(&mut self, around: Around) {
        self.deepest = self.deepest.max(around.deepest);
    }

    /// Puts `node` and all behind it, which has turned out to be a key, into a new mapping that starts at `start` and
    /// has the properties `own`; `node` holds them so far, unless it has such properties itself. The mapping takes over the index of `node`, so that ids
    /// stay in the order of the document. A key is short: what moves is at most a few kilobytes.
    pub(super) fn wrap(
        &mut self,
        node: u32,
        start: usize,
        style: Style,
        around: Around,
        own: Properties,
    ) -> Parsed<()> {
        if self.deepest >= DEPTH {
            return self.fail(Problem::TooDeep, start);
        }
        let moved = |id: u32| if id >= node && id != NONE { id + 1 } else { id };
        for data in &mut self.nodes[node as usize..] {
            if data.kind != Kind::Scalar {
                data.link = moved(data.link);
            }
            data.next = moved(data.next);
        }
        let start = start as u32;
        let mapping = NodeData { kind: Kind::Mapping, style, start, end: start, link: NONE, next: NONE };
        self.nodes.insert(node as usize, mapping);
        self.weight += 1;
        self.depth += 1;
        self.deepest += 1;

        let first = self.tags.partition_point(|tag| tag.node.0 < node);
        for tag in &mut self.tags[first..] {
            let is_own = own.tag.is_some_and(|own| own.0 == tag.start);
            tag.node.0 += u32::from(!is_own);
        }
        if let Some((start, end, kind)) = own.tag
            && self.tags.get(first).is_none_or(|tag| tag.node.0 != node)
        {
            self.tags.insert(first, Tag { node: NodeId(node), start, end, kind });
        }
        let first = self.anchors.partition_point(|anchor| anchor.0.0 < node);
        for i in first..self.anchors.len() {
            let (id, start, end) = self.anchors[i];
            if own.anchor == Some((start, end)) {
                continue;
            }
            self.anchors[i].0 = NodeId(id.0 + 1);
            let name = self.name_at(start, end);
            if let Some(known) = self.names.get_mut(name).filter(|known| known.node == id.0) {
                known.node += 1;
            }
        }
        let Some((start, end)) = own.anchor else {
            self.settle(around);
            return Ok(());
        };
        if self.anchors.get(first).is_none_or(|anchor| anchor.0.0 != node) {
            self.anchors.insert(first, (NodeId(node), start, end));
        }
        let name = self.name_at(start, end);
        // A name that the key gives again means the key from there on.
        let again = self.names.get(name).copied().filter(|known| known.node > node);
        self.watch(node, name, around);
        self.names.extend(again.map(|known| (name, known)));
        Ok(())
    }

    /// Reads `*name`.
    pub(super) fn alias(&mut self, properties: Properties) -> Parsed<u32> {
        let (start, end) = self.name(Problem::BadAlias)?;
        self.key_ok = false;
        let at = start as usize;
        let Some(&anchor) = self.names.get(self.name_at(start, end)) else {
            return self.fail(Problem::UnknownAnchor, at);
        };
        if anchor.weight == 0 {
            return self.fail(Problem::SelfAlias { anchor: anchor.node }, at);
        }
        self.weight += anchor.weight;
        self.aliased += anchor.weight;
        self.deepest = self.deepest.max(self.depth + anchor.height);
        if self.aliased > ALIAS_NODES || self.deepest > DEPTH {
            return self.fail(Problem::TooMuchExpansion, at);
        }
        Ok(self.push(Kind::Alias, Style::Plain, (at, end as usize), anchor.node, properties))
    }
}
