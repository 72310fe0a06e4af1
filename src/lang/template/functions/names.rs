//! What Argo CD adds to sprig: names and YAML.
//!
//! Mirrors Argo CD 3.6, applicationset/utils.

use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::Datum;
use crate::lang::template::env::Fault;
use crate::lang::template::value::Value;
use crate::lang::template::{slug, yaml_out};
use crate::text::FileId;
use crate::yaml;
use std::sync::Arc;

use Type::{Any, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("fromYaml", &[Text], |call| {
        read(call, |value| match value {
            Value::Map(_) => Ok(value),
            Value::Nil => Ok(Value::Map(Default::default())),
            other => Err((other, "map[string]interface {}")),
        })
    }),
    Function::new("fromYamlArray", &[Text], |call| {
        read(call, |value| match value {
            Value::List(_) => Ok(value),
            Value::Nil => Ok(Value::List(Vec::new())),
            other => Err((other, "[]interface {}")),
        })
    }),
    Function::new("normalize", &[Text], |call| call.env.text(slug::normalize(call.string(0)?))),
    Function::new("slugify", &[], slugify).rest(Any),
    Function::new("toYaml", &[Any], |call| {
        let mut text = yaml_out::write(call.env, call.any(0))?;
        text.pop();
        call.env.text(text)
    }),
];

/// Reads the first document; `shaped` refuses what is not of the wanted type.
fn read(call: &Call<'_>, shaped: fn(Value) -> Result<Value, (Value, &'static str)>) -> Outcome {
    let text = call.string(0)?;
    call.env.spend_bytes(text.len())?;
    let value =
        first_document(text).map_err(|error| Fault::Failed(format!("error converting YAML to JSON: {error}")))?;
    match shaped(value) {
        Ok(value) => Ok(Datum::from_value(&value)),
        Err((value, wanted)) => {
            let found = match value {
                Value::Bool(_) => "bool",
                Value::Int(_) | Value::Float(_) => "number",
                Value::String(_) => "string",
                Value::List(_) => "array",
                _ => "object",
            };
            let cause = format!("json: cannot unmarshal {found} into Go value of type {wanted}");
            Err(Fault::Failed(format!("error unmarshaling JSON: while decoding JSON: {cause}")))
        }
    }
}

fn first_document(text: &str) -> Result<Value, String> {
    let tree = yaml::parse(FileId::default(), Arc::from(text));
    let Some(document) = tree.documents().first() else { return Ok(Value::Nil) };
    if let Some(error) = tree.error(document) {
        return Err(format!("yaml: {}", error.message));
    }
    match tree.root(document) {
        None => Ok(Value::Nil),
        Some(root) => root.to_json().map(|json| Value::from(&json)).map_err(|error| error.message),
    }
}

/// `slugify [limit [smart]] name`: the arguments count by their place, the last one is the name.
fn slugify(call: &Call<'_>) -> Outcome {
    let (mut name, mut limit, mut is_smart) = ("", 50, true);
    let last = call.args.len().saturating_sub(1);
    let not = |datum: &Datum, wanted: &str| {
        let got = if matches!(datum, Datum::Nil) { "nil" } else { datum.type_name() };
        Fault::Failed(format!("interface conversion: interface {{}} is {got}, not {wanted}"))
    };
    for (at, datum) in call.rest(0).enumerate() {
        match (at, datum) {
            (at, Datum::String(text)) if at == last => name = text,
            (at, other) if at == last => return Err(not(other, "string")),
            (0, Datum::Int(crate::lang::template::datum::IntKind::Int, value)) => limit = *value,
            (0, other) => return Err(not(other, "int")),
            (1, Datum::Bool(value)) => is_smart = *value,
            (1, other) => return Err(not(other, "bool")),
            _ => {}
        }
    }
    match slug::slugify(name, limit, is_smart) {
        Some(slug) => call.env.text(slug),
        None => Err(Fault::Failed(format!("runtime error: slice bounds out of range [:{limit}]"))),
    }
}
