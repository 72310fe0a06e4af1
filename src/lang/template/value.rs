//! The parameters a template is rendered with: trees as Go holds them, where any part may be unknown.

use crate::value::Why;
use std::collections::BTreeMap;

/// A parameter. Go's type matters to templates, so the two kinds of map and of number are kept apart.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// A null.
    #[default]
    Nil,
    /// A boolean.
    Bool(bool),
    /// A Go `int`. JSON and YAML never yield one: their numbers are [`Value::Float`].
    Int(i64),
    /// A Go `float64`.
    Float(f64),
    /// A text.
    String(String),
    /// A list of anything.
    List(Vec<Value>),
    /// A `map[string]interface {}`.
    Map(BTreeMap<String, Value>),
    /// A `map[string]string`: labels, annotations and generator values. Its entries are texts, or unknown.
    StringMap(BTreeMap<String, Value>),
    /// Something that cannot be known offline; what is computed from it is unknown as well.
    Unknown(Why),
}

impl From<&serde_json::Value> for Value {
    /// The value Go decodes from this JSON: every number is a float.
    fn from(json: &serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Nil,
            serde_json::Value::Bool(bool) => Value::Bool(*bool),
            serde_json::Value::Number(number) => Value::Float(number.as_f64().unwrap_or(f64::INFINITY)),
            serde_json::Value::String(text) => Value::String(text.clone()),
            serde_json::Value::Array(items) => Value::List(items.iter().map(Value::from).collect()),
            serde_json::Value::Object(entries) => {
                Value::Map(entries.iter().map(|(key, value)| (key.clone(), Value::from(value))).collect())
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.to_owned())
    }
}
