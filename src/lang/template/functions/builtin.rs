//! The functions of the language itself.
//!
//! Mirrors Go 1.26, text/template/funcs.go. `slice` is missing: sprig's takes its name everywhere.

use super::{Body, Call, Function, Operand, Outcome, Type};
use crate::lang::template::datum::{Datum, IntKind, Map, MapKind, Slot};
use crate::lang::template::env::{Env, Fault};
use crate::lang::template::{fmt, unicode};
use std::cmp::Ordering;
use std::rc::Rc;

const fn logic(name: &'static str, stops_at: bool) -> Function {
    let body = Body::Logic { stops_at };
    Function { name, params: &[Type::Value], rest: Some(Type::Value), is_partial: true, mutates: false, body }
}

pub(super) const TABLE: &[Function] = &[
    logic("and", false),
    Function {
        name: "call",
        params: &[Type::Value],
        rest: Some(Type::Value),
        is_partial: true,
        mutates: false,
        body: Body::Called,
    },
    Function::new("eq", &[Type::Value], eq).rest(Type::Value).partial(),
    Function::new("ge", &[Type::Value, Type::Value], |call| Ok(Datum::Bool(!less(call)?))),
    Function::new("gt", &[Type::Value, Type::Value], |call| Ok(Datum::Bool(!less_or_equal(call)?))),
    Function::new("html", &[], |call| escape(call, html)).rest(Type::Any),
    Function::new("index", &[Type::Value], index).rest(Type::Value).partial(),
    Function::new("js", &[], |call| escape(call, js)).rest(Type::Any),
    Function::new("le", &[Type::Value, Type::Value], |call| Ok(Datum::Bool(less_or_equal(call)?))),
    Function::new("len", &[Type::Value], len).partial(),
    Function::new("lt", &[Type::Value, Type::Value], |call| Ok(Datum::Bool(less(call)?))),
    Function::new("ne", &[Type::Value, Type::Value], |call| {
        let equal = equals(call.env, call.known(0)?, call.known(1)?)?;
        Ok(Datum::Bool(!equal))
    }),
    Function::new("not", &[Type::Value], |call| Ok(Datum::Bool(!call.known(0)?.truth().unwrap_or(false)))).partial(),
    logic("or", true),
    Function::new("print", &[], print).rest(Type::Any),
    Function::new("printf", &[Type::String], |call| {
        let text = fmt::sprintf(call.env, call.string(0)?, &call.rest(1).collect::<Vec<_>>())?;
        call.env.text(text)
    })
    .rest(Type::Any),
    Function::new("println", &[], |call| {
        let text = fmt::sprintln(call.env, &call.rest(0).collect::<Vec<_>>())?;
        call.env.text(text)
    })
    .rest(Type::Any),
    Function::new("urlquery", &[], |call| escape(call, url_query)).rest(Type::Any),
];

/// `call`: no value of a template is a function.
pub(in crate::lang::template) fn call(call: &Call<'_>, name: Option<&Operand>) -> Outcome {
    match call.known(0)? {
        Datum::Nil => Err(Fault::failed("call of nil")),
        other => {
            let name = match (name, other) {
                (Some(operand), _) => operand.to_string(),
                (None, Datum::String(text)) => text.to_string(),
                (None, other) => format!("<{} Value>", other.type_name()),
            };
            Err(Fault::Failed(format!("non-function {name} of type {}", other.type_name())))
        }
    }
}

/// What a map yields for a key it does not have, where Go asks for the zero value.
pub(in crate::lang::template) fn zero_of(map: &Map) -> Slot {
    match map.kind {
        MapKind::Any => Slot::boxed(Datum::Nil),
        MapKind::String => Slot::from(Datum::string("")),
    }
}

