//! The merge generator: the first child's sets, overridden by the sets of the others that have the same key.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/merge.go`.

use super::Expander;
use super::failure::{Class, Failure};
use super::matrix::panics;
use super::params::{Mode, Open, Params, Values, merge_maps};
use super::undefined;
use crate::formats::argo::generator::Combination;
use crate::lang::template::Value;
use crate::text::Span;
use crate::value::Text;
use std::collections::BTreeMap;

/// The sets of a merge, in the order of the first child.
pub fn generate(merge: &Combination, depth: usize, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    if merge.children.len() < 2 {
        return Err(Failure::new(Class::MergeTooFew, merge.span, "a merge needs at least two generators"));
    }
    let keys: Vec<&str> = merge.merge_keys.iter().filter_map(Text::as_str).collect();
    if keys.is_empty() {
        return Err(Failure::new(Class::MergeNoKeys, merge.span, "a merge needs at least one merge key"));
    }
    let mut children = merge.children.iter();
    let base = match children.next() {
        Some(first) => cx.child(first, depth)?,
        None => Vec::new(),
    };
    undefined::merge_keys(merge, &base, cx);
    by_keys(&base, &keys, merge.span)?;
    let mut sets = base;
    let named: Vec<Option<String>> = sets.iter().map(|set| key_of(&set.values, &keys)).collect();
    for child in children {
        let overrides = cx.child(child, depth)?;
        undefined::merge_keys(merge, &overrides, cx);
        let indexed = by_keys(&overrides, &keys, merge.span)?;
        for (set, key) in sets.iter_mut().zip(&named) {
            let Some(over) = key.as_ref().and_then(|key| indexed.get(key)) else { continue };
            set.values = override_with(&set.values, &over.values, cx.mode, merge.span)?;
            set.from.extend(over.from.iter().cloned());
            set.is_symbolic |= over.is_symbolic;
            set.open = Open::united(set.open.as_ref(), over.open.as_ref());
        }
    }
    Ok(sets)
}

fn override_with(base: &Values, over: &Values, mode: Mode, span: Span) -> Result<Values, Failure> {
    match mode {
        Mode::Placeholder => {
            let mut values = base.clone();
            values.extend(over.iter().map(|(name, value)| (name.clone(), value.clone())));
            Ok(values)
        }
        Mode::Go => merge_maps(over, base).map_err(|at| panics(&at, span)),
    }
}

/// Sets by their key; sets whose key is not known are left out.
pub fn by_keys<'s>(sets: &'s [Params], keys: &[&str], span: Span) -> Result<BTreeMap<String, &'s Params>, Failure> {
    let mut indexed = BTreeMap::new();
    for set in sets {
        let Some(key) = key_of(&set.values, keys) else { continue };
        if indexed.insert(key.clone(), set).is_some() {
            let message = format!("two parameter sets of one generator have the same merge key {key}");
            return Err(
                Failure::new(Class::MergeDuplicateKey, span, message).help("add a merge key that tells them apart")
            );
        }
    }
    Ok(indexed)
}

/// The merge keys of a set as JSON text; an absent key counts as null. `None` when one is unknown.
pub fn key_of(values: &Values, keys: &[&str]) -> Option<String> {
    let mut object = BTreeMap::new();
    for key in keys {
        let value = values.get(*key).unwrap_or(&Value::Nil);
        object.insert(*key, value.to_json()?);
    }
    serde_json::to_string(&object).ok()
}
