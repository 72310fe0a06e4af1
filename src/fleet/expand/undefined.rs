//! Parameters that a text reads and a set lacks: what they are called, who lacks them, and what was meant.

use super::Expander;
use super::failure::{Class, Failure};
use super::params::{Mode, Params, Provenance};
use super::problem::{Problem, ProblemKind};
use super::syntax;
use crate::formats::argo::generator::Combination;
use crate::lang::template::ast::Bytes;
use crate::lang::template::{Notice, NoticeKind, Value};
use crate::text::{Span, Spanned, similar};
use std::collections::{BTreeMap, BTreeSet};

/// Parameters named in a help.
const NAMED: usize = 5;

/// The failure of a text that reads an absent key under `missingkey=error`. `bytes` are the key's.
pub fn failure(text: &Spanned<&str>, bytes: Bytes, params: &Params, cx: &Expander<'_>) -> Failure {
    let read = Read::of(text.value, bytes);
    let place = cx.place(text.span, bytes.start as usize, bytes.end as usize);
    let message = format!("there is no parameter `{}`, and `missingkey=error` is set", read.name);
    let has_default = text.value[bytes.end as usize..].trim_start().starts_with("| default");
    let help = match read.siblings(params) {
        _ if has_default => "`default` comes too late under `missingkey=error`: use `dig`, or define it".to_owned(),
        Some(siblings) => meant(&read, siblings, &cx.uneven),
        None => "define it, or ask with `hasKey` first".to_owned(),
    };
    let failure = Failure::new(Class::MissingKey, place, message).help(help);
    match lacking(&read.name, params, cx) {
        Some((span, text)) => failure.label(span, text),
        None => failure,
    }
}

/// Notes what a Go template passed over.
pub fn notice(text: &Spanned<&str>, notices: &[Notice], params: &Params, cx: &mut Expander<'_>) {
    for notice in notices {
        let place = |bytes: Bytes, cx: &Expander<'_>| cx.place(text.span, bytes.start as usize, bytes.end as usize);
        let action = notice.bytes.of(text.value);
        match notice.kind {
            NoticeKind::AbsentKey => cx.reads_absent_keys = true,
            NoticeKind::PrintedMap => {
                let place = place(notice.bytes, cx);
                cx.note(syntax::printed_map(action, place));
            }
            NoticeKind::NoValue => {
                let inside = |other: &&Notice| {
                    other.kind == NoticeKind::AbsentKey
                        && notice.bytes.start <= other.bytes.start
                        && other.bytes.end <= notice.bytes.end
                };
                // Without an absent key it is a null, or the work of a function.
                let absent = notices.iter().rfind(inside);
                let place = place(absent.map_or(notice.bytes, |absent| absent.bytes), cx);
                let problem = |message: String| Problem::new(ProblemKind::Undefined, place, message);
                let problem = match absent.map(|absent| Read::of(text.value, absent.bytes)) {
                    Some(read) => {
                        let message = format!("there is no parameter `{}`: the text becomes `<no value>`", read.name);
                        let help = read.siblings(params).map(|siblings| meant(&read, siblings, &cx.uneven));
                        problem(message)
                            .help(help.unwrap_or_else(|| "define it, or give it a `default`".to_owned()))
                            .label(lacking(&read.name, params, cx))
                    }
                    None => problem(format!("`{action}` has no value here: the text becomes `<no value>`"))
                        .help("give it a value, or a `default`"),
                };
                cx.note(problem);
            }
        }
    }
}

/// Notes a placeholder that nothing fills. `place` is that of the braces.
pub fn leftover(name: &str, written: &str, place: Span, params: &Params, cx: &mut Expander<'_>) {
    let is_foreign = cx.is_foreign(place);
    if syntax::is_go(name) {
        let root = name.trim_start_matches('.').split(['.', ' ']).next().unwrap_or_default();
        if is_foreign && params.values.keys().any(|known| known.split('.').next() == Some(root)) {
            cx.note(syntax::go_in_placeholder(name, written, place));
        }
        return;
    }
    let siblings: Vec<&str> = params.values.keys().map(String::as_str).collect();
    let near = similar::near(name, siblings.iter().copied());
    // A text of another tool may hold placeholders of its own.
    if name.is_empty() || (is_foreign && similar::certain(name, &near).is_none()) {
        return;
    }
    let problem = |message: String| Problem::new(ProblemKind::Undefined, place, message);
    let problem = match params.values.get(name) {
        Some(_) => problem(format!("`{written}` stays as it is: parameter `{name}` is no text"))
            .help("set `goTemplate: true`, or make it a text"),
        None => {
            let read = Read { name: name.to_owned(), parents: Some(Vec::new()) };
            problem(format!("`{written}` stays as it is: there is no parameter `{name}`"))
                .help(meant(&read, siblings, &cx.uneven))
                .label(lacking(name, params, cx))
        }
    };
    cx.note(problem);
}

/// A key that a template reads.
struct Read {
    /// Its dotted name from the root, or as far as it can be told.
    name: String,
    /// The keys before it; `None` when it is not read from the root.
    parents: Option<Vec<String>>,
}