fn index(call: &Call<'_>) -> Outcome {
    let mut item = call.any(0).clone();
    if matches!(item, Datum::Nil) {
        return Err(Fault::failed("index of untyped nil"));
    }
    for key in call.rest(1) {
        let key = super::known(key)?;
        item = match &item {
            Datum::Nil => return Err(Fault::failed("index of nil pointer")),
            Datum::Unknown(_) => return Ok(item),
            Datum::Partial(map, why) => match key {
                Datum::String(key) => {
                    let found = map.entries.borrow().get(key).cloned();
                    found.unwrap_or_else(|| Datum::Unknown(why.clone()))
                }
                _ => return Ok(Datum::Unknown(why.clone())),
            },
            Datum::List(list) => {
                let at = index_of(key, list.items().len())?;
                if list.is_unordered() {
                    return Err(Fault::Unknown(crate::lang::template::env::random_order()));
                }
                out_of_range(list.items().get(at).cloned(), "slice index out of range")?
            }
            Datum::String(text) => {
                let at = index_of(key, text.len())?;
                let byte = text.as_bytes().get(at).map(|byte| Datum::Int(IntKind::Uint8, i64::from(*byte)));
                out_of_range(byte, "string index out of range")?
            }
            Datum::Map(map) => match key {
                Datum::String(key) => {
                    let found = map.entries.borrow().get(key).cloned();
                    found.unwrap_or_else(|| zero_of(map).datum)
                }
                Datum::Nil => return Err(Fault::failed("value is nil; should be of type string")),
                other => {
                    let message = format!("value has type {}; should be string", other.type_name());
                    return Err(Fault::Failed(message));
                }
            },
            other => return Err(Fault::Failed(format!("can't index item of type {}", dereferenced(other)))),
        };
    }
    Ok(item)
}

/// The index just behind the end passes Go's own check and fails in reflection.
fn out_of_range(found: Option<Datum>, what: &str) -> Outcome {
    found.ok_or_else(|| Fault::Failed(format!("reflect: {what}")))
}

fn index_of(key: &Datum, length: usize) -> Result<usize, Fault> {
    match key {
        Datum::Int(_, at) => match usize::try_from(*at) {
            Ok(at) if at <= length => Ok(at),
            _ => Err(Fault::Failed(format!("index out of range: {at}"))),
        },
        Datum::Nil => Err(Fault::failed("cannot index slice/array with nil")),
        other => Err(Fault::Failed(format!("cannot index slice/array with type {}", other.type_name()))),
    }
}

fn len(call: &Call<'_>) -> Outcome {
    let length = match call.known(0)? {
        Datum::List(list) => list.items().len(),
        Datum::Map(map) => map.entries.borrow().len(),
        Datum::String(text) => text.len(),
        Datum::Nil if call.args.first().is_some_and(|slot| slot.is_boxed) => {
            return Err(Fault::failed("len of nil pointer"));
        }
        Datum::Nil => return Err(Fault::failed("reflect: call of reflect.Value.Type on zero Value")),
        other => return Err(Fault::Failed(format!("len of type {}", dereferenced(other)))),
    };
    Ok(Datum::int(length as i64))
}

fn dereferenced(datum: &Datum) -> &'static str {
    datum.type_name().trim_start_matches('*')
}

fn eq(call: &Call<'_>) -> Outcome {
    if call.args.len() < 2 {
        return Err(Fault::failed("missing argument for comparison"));
    }
    let first = call.known(0)?;
    for other in call.rest(1) {
        if equals(call.env, first, super::known(other)?)? {
            return Ok(Datum::Bool(true));
        }
    }
    Ok(Datum::Bool(false))
}

/// The kinds that compare among themselves; containers and nil have none.
fn basic_kind(datum: &Datum) -> Option<&'static str> {
    match datum {
        Datum::Bool(_) => Some("bool"),
        Datum::Int(IntKind::Int | IntKind::Int64, _) => Some("int"),
        Datum::Int(IntKind::Uint8 | IntKind::Uint64, _) => Some("uint"),
        Datum::Float(_) => Some("float"),
        Datum::Complex(..) => Some("complex"),
        Datum::String(_) => Some("string"),
        _ => None,
    }
}

fn incompatible(first: &Datum, second: &Datum) -> Fault {
    let (first, second) = (first.type_name(), second.type_name());
    Fault::Failed(format!("incompatible types for comparison: {first} and {second}"))
}

