//! What holds for every input of the reader, whoever makes the inputs up.

use plimsoll::text::limits::{ALIAS_NODES, DEPTH};
use plimsoll::text::{FileId, Span};
use plimsoll::yaml::{Document, Kind, Node, Style, Tree, decode, parse};

/// Panics if anything that the reader promises does not hold for these bytes.
pub fn check(bytes: &[u8]) {
    let Ok(text) = decode(bytes) else { return };
    let tree = parse(FileId(0), text.into());
    check_errors(&tree);
    check_comments(&tree);
    check_order(&tree);
    let mut steps = ALIAS_NODES + tree.text().len() as u64 * 2 + 2;
    for document in tree.documents() {
        if let Some(root) = tree.root(document) {
            check_node(root, 0, &mut steps);
            let _ = root.to_json();
        }
        check_alone(&tree, document);
    }
    assert!(
        tree.duplicate_keys().all(|(first, later)| first.id() < later.id() && first.key_text() == later.key_text())
    );
}

fn check_errors(tree: &Tree) {
    let broken = tree.documents().iter().filter_map(|document| tree.error(document));
    assert!(broken.eq(tree.errors()), "each error belongs to one document, in order");
    let mut end = 0;
    for document in tree.documents() {
        assert!(end <= document.start && document.start <= document.end, "documents follow one another");
        assert!(tree.error(document).is_none() || tree.root(document).is_none());
        end = document.end;
    }
    assert!(end as usize <= tree.text().len());
    for error in tree.errors() {
        let span = Span::new(tree.file(), error.start, error.end);
        assert!(tree.text().get(span.range()).is_some(), "{error:?}");
        if let Some((start, end, what)) = error.related {
            assert!(tree.text().get(start as usize..end as usize).is_some_and(|_| !what.is_empty()), "{error:?}");
        }
        let is_line = |words: &String| !words.is_empty() && !words.contains('\n');
        assert!(is_line(&error.message) && error.message.chars().count() <= 100, "{error:?}");
        assert!(error.help.as_ref().is_none_or(is_line), "{error:?}");
    }
}

fn check_comments(tree: &Tree) {
    let mut end = 0;
    for comment in tree.comments() {
        assert!(end <= comment.start, "comments follow one another");
        end = comment.end;
        let text = &tree.text()[comment.start as usize..comment.end as usize];
        assert!(text.starts_with('#') && !text.contains(['\n', '\r']), "{text:?}");
    }
}

/// Nodes are numbered as they stand, so that places can be looked up.
fn check_order(tree: &Tree) {
    let end = tree.text().len() as u32;
    let nodes: Vec<Node<'_>> = tree.nodes_starting_in(0..end + 1).collect();
    assert!(nodes.is_sorted_by(|a, b| a.id() < b.id() && a.span().start <= b.span().start));
    for node in nodes.iter().take(100) {
        assert!(tree.node_at(node.span().start).is_some());
    }
}

/// Checks a node and all below it, aliases followed; `steps` bounds how many that may be.
fn check_node(node: Node<'_>, depth: usize, steps: &mut u64) {
    assert!(depth <= DEPTH, "depth is bounded");
    *steps = steps.checked_sub(1).expect("what aliases reach is bounded");
    let tree = node.tree();
    for span in [node.span(), node.origin()] {
        assert!(tree.text().get(span.range()).is_some(), "spans lie on character borders");
    }
    for property in [node.anchor(), node.tag()].into_iter().flatten() {
        assert!(property.starts_with(['&', '!']));
    }
    let holds = |child: Node<'_>| node.origin().contains(child.span());
    match node.kind() {
        Kind::Scalar => check_scalar(node),
        Kind::Sequence => {
            for item in node.items() {
                assert!(holds(item));
                check_node(item, depth + 1, steps);
            }
        }
        Kind::Mapping => {
            for pair in node.pairs() {
                assert!(holds(pair.key) && holds(pair.value));
                check_node(pair.key, depth + 1, steps);
                check_node(pair.value, depth + 1, steps);
            }
            check_entries(node);
        }
        Kind::Alias => panic!("no reader meets an alias"),
    }
}

fn check_scalar(node: Node<'_>) {
    let text = node.text().expect("a scalar has a text");
    let source = &node.tree().text()[node.origin().range()];
    if node.is_verbatim() {
        let bare = match node.style() {
            Style::SingleQuoted | Style::DoubleQuoted => &source[1..source.len() - 1],
            _ => source,
        };
        assert_eq!(bare, text, "a verbatim scalar is its source");
    }
    if let Some(value) = node.as_str() {
        assert_eq!(value, text);
    }
}

/// What can be listed can be found, and the other way round.
fn check_entries(node: Node<'_>) {
    let entries: Vec<_> = node.entries().take(20).collect();
    for entry in &entries {
        let found = node.get(&entry.key.key_text()).map(Node::id);
        assert_eq!(found, Some(entry.value.id()), "{:?}", entry.key.key_text());
    }
    assert_eq!(node.is_empty(), node.pairs().next().is_none());
}

/// A document reads the same when it stands alone: no error of another one touches it.
fn check_alone(tree: &Tree, document: &Document) {
    let (start, end) = (document.start as usize, document.end as usize);
    let text = tree.text();
    let is_marked = |before: &str| before.is_empty() || before.ends_with(['\n', '\r']);
    if !text[..start].strip_suffix("---").is_some_and(is_marked) || text.contains("%TAG") {
        return;
    }
    let alone = parse(FileId(0), format!("---{}", &text[start..end]).into());
    let [first, ..] = alone.documents() else { panic!("a marker makes a document") };
    let value = |tree: &Tree, document: &Document| tree.root(document).map(Node::to_json).map(Result::ok);
    assert_eq!(value(tree, document), value(&alone, first));
    let message = |tree: &Tree, document: &Document| tree.error(document).map(|error| error.message.clone());
    assert_eq!(message(tree, document), message(&alone, first));
}
