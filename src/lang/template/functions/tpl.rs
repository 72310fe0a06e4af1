//! Templates within templates: `tpl`.
//!
//! Mirrors Argo CD 3.6, applicationset/utils, `tplFun`.

use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::Slot;
use crate::lang::template::env::Fault;
use crate::lang::template::{Template, eval, literal};
use std::rc::Rc;

use Type::{Any, String as Text};

pub(super) const TABLE: &[Function] = &[Function::new("tpl", &[Text, Any], tpl).mutating()];

/// Calls of `tpl` within each other that Argo CD allows.
const TPL_DEPTH: usize = 3;

/// Renders a text as a template that also knows what the outer one defines.
fn tpl(call: &Call<'_>) -> Outcome {
    let (text, env) = (call.string(0)?, call.env);
    if env.tpl_depth.get() == TPL_DEPTH {
        return Err(Fault::Failed(format!("maximum recursion depth {TPL_DEPTH} exceeded in tpl function")));
    }
    env.spend(text.len())?;
    let shown = literal::quote(text, false);
    let template = Template::parse_within(env.template, text)
        .map_err(|error| error.into_fault(&format!("cannot parse template {shown}")))?;
    env.tpl_depth.set(env.tpl_depth.get() + 1);
    let rendered = eval::run(env, &template, Slot::from(call.any(1).clone()), &|_, _| Default::default());
    env.tpl_depth.set(env.tpl_depth.get() - 1);
    let rendered =
        rendered.map_err(|error| error.into_fault(&format!("error during tpl function execution for {shown}")))?;
    if let Some(unknown) = rendered.unknowns().next() {
        return Err(Fault::Unknown(Rc::new(unknown.why.clone())));
    }
    env.text(rendered.as_str().unwrap_or("").replace("<no value>", ""))
}
