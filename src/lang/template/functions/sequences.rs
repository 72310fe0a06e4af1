//! Lists and maps made from texts and numbers: splitting, counting.
//!
//! Mirrors sprig 3.3, strings.go and numeric.go.

use super::coercion::to_texts;
use super::lists::ints;
use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::Datum;
use crate::lang::template::env::Fault;
use std::rc::Rc;

use Type::{Any, Int, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("seq", &[], seq).rest(Int),
    Function::new("split", &[Text, Text], |call| {
        Ok(numbered(&parts(call, call.string(0)?, call.string(1)?, -1)?.unwrap_or_default()))
    }),
    Function::new("splitList", &[Text, Text], |call| {
        Ok(Datum::strings(parts(call, call.string(0)?, call.string(1)?, -1)?.unwrap_or_default()))
    }),
    Function::new("splitn", &[Text, Int, Text], |call| {
        Ok(numbered(&parts(call, call.string(0)?, call.string(2)?, call.int(1)?)?.unwrap_or_default()))
    }),
    Function::new("toStrings", &[Any], |call| Ok(Datum::strings(to_texts(call.env, call.any(0))?))),
    Function::new("until", &[Int], |call| {
        let count = call.int(0)?;
        Ok(ints(steps(call, 0, count, if count < 0 { -1 } else { 1 })?.into_iter()))
    }),
    Function::new("untilStep", &[Int, Int, Int], |call| {
        Ok(ints(steps(call, call.int(0)?, call.int(1)?, call.int(2)?)?.into_iter()))
    }),
];

/// `strings.SplitN`: at most `limit` parts, all when it is negative, none when it is zero.
fn parts<'t>(call: &Call<'_>, separator: &str, text: &'t str, limit: i64) -> Result<Option<Vec<&'t str>>, Fault> {
    if limit == 0 {
        return Ok(None);
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let parts: Vec<&str> = if separator.is_empty() {
        // Between all characters.
        let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let mut start = 0;
        let mut parts: Vec<&str> = Vec::new();
        while start < text.len() {
            let end = if parts.len() + 1 == limit { text.len() } else { ends.next().unwrap_or(text.len()) };
            parts.push(&text[start..end]);
            start = end;
        }
        parts
    } else {
        text.splitn(limit, separator).collect()
    };
    call.env.spend(parts.len())?;
    Ok(Some(parts))
}

/// `{_0: first, _1: second, …}`, a map of texts.
fn numbered(parts: &[&str]) -> Datum {
    let entries = parts.iter().enumerate().map(|(at, part)| (Rc::from(format!("_{at}")), Datum::string(*part)));
    Datum::string_map(entries.collect())
}

/// The numbers from `start` to before `stop`; none when `step` leads away.
fn steps(call: &Call<'_>, start: i64, stop: i64, step: i64) -> Result<Vec<i64>, Fault> {
    let goes_down = stop < start;
    if (goes_down && step >= 0) || (!goes_down && step <= 0) {
        return Ok(Vec::new());
    }
    let distance = i128::from(stop) - i128::from(start);
    let size = i128::from(step).abs();
    let count = (distance.abs() + size - 1) / size;
    if i64::try_from(i128::from(start) + count * i128::from(step)).is_err() {
        // Go's counter wraps before it gets there, and starts over.
        return Err(Fault::Limit("counts without an end".to_owned()));
    }
    call.env.spend(usize::try_from(count).unwrap_or(usize::MAX))?;
    Ok((0..count).map(|at| (i128::from(start) + at * i128::from(step)) as i64).collect())
}

fn seq(call: &Call<'_>) -> Outcome {
    let numbers = call.args.iter().enumerate().map(|(at, _)| call.int(at)).collect::<Result<Vec<_>, _>>()?;
    let (start, step, end) = match numbers.as_slice() {
        [end] => (1, if *end < 1 { -1 } else { 1 }, *end),
        [start, end] => (*start, if end < start { -1 } else { 1 }, *end),
        [start, step, end] if end >= start || *step <= 0 => (*start, *step, *end),
        _ => return call.env.text(""),
    };
    let past = if end < start { -1 } else { 1 };
    let numbers = steps(call, start, end.wrapping_add(past), step)?;
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    call.env.text(texts.join(" "))
}
