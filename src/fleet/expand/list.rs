//! The list generator: elements as written, and those a text holds.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/list.go`.

use super::Expander;
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
pub fn generate(list: &ListGenerator, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let mut sets = Vec::with_capacity(list.elements.len());
    let mut wrong = Vec::new();
    for element in &list.elements {
        let values = match element {
            Value::Map(map) if cx.mode == Mode::Go => nested(map, cx),
            Value::Map(map) => texts(map, &mut wrong),
            Value::Null(_) => Values::new(),
            // A kustomization or another tool makes it.
            Value::Unknown(unknown) => {
                sets.push(Params::unknown_sets(unknown));
                continue;
            }
            _ => {
                return Err(Failure::new(Class::ListValueType, element.span(), "this list element is no map")
                    .help("write the parameters of the element as `name: value`"));
            }
        };
        sets.push(Params::new(values, Provenance::Element(element.span())));
    }
    let mut wrong = wrong.into_iter();
    if let Some(first) = wrong.next() {
        cx.further.extend(wrong);
        return Err(first);
    }
    if let Some(text) = &list.elements_yaml {
        match text.known() {
            Some(known) => sets.extend(from_text(known.value, known.span)?),
            None => sets.extend(text.unknowns().next().map(Params::unknown_sets)),
        }
    }
    Ok(sets)
}

fn nested(map: &Map, cx: &mut Expander<'_>) -> Values {
    map.entries.iter().map(|(key, value)| (key.value.clone(), cx.parameter(value))).collect()
}

/// In placeholder mode a parameter is text; `values` may hold one level of texts. What is none is wrong.
fn texts(map: &Map, wrong: &mut Vec<Failure>) -> Values {
    let mut values = Values::new();
    for (key, value) in &map.entries {
        match value {
            Value::Text(text) if key.value == "values" => {
                let message = "list element parameter `values` is a text; a map of texts is wanted";
                wrong.push(
                    Failure::new(Class::ListValueType, text.span(), message)
                        .help("write the entries of `values` below it, or rename the parameter"),
                );
            }
            Value::Text(_) | Value::Unknown(_) => {
                values.insert(key.value.clone(), to_template(value));
            }
            Value::Map(inner) if key.value == "values" => {
                for (name, value) in &inner.entries {
                    let full = format!("values.{}", name.value);
                    match value {
                        Value::Text(_) | Value::Unknown(_) => drop(values.insert(full, to_template(value))),
                        _ => wrong.push(not_text(&full, value)),
                    }
                }
            }
            other => wrong.push(not_text(&key.value, other)),
        }
    }
    values
}

fn not_text(name: &str, value: &Value) -> Failure {
    let (what, help) = match value {
        Value::Bool(_) => ("a boolean", "quote it"),
        Value::Int(_) | Value::Float(_) => ("a number", "quote it"),
        Value::Null(_) => ("null", "give it a text, or remove it"),
        Value::List(_) => ("a list", "set `goTemplate: true`, or use one text parameter for each item"),
        _ => ("a map", "set `goTemplate: true`, or use one text parameter for each entry"),
    };
    let message = format!("list element parameter `{name}` is {what}: without `goTemplate` all are texts");
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
