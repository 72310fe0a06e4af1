//! The one reader all decoders use: optional fields of the right type, with their spans.
//!
//! A value of the wrong type reads as absent here: types are the schemas' business ([`super::schema`]), and saying it
//! once is enough. Null reads as absent too, as the API server drops it.

use crate::text::{Span, Spanned};
use crate::value::{List, Map, Text, Value};
use crate::yaml::{Kind, Node, Scalar};

/// The partial value a node stands for: aliases and merge keys resolved, scalars as Kubernetes tooling reads them.
///
/// The size is bounded: the reader refuses documents whose aliases expand too far.
pub fn value(node: Node<'_>) -> Value {
    let span = node.span();
    match node.kind() {
        Kind::Mapping => {
            let entries = node
                .entries()
                .map(|entry| (Spanned::new(entry.key.key_text().into_owned(), entry.key.span()), value(entry.value)))
                .collect();
            Value::Map(Map { entries, span })
        }
        Kind::Sequence => Value::List(List { items: node.items().map(value).collect(), span }),
        Kind::Scalar | Kind::Alias => match node.scalar() {
            Some(Scalar::Bool(bool)) => Value::Bool(Spanned::new(bool, span)),
            Some(Scalar::Int(int)) => Value::Int(Spanned::new(int, span)),
            Some(Scalar::Uint(uint)) => Value::Float(Spanned::new(uint as f64, span)),
            Some(Scalar::Float(float)) => Value::Float(Spanned::new(float, span)),
            Some(Scalar::Text(text)) => Value::Text(Text::known_at(text, span)),
            Some(Scalar::Null) | None => Value::Null(span),
        },
    }
}

/// The fields of a map, read by name.
#[derive(Clone, Copy)]
pub struct Fields<'v> {
    map: &'v Map,
}

impl<'v> Fields<'v> {
    /// The fields of a value, when it is a map.
    pub fn of(value: &'v Value) -> Option<Fields<'v>> {
        value.as_map().map(|map| Fields { map })
    }

    /// The whole map.
    pub fn span(self) -> Span {
        self.map.span
    }

    /// The entries as written, in order.
    pub fn entries(self) -> &'v [(Spanned<String>, Value)] {
        &self.map.entries
    }

    /// A field of any type; null is absent.
    pub fn value(self, key: &str) -> Option<&'v Value> {
        self.map.get(key).filter(|value| !matches!(value, Value::Null(_)))
    }

    /// The place of a field's key, also when its value is null.
    pub fn key(self, key: &str) -> Option<Span> {
        self.map.key_span(key)
    }

    /// A text field; unknown values are unknown texts.
    pub fn text(self, key: &str) -> Option<Text> {
        text(self.value(key)?)
    }

    /// A text field that is present and not the empty text: the Go zero value means "not set" to Argo CD.
    pub fn non_empty(self, key: &str) -> Option<Text> {
        self.text(key).filter(|text| text.as_str() != Some(""))
    }

    /// A boolean field.
    pub fn bool(self, key: &str) -> Option<Spanned<bool>> {
        match self.value(key)? {
            Value::Bool(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// An integer field.
    pub fn int(self, key: &str) -> Option<Spanned<i64>> {
        match self.value(key)? {
            Value::Int(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// A map field.
    pub fn fields(self, key: &str) -> Option<Fields<'v>> {
        Fields::of(self.value(key)?)
    }

    /// The items of a list field; none when absent.
    pub fn items(self, key: &str) -> &'v [Value] {
        self.value(key).map_or(&[], Value::items)
    }

    /// The texts of a list field, in order; items of another type are left out.
    pub fn texts(self, key: &str) -> Vec<Text> {
        self.items(key).iter().filter_map(text).collect()
    }

    /// The text entries of a map field, in order, such as labels; entries of another type are left out.
    pub fn text_entries(self, key: &str) -> Vec<(Spanned<String>, Text)> {
        let Some(fields) = self.fields(key) else { return Vec::new() };
        fields.entries().iter().filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect()
    }
}

/// The value as text, when it is text or unknown.
pub fn text(value: &Value) -> Option<Text> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Unknown(unknown) => Some(Text::unknown(unknown.why.clone(), unknown.span)),
        _ => None,
    }
}
