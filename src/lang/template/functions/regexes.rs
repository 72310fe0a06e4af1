//! Regular expressions.
//!
//! Mirrors sprig 3.3, regex.go. Without `must`, a bad pattern panics, but `regexMatch` says no.

use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::{Datum, ListKind};
use crate::lang::template::env::Fault;
use crate::lang::template::literal;
use crate::lang::template::pattern::quote_meta;
use crate::text::limits::TEMPLATE_BYTES;
use regex::Captures;

use Type::{Int, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("mustRegexFind", &[Text, Text], find),
    Function::new("mustRegexFindAll", &[Text, Text, Int], find_all),
    Function::new("mustRegexMatch", &[Text, Text], is_match),
    Function::new("mustRegexReplaceAll", &[Text, Text, Text], |call| replaced(call, true)),
    Function::new("mustRegexReplaceAllLiteral", &[Text, Text, Text], |call| replaced(call, false)),
    Function::new("mustRegexSplit", &[Text, Text, Int], split),
    Function::new("regexFind", &[Text, Text], |call| panicking(call, find)),
    Function::new("regexFindAll", &[Text, Text, Int], |call| panicking(call, find_all)),
    Function::new("regexMatch", &[Text, Text], |call| match is_match(call) {
        Err(Fault::Failed(_)) => Ok(Datum::Bool(false)),
        outcome => outcome,
    }),
    Function::new("regexQuoteMeta", &[Text], |call| call.env.text(quote_meta(call.string(0)?))),
    Function::new("regexReplaceAll", &[Text, Text, Text], |call| panicking(call, |call| replaced(call, true))),
    Function::new("regexReplaceAllLiteral", &[Text, Text, Text], |call| panicking(call, |call| replaced(call, false))),
    Function::new("regexSplit", &[Text, Text, Int], |call| panicking(call, split)),
];

/// `MustCompile` names the pattern before the error.
fn panicking(call: &Call<'_>, body: fn(&Call<'_>) -> Outcome) -> Outcome {
    body(call).map_err(|fault| match fault {
        Fault::Failed(message) => match call.string(0) {
            Ok(pattern) => {
                let shown = match literal::can_backquote(pattern) {
                    true => format!("`{pattern}`"),
                    false => literal::quote(pattern, false),
                };
                Fault::Failed(format!("regexp: Compile({shown}): {message}"))
            }
            Err(fault) => fault,
        },
        other => other,
    })
}

/// Pays for one of many searches through what is left of a text; most of them end long before its end.
fn search(call: &Call<'_>, left: usize) -> Result<(), Fault> {
    call.env.spend(1 + left / 512)
}

fn is_match(call: &Call<'_>) -> Outcome {
    let text = call.string(1)?;
    call.env.spend_bytes(text.len())?;
    Ok(Datum::Bool(call.env.pattern(call.string(0)?)?.is_match(text)))
}

fn find(call: &Call<'_>) -> Outcome {
    let text = call.string(1)?;
    let pattern = call.env.pattern(call.string(0)?)?;
    call.env.text(pattern.find(text).unwrap_or(""))
}

fn find_all(call: &Call<'_>) -> Outcome {
    let (text, limit) = (call.string(1)?, call.int(2)?);
    let found = call.env.pattern(call.string(0)?)?.find_all(text, limit, |left| search(call, left))?;
    call.env.spend(found.len())?;
    if found.is_empty() {
        return Ok(Datum::nil_list(ListKind::String));
    }
    Ok(Datum::strings(found.into_iter().map(|(start, end)| &text[start..end])))
}

fn split(call: &Call<'_>) -> Outcome {
    let (text, limit) = (call.string(1)?, call.int(2)?);
    let pattern = call.env.pattern(call.string(0)?)?;
    match pattern.split(text, limit, |left| search(call, left))? {
        None => Ok(Datum::nil_list(ListKind::String)),
        Some(parts) => {
            call.env.spend(parts.len())?;
            Ok(Datum::strings(parts))
        }
    }
}

fn replaced(call: &Call<'_>, expands: bool) -> Outcome {
    let (text, with) = (call.string(1)?, call.string(2)?);
    let pattern = call.env.pattern(call.string(0)?)?;
    let write = |out: &mut String, captures: &Captures<'_>| {
        if expands {
            pattern.expand(out, with, captures);
        } else {
            out.push_str(with);
        }
        if out.len() > TEMPLATE_BYTES {
            return Err(Fault::Limit(format!("makes a text of more than {TEMPLATE_BYTES} bytes")));
        }
        Ok(())
    };
    call.env.text(pattern.replace_all(text, |left| search(call, left), write)?)
}
