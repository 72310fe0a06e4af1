//! Fills the second generator of a matrix with a set of the first.
//!
//! Mirrors Argo CD 3.6, `applicationset/utils/utils.go`, `RenderGeneratorParams`, and `pre_resolve_values`.

use super::Expander;
use super::failure::{Class, Failure};
use super::params::{Mode, Params};
use super::render::Filler;
use crate::value::{Map, Text, Value};

/// Generators whose `values` may wait for parameters of their own.
const WITH_VALUES: [&str; 6] = ["clusters", "git", "scmProvider", "pullRequest", "plugin", "clusterDecisionResource"];

/// The generator with every text filled from `params`; the same generator when there are none.
pub fn generator(generator: &Value, params: &Params, cx: &mut Expander<'_>) -> Result<Value, Failure> {
    if params.values.is_empty() && params.open.is_none() {
        return Ok(generator.clone());
    }
    let filler = Filler::new(params, cx);
    entry(generator, &filler, cx)
}

fn entry(generator: &Value, filler: &Filler, cx: &mut Expander<'_>) -> Result<Value, Failure> {
    let Value::Map(map) = generator else { return filler.value(generator, cx) };
    let mut entries = Vec::with_capacity(map.entries.len());
    for (key, value) in &map.entries {
        let filled = match value {
            // The selector of the entry itself is never filled.
            value if key.value == "selector" => value.clone(),
            Value::Map(inner) if WITH_VALUES.contains(&key.value.as_str()) => with_values(inner, filler, cx)?,
            // What combines others fills them itself.
            other if matches!(key.value.as_str(), "matrix" | "merge") => filler.for_now().value(other, cx)?,
            other => filler.value(other, cx)?,
        };
        entries.push((key.clone(), filled));
    }
    Ok(Value::Map(Map { entries, span: map.span }))
}

/// A generator whose `values` are tried one by one.
fn with_values(generator: &Map, filler: &Filler, cx: &mut Expander<'_>) -> Result<Value, Failure> {
    let mut entries = Vec::with_capacity(generator.entries.len());
    for (key, value) in &generator.entries {
        let filled = match value {
            Value::Map(values) if key.value == "values" => {
                let mut kept = Vec::with_capacity(values.entries.len());
                for (name, value) in &values.entries {
                    let value = match value {
                        Value::Text(text) => Value::Text(waiting(text, filler, cx)?),
                        other => other.clone(),
                    };
                    kept.push((name.clone(), value));
                }
                Value::Map(Map { entries: kept, span: values.span })
            }
            // A child's own template counts for nothing.
            other if key.value == "template" => filler.for_now().value(other, cx)?,
            other => filler.value(other, cx)?,
        };
        entries.push((key.clone(), filled));
    }
    Ok(Value::Map(Map { entries, span: generator.span }))
}

/// A text of `values`: filled when all it reads is there, else left for the generator's own parameters.
fn waiting(text: &Text, filler: &Filler, cx: &mut Expander<'_>) -> Result<Text, Failure> {
    if cx.mode == Mode::Placeholder {
        return filler.for_now().text(text, cx);
    }
    match filler.strict(text, cx) {
        Err(failure) if failure.class == Class::MissingKey => Ok(text.clone()),
        other => other,
    }
}
