//! Values behind keys: merge keys resolved, duplicates settled, and the whole as JSON.

use super::resolve::{Mismatch, Scalar, resolve};
use super::tree::{Entry, Kind, Node, Style, TagKind, Tree};
use crate::text::Span;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Why a document has no JSON form, so that no Kubernetes tool can read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotJson {
    /// The value or key in the way.
    pub span: Span,
    /// What is wrong with it.
    pub message: String,
}

impl<'t> Node<'t> {
    /// The value of a scalar; `None` for a collection. A tag that does not fit the text reads as text here, and as an
    /// error in [`Node::to_json`].
    pub fn scalar(self) -> Option<Scalar<'t>> {
        let text = self.text()?;
        Some(resolve(text, self.style(), self.tag_kind()).unwrap_or(Scalar::Text(text)))
    }

    fn resolved(self) -> Result<Scalar<'t>, Mismatch> {
        resolve(self.text().unwrap_or_default(), self.style(), self.tag_kind())
    }

    /// Whether it is a scalar that says nothing, `~` or `null`: Kubernetes treats it like an absent field.
    pub fn is_null(self) -> bool {
        self.scalar() == Some(Scalar::Null)
    }

    /// Its text, if it is a scalar that resolves to text: `"1"` does, `1` does not.
    pub fn as_str(self) -> Option<&'t str> {
        match self.scalar() {
            Some(Scalar::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Its value, if it is a boolean.
    pub fn as_bool(self) -> Option<bool> {
        match self.scalar() {
            Some(Scalar::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// The JSON key that this node becomes as a key: `y` is `true`, `0x10` is `16`. What JSON cannot have as a key (a
    /// collection, null) reads as it is written.
    pub fn key_text(self) -> Cow<'t, str> {
        let text = self.text().unwrap_or_else(|| &self.tree().text()[self.origin().range()]);
        // Most keys are words that cannot be anything else.
        if self.tag_kind().is_none() && !may_resolve(text) {
            return text.into();
        }
        match self.scalar() {
            Some(Scalar::Bool(value)) => if value { "true" } else { "false" }.into(),
            Some(Scalar::Int(value)) => value.to_string().into(),
            Some(Scalar::Uint(value)) => value.to_string().into(),
            Some(Scalar::Float(value)) => float_key(value).into(),
            Some(Scalar::Null | Scalar::Text(_)) | None => text.into(),
        }
    }

    /// Whether this node, as a key, reads `wanted`.
    fn is_key(self, wanted: &str) -> bool {
        match self.text() {
            // Most keys are words that cannot be anything else.
            Some(text) if self.style() != Style::Plain || !may_resolve(text) => text == wanted,
            _ => self.key_text() == wanted,
        }
    }

    /// Whether this node, as a key, merges its value into the mapping.
    fn is_merge(self) -> bool {
        self.text() == Some("<<")
            && !self.is_alias()
            && match self.tag_kind() {
                None => self.style() == Style::Plain,
                tag => matches!(tag, Some(TagKind::NonSpecific | TagKind::Merge)),
            }
    }

    /// The mappings that the value of a merge key stands for, in the order in which they are laid over each other; `None`
    /// when it is no mapping and no list of mappings.
    fn merged(self) -> Option<Vec<Node<'t>>> {
        match self.kind() {
            Kind::Mapping => Some(vec![self]),
            Kind::Sequence if !self.is_alias() => {
                let mut items: Vec<_> = self.items().collect();
                items.reverse();
                items.iter().all(|item| item.kind() == Kind::Mapping).then_some(items)
            }
            _ => None,
        }
    }

    /// The value of a key as Kubernetes tooling sees it: the last one wins, and a merge key counts at its place, so that
    /// keys before it lose to merged ones. `None` when there is no such key or this is no mapping.
    ///
    /// Mirrors sigs.k8s.io/yaml 1.6.
    pub fn get(self, key: &str) -> Option<Node<'t>> {
        let mut found = None;
        for entry in self.pairs() {
            if entry.key.is_merge() {
                let merged = entry.value.merged().unwrap_or_default();
                found = merged.iter().rev().find_map(|mapping| mapping.get(key)).or(found);
            } else if entry.key.is_key(key) {
                found = Some(entry.value);
            }
        }
        found
    }

    /// The value behind a path of keys.
    pub fn at(self, path: &[&str]) -> Option<Node<'t>> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The entries of a mapping as Kubernetes tooling sees them; see [`Node::get`]. Each key once, in the order of first
    /// appearance, with the key and the value that count. None for anything but a mapping.
    pub fn entries(self) -> impl Iterator<Item = Entry<'t>> {
        let mut entries = Entries::default();
        entries.add(self);
        entries.found.into_iter()
    }

    /// Number of items of a sequence or of effective entries of a mapping; 0 for a scalar.
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Sequence => self.items().count(),
            _ => self.entries().count(),
        }
    }

    /// Whether it has no item and no entry; true for a scalar.
    pub fn is_empty(self) -> bool {
        self.items().next().is_none() && self.pairs().next().is_none()
    }

    /// The value as sigs.k8s.io/yaml converts it to JSON, keys in the order of [`Node::entries`]. Whole numbers are whole
    /// however they are written: `1.0` is `1`.
    ///
    /// # Errors
    /// [`NotJson`] for what the conversion refuses: infinite numbers, keys that are null or collections, tags that do
    /// not fit, a merge of something else than mappings.
    pub fn to_json(self) -> Result<Value, NotJson> {
        self.check()?;
        self.convert()
    }

    fn not_json<T>(self, message: impl Into<String>) -> Result<T, NotJson> {
        Err(NotJson { span: self.span(), message: message.into() })
    }

    /// Refuses what cannot be decoded, even if a later key hides it.
    fn check(self) -> Result<(), NotJson> {
        if self.kind() == Kind::Scalar {
            self.checked_scalar()?;
        }
        self.items().try_for_each(Node::check)?;
        for entry in self.pairs() {
            if entry.key.is_merge() {
                let Some(merged) = entry.value.merged() else {
                    return entry.value.not_json("a merge key takes a mapping or a list of mappings");
                };
                merged.into_iter().try_for_each(Node::check)?;
            } else if entry.key.kind() != Kind::Scalar {
                return entry.key.not_json(format!("a {} cannot be a key", entry.key.kind().name()));
            } else {
                entry.key.check()?;
                entry.value.check()?;
            }
        }
        Ok(())
    }

    /// The value of a scalar whose tag fits.
    fn checked_scalar(self) -> Result<Scalar<'t>, NotJson> {
        let text = self.text().unwrap_or_default();
        match self.resolved() {
            Err(Mismatch) => {
                let tag = self.tag().unwrap_or_default();
                self.not_json(format!("`{text}` does not fit the tag `{tag}`"))
            }
            Ok(_) if self.tag_kind() == Some(TagKind::Binary) && decode_base64(text).is_none() => {
                self.not_json("the tag `!!binary` promises base64, this is none")
            }
            Ok(scalar) => Ok(scalar),
        }
    }

    fn convert(self) -> Result<Value, NotJson> {
        match self.kind() {
            Kind::Sequence => self.items().map(Node::convert).collect(),
            Kind::Mapping => {
                let mut object = Map::new();
                for entry in self.entries() {
                    object.insert(entry.key.convert_key()?, entry.value.convert()?);
                }
                Ok(Value::Object(object))
            }
            Kind::Scalar | Kind::Alias => self.convert_scalar(),
        }
    }

    fn convert_key(self) -> Result<String, NotJson> {
        match self.convert_scalar() {
            Ok(Value::String(text)) => Ok(text),
            Ok(Value::Null) => self.not_json("null cannot be a key"),
            Ok(Value::Number(number)) if number.is_u64() && !number.is_i64() => {
                self.not_json("a number above 9223372036854775807 cannot be a key")
            }
            _ => Ok(self.key_text().into_owned()),
        }
    }

    fn convert_scalar(self) -> Result<Value, NotJson> {
        Ok(match self.checked_scalar()? {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => value.into(),
            Scalar::Uint(value) => value.into(),
            Scalar::Float(value) => match float_value(value) {
                Some(number) => Value::Number(number),
                None => return self.not_json("JSON knows no infinite number and no `nan`"),
            },
            Scalar::Text(text) if self.tag_kind() == Some(TagKind::Binary) => {
                Value::String(lossy(&decode_base64(text).unwrap_or_default()))
            }
            Scalar::Text(text) => Value::String(text.to_owned()),
        })
    }
}

