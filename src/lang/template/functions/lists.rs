//! Lists: taking apart, putting together, searching.
//!
//! Mirrors sprig 3.3, list.go. Nothing is changed in place; each function but its `must` twin panics where that one
//! returns an error, which is the same to a template.

use super::coercion::{is_empty, texts_of, to_int, to_text};
use super::{Call, Function, Outcome, Type, nil_pointer};
use crate::lang::template::datum::{Datum, IntKind, List, ListKind};
use crate::lang::template::env::{Env, Fault, random_order};
use std::rc::Rc;

use Type::{Any, Int};

pub(super) const TABLE: &[Function] = &[
    Function::new("append", &[Any, Any], append).partial(),
    Function::new("chunk", &[Int, Any], chunk).partial(),
    Function::new("compact", &[Any], compact).partial(),
    Function::new("concat", &[], concat).rest(Any).partial(),
    Function::new("first", &[Any], first).partial(),
    Function::new("has", &[Any, Any], has),
    Function::new("initial", &[Any], initial).partial(),
    Function::new("last", &[Any], last).partial(),
    Function::new("list", &[], list).rest(Any).partial(),
    Function::new("mustAppend", &[Any, Any], append).partial(),
    Function::new("mustChunk", &[Int, Any], chunk).partial(),
    Function::new("mustCompact", &[Any], compact).partial(),
    Function::new("mustFirst", &[Any], first).partial(),
    Function::new("mustHas", &[Any, Any], has),
    Function::new("mustInitial", &[Any], initial).partial(),
    Function::new("mustLast", &[Any], last).partial(),
    Function::new("mustPrepend", &[Any, Any], prepend).partial(),
    Function::new("mustPush", &[Any, Any], append).partial(),
    Function::new("mustRest", &[Any], rest).partial(),
    Function::new("mustReverse", &[Any], reverse).partial(),
    Function::new("mustSlice", &[Any], slice).rest(Any).partial(),
    Function::new("mustUniq", &[Any], uniq),
    Function::new("mustWithout", &[Any], without).rest(Any),
    Function::new("prepend", &[Any, Any], prepend).partial(),
    Function::new("push", &[Any, Any], append).partial(),
    Function::new("rest", &[Any], rest).partial(),
    Function::new("reverse", &[Any], reverse).partial(),
    Function::new("slice", &[Any], slice).rest(Any).partial(),
    Function::new("sortAlpha", &[Any], sort_alpha).partial(),
    Function::new("tuple", &[], list).rest(Any).partial(),
    Function::new("uniq", &[Any], uniq),
    Function::new("without", &[Any], without).rest(Any),
];

fn made(call: &Call<'_>, items: Vec<Datum>, is_unordered: bool) -> Outcome {
    call.env.spend(items.len())?;
    Ok(if is_unordered { call.env.unordered(ListKind::Any, items) } else { Datum::list(items) })
}

fn list(call: &Call<'_>) -> Outcome {
    made(call, call.rest(0).cloned().collect(), false)
}

fn append(call: &Call<'_>) -> Outcome {
    let list = call.list_in_any_order(0, "push on")?;
    made(call, list.items().iter().chain([call.any(1)]).cloned().collect(), list.is_unordered())
}

fn prepend(call: &Call<'_>) -> Outcome {
    let list = call.list_in_any_order(0, "prepend on")?;
    made(call, [call.any(1)].into_iter().chain(list.items()).cloned().collect(), list.is_unordered())
}

fn chunk(call: &Call<'_>) -> Outcome {
    let (size, list) = (call.int(0)?, call.list(1, "chunk")?);
    if size <= 0 {
        // Go counts the chunks with floats, and comes to strange numbers.
        let count = ((list.items().len() as f64 - 1.0) / size as f64).floor() + 1.0;
        if count == 0.0 {
            return Ok(Datum::of_kind(ListKind::Lists, Vec::new()));
        }
        if list.items().len() == 1 && size < -1 {
            return Ok(Datum::of_kind(ListKind::Lists, vec![Datum::list(list.items().to_vec())]));
        }
        return Err(Fault::failed("runtime error: makeslice: len out of range"));
    }
    call.env.spend(list.items().len())?;
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let chunks = list.items().chunks(size).map(|chunk| Datum::list(chunk.to_vec())).collect();
    Ok(Datum::of_kind(ListKind::Lists, chunks))
}

