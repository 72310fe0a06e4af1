//! What `granit-parser`, a YAML 1.2 reader with byte offsets, says about comments and the places of scalars.

use granit_parser::{Event, Parser, ScalarStyle, Span};
use plimsoll::text::FileId;
use plimsoll::yaml::{Kind, Node, Style, parse};

/// The comments of a text, and its plain and quoted scalars and aliases that have bytes of their own, each as start and
/// end. A block scalar starts at its content for granit, at its `|` for us.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Places {
    pub comments: Vec<(usize, usize)>,
    pub scalars: Vec<(usize, usize)>,
}

/// What granit finds; `None` when it refuses the text.
pub fn theirs(text: &str) -> Option<Places> {
    let mut found = Places::default();
    for next in Parser::new_from_str(text) {
        let (event, span) = next.ok()?;
        let (start, end) = ends(span)?;
        match event {
            Event::Comment(..) => found.comments.push((start, end)),
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) => {}
            Event::Scalar(..) | Event::Alias(_) if start < end => found.scalars.push((start, end)),
            _ => {}
        }
    }
    Some(found)
}

fn ends(span: Span) -> Option<(usize, usize)> {
    Some((span.start.byte_offset()?, span.end.byte_offset()?))
}

/// What our reader finds; `None` when it refuses the text, or when YAML 1.2 means something else by it.
pub fn ours(text: &str) -> Option<Places> {
    let tree = parse(FileId(0), text.into());
    if !tree.errors().is_empty() || is_other_dialect(text) || tree.documents().iter().any(|d| is_block(tree.root(d))) {
        return None;
    }
    let comments = tree.comments().iter().map(|comment| (comment.start as usize, comment.end as usize)).collect();
    let mut found = Places { comments, scalars: Vec::new() };
    for document in tree.documents() {
        if let Some(root) = tree.root(document) {
            collect(root, &mut found.scalars);
        }
    }
    Some(found)
}

/// Only YAML 1.1 breaks lines at NEL, LS and PS, and takes a byte-order mark for text. Only go-yaml ends the name of an
/// anchor at characters like `:`, takes every `?` in brackets for a key, and `:` before a comma for text.
fn is_other_dialect(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let ends_early = |rest: &str| rest.trim_start_matches(is_word).starts_with(['?', ':', '%', '@', '`']);
    let has_colon = [":,", ":[", ":]", ":{", ":}"].iter().any(|colon| text.contains(colon));
    text.contains(['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}'])
        || text.split(['&', '*']).skip(1).any(ends_early)
        || (text.contains(['[', '{']) && (text.contains('?') || has_colon))
}

/// Only YAML 1.2 lets the text of a root block scalar stand in column 0.
fn is_block(root: Option<Node<'_>>) -> bool {
    root.is_some_and(|root| matches!(root.style(), Style::Literal | Style::Folded))
}

fn collect(node: Node<'_>, scalars: &mut Vec<(usize, usize)>) {
    let range = node.span().range();
    if node.is_alias() || node.kind() == Kind::Scalar {
        if !range.is_empty() && (node.is_alias() || !is_block(Some(node))) {
            scalars.push((range.start, range.end));
        }
        return;
    }
    node.items().for_each(|item| collect(item, scalars));
    for pair in node.pairs() {
        collect(pair.key, scalars);
        collect(pair.value, scalars);
    }
}

/// The first places that differ, in words.
pub fn difference(ours: &Places, theirs: &Places) -> String {
    let first = |a: &[(usize, usize)], b: &[(usize, usize)]| {
        let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        format!("{:?} against {:?}", a.get(at), b.get(at))
    };
    if ours.comments == theirs.comments {
        format!("scalars: {}", first(&ours.scalars, &theirs.scalars))
    } else {
        format!("comments: {}", first(&ours.comments, &theirs.comments))
    }
}
