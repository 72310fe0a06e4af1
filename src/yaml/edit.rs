//! Edits that keep the format: each changes only the bytes it must and leaves comments, order and style alone.
//!
//! Every function answers with text edits against the tree's source, or `None` where the change cannot be written
//! without touching more than was asked (an anchor others refer to, an entry that holds the whole collection).

use super::{Entry, Kind, Node, Style, Tree};
use crate::text::{Edit, Span};
use std::ops::Range;

/// Replaces a scalar's text. The quote style stays unless it cannot hold the new text, or the plain text would no
/// longer read as the same text.
pub fn replace_scalar(node: Node<'_>, text: &str) -> Edit {
    let written = match node.style() {
        Style::SingleQuoted if is_printable(text) => single_quoted(text),
        Style::Plain if reads_as_itself(text) => text.to_owned(),
        Style::Literal | Style::Folded if is_printable(text) && reads_as_itself(text) => text.to_owned(),
        _ => double_quoted(text),
    };
    Edit { span: node.span(), text: written }
}

/// Puts a plain scalar into double quotes as it is written, so that it reads as text: `1.10` becomes `"1.10"`.
pub fn quote(node: Node<'_>) -> Option<Edit> {
    let source = node.tree().text().get(node.span().range())?;
    (node.kind() == Kind::Scalar && node.style() == Style::Plain && !node.is_alias() && !source.is_empty())
        .then(|| Edit { span: node.span(), text: double_quoted(source) })
}

/// Writes `key: value` into a mapping, after its last entry, on the indentation and line ending of its siblings.
///
/// `value` is YAML text of one line. `None` for an empty block mapping, which has no place to copy the format from.
pub fn insert_key(map: Node<'_>, key: &str, value: &str) -> Option<Edit> {
    match map.pairs().last() {
        Some(last) => insert_key_after(map, last, key, value),
        None if map.style() == Style::Flow => {
            Some(Edit { span: place(map, map.origin().start + 1), text: format!("{key}: {value}") })
        }
        None => None,
    }
}

/// The same, after this entry of the mapping.
pub fn insert_key_after(map: Node<'_>, entry: Entry<'_>, key: &str, value: &str) -> Option<Edit> {
    let tree = map.tree();
    if map.style() == Style::Flow {
        return Some(Edit { span: place(map, end_of(entry)), text: format!(", {key}: {value}") });
    }
    let column = column_of(tree, entry.key.span().start)?;
    let line_end = line_end(tree, end_of(entry));
    let (before, after) =
        if tree.text()[..line_end].ends_with('\n') { ("", line_break(tree)) } else { (line_break(tree), "") };
    let text = format!("{before}{:column$}{key}: {value}{after}", "");
    Some(Edit { span: place(map, line_end as u32), text })
}

/// Takes the entry at `index` out of a mapping, with the rest of its last line.
///
/// `None` when it is the only entry of a block mapping, or holds an anchor.
pub fn remove_entry(map: Node<'_>, index: usize) -> Option<Edit> {
    let entries: Vec<Entry<'_>> = map.pairs().collect();
    let spans: Vec<Range<u32>> = entries.iter().map(|entry| entry.key.span().start..end_of(*entry)).collect();
    remove(map, &spans, index)
}

/// Takes the entry behind a path of keys out of its mapping, and with it each mapping on the way that holds nothing else.
///
/// `None` when there is no such entry, or as for [`remove_entry`].
pub fn remove_at(root: Node<'_>, path: &[&str]) -> Option<Edit> {
    let (key, way) = path.split_last()?;
    let map = root.at(way)?;
    let index = map.pairs().position(|entry| entry.key.text() == Some(key))?;
    if map.pairs().count() == 1 && !way.is_empty() && !map.is_alias() {
        return remove_at(root, way);
    }
    remove_entry(map, index)
}

/// Takes the item at `index` out of a sequence, with its dash and the rest of its last line.
///
/// `None` when it is the only item of a block sequence, or holds an anchor.
pub fn remove_item(sequence: Node<'_>, index: usize) -> Option<Edit> {
    remove(sequence, &item_spans(sequence)?, index)
}

