//! Fills texts with parameters, in either mode.
//!
//! Mirrors Argo CD 3.6, `applicationset/utils/utils.go`, `Render.Replace`.

use super::Expander;
use super::failure::{Class, Failure};
use super::params::{Mode, Params};
use super::problem::Problem;
use super::{syntax, undefined};
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
                    Failure::new(Class::TemplateOption, option.span, message).help("write `missingkey=error`")
                })?;
            }
        }
        Ok(engine)
    }

    /// The text as a template, parsed once.
    pub fn template(&mut self, text: &str) -> Result<Rc<Template>, template::Error> {
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
    /// Whether what stays a placeholder will never be filled.
    is_last: bool,
}

impl Filler {
    /// A filler for one set.
    pub fn new(params: &Params, cx: &Expander<'_>) -> Filler {
        let data = (cx.mode == Mode::Go).then(|| Data::new(&params.root()));
        Filler { data, params: params.clone(), is_last: true }
    }

    /// The same, for texts that are filled again later.
    pub fn for_now(&self) -> Filler {
        let data = self.data.as_ref().map(|_| Data::new(&self.params.root()));
        Filler { data, params: self.params.clone(), is_last: false }
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
            Some(data) => fill_go(known, data, &self.params, options, cx),
            None => self.fill_placeholders(known, cx),
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
    params: &Params,
    options: &template::Options,
    cx: &mut Expander<'_>,
) -> Result<Text, Failure> {
    let template = match cx.engine.template(text.value) {
        Ok(template) => template,
        Err(error) => return Err(refused(syntax::refused(&text, &error, cx))),
    };
    let place = |_: &template::Source, bytes: Bytes| cx.place(text.span, bytes.start as usize, bytes.end as usize);
    let rendered = template.render(data, options, &place);
    let notices = data.take_notices();
    match rendered {
        Ok(rendered) => {
            undefined::notice(&text, &notices, params, cx);
            Ok(rendered)
        }
        Err(error) if error.kind == ErrorKind::MissingKey => Err(undefined::failure(&text, error.bytes, params, cx)),
        Err(error) => {
            let class = if error.kind == ErrorKind::Limit { Class::TooMany } else { Class::TemplateExec };
            let place = cx.place(text.span, error.bytes.start as usize, error.bytes.end as usize);
            let failure = Failure::new(class, place, format!("template fails: {}", error.message));
            let failure = failure.help(remedy(&error.message));
            Err(match undefined::source(params, cx) {
                Some(span) => failure.label(span, "with these parameters"),
                None => failure,
            })
        }
    }
}

/// What to do about a template that fails when it runs, by Go's words.
fn remedy(message: &str) -> &'static str {
    const REMEDIES: [(&str, &str); 4] = [
        ("can't evaluate field", "what stands before this field is no map"),
        ("nil pointer evaluating", "what stands before this field is null; ask for it with `if` first"),
        ("incompatible types for comparison", "a number is a float here: compare with `1.0`, or convert it with `int`"),
        ("error calling fail", "the template refuses these parameters: correct them"),
    ];
    let found = REMEDIES.iter().find(|(words, _)| message.contains(words));
    found.map_or("correct the expression, or the parameter that it reads", |(_, remedy)| remedy)
}

/// A text that is no template stops the whole set.
fn refused(problem: Problem) -> Failure {
    let failure = Failure::new(Class::TemplateParse, problem.span, problem.message);
    Failure { help: problem.help, ..failure }
}

impl Filler {
    fn fill_placeholders(&self, text: Spanned<&str>, cx: &mut Expander<'_>) -> Result<Text, Failure> {
        let parts =
            fasttemplate::parse(text.value).map_err(|error| refused(syntax::unclosed(&text, error.offset, cx)))?;
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
                    let written = &text.value[range];
                    let piece = self.parameter(name, place).unwrap_or_else(|| {
                        if self.is_last {
                            undefined::leftover(name, written, place, &self.params, cx);
                        }
                        Piece::Known(Spanned::new(written.to_owned(), place))
                    });
                    filled.push(piece);
                }
            }
        }
        Ok(filled)
    }

    /// The value of a placeholder; `None` for a name that is no text parameter.
    fn parameter(&self, name: &str, place: Span) -> Option<Piece> {
        let unknown = |why: &Why| Piece::Unknown(Unknown { why: why.clone(), span: place });
        match self.params.values.get(name) {
            Some(template::Value::String(text)) => Some(Piece::Known(Spanned::new(text.clone(), place))),
            Some(template::Value::Unknown(why)) => Some(unknown(why)),
            Some(_) => None,
            None => self.params.may_have(name).map(unknown),
        }
    }
}
