//! What an ApplicationSet would yield were it written otherwise: the difference shows what a peculiarity of Argo CD does.
//!
//! A number that prints otherwise than it is written matters only where a text shows it; a parameter that both children
//! of a matrix yield only where the template would differ. The same simulation runs a second time and answers that.

use super::problem::{Problem, ProblemKind};
use super::{Expander, Provenance, Rendered};
use crate::formats::read;
use crate::lang::template;
use crate::repo::Repo;
use crate::text::{FileId, Span};
use crate::value::{List, Map, Text, Value};
use crate::yaml;
use std::collections::BTreeMap;

/// How a set is read in a second run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Scalars of this sort that print otherwise are texts, as if they were quoted.
    Quoted(Sort),
    /// Of two parameters of one name the second child's wins.
    InnerWins,
}

/// The sorts of scalar that print otherwise than they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// A number.
    Number,
    /// A boolean that is not written as `true` or `false`.
    Boolean,
}

/// A scalar of a parameter that prints otherwise than it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Mangled {
    sort: Sort,
    written: String,
    printed: String,
}

/// What a run meets that a second one may tell apart.
#[derive(Debug, Default)]
pub struct Oddities {
    /// By place.
    pub mangled: BTreeMap<Span, Mangled>,
    /// Problems that matter only when the second child would make a difference.
    pub collisions: Vec<Problem>,
}

impl Oddities {
    /// Whether a variant may yield something else.
    pub fn call_for(&self, variant: Variant) -> bool {
        match variant {
            Variant::Quoted(sort) => self.mangled.values().any(|mangled| mangled.sort == sort),
            Variant::InnerWins => !self.collisions.is_empty(),
        }
    }
}

impl Expander<'_> {
    /// A parameter as a template sees it. What prints otherwise than it is written in the file is kept in mind, and is a
    /// text in a variant that says so.
    pub fn parameter(&mut self, value: &Value) -> template::Value {
        let mut value = value.clone();
        let repo = self.repo;
        visit(&mut value, &mut |scalar| {
            let Some((span, mangled)) = mangled(scalar, repo) else { return };
            if self.variant == Some(Variant::Quoted(mangled.sort)) {
                *scalar = Value::Text(Text::known_at(mangled.written.clone(), span));
            }
            self.oddities.mangled.insert(span, mangled);
        });
        super::convert::to_template(&value)
    }
}

fn visit(value: &mut Value, each: &mut impl FnMut(&mut Value)) {
    match value {
        Value::List(List { items, .. }) => items.iter_mut().for_each(|item| visit(item, each)),
        Value::Map(Map { entries, .. }) => entries.iter_mut().for_each(|(_, value)| visit(value, each)),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => each(value),
        _ => {}
    }
}

fn mangled(value: &Value, repo: &Repo) -> Option<(Span, Mangled)> {
    let span = value.span();
    let written = repo.file(span.file)?.source.text.get(span.range())?;
    // A tag, an anchor or an alias says more than the scalar does.
    if written.starts_with(['*', '!', '&', '"', '\'']) || written.contains(char::is_whitespace) {
        return None;
    }
    let (sort, printed) = match value {
        Value::Bool(_) if written.eq_ignore_ascii_case("true") || written.eq_ignore_ascii_case("false") => return None,
        Value::Bool(bool) => (Sort::Boolean, bool.value.to_string()),
        // Most numbers are small and plain.
        Value::Int(int) if int.value.abs() < 1_000_000 && int.value.to_string() == written => return None,
        other => (Sort::Number, super::convert::to_template(other).print().ok()?),
    };
    (printed != written).then(|| (span, Mangled { sort, written: written.to_owned(), printed }))
}

