//! What must hold for any text: no panic, bounded time, prefixes that are true, and selectors that keep what they
//! guarantee.

#[path = "support/patterns.rs"]
mod patterns;
#[path = "support/random.rs"]
mod random;

use plimsoll::lang::fasttemplate;
use plimsoll::lang::glob::argo::{Entry, List, Mode};
use plimsoll::lang::glob::{doublestar, gobwas, path, pathspec};
use plimsoll::lang::selector::{Guarantee, Operator, Requirement, Selector, Values};
use proptest::prelude::*;
use random::Random;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Asks every engine; returns for each that knows the pattern its prefix and whether it matched.
fn ask_all(pattern: &str, text: &str) -> Vec<(&'static str, String, bool)> {
    let mut answers = Vec::new();
    if let Ok(own) = path::Pattern::new(pattern) {
        answers.push(("path", own.literal_prefix().to_owned(), own.matches(text)));
    }
    if let Ok(own) = pathspec::Pattern::new(pattern) {
        answers.push(("pathspec", own.literal_prefix().to_owned(), own.matches(text)));
    }
    if let Ok(own) = doublestar::Pattern::new(pattern) {
        answers.push(("doublestar", own.literal_prefix().to_owned(), own.matches_file(text)));
        answers.push(("doublestar", own.literal_prefix().to_owned(), own.matches_folder(text)));
    }
    for separators in [&[][..], &['/'], &['/', '.']] {
        if let Ok(own) = gobwas::Pattern::new(pattern, separators) {
            answers.push(("gobwas", own.literal_prefix().to_owned(), own.matches(text)));
        }
    }
    let _ = doublestar::matches(pattern, text);
    let _ = Entry::new(pattern, &['/']).matches(text);
    let _ = List::new([pattern], Mode::Regexp).matches(text);
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn no_pattern_panics(pattern in "[ab/*?{},!^\\[\\]\\\\:().é\u{0}\u{FFFD}-]{0,24}", text in "[ab/é*{\\[\\\\.-]{0,16}") {
        ask_all(&pattern, &text);
    }

    #[test]
    fn no_other_text_panics(text in "\\PC{0,40}", other in "\\PC{0,20}") {
        ask_all(&text, &other);
        let _ = Selector::parse(&text);
        let _ = fasttemplate::render(&text, |_| Some(&other));
    }
}

#[test]
fn every_match_begins_with_the_prefix() {
    let mut random = Random::new(31);
    for _ in 0..4_000 {
        let (pattern, texts) = patterns::case(&mut random, 6);
        // Paths are normalised wherever they are matched.
        for text in texts.iter().filter(|text| !text.contains("//") && !text.starts_with('/') && !text.ends_with('/')) {
            for (engine, prefix, matched) in ask_all(&pattern, text) {
                assert!(!matched || text.starts_with(&prefix), "{engine}: {pattern:?} on {text:?}: {prefix:?}");
            }
        }
    }
}

#[test]
fn hostile_patterns_take_bounded_time() {
    let parts = [
        "*a",
        "**a",
        "?*",
        "*/",
        "**/",
        "**/a/",
        "*[ab]",
        "[!a]*",
        "a?*",
        "{a,b}",
        "{a,aa}",
        "{a*,*b}*",
        "{*,a}",
        "{a*aa,b}{b*aa,a}*",
        "{a,b}*",
        "?",
        "[a",
        "{",
        "{{a,b},",
        "\\",
        "a{,b}*",
    ];
    // What a recursive matcher would need for one of these is not worth waiting for.
    for (pattern_length, text_length) in [(60, 10_000), (2_000, 200)] {
        for part in parts {
            let many = part.repeat(pattern_length / part.len());
            for text in ["a".repeat(text_length), "a/".repeat(text_length / 2) + "a"] {
                for pattern in [format!("{many}c"), format!(":(glob){many}c")] {
                    let start = Instant::now();
                    assert!(ask_all(&pattern, &text).iter().all(|(_, _, matched)| !matched), "{part:?}");
                    assert!(start.elapsed() < Duration::from_secs(20), "{part:?}: {:?}", start.elapsed());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_selected_keeps_the_guarantees(
        requirements in prop::collection::vec((0..3usize, 0..4usize, prop::collection::vec(0..3usize, 1..3)), 0..5),
        labels in prop::collection::btree_map(0..3usize, 0..3usize, 0..4),
    ) {
        let (keys, values) = (["a", "b", "c"], ["x", "y", "z"]);
        let operators = [Operator::In, Operator::NotIn, Operator::Exists, Operator::DoesNotExist];
        let selector = Selector::new(requirements.into_iter().map(|(key, operator, chosen)| {
            let operator = operators[operator];
            let takes_values = matches!(operator, Operator::In | Operator::NotIn);
            let chosen = chosen.into_iter().filter(|_| takes_values).map(|value| values[value].to_owned()).collect();
            Requirement::new(keys[key].to_owned(), operator, chosen, Values::OfLabels).unwrap()
        }).collect());
        let labels: BTreeMap<String, String> =
            labels.into_iter().map(|(key, value)| (keys[key].to_owned(), values[value].to_owned())).collect();
        if selector.matches(&labels) {
            for (key, guarantee) in selector.guarantees() {
                let value = labels.get(key).map(String::as_str);
                let is_kept = match guarantee {
                    Guarantee::OneOf(values) => value.is_some_and(|value| values.contains(value)),
                    Guarantee::Present => value.is_some(),
                    Guarantee::Absent => value.is_none(),
                };
                prop_assert!(is_kept, "{key}: {value:?}");
            }
        }
    }
}
