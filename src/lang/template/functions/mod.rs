//! The functions templates can call, as data: name, parameter types, body.
//!
//! Each file holds one table, sorted by name. A [`Dialect`] is a list of tables.

pub(super) mod builtin;
mod coercion;
mod crypto;
mod dates;
mod defaults;
mod dicts;
mod encodings;
mod lists;
mod math;
mod merge;
mod names;
mod paths;
mod regexes;
mod sequences;
mod strings;
mod tpl;
mod urls;
pub(super) mod versions;
mod words;

use super::ast::Operand;
use super::datum::{Datum, IntKind, List, ListKind, Map, MapKind, Slot};
use super::env::{Env, Fault};
use std::rc::Rc;

/// A function.
#[derive(Debug)]
pub struct Function {
    /// The name it is called by.
    pub name: &'static str,
    pub(super) params: &'static [Type],
    /// The type of further arguments.
    pub(super) rest: Option<Type>,
    /// Whether it can do with arguments that are unknown in part, and looks after them itself.
    pub(super) is_partial: bool,
    /// Whether it changes a map it is given, or may.
    mutates: bool,
    pub(super) body: Body,
}

/// What a function does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body {
    /// Computes its value from its arguments.
    Plain(fn(&Call<'_>) -> Outcome),
    /// `and`, `or`: returns the first argument whose truth is this.
    Logic { stops_at: bool },
    /// `call`, which names its first argument in its errors.
    Called,
    /// Yields something else each time; what.
    Undecidable(&'static str),
}

/// The value of a call, or why there is none.
pub(super) type Outcome = Result<Datum, Fault>;

/// The Go type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    /// `interface {}`
    Any,
    /// `reflect.Value`, of the functions of the language itself.
    Value,
    Bool,
    Int,
    /// `uint32`; a number written out, no value has it.
    Uint32,
    Float,
    String,
    /// `map[string]interface {}`
    Map,
    /// `[]interface {}`
    List,
    /// `*semver.Version`
    Version,
    /// A struct that no known value has.
    Opaque(&'static str),
}

impl Type {
    /// Go's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Type::Any => "interface {}",
            Type::Value => "reflect.Value",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Uint32 => "uint32",
            Type::Float => "float64",
            Type::String => "string",
            Type::Map => "map[string]interface {}",
            Type::List => "[]interface {}",
            Type::Version => "*semver.Version",
            Type::Opaque(name) => name,
        }
    }

    /// What no value becomes as an argument of this type.
    pub fn nil(self) -> Option<Datum> {
        match self {
            Type::Any | Type::Value | Type::Version => Some(Datum::Nil),
            Type::Map => Some(Datum::nil_map()),
            Type::List => Some(Datum::nil_list(ListKind::Any)),
            Type::Bool | Type::Int | Type::Uint32 | Type::Float | Type::String | Type::Opaque(_) => None,
        }
    }

    /// Whether a value is of this very type; Go converts nothing.
    pub fn accepts(self, datum: &Datum) -> bool {
        match (self, datum) {
            (Type::Any | Type::Value, _)
            | (Type::Bool, Datum::Bool(_))
            | (Type::Int, Datum::Int(IntKind::Int, _))
            | (Type::Float, Datum::Float(_))
            | (Type::String, Datum::String(_))
            | (Type::Version, Datum::Version(_)) => true,
            (Type::Map, Datum::Map(map)) => map.kind == MapKind::Any,
            (Type::List, Datum::List(list)) => list.kind == ListKind::Any,
            _ => false,
        }
    }
}

impl Function {
    const fn new(name: &'static str, params: &'static [Type], body: fn(&Call<'_>) -> Outcome) -> Function {
        let body = Body::Plain(body);
        Function { name, params, rest: None, is_partial: false, mutates: false, body }
    }

    const fn undecidable(name: &'static str, params: &'static [Type], what: &'static str) -> Function {
        let body = Body::Undecidable(what);
        Function { name, params, rest: None, is_partial: true, mutates: false, body }
    }

    const fn rest(mut self, rest: Type) -> Function {
        self.rest = Some(rest);
        self
    }

    const fn partial(mut self) -> Function {
        self.is_partial = true;
        self
    }

    const fn mutating(mut self) -> Function {
        self.mutates = true;
        self.is_partial = true;
        self
    }

    /// Whether it changes a map it is given, or may.
    pub(super) fn mutates(&self) -> bool {
        self.mutates
    }
}

/// The functions one user of the language offers.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    tables: &'static [&'static [Function]],
}

const SPRIG: &[&[Function]] = &[
    builtin::TABLE,
    crypto::TABLE,
    dates::TABLE,
    defaults::TABLE,
    dicts::TABLE,
    encodings::TABLE,
    lists::TABLE,
    math::TABLE,
    paths::TABLE,
    regexes::TABLE,
    sequences::TABLE,
    strings::TABLE,
    urls::TABLE,
    versions::TABLE,
    words::TABLE,
];

