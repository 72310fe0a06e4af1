//! What holds for every template, however strange.

#[path = "support/grammar.rs"]
mod grammar;
#[path = "support/random.rs"]
mod random;
#[path = "support/template.rs"]
mod template;

use grammar::Grammar;
use plimsoll::lang::template::{Data, Dialect, Error, ErrorKind, MissingKey, Options, Value};
use plimsoll::value::{Piece, Text, Why};
use proptest::prelude::*;
use random::Random;
use template::{render_text, value_with};

/// Fragments that random templates are glued from.
const FRAGMENTS: &[&str] = &[
    "{{",
    "}}",
    "{{-",
    "-}}",
    " ",
    "\n",
    "if",
    "else",
    "end",
    "range",
    "with",
    "define",
    "template",
    "block",
    "break",
    ".",
    ".a",
    "$",
    "$x",
    ":=",
    "=",
    ",",
    "|",
    "(",
    ")",
    "\"t\"",
    "`r`",
    "'c'",
    "1",
    "1.5",
    "0x",
    "-",
    "nil",
    "true",
    "print",
    "list",
    "dict",
    "index",
    "printf",
    "/*",
    "*/",
    "é",
    "😀",
    "\0",
    "{{ end }}",
    "{{ if .a }}",
    "{{ range .l }}",
    "text",
];

fn data() -> Data {
    let json = serde_json::json!({"a": "x", "l": [1, "b", null], "m": {"k": "v"}});
    let mut value = value_with(&json, &[]);
    if let Value::Map(entries) = &mut value {
        entries.insert("u".into(), Value::Unknown(Why::Cluster));
    }
    Data::new(&value)
}

/// Renders, and checks what must hold for the places in the result.
fn checked(text: &str, data: &Data, options: &Options) -> Result<Text, Error> {
    let result = render_text("base", text, data, options, Dialect::ARGO_CD);
    let check = |start: u32, end: u32| {
        assert!(text.get(start as usize..end as usize).is_some(), "{start}..{end} in {text:?}");
    };
    match &result {
        Ok(rendered) => {
            assert!(!rendered.pieces().is_empty());
            for piece in rendered.pieces() {
                let span = match piece {
                    Piece::Known(known) => known.span,
                    Piece::Unknown(unknown) => unknown.span,
                };
                check(span.start, span.end);
            }
        }
        Err(error) => {
            check(error.bytes.start, error.bytes.end);
            assert!(error.text.ends_with(&error.message) && error.text.starts_with("template: base:"));
        }
    }
    result
}

proptest! {
    #[test]
    fn any_text_renders_or_fails_in_its_own_bytes(text in ".{0,80}") {
        let _ = checked(&text, &data(), &Options::default());
    }

    #[test]
    fn any_action_renders_or_fails_in_its_own_bytes(inner in "[ -~é\n]{0,60}") {
        let _ = checked(&format!("a{{{{{inner}}}}}b"), &data(), &Options { missing_key: MissingKey::Error });
    }

    #[test]
    fn any_fragments_render_or_fail_in_their_own_bytes(at in prop::collection::vec(0..FRAGMENTS.len(), 0..40)) {
        let text: String = at.iter().map(|at| FRAGMENTS[*at]).collect();
        let _ = checked(&text, &data(), &Options::default());
    }
}

/// Makes some of the parameters unknown.
fn forget(value: &mut Value, random: &mut Random, depth: usize) {
    let (Value::Map(entries) | Value::StringMap(entries)) = value else { return };
    for entry in entries.values_mut() {
        match random.below(6) {
            0 => *entry = Value::Unknown(Why::Cluster),
            1 | 2 if depth > 0 => forget(entry, random, depth - 1),
            _ => {}
        }
    }
}

/// Whether `whole` is the known pieces in their order, with anything in place of the unknown ones.
fn fits(partial: &Text, whole: &str) -> bool {
    let mut rest = whole;
    let (mut is_anchored, mut last_known) = (true, true);
    let count = partial.pieces().len();
    for (at, piece) in partial.pieces().iter().enumerate() {
        let Piece::Known(known) = piece else {
            (is_anchored, last_known) = (false, false);
            continue;
        };
        last_known = true;
        let text = known.value.as_str();
        let found = match () {
            () if is_anchored => rest.strip_prefix(text),
            () if at + 1 == count => return rest.ends_with(text),
            () => rest.find(text).map(|at| &rest[at + text.len()..]),
        };
        match found {
            Some(after) => rest = after,
            None => return false,
        }
        is_anchored = true;
    }
    !last_known || rest.is_empty()
}

#[test]
fn what_is_known_in_part_agrees_with_what_is_known_in_full() {
    let (mut texts, mut errors) = (0, 0);
    for round in 0..6_000 {
        let mut random = Random::new(77_000_000 + round);
        let mut grammar = Grammar::new(&mut random);
        let (source, json) = (grammar.template(), grammar.data());
        let mut options = Options::default();
        options.set(random.pick(&["missingkey=default", "missingkey=zero", "missingkey=error"])).unwrap();
        let full = value_with(&json, &["labels"]);
        let mut part = full.clone();
        forget(&mut part, &mut random, 2);
        let part_data = Data::new(&part);
        let full_data = Data::new(&full);
        let partial = checked(&source, &part_data, &options);
        let complete = checked(&source, &full_data, &options);
        let context = || format!("{source}\n{json}\n{part:?}\n{partial:?}\n{complete:?}");
        match (&partial, &complete) {
            (Err(error), _) if error.kind == ErrorKind::Limit => {}
            (_, Err(error)) if error.kind == ErrorKind::Limit => {}
            (Ok(partial), Ok(complete)) => {
                // What is open in both is compared where the second is not.
                if let Some(whole) = complete.as_str() {
                    texts += 1;
                    assert!(fits(partial, whole), "{}", context());
                }
            }
            (Err(_), Ok(_)) => panic!("fails, but need not\n{}", context()),
            // An unknown value may be what fails.
            (Ok(_), Err(_)) => assert!(part_data.has_unknowns(), "{}", context()),
            (Err(_), Err(_)) => errors += 1,
        }
    }
    assert!(texts > 500 && errors > 500, "{texts} texts, {errors} errors");
}