fn equals(env: &Env<'_>, first: &Datum, second: &Datum) -> Result<bool, Fault> {
    let (kind, other) = (basic_kind(first), basic_kind(second));
    match (first, second) {
        (Datum::Int(a, x), Datum::Int(b, y)) => Ok(wide(*a, *x) == wide(*b, *y)),
        (Datum::Bool(x), Datum::Bool(y)) => Ok(x == y),
        (Datum::Float(x), Datum::Float(y)) => Ok(x == y),
        (Datum::Complex(a, b), Datum::Complex(c, d)) => Ok(a == c && b == d),
        (Datum::String(x), Datum::String(y)) => Ok(x == y),
        (Datum::Nil, _) | (_, Datum::Nil) if kind != other => Ok(false),
        _ if kind != other => Err(incompatible(first, second)),
        (Datum::Nil, _) | (_, Datum::Nil) => Ok(is_nil(first) == is_nil(second)),
        _ if first.kind_name() != second.kind_name() => {
            let (shown, other) = (fmt::reflected(env, first)?, fmt::sprint(env, second)?);
            let (a, b) = (first.type_name(), second.type_name());
            Err(Fault::Failed(format!("non-comparable types {shown}: {a}, {b}: {other}")))
        }
        _ if is_nil(first) || is_nil(second) => Ok(is_nil(first) == is_nil(second)),
        (Datum::Version(x), Datum::Version(y)) => Ok(Rc::ptr_eq(x, y)),
        _ => {
            let shown = fmt::reflected(env, second)?;
            Err(Fault::Failed(format!("non-comparable type {shown}: {}", second.type_name())))
        }
    }
}

fn is_nil(datum: &Datum) -> bool {
    match datum {
        Datum::Nil => true,
        Datum::List(list) => list.is_nil,
        Datum::Map(map) => map.is_nil,
        _ => false,
    }
}

/// The number an integer stands for.
fn wide(kind: IntKind, value: i64) -> i128 {
    if kind == IntKind::Uint64 { i128::from(value as u64) } else { i128::from(value) }
}

fn order(call: &Call<'_>) -> Result<Option<Ordering>, Fault> {
    let (first, second) = (call.known(0)?, call.known(1)?);
    let bad = || Fault::failed("invalid type for comparison");
    let (kind, other) = (basic_kind(first).ok_or_else(bad)?, basic_kind(second).ok_or_else(bad)?);
    match (first, second) {
        (Datum::Int(a, x), Datum::Int(b, y)) => Ok(Some(wide(*a, *x).cmp(&wide(*b, *y)))),
        (Datum::Float(x), Datum::Float(y)) => Ok(x.partial_cmp(y)),
        (Datum::String(x), Datum::String(y)) => Ok(Some(x.as_bytes().cmp(y.as_bytes()))),
        _ if kind != other => Err(incompatible(first, second)),
        _ => Err(bad()),
    }
}

fn less(call: &Call<'_>) -> Result<bool, Fault> {
    Ok(order(call)? == Some(Ordering::Less))
}

fn less_or_equal(call: &Call<'_>) -> Result<bool, Fault> {
    Ok(matches!(order(call)?, Some(Ordering::Less | Ordering::Equal)))
}

fn print(call: &Call<'_>) -> Outcome {
    let text = fmt::sprint_all(call.env, &call.rest(0).collect::<Vec<_>>())?;
    call.env.text(text)
}

/// Prints the arguments as an action would, then escapes the text.
fn escape(call: &Call<'_>, escaped: fn(&str) -> String) -> Outcome {
    if let [Slot { datum: Datum::String(text), .. }] = call.args {
        call.env.spend_bytes(6 * text.len())?;
        return call.env.text(escaped(text));
    }
    let no_value = Datum::string("<no value>");
    let shown = call.rest(0).map(|datum| if matches!(datum, Datum::Nil) { &no_value } else { datum });
    let text = fmt::sprint_all(call.env, &shown.collect::<Vec<_>>())?;
    call.env.spend_bytes(6 * text.len())?;
    call.env.text(escaped(&text))
}

fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0' => escaped.push('\u{fffd}'),
            '"' => escaped.push_str("&#34;"),
            '\'' => escaped.push_str("&#39;"),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c => escaped.push(c),
        }
    }
    escaped
}

fn js(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '\'' => escaped.push_str("\\'"),
            '"' => escaped.push_str("\\\""),
            '<' => escaped.push_str("\\u003C"),
            '>' => escaped.push_str("\\u003E"),
            '&' => escaped.push_str("\\u0026"),
            '=' => escaped.push_str("\\u003D"),
            c if c == '\x7f' || unicode::is_print(c) => escaped.push(c),
            c => escaped.push_str(&format!("\\u{:04X}", u32::from(c))),
        }
    }
    escaped
}

fn url_query(text: &str) -> String {
    super::urls::escape(text, super::urls::Part::QueryValue)
}
