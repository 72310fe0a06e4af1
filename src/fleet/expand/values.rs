//! `values` of a generator: texts filled with the set's own parameters, and added to it.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/value_interpolation.go`.

use super::Expander;
use super::convert::text_to_template;
use super::failure::Failure;
use super::params::{Mode, Params, weight};
use super::render::Filler;
use crate::lang::template::Value;
use crate::text::Spanned;
use crate::value::Text;
use std::collections::BTreeMap;

/// Adds the generator's `values` to a set. Entries never see each other.
pub fn append_values(
    values: &[(Spanned<String>, Text)],
    set: &mut Params,
    cx: &mut Expander<'_>,
) -> Result<(), Failure> {
    if values.is_empty() {
        return Ok(());
    }
    let filler = Filler::new(set, cx);
    let mut rendered = BTreeMap::new();
    for (name, text) in values {
        rendered.insert(name.value.clone(), text_to_template(&filler.text(text, cx)?));
    }
    let added: usize = rendered.values().map(weight).sum();
    set.weight += added;
    cx.appended += added;
    cx.bound(values[0].0.span, 0, cx.appended)?;
    match cx.mode {
        Mode::Go => drop(set.values.insert("values".to_owned(), Value::StringMap(rendered))),
        Mode::Placeholder => {
            set.values.extend(rendered.into_iter().map(|(name, value)| (format!("values.{name}"), value)));
        }
    }
    Ok(())
}
