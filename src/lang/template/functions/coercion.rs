//! Numbers out of anything, as sprig converts: what cannot be converted is zero.
//!
//! Mirrors github.com/spf13/cast 1.7 and sprig's `strval`.

use crate::lang::template::datum::{Datum, IntKind, List};
use crate::lang::template::env::{Env, Fault};
use crate::lang::template::literal::{parse_float, parse_int};
use crate::lang::template::{float, fmt};

/// `cast.ToInt64` and `cast.ToInt`.
pub(super) fn to_int(datum: &Datum) -> i64 {
    match datum {
        Datum::Int(_, value) => *value,
        Datum::Float(value) => float::to_int(*value),
        Datum::Bool(value) => i64::from(*value),
        Datum::String(text) => parse_int(without_zero_decimals(text), 0).unwrap_or(0),
        _ => 0,
    }
}

/// `cast.ToFloat64`.
pub(super) fn to_float(datum: &Datum) -> f64 {
    match datum {
        Datum::Int(IntKind::Uint64, value) => *value as u64 as f64,
        Datum::Int(_, value) => *value as f64,
        Datum::Float(value) => *value,
        Datum::Bool(value) => f64::from(*value),
        Datum::String(text) => parse_float(text).unwrap_or(0.0),
        _ => 0.0,
    }
}

/// `1.00` is `1`: a fraction of zeros is dropped.
fn without_zero_decimals(text: &str) -> &str {
    let trimmed = text.trim_end_matches('0');
    if trimmed.len() < text.len() { trimmed.strip_suffix('.').unwrap_or(text) } else { text }
}

/// sprig's `strval`: a text as it is, anything else as an action prints it.
pub(super) fn to_text(env: &Env<'_>, datum: &Datum) -> Result<String, Fault> {
    match datum {
        Datum::String(text) => Ok(text.to_string()),
        other => fmt::sprint(env, other),
    }
}

/// sprig's `strslice`: the items that are not nil as texts; a single value is a list of one.
pub(super) fn to_texts(env: &Env<'_>, datum: &Datum) -> Result<Vec<String>, Fault> {
    match datum {
        Datum::List(list) => texts_of(env, list),
        Datum::Nil => Ok(Vec::new()),
        other => Ok(vec![to_text(env, other)?]),
    }
}

/// The items of a list that are not nil, as texts.
pub(super) fn texts_of(env: &Env<'_>, list: &List) -> Result<Vec<String>, Fault> {
    env.spend(list.items().len())?;
    list.items().iter().filter(|item| !matches!(item, Datum::Nil)).map(|item| to_text(env, item)).collect()
}

/// sprig's `empty`: nothing, or the zero value of its type.
pub(super) fn is_empty(datum: &Datum) -> Result<bool, Fault> {
    match datum.truth() {
        Some(truth) => Ok(!truth),
        None => super::known(datum).map(|_| true),
    }
}
