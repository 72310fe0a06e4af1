//! JSON patches, as kustomize applies them.
//!
//! Mirrors evanphx/json-patch 4.13, which kustomize 5.8 uses: `replace` sets a missing key of a map, `copy` takes null
//! from one, negative indexes count from the end, and whatever stands before the first `/` of a path is ignored.

use super::merge::unknown;
use crate::formats::read::Fields;
use crate::text::{Span, Spanned};
use crate::value::{Map, Text, Value};

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `op`.
    pub word: String,
    /// `path`.
    pub path: Spanned<String>,
    /// `from`.
    pub from: Option<String>,
    /// `value`; null when absent.
    pub value: Value,
}

/// An operation does not fit the object: the build fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misfit;

impl Operation {
    /// The operations of a patch text, which is a list of maps; `None` when it is anything else.
    pub fn list(document: &Value) -> Option<Vec<Operation>> {
        let Value::List(list) = document else { return None };
        list.items.iter().map(Operation::read).collect()
    }

    fn read(value: &Value) -> Option<Operation> {
        let fields = Fields::of(value)?;
        let text = |key| fields.text(key).and_then(|text| text.known().map(|known| known.map(str::to_owned)));
        Some(Operation {
            word: text("op")?.value,
            path: text("path")?,
            from: text("from").map(|from| from.value),
            value: fields.value("value").cloned().unwrap_or(Value::Null(fields.span())),
        })
    }

    /// The steps of its path.
    pub fn steps(&self) -> Vec<String> {
        steps(&self.path.value)
    }

    /// Applies it. `spare` is how many values a `copy` may add; it goes down.
    ///
    /// # Errors
    /// [`Misfit`] when a path leads nowhere, a test fails or the operation is none; the value may be changed in part.
    pub fn apply(&self, value: &mut Value, spare: &mut usize) -> Result<(), Misfit> {
        let span = self.path.span;
        match self.word.as_str() {
            "add" => add(value, &self.steps(), self.value.clone(), span),
            "remove" => remove(value, &self.steps()).map(drop),
            "replace" if self.path.value.is_empty() => {
                *value = self.value.clone();
                Ok(())
            }
            "replace" => replace(value, &self.steps(), self.value.clone(), span),
            "move" => {
                let moved = remove(value, &steps(self.from.as_deref().ok_or(Misfit)?))?;
                add(value, &self.steps(), moved, span)
            }
            "copy" => {
                let copied = find(value, &steps(self.from.as_deref().ok_or(Misfit)?))?;
                let copied = copied.cloned().unwrap_or(Value::Null(span));
                *spare = spare.checked_sub(size(&copied)).ok_or(Misfit)?;
                add(value, &self.steps(), copied, span)
            }
            "test" if self.path.value.is_empty() => Ok(()),
            "test" => match find(value, &self.steps())? {
                Some(found) if differ(found, &self.value) => Err(Misfit),
                None if !matches!(self.value, Value::Null(_)) => Err(Misfit),
                _ => Ok(()),
            },
            _ => Err(Misfit),
        }
    }

    /// What [`Operation::apply`] might do: the place it writes or removes becomes unknown.
    pub fn blur(&self, value: &mut Value) {
        let from = (self.word == "move").then_some(self.from.as_deref()).flatten().map(steps);
        for steps in [Some(self.steps()), from].into_iter().flatten().filter(|_| self.word != "test") {
            // An index moves the items behind it, so that the whole list is in doubt.
            let list = steps.iter().position(|step| step == "-" || step.parse::<i64>().is_ok());
            forget(value, &steps[..list.unwrap_or(steps.len())], self.path.span);
        }
    }
}

/// Makes the value at a path unknown, and the path with it where it is missing.
pub fn forget(value: &mut Value, steps: &[String], span: Span) {
    match (value, steps) {
        (Value::Unknown(_), _) => {}
        (Value::Map(map), [step, rest @ ..]) => {
            let at = entry(map, step, span);
            forget(&mut map.entries[at].1, rest, span);
        }
        (value, _) => *value = unknown(span),
    }
}

