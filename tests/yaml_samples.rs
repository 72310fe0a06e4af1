//! The samples of `testdata/conformance/go`: accepted, refused and converted as Go's own libraries do.
//!
//! Each line of the table names a file, the verdict of go-yaml 3, and its JSON by sigs.k8s.io/yaml or why there is none.

use plimsoll::text::FileId;
use plimsoll::yaml::{Tree, decode, parse};
use serde_json::Value;
use std::fs;

/// What we make of a file: whether all of it can be read, and its first document as JSON.
fn read(bytes: &[u8]) -> (bool, Result<Value, String>) {
    match decode(bytes) {
        Ok(text) => {
            let tree = parse(FileId(0), text.into());
            (tree.errors().is_empty(), to_json(&tree))
        }
        Err(error) => (false, Err(error.to_string())),
    }
}

/// The first document, which is all that sigs.k8s.io/yaml reads of a stream.
fn to_json(tree: &Tree) -> Result<Value, String> {
    let Some(document) = tree.documents().first() else { return Ok(Value::Null) };
    match (tree.error(document), tree.root(document)) {
        (Some(error), _) => Err(error.message.clone()),
        (None, None) => Ok(Value::Null),
        (None, Some(root)) => root.to_json().map_err(|error| error.message),
    }
}

#[test]
fn samples_read_as_go_reads_them() {
    let folder = "testdata/conformance/go";
    let table = fs::read_to_string(format!("{folder}/yaml_results.tsv")).unwrap();
    let mut count = 0;
    for line in table.lines() {
        let [name, verdict, json] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let (is_whole, ours) = read(&fs::read(format!("{folder}/{name}")).unwrap());
        // go-yaml 3 lets an alias stand in the value it refers to; nobody can read that value.
        let is_accepted = verdict == "ok" && !json.contains("value contains itself");
        assert_eq!(is_whole, is_accepted, "{name}: {verdict}; ours: {ours:?}");
        if json.starts_with("ERR ") {
            assert!(ours.is_err(), "{name}: {json}; ours: {ours:?}");
        } else {
            assert_eq!(ours, Ok(serde_json::from_str(json).unwrap()), "{name}");
        }
        count += 1;
    }
    assert_eq!(count, 48);
}
