//! The list generator: elements as written, and those a text holds.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/list.go`.

use super::convert::to_template;
use super::failure::{Class, Failure};
use super::params::{Mode, Params, Provenance, Values};
use crate::formats::argo::generator::ListGenerator;
use crate::formats::read;
use crate::lang::template;
use crate::text::{FileId, Span};
use crate::value::{Map, Value};
use crate::yaml;

/// The sets of a list, in order.
pub fn generate(list: &ListGenerator, mode: Mode) -> Result<Vec<Params>, Failure> {
    let mut sets = Vec::with_capacity(list.elements.len());
    for element in &list.elements {
        let Value::Map(map) = element else {
            return Err(Failure::new(Class::ListValueType, element.span(), "a list element is no map"));
        };
        let values = match mode {
            Mode::Go => nested(map),
            Mode::Placeholder => texts(map)?,
        };
        sets.push(Params::new(values, Provenance::Element(map.span)));
    }
    if let Some(text) = &list.elements_yaml {
        match text.known() {
            Some(known) => sets.extend(from_text(known.value, known.span)?),
            None => sets.extend(text.unknowns().next().map(Params::unknown_sets)),
        }
    }
    Ok(sets)
}

fn nested(map: &Map) -> Values {
    map.entries.iter().map(|(key, value)| (key.value.clone(), to_template(value))).collect()
}

/// In placeholder mode a parameter is text; `values` may hold one level of texts.
fn texts(map: &Map) -> Result<Values, Failure> {
    let mut values = Values::new();
    for (key, value) in &map.entries {
        match value {
            Value::Text(text) if key.value == "values" => {
                let message = "list element parameter `values` is a text; a map of texts is wanted";
                return Err(Failure::new(Class::ListValueType, text.span(), message)
                    .help("write the entries of `values` below it, or rename the parameter"));
            }
            Value::Text(_) | Value::Unknown(_) => {
                values.insert(key.value.clone(), to_template(value));
            }
            Value::Map(inner) if key.value == "values" => {
                for (name, value) in &inner.entries {
                    if !matches!(value, Value::Text(_) | Value::Unknown(_)) {
                        return Err(not_text(&format!("values.{}", name.value), value));
                    }
                    values.insert(format!("values.{}", name.value), to_template(value));
                }
            }
            other => return Err(not_text(&key.value, other)),
        }
    }
    Ok(values)
}

fn not_text(name: &str, value: &Value) -> Failure {
    let (what, help) = match value {
        Value::Bool(_) => ("a boolean", "quote it"),
        Value::Int(_) | Value::Float(_) => ("a number", "quote it"),
        Value::Null(_) => ("null", "give it a text, or remove it"),
        Value::List(_) => ("a list", "set `goTemplate: true`, or use one text parameter for each item"),
        _ => ("a map", "set `goTemplate: true`, or use one text parameter for each entry"),
    };
    let message = format!("list element parameter `{name}` is {what}; without `goTemplate` only text is allowed");
    Failure::new(Class::ListValueType, value.span(), message).help(help)
}

/// The maps in a text that holds a YAML list.
fn from_text(text: &str, span: Span) -> Result<Vec<Params>, Failure> {
    let fail = |message: String| Failure::new(Class::ElementsYaml, span, message);
    let tree = yaml::parse(FileId::default(), text.into());
    if let Some(error) = tree.errors().first() {
        return Err(fail(format!("`elementsYaml` is no YAML: {}", error.message)));
    }
    let Some(root) = tree.documents().first().and_then(|document| tree.root(document)) else { return Ok(Vec::new()) };
    match read::value(root) {
        Value::Null(_) => Ok(Vec::new()),
        Value::List(list) => list
            .items
            .iter()
            .map(|item| match to_template(item) {
                template::Value::Map(values) => Ok(Params::new(values, Provenance::Element(span))),
                template::Value::Nil => Ok(Params::new(Values::new(), Provenance::Element(span))),
                _ => Err(fail("`elementsYaml` holds an item that is no map".to_owned())),
            })
            .collect(),
        _ => Err(fail("`elementsYaml` is no list".to_owned())),
    }
}
