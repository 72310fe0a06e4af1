//! Versions and ranges against Masterminds/semver, and the recorded vectors.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::lang::semver::{Constraint, Version};
use random::Random;
use serde_json::{Value, json};

const CASES: usize = 5_000;

fn version(random: &mut Random) -> String {
    let numbers = ["0", "1", "2", "3", "10", "01", "18446744073709551616", ""];
    let endings = [
        "",
        "",
        "",
        "",
        "",
        "-0",
        "-rc.1",
        "-rc.2",
        "-rc",
        "-1",
        "-a.b.c",
        "-01",
        "-",
        "-rc.01",
        "+m",
        "-rc+m.1",
        "+",
        ".4",
        "-a_b",
        " ",
        "x",
        "-18446744073709551616",
        "--",
    ];
    let count = [3, 3, 3, 2, 1, 4][random.below(6)];
    let known = if random.below(6) == 0 { numbers.len() } else { 5 };
    let numbers: Vec<&str> = (0..count).map(|_| random.pick(&numbers[..known])).collect();
    format!("{}{}{}", random.pick(&["", "", "", "v", "V", " "]), numbers.join("."), random.pick(&endings))
}

fn constraint(random: &mut Random) -> String {
    let operators = ["", "", "=", "!=", ">", "<", ">=", "<=", "=>", "=<", "~", "~>", "^", "==", "> "];
    let between = [" ", ", ", ",", " || ", "||", " - ", "  ", "-", ",,", "|"];
    let wildcards =
        ["*", "1.x", "1.2.x", "X", "0.*", "1.*.2", "0", "0.0", "0.0.x", "x.1", "1.2", "v1", "1.x-rc", "*-0", "1.2x"];
    let one = |random: &mut Random| {
        let version = if random.below(3) == 0 { random.pick(&wildcards).to_owned() } else { version(random) };
        format!("{}{version}", random.pick(&operators))
    };
    let mut text = one(random);
    for _ in 0..random.below(3) {
        let known = if random.below(4) == 0 { between.len() } else { 6 };
        text.push_str(random.pick(&between[..known]));
        text.push_str(&one(random));
    }
    text
}

#[test]
fn ranges_agree_with_the_library() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(41);
    let (mut valid, mut pairs, mut differences) = (0, 0, Vec::new());
    for _ in 0..CASES * 4 {
        let text = constraint(&mut random);
        let versions: Vec<String> = (0..12).map(|_| version(&mut random)).collect();
        let theirs = match oracle.ask("semver_constraint", json!({"constraint": text, "versions": versions})) {
            Answer::Ok(value) => Some(value),
            Answer::Error(_) => None,
            Answer::Panic(cause) => panic!("{cause}"),
        };
        let ours: Option<Value> = Constraint::parse(&text).ok().map(|range| {
            versions
                .iter()
                .map(|text| Version::parse(text).map_or(2, |version| u64::from(range.allows(&version))))
                .collect()
        });
        valid += usize::from(theirs.is_some());
        pairs += theirs.as_ref().map_or(0, |_| versions.len());
        if ours != theirs {
            differences.push(format!("{text:?}: {ours:?}, not {theirs:?}, of {versions:?}"));
        }
    }
    println!(
        "semver_constraint: {} ranges, {valid} valid, {pairs} pairs, {} differences",
        CASES * 4,
        differences.len()
    );
    assert!(differences.is_empty(), "{:#?}", &differences[..differences.len().min(20)]);
}

#[test]
fn precedence_agrees_with_the_library() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(42);
    for _ in 0..CASES {
        let (left, right) = (version(&mut random), version(&mut random));
        let theirs = match oracle.ask("semver_compare", json!({"left": left, "right": right})) {
            Answer::Ok(order) => order.as_i64(),
            _ => None,
        };
        let ours =
            Version::parse(&left).ok().zip(Version::parse(&right).ok()).map(|(left, right)| left.cmp(&right) as i64);
        assert_eq!(ours, theirs, "{left:?} {right:?}");
    }
}

#[test]
fn strict_versions_agree_with_the_library() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(43);
    let versions: Vec<String> = (0..CASES).map(|_| version(&mut random)).collect();
    let Answer::Ok(theirs) = oracle.ask("semver_strict", json!({"versions": versions})) else { panic!("no answer") };
    for (at, text) in versions.iter().enumerate() {
        assert_eq!(Version::parse_strict(text).is_some(), theirs[at] == true, "{text:?}");
    }
}

#[test]
fn recorded_versions_and_ranges_are_read_as_by_helm() {
    let text = std::fs::read_to_string("testdata/conformance/helm/semver.json").unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let vectors = file["vectors"].as_array().or(file.as_array()).unwrap();
    for vector in vectors {
        let (input, id) = (&vector["input"], &vector["id"]);
        let expected = vector.get("expect").or(vector.get("expected")).unwrap();
        if let Some(version) = input["version"].as_str() {
            assert_eq!(Version::parse(version).is_ok(), expected["valid"] == true, "{id}");
            continue;
        }
        let Ok(range) = Constraint::parse(input["constraint"].as_str().unwrap()) else {
            assert_eq!(expected["error"], "invalid-constraint", "{id}");
            continue;
        };
        for (version, inside) in expected["match"].as_object().unwrap() {
            assert_eq!(range.allows(&Version::parse(version).unwrap()), *inside == true, "{id}: {version}");
        }
    }
}
