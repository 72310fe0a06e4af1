//! Runs the vectors that were observed from the real tools, one test per suite.
//!
//! A suite is a folder of `testdata/conformance/`, or of `$PLIMSOLL_CONFORMANCE` when that is set. Every `*.json` in it is
//! a topic; a vector whose kind nobody answers has failed. Vectors that are held to be wrong stand in the suite's
//! `disputed.md`, one per line: `- id: evidence`.

#[path = "conformance/argocd.rs"]
mod argocd;
#[path = "conformance/codeowners.rs"]
mod codeowners;
#[path = "conformance/compare.rs"]
mod compare;
#[path = "conformance/generators.rs"]
mod generators;
#[path = "conformance/kustomize.rs"]
mod kustomize;
#[path = "conformance/projects.rs"]
mod projects;

use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What the product says to one vector: a value, or the class of an error; `None` for a kind it does not know.
type Answer = Option<Result<Value, String>>;

#[test]
fn argocd_vectors_hold() {
    let answer = |kind: &str, input: &Value| {
        let answer = argocd::answer(kind, input).or_else(|| generators::answer(kind, input));
        answer.or_else(|| projects::answer(kind, input))
    };
    run("argocd", |topic, shape, vector| check(topic, shape, vector, answer));
}

#[test]
fn codeowners_vectors_hold() {
    run("codeowners", |topic, shape, vector| check(topic, shape, vector, codeowners::answer));
}

#[test]
fn kustomize_vectors_hold() {
    run("kustomize", kustomize::check);
}

/// Runs a suite; `check` gets the name and the shape of a topic, and one vector.
fn run(suite: &str, check: impl Fn(&str, &str, &Value) -> Result<(), String>) {
    let folder = std::env::var_os("PLIMSOLL_CONFORMANCE").map_or_else(|| "testdata/conformance".into(), PathBuf::from);
    let folder = folder.join(suite);
    let disputed = disputed(&Path::new("testdata/conformance").join(suite).join("disputed.md"));
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut failures = String::new();
    for file in &files {
        let topic: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let vectors: Vec<&Value> = items(&topic["vectors"]).filter(|vector| !disputed.contains(&id(vector))).collect();
        let name = file.file_stem().unwrap().to_string_lossy();
        // The kind belongs to each vector, or to all of a topic.
        let shape = topic["shape"].as_str().unwrap_or_default();
        let wrong: Vec<String> = vectors.iter().filter_map(|vector| check(&name, shape, vector).err()).collect();
        println!("conformance {suite}/{name}: {} of {}", vectors.len() - wrong.len(), vectors.len());
        wrong.iter().for_each(|text| writeln!(failures, "{text}").unwrap());
    }
    assert!(!files.is_empty(), "no vectors in {}", folder.display());
    assert!(failures.is_empty(), "\n{failures}");
}

fn check(topic: &str, shape: &str, vector: &Value, answer: fn(&str, &Value) -> Answer) -> Result<(), String> {
    let kind = vector["kind"].as_str().unwrap_or(shape);
    let expected = vector.get("expect").unwrap_or(&vector["expected"]);
    let mut input = vector["input"].clone();
    input["topic"] = topic.into();
    // Some vectors name the questions only with their answers.
    input["expected"] = vector["expected"].clone();
    let Some(actual) = answer(kind, &input) else {
        return Err(format!("{}: nobody answers the kind `{kind}`", id(vector)));
    };
    if compare::agrees(expected, &actual) {
        return Ok(());
    }
    let actual = actual.map_or_else(|class| format!("error {class}"), |value| value.to_string());
    Err(format!(
        "{} ({})\n  expected {expected}\n  actual   {actual}",
        id(vector),
        vector["why"].as_str().unwrap_or("")
    ))
}

fn id(vector: &Value) -> String {
    vector["id"].as_str().unwrap_or("a vector without id").to_owned()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn disputed(list: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(list).unwrap_or_default();
    text.lines().filter_map(|line| Some(line.strip_prefix("- ")?.split_once(':')?.0.to_owned())).collect()
}