/// Entries by key, later ones over earlier ones.
#[derive(Default)]
struct Entries<'t> {
    found: Vec<Entry<'t>>,
    places: BTreeMap<Cow<'t, str>, usize>,
}

impl<'t> Entries<'t> {
    fn add(&mut self, mapping: Node<'t>) {
        for entry in mapping.pairs() {
            if entry.key.is_merge() {
                for merged in entry.value.merged().unwrap_or_default() {
                    self.add(merged);
                }
                continue;
            }
            let next = self.found.len();
            match *self.places.entry(entry.key.key_text()).or_insert(next) {
                place if place < next => self.found[place] = entry,
                _ => self.found.push(entry),
            }
        }
    }
}

impl Tree {
    /// Every key that is written a second time in one mapping, with the key it repeats: (first, later), in the order of
    /// the later ones. Keys are the same when they become the same JSON key. Merge keys may repeat.
    pub fn duplicate_keys(&self) -> impl Iterator<Item = (Node<'_>, Node<'_>)> {
        let mappings =
            self.ids().map(|id| self.node(id)).filter(|node| !node.is_alias() && node.kind() == Kind::Mapping);
        let mut found: Vec<_> = mappings.flat_map(duplicates_of).collect();
        found.sort_by_key(|(_, later)| later.id());
        found.into_iter()
    }
}