fn at_end(call: &Call<'_>, verb: &str, pick: fn(&[Datum]) -> Option<&Datum>) -> Outcome {
    Ok(pick(call.list(0, verb)?.items()).cloned().unwrap_or_default())
}

fn first(call: &Call<'_>) -> Outcome {
    at_end(call, "find first on", |items| items.first())
}

fn last(call: &Call<'_>) -> Outcome {
    at_end(call, "find last on", |items| items.last())
}

fn part(call: &Call<'_>, verb: &str, pick: fn(&[Datum]) -> &[Datum]) -> Outcome {
    let list = call.list(0, verb)?;
    if list.items().is_empty() {
        return Ok(Datum::nil_list(ListKind::Any));
    }
    made(call, pick(list.items()).to_vec(), false)
}

fn rest(call: &Call<'_>) -> Outcome {
    part(call, "find rest on", |items| &items[1..])
}

fn initial(call: &Call<'_>) -> Outcome {
    part(call, "find initial on", |items| &items[..items.len() - 1])
}

fn reverse(call: &Call<'_>) -> Outcome {
    let list = call.list_in_any_order(0, "find reverse on")?;
    made(call, list.items().iter().rev().cloned().collect(), list.is_unordered())
}

fn sort_alpha(call: &Call<'_>) -> Outcome {
    let datum = call.known(0)?;
    let mut texts = match datum {
        Datum::List(list) if list.kind == ListKind::String => {
            list.sort();
            return Ok(datum.clone());
        }
        Datum::List(list) => {
            // The order before does not matter, the items do.
            for item in list.items() {
                if let Some(why) = call.env.undecided(item)? {
                    return Err(Fault::Unknown(why));
                }
            }
            texts_of(call.env, list)?
        }
        other => vec![to_text(call.env, other)?],
    };
    texts.sort_unstable();
    Ok(Datum::strings(texts))
}

fn compact(call: &Call<'_>) -> Outcome {
    let list = call.list_in_any_order(0, "compact on")?;
    let mut kept = Vec::new();
    for item in list.items() {
        if !is_empty(item)? {
            kept.push(item.clone());
        }
    }
    made(call, kept, list.is_unordered())
}

fn uniq(call: &Call<'_>) -> Outcome {
    let list = call.list(0, "find uniq on")?;
    let mut kept: Vec<Datum> = Vec::new();
    for item in list.items() {
        if !contains(call.env, &kept, item)? {
            kept.push(item.clone());
        }
    }
    made(call, kept, false)
}

fn without(call: &Call<'_>) -> Outcome {
    let list = call.list(0, "find without on")?;
    let dropped: Vec<Datum> = call.rest(1).cloned().collect();
    let mut kept = Vec::new();
    for item in list.items() {
        if !contains(call.env, &dropped, item)? {
            kept.push(item.clone());
        }
    }
    made(call, kept, false)
}

fn has(call: &Call<'_>) -> Outcome {
    if matches!(call.any(1), Datum::Nil) {
        return Ok(Datum::Bool(false));
    }
    let list = call.list(1, "find has on")?;
    Ok(Datum::Bool(contains(call.env, list.items(), call.any(0))?))
}

