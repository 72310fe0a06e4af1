//! Values while a template runs: what Go's reflection would see, with shared, changeable maps.

use super::value::Value;
use crate::lang::semver::Version;
use crate::value::Why;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value and its Go type.
#[derive(Clone, Debug, Default)]
pub(super) enum Datum {
    /// Nothing: an absent key, or a null.
    #[default]
    Nil,
    Bool(bool),
    Int(IntKind, i64),
    Float(f64),
    Complex(f64, f64),
    String(Rc<str>),
    List(Rc<List>),
    Map(Rc<Map>),
    /// A `*semver.Version`.
    Version(Rc<Version>),
    /// A map with these entries, and perhaps others; why that is open.
    Partial(Rc<Map>, Rc<Why>),
    /// Cannot be known; why.
    Unknown(Rc<Why>),
}

/// Go's integer types that templates can meet. A `uint64` is kept as the `i64` of the same bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IntKind {
    Int,
    Int64,
    Uint8,
    Uint64,
}

/// A slice. Nothing changes one but sorting: `sortAlpha` sorts texts in place, for everybody who holds them.
#[derive(Debug)]
pub(super) struct List {
    pub kind: ListKind,
    pub is_nil: bool,
    is_unordered: bool,
    items: Vec<Datum>,
    sorted: OnceCell<Vec<Datum>>,
}

impl List {
    /// The items, in their order, or in any where that changes from run to run.
    pub fn items(&self) -> &[Datum] {
        self.sorted.get().unwrap_or(&self.items)
    }

    /// Whether Go yields the items in a random order (the keys of a map), and that makes a difference.
    pub fn is_unordered(&self) -> bool {
        self.is_unordered && self.items.len() > 1 && self.sorted.get().is_none()
    }

    /// Sorts texts in place.
    pub fn sort(&self) {
        self.sorted.get_or_init(|| {
            let mut sorted = self.items.clone();
            sorted.sort_by(|first, second| first.as_text().cmp(second.as_text()));
            sorted
        });
    }
}

/// The type of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ListKind {
    /// `[]interface {}`
    #[default]
    Any,
    /// `[]string`
    String,
    /// `[]int`
    Int,
    /// `[][]interface {}`
    Lists,
}

/// A map with text keys. Shared: a change is seen through every variable that holds it.
#[derive(Debug)]
pub(super) struct Map {
    pub kind: MapKind,
    pub is_nil: bool,
    pub entries: RefCell<BTreeMap<Rc<str>, Datum>>,
}

/// The type of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum MapKind {
    /// `map[string]interface {}`
    #[default]
    Any,
    /// `map[string]string`
    String,
}

/// A value as an expression yields it.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    pub datum: Datum,
    /// Whether it was taken from a place of type `interface {}`. A null that was is no absent value to Go.
    pub is_boxed: bool,
}

impl From<Datum> for Slot {
    fn from(datum: Datum) -> Slot {
        Slot { datum, is_boxed: false }
    }
}

impl Slot {
    /// What a list or map of type `interface {}` holds.
    pub fn boxed(datum: Datum) -> Slot {
        Slot { datum, is_boxed: true }
    }

    /// The name of the static type.
    pub fn type_name(&self) -> &'static str {
        if self.is_boxed { "interface {}" } else { self.datum.type_name() }
    }
}

impl Datum {
    /// A Go `int`.
    pub fn int(value: i64) -> Datum {
        Datum::Int(IntKind::Int, value)
    }

    /// A Go `int64`.
    pub fn int64(value: i64) -> Datum {
        Datum::Int(IntKind::Int64, value)
    }

    /// A text.
    pub fn string(text: impl Into<Rc<str>>) -> Datum {
        Datum::String(text.into())
    }

    /// A list of anything.
    pub fn list(items: Vec<Datum>) -> Datum {
        Datum::of_kind(ListKind::Any, items)
    }

    /// A `[]string`.
    pub fn strings(items: impl IntoIterator<Item = impl Into<Rc<str>>>) -> Datum {
        Datum::of_kind(ListKind::String, items.into_iter().map(Datum::string).collect())
    }

    /// A list of this type.
    pub fn of_kind(kind: ListKind, items: Vec<Datum>) -> Datum {
        Datum::new_list(kind, items, false, false)
    }

    /// A slice that is nil: empty, and `null` in JSON.
    pub fn nil_list(kind: ListKind) -> Datum {
        Datum::new_list(kind, Vec::new(), true, false)
    }

    /// A slice whose order changes from run to run.
    pub fn unordered_list(kind: ListKind, items: Vec<Datum>) -> Datum {
        Datum::new_list(kind, items, false, true)
    }

    fn new_list(kind: ListKind, items: Vec<Datum>, is_nil: bool, is_unordered: bool) -> Datum {
        Datum::List(Rc::new(List { kind, is_nil, is_unordered, items, sorted: OnceCell::new() }))
    }

    /// A text as it is; of anything else, nothing.
    fn as_text(&self) -> &str {
        match self {
            Datum::String(text) => text,
            _ => "",
        }
    }