/// The steps of a JSON pointer, escapes resolved.
fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// How many values a value holds, itself included.
pub fn size(value: &Value) -> usize {
    match value {
        Value::Map(map) => 1 + map.entries.iter().map(|(_, value)| size(value)).sum::<usize>(),
        Value::List(list) => 1 + list.items.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn entry(map: &mut Map, key: &str, span: Span) -> usize {
    map.entries.iter().position(|(name, _)| name.value == key).unwrap_or_else(|| {
        map.entries.push((Spanned::new(key.to_owned(), span), Value::Null(span)));
        map.entries.len() - 1
    })
}

/// The index that a step means in a list of `len` items; `limit` is the first one that is out of bounds.
fn index(step: &str, len: usize, limit: usize) -> Result<usize, Misfit> {
    let number: i64 = step.parse().map_err(|_| Misfit)?;
    let at = if number < 0 { number + len as i64 } else { number };
    usize::try_from(at).ok().filter(|&at| at < limit).ok_or(Misfit)
}

fn child<'v>(value: &'v Value, step: &str) -> Result<&'v Value, Misfit> {
    match value {
        Value::Map(map) => map.get(step).ok_or(Misfit),
        Value::List(list) => Ok(&list.items[index(step, list.items.len(), list.items.len())?]),
        Value::Unknown(_) => Ok(value),
        _ => Err(Misfit),
    }
}

fn child_mut<'v>(value: &'v mut Value, step: &str) -> Result<&'v mut Value, Misfit> {
    match value {
        Value::Map(map) => {
            map.entries.iter_mut().find(|(key, _)| key.value == step).map(|(_, value)| value).ok_or(Misfit)
        }
        Value::List(list) => {
            let at = index(step, list.items.len(), list.items.len())?;
            Ok(&mut list.items[at])
        }
        Value::Unknown(_) => Ok(value),
        _ => Err(Misfit),
    }
}

/// The value at a path; nothing when only its last step is missing in a map.
fn find<'v>(value: &'v Value, steps: &[String]) -> Result<Option<&'v Value>, Misfit> {
    let (last, before) = steps.split_last().ok_or(Misfit)?;
    match before.iter().try_fold(value, |value, step| child(value, step))? {
        Value::Map(map) => Ok(map.get(last)),
        parent => child(parent, last).map(Some),
    }
}

/// The value that holds the last step, and that step.
fn parent<'v, 's>(value: &'v mut Value, steps: &'s [String]) -> Result<(&'v mut Value, &'s str), Misfit> {
    let (last, before) = steps.split_last().ok_or(Misfit)?;
    let mut at = value;
    for step in before {
        at = child_mut(at, step)?;
    }
    Ok((at, last))
}

fn add(value: &mut Value, steps: &[String], added: Value, span: Span) -> Result<(), Misfit> {
    match parent(value, steps)? {
        (Value::Map(map), key) => {
            let at = entry(map, key, span);
            map.entries[at].1 = added;
        }
        (Value::List(list), "-") => list.items.push(added),
        (Value::List(list), step) => {
            let len = list.items.len() + 1;
            list.items.insert(index(step, len, len)?, added);
        }
        (Value::Unknown(_), _) => {}
        _ => return Err(Misfit),
    }
    Ok(())
}

fn replace(value: &mut Value, steps: &[String], new: Value, span: Span) -> Result<(), Misfit> {
    match parent(value, steps)? {
        (Value::Map(map), key) => {
            let at = entry(map, key, span);
            map.entries[at].1 = new;
        }
        (Value::List(list), step) => {
            let at = index(step, list.items.len(), list.items.len())?;
            list.items[at] = new;
        }
        (Value::Unknown(_), _) => {}
        _ => return Err(Misfit),
    }
    Ok(())
}

fn remove(value: &mut Value, steps: &[String]) -> Result<Value, Misfit> {
    match parent(value, steps)? {
        (Value::Map(map), key) => {
            let at = map.entries.iter().position(|(name, _)| name.value == key).ok_or(Misfit)?;
            Ok(map.entries.remove(at).1)
        }
        (Value::List(list), step) => Ok(list.items.remove(index(step, list.items.len(), list.items.len())?)),
        (unknown @ Value::Unknown(_), _) => Ok(unknown.clone()),
        _ => Err(Misfit),
    }
}