/// The problems of scalars that some text shows, by comparing with the run in which they are texts.
pub fn mangled_texts(sort: Sort, oddities: &Oddities, as_is: &[Rendered], quoted: &[Rendered]) -> Vec<Problem> {
    if as_is.len() != quoted.len() {
        return Vec::new();
    }
    let mut shown: BTreeMap<Span, Span> = BTreeMap::new();
    let mut is_explained = true;
    for (one, other) in as_is.iter().zip(quoted) {
        let mut differences = Vec::new();
        differing(&one.application, &other.application, &mut Vec::new(), &mut differences);
        let ours: Vec<(&Span, &Mangled)> =
            oddities.mangled.iter().filter(|(span, mangled)| mangled.sort == sort && is_from(one, **span)).collect();
        for difference in differences {
            match difference {
                Difference::Texts { path, one, other, place } => {
                    let in_one = ours.iter().filter(|(_, it)| one.contains(&it.printed) && other.contains(&it.written));
                    let changed = in_one
                        .clone()
                        .fold(one.to_owned(), |text, (_, it)| text.replacen(&it.printed, &it.written, usize::MAX));
                    if changed != other {
                        is_explained = false;
                    } else if !is_same_to_helm(sort, &path, one, other) {
                        shown.extend(in_one.map(|(span, _)| (**span, place)));
                    }
                }
                Difference::Other => is_explained = false,
            }
        }
    }
    let problem = |(span, place): (Span, Span)| {
        let Mangled { written, printed, .. } = &oddities.mangled[&span];
        let message = match sort {
            Sort::Number => format!("the number `{written}` becomes the text `{printed}`"),
            Sort::Boolean => format!("the word `{written}` is a boolean and becomes the text `{printed}`"),
        };
        let problem = Problem::new(ProblemKind::Mangled, span, message).help(format!("quote it: `\"{written}\"`"));
        let problem = problem.label(Some((place, "used in this text".to_owned())));
        Problem { quotes: if is_explained { vec![span] } else { Vec::new() }, ..problem }
    };
    shown.into_iter().map(problem).collect()
}

/// Whether an Application is made from the file or element that holds a scalar.
fn is_from(rendered: &Rendered, span: Span) -> bool {
    rendered.from.iter().any(|from| match from {
        Provenance::File(id) => *id == span.file,
        Provenance::Element(element) => element.contains(span),
        _ => false,
    })
}

/// Whether Helm reads the same from both: its values are YAML again, where a number is a number however it is written, and
/// booleans are at home in all that it is given.
fn is_same_to_helm(sort: Sort, path: &[&str], one: &str, other: &str) -> bool {
    let Some(at) = path.iter().position(|key| *key == "helm") else { return false };
    let field = path.get(at + 1).copied().unwrap_or_default();
    let gives_values = matches!(field, "values" | "valuesObject" | "parameters");
    let parsed = |text: &str| {
        let tree = yaml::parse(FileId::default(), text.into());
        let root = tree.documents().first().and_then(|document| tree.root(document));
        root.map(|root| super::convert::to_template(&read::value(root)))
    };
    (gives_values && sort == Sort::Boolean) || (field == "values" && parsed(one) == parsed(other))
}

enum Difference<'v> {
    Texts { path: Vec<&'v str>, one: &'v str, other: &'v str, place: Span },
    Other,
}

/// Where two Applications differ, in order.
fn differing<'v>(one: &'v Value, other: &'v Value, path: &mut Vec<&'v str>, found: &mut Vec<Difference<'v>>) {
    match (one, other) {
        (Value::Map(a), Value::Map(b)) if a.entries.len() == b.entries.len() => {
            for ((key, value), (other_key, other)) in a.entries.iter().zip(&b.entries) {
                if key.value != other_key.value {
                    found.push(Difference::Other);
                }
                path.push(&key.value);
                differing(value, other, path, found);
                path.pop();
            }
        }
        (Value::List(a), Value::List(b)) if a.items.len() == b.items.len() => {
            a.items.iter().zip(&b.items).for_each(|(a, b)| differing(a, b, path, found));
        }
        (Value::Text(a), Value::Text(b)) => {
            if let (Some(one), Some(other)) = (a.known(), b.known())
                && one.value != other.value
            {
                found.push(Difference::Texts {
                    path: path.clone(),
                    one: one.value,
                    other: other.value,
                    place: one.span,
                });
            }
        }
        (one, other) if one == other => {}
        _ => found.push(Difference::Other),
    }
}

/// Whether two runs yield the same Applications, wherever their texts come from.
pub fn yield_the_same(one: &[Rendered], other: &[Rendered]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let mut found = Vec::new();
            differing(&one.application, &other.application, &mut Vec::new(), &mut found);
            found.is_empty()
        })
}

/// The parameter in which two sets of a matrix differ, and of which the first set's wins: its dotted name, or that of the
/// object which git generators put their path into.
pub fn collisions(outer: &super::Values, inner: &super::Values) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in outer {
        if let Some(other) = inner.get(key) {
            collide(key, value, other, &mut names);
        }
    }
    names
}

fn collide(name: &str, one: &template::Value, other: &template::Value, names: &mut Vec<String>) {
    let is_path = |value: &template::Value| value.entries().is_some_and(|entries| entries.contains_key("segments"));
    match (one.entries(), other.entries()) {
        (Some(ours), Some(theirs)) if !(is_path(one) && is_path(other)) => {
            for (key, value) in ours {
                if let Some(other) = theirs.get(key) {
                    collide(&format!("{name}.{key}"), value, other, names);
                }
            }
        }
        _ if one.is_known() && other.is_known() && one != other => names.push(name.to_owned()),
        _ => {}
    }
}