fn duplicates_of(mapping: Node<'_>) -> Vec<(Node<'_>, Node<'_>)> {
    let mut found = Vec::new();
    let mut seen: BTreeMap<Cow<'_, str>, Node<'_>> = BTreeMap::new();
    for entry in mapping.pairs().filter(|entry| !entry.key.is_merge()) {
        match seen.get(&entry.key.key_text()) {
            Some(first) => found.push((*first, entry.key)),
            None => drop(seen.insert(entry.key.key_text(), entry.key)),
        }
    }
    found
}

/// Whether a plain scalar of this text may be anything but text.
fn may_resolve(text: &str) -> bool {
    let first = text.bytes().next();
    first.is_none_or(|byte| byte.is_ascii_digit() || b"yYnNtTfFoO~.+-".contains(&byte))
}

/// A float as Go's JSON encoder writes it: whole numbers without a fraction.
fn float_value(value: f64) -> Option<Number> {
    let is_minus_zero = value == 0.0 && value.is_sign_negative();
    if value.fract() != 0.0 || is_minus_zero {
        return Number::from_f64(value);
    }
    // The casts are exact for whole numbers in range; 2^63 and 2^64 are not in range.
    match value {
        0.0..18_446_744_073_709_551_616.0 => Some(Number::from(value as u64)),
        -9_223_372_036_854_775_808.0..0.0 => Some(Number::from(value as i64)),
        _ => Number::from_f64(value),
    }
}

/// A float as a key. Mirrors Go's `strconv.FormatFloat(value, 'g', -1, 32)` with the names of YAML.
fn float_key(value: f64) -> String {
    let value = value as f32;
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("`{:e}` writes an exponent");
    match exponent.parse::<i32>().expect("`{:e}` writes a whole exponent") {
        -4..21 => format!("{value}"),
        exponent => format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()),
    }
}

/// The bytes that standard base64 with padding stands for, as Go reads it: line breaks do not count.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count, mut padding) = (0u32, 0, 0);
    for byte in text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += 1;
                0
            }
            _ => return None,
        };
        if padding > 2 || (padding > 0 && byte != b'=') {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count % 4 == 0 {
            let [_, first, second, third] = bits.to_be_bytes();
            bytes.extend_from_slice(&[first, second, third][..3 - padding]);
        }
    }
    (count % 4 == 0).then_some(bytes)
}

/// Bytes as text, each one that is no UTF-8 as U+FFFD, as Go's JSON encoder has it.
fn lossy(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text
}
