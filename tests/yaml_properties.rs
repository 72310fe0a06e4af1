//! What holds for every input of the reader: random bytes, YAML-like texts, mutants, and inputs that want to harm.

#[path = "yaml_differential/inputs.rs"]
#[allow(dead_code, reason = "shared with the differential tests")]
mod inputs;
#[path = "../fuzz/invariants/yaml.rs"]
mod invariants;

use invariants::check;
use plimsoll::text::FileId;
use plimsoll::text::limits::{ALIAS_NODES, DEPTH};
use plimsoll::yaml::{Tree, parse};
use proptest::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,100}") {
        check(text.as_bytes());
    }

    #[test]
    fn texts_like_yaml_are_read(pieces in proptest::collection::vec(0..inputs::PIECES.len(), 0..40)) {
        let text: String = pieces.into_iter().map(|piece| inputs::PIECES[piece]).collect();
        check(text.as_bytes());
    }
}

/// What the fuzzer does, for a while and the same in every run.
#[test]
fn mutants_of_files_are_read() {
    let bases = inputs::files_below(Path::new("testdata"));
    for seed in 0..inputs::mutant_count(3000) {
        check(inputs::mutant(&bases, seed).text.as_bytes());
    }
}

fn read(text: &str) -> Tree {
    parse(FileId(0), text.into())
}

fn message(text: &str) -> String {
    read(text).errors().first().map(|error| error.message.clone()).unwrap_or_default()
}

#[test]
fn nesting_is_read_up_to_the_limit() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(message(&nested(DEPTH)), "");
    assert_eq!(message(&nested(DEPTH + 1)), "this is nested more than 200 levels deep");
    let indented = |depth: usize| (0..depth).map(|level| " ".repeat(level) + "a:\n").collect::<String>();
    assert_eq!(message(&indented(DEPTH)), "");
    assert_eq!(message(&indented(DEPTH + 1)), "this is nested more than 200 levels deep");
    assert_eq!(message(&"- ".repeat(DEPTH)), "");
    assert_eq!(message(&"- ".repeat(DEPTH + 1)), "this is nested more than 200 levels deep");
}

#[test]
fn keys_of_keys_are_as_deep_as_they_look() {
    let nested = (0..DEPTH).fold("a".to_owned(), |inner, _| format!("[{inner}]: b"));
    check(nested.as_bytes());
    assert_eq!(message(&nested), "this is nested more than 200 levels deep");
}

/// A list of lists, each twice the one before.
fn laughs(levels: usize) -> String {
    let level = |i: usize| format!("a{}: &a{} [*a{i}, *a{i}]\n", i + 1, i + 1);
    "a0: &a0 [b, b]\n".to_owned() + &(0..levels).map(level).collect::<String>()
}

#[test]
fn aliases_reach_as_much_as_the_limit_allows() {
    assert_eq!(message(&laughs(10)), "");
    check(laughs(10).as_bytes());
    assert!(message(&laughs(40)).contains(&format!("more than {ALIAS_NODES} values")));
    let chain: String = (0..DEPTH).map(|i| format!("- &a{} [*a{i}]\n", i + 1)).collect();
    assert!(message(&format!("- &a0 b\n{chain}")).contains("200 levels"));
}

#[test]
fn broken_documents_do_not_touch_their_neighbours() {
    let tree = read("a: 1\n---\nb: [\n---\nc: 3\n---\n\u{7}\n---\ne: 5\n");
    let whole: Vec<bool> = tree.documents().iter().map(|document| tree.root(document).is_some()).collect();
    assert_eq!(whole, [true, false, true, false, true]);
}

/// Inputs for which a careless reader takes time that grows with the square of their length.
#[test]
fn time_grows_with_the_length_of_the_input() {
    type Shape = fn(usize) -> String;
    let shapes: &[(&str, Shape)] = &[
        ("open brackets", |n| "[".repeat(n)),
        ("open braces", |n| "{".repeat(n)),
        ("dashes", |n| "- ".repeat(n)),
        ("question marks", |n| "? ".repeat(n)),
        ("indented keys", |n| (0..n.isqrt()).map(|level| " ".repeat(level) + "a:\n").collect()),
        ("open quotes", |n| "\"\n".repeat(n)),
        ("comments", |n| "#\u{2028}".repeat(n)),
        ("blank lines", |n| "a: |\n".to_owned() + &"\n".repeat(n)),
        ("spaces", |n| "a: ".to_owned() + &" ".repeat(n)),
        ("markers", |n| "---\n".repeat(n)),
        ("broken documents", |n| "--- ]\n".repeat(n)),
        ("control characters", |n| "\u{7}\n".repeat(n)),
        ("control characters in documents", |n| "---\n\u{7}\n".repeat(n)),
        ("anchors", |n| (0..n).map(|i| format!("- &a{i} b\n")).collect()),
        ("aliases", |n| "- &a b\n".to_owned() + &"- *a\n".repeat(n)),
        ("keys in brackets", |n| "[a]: b\n".repeat(n)),
        ("pairs in a list", |n| format!("[{}]", "[a]: b, ".repeat(n))),
        ("nested keys", |n| format!("{}a{}\n", "[".repeat(100), "]: b".repeat(100)).repeat(n / 500 + 1)),
        ("a long line", |n| format!("a: {}\n", "b ".repeat(n))),
        ("a long folded text", |n| format!("a:\n{}", "  b\n".repeat(n))),
        ("escapes", |n| format!("\"{}\"", "\\n".repeat(n))),
        ("tags", |n| "- !a b\n".repeat(n)),
        ("equal keys", |n| "a: b\n".repeat(n)),
        ("placeholders", |n| "--- {{ a }}\n".repeat(n)),
    ];
    for (name, shape) in shapes {
        let text = shape(200_000);
        let start = Instant::now();
        let tree = read(&text);
        let duplicates = tree.duplicate_keys().count();
        assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}, {duplicates}", start.elapsed());
    }
}
