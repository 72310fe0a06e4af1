//! Fills texts with parameters, in either mode.
//!
//! Mirrors Argo CD 3.6, `applicationset/utils/utils.go`, `Render.Replace`.

use super::Expander;
use super::failure::{Class, Failure};
use super::params::{Mode, Params};
use crate::lang::fasttemplate::{self, Piece as Part};
use crate::lang::template::ast::Bytes;
use crate::lang::template::{self, Data, Dialect, ErrorKind, MissingKey, Template};
use crate::text::{Span, Spanned};
use crate::value::{List, Map, Piece, Text, Unknown, Value, Why};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What Go's error texts call a template of an ApplicationSet.
const NAME: &str = "base";

/// Parsed templates and the options they run with.
pub struct Engine {
    options: template::Options,
    parsed: FxHashMap<String, Result<Rc<Template>, template::Error>>,
}

impl Engine {
    /// An engine with the options of an ApplicationSet; in placeholder mode they are ignored.
    pub fn new(mode: Mode, options: &[Text]) -> Result<Engine, Failure> {
        let mut engine = Engine { options: template::Options::default(), parsed: FxHashMap::default() };
        if mode == Mode::Go {
            for option in options.iter().filter_map(|option| option.known()) {
                engine.options.set(option.value).map_err(|unknown| {
                    let message = format!("`{}` is no option of Go templates; the controller panics", unknown.0);
                    Failure::new(Class::ControllerPanic, option.span, message).help("write `missingkey=error`")
                })?;
            }
        }
        Ok(engine)
    }

    fn template(&mut self, text: &str) -> Result<Rc<Template>, template::Error> {
        if let Some(parsed) = self.parsed.get(text) {
            return parsed.clone();
        }
        let parsed = Template::parse(NAME, text, Dialect::ARGO_CD).map(Rc::new);
        self.parsed.insert(text.to_owned(), parsed.clone());
        parsed
    }
}

/// One parameter set, ready to fill texts.
pub struct Filler {
    data: Option<Data>,
    params: Params,
}

impl Filler {
    /// A filler for one set.
    pub fn new(params: &Params, cx: &Expander<'_>) -> Filler {
        let data = (cx.mode == Mode::Go).then(|| Data::new(&params.root()));
        Filler { data, params: params.clone() }
    }

    /// Whether the set has no parameter at all: then Argo CD renders nothing.
    pub fn is_empty(&self) -> bool {
        self.params.values.is_empty() && self.params.open.is_none()
    }

    /// The text, filled.
    pub fn text(&self, text: &Text, cx: &mut Expander<'_>) -> Result<Text, Failure> {
        let options = cx.engine.options;
        self.fill(text, &options, cx)
    }

    /// The text, filled under `missingkey=error` whatever the ApplicationSet says.
    pub fn strict(&self, text: &Text, cx: &mut Expander<'_>) -> Result<Text, Failure> {
        let options = template::Options { missing_key: MissingKey::Error };
        self.fill(text, &options, cx)
    }

    fn fill(&self, text: &Text, options: &template::Options, cx: &mut Expander<'_>) -> Result<Text, Failure> {
        let Some(known) = text.known() else {
            // What stands beside an unknown piece may be the half of a tag.
            let has_tag =
                text.pieces().iter().any(|piece| matches!(piece, Piece::Known(part) if part.value.contains("{{")));
            let first = text.unknowns().next().filter(|_| has_tag);
            return Ok(first.map_or_else(|| text.clone(), |unknown| Text::unknown(unknown.why.clone(), text.span())));
        };
        if !known.value.contains("{{") {
            return Ok(text.clone());
        }
        match &self.data {
            Some(data) => fill_go(known, data, options, cx),
            None => fill_placeholders(known, &self.params, cx),
        }
    }

    /// A value with every text in it filled, keys included. Numbers and booleans stay.
    pub fn value(&self, value: &Value, cx: &mut Expander<'_>) -> Result<Value, Failure> {
        Ok(match value {
            Value::Text(text) => Value::Text(self.text(text, cx)?),
            Value::List(list) => {
                let items = list.items.iter().map(|item| self.value(item, cx)).collect::<Result<_, _>>()?;
                Value::List(List { items, span: list.span })
            }
            Value::Map(map) => {
                let mut filled = Map { entries: Vec::with_capacity(map.entries.len()), span: map.span };
                for (key, value) in &map.entries {
                    let value = self.value(value, cx)?;
                    if let Some(key) = self.key(key, cx)? {
                        filled.entries.retain(|(other, _)| other.value != key.value);
                        filled.entries.push((key, value));
                    }
                }
                Value::Map(filled)
            }
            other => other.clone(),
        })
    }

    /// A key, filled; `None` when it is not known.
    fn key(&self, key: &Spanned<String>, cx: &mut Expander<'_>) -> Result<Option<Spanned<String>>, Failure> {
        if !key.value.contains("{{") {
            return Ok(Some(key.clone()));
        }
        let filled = self.text(&Text::known_at(key.value.clone(), key.span), cx)?;
        Ok(filled.as_str().map(|text| Spanned::new(text.to_owned(), key.span)))
    }
}

fn fill_go(
    text: Spanned<&str>,
    data: &Data,
    options: &template::Options,
    cx: &mut Expander<'_>,
) -> Result<Text, Failure> {
    let fail = |error: template::Error, cx: &Expander<'_>| {
        let class = match error.kind {
            ErrorKind::Parse => Class::TemplateParse,
            ErrorKind::MissingKey => Class::MissingKey,
            ErrorKind::Exec => Class::TemplateExec,
            ErrorKind::Limit => Class::TooMany,
        };
        let place = cx.place(text.span, error.bytes.start as usize, error.bytes.end as usize);
        Failure::new(class, place, format!("template fails: {}", error.message))
    };
    let template = cx.engine.template(text.value).map_err(|error| fail(error, cx))?;
    let place = |_: &template::Source, bytes: Bytes| cx.place(text.span, bytes.start as usize, bytes.end as usize);
    template.render(data, options, &place).map_err(|error| fail(error, cx))
}

fn fill_placeholders(text: Spanned<&str>, params: &Params, cx: &Expander<'_>) -> Result<Text, Failure> {
    let parts = fasttemplate::parse(text.value).map_err(|error| {
        let place = cx.place(text.span, error.offset, text.value.len());
        Failure::new(Class::TemplateParse, place, format!("template fails: {error}"))
    })?;
    let mut filled = Text::default();
    let mut at = 0;
    for part in parts {
        match part {
            Part::Literal(literal) => {
                let place = cx.place(text.span, at, at + literal.len());
                filled.push(Piece::Known(Spanned::new(literal.to_owned(), place)));
                at += literal.len();
            }
            Part::Tag { range, name } => {
                let place = cx.place(text.span, range.start, range.end);
                at = range.end;
                filled.push(parameter(name, &text.value[range], params, place));
            }
        }
    }
    Ok(filled)
}

/// The value of a tag; a name that is no text parameter leaves the tag as it is.
fn parameter(name: &str, written: &str, params: &Params, place: Span) -> Piece {
    let unknown = |why: &Why| Piece::Unknown(Unknown { why: why.clone(), span: place });
    match params.values.get(name) {
        Some(template::Value::String(text)) => Piece::Known(Spanned::new(text.clone(), place)),
        Some(template::Value::Unknown(why)) => unknown(why),
        Some(_) => Piece::Known(Spanned::new(written.to_owned(), place)),
        None => match params.may_have(name) {
            Some(why) => unknown(why),
            None => Piece::Known(Spanned::new(written.to_owned(), place)),
        },
    }
}
