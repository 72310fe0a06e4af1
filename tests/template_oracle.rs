//! Go templates against Go itself, on random templates over random data.

#[path = "support/grammar.rs"]
mod grammar;
#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;
#[path = "support/template.rs"]
mod template;

use grammar::{Grammar, words};
use oracle::{Answer, Oracle};
use plimsoll::lang::template::{Data, Dialect, ErrorKind, Options};
use plimsoll::value::Why;
use random::Random;
use serde_json::json;
use template::{Outcome, render, value_with};

/// Templates of one run.
const ROUNDS: u64 = 20_000;

#[test]
fn the_grammar_knows_every_function() {
    let mut known: Vec<&str> = words().functions.iter().map(|(name, _)| name.as_str()).collect();
    let mut offered: Vec<&str> = Dialect::ARGO_CD.functions().map(|function| function.name).collect();
    known.sort_unstable();
    offered.sort_unstable();
    assert_eq!(known, offered);
}

#[test]
fn random_templates_render_as_in_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let rounds = std::env::var("PLIMSOLL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let seed: u64 = std::env::var("PLIMSOLL_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut differences, mut texts, mut errors, mut unknowns, mut limits, mut opened) = (Vec::new(), 0, 0, 0, 0, 0);
    for round in 0..rounds {
        let mut random = Random::new(seed * 1_000_003 + round);
        let mut grammar = Grammar::new(&mut random);
        let source = grammar.template();
        let data = grammar.data();
        let option = random.pick(&["missingkey=default", "missingkey=zero", "missingkey=error"]);
        let string_maps = ["labels"];
        let mut options = Options::default();
        options.set(option).unwrap();
        let parameters = Data::new(&value_with(&data, &string_maps));
        let actual = render("base", &source, &parameters, &options, Dialect::ARGO_CD);
        if matches!(&actual, Outcome::Error(error) if error.kind == ErrorKind::Limit) {
            // Go would die of a map that contains itself.
            limits += 1;
            continue;
        }
        let answer = oracle.ask(
            "gotemplate",
            json!({"name": "base", "text": source, "data": data, "stringMaps": string_maps, "options": [option]}),
        );
        let Answer::Ok(expected) = answer else { panic!("{answer:?} for {source}") };
        let expected_text = expected["text"].as_str().unwrap();
        let expected_error = expected["error"].as_str().unwrap_or("");
        let is_same = match &actual {
            Outcome::Text(text) => {
                texts += 1;
                expected_error.is_empty() && text == expected_text
            }
            Outcome::Unknown(why) => {
                unknowns += 1;
                is_honest(why)
            }
            Outcome::Error(error) => {
                errors += 1;
                let is_parse = expected["stage"] == "parse";
                (error.kind == ErrorKind::Parse) == is_parse && same_error(&error.text, expected_error)
            }
        };
        // Go may fail on a value that is unknown here, and of a type that does not fit.
        if parameters.has_unknowns() && !expected_error.is_empty() {
            opened += 1;
            continue;
        }
        if !is_same {
            let actual = match actual {
                Outcome::Error(error) => format!("{:?} {}", error.kind, error.text),
                other => format!("{other:?}"),
            };
            let expected =
                if expected_error.is_empty() { format!("{expected_text:?}") } else { expected_error.to_owned() };
            differences.push(format!("{source}\n  {option} {data}\n  is  {actual}\n  not {expected}"));
        }
    }
    println!(
        "{texts} texts, {errors} errors, {unknowns} unknown, {limits} at a limit, {opened} fail in Go after an unknown value"
    );
    assert!(
        differences.is_empty(),
        "{} of {rounds} differ\n{}",
        differences.len(),
        differences.iter().take(30).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// Whether a result may be unknown for this reason although nothing in the data is.
fn is_honest(why: &Why) -> bool {
    matches!(why, Why::Runtime(_))
}

/// Whether two error texts are the same, but for what other libraries say about bad YAML.
fn same_error(actual: &str, expected: &str) -> bool {
    const YAML: &str = "error converting YAML to JSON: ";
    let cut = |text: &str| text.split_once(YAML).map_or(text.to_owned(), |(before, _)| before.to_owned());
    // Go says what is wrong with an address.
    let is_host = actual.ends_with("invalid host") && expected.starts_with(actual);
    actual == expected || is_host || (actual.contains(YAML) && cut(actual) == cut(expected))
}
