//! When an answer agrees with what a vector expects.

use serde_json::Value;

/// Lists in these fields are sets, unless the expectation says `ordered`.
const SETS: [&str; 10] = [
    "files",
    "dirs",
    "keys",
    "paths",
    "params", // Argo CD
    "ignored",
    "findings",
    "owned",
    "explicitly_unowned",
    "unmatched", // CODEOWNERS
];

/// Whether an answer agrees with an expectation: the class of an error is enough, `subset` asks for a part only.
pub fn agrees(expected: &Value, actual: &Result<Value, String>) -> bool {
    match (expected.get("error"), actual) {
        (Some(error), Err(class)) => error["class"] == class.as_str(),
        (None, Ok(value)) => {
            let (is_part, is_ordered) = (expected["subset"] == true, expected["ordered"] == true);
            let (expected, actual) = (normal(expected, is_ordered), normal(value, is_ordered));
            if is_part { contains(&actual, &expected) } else { actual == expected }
        }
        _ => false,
    }
}

fn normal(value: &Value, is_ordered: bool) -> Value {
    let mut value = value.clone();
    let Some(fields) = value.as_object_mut() else { return value };
    fields.retain(|key, _| key != "ordered" && key != "subset");
    for key in SETS.iter().filter(|_| !is_ordered) {
        if let Some(list) = fields.get_mut(*key).and_then(Value::as_array_mut) {
            list.iter_mut().for_each(sort_clusters);
            list.sort_by_key(Value::to_string);
        }
    }
    value
}

/// The inner list of a flat cluster list has no order either.
fn sort_clusters(set: &mut Value) {
    if let Some(list) = set.get_mut("clusters").and_then(Value::as_array_mut) {
        list.sort_by_key(Value::to_string);
    }
}

fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::Object(whole), Value::Object(part)) => {
            part.iter().all(|(key, part)| whole.get(key).is_some_and(|whole| contains(whole, part)))
        }
        (Value::Array(whole), Value::Array(part)) => {
            part.iter().all(|part| whole.iter().any(|whole| contains(whole, part)))
        }
        _ => whole == part,
    }
}
