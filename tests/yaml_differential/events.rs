//! A tree as the events of libyaml, so that two readers can be compared.

use plimsoll::text::FileId;
use plimsoll::yaml::{Kind, Node, Style, parse};

/// One event; offsets in bytes, where they can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub what: String,
    pub start: Option<u64>,
    pub end: Option<u64>,
}

impl Event {
    pub fn new(what: impl Into<String>) -> Event {
        Event { what: what.into(), start: None, end: None }
    }
}

/// What a reader made of a stream: the documents before the first error, and whether there was one.
pub struct Outcome {
    pub documents: Vec<Vec<Event>>,
    pub error: Option<String>,
}

/// What our reader makes of `text`.
pub fn ours(text: &str) -> Outcome {
    let tree = parse(FileId(0), text.into());
    let mut outcome = Outcome { documents: Vec::new(), error: None };
    for document in tree.documents() {
        if let Some(error) = tree.error(document) {
            outcome.error = Some(format!("{} at {}", error.message, error.start));
            break;
        }
        let mut events = Vec::new();
        match tree.root(document) {
            Some(root) => write(root, &mut events),
            None => events.push(Event::new("=VAL :")),
        }
        outcome.documents.push(events);
    }
    outcome
}

fn write(node: Node<'_>, events: &mut Vec<Event>) {
    let tree = node.tree();
    let span = node.span();
    if node.is_alias() {
        let name = &tree.text()[span.range()];
        events.push(Event { what: format!("=ALI {name}"), start: Some(span.start.into()), end: Some(span.end.into()) });
        return;
    }
    let mut properties = String::new();
    let mut start = u64::from(span.start);
    for property in [node.anchor(), node.tag()].into_iter().flatten() {
        let at = property.as_ptr() as usize - tree.text().as_ptr() as usize;
        start = start.min(at as u64);
    }
    if let Some(anchor) = node.anchor() {
        properties = format!(" {anchor}");
    }
    if let Some(tag) = node.tag() {
        properties = format!("{properties} <{}>", long(tag));
    }
    let end = Some(u64::from(span.end));
    match node.kind() {
        Kind::Scalar => {
            let (mark, end) = match node.style() {
                Style::SingleQuoted => ('\'', end),
                Style::DoubleQuoted => ('"', end),
                Style::Literal => ('|', None),
                Style::Folded => ('>', None),
                _ => (':', end.filter(|_| !span.is_empty())),
            };
            let text = node.text().expect("a scalar has a text");
            let has_place = !span.is_empty() || !properties.is_empty();
            events.push(Event {
                what: format!("=VAL{properties} {mark}{text}"),
                start: has_place.then_some(start),
                end,
            });
        }
        kind => {
            let word = if kind == Kind::Mapping { "MAP" } else { "SEQ" };
            let (flow, end) = if node.style() == Style::Flow { (" flow", end) } else { ("", None) };
            events.push(Event { what: format!("+{word}{properties}{flow}"), start: Some(start), end: None });
            node.items().for_each(|item| write(item, events));
            for pair in node.pairs() {
                write(pair.key, events);
                write(pair.value, events);
            }
            // A pair in a list ends where its value does, for us; for libyaml at the next token.
            let has_bracket =
                tree.text()[span.range()].starts_with(['[', '{']) && tree.text()[span.range()].ends_with([']', '}']);
            events.push(Event { what: format!("-{word}"), start: None, end: end.filter(|_| has_bracket) });
        }
    }
}

/// A tag without directives, resolved.
fn long(tag: &str) -> String {
    if let Some(core) = tag.strip_prefix("!!") {
        return format!("tag:yaml.org,2002:{core}");
    }
    match tag.strip_prefix("!<").and_then(|tag| tag.strip_suffix('>')) {
        Some(verbatim) => verbatim.to_owned(),
        None => tag.to_owned(),
    }
}

/// How two readers differ, in words.
pub enum Difference {
    /// In what they read.
    Event(String),
    /// In how much they read, or whether they refuse the rest.
    Verdict(String),
}

/// The first difference between what we make of a text and what another reader does.
pub fn difference(ours: &Outcome, theirs: &Outcome) -> Option<Difference> {
    for (i, (a, b)) in ours.documents.iter().zip(&theirs.documents).enumerate() {
        for (at, (a, b)) in a.iter().zip(b).enumerate() {
            let differ = |a: Option<u64>, b: Option<u64>| matches!((a, b), (Some(a), Some(b)) if a != b);
            if a.what != b.what || differ(a.start, b.start) || differ(a.end, b.end) {
                return Some(Difference::Event(format!("document {i}, event {at}: ours {a:?}, theirs {b:?}")));
            }
        }
        if a.len() != b.len() {
            return Some(Difference::Event(format!("document {i}: {} events against {}", a.len(), b.len())));
        }
    }
    let (a, b) = (ours.documents.len(), theirs.documents.len());
    let is_same = a == b && ours.error.is_some() == theirs.error.is_some();
    (!is_same).then(|| {
        let errors = format!("ours: {:?}, theirs: {:?}", ours.error, theirs.error);
        Difference::Verdict(format!("{a} whole documents against {b}; {errors}"))
    })
}
