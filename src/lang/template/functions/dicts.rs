//! Maps: making, reading, changing in place, merging.
//!
//! Mirrors sprig 3.3, dict.go. Functions that change a map change it for everybody who holds it.

use super::coercion::to_text;
use super::merge::{Stopped, insert, merge};
use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::{Datum, ListKind, Map, MapKind};
use crate::lang::template::env::{Env, Fault};
use std::collections::BTreeMap;
use std::rc::Rc;

use Type::{Any, Map as Dict, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("deepCopy", &[Any], copy).partial(),
    Function::new("dict", &[], dict).rest(Any).partial(),
    Function::new("dig", &[], dig).rest(Any).partial(),
    Function::new("get", &[Dict, Text], |call| {
        let found = call.map(0)?.entries.borrow().get(call.string(1)?).cloned();
        Ok(found.unwrap_or_else(|| Datum::string("")))
    })
    .partial(),
    Function::new("hasKey", &[Dict, Text], |call| {
        Ok(Datum::Bool(call.map(0)?.entries.borrow().contains_key(call.string(1)?)))
    })
    .partial(),
    Function::new("keys", &[], keys).rest(Dict).partial(),
    Function::new("merge", &[Dict], |call| merged(call, false, true)).rest(Dict).mutating(),
    Function::new("mergeOverwrite", &[Dict], |call| merged(call, true, true)).rest(Dict).mutating(),
    Function::new("mustDeepCopy", &[Any], copy).partial(),
    Function::new("mustMerge", &[Dict], |call| merged(call, false, false)).rest(Dict).mutating(),
    Function::new("mustMergeOverwrite", &[Dict], |call| merged(call, true, false)).rest(Dict).mutating(),
    Function::new("omit", &[Dict], |call| picked(call, false)).rest(Text).partial(),
    Function::new("pick", &[Dict], |call| picked(call, true)).rest(Text).partial(),
    Function::new("pluck", &[Text], pluck).rest(Dict).partial(),
    Function::new("set", &[Dict, Text, Any], |call| {
        let (map, key) = (call.map(0)?, call.string(1)?);
        if map.is_nil {
            return Err(Fault::failed("assignment to entry in nil map"));
        }
        insert(call.env, map, key, call.any(2).clone())?;
        Ok(call.any(0).clone())
    })
    .mutating(),
    Function::new("unset", &[Dict, Text], |call| {
        call.map(0)?.entries.borrow_mut().remove(call.string(1)?);
        Ok(call.any(0).clone())
    })
    .mutating(),
    Function::new("values", &[Dict], |call| {
        let items: Vec<Datum> = call.map(0)?.entries.borrow().values().cloned().collect();
        call.env.spend(items.len())?;
        Ok(call.env.unordered(ListKind::Any, items))
    })
    .partial(),
];

fn dict(call: &Call<'_>) -> Outcome {
    call.env.spend(call.args.len())?;
    let mut entries = BTreeMap::new();
    let mut args = call.rest(0);
    while let Some(key) = args.next() {
        if let Some(why) = call.env.undecided(key)? {
            return Err(Fault::Unknown(why));
        }
        let value = args.next().cloned().unwrap_or_else(|| Datum::string(""));
        entries.insert(Rc::from(to_text(call.env, key)?), value);
    }
    Ok(Datum::map(entries))
}

fn dig(call: &Call<'_>) -> Outcome {
    if call.args.len() < 3 {
        return Err(Fault::failed("dig needs at least three arguments"));
    }
    let not = |datum: &Datum, wanted: &str| {
        let got = if matches!(datum, Datum::Nil) { "nil" } else { datum.type_name() };
        Fault::Failed(format!("interface conversion: interface {{}} is {got}, not {wanted}"))
    };
    let dict = |datum: &Datum| match super::known(datum)? {
        Datum::Map(map) if map.kind == MapKind::Any => Ok(map.clone()),
        other => Err(not(other, "map[string]interface {}")),
    };
    let (keys, default) = (call.args.len() - 2, call.any(call.args.len() - 2));
    let mut map = dict(call.any(call.args.len() - 1))?;
    let mut path = Vec::new();
    for at in 0..keys {
        match call.known(at)? {
            Datum::String(key) => path.push(key),
            other => return Err(not(other, "string")),
        }
    }
    let (last, before) = path.split_last().expect("dig has at least one key by its argument count");
    for key in before {
        let step = map.entries.borrow().get(*key).cloned();
        match step {
            None => return Ok(default.clone()),
            Some(inner) => map = dict(&inner)?,
        }
    }
    let found = map.entries.borrow().get(*last).cloned();
    Ok(found.unwrap_or_else(|| default.clone()))
}