const fn with<const N: usize>(more: &[&'static [Function]]) -> [&'static [Function]; N] {
    let mut tables: [&'static [Function]; N] = [&[]; N];
    let mut at = 0;
    while at < N {
        tables[at] = if at < SPRIG.len() { SPRIG[at] } else { more[at - SPRIG.len()] };
        at += 1;
    }
    tables
}

static ARGO_CD: [&[Function]; SPRIG.len() + 2] = with(&[names::TABLE, tpl::TABLE]);
static ARGO_CD_3_5: [&[Function]; SPRIG.len() + 1] = with(&[names::TABLE]);

impl Dialect {
    /// Argo CD's ApplicationSets, from 3.6.0 on.
    pub const ARGO_CD: Dialect = Dialect { tables: &ARGO_CD };

    /// Argo CD's ApplicationSets up to 3.5: without `tpl`.
    pub const ARGO_CD_3_5: Dialect = Dialect { tables: &ARGO_CD_3_5 };

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<&'static Function> {
        self.tables.iter().find_map(|table| {
            let at = table.binary_search_by(|function| function.name.cmp(name)).ok()?;
            Some(&table[at])
        })
    }

    /// All functions, table by table.
    pub fn functions(&self) -> impl Iterator<Item = &'static Function> {
        self.tables.iter().flat_map(|table| table.iter())
    }
}

/// The arguments of one call. They have the types the function declares, or are unknown.
pub(super) struct Call<'c> {
    pub args: &'c [Slot],
    pub env: &'c Env<'c>,
}

impl<'c> Call<'c> {
    /// The argument at `at`, whatever it is.
    fn any(&self, at: usize) -> &'c Datum {
        self.args.get(at).map_or(&Datum::Nil, |slot| &slot.datum)
    }

    /// The argument at `at`, when it is not unknown as a whole.
    fn known(&self, at: usize) -> Result<&'c Datum, Fault> {
        known(self.any(at))
    }

    fn string(&self, at: usize) -> Result<&'c Rc<str>, Fault> {
        match self.known(at)? {
            Datum::String(text) => Ok(text),
            other => Err(wrong(other)),
        }
    }

    fn int(&self, at: usize) -> Result<i64, Fault> {
        match self.known(at)? {
            Datum::Int(_, value) => Ok(*value),
            other => Err(wrong(other)),
        }
    }

    fn float(&self, at: usize) -> Result<f64, Fault> {
        match self.known(at)? {
            Datum::Float(value) => Ok(*value),
            other => Err(wrong(other)),
        }
    }

    fn bool(&self, at: usize) -> Result<bool, Fault> {
        match self.known(at)? {
            Datum::Bool(value) => Ok(*value),
            other => Err(wrong(other)),
        }
    }

    fn map(&self, at: usize) -> Result<&'c Rc<Map>, Fault> {
        match self.known(at)? {
            Datum::Map(map) => Ok(map),
            other => Err(wrong(other)),
        }
    }

    /// The arguments from `at` on.
    fn rest(&self, at: usize) -> impl DoubleEndedIterator<Item = &'c Datum> + ExactSizeIterator {
        self.args.get(at..).unwrap_or_default().iter().map(|slot| &slot.datum)
    }

    /// The list at `at` in its order; `verb` is what Go's error says the function could not do.
    fn list(&self, at: usize, verb: &str) -> Result<&'c Rc<List>, Fault> {
        let list = self.list_in_any_order(at, verb)?;
        if list.is_unordered() { Err(Fault::Unknown(super::env::random_order())) } else { Ok(list) }
    }

    fn list_in_any_order(&self, at: usize, verb: &str) -> Result<&'c Rc<List>, Fault> {
        match self.known(at)? {
            Datum::List(list) => Ok(list),
            Datum::Nil => Err(nil_pointer()),
            other => Err(Fault::Failed(format!("Cannot {verb} type {}", other.kind_name()))),
        }
    }
}

/// The value, when it is not unknown as a whole.
fn known(datum: &Datum) -> Result<&Datum, Fault> {
    match datum {
        Datum::Unknown(why) | Datum::Partial(_, why) => Err(Fault::Unknown(why.clone())),
        other => Ok(other),
    }
}

fn wrong(datum: &Datum) -> Fault {
    Fault::Failed(format!("wrong type for value; got {}", datum.type_name()))
}

/// What Go panics with when a function looks into a nil.
fn nil_pointer() -> Fault {
    Fault::failed("runtime error: invalid memory address or nil pointer dereference")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_so_that_names_are_found() {
        for table in Dialect::ARGO_CD.tables {
            for pair in table.windows(2) {
                assert!(pair[0].name < pair[1].name, "{} before {}", pair[0].name, pair[1].name);
            }
        }
    }

    #[test]
    fn no_name_is_taken_twice() {
        let mut names: Vec<&str> = Dialect::ARGO_CD.functions().map(|function| function.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
