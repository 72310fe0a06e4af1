//! Go's `text/template` with sprig, run offline: exact where it can be, unknown where it cannot.
//!
//! A text is parsed ([`Template::parse`]) into statements that know their bytes ([`ast`]), then run over parameters
//! ([`Data`]) as often as wanted. The result is a [`Text`]: what is certain, with the place each piece came from, and
//! what is not, with the reason. Nothing is guessed: what is computed from an unknown value is unknown, a branch whose
//! condition is unknown is one unknown piece, and what it could have changed is unknown from there on.
//!
//! Mirrors Go 1.26, sprig 3.3.0 and Argo CD 3.6, with their error texts. A [`Dialect`] is a list of functions, so other
//! users of the same language differ by data. This module must not know what a template is used for.

pub mod ast;
mod datum;
mod effects;
mod env;
mod error;
mod eval;
mod expression;
mod float;
mod fmt;
mod functions;
mod json;
mod lex;
mod literal;
mod number;
mod parse;
pub mod pattern;
mod pattern_syntax;
mod slug;
mod unicode;
mod value;
mod yaml_out;

use crate::text::limits::TEMPLATE_NOTICES;
pub use error::{Error, ErrorKind};
pub use functions::{Dialect, Function};
pub use slug::{normalize, slugify};
pub use value::Value;

use crate::text::Span;
use crate::value::{Text, Why};
use ast::{Bytes, Statement};
use datum::Datum;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// One template text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that Go's error texts give it.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A named template.
#[derive(Debug)]
pub struct Definition {
    /// The text it is written in.
    pub source: Arc<Source>,
    /// Its statements.
    pub body: Vec<Statement>,
}

impl Definition {
    /// Whether there is nothing in it but white space.
    pub fn is_empty(&self) -> bool {
        parse::is_empty(&self.body, &self.source.text)
    }
}

/// A parsed text: the template of its name, and those it defines.
#[derive(Clone, Debug)]
pub struct Template {
    name: String,
    dialect: Dialect,
    definitions: BTreeMap<String, Arc<Definition>>,
}

/// What to do about a key that a map does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MissingKey {
    /// No value, printed as `<no value>`.
    #[default]
    Invalid,
    /// The zero value of the map's type.
    Zero,
    /// An error.
    Error,
}

/// How a template is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What a missing key is.
    pub missing_key: MissingKey,
}

/// An option that Go does not know; it panics on one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOption(pub String);

impl Options {
    /// Sets an option by its Go spelling, such as `missingkey=error`. The last one wins.
    ///
    /// # Errors
    /// [`UnknownOption`] when Go would panic.
    pub fn set(&mut self, option: &str) -> Result<(), UnknownOption> {
        self.missing_key = match option {
            "missingkey=default" | "missingkey=invalid" => MissingKey::Invalid,
            "missingkey=zero" => MissingKey::Zero,
            "missingkey=error" => MissingKey::Error,
            _ => return Err(UnknownOption(option.to_owned())),
        };
        Ok(())
    }
}

/// The parameters of a run. Templates that run over the same data one after the other see what `set` and its kin
/// changed in it, as in Go.
#[derive(Debug)]
pub struct Data {
    root: Datum,
    /// Whether an unknown value is in here, or was met on the way.
    has_unknowns: Cell<bool>,
    /// Why nothing in here is certain any more: an uncertain branch may have changed it.
    lost: RefCell<Option<Rc<Why>>>,
    /// See [`Data::take_notices`].
    notices: RefCell<Vec<Notice>>,
}

/// Something that Go passes over in silence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice {
    /// What it is.
    pub kind: NoticeKind,
    /// The bytes to look at, in the text of the template's source.
    pub bytes: Bytes,
}

/// What Go passes over in silence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeKind {
    /// A key was read that its map does not have; the bytes are its name.
    AbsentKey,
    /// An action wrote `<no value>`.
    NoValue,
    /// An action wrote a map in Go's own syntax.
    PrintedMap,
}

impl Data {
    /// Data that starts as this value.
    pub fn new(value: &Value) -> Data {
        let has_unknowns = Cell::new(has_unknowns(value));
        Data { root: Datum::from_value(value), has_unknowns, lost: RefCell::default(), notices: RefCell::default() }
    }

    /// Whether it holds an unknown value, or a template met one: then Go may have failed where this program went on.
    pub fn has_unknowns(&self) -> bool {
        self.has_unknowns.get()
    }

    /// What runs over it passed over in silence since this was last asked, each once, in the order met.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.notices.take()
    }

    fn notice(&self, kind: NoticeKind, bytes: Bytes) {
        let mut notices = self.notices.borrow_mut();
        let notice = Notice { kind, bytes };
        if notices.len() < TEMPLATE_NOTICES && !notices.contains(&notice) {
            notices.push(notice);
        }
    }
}

fn has_unknowns(value: &Value) -> bool {
    match value {
        Value::Partial(..) | Value::Unknown(_) => true,
        Value::List(items) => items.iter().any(has_unknowns),
        Value::Map(entries) | Value::StringMap(entries) => entries.values().any(has_unknowns),
        _ => false,
    }
}

impl Template {
    /// Parses a text. `name` is what Go's error texts call it; Argo CD says `base`.
    ///
    /// # Errors
    /// The first thing that Go would refuse.
    pub fn parse(name: &str, text: &str, dialect: Dialect) -> Result<Template, Error> {
        let bodies = parse::parse(name, text, &dialect)?;
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        let define = |body| Arc::new(Definition { source: source.clone(), body });
        let definitions = bodies.into_iter().map(|(name, body)| (name, define(body))).collect();
        Ok(Template { name: name.to_owned(), dialect, definitions })
    }

    /// Parses a text that also sees what `outer` defines, under the name of `outer`.
    ///
    /// # Errors
    /// The first thing that Go would refuse.
    fn parse_within(outer: &Template, text: &str) -> Result<Template, Error> {
        let mut template = Template::parse(&outer.name, text, outer.dialect)?;
        for (name, definition) in &outer.definitions {
            // An empty definition does not replace one that says something.
            let is_vacant = template.definitions.get(name).is_none_or(|new| new.is_empty());
            if is_vacant && *name != outer.name {
                template.definitions.insert(name.clone(), definition.clone());
            }
        }
        Ok(template)
    }

    /// The text it was parsed from.
    pub fn source(&self) -> &Source {
        &self.main().source
    }

    fn main(&self) -> &Definition {
        self.definitions.get(&self.name).expect("parsing defines the template of the text's own name")
    }

    /// The templates in this text, by name, its own among them.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &Definition)> {
        self.definitions.iter().map(|(name, definition)| (name.as_str(), definition.as_ref()))
    }

    /// Runs it. `place` says where bytes of the source are in a file.
    ///
    /// # Errors
    /// What Go would fail with, or a limit of ours.
    pub fn render(
        &self,
        data: &Data,
        options: &Options,
        place: &dyn Fn(&Source, Bytes) -> Span,
    ) -> Result<Text, Error> {
        eval::render(self, data, options, place)
    }
}
