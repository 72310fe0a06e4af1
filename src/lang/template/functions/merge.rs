//! Merging maps in place.
//!
//! Mirrors dario.cat/mergo 1.0.2 as sprig calls it, for the types templates hold.

use super::coercion::is_empty;
use crate::lang::template::datum::{Datum, Map, MapKind};
use crate::lang::template::env::{Env, Fault};
use std::rc::Rc;

/// What mergo says when it cannot merge a pointer and something else.
const DIFFERENT: &str = "src and dst must be of same type";

/// How a merge ends that does not succeed.
pub(super) enum Stopped {
    /// mergo returns an error, which `merge` swallows.
    Refused(&'static str),
    /// It panics, or this program gives up.
    Fault(Fault),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Stopped {
        Stopped::Fault(fault)
    }
}

/// Merges `source` into `target`: what `target` has stays, unless `overwrite`; maps merge, lists do not.
pub(super) fn merge(
    env: &Env<'_>,
    target: &Rc<Map>,
    source: &Rc<Map>,
    overwrite: bool,
    depth: usize,
) -> Result<(), Stopped> {
    env.visit(depth)?;
    let entries: Vec<(Rc<str>, Datum)> =
        source.entries.borrow().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    for (key, value) in entries {
        env.spend(1)?;
        let existing = target.entries.borrow().get(&key).cloned();
        let merged = match (&existing, &value) {
            (_, Datum::Nil) if overwrite => Some(value),
            (_, Datum::Nil) => None,
            // It stays, or the unknown value does something to it.
            (Some(Datum::Unknown(_) | Datum::Partial(..)), Datum::Map(_)) => None,
            (Some(Datum::Unknown(_) | Datum::Partial(..)), _) => overwrite.then_some(value),
            (Some(existing), Datum::Unknown(_) | Datum::Partial(..))
                if !overwrite && !matches!(existing, Datum::Map(_)) =>
            {
                is_empty(existing)?.then_some(value)
            }
            (Some(Datum::Map(inner)), Datum::Map(other)) => {
                merge(env, inner, other, overwrite, depth + 1)?;
                inner.entries.borrow().is_empty().then(|| value.clone())
            }
            (Some(Datum::Version(_)), Datum::Map(_)) if !overwrite => return Err(Stopped::Refused(DIFFERENT)),
            (Some(existing), _) => (overwrite || is_empty(existing)?).then_some(value),
            (None, _) => Some(value),
        };
        if let Some(value) = merged {
            put(env, target, &key, value)?;
        }
    }
    Ok(())
}

fn put(env: &Env<'_>, target: &Rc<Map>, key: &Rc<str>, value: Datum) -> Result<(), Fault> {
    if target.kind == MapKind::String && !matches!(value, Datum::String(_) | Datum::Unknown(_) | Datum::Partial(..)) {
        let message = "reflect.Value.SetMapIndex: value of type interface {} is not assignable to type string";
        return Err(Fault::failed(message));
    }
    insert(env, target, key, value)
}

/// Puts an entry into a map, unless the map would then be inside of itself.
pub(super) fn insert(env: &Env<'_>, target: &Rc<Map>, key: &Rc<str>, value: Datum) -> Result<(), Fault> {
    if holds(env, &value, target, 0)? {
        return Err(Fault::Limit("makes a map that contains itself".to_owned()));
    }
    if matches!(value, Datum::Unknown(_) | Datum::Partial(..)) {
        env.has_unknowns.set(true);
    }
    target.entries.borrow_mut().insert(key.clone(), value);
    Ok(())
}

fn holds(env: &Env<'_>, datum: &Datum, target: &Rc<Map>, depth: usize) -> Result<bool, Fault> {
    env.visit(depth)?;
    match datum {
        Datum::Map(map) if Rc::ptr_eq(map, target) => Ok(true),
        Datum::Map(map) => any(map.entries.borrow().values().map(|value| holds(env, value, target, depth + 1))),
        Datum::List(list) => any(list.items().iter().map(|item| holds(env, item, target, depth + 1))),
        _ => Ok(false),
    }
}

fn any(mut results: impl Iterator<Item = Result<bool, Fault>>) -> Result<bool, Fault> {
    results.find(|result| !matches!(result, Ok(false))).unwrap_or(Ok(false))
}