fn contains(env: &Env<'_>, items: &[Datum], wanted: &Datum) -> Result<bool, Fault> {
    for item in items {
        if deep_equal(env, wanted, item, 0)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn slice(call: &Call<'_>) -> Outcome {
    let list = match call.known(0)? {
        Datum::List(list) if list.is_unordered() => return Err(Fault::Unknown(random_order())),
        Datum::List(list) => list,
        Datum::Nil => return Err(nil_pointer()),
        other => {
            let kind = other.kind_name();
            return Err(Fault::Failed(format!("list should be type of slice or array but {kind}")));
        }
    };
    let length = list.items().len();
    if length == 0 {
        return Ok(Datum::Nil);
    }
    let bound = |at: usize| super::known(call.any(at)).map(to_int);
    let start = if call.args.len() > 1 { bound(1)? } else { 0 };
    let end = if call.args.len() > 2 { bound(2)? } else { length as i64 };
    let out_of_bounds = || Fault::failed("reflect.Value.Slice: slice index out of bounds");
    let (from, to) =
        (usize::try_from(start).map_err(|_| out_of_bounds())?, usize::try_from(end).map_err(|_| out_of_bounds())?);
    if from > to {
        return Err(out_of_bounds());
    }
    match list.items().get(from..to) {
        Some(items) => Ok(Datum::of_kind(list.kind, items.to_vec())),
        // Go lets a slice grow into the room behind it, which depends on how the list was made, but is never more than
        // the list again and a little.
        None if to > 2 * length + 8 => Err(out_of_bounds()),
        None => Err(Fault::runtime("the room behind a list")),
    }
}

fn concat(call: &Call<'_>) -> Outcome {
    let (mut items, mut is_unordered) = (Vec::new(), false);
    for datum in call.rest(0) {
        match super::known(datum)? {
            Datum::List(list) => {
                is_unordered |= list.is_unordered();
                items.extend(list.items().iter().cloned());
            }
            Datum::Nil => return Err(nil_pointer()),
            other => return Err(Fault::Failed(format!("Cannot concat type {} as list", other.kind_name()))),
        }
    }
    if items.is_empty() { Ok(Datum::nil_list(ListKind::Any)) } else { made(call, items, is_unordered) }
}

/// `reflect.DeepEqual`: same type, same value, all the way down.
pub(super) fn deep_equal(env: &Env<'_>, first: &Datum, second: &Datum, depth: usize) -> Result<bool, Fault> {
    env.visit(depth)?;
    match (first, second) {
        (Datum::Nil, Datum::Nil) => Ok(true),
        (Datum::Bool(a), Datum::Bool(b)) => Ok(a == b),
        (Datum::Int(kind, a), Datum::Int(other, b)) => Ok(kind == other && a == b),
        (Datum::Float(a), Datum::Float(b)) => Ok(a == b),
        (Datum::Complex(a, b), Datum::Complex(c, d)) => Ok(a == c && b == d),
        (Datum::String(a), Datum::String(b)) => Ok(a == b),
        (Datum::Version(a), Datum::Version(b)) => Ok(a.original() == b.original()),
        (Datum::List(a), Datum::List(b)) => lists_equal(env, a, b, depth),
        (Datum::Map(a), Datum::Map(b)) => {
            if Rc::ptr_eq(a, b) {
                return Ok(true);
            }
            let (x, y) = (a.entries.borrow(), b.entries.borrow());
            if a.kind != b.kind || a.is_nil != b.is_nil || x.len() != y.len() {
                return Ok(false);
            }
            for ((key, value), (other_key, other)) in x.iter().zip(y.iter()) {
                if key != other_key || !deep_equal(env, value, other, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Datum::Unknown(why) | Datum::Partial(_, why), _) | (_, Datum::Unknown(why) | Datum::Partial(_, why)) => {
            Err(Fault::Unknown(why.clone()))
        }
        _ => Ok(false),
    }
}

fn lists_equal(env: &Env<'_>, first: &Rc<List>, second: &Rc<List>, depth: usize) -> Result<bool, Fault> {
    if first.kind != second.kind || first.is_nil != second.is_nil || first.items().len() != second.items().len() {
        return Ok(false);
    }
    for (item, other) in first.items().iter().zip(second.items()) {
        if !deep_equal(env, item, other, depth + 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A list of Go `int`s.
pub(super) fn ints(items: impl Iterator<Item = i64>) -> Datum {
    Datum::of_kind(ListKind::Int, items.map(|item| Datum::Int(IntKind::Int, item)).collect())
}