fn maps<'c>(call: &Call<'c>, from: usize) -> Result<Vec<&'c Rc<Map>>, Fault> {
    (from..call.args.len()).map(|at| call.map(at)).collect()
}

fn keys(call: &Call<'_>) -> Outcome {
    let mut keys = Vec::new();
    for map in maps(call, 0)? {
        keys.extend(map.entries.borrow().keys().cloned().map(Datum::String));
    }
    call.env.spend(keys.len())?;
    Ok(call.env.unordered(ListKind::String, keys))
}

fn pluck(call: &Call<'_>) -> Outcome {
    let key = call.string(0)?;
    let mut found = Vec::new();
    for map in maps(call, 1)? {
        found.extend(map.entries.borrow().get(key).cloned());
    }
    Ok(Datum::list(found))
}

fn picked(call: &Call<'_>, keeps: bool) -> Outcome {
    let map = call.map(0)?;
    let names = (1..call.args.len()).map(|at| call.string(at)).collect::<Result<Vec<_>, _>>()?;
    let entries = map.entries.borrow();
    call.env.spend(entries.len())?;
    let kept = entries.iter().filter(|(key, _)| names.contains(key) == keeps);
    Ok(Datum::map(kept.map(|(key, value)| (key.clone(), value.clone())).collect()))
}

fn merged(call: &Call<'_>, overwrite: bool, swallows: bool) -> Outcome {
    let target = call.map(0)?;
    let sources = maps(call, 1)?;
    // A nil map is replaced by a new one, once there is something to merge.
    let target = if target.is_nil && sources.iter().any(|source| !source.is_nil) {
        match Datum::map(BTreeMap::new()) {
            Datum::Map(map) => map,
            _ => target.clone(),
        }
    } else {
        target.clone()
    };
    for source in sources {
        match merge(call.env, &target, source, overwrite, 0) {
            Ok(()) => {}
            Err(Stopped::Fault(fault)) => return Err(fault),
            Err(Stopped::Refused(_)) if swallows => return Ok(Datum::string("")),
            Err(Stopped::Refused(message)) => return Err(Fault::failed(message)),
        }
    }
    Ok(Datum::Map(target))
}

fn copy(call: &Call<'_>) -> Outcome {
    match call.any(0) {
        Datum::Nil => Err(Fault::failed("reflect: call of reflect.Value.Type on zero Value")),
        datum => copied(call.env, datum, 0),
    }
}

/// A copy that shares nothing that can change.
fn copied(env: &Env<'_>, datum: &Datum, depth: usize) -> Outcome {
    env.visit(depth)?;
    Ok(match datum {
        Datum::List(list) => {
            let items = list.items().iter().map(|item| copied(env, item, depth + 1)).collect::<Result<_, _>>()?;
            if list.is_unordered() { env.unordered(list.kind, items) } else { Datum::of_kind(list.kind, items) }
        }
        Datum::Map(map) => {
            let mut entries = BTreeMap::new();
            for (key, value) in map.entries.borrow().iter() {
                entries.insert(key.clone(), copied(env, value, depth + 1)?);
            }
            if map.kind == MapKind::String { Datum::string_map(entries) } else { Datum::map(entries) }
        }
        // The library cannot see the fields of a version.
        Datum::Version(_) => Datum::Version(Rc::default()),
        other => other.clone(),
    })
}
