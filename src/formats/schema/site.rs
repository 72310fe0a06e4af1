//! A place in a document together with what the schema says of it.

use super::view;
use crate::yaml::{Kind, Node, Scalar};
use serde_json::Value;
use std::borrow::Cow;

/// A node, how it was reached, and its schema.
#[derive(Clone)]
pub struct Site<'t, 's> {
    /// The node.
    pub node: Node<'t>,
    /// The key whose value it is; absent for the document and for items.
    pub key: Option<Node<'t>>,
    /// The object that holds `key`, with its schema.
    pub parent: Option<(Node<'t>, &'s Value)>,
    /// Its schema, references followed.
    pub schema: &'s Value,
    /// The way from the document: `spec.sources[0].helm`; empty for the document.
    pub path: String,
    /// The end of the way: `helm`, `sources[0]`.
    pub name: String,
    /// Whether an alias or a merge key lies on the way, so that others may read the same bytes.
    pub is_shared: bool,
}

impl<'t, 's> Site<'t, 's> {
    /// The document.
    pub fn root(node: Node<'t>, schema: &'s Value) -> Site<'t, 's> {
        let (path, name) = (String::new(), String::new());
        Site { node, key: None, parent: None, schema, path, name, is_shared: false }
    }

    /// The place that a JSON pointer names, with its schema in the schema of the document.
    pub fn at(self, pointer: &str, whole: &'s Value) -> Option<Site<'t, 's>> {
        pointer.split('/').skip(1).try_fold(self, |site, segment| {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            match site.node.kind() {
                Kind::Sequence => site.item(segment.parse().ok()?, whole),
                _ => site.field(&segment, whole),
            }
        })
    }

    /// A field of this object.
    pub fn field(mut self, name: &str, whole: &'s Value) -> Option<Site<'t, 's>> {
        let entry = view::field(self.node, name)?;
        let schema = field_schema(self.schema, name, whole)?;
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(name);
        let is_merged = !self.node.origin().contains(entry.key.span());
        Some(Site {
            node: entry.value,
            key: Some(entry.key),
            parent: Some((self.node, self.schema)),
            schema,
            path: self.path,
            name: name.to_owned(),
            is_shared: self.is_shared || is_merged || self.node.is_alias(),
        })
    }

    fn item(mut self, index: usize, whole: &'s Value) -> Option<Site<'t, 's>> {
        let node = self.node.items().nth(index)?;
        let schema = follow(self.schema.get("items")?, whole);
        let suffix = format!("[{index}]");
        self.path.push_str(&suffix);
        self.name.push_str(&suffix);
        Some(Site {
            is_shared: self.is_shared || self.node.is_alias(),
            node,
            key: None,
            parent: None,
            schema,
            path: self.path,
            name: self.name,
        })
    }

    /// Whether the node may be rewritten without touching what an alias, an anchor or a tag says.
    pub fn is_plain(&self) -> bool {
        !self.is_shared && !self.node.is_alias() && self.node.anchor().is_none() && self.node.tag().is_none()
    }
}

/// The bytes of a node as written.
pub fn source<'t>(node: Node<'t>) -> &'t str {
    node.tree().text().get(node.origin().range()).unwrap_or("")
}

/// What a reference stands for; references never lead to references without end.
pub fn follow<'s>(schema: &'s Value, whole: &'s Value) -> &'s Value {
    let mut schema = schema;
    while let Some(name) = reference(schema) {
        schema = &whole["$defs"][name];
    }
    schema
}

/// The name of the definition that a schema refers to.
pub fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")
}

/// The schema of a field: its own, else that of all other fields.
pub fn field_schema<'s>(object: &'s Value, name: &str, whole: &'s Value) -> Option<&'s Value> {
    let own = object.get("properties").and_then(|properties| properties.get(name));
    let schema = own.or_else(|| object.get("additionalProperties"))?;
    schema.is_object().then(|| follow(schema, whole))
}

/// The names of the fields that an object may have.
pub fn field_names(object: &Value) -> impl Iterator<Item = &str> {
    object.get("properties").and_then(Value::as_object).into_iter().flat_map(|map| map.keys()).map(String::as_str)
}

/// A set of JSON types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Types(u8);

/// The types of JSON Schema, and how a message calls them.
const TYPES: [(&str, &str); 7] = [
    ("null", "nothing"),
    ("boolean", "a boolean"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("string", "text"),
    ("array", "a list"),
    ("object", "a map"),
];

impl Types {
    /// Booleans.
    pub const BOOLEAN: Types = Types(1 << 1);
    /// Numbers, whole or not.
    pub const NUMBERS: Types = Types(1 << 2 | 1 << 3);
    /// Text.
    pub const TEXT: Types = Types(1 << 4);
    /// Lists.
    pub const LIST: Types = Types(1 << 5);
    /// Maps.
    pub const MAP: Types = Types(1 << 6);

    /// The types that a schema allows; all when it names none.
    pub fn of_schema(schema: &Value) -> Types {
        let bit = |name: &Value| {
            let at = TYPES.iter().position(|(known, _)| name.as_str() == Some(known));
            at.map_or(0, |at| 1u8 << at)
        };
        match schema.get("type") {
            None => Types(!0),
            Some(Value::Array(names)) => Types(names.iter().map(bit).fold(0, |all, one| all | one)),
            Some(name) => Types(bit(name)),
        }
    }

    /// The type of a value; a whole number is a number as well.
    pub fn of_node(node: Node<'_>) -> Types {
        match node.kind() {
            Kind::Mapping => Types::MAP,
            Kind::Sequence => Types::LIST,
            Kind::Scalar | Kind::Alias => match node.scalar() {
                Some(Scalar::Bool(_)) => Types::BOOLEAN,
                Some(Scalar::Int(_) | Scalar::Uint(_)) => Types::NUMBERS,
                Some(Scalar::Float(_)) => Types(1 << 3),
                Some(Scalar::Text(_)) => Types::TEXT,
                Some(Scalar::Null) | None => Types(1),
            },
        }
    }

    /// Whether the sets share a type.
    pub fn meet(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    /// How messages call the types: `a whole number or text`.
    pub fn words(self) -> String {
        let words: Vec<&str> = TYPES
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(at, _)| self.0 & (1 << at) != 0)
            .map(|(_, (_, word))| *word)
            .collect();
        words.join(" or ")
    }

    /// How messages call the type of a value.
    pub fn word(self) -> &'static str {
        TYPES.iter().enumerate().rev().find(|(at, _)| self.0 & (1 << at) != 0).map_or("nothing", |(_, (_, word))| *word)
    }
}

/// A text cut to what a message has room for, in one line.
pub fn short(text: &str, room: usize) -> Cow<'_, str> {
    let text = one_line(text);
    match text.char_indices().nth(room) {
        None => text,
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
    }
}

/// A text with its control characters spelled out.
fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let spelled = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(spelled).collect())
}

/// A path cut from the left to what a message has room for, at a dot.
pub fn short_path(path: &str, room: usize) -> Cow<'_, str> {
    let path = one_line(path);
    if path.chars().count() <= room {
        return path;
    }
    let tail = path.char_indices().rev().nth(room - 2).map_or(0, |(at, _)| at);
    let tail = path[tail..].split_once('.').map_or(&path[tail..], |(_, rest)| rest);
    Cow::Owned(format!("…{tail}"))
}
