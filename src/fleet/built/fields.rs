//! Fields by path, as replacements and transformer configurations name them: `spec.sources.[ref=values].repoURL`.
//!
//! Mirrors kustomize 5.8, `kyaml/utils` and `api/filters/replacement`.

use super::item::{Item, map_at, set};
use super::merge::unknown;
use crate::formats::kustomize::{Matched, Replacement};
use crate::repo::Repo;
use crate::text::{Span, Spanned};
use crate::value::{Map, Text, Value};

/// The steps of a path. A separator after `\` is part of a step, and so is one in `[name=…]`.
pub fn split(path: &str, separator: char) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    for part in path.split(separator) {
        let is_open = |step: &&mut String| step.ends_with('\\') || (step.starts_with('[') && !step.ends_with(']'));
        match steps.last_mut().filter(is_open) {
            Some(step) => {
                step.truncate(step.trim_end_matches('\\').len());
                step.push(separator);
                step.push_str(part);
            }
            None => steps.push(part.to_owned()),
        }
    }
    for step in &mut steps {
        if step.starts_with('[') && !step.contains('=') {
            *step = step.trim_matches(['[', ']']).to_owned();
        }
    }
    steps
}

/// Puts a value at every place that a path leads to; an unknown one when it is not given. Missing places are created
/// only where `creates`. Inside a text that is YAML or JSON itself the whole text becomes unknown.
pub fn put(value: &mut Value, steps: &[String], new: Option<&Text>, creates: bool, span: Span) {
    let Some((step, rest)) = steps.split_first() else {
        match (&*value, new) {
            (Value::Text(_) | Value::Null(_), Some(new)) => *value = Value::Text(new.clone()),
            _ => *value = unknown(span),
        }
        return;
    };
    match value {
        Value::Map(map) if step == "*" => {
            map.entries.iter_mut().for_each(|(_, value)| put(value, rest, new, creates, span));
        }
        Value::Map(map) => {
            let step = step.strip_suffix("[]").unwrap_or(step);
            let at = map.entries.iter().position(|(key, _)| key.value == step);
            let at = match at {
                Some(at) => at,
                None if creates => {
                    map.entries.push((Spanned::new(step.to_owned(), span), Value::Null(span)));
                    map.entries.len() - 1
                }
                None => return,
            };
            put(&mut map.entries[at].1, rest, new, creates, span);
        }
        Value::List(list) => {
            if let Some((key, wanted)) = condition(step) {
                // The word is a regular expression that may match anywhere in the text.
                let is_plain = wanted.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
                let mut is_found = false;
                for item in &mut list.items {
                    let have = if key.is_empty() { Some(&*item) } else { item.get(key) };
                    match have.map(Value::as_str) {
                        None => {}
                        Some(Some(have)) if is_plain && !have.contains(wanted) => {}
                        Some(have) => {
                            let is_exact = is_plain && have.is_some();
                            is_found |= is_exact;
                            put(item, rest, new.filter(|_| is_exact), creates, span);
                        }
                    }
                }
                if creates && !is_found {
                    *value = unknown(span);
                }
            } else if let Ok(at) = step.parse::<usize>() {
                if at == list.items.len() && creates {
                    list.items.push(Value::Null(span));
                }
                if let Some(item) = list.items.get_mut(at) {
                    put(item, rest, new, creates, span);
                }
            } else {
                // A transformer's path passes through lists without a step of its own; `*` is one.
                let rest = if step == "*" { rest } else { steps };
                list.items.iter_mut().for_each(|item| put(item, rest, new, creates, span));
            }
        }
        Value::Null(_) if creates && (condition(step).is_some() || step.parse::<usize>().is_ok()) => {
            *value = unknown(span);
        }
        Value::Null(_) if creates => {
            *value = Value::Map(Map { entries: Vec::new(), span });
            put(value, steps, new, creates, span);
        }
        Value::Null(_) | Value::Unknown(_) => {}
        scalar => *scalar = unknown(span),
    }
}

/// The key and value of a step such as `[name=web]`.
fn condition(step: &str) -> Option<(&str, &str)> {
    step.strip_prefix('[')?.strip_suffix(']')?.split_once('=')
}

/// Makes everything in an object unknown but who it is.
pub fn lose(object: &mut Value, span: Span) {
    let Value::Map(map) = object else { return };
    for (key, value) in &mut map.entries {
        match (key.value.as_str(), value) {
            ("apiVersion" | "kind", _) => {}
            ("metadata", Value::Map(metadata)) => {
                let others =
                    metadata.entries.iter_mut().filter(|(key, _)| !matches!(&*key.value, "name" | "namespace"));
                others.for_each(|(_, value)| *value = unknown(span));
            }
            (_, value) => *value = unknown(span),
        }
    }
}

