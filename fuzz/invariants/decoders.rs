//! What holds for every document that is decoded, whoever makes the text up.

use plimsoll::formats::document::decode;
use plimsoll::formats::{Document, Kind, Problem, read};
use plimsoll::text::limits::FINDINGS_PER_RULE_AND_FILE;
use plimsoll::text::{FileId, RepoPath, Span};
use plimsoll::value::Value;
use plimsoll::yaml::{self, Tree};

/// Names under which a text is decoded in different ways.
const PATHS: [&str; 3] = ["apps/shop.yaml", "kustomization.yaml", "Chart.yaml"];

/// Panics if anything that the decoders promise does not hold for these bytes.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let tree = yaml::parse(FileId(0), text.into());
    for path in PATHS {
        let documents = decode(&RepoPath::new(path).expect("the path is one"), &tree);
        for (index, document) in documents.iter().enumerate() {
            assert_eq!(document.id.index as usize, index, "documents are numbered in order");
            assert_eq!(document.id.file, tree.file());
            check_document(document, &tree);
        }
        let is_first_alone = |kind: Kind| documents.iter().skip(1).all(|document| document.kind() != kind);
        assert!(is_first_alone(Kind::Chart) && is_first_alone(Kind::Kustomization));
    }
}

fn check_document(document: &Document, tree: &Tree) {
    check_span(document.span, tree);
    assert_eq!(document.node(tree).span(), document.span);
    let value = read::value(document.node(tree));
    check_value(&value, tree);
    assert!(document.problems.len() <= FINDINGS_PER_RULE_AND_FILE, "problems are bounded");
    assert!(document.problems.is_sorted_by_key(|problem| problem.span.start), "problems stand in order");
    for problem in &document.problems {
        check_problem(problem, tree);
    }
}

fn check_problem(problem: &Problem, tree: &Tree) {
    let is_line = |words: &str| !words.is_empty() && !words.contains('\n');
    assert!(is_line(&problem.message) && problem.message.chars().count() <= 100, "{problem:?}");
    assert!(problem.help.as_deref().is_none_or(is_line), "{problem:?}");
    check_span(problem.span, tree);
    if let Some((span, words)) = &problem.label {
        assert!(is_line(words), "{problem:?}");
        check_span(*span, tree);
    }
    if let Some(replacement) = &problem.replacement {
        assert_ne!(tree.text().get(problem.span.range()), Some(replacement.as_str()), "a replacement replaces");
    }
}

fn check_value(value: &Value, tree: &Tree) {
    check_span(value.span(), tree);
    for item in value.items() {
        check_value(item, tree);
    }
    for (key, value) in value.as_map().iter().flat_map(|map| &map.entries) {
        check_span(key.span, tree);
        check_value(value, tree);
    }
}

fn check_span(span: Span, tree: &Tree) {
    assert_eq!(span.file, tree.file());
    assert!(tree.text().get(span.range()).is_some(), "spans lie on character borders: {span:?}");
}