    /// A map that is nil: it can be read, not changed.
    pub fn nil_map() -> Datum {
        Datum::Map(Rc::new(Map { kind: MapKind::Any, is_nil: true, entries: RefCell::default() }))
    }

    /// A map of anything.
    pub fn map(entries: BTreeMap<Rc<str>, Datum>) -> Datum {
        Datum::Map(Rc::new(Map { kind: MapKind::Any, is_nil: false, entries: RefCell::new(entries) }))
    }

    /// A `map[string]string`.
    pub fn string_map(entries: BTreeMap<Rc<str>, Datum>) -> Datum {
        Datum::Map(Rc::new(Map { kind: MapKind::String, is_nil: false, entries: RefCell::new(entries) }))
    }

    /// An unknown that exists only while the controller runs.
    pub fn runtime(what: &str) -> Datum {
        Datum::Unknown(Rc::new(Why::Runtime(what.to_owned())))
    }

    /// The name of the type, as `%T` prints it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Datum::Nil => "<nil>",
            Datum::Bool(_) => "bool",
            Datum::Int(IntKind::Int, _) => "int",
            Datum::Int(IntKind::Int64, _) => "int64",
            Datum::Int(IntKind::Uint8, _) => "uint8",
            Datum::Int(IntKind::Uint64, _) => "uint64",
            Datum::Float(_) => "float64",
            Datum::Complex(..) => "complex128",
            Datum::String(_) => "string",
            Datum::List(list) => match list.kind {
                ListKind::Any => "[]interface {}",
                ListKind::String => "[]string",
                ListKind::Int => "[]int",
                ListKind::Lists => "[][]interface {}",
            },
            Datum::Map(map) if map.kind == MapKind::String => "map[string]string",
            Datum::Map(_) => "map[string]interface {}",
            Datum::Version(_) => "*semver.Version",
            Datum::Partial(..) | Datum::Unknown(_) => "unknown",
        }
    }

    /// The name of the kind, as reflection prints it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Datum::Nil => "invalid",
            Datum::List(_) => "slice",
            Datum::Map(_) => "map",
            Datum::Version(_) => "ptr",
            other => other.type_name(),
        }
    }

    /// Go's truth: not the zero value of its type, not empty. `None` when unknown.
    pub fn truth(&self) -> Option<bool> {
        Some(match self {
            Datum::Nil => false,
            Datum::Bool(bool) => *bool,
            Datum::Int(_, value) => *value != 0,
            Datum::Float(value) => *value != 0.0,
            Datum::Complex(real, imaginary) => *real != 0.0 || *imaginary != 0.0,
            Datum::String(text) => !text.is_empty(),
            Datum::List(list) => !list.items().is_empty(),
            Datum::Map(map) => !map.entries.borrow().is_empty(),
            Datum::Version(_) => true,
            Datum::Partial(map, _) if !map.entries.borrow().is_empty() => true,
            Datum::Partial(..) | Datum::Unknown(_) => return None,
        })
    }

    /// The running form of a parameter.
    pub fn from_value(value: &Value) -> Datum {
        let entries = |entries: &BTreeMap<String, Value>| {
            entries.iter().map(|(key, value)| (Rc::from(key.as_str()), Datum::from_value(value))).collect()
        };
        match value {
            Value::Nil => Datum::Nil,
            Value::Bool(bool) => Datum::Bool(*bool),
            Value::Int(value) => Datum::int(*value),
            Value::Float(value) => Datum::Float(*value),
            Value::String(text) => Datum::string(text.as_str()),
            Value::List(items) => Datum::list(items.iter().map(Datum::from_value).collect()),
            Value::Map(map) => Datum::map(entries(map)),
            Value::StringMap(map) => Datum::string_map(entries(map)),
            Value::Partial(map, why) => match Datum::from_value(map) {
                Datum::Map(map) => Datum::Partial(map, Rc::new(why.clone())),
                _ => Datum::Unknown(Rc::new(why.clone())),
            },
            Value::Unknown(why) => Datum::Unknown(Rc::new(why.clone())),
        }
    }

    /// Takes the parts out of a container nobody else holds.
    fn take_parts(self, parts: &mut Vec<Datum>) {
        match self {
            Datum::List(list) => {
                if let Some(mut list) = Rc::into_inner(list) {
                    parts.append(&mut list.items);
                }
            }
            Datum::Map(map) => {
                if let Some(map) = Rc::into_inner(map) {
                    parts.extend(map.entries.take().into_values());
                }
            }
            _ => {}
        }
    }
}

// A template can nest lists as deep as it may run; they must not be dropped by recursion.
impl Drop for List {
    fn drop(&mut self) {
        drop_flat(std::mem::take(&mut self.items));
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        drop_flat(self.entries.take().into_values().collect());
    }
}

fn drop_flat(mut parts: Vec<Datum>) {
    while let Some(part) = parts.pop() {
        part.take_parts(&mut parts);
    }
}
