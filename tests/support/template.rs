//! Rendering templates from JSON.

#![allow(dead_code)]

use plimsoll::lang::template::{Data, Dialect, Error, Options, Template, Value};
use plimsoll::text::{FileId, Span};
use plimsoll::value::{Text, Why};
use std::collections::BTreeMap;

/// What became of a template.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    Text(String),
    Unknown(Why),
    Error(Error),
}

/// YAML as JSON, when it can be read.
pub fn yaml_to_json(text: &str) -> Option<serde_json::Value> {
    let tree = plimsoll::yaml::parse(FileId(0), text.into());
    tree.root(tree.documents().first()?)?.to_json().ok()
}

/// Bytes of the template as a span of file 0.
pub fn place(_: &plimsoll::lang::template::Source, bytes: plimsoll::lang::template::ast::Bytes) -> Span {
    Span::new(FileId(0), bytes.start, bytes.end)
}

pub fn render_text(name: &str, text: &str, data: &Data, options: &Options, dialect: Dialect) -> Result<Text, Error> {
    Template::parse(name, text, dialect)?.render(data, options, &place)
}

pub fn render(name: &str, text: &str, data: &Data, options: &Options, dialect: Dialect) -> Outcome {
    match render_text(name, text, data, options, dialect) {
        Err(error) => Outcome::Error(error),
        Ok(text) => match text.unknowns().next() {
            Some(unknown) => Outcome::Unknown(unknown.why.clone()),
            None => Outcome::Text(text.as_str().expect("no piece is unknown").to_owned()),
        },
    }
}

/// JSON as Go decodes it; the maps at these dotted places are maps of text to text.
pub fn value_with(json: &serde_json::Value, string_maps: &[&str]) -> Value {
    let mut value = Value::from(json);
    for place in string_maps {
        make_string_map(&mut value, &place.split('.').collect::<Vec<_>>());
    }
    value
}

fn make_string_map(value: &mut Value, place: &[&str]) {
    let Value::Map(entries) = value else { return };
    let Some(inner) = entries.get_mut(place[0]) else { return };
    if place.len() > 1 {
        return make_string_map(inner, &place[1..]);
    }
    if let Value::Map(texts) = std::mem::replace(inner, Value::Nil) {
        let texts: BTreeMap<String, Value> = texts.into_iter().collect();
        *inner = Value::StringMap(texts);
    }
}
