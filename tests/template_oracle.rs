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
use serde_json::{Value, json};
use template::{Outcome, render, value_with};

#[test]
fn the_grammar_knows_every_function() {
    let mut known: Vec<&str> = words().functions.iter().map(|(name, _)| name.as_str()).collect();
    let mut offered: Vec<&str> = Dialect::ARGO_CD.functions().map(|function| function.name).collect();
    known.sort_unstable();
    offered.sort_unstable();
    assert_eq!(known, offered);
}

/// A number from the environment, to run more than usual, or something else.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What came out so far.
#[derive(Default, Debug)]
struct Tally {
    texts: usize,
    errors: usize,
    unknown: usize,
    /// Ended by a limit, so that Go was not asked: it would die of a map that contains itself.
    at_limit: usize,
    /// Go failed on a value that is unknown here, and of a type that does not fit.
    failed_on_unknown: usize,
    differences: Vec<String>,
}

impl Tally {
    fn compare(&mut self, oracle: &mut Oracle, source: &str, data: &Value, option: &str) {
        let string_maps = ["labels"];
        let mut options = Options::default();
        options.set(option).unwrap();
        let parameters = Data::new(&value_with(data, &string_maps));
        let actual = render("base", source, &parameters, &options, Dialect::ARGO_CD);
        if matches!(&actual, Outcome::Error(error) if error.kind == ErrorKind::Limit) {
            self.at_limit += 1;
            return;
        }
        let question =
            json!({"name": "base", "text": source, "data": data, "stringMaps": string_maps, "options": [option]});
        let answer = oracle.ask("gotemplate", question);
        let Answer::Ok(expected) = answer else { panic!("{answer:?} for {source}") };
        let expected_text = expected["text"].as_str().unwrap();
        let expected_error = expected["error"].as_str().unwrap_or("");
        if parameters.has_unknowns() && !expected_error.is_empty() {
            self.failed_on_unknown += 1;
            return;
        }
        let is_same = match &actual {
            Outcome::Text(text) => {
                self.texts += 1;
                expected_error.is_empty() && text == expected_text
            }
            Outcome::Unknown(why) => {
                self.unknown += 1;
                matches!(why, Why::Runtime(_))
            }
            Outcome::Error(error) => {
                self.errors += 1;
                let is_parse = expected["stage"] == "parse";
                (error.kind == ErrorKind::Parse) == is_parse && same_error(&error.text, expected_error)
            }
        };
        if !is_same {
            let actual = match actual {
                Outcome::Error(error) => format!("{:?} {}", error.kind, error.text),
                other => format!("{other:?}"),
            };
            let expected =
                if expected_error.is_empty() { format!("{expected_text:?}") } else { expected_error.to_owned() };
            self.differences.push(format!("{source}\n  {option} {data}\n  is  {actual}\n  not {expected}"));
        }
    }

    fn demand_none(self) {
        let first: Vec<&str> = self.differences.iter().take(30).map(String::as_str).collect();
        assert!(self.differences.is_empty(), "{} differ\n{}", self.differences.len(), first.join("\n"));
        println!("{self:?}");
        assert!(self.texts > self.unknown, "{self:?}");
    }
}

const OPTIONS: [&str; 3] = ["missingkey=default", "missingkey=zero", "missingkey=error"];

#[test]
fn random_templates_render_as_in_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let seed = setting("PLIMSOLL_SEED", 1);
    let mut tally = Tally::default();
    for round in 0..setting("PLIMSOLL_ROUNDS", 20_000) {
        let mut random = Random::new(seed * 1_000_003 + round);
        let mut grammar = Grammar::new(&mut random);
        let (source, data) = (grammar.template(), grammar.data());
        tally.compare(&mut oracle, &source, &data, random.pick(&OPTIONS));
    }
    tally.demand_none();
}

#[test]
fn every_function_returns_what_it_returns_in_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let seed = setting("PLIMSOLL_SEED", 1);
    let mut tally = Tally::default();
    for (at, (name, kinds)) in words().functions.iter().enumerate() {
        for round in 0..setting("PLIMSOLL_ROUNDS", 20_000) / 400 {
            let mut random = Random::new(seed * 7_000_003 + at as u64 * 100_000 + round);
            let mut grammar = Grammar::new(&mut random);
            let (call, data) = (grammar.call_of(name, kinds, 1), grammar.data());
            // The result as it prints, as it is, and in a place where its type shows.
            let source = format!("{{{{ $x := {call} }}}}{{{{ $x }}}}|{{{{ toJson $x }}}}|{{{{ printf \"%T\" $x }}}}");
            tally.compare(&mut oracle, &source, &data, random.pick(&OPTIONS));
        }
    }
    tally.demand_none();
}

#[test]
fn the_oracle_dies_of_a_runaway_before_the_machine_does() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut run = |count: u64| {
        let source = format!("{{{{ len (repeat {count} \"ab\") }}}}");
        let question = json!({"name": "base", "text": source, "data": {}, "stringMaps": [], "options": []});
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| oracle.ask("gotemplate", question)))
    };
    assert_eq!(run(1_000_000).unwrap(), Answer::Ok(json!({"text": "2000000"})));
    let message = run(1_500_000_000).unwrap_err();
    assert!(message.downcast_ref::<String>().unwrap().starts_with("no answer to gotemplate"));
}

/// Whether two error texts are the same, but for what other libraries say about bad YAML.
fn same_error(actual: &str, expected: &str) -> bool {
    const YAML: &str = "error converting YAML to JSON: ";
    let cut = |text: &str| text.split_once(YAML).map_or(text.to_owned(), |(before, _)| before.to_owned());
    // Go says what is wrong with an address.
    let is_host = actual.ends_with("invalid host") && expected.starts_with(actual);
    actual == expected || is_host || (actual.contains(YAML) && cut(actual) == cut(expected))
}
