//! Parameter sets: what a generator yields, and what a template is filled with.

use crate::formats::DocId;
use crate::lang::template::Value;
use crate::text::{FileId, RepoPath, RootId, Span};
use crate::value::{Unknown, Why};
use std::collections::BTreeMap;

/// Parameters by name: dotted names in placeholder mode, nested maps in Go mode.
pub type Values = BTreeMap<String, Value>;

/// How a set's texts are templates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// `{{name}}`, replaced by fasttemplate.
    Placeholder,
    /// Go `text/template`.
    Go,
}

/// One set of parameters.
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// What is known, and what is known to be unknown.
    pub values: Values,
    /// Parameters that may exist beside `values`.
    pub open: Option<Open>,
    /// What it was made from, outermost generator first.
    pub from: Vec<Provenance>,
    /// Whether it stands for any number of sets, also none.
    pub is_symbolic: bool,
    /// About how many values it holds; see [`weight`].
    pub weight: usize,
}

/// Parameters that may or may not exist.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    /// Why they are not known.
    pub why: Why,
    /// Beginnings of their names in placeholder mode; the empty text stands for any name.
    pub prefixes: Vec<String>,
}

impl Open {
    /// Anything may exist.
    pub fn any(why: Why) -> Open {
        Open { why, prefixes: vec![String::new()] }
    }

    /// Whether anything may exist.
    fn is_any(&self) -> bool {
        self.prefixes.iter().any(String::is_empty)
    }

    /// What may exist in a set that is made from two, with the reason of the first.
    pub fn united(one: Option<&Open>, other: Option<&Open>) -> Option<Open> {
        match (one, other) {
            (Some(one), Some(other)) => {
                let prefixes = one.prefixes.iter().chain(&other.prefixes).cloned().collect();
                Some(Open { why: one.why.clone(), prefixes })
            }
            (one, other) => one.or(other).cloned(),
        }
    }
}

/// What a set was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Provenance {
    /// An element of a list generator.
    Element(Span),
    /// A file that a git generator read.
    File(FileId),
    /// A folder that a git generator found.
    Folder(RootId, RepoPath),
    /// A cluster with its Secret.
    Cluster(DocId),
    /// The cluster that Argo CD runs in, or one that the configuration names.
    NamedCluster(String),
    /// A generator that needs a network or a cluster.
    Remote(Span),
}

impl Params {
    /// A set made from one thing.
    pub fn new(values: Values, from: Provenance) -> Params {
        let weight = values.values().map(weight).sum();
        Params { values, open: None, from: vec![from], is_symbolic: false, weight }
    }

    /// A set that stands for any number of sets with any parameters.
    pub fn unknown_sets(unknown: &Unknown) -> Params {
        let open = Some(Open::any(unknown.why.clone()));
        Params { open, from: vec![Provenance::Remote(unknown.span)], is_symbolic: true, ..Params::default() }
    }

    /// The value that a template reads: the set as a map.
    pub fn root(&self) -> Value {
        match &self.open {
            Some(open) if open.is_any() => Value::partial_map(self.values.clone(), open.why.clone()),
            _ => Value::Map(self.values.clone()),
        }
    }

    /// Why a parameter of this name may exist although it is not among the values.
    pub fn may_have(&self, name: &str) -> Option<&Why> {
        let open = self.open.as_ref()?;
        open.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str())).then_some(&open.why)
    }
}

/// About how many values a value holds; a long text counts as several.
pub fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / 64,
        Value::List(items) => 1 + items.iter().map(weight).sum::<usize>(),
        _ => 1 + value.entries().into_iter().flatten().map(|(_, value)| weight(value)).sum::<usize>(),
    }
}

/// Dotted names for nested values: list items by index, null as `<nil>`, empty maps and lists vanish.
///
/// Mirrors Argo CD 3.6, `flattenParameters` (jeremywohl/flatten with dots, then `%v`).
pub fn flatten(values: &Values) -> Values {
    let mut flat = Values::new();
    for (name, value) in values {
        flatten_into(name, value, &mut flat);
    }
    flat
}

fn flatten_into(name: &str, value: &Value, flat: &mut Values) {
    match value {
        Value::Map(_) | Value::StringMap(_) | Value::Partial(..) => {
            for (key, value) in value.entries().into_iter().flatten() {
                flatten_into(&format!("{name}.{key}"), value, flat);
            }
        }
        Value::List(items) => {
            for (index, value) in items.iter().enumerate() {
                flatten_into(&format!("{name}.{index}"), value, flat);
            }
        }
        scalar => {
            flat.insert(name.to_owned(), printed(scalar));
        }
    }
}

/// The value as Go's `%v` prints it; unknown stays unknown.
pub fn printed(value: &Value) -> Value {
    match value.print() {
        Ok(text) => Value::String(text),
        Err(why) => Value::Unknown(why),
    }
}

/// Both, where the first wins leaf by leaf: maps are united, anything else is kept whole.
///
/// Mirrors mergo 1.0.2 as the matrix generator uses it (Argo CD 3.6). `Err` names the key at which it panics: a generic
/// map cannot be put into a map of texts.
pub fn merge_under(winner: &Value, loser: &Value) -> Result<Value, PanicAt> {
    match (winner, loser) {
        (Value::Map(entries), Value::StringMap(_)) if !entries.is_empty() => Err(PanicAt(String::new())),
        (Value::Map(upper) | Value::StringMap(upper), Value::Map(lower) | Value::StringMap(lower)) => {
            let merged = merge_maps(upper, lower)?;
            Ok(if matches!(loser, Value::StringMap(_)) { Value::StringMap(merged) } else { Value::Map(merged) })
        }
        (Value::Partial(upper, why), lower) => Ok(Value::Partial(Box::new(merge_under(upper, lower)?), why.clone())),
        // What the winner may hold beside its entries is known, so only the loser's own keys stay open.
        (upper, Value::Partial(lower, why)) if upper.entries().is_some() => {
            Ok(Value::Partial(Box::new(merge_under(upper, lower)?), why.clone()))
        }
        _ => Ok(winner.clone()),
    }
}

/// The union of two maps; where both have a key, [`merge_under`].
pub fn merge_maps(winner: &Values, loser: &Values) -> Result<Values, PanicAt> {
    let mut merged = loser.clone();
    for (key, value) in winner {
        let value = match loser.get(key) {
            Some(lower) => merge_under(value, lower).map_err(|at| at.below(key))?,
            None => value.clone(),
        };
        merged.insert(key.clone(), value);
    }
    Ok(merged)
}

/// The dotted key at which Argo CD's merge library panics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PanicAt(pub String);

impl PanicAt {
    fn below(self, key: &str) -> PanicAt {
        PanicAt(if self.0.is_empty() { key.to_owned() } else { format!("{key}.{}", self.0) })
    }
}
