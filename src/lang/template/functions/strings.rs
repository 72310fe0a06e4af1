//! Texts: cutting, joining, testing, quoting.
//!
//! Mirrors sprig 3.3, strings.go. Lengths and positions count bytes; a cut inside a character is unknown.

use super::coercion::{to_text, to_texts};
use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::Datum;
use crate::lang::template::env::{Env, Fault, not_text};
use crate::lang::template::{fmt, literal, unicode};

use Type::{Any, Int, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("cat", &[], cat).rest(Any),
    Function::new("contains", &[Text, Text], |call| test(call, |part, text| text.contains(part))),
    Function::new("hasPrefix", &[Text, Text], |call| test(call, |part, text| text.starts_with(part))),
    Function::new("hasSuffix", &[Text, Text], |call| test(call, |part, text| text.ends_with(part))),
    Function::new("indent", &[Int, Text], |call| indent(call, "")),
    Function::new("join", &[Text, Any], join),
    Function::new("lower", &[Text], |call| call.env.text(unicode::lower(call.string(0)?))),
    Function::new("nindent", &[Int, Text], |call| indent(call, "\n")),
    Function::new("plural", &[Text, Text, Int], plural),
    Function::new("quote", &[], |call| quote(call, |_, text| literal::quote(&text, false))).rest(Any),
    Function::new("repeat", &[Int, Text], repeat),
    Function::new("replace", &[Text, Text, Text], |call| {
        let (old, new, text) = (call.string(0)?, call.string(1)?, call.string(2)?);
        let count = if old.is_empty() { text.chars().count() + 1 } else { text.matches(&**old).count() };
        call.env.spend_bytes(text.len().saturating_add(count.saturating_mul(new.len())))?;
        call.env.text(text.replace(&**old, new))
    }),
    Function::new("squote", &[], |call| quote(call, |_, text| format!("'{text}'"))).rest(Any),
    Function::new("substr", &[Int, Int, Text], substr),
    Function::new("toString", &[Any], |call| call.env.text(to_text(call.env, call.any(0))?)),
    Function::new("trim", &[Text], |call| call.env.text(call.string(0)?.trim())),
    Function::new("trimAll", &[Text, Text], trim_all),
    Function::new("trimPrefix", &[Text, Text], |call| {
        let (prefix, text) = (call.string(0)?, call.string(1)?);
        call.env.text(text.strip_prefix(&**prefix).unwrap_or(text))
    }),
    Function::new("trimSuffix", &[Text, Text], |call| {
        let (suffix, text) = (call.string(0)?, call.string(1)?);
        call.env.text(text.strip_suffix(&**suffix).unwrap_or(text))
    }),
    Function::new("trimall", &[Text, Text], trim_all),
    Function::new("trunc", &[Int, Text], trunc),
    Function::new("upper", &[Text], |call| call.env.text(unicode::upper(call.string(0)?))),
];

/// The bytes `start..end`, as a slice expression of Go.
pub(super) fn slice(text: &str, start: i64, end: i64) -> Result<&str, Fault> {
    let length = text.len() as i64;
    let bounds = if end > length {
        format!("[:{end}] with length {length}")
    } else if end < 0 {
        format!("[:{end}]")
    } else if start < 0 {
        format!("[{start}:]")
    } else if start > end {
        format!("[{start}:{end}]")
    } else {
        return text.get(start as usize..end as usize).ok_or_else(not_text);
    };
    Err(Fault::Failed(format!("runtime error: slice bounds out of range {bounds}")))
}

fn cat(call: &Call<'_>) -> Outcome {
    let mut texts = Vec::new();
    for datum in call.rest(0).filter(|datum| !matches!(datum, Datum::Nil)) {
        texts.push(fmt::sprint(call.env, datum)?);
    }
    call.env.text(texts.join(" "))
}

fn test(call: &Call<'_>, holds: fn(&str, &str) -> bool) -> Outcome {
    Ok(Datum::Bool(holds(call.string(0)?, call.string(1)?)))
}

fn indent(call: &Call<'_>, before: &str) -> Outcome {
    let (spaces, text) = (call.int(0)?, call.string(1)?);
    let count = repeats(call.env, spaces, 1)?;
    let lines = text.matches('\n').count() + 1;
    call.env.spend_bytes(text.len().saturating_add(lines.saturating_mul(count)))?;
    let pad = " ".repeat(count);
    call.env.text(format!("{before}{pad}{}", text.replace('\n', &format!("\n{pad}"))))
}

/// How often Go's `Repeat` repeats, once it is paid for.
fn repeats(env: &Env<'_>, count: i64, length: usize) -> Result<usize, Fault> {
    let Ok(count) = usize::try_from(count) else {
        return Err(Fault::failed("strings: negative Repeat count"));
    };
    env.spend_bytes(count.saturating_mul(length))?;
    Ok(count)
}

fn repeat(call: &Call<'_>) -> Outcome {
    let (count, text) = (call.int(0)?, call.string(1)?);
    let count = repeats(call.env, count, text.len())?;
    // Repeating nothing costs nothing, however often.
    call.env.text(if text.is_empty() { String::new() } else { text.repeat(count) })
}

fn join(call: &Call<'_>) -> Outcome {
    let separator = call.string(0)?;
    let texts = to_texts(call.env, call.any(1))?;
    let bytes = texts.iter().map(String::len).sum::<usize>();
    call.env.spend_bytes(bytes.saturating_add(separator.len().saturating_mul(texts.len())))?;
    call.env.text(texts.join(separator))
}

fn plural(call: &Call<'_>) -> Outcome {
    call.env.text(if call.int(2)? == 1 { call.string(0)? } else { call.string(1)? }.clone())
}

/// Each argument but nils in quotes, joined by blanks.
fn quote(call: &Call<'_>, quoted: fn(&Env<'_>, String) -> String) -> Outcome {
    let mut texts = Vec::new();
    for datum in call.rest(0).filter(|datum| !matches!(datum, Datum::Nil)) {
        texts.push(quoted(call.env, to_text(call.env, datum)?));
    }
    call.env.text(texts.join(" "))
}

fn substr(call: &Call<'_>) -> Outcome {
    let (start, end, text) = (call.int(0)?, call.int(1)?, call.string(2)?);
    let length = text.len() as i64;
    let part = if start < 0 {
        slice(text, 0, end)?
    } else if end < 0 || end > length {
        slice_from(text, start)?
    } else {
        slice(text, start, end)?
    };
    call.env.text(part)
}

/// The bytes from `start` on, as a slice expression of Go.
fn slice_from(text: &str, start: i64) -> Result<&str, Fault> {
    let length = text.len() as i64;
    if start > length {
        return Err(Fault::Failed(format!("runtime error: slice bounds out of range [{start}:{length}]")));
    }
    slice(text, start, length)
}

fn trim_all(call: &Call<'_>) -> Outcome {
    let (set, text) = (call.string(0)?, call.string(1)?);
    call.env.text(text.trim_matches(|c| set.contains(c)))
}

fn trunc(call: &Call<'_>) -> Outcome {
    let (count, text) = (call.int(0)?, call.string(1)?);
    let length = text.len() as i64;
    let part = if count < 0 && length.saturating_add(count) > 0 {
        slice_from(text, length + count)?
    } else if count >= 0 && length > count {
        slice(text, 0, count)?
    } else {
        text
    };
    call.env.text(part)
}