/// Brings the items of a sequence into another order: the item now at `order[i]` comes to place `i`.
///
/// In a block sequence an item takes along the comment lines directly above it and the comment behind it; text before
/// the first item stays. `None` when `order` is no permutation, or the items do not stand on lines of their own.
pub fn reorder_items(sequence: Node<'_>, order: &[usize]) -> Option<Vec<Edit>> {
    let tree = sequence.tree();
    let spans = item_spans(sequence)?;
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sequence.is_alias() || !sorted.into_iter().eq(0..spans.len()) {
        return None;
    }
    if sequence.style() == Style::Flow {
        let moved = order.iter().enumerate().filter(|(place, from)| place != *from);
        let edit = |(to, from): (usize, &usize)| Edit {
            span: Span::new(tree.file(), spans[to].start, spans[to].end),
            text: tree.text()[range(&spans[*from])].to_owned(),
        };
        return Some(moved.map(edit).collect());
    }
    let chunks: Vec<Range<usize>> = spans.iter().map(|span| own_lines(tree, span)).collect::<Option<_>>()?;
    let is_apart = chunks.windows(2).all(|pair| pair[0].end <= pair[1].start);
    if !is_apart {
        return None;
    }
    let mut edits = Vec::new();
    for (to, &from) in order.iter().enumerate().filter(|(to, from)| *to != **from) {
        let mut text = tree.text()[chunks[from].clone()].to_owned();
        let had_break = tree.text()[chunks[to].clone()].ends_with('\n');
        if !text.ends_with('\n') && had_break {
            text.push_str(line_break(tree));
        } else if !had_break {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        let span = Span::new(tree.file(), chunks[to].start as u32, chunks[to].end as u32);
        edits.push(Edit { span, text });
    }
    Some(edits)
}

/// Removes one of the parts of a collection, given where all of them are.
fn remove(collection: Node<'_>, parts: &[Range<u32>], index: usize) -> Option<Edit> {
    let tree = collection.tree();
    let part = parts.get(index)?;
    if collection.is_alias() || tree.anchors.iter().any(|anchor| part.contains(&anchor.1)) {
        return None;
    }
    let text = tree.text();
    let bytes = if collection.style() == Style::Flow {
        match (index.checked_sub(1).map(|before| &parts[before]), parts.get(index + 1)) {
            (_, Some(next)) => part.start as usize..next.start as usize,
            (Some(before), None) => before.end as usize..part.end as usize,
            (None, None) => range(part),
        }
    } else {
        let next = parts.get(index + 1).map(|next| next.start as usize);
        let line_start = line_start(tree, part.start);
        let is_on_own_line = text[line_start..part.start as usize].bytes().all(|byte| byte == b' ');
        match (is_on_own_line, next) {
            (true, _) if parts.len() > 1 => line_start..line_end(tree, part.end),
            // The first entry of a mapping behind a dash: the next one moves up to the dash.
            (false, Some(next)) => part.start as usize..next,
            _ => return None,
        }
    };
    Some(Edit { span: Span::new(tree.file(), bytes.start as u32, bytes.end as u32), text: String::new() })
}

/// Where each item of a sequence stands, in a block sequence from its dash; `None` when a dash is not found.
fn item_spans(sequence: Node<'_>) -> Option<Vec<Range<u32>>> {
    let text = sequence.tree().text();
    let is_flow = sequence.style() == Style::Flow;
    let mut from = sequence.origin().start as usize;
    let mut spans = Vec::new();
    for item in sequence.items() {
        let span = item.span();
        // Between two items stand only blanks, comments and properties; the dash that begins a line is the item's.
        let start = if is_flow { span.start as usize } else { from + dash(&text[from..span.start as usize])? };
        spans.push(start as u32..span.end);
        from = span.end as usize;
    }
    Some(spans)
}

/// The first dash in `gap` that is neither in a comment nor part of a property.
fn dash(gap: &str) -> Option<usize> {
    let mut offset = 0;
    for line in gap.split_inclusive('\n') {
        let blanks = line.len() - line.trim_start().len();
        if line[blanks..].starts_with('-') {
            return Some(offset + blanks);
        }
        offset += line.len();
    }
    None
}

/// The whole lines of a part and the comment lines directly above it at its indentation; `None` when it shares its
/// first line with something else.
fn own_lines(tree: &Tree, part: &Range<u32>) -> Option<Range<usize>> {
    let mut start = line_start(tree, part.start);
    let column = column_of(tree, part.start)?;
    while start > 0 {
        let above = line_start(tree, start as u32 - 1);
        let line = &tree.text()[above..start];
        let indent = line.len() - line.trim_start_matches(' ').len();
        if indent != column || !line[indent..].starts_with('#') {
            break;
        }
        start = above;
    }
    Some(start..line_end(tree, part.end))
}

/// The number of blanks before `at` on its line; `None` when something else stands there.
fn column_of(tree: &Tree, at: u32) -> Option<usize> {
    let start = line_start(tree, at);
    let before = &tree.text()[start..at as usize];
    // Behind the dash of a list item the column counts too.
    before.bytes().all(|byte| matches!(byte, b' ' | b'-')).then_some(before.len())
}

fn end_of(entry: Entry<'_>) -> u32 {
    entry.value.span().end.max(entry.key.span().end)
}

fn place(node: Node<'_>, at: u32) -> Span {
    Span::new(node.tree().file(), at, at)
}

fn range(span: &Range<u32>) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn line_start(tree: &Tree, at: u32) -> usize {
    memchr::memrchr(b'\n', &tree.text().as_bytes()[..at as usize]).map_or(0, |line_break| line_break + 1)
}

/// After the line break that ends the line of `at`, or the end of the text.
fn line_end(tree: &Tree, at: u32) -> usize {
    let bytes = tree.text().as_bytes();
    memchr::memchr(b'\n', &bytes[at as usize..]).map_or(bytes.len(), |line_break| at as usize + line_break + 1)
}

/// The line ending of the file: that of its first line.
fn line_break(tree: &Tree) -> &'static str {
    let text = tree.text();
    match memchr::memchr(b'\n', text.as_bytes()) {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn is_printable(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// Whether `text` written plainly is a scalar that reads as exactly this text, in any context.
fn reads_as_itself(text: &str) -> bool {
    let tree = super::parse(Default::default(), format!("[{text}]").into());
    let Some(document) = tree.documents().first().filter(|_| tree.errors().is_empty()) else { return false };
    let Some(root) = tree.root(document) else { return false };
    let mut items = root.items();
    let is_one = items.next().is_some_and(|item| item.style() == Style::Plain && item.as_str() == Some(text));
    is_one && items.next().is_none() && tree.comments().is_empty() && tree.documents().len() == 1
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            other if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                quoted.push_str(&format!("\\u{:04X}", other as u32));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{FileId, edit::apply};
    use crate::yaml::parse;

    /// Parses `text`, lets `change` edit the value at `path`, and gives the new text.
    fn edited(text: &str, path: &[&str], change: impl Fn(Node<'_>) -> Option<Vec<Edit>>) -> Option<String> {
        let tree = parse(FileId(0), text.into());
        let root = tree.root(&tree.documents()[0]).unwrap();
        let node = root.at(path).unwrap();
        Some(apply(text, &change(node)?).unwrap())
    }

    fn replaced(text: &str, new: &str) -> String {
        edited(text, &["a"], |node| Some(vec![replace_scalar(node, new)])).unwrap()
    }

    #[test]
    fn replacing_keeps_the_quote_style() {
        assert_eq!(replaced("a: x # why\n", "z"), "a: z # why\n");
        assert_eq!(replaced("a: 'x'\n", "it's"), "a: 'it''s'\n");
        assert_eq!(replaced("a: \"x\"\n", "y\"z"), "a: \"y\\\"z\"\n");
    }

    #[test]
    fn a_plain_text_that_would_read_otherwise_is_quoted() {
        assert_eq!(replaced("a: x\n", "yes"), "a: \"yes\"\n");
        assert_eq!(replaced("a: x\n", "b: c"), "a: \"b: c\"\n");
        assert_eq!(replaced("a: x\n", "b #c"), "a: \"b #c\"\n");
        assert_eq!(replaced("a: x\n", "1.0"), "a: \"1.0\"\n");
        assert_eq!(replaced("a: 'x'\n", "b\nc"), "a: \"b\\nc\"\n");
    }

    #[test]
    fn a_number_is_quoted_as_it_is_written() {
        let quoted = |text| edited(text, &["a"], |node| Some(vec![quote(node)?]));
        assert_eq!(quoted("a: 1.10\n").as_deref(), Some("a: \"1.10\"\n"));
        assert_eq!(quoted("a: '1'\n"), None);
    }

    #[test]
    fn a_key_is_inserted_like_its_siblings() {
        let inserted = |text, path: &[&str]| edited(text, path, |node| Some(vec![insert_key(node, "k", "v")?]));
        assert_eq!(inserted("a:\n  b: 1 # one\nc: 2\n", &["a"]).as_deref(), Some("a:\n  b: 1 # one\n  k: v\nc: 2\n"));
        assert_eq!(inserted("a:\r\n  b: 1\r\n", &["a"]).as_deref(), Some("a:\r\n  b: 1\r\n  k: v\r\n"));
        assert_eq!(inserted("a:\n  b: 1", &["a"]).as_deref(), Some("a:\n  b: 1\n  k: v"));
        assert_eq!(inserted("a: {b: 1}\n", &["a"]).as_deref(), Some("a: {b: 1, k: v}\n"));
        assert_eq!(inserted("a: {}\n", &["a"]).as_deref(), Some("a: {k: v}\n"));
        assert_eq!(inserted("a:\n  b:\n    c: 1\n", &["a"]).as_deref(), Some("a:\n  b:\n    c: 1\n  k: v\n"));
    }

    #[test]
    fn an_entry_is_removed_with_its_line() {
        let removed = |text, index| edited(text, &[], |node| Some(vec![remove_entry(node, index)?]));
        assert_eq!(removed("a: 1\nb: 2 # two\nc: 3\n", 1).as_deref(), Some("a: 1\nc: 3\n"));
        assert_eq!(removed("a:\n  x: 1\n  y: 2\nb: 3\n", 0).as_deref(), Some("b: 3\n"));
        assert_eq!(removed("a: 1\n", 0), None);
        assert_eq!(removed("a: &x 1\nb: *x\n", 0), None);
        assert_eq!(removed("{a: 1, b: 2}", 0).as_deref(), Some("{b: 2}"));
        assert_eq!(removed("{a: 1, b: 2}", 1).as_deref(), Some("{a: 1}"));
        assert_eq!(removed("{a: 1}", 0).as_deref(), Some("{}"));
    }

    #[test]
    fn an_entry_is_removed_with_the_mappings_that_hold_nothing_else() {
        let removed = |text| edited(text, &[], |root| Some(vec![remove_at(root, &["a", "b", "c"])?]));
        assert_eq!(removed("a:\n  b:\n    c: 1\n    d: 2\ne: 3\n").as_deref(), Some("a:\n  b:\n    d: 2\ne: 3\n"));
        assert_eq!(removed("a:\n  b:\n    c: 1\n  d: 2\n").as_deref(), Some("a:\n  d: 2\n"));
        assert_eq!(removed("a:\n  b: {c: 1}\ne: 3\n").as_deref(), Some("e: 3\n"));
        assert_eq!(removed("a:\n  b:\n    d: 1\n"), None);
        assert_eq!(removed("x: &x {c: 1, d: 2}\na:\n  b: *x\n  d: 2\n"), None);
    }

    #[test]
    fn the_first_entry_behind_a_dash_leaves_the_dash() {
        let text = "l:\n- a: 1\n  b: 2\n";
        let tree = parse(FileId(0), text.into());
        let list = tree.root(&tree.documents()[0]).unwrap().get("l").unwrap();
        let edit = remove_entry(list.items().next().unwrap(), 0).unwrap();
        assert_eq!(apply(text, &[edit]).unwrap(), "l:\n- b: 2\n");
    }

    #[test]
    fn an_item_is_removed_with_its_dash() {
        let removed = |text, index| edited(text, &["l"], |node| Some(vec![remove_item(node, index)?]));
        assert_eq!(removed("l:\n  - a # x\n  - b\n", 0).as_deref(), Some("l:\n  - b\n"));
        assert_eq!(removed("l:\n  - a\n  - b", 1).as_deref(), Some("l:\n  - a\n"));
        assert_eq!(removed("l: [a, b]\n", 1).as_deref(), Some("l: [a]\n"));
    }

    #[test]
    fn items_take_their_comments_along() {
        let reordered = |text, order: &[usize]| edited(text, &["l"], |node| reorder_items(node, order));
        assert_eq!(
            reordered("l:\n  # first\n  - a # x\n  - b\nc: 1\n", &[1, 0]).as_deref(),
            Some("l:\n  - b\n  # first\n  - a # x\nc: 1\n")
        );
        assert_eq!(reordered("l: [a, 'b', c]\n", &[2, 1, 0]).as_deref(), Some("l: [c, 'b', a]\n"));
        assert_eq!(reordered("l:\n- a\n- b", &[1, 0]).as_deref(), Some("l:\n- b\n- a"));
        assert_eq!(reordered("l: [a, b]\n", &[0, 0]), None);
    }
}
