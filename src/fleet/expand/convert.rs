//! From a value as read to the value that a template sees.

use crate::lang::template;
use crate::value::{Text, Value, Why};
use std::collections::BTreeMap;

/// The value Go decodes: every number is a float, a text with unknown parts is unknown as a whole.
pub fn to_template(value: &Value) -> template::Value {
    match value {
        Value::Null(_) => template::Value::Nil,
        Value::Bool(bool) => template::Value::Bool(bool.value),
        Value::Int(int) => template::Value::Float(int.value as f64),
        Value::Float(float) => template::Value::Float(float.value),
        Value::Text(text) => text_to_template(text),
        Value::List(list) => template::Value::List(list.items.iter().map(to_template).collect()),
        Value::Map(map) => {
            let entries = map.entries.iter().map(|(key, value)| (key.value.clone(), to_template(value)));
            template::Value::Map(entries.collect::<BTreeMap<_, _>>())
        }
        Value::Unknown(unknown) => template::Value::Unknown(unknown.why.clone()),
    }
}

/// The text, or unknown when a part of it is.
pub fn text_to_template(text: &Text) -> template::Value {
    match (text.as_str(), text.unknowns().next()) {
        (Some(known), _) => template::Value::String(known.to_owned()),
        (None, Some(unknown)) => template::Value::Unknown(unknown.why.clone()),
        (None, None) if text.pieces().is_empty() => template::Value::String(String::new()),
        (None, None) => template::Value::Unknown(Why::Template),
    }
}
