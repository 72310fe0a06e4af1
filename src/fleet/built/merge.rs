//! Strategic merge patches, as kustomize applies them to kinds whose schema it does not know.
//!
//! Mirrors kustomize 5.8, `kyaml/yaml/merge2`: maps merge, lists and scalars are replaced, null deletes, and the key
//! `$patch` says `delete` or `replace`. Items of lists are not looked into. What comes from the patch keeps its place.

use crate::text::{Span, Spanned};
use crate::value::{Map, Unknown, Value, Why};

/// The key of a map in a patch that says what happens to the map.
pub const DIRECTIVE: &str = "$patch";

/// Merges a patch into a value; `None` when the patch deletes it.
pub fn merge(target: Value, patch: &Value) -> Option<Value> {
    match (target, patch) {
        (_, Value::Null(_)) => None,
        (Value::Null(_), patch) => added(patch),
        (_, Value::Map(map)) if directive(map) == Some("delete") => None,
        (_, Value::Map(map)) if directive(map) == Some("replace") => added(patch),
        (Value::Map(mut target), Value::Map(patch)) => {
            for (key, value) in fields(patch) {
                match target.entries.iter().position(|(name, _)| name.value == key.value) {
                    None => target.entries.extend(added(value).map(|value| (key.clone(), value))),
                    Some(at) => {
                        let old = std::mem::replace(&mut target.entries[at].1, Value::Null(Span::default()));
                        match merge(old, value) {
                            Some(merged) => target.entries[at].1 = merged,
                            None => drop(target.entries.remove(at)),
                        }
                    }
                }
            }
            Some(Value::Map(target))
        }
        // Other fields of an unknown map stay unknown; a list or scalar replaces whatever is there.
        (Value::Unknown(unknown), Value::Map(_)) => Some(Value::Unknown(unknown)),
        (_, patch) => added(patch),
    }
}

/// A value of a patch where nothing was before: directives and nulls take effect in it as well.
fn added(patch: &Value) -> Option<Value> {
    match patch {
        Value::Null(_) => None,
        Value::Map(map) if directive(map) == Some("delete") => None,
        Value::Map(map) => {
            let entries = fields(map).filter_map(|(key, value)| Some((key.clone(), added(value)?)));
            Some(Value::Map(Map { entries: entries.collect(), span: map.span }))
        }
        other => Some(other.clone()),
    }
}

/// What [`merge`] might do: every field that the patch sets or deletes becomes unknown.
pub fn blur(target: &mut Value, patch: &Value) {
    match (target, patch) {
        (Value::Map(target), Value::Map(patch)) if directive(patch).is_none_or(|word| word == "merge") => {
            for (key, value) in fields(patch) {
                match target.entries.iter_mut().find(|(name, _)| name.value == key.value) {
                    Some((_, old)) => blur(old, value),
                    None => target.entries.push((key.clone(), unknown(value.span()))),
                }
            }
        }
        (target, patch) => *target = unknown(patch.span()),
    }
}

/// A value that a kustomization changes in a way that is not simulated, because of what stands at `span`.
pub fn unknown(span: Span) -> Value {
    Value::Unknown(Unknown { why: Why::Patched, span })
}

/// The value of `$patch`.
pub fn directive(map: &Map) -> Option<&str> {
    map.get(DIRECTIVE)?.as_str()
}

fn fields(map: &Map) -> impl Iterator<Item = &(Spanned<String>, Value)> {
    map.entries.iter().filter(|(key, value)| key.value != DIRECTIVE || value.as_str().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::built::tests::{read, show};

    fn merged(target: &str, patch: &str) -> String {
        merge(read(target), &read(patch)).map_or_else(|| "deleted".to_owned(), |value| show(&value))
    }

    #[test]
    fn maps_merge_and_everything_else_is_replaced() {
        for (target, patch, wanted) in [
            ("{a: 1, b: {c: 2}}", "{b: {d: 3}}", "{a: 1, b: {c: 2, d: 3}}"),
            ("{a: [1, 2]}", "{a: [3]}", "{a: [3]}"),
            ("{a: {b: 1}}", "{a: 2}", "{a: 2}"),
            ("{a: 1, b: 2}", "{a: null}", "{b: 2}"),
            ("{a: null}", "{a: {b: 1, c: null}}", "{a: {b: 1}}"),
        ] {
            assert_eq!(merged(target, patch), wanted, "{target} {patch}");
        }
    }

    #[test]
    fn directives_count_in_maps_and_not_in_lists() {
        for (target, patch, wanted) in [
            ("{a: 1}", "{$patch: delete}", "deleted"),
            ("{a: {b: 1}, c: 2}", "{a: {$patch: delete}}", "{c: 2}"),
            ("{a: {b: 1}}", "{a: {$patch: replace, c: 2}}", "{a: {c: 2}}"),
            ("{}", "{a: {b: {$patch: delete}, c: {$patch: merge, d: 1}}}", "{a: {c: {d: 1}}}"),
            ("{a: [1]}", "{a: [{$patch: replace}, 2]}", "{a: [{$patch: replace}, 2]}"),
        ] {
            assert_eq!(merged(target, patch), wanted, "{target} {patch}");
        }
    }

    #[test]
    fn what_might_be_merged_is_unknown_and_nothing_else() {
        let mut value = read("{a: 1, b: {c: 2, d: 3}}");
        blur(&mut value, &read("{b: {c: 4}, e: 5}"));
        assert_eq!(show(&value), "{a: 1, b: {c: ?, d: 3}, e: ?}");
    }
}