/// The lists that a patch sets become unknown: a schema may say that they merge instead.
pub fn forget_lists(value: &mut Value, patch: &Value, span: Span) {
    let Value::Map(patch) = patch else { return };
    for (key, part) in &patch.entries {
        let Value::Map(map) = &mut *value else { return };
        let Some((_, old)) = map.entries.iter_mut().find(|(name, _)| name.value == key.value) else { continue };
        if let Value::List(_) = part {
            *old = unknown(span);
        } else {
            forget_lists(old, part, span);
        }
    }
}

/// Labels and annotations that a patch sets to something else than text: kustomize makes some text of it, so that null
/// deletes none of them.
pub fn forget_words(value: &mut Value, patch: &Value, span: Span) {
    for field in ["labels", "annotations"] {
        let words = patch.get("metadata").and_then(|metadata| metadata.get(field)).and_then(Value::as_map);
        let words = words.into_iter().flat_map(|map| &map.entries);
        for (key, word) in words.filter(|(_, word)| !matches!(word, Value::Text(_))) {
            if let Some(map) = map_at(value, &["metadata", field], word.span()) {
                set(map, &key.value, unknown(span), span);
            }
        }
    }
}

/// The text that a replacement copies; `None` when it is not known.
pub fn source_of(replacement: &Replacement, items: &[Item], repo: &Repo) -> Option<Text> {
    if let Some(value) = &replacement.value {
        return value.known().is_some().then(|| value.clone());
    }
    let source = replacement.source.as_ref().filter(|source| !source.splits)?;
    let mut found: Option<&Item> = None;
    for item in items {
        match item.is_meant(&source.object) {
            Matched::No => {}
            Matched::Yes if found.is_none() => found = Some(item),
            _ => return None,
        }
    }
    let path = source.field.as_ref().map_or(Some("metadata.name"), Text::as_str)?;
    text_at(found?, &split(path, '.'), replacement.span, repo)
}

fn text_at(item: &Item, steps: &[String], span: Span, repo: &Repo) -> Option<Text> {
    let is_metadata = steps.first().is_some_and(|step| step == "metadata");
    if !item.is_read && is_metadata {
        // Of other objects only the identity is followed.
        let name = item.id.name.as_ref().filter(|_| steps.len() == 2 && steps[1] == "name")?;
        return Some(Text::known_at(&**name, span));
    }
    if !item.is_read && item.is_changed {
        return None;
    }
    let value = item.value(repo);
    let found = steps.iter().try_fold(&*value, |value, step| match value {
        Value::List(list) => match condition(step) {
            Some((key, wanted)) => list.items.iter().find(|item| item.get(key).and_then(Value::as_str) == Some(wanted)),
            None => list.items.get(step.parse::<usize>().ok()?),
        },
        value => value.get(step),
    })?;
    match found {
        Value::Text(text) if text.known().is_some() => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::built::tests::{read, show};

    #[test]
    fn steps_keep_separators_that_belong_to_names() {
        for (path, steps) in [
            ("spec.source.path", vec!["spec", "source", "path"]),
            (r"metadata.annotations.a\.b/c", vec!["metadata", "annotations", "a.b/c"]),
            ("a.[name=x.y].b", vec!["a", "[name=x.y]", "b"]),
            ("a.[b.c]", vec!["a", "b.c"]),
        ] {
            assert_eq!(split(path, '.'), steps, "{path}");
        }
    }

    #[test]
    fn a_value_is_put_at_every_place_of_its_path() {
        let new = Text::known_at("new", Span::default());
        for (value, path, creates, wanted) in [
            ("{a: {b: x}}", "a.b", false, "{a: {b: new}}"),
            ("{a: {}}", "a.b", false, "{a: {}}"),
            ("{}", "a.b", true, "{a: {b: new}}"),
            ("{a: [{b: x}, {b: z}]}", "a.*.b", false, "{a: [{b: new}, {b: new}]}"),
            ("{a: [{b: x}, {b: z}]}", "a.1.b", false, "{a: [{b: x}, {b: new}]}"),
            ("{a: [{k: p, b: x}, {k: q, b: z}]}", "a.[k=q].b", false, "{a: [{k: p, b: x}, {k: q, b: new}]}"),
            ("{a: [{k: p, b: x}]}", "a.[k=p.*].b", false, "{a: [{k: p, b: ?}]}"),
            ("{a: [{k: p}]}", "a.[k=q].b", true, "{a: ?}"),
            ("{a: '{b: x}'}", "a.b", false, "{a: ?}"),
        ] {
            let mut found = read(value);
            put(&mut found, &split(path, '.'), Some(&new), creates, Span::default());
            assert_eq!(show(&found), wanted, "{value} {path}");
        }
    }
}
