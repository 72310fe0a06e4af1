//! Selectors against apimachinery.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::lang::selector::{Operator, Requirement, Selector, Values, is_label_key, is_label_value};
use random::Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const CASES: usize = 5_000;

const KEYS: &[&str] = &[
    "a",
    "b",
    "env",
    "in",
    "notin",
    "a.b/c",
    "A-b_c.d",
    "argocd.argoproj.io/secret-type",
    "path[0]",
    "",
    "-a",
    "a-",
    "a/",
    "/a",
    "a/b/c",
    "A/b",
    "a..b/c",
    "a b",
    "é",
    "values.x",
];
const VALUES: &[&str] = &[
    "",
    "a",
    "b",
    "5",
    "-5",
    "+5",
    "10",
    "007",
    "9223372036854775808",
    "1e3",
    "prod-eu",
    "a/b",
    "https://x",
    "é",
    "in",
    "x.",
    "_",
    "a\n",
];

fn labels(random: &mut Random) -> Vec<BTreeMap<String, String>> {
    let set = |random: &mut Random| {
        let count = random.below(4);
        (0..count).map(|_| (random.pick(&KEYS[..8]).to_owned(), random.pick(VALUES).to_owned())).collect()
    };
    (0..6).map(|_| set(random)).collect()
}

/// What a selector says of some labels, in the words of the oracle.
fn selected<E>(selector: Result<Selector, E>, labels: &[BTreeMap<String, String>]) -> Option<Value> {
    selector.ok().map(|selector| labels.iter().map(|labels| selector.matches(labels)).collect())
}

fn theirs(answer: Answer) -> Option<Value> {
    match answer {
        Answer::Ok(value) => Some(value),
        Answer::Error(_) => None,
        Answer::Panic(cause) => panic!("{cause}"),
    }
}

#[test]
fn match_labels_and_expressions_agree_with_kubernetes() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(11);
    let operators = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "in", ""];
    let mut valid = 0;
    for _ in 0..CASES {
        // Mostly one requirement, so that its own mistakes decide.
        let keys = if random.below(3) == 0 { KEYS } else { &KEYS[..8] };
        let values = |random: &mut Random| {
            (0..random.below(4))
                .map(|_| {
                    let legal = if random.below(4) == 0 { VALUES } else { &VALUES[..11] };
                    random.pick(legal)
                })
                .collect()
        };
        let match_labels: BTreeMap<&str, &str> =
            (0..random.below(3)).map(|_| (random.pick(keys), random.pick(&VALUES[..11]))).collect();
        let expressions: Vec<(&str, &str, Vec<&str>)> = (0..random.below(3))
            .map(|_| {
                let known = if random.below(8) == 0 { 7 } else { 4 };
                let operator = random.pick(&operators[..known]);
                let values =
                    if operator.ends_with("Exists") && random.below(6) > 0 { Vec::new() } else { values(&mut random) };
                (random.pick(keys), operator, values)
            })
            .collect();
        let labels = labels(&mut random);
        let selector = json!({
            "matchLabels": match_labels,
            "matchExpressions": expressions
                .iter()
                .map(|(key, operator, values)| json!({"key": key, "operator": operator, "values": values}))
                .collect::<Vec<_>>(),
        });
        let theirs = theirs(oracle.ask("label_selector", json!({"selector": selector, "labels": labels})));
        let requirement = |key: &str, operator, values: &[&str]| {
            let values = values.iter().map(|&value| value.to_owned()).collect();
            Requirement::new(key.to_owned(), operator, values, Values::OfLabels).map_err(|_| ())
        };
        let ours: Result<Vec<_>, ()> =
            match_labels
                .iter()
                .map(|(key, value)| requirement(key, Operator::In, &[value]))
                .chain(expressions.iter().map(|(key, operator, values)| {
                    requirement(key, Operator::of_expression(operator).ok_or(())?, values)
                }))
                .collect();
        valid += usize::from(theirs.is_some());
        assert_eq!(selected(ours.map(Selector::new), &labels), theirs, "{selector} {labels:?}");
    }
    println!("label_selector: {CASES} selectors, {valid} valid, 0 differences");
}

#[test]
fn comparisons_of_integers_agree_with_kubernetes() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(12);
    for _ in 0..CASES / 5 {
        let (name, operator) =
            if random.below(2) == 0 { ("gt", Operator::GreaterThan) } else { ("lt", Operator::LessThan) };
        let values: Vec<&str> = (0..1 + random.below(12) / 10).map(|_| random.pick(VALUES)).collect();
        let labels = labels(&mut random);
        let args = json!({"key": "a", "operator": name, "values": values, "labels": labels});
        let theirs = theirs(oracle.ask("label_requirement", args));
        let owned = values.iter().map(|&value| value.to_owned()).collect();
        let ours = Requirement::new("a".to_owned(), operator, owned, Values::OfLabels);
        assert_eq!(selected(ours.map(|own| Selector::new(vec![own])), &labels), theirs, "{name} {values:?} {labels:?}");
    }
}

#[test]
fn selectors_written_as_text_agree_with_kubernetes() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(13);
    let requirements =
        ["a", "!b", "env=a", "a==b", "b!=5", "env in (a, b)", "in notin (in,)", "a>5", "b < 10", "a.b/c in ()", "a="];
    let soup = ["a", "b", " ", ",", "=", "!", "(", ")", ">", "<", "in", "notin", "5", "==", "!=", "-", "é"];
    let mut valid = 0;
    for _ in 0..CASES {
        let mut text = (0..random.below(4)).map(|_| random.pick(&requirements)).collect::<Vec<_>>().join(", ");
        for _ in 0..random.below(3) {
            let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            text.insert_str(borders[random.below(borders.len())], random.pick(&soup));
        }
        let labels = labels(&mut random);
        let theirs = theirs(oracle.ask("label_parse", json!({"selector": text, "labels": labels})));
        valid += usize::from(theirs.is_some());
        assert_eq!(selected(Selector::parse(&text), &labels), theirs, "{text:?} {labels:?}");
    }
    println!("label_parse: {CASES} texts, {valid} valid, 0 differences");
}

#[test]
fn keys_and_values_agree_with_kubernetes() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(14);
    let parts = [
        "a",
        "B",
        "7",
        "-",
        "_",
        ".",
        "/",
        "a.b",
        "x1",
        "é",
        " ",
        "[0]",
        "example.com/",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ];
    let texts: Vec<String> =
        (0..CASES).map(|_| (0..random.below(7)).map(|_| random.pick(&parts)).collect::<String>()).collect();
    let args = json!({"keys": texts, "values": texts});
    let Answer::Ok(theirs) = oracle.ask("label_valid", args) else { panic!("no answer") };
    for (at, text) in texts.iter().enumerate() {
        assert_eq!(is_label_key(text), theirs["keys"][at] == true, "{text:?}");
        assert_eq!(is_label_value(text), theirs["values"][at] == true, "{text:?}");
    }
}
