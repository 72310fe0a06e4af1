//! What a rendering may spend and look up; functions get it with their arguments.

use super::datum::{Datum, ListKind};
use super::pattern::Pattern;
use super::pattern_syntax::BadPattern;
use super::{Data, Options, Template};
use crate::text::limits::{PATTERN_STEPS, TEMPLATE_BYTES, TEMPLATE_DEPTH, TEMPLATE_STEPS, TEMPLATE_VALUE_DEPTH};
use crate::value::Why;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a function has no value.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It fails in Go too; Go's words.
    Failed(String),
    /// It would take too much.
    Limit(String),
    /// Its value cannot be known.
    Unknown(Rc<Why>),
}

impl Fault {
    /// A failure in these words of Go.
    pub fn failed(message: impl Into<String>) -> Fault {
        Fault::Failed(message.into())
    }

    /// A value that exists only while the controller runs.
    pub fn runtime(what: &str) -> Fault {
        Fault::Unknown(Rc::new(Why::Runtime(what.to_owned())))
    }
}

/// The surroundings of one rendering.
pub(super) struct Env<'a> {
    /// The template that is rendered, with all it defines.
    pub template: &'a Template,
    pub options: &'a Options,
    /// See [`Data`].
    pub lost: &'a RefCell<Option<Rc<Why>>>,
    /// Whether an unknown part may be about, so that arguments must be searched for one.
    pub has_unknowns: &'a Cell<bool>,
    /// Where notices go.
    pub data: &'a Data,
    /// Calls of `tpl` within each other.
    pub tpl_depth: Cell<usize>,
    depth: Cell<usize>,
    steps: Cell<u64>,
    patterns: RefCell<BTreeMap<String, Result<Rc<Pattern>, BadPattern>>>,
}

impl<'a> Env<'a> {
    /// Surroundings with the whole budget left.
    pub fn new(template: &'a Template, options: &'a Options, data: &'a Data) -> Env<'a> {
        Env {
            template,
            options,
            lost: &data.lost,
            has_unknowns: &data.has_unknowns,
            data,
            tpl_depth: Cell::new(0),
            depth: Cell::new(0),
            steps: Cell::new(TEMPLATE_STEPS),
            patterns: RefCell::default(),
        }
    }

    /// Goes one level deeper into blocks, expressions and templates.
    pub fn enter(&self) -> Result<(), Fault> {
        if self.depth.get() == TEMPLATE_DEPTH {
            return Err(Fault::Limit(format!("nests deeper than {TEMPLATE_DEPTH} levels")));
        }
        self.depth.set(self.depth.get() + 1);
        self.spend(1)
    }

    /// Comes back from a level.
    pub fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    /// Takes steps from the budget.
    pub fn spend(&self, steps: usize) -> Result<(), Fault> {
        match self.steps.get().checked_sub(steps as u64) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => Err(Fault::Limit(format!("takes more than {TEMPLATE_STEPS} steps"))),
        }
    }

    /// Pays for a text of this many bytes, before it is made.
    pub fn spend_bytes(&self, bytes: usize) -> Result<(), Fault> {
        if bytes > TEMPLATE_BYTES {
            return Err(Fault::Limit(format!("makes a text of more than {TEMPLATE_BYTES} bytes")));
        }
        self.spend(1 + bytes / 64)
    }

    /// Makes a text.
    pub fn text(&self, text: impl Into<Rc<str>>) -> Result<Datum, Fault> {
        let text = text.into();
        self.spend_bytes(text.len())?;
        Ok(Datum::String(text))
    }

    /// Makes a text of bytes that may have lost their UTF-8; then it is unknown.
    pub fn bytes(&self, bytes: Vec<u8>) -> Result<Datum, Fault> {
        match String::from_utf8(bytes) {
            Ok(text) => self.text(text),
            Err(_) => Err(not_text()),
        }
    }

    /// Makes a list whose order changes from run to run.
    pub fn unordered(&self, kind: ListKind, items: Vec<Datum>) -> Datum {
        self.has_unknowns.set(self.has_unknowns.get() || items.len() > 1);
        Datum::unordered_list(kind, items)
    }

    /// The first reason why a value is not wholly known: an unknown part, or an order that changes.
    pub fn undecided(&self, datum: &Datum) -> Result<Option<Rc<Why>>, Fault> {
        if self.has_unknowns.get() { self.search(datum, 0) } else { Ok(None) }
    }

    fn search(&self, datum: &Datum, depth: usize) -> Result<Option<Rc<Why>>, Fault> {
        self.visit(depth)?;
        match datum {
            Datum::Unknown(why) | Datum::Partial(_, why) => Ok(Some(why.clone())),
            Datum::List(list) if list.is_unordered() => Ok(Some(random_order())),
            Datum::List(list) => self.search_all(list.items().iter(), depth),
            Datum::Map(map) => self.search_all(map.entries.borrow().values(), depth),
            _ => Ok(None),
        }
    }

    fn search_all<'d>(
        &self,
        mut parts: impl Iterator<Item = &'d Datum>,
        depth: usize,
    ) -> Result<Option<Rc<Why>>, Fault> {
        parts.find_map(|part| self.search(part, depth + 1).transpose()).transpose()
    }

    /// Pays for visiting one part of a value at this depth.
    pub fn visit(&self, depth: usize) -> Result<(), Fault> {
        if depth > TEMPLATE_VALUE_DEPTH {
            return Err(Fault::Limit(format!("meets a value nested deeper than {TEMPLATE_VALUE_DEPTH} levels")));
        }
        self.spend(1)
    }

    /// A compiled regular expression.
    pub fn pattern(&self, text: &str) -> Result<Rc<Pattern>, Fault> {
        let known = self.patterns.borrow().get(text).cloned();
        let compiled = match known {
            Some(known) => known,
            None => {
                self.spend(PATTERN_STEPS + text.len())?;
                let compiled = Pattern::compile(text).map(Rc::new);
                self.patterns.borrow_mut().insert(text.to_owned(), compiled.clone());
                compiled
            }
        };
        compiled.map_err(|bad| match bad {
            BadPattern::Refused(message) => Fault::Failed(message),
            BadPattern::Unsupported => Fault::runtime("a regular expression that only Go can run"),
        })
    }
}

/// The order of a map's keys.
pub(super) fn random_order() -> Rc<Why> {
    Rc::new(Why::Runtime("the order of a map".to_owned()))
}

/// Bytes that Go carries on with and this program does not.
pub(super) fn not_text() -> Fault {
    Fault::runtime("bytes that are no UTF-8 text")
}
