//! Our own formats and their JSON Schemas agree: configurations of all tests, and reports.

#![cfg(feature = "schema")]

use plimsoll::engine::{self, Snapshot, SnapshotRoot, config};
use plimsoll::formats::read;
use plimsoll::report::json;
use plimsoll::text::{FileId, RepoPath};
use plimsoll::value;
use plimsoll::yaml;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A schema as the program prints it.
fn printed(which: &str) -> jsonschema::Validator {
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll")).args(["schema", which]).output().unwrap();
    let schema: Value = serde_json::from_slice(&output.stdout).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("a schema compiles")
}

/// A schema as it is committed.
fn committed(which: &str) -> jsonschema::Validator {
    let text = std::fs::read_to_string(format!("schemas/{which}.schema.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).expect("a schema compiles")
}

/// YAML as JSON, read by our own reader.
fn plain(text: &str) -> Value {
    let tree = yaml::parse(FileId::default(), text.into());
    assert!(tree.errors().is_empty(), "{text}");
    tree.documents()
        .iter()
        .find_map(|document| tree.root(document))
        .map_or(Value::Null, |root| plain_value(&read::value(root)))
}

fn plain_value(value: &value::Value) -> Value {
    match value {
        value::Value::Null(_) | value::Value::Unknown(_) => Value::Null,
        value::Value::Bool(bool) => bool.value.into(),
        value::Value::Int(int) => int.value.into(),
        value::Value::Float(float) => float.value.into(),
        value::Value::Text(text) => text.as_str().unwrap_or_default().into(),
        value::Value::List(list) => list.items.iter().map(plain_value).collect(),
        value::Value::Map(map) => {
            let entries = map.entries.iter().map(|(key, value)| (key.value.clone(), plain_value(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}

/// Every configuration that a page or a session shows, with its place.
fn shown_configurations() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["rules", "tests/cli"] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let page = std::fs::read_to_string(&path).unwrap();
            let mut lines = page.lines().enumerate();
            while let Some((number, line)) = lines.next() {
                let is_config = line.strip_prefix("```yaml ").is_some_and(|path| path.ends_with(config::NAME));
                if is_config {
                    let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
                    let text = block.map(|line| format!("{line}\n")).collect();
                    found.push((format!("{}:{}", path.display(), number + 1), text));
                }
            }
        }
    }
    found
}

fn configurations_below(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_dir() {
            configurations_below(&path, found);
        } else if path.file_name().is_some_and(|name| name == config::NAME) {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Mistakes that a schema cannot see: it does not know which words depend on each other, and what a glob is.
fn is_beyond_schemas(message: &str) -> bool {
    ["is not one of the environments", "does not parse", "URL of a repository"]
        .iter()
        .any(|part| message.contains(part))
}

#[test]
fn the_schema_accepts_the_configurations_that_the_program_accepts() {
    let schema = printed("config");
    let mut all = shown_configurations();
    configurations_below(Path::new("testdata"), &mut all);
    assert!(all.len() > 5);
    let (mut accepted, mut refused) = (0, 0);
    for (place, text) in all {
        let (_, mistakes) = config::read(&text);
        let is_refused = mistakes.iter().any(|mistake| !is_beyond_schemas(&mistake.message));
        let errors: Vec<String> = schema.iter_errors(&plain(&text)).map(|error| error.to_string()).collect();
        assert_eq!(!errors.is_empty(), is_refused, "{place}: program {mistakes:?}, schema {errors:?}");
        if is_refused { refused += 1 } else { accepted += 1 }
    }
    assert!(accepted > 0 && refused > 0);
}

#[test]
fn the_committed_schema_accepts_what_the_printed_one_accepts() {
    let (printed, committed) = (printed("config"), committed("config"));
    for (place, text) in shown_configurations() {
        let value = plain(&text);
        assert!(committed.is_valid(&value) || !printed.is_valid(&value), "{place}");
    }
}

#[test]
fn reports_keep_their_form() {
    let schema = printed("report");
    let application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  source:\n    \
                       repoURL: https://git.example.com/acme/fleet.git\n    path: none\n  destination: {name: in-cluster}\n";
    let files = BTreeMap::from([
        (RepoPath::new("none.yaml").unwrap(), b"a: caf\xe9\n".to_vec()),
        (RepoPath::new("app.yaml").unwrap(), application.as_bytes().to_vec()),
    ]);
    let snapshot = Snapshot { roots: vec![SnapshotRoot::in_memory(".", files)] };
    let report = engine::check(snapshot, &engine::Settings::default());
    assert!(!report.findings.is_empty());
    let mut text = Vec::new();
    json::write(&report, &mut text).unwrap();
    let value: Value = serde_json::from_slice(&text).unwrap();
    let errors: Vec<String> =
        schema.iter_errors(&value).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(!schema.is_valid(&serde_json::json!({"version": 1})));
}

#[test]
fn answers_keep_their_form() {
    let schema = printed("why");
    let run = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        let folder = "testdata/fleets/hub-and-spokes/clean/hub";
        let output = program.current_dir(folder).args(["why", "--format", "json"]).args(arguments).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).expect("answers are JSON")
    };
    for arguments in [&["--app", "dev-backend"][..], &["."], &["../spokes/workloads/backend", "apps", "none/such"]] {
        let value = run(arguments);
        let errors: Vec<String> =
            schema.iter_errors(&value).map(|error| format!("{error} at {}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:?}");
    }
    assert!(!schema.is_valid(&serde_json::json!({"version": 1, "paths": [{}], "applications": []})));
}