impl Read {
    /// The key that stands at these bytes.
    fn of(text: &str, bytes: Bytes) -> Read {
        let end = bytes.end as usize;
        let before = text[..bytes.start as usize].trim_end_matches(|c: char| c.is_alphanumeric() || "_.$".contains(c));
        let chain = &text[before.len()..end];
        let dotted = chain.strip_prefix('$').unwrap_or(chain);
        let is_root = dotted.starts_with('.') && !text[..before.len()].contains("range") && !before.contains("with");
        let mut names: Vec<String> = dotted.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let name = names.join(".");
        names.pop();
        Read { name, parents: is_root.then_some(names) }
    }

    /// The keys beside which it would stand.
    fn siblings<'p>(&self, params: &'p Params) -> Option<Vec<&'p str>> {
        let mut entries: &BTreeMap<String, Value> = &params.values;
        for parent in self.parents.as_ref()? {
            entries = entries.get(parent)?.entries()?;
        }
        Some(entries.keys().map(String::as_str).collect())
    }
}

/// The top-level parameters that some sets have, and some lack.
pub fn uneven(sets: &[Params]) -> BTreeSet<String> {
    let Some((first, others)) = sets.split_first() else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    for set in others.iter().filter(|set| !set.values.keys().eq(first.values.keys())) {
        let only = |one: &Params, other: &Params| {
            let keys = one.values.keys().filter(|key| !other.values.contains_key(*key));
            keys.cloned().collect::<Vec<_>>()
        };
        found.extend(only(set, first));
        found.extend(only(first, set));
    }
    found
}

/// What to write instead. What other sets have is spelt right in the template, and wrong where the parameters come from.
fn meant(read: &Read, siblings: Vec<&str>, uneven: &BTreeSet<String>) -> String {
    if uneven.contains(&read.name) {
        let odd = siblings.iter().copied().filter(|name| uneven.contains(*name));
        return match similar::nearest(&read.name, odd) {
            Some(near) => format!("rename `{near}` to `{}` there, as others of this set have it", read.name),
            None => format!("define `{}` there, as others of this set do", read.name),
        };
    }
    let full = |name: &str| match &read.parents {
        Some(parents) => parents.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("."),
        None => name.to_owned(),
    };
    let last = read.name.rsplit('.').next().unwrap_or_default();
    let written = if read.parents.as_ref().is_some_and(Vec::is_empty) { &read.name } else { last };
    if let Some(near) = similar::nearest(written, siblings.iter().copied()) {
        return format!("did you mean `{}`?", full(near));
    }
    let count = siblings.len();
    let mut named: Vec<String> = similar::by_likeness(written, siblings).into_iter().take(NAMED).map(full).collect();
    named.iter_mut().for_each(|name| *name = format!("`{name}`"));
    match count {
        0 => "define it".to_owned(),
        _ if count > NAMED => format!("define it, or write one of {} …", named.join(", ")),
        1 => format!("define it, or write {}", named.join("")),
        _ => format!("define it, or write one of {}", named.join(", ")),
    }
}

/// Notes merge keys that no set of a generator has: they count as null, so all sets of it have one key.
pub fn merge_keys(merge: &Combination, sets: &[Params], cx: &mut Expander<'_>) {
    for key in merge.merge_keys.iter().filter_map(|key| key.known()) {
        let may_have = |set: &Params| set.values.contains_key(key.value) || set.may_have(key.value).is_some();
        let Some(first) = sets.first().filter(|_| !sets.iter().any(may_have)) else { continue };
        let message = format!("no parameter `{}` in a generator of this merge: it counts as null", key.value);
        let is_nested = key.value.split_once('.').is_some_and(|(root, _)| first.values.contains_key(root));
        let help = match cx.mode {
            Mode::Go if is_nested => "with Go templates only top-level parameters can be merge keys".to_owned(),
            _ => {
                let read = Read { name: key.value.to_owned(), parents: Some(Vec::new()) };
                meant(&read, first.values.keys().map(String::as_str).collect(), &BTreeSet::new())
            }
        };
        let problem = Problem::new(ProblemKind::Undefined, key.span, message).help(help);
        cx.note(problem.label(lacking(key.value, first, cx)));
    }
}

/// The place that a set was made from and that lacks a parameter.
fn lacking(name: &str, params: &Params, cx: &Expander<'_>) -> Option<(Span, String)> {
    let place = source(params, cx)?;
    let from = params.from.iter().rev().find(|from| place_of(from, cx).is_some());
    let what = match from? {
        Provenance::File(id) => format!("`{}`", cx.repo.entry(*id).path),
        Provenance::Cluster(_) => "this cluster".to_owned(),
        _ => "this element".to_owned(),
    };
    Some((place, format!("{what} has no `{name}`")))
}

/// The place that a set was made from: the innermost file, element or cluster.
pub fn source(params: &Params, cx: &Expander<'_>) -> Option<Span> {
    params.from.iter().rev().find_map(|from| place_of(from, cx))
}

fn place_of(from: &Provenance, cx: &Expander<'_>) -> Option<Span> {
    match from {
        Provenance::File(id) => Some(Span::new(*id, 0, 0)),
        Provenance::Element(span) => Some(*span),
        Provenance::Cluster(id) => {
            let (file, document) = cx.repo.document(*id);
            let node = document.node(&file.tree).at(&["metadata", "name"]);
            Some(node.map_or(document.span, |node| node.span()))
        }
        _ => None,
    }
}
