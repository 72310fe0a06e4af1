//! The syntax tree. Every node knows its bytes, and prints as Go prints it in error texts.

use super::functions::Function;
use std::fmt;

/// A half-open range of bytes in a template's text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bytes {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Bytes {
    /// The bytes `start..end`; a template text is shorter than 4 GiB.
    pub fn new(start: usize, end: usize) -> Bytes {
        Bytes { start: start as u32, end: end as u32 }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Bytes) -> Bytes {
        Bytes { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text of these bytes.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// Where a node is: its bytes, and the offset that Go calls its position (of a chain of fields: the second one).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The node's bytes.
    pub bytes: Bytes,
    /// Go's position.
    pub position: u32,
}

/// A statement: text or an action.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Where it is; of a block, from its first delimiter to the last one of its end.
    pub place: Place,
    /// What it is.
    pub kind: StatementKind,
}

/// The kinds of statement. Comments and definitions leave none.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Text outside actions; the bytes are what is left of it after trimming.
    Text,
    /// `{{pipeline}}`
    Action(Pipe),
    /// `{{if}}`
    If(Branch),
    /// `{{with}}`
    With(Branch),
    /// `{{range}}`
    Range(Branch),
    /// `{{template}}`, or the call that a `{{block}}` leaves behind.
    Template {
        /// The template's name.
        name: String,
        /// Its data.
        pipe: Option<Pipe>,
    },
    /// `{{break}}`
    Break,
    /// `{{continue}}`
    Continue,
}

/// What `if`, `with` and `range` have in common.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The condition, or the collection.
    pub pipe: Pipe,
    /// The first part.
    pub body: Vec<Statement>,
    /// The part after `{{else}}`; an `else if` is one statement in it.
    pub otherwise: Option<Vec<Statement>>,
}

/// Declarations and commands: `$a := b | c`.
#[derive(Clone, Debug)]
pub struct Pipe {
    /// Where it is, without parentheses.
    pub place: Place,
    /// Whether the variables are assigned (`=`), not declared.
    pub assigns: bool,
    /// The variables on the left, with their `$`.
    pub variables: Vec<Name>,
    /// The commands, at least one.
    pub commands: Vec<Command>,
}

/// One stage of a pipeline.
#[derive(Clone, Debug)]
pub struct Command {
    /// Where it is.
    pub place: Place,
    /// The function or value, then its arguments; at least one.
    pub operands: Vec<Operand>,
}

/// A value as written.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: OperandKind,
}

/// The kinds of value.
#[derive(Clone, Debug)]
pub enum OperandKind {
    /// `true` or `false`
    Bool(bool),
    /// `.`
    Dot,
    /// `nil`
    Nil,
    /// A number.
    Number(Box<Number>),
    /// A text in quotes.
    String {
        /// As written.
        quoted: String,
        /// Without quotes; `None` when the bytes are no UTF-8.
        text: Option<String>,
    },
    /// A function's name.
    Function(&'static Function),
    /// `.a.b`; at least one name.
    Field(Vec<Name>),
    /// `$a.b`; the first name is the variable with its `$`.
    Variable(Vec<Name>),
    /// `(…).a`, or fields of a function's result.
    Chain(Box<Operand>, Vec<Name>),
    /// `(…)`
    Pipe(Box<Pipe>),
}

/// A name and its bytes; of a field without the dot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it is.
    pub bytes: Bytes,
}

/// A number under every type that can hold it, as Go keeps its constants.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Number {
    /// As written.
    pub text: String,
    /// The value, when it is whole and fits.
    pub int: Option<i64>,
    /// The value, when it is whole, not negative and fits.
    pub uint: Option<u64>,
    /// The value, when it has no imaginary part.
    pub float: Option<f64>,
    /// Real and imaginary part, when written with an `i`.
    pub complex: Option<(f64, f64)>,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            StatementKind::Action(pipe) => write!(f, "{{{{{pipe}}}}}"),
            StatementKind::Template { name, pipe } => {
                write!(f, "{{{{template {}", super::literal::quote(name, false))?;
                if let Some(pipe) = pipe {
                    write!(f, " {pipe}")?;
                }
                f.write_str("}}")
            }
            // Go never names the others: it fails inside them.
            StatementKind::If(branch) => write!(f, "{{{{if {}}}}}", branch.pipe),
            StatementKind::With(branch) => write!(f, "{{{{with {}}}}}", branch.pipe),
            StatementKind::Range(branch) => write!(f, "{{{{range {}}}}}", branch.pipe),
            StatementKind::Break => f.write_str("{{break}}"),
            StatementKind::Continue => f.write_str("{{continue}}"),
            StatementKind::Text => Ok(()),
        }
    }
}

impl fmt::Display for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, variable) in self.variables.iter().enumerate() {
            write!(f, "{}{}", if at > 0 { ", " } else { "" }, variable.text)?;
        }
        if !self.variables.is_empty() {
            f.write_str(if self.assigns { " = " } else { " := " })?;
        }
        for (at, command) in self.commands.iter().enumerate() {
            write!(f, "{}{command}", if at > 0 { " | " } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, operand) in self.operands.iter().enumerate() {
            let gap = if at > 0 { " " } else { "" };
            match &operand.kind {
                OperandKind::Pipe(pipe) => write!(f, "{gap}({pipe})")?,
                _ => write!(f, "{gap}{operand}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields =
            |f: &mut fmt::Formatter<'_>, names: &[Name]| names.iter().try_for_each(|name| write!(f, ".{}", name.text));
        match &self.kind {
            OperandKind::Bool(bool) => write!(f, "{bool}"),
            OperandKind::Dot => f.write_str("."),
            OperandKind::Nil => f.write_str("nil"),
            OperandKind::Number(number) => f.write_str(&number.text),
            OperandKind::String { quoted, .. } => f.write_str(quoted),
            OperandKind::Function(function) => f.write_str(function.name),
            OperandKind::Field(names) => fields(f, names),
            OperandKind::Variable(names) => {
                f.write_str(names.first().map_or("", |name| &name.text))?;
                fields(f, names.get(1..).unwrap_or_default())
            }
            OperandKind::Chain(first, names) => {
                match &first.kind {
                    OperandKind::Pipe(pipe) => write!(f, "({pipe})")?,
                    _ => write!(f, "{first}")?,
                }
                fields(f, names)
            }
            OperandKind::Pipe(pipe) => write!(f, "{pipe}"),
        }
    }
}
