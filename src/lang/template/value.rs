//! The parameters a template is rendered with: trees as Go holds them, where any part may be unknown.

use super::datum::Datum;
use super::env::Env;
use super::{Data, Dialect, Options, Template, fmt, has_unknowns};
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
    /// A map (of either type) of which only these entries are known: any other key may be there too.
    Partial(Box<Value>, Why),
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

impl Value {
    /// A map of any values of which more keys may exist.
    pub fn partial_map(entries: BTreeMap<String, Value>, why: Why) -> Value {
        Value::Partial(Box::new(Value::Map(entries)), why)
    }

    /// The entries, when it is a map of either type, known in part or whole.
    pub fn entries(&self) -> Option<&BTreeMap<String, Value>> {
        match self {
            Value::Map(entries) | Value::StringMap(entries) => Some(entries),
            Value::Partial(map, _) => map.entries(),
            _ => None,
        }
    }

    /// The value as Go's `%v` prints it.
    ///
    /// # Errors
    /// The reason why it, or a part of it, is not known.
    pub fn print(&self) -> Result<String, Why> {
        if let Value::String(text) = self {
            return Ok(text.clone());
        }
        let plain = Template::parse("print", "", Dialect::ARGO_CD).expect("the empty text is a template");
        let (options, data) = (Options::default(), Data::new(self));
        let env = Env::new(&plain, &options, &data);
        let datum = Datum::from_value(self);
        match env.undecided(&datum) {
            Ok(Some(why)) => Err((*why).clone()),
            Ok(None) => fmt::sprint(&env, &datum).map_err(|_| Why::Runtime("a value too large to print".into())),
            Err(_) => Err(Why::Runtime("a value nested too deep to print".into())),
        }
    }

    /// The value as JSON; `None` when it is not wholly known.
    pub fn to_json(&self) -> Option<serde_json::Value> {
        Some(match self {
            Value::Nil => serde_json::Value::Null,
            Value::Bool(bool) => (*bool).into(),
            Value::Int(int) => (*int).into(),
            // As Go's `encoding/json` writes it: without a fraction where there is none.
            Value::Float(float) if float.fract() == 0.0 && float.abs() < 1e15 => (*float as i64).into(),
            Value::Float(float) => serde_json::Number::from_f64(*float)?.into(),
            Value::String(text) => text.clone().into(),
            Value::List(items) => items.iter().map(Value::to_json).collect::<Option<Vec<_>>>()?.into(),
            Value::Map(entries) | Value::StringMap(entries) => {
                let entries = entries.iter().map(|(key, value)| Some((key.clone(), value.to_json()?)));
                serde_json::Value::Object(entries.collect::<Option<_>>()?)
            }
            Value::Partial(..) | Value::Unknown(_) => return None,
        })
    }

    /// Whether nothing in it is unknown.
    pub fn is_known(&self) -> bool {
        !has_unknowns(self)
    }
}