/// Whether two values are certainly different.
fn differ(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => false,
        (Value::Null(_), Value::Null(_)) => false,
        (Value::Bool(a), Value::Bool(b)) => a.value != b.value,
        (Value::Int(a), Value::Int(b)) => a.value != b.value,
        (Value::Float(a), Value::Float(b)) => a.value != b.value,
        (Value::Text(a), Value::Text(b)) => matches!((a.as_str(), b.as_str()), (Some(a), Some(b)) if a != b),
        (Value::List(a), Value::List(b)) => {
            a.items.len() != b.items.len() || a.items.iter().zip(&b.items).any(|(a, b)| differ(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.entries.len() != b.entries.len()
                || a.entries.iter().any(|(key, value)| b.get(&key.value).is_none_or(|other| differ(value, other)))
        }
        _ => true,
    }
}

/// A text as a value.
pub fn text(value: &str, span: Span) -> Value {
    Value::Text(Text::known_at(value, span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::built::tests::{read, show};

    fn applied(target: &str, operations: &str) -> String {
        let mut value = read(target);
        let mut spare = 100;
        let operations = Operation::list(&read(operations)).expect("the test lists operations");
        let result = operations.iter().try_for_each(|operation| operation.apply(&mut value, &mut spare));
        result.map_or_else(|Misfit| "misfit".to_owned(), |()| show(&value))
    }

    #[test]
    fn operations_do_what_kustomize_makes_of_them() {
        for (target, operations, wanted) in [
            ("{a: {}}", "[{op: add, path: /a/b, value: 1}]", "{a: {b: 1}}"),
            ("{}", "[{op: add, path: /a/b, value: 1}]", "misfit"),
            ("{a: [1]}", "[{op: add, path: /a/-, value: 2}]", "{a: [1, 2]}"),
            ("{a: [1]}", "[{op: add, path: /a/0, value: 2}]", "{a: [2, 1]}"),
            ("{a: [1]}", "[{op: add, path: /a/2, value: 2}]", "misfit"),
            ("{a: [1, 2]}", "[{op: remove, path: /a/-1}]", "{a: [1]}"),
            ("{a: 1}", "[{op: remove, path: /b}]", "misfit"),
            ("{a: 1}", "[{op: replace, path: /b, value: 2}]", "{a: 1, b: 2}"),
            ("{a: [1]}", "[{op: replace, path: /a/1, value: 2}]", "misfit"),
            ("{a: 1}", "[{op: replace, path: '', value: {b: 2}}]", "{b: 2}"),
            ("{a/b: 1, c~d: 2}", "[{op: remove, path: /a~1b}, {op: remove, path: /c~0d}]", "{}"),
            ("{a: 1}", "[{op: move, from: /a, path: /b}]", "{b: 1}"),
            ("{a: 1}", "[{op: copy, from: /a, path: /b}]", "{a: 1, b: 1}"),
            ("{a: 1}", "[{op: test, path: /a, value: 1}, {op: remove, path: /a}]", "{}"),
            ("{a: 1}", "[{op: test, path: /a, value: 2}]", "misfit"),
            ("{a: 1}", "[{op: tset, path: /a, value: 1}]", "misfit"),
        ] {
            assert_eq!(applied(target, operations), wanted, "{target} {operations}");
        }
    }

    #[test]
    fn copies_do_not_grow_without_limit() {
        let doubling = "{op: copy, from: /a, path: /a/b}, ".repeat(40);
        assert_eq!(applied("{a: {}}", &format!("[{doubling}]")), "misfit");
    }

    #[test]
    fn what_an_operation_might_do_is_unknown_and_nothing_else() {
        let mut value = read("{a: {b: 1, c: 2}, d: [1]}");
        for operation in Operation::list(&read("[{op: remove, path: /a/b}, {op: add, path: /d/0, value: 2}]")).unwrap()
        {
            operation.blur(&mut value);
        }
        assert_eq!(show(&value), "{a: {b: ?, c: 2}, d: ?}");
    }
}
