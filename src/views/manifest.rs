//! Partial values for readers: what is not known is written as `{?reason}`, and listed by JSON pointer.

use crate::lang::template::{self, Data, Dialect, Template};
use crate::report::escape;
use crate::report::summary::explain;
use crate::text::Span;
use crate::value::{Piece, Text, Value};
use serde_json::{Map, Number};

/// A value as JSON, and what in it is not known.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The value.
    pub json: serde_json::Value,
    /// JSON pointers (RFC 6901) to the texts that hold unknown parts, in order.
    pub unknowns: Vec<String>,
}

impl Shown {
    /// Shows a value whole.
    pub fn new(value: &Value) -> Shown {
        let mut unknowns = Vec::new();
        let json = show(value, &mut String::new(), &mut unknowns);
        Shown { json, unknowns }
    }
}

/// A text with every unknown part as `{?reason}`.
pub fn text(text: &Text) -> String {
    pieces(text, |piece| match piece {
        Piece::Known(known) => known.value.clone(),
        Piece::Unknown(unknown) => format!("{{?{}}}", explain(&unknown.why).0),
    })
}

/// A text with every unknown part as `{?}`, for narrow columns.
pub fn brief(text: &Text) -> String {
    pieces(text, |piece| match piece {
        Piece::Known(known) => known.value.clone(),
        Piece::Unknown(_) => "{?}".to_owned(),
    })
}

/// The same; another text where there is none.
pub fn brief_or(text: Option<&Text>, other: &str) -> String {
    text.map_or_else(|| other.to_owned(), brief)
}

/// JSON as YAML, keys sorted, as Kubernetes' own tools write it; what controls a terminal is shown as what it is.
pub fn yaml(json: &serde_json::Value) -> String {
    let template = Template::parse("manifest", "{{ toYaml . }}\n", Dialect::ARGO_CD).expect("the text is a template");
    let place = |_: &template::Source, _| Span::default();
    match template.render(&Data::new(&datum(json)), &template::Options::default(), &place) {
        Ok(yaml) => text(&yaml).split_inclusive('\n').map(escape_line).collect(),
        Err(error) => format!("# cannot be written as YAML: {}\n", escape(&error.message)),
    }
}

fn escape_line(line: &str) -> String {
    let ending = if line.ends_with('\n') { "\n" } else { "" };
    escape(&line[..line.len() - ending.len()]).into_owned() + ending
}

fn datum(json: &serde_json::Value) -> template::Value {
    match json {
        serde_json::Value::Null => template::Value::Nil,
        serde_json::Value::Bool(bool) => template::Value::Bool(*bool),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(int) => template::Value::Int(int),
            None => template::Value::Float(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => template::Value::String(text.clone()),
        serde_json::Value::Array(items) => template::Value::List(items.iter().map(datum).collect()),
        serde_json::Value::Object(entries) => {
            template::Value::Map(entries.iter().map(|(key, value)| (key.clone(), datum(value))).collect())
        }
    }
}

fn pieces(text: &Text, show: impl Fn(&Piece) -> String) -> String {
    text.pieces().iter().map(show).collect()
}

fn show(value: &Value, pointer: &mut String, unknowns: &mut Vec<String>) -> serde_json::Value {
    match value {
        Value::Null(_) => serde_json::Value::Null,
        Value::Bool(bool) => bool.value.into(),
        Value::Int(int) => int.value.into(),
        Value::Float(float) => Number::from_f64(float.value).map_or(serde_json::Value::Null, Into::into),
        Value::Text(part) => {
            if part.unknowns().next().is_some() {
                unknowns.push(pointer.clone());
            }
            text(part).into()
        }
        Value::Unknown(unknown) => {
            unknowns.push(pointer.clone());
            format!("{{?{}}}", explain(&unknown.why).0).into()
        }
        Value::List(list) => {
            let items = list.items.iter().enumerate();
            items.map(|(index, item)| below(pointer, &index.to_string(), item, unknowns)).collect()
        }
        Value::Map(map) => {
            let entries = map.entries.iter();
            let entries = entries.map(|(key, value)| (key.value.clone(), below(pointer, &key.value, value, unknowns)));
            serde_json::Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}

fn below(pointer: &mut String, key: &str, value: &Value, unknowns: &mut Vec<String>) -> serde_json::Value {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
    let shown = show(value, pointer, unknowns);
    pointer.truncate(length);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Spanned;
    use crate::value::{Unknown, Why};

    #[test]
    fn what_is_not_known_is_named_and_listed() {
        let mut name = Text::known_at("shop-", Span::default());
        name.push(Piece::Unknown(Unknown { why: Why::Cluster, span: Span::default() }));
        let key = |key: &str| Spanned::new(key.to_owned(), Span::default());
        let map = |entries| Value::Map(crate::value::Map { entries, span: Span::default() });
        let value = map(vec![(key("a/b"), map(vec![(key("c"), Value::Text(name))]))]);
        let shown = Shown::new(&value);
        assert_eq!(shown.json["a/b"]["c"], "shop-{?the cluster is not declared in the roots}");
        assert_eq!(shown.unknowns, ["/a~1b/c"]);
    }
}
