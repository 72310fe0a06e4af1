//! Defaults, emptiness, types, and giving up.
//!
//! Mirrors sprig 3.3, defaults.go and reflect.go.

use super::coercion::is_empty;
use super::lists::deep_equal;
use super::{Call, Function, Type};
use crate::lang::template::datum::Datum;
use crate::lang::template::env::Fault;

use Type::{Any, Bool, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("all", &[], |call| Ok(Datum::Bool(search(call, true)?.is_none()))).rest(Any).partial(),
    Function::new("any", &[], |call| Ok(Datum::Bool(search(call, false)?.is_some()))).rest(Any).partial(),
    Function::new("coalesce", &[], |call| Ok(search(call, false)?.cloned().unwrap_or_default())).rest(Any).partial(),
    Function::new("deepEqual", &[Any, Any], |call| Ok(Datum::Bool(deep_equal(call.env, call.any(0), call.any(1), 0)?))),
    Function::new("default", &[Any], |call| {
        let takes_default = call.args.len() < 2 || is_empty(call.any(1))?;
        Ok(call.any(usize::from(!takes_default)).clone())
    })
    .rest(Any)
    .partial(),
    Function::new("empty", &[Any], |call| Ok(Datum::Bool(is_empty(call.any(0))?))).partial(),
    Function::new("fail", &[Text], |call| Err(Fault::Failed(call.string(0)?.to_string()))),
    Function::new("hello", &[], |call| call.env.text("Hello!")),
    Function::new("kindIs", &[Text, Any], |call| Ok(Datum::Bool(**call.string(0)? == *call.known(1)?.kind_name())))
        .partial(),
    Function::new("kindOf", &[Any], |call| call.env.text(call.known(0)?.kind_name())).partial(),
    Function::new("ternary", &[Any, Any, Bool], |call| Ok(call.any(usize::from(!call.bool(2)?)).clone())).partial(),
    Function::new("typeIs", &[Text, Any], |call| Ok(Datum::Bool(**call.string(0)? == *call.known(1)?.type_name())))
        .partial(),
    Function::new("typeIsLike", &[Text, Any], |call| {
        let (target, name) = (call.string(0)?, call.known(1)?.type_name());
        Ok(Datum::Bool(**target == *name || name.strip_prefix('*') == Some(target)))
    })
    .partial(),
    Function::new("typeOf", &[Any], |call| call.env.text(call.known(0)?.type_name())).partial(),
];

/// The first argument whose emptiness is `wanted`.
fn search<'c>(call: &Call<'c>, wanted: bool) -> Result<Option<&'c Datum>, Fault> {
    for datum in call.rest(0) {
        if is_empty(datum)? == wanted {
            return Ok(Some(datum));
        }
    }
    Ok(None)
}
