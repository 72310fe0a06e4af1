//! Selectors: which clusters a generator takes, and which of its sets an entry keeps.
//!
//! Mirrors Argo CD 3.6, `applicationset/utils/selector.go`, and Kubernetes' label selectors.

use super::failure::{Class, Failure};
use super::params::{Params, flatten};
use crate::formats::read::Fields;
use crate::lang::selector::{Operator, Problem, Requirement, Selector, Values};
use crate::lang::template;
use crate::text::Span;
use crate::value::Value;

/// Whether something is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// A label, or the selector itself, is not known.
    Unknown,
}

/// A selector whose parts may be unknown.
pub struct Selection {
    /// What is known of it.
    pub selector: Selector,
    /// Where the key and the values of each known requirement are written, in the same order.
    pub places: Vec<(Span, Span)>,
    /// Whether it has requirements that are not known.
    is_partial: bool,
}

/// A label: absent, present with a text, or present (perhaps) with one that is not known.
pub enum Label<'a> {
    /// It is certainly not there.
    Absent,
    /// Its text.
    Known(&'a str),
    /// Neither is known.
    Unknown,
}

impl Selection {
    /// The selector that takes everything.
    pub fn everything() -> Selection {
        Selection { selector: Selector::new(Vec::new()), places: Vec::new(), is_partial: false }
    }

    /// Compiles a `LabelSelector`.
    ///
    /// # Errors
    /// When Argo CD refuses a key, an operator or a value.
    pub fn new(value: &Value, values: Values) -> Result<Selection, Failure> {
        let Some(fields) = Fields::of(value) else {
            return Ok(Selection { is_partial: matches!(value, Value::Unknown(_)), ..Selection::everything() });
        };
        let mut selection = Selection::everything();
        let mut requirements = Vec::new();
        for (key, text) in fields.text_entries("matchLabels") {
            match text.as_str() {
                Some(known) => {
                    requirements.push(requirement(
                        Spanned { text: &key.value, span: key.span },
                        Operator::In,
                        vec![known.to_owned()],
                        text.span(),
                        values,
                    )?);
                    selection.places.push((key.span, text.span()));
                }
                None => selection.is_partial = true,
            }
        }
        for expression in fields.items("matchExpressions").iter().filter_map(Fields::of) {
            let (Some(key), Some(operator)) = (expression.text("key"), expression.text("operator")) else { continue };
            let texts = expression.texts("values");
            let known: Option<Vec<String>> = texts.iter().map(|text| text.as_str().map(str::to_owned)).collect();
            let (Some(name), Some(word), Some(known)) = (key.as_str(), operator.as_str(), known) else {
                selection.is_partial = true;
                continue;
            };
            let Some(operator) = Operator::of_expression(word) else {
                let message = format!("`{word}` is no operator of a selector");
                return Err(Failure::new(Class::SelectorValues, operator.span(), message)
                    .help("write `In`, `NotIn`, `Exists` or `DoesNotExist`"));
            };
            let place = expression.value("values").map_or_else(|| expression.span(), Value::span);
            requirements.push(requirement(Spanned { text: name, span: key.span() }, operator, known, place, values)?);
            selection.places.push((key.span(), place));
        }
        selection.selector = Selector::new(requirements);
        Ok(selection)
    }

    /// Whether it has no requirement at all.
    pub fn is_everything(&self) -> bool {
        self.selector.is_empty() && !self.is_partial
    }

    /// Whether something with these labels is taken.
    pub fn answer<'a>(&self, label: impl Fn(&str) -> Label<'a>) -> Answer {
        let mut answer = if self.is_partial { Answer::Unknown } else { Answer::Yes };
        for requirement in self.selector.requirements() {
            let is_admitted = match label(requirement.key()) {
                Label::Absent => requirement.admits(None),
                Label::Known(text) => requirement.admits(Some(text)),
                Label::Unknown => {
                    answer = Answer::Unknown;
                    true
                }
            };
            if !is_admitted {
                return Answer::No;
            }
        }
        answer
    }
}

struct Spanned<'t> {
    text: &'t str,
    span: Span,
}

fn requirement(
    key: Spanned<'_>,
    operator: Operator,
    texts: Vec<String>,
    place: Span,
    values: Values,
) -> Result<Requirement, Failure> {
    Requirement::new(key.text.to_owned(), operator, texts, values).map_err(|problems| match problems.first() {
        Some(Problem::Key) => {
            let message = format!("`{}` cannot be a key of a selector", key.text);
            Failure::new(Class::SelectorKey, key.span, message)
                .help("a key is letters, digits, `-`, `_` and `.`, at most 63; select on another parameter")
        }
        other => {
            let reason = other.map(Problem::to_string).unwrap_or_default();
            Failure::new(Class::SelectorValues, place, format!("this selector is refused: {reason}"))
        }
    })
}

/// The sets that an entry's selector keeps: it sees flattened parameters, and takes any text as a value.
///
/// A set of which it cannot be told stays, as one that stands for any number of sets.
pub fn keep(sets: Vec<Params>, selector: Option<&Value>) -> Result<Vec<Params>, Failure> {
    let Some(selector) = selector else { return Ok(sets) };
    let selection = Selection::new(selector, Values::Any)?;
    if selection.is_everything() {
        return Ok(sets);
    }
    let mut kept = Vec::with_capacity(sets.len());
    for mut set in sets {
        let flat = flatten(&set.values);
        let answer = selection.answer(|key| match flat.get(key) {
            Some(template::Value::String(text)) => Label::Known(text),
            Some(_) => Label::Unknown,
            None if set.may_have(key).is_some() => Label::Unknown,
            None => Label::Absent,
        });
        match answer {
            Answer::Yes => kept.push(set),
            Answer::No => {}
            Answer::Unknown => {
                set.is_symbolic = true;
                kept.push(set);
            }
        }
    }
    Ok(kept)
}
