//! Our arena as the JSON that `jsonschema` reads, without a copy: what the API server sees of a document.
//!
//! Nulls among the fields of an object are left out, as the server drops them; nulls in lists stay. The directive keys
//! of merge patches are left out too: they speak to the one who merges.

use crate::yaml::{self, Entry, Kind, Scalar};
use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object};
use serde_json::{Number, Value};
use std::borrow::Cow;

/// The representation: documents of our trees.
pub struct Arena;

/// A value of a document.
#[derive(Clone, Copy)]
pub enum View<'t> {
    /// A node of a tree.
    Node(yaml::Node<'t>),
    /// A name, for `propertyNames`.
    Name(&'t str),
}

/// The fields of an object, in order.
pub fn fields(node: yaml::Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    let is_field = |entry: &Entry<'_>| !entry.value.is_null() && !is_directive(entry.key);
    let (plain, effective) = if is_plain(node) { (Some(node.pairs()), None) } else { (None, Some(node.entries())) };
    plain.into_iter().flatten().chain(effective.into_iter().flatten()).filter(is_field)
}

/// One field of an object.
pub fn field<'t>(node: yaml::Node<'t>, name: &str) -> Option<Entry<'t>> {
    let mut found = None;
    for entry in node.pairs() {
        if entry.key.text() == Some("<<") {
            return fields(node).find(|entry| entry.key.key_text() == name);
        }
        if entry.key.key_text() == name {
            found = Some(entry);
        }
    }
    found.filter(|entry| !entry.value.is_null())
}

/// Whether the entries as written are those that count, as almost everywhere: to find out is cheaper than to settle them.
fn is_plain(node: yaml::Node<'_>) -> bool {
    const FEW: usize = 16;
    let mut seen = [""; FEW];
    for (at, entry) in node.pairs().enumerate() {
        let key = entry.key.text().unwrap_or("<<");
        if at == FEW || key == "<<" || seen[..at].contains(&key) {
            return false;
        }
        seen[at] = key;
    }
    true
}

/// Keys by which strategic merge patches say how to merge.
fn is_directive(key: yaml::Node<'_>) -> bool {
    let key = key.text().unwrap_or("");
    key.starts_with('$')
        && (matches!(key, "$patch" | "$retainKeys")
            || key.starts_with("$setElementOrder/")
            || key.starts_with("$deleteFromPrimitiveList/"))
}

impl Json for Arena {
    type Node<'a> = View<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = String;

    // Looking up one key walks over all of them, as one pass over the members does.
    const KEYS_PER_LOOKUP: usize = 32;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>(buffer: &mut String, string: &str, f: impl FnOnce(View<'_>) -> T) -> T {
        buffer.clear();
        buffer.push_str(string);
        f(View::Name(buffer))
    }
}

impl<'t> View<'t> {
    fn scalar(self) -> Option<Scalar<'t>> {
        match self {
            View::Node(node) => node.scalar(),
            View::Name(name) => Some(Scalar::Text(name)),
        }
    }

    fn collection(self, kind: Kind) -> Option<yaml::Node<'t>> {
        match self {
            View::Node(node) if node.kind() == kind => Some(node),
            _ => None,
        }
    }
}

impl<'t> Node<'t, Arena> for View<'t> {
    type Object = Members<'t>;
    type Array = Items<'t>;
    type Number = Number;

    fn as_object(&self) -> Option<Members<'t>> {
        self.collection(Kind::Mapping).map(Members)
    }

    fn as_array(&self) -> Option<Items<'t>> {
        self.collection(Kind::Sequence).map(Items)
    }

    fn as_string(&self) -> Option<Cow<'t, str>> {
        match self.scalar() {
            Some(Scalar::Text(text)) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<Number> {
        match self.scalar() {
            Some(Scalar::Int(int)) => Some(int.into()),
            Some(Scalar::Uint(uint)) => Some(uint.into()),
            // Infinity and NaN have no JSON form; the server refuses the whole document before any schema.
            Some(Scalar::Float(float)) => Some(Number::from_f64(float).unwrap_or_else(|| 0.into())),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.scalar() {
            Some(Scalar::Bool(bool)) => Some(bool),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn json_type(&self) -> JsonType {
        match self {
            View::Node(node) if node.kind() == Kind::Mapping => JsonType::Object,
            View::Node(node) if node.kind() == Kind::Sequence => JsonType::Array,
            _ => match self.scalar() {
                Some(Scalar::Bool(_)) => JsonType::Boolean,
                Some(Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_)) => JsonType::Number,
                Some(Scalar::Text(_)) => JsonType::String,
                Some(Scalar::Null) | None => JsonType::Null,
            },
        }
    }

    /// The schemas compare with texts only; see the test of the keywords they use.
    fn equals_value(&self, expected: &Value) -> bool {
        matches!((self.scalar(), expected), (Some(Scalar::Text(text)), Value::String(wanted)) if text == wanted)
    }

    /// Errors carry a copy of the value they are about. Nobody reads it here, so none is made.
    fn to_value(&self) -> Cow<'t, Value> {
        Cow::Owned(Value::Null)
    }

    /// No schema refers to itself without going down in the document, whose depth is bounded.
    fn identity(&self) -> Option<NodeIdentity> {
        None
    }
}

/// The fields of an object.
#[derive(Clone, Copy)]
pub struct Members<'t>(yaml::Node<'t>);

impl<'t> Object<'t, Arena> for Members<'t> {
    type Node = View<'t>;
    type MemberName = Cow<'t, str>;
    type MembersIter = std::vec::IntoIter<(Cow<'t, str>, View<'t>)>;

    fn len(&self) -> usize {
        fields(self.0).count()
    }

    fn is_empty(&self) -> bool {
        fields(self.0).next().is_none()
    }

    fn get(&self, key: &Box<str>) -> Option<View<'t>> {
        self.0.get(key).filter(|value| !value.is_null()).map(View::Node)
    }

    fn members(&self) -> Self::MembersIter {
        let members: Vec<_> = fields(self.0).map(|entry| (entry.key.key_text(), View::Node(entry.value))).collect();
        members.into_iter()
    }
}

/// The items of a list.
#[derive(Clone, Copy)]
pub struct Items<'t>(yaml::Node<'t>);

impl<'t> Array<'t, Arena> for Items<'t> {
    type Node = View<'t>;
    type ElementsIter = std::vec::IntoIter<View<'t>>;

    fn len(&self) -> usize {
        self.0.items().count()
    }

    fn elements(&self) -> Self::ElementsIter {
        let items: Vec<_> = self.0.items().map(View::Node).collect();
        items.into_iter()
    }

    /// Compares scalars only: nothing else is ever listed where this is asked.
    fn is_unique(&self) -> bool {
        let mut texts: Vec<&str> = self.0.items().filter_map(yaml::Node::text).collect();
        texts.sort_unstable();
        texts.windows(2).all(|pair| pair[0] != pair[1])
    }
}
