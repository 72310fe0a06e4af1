//! What does something else than it seems to say, although the controller goes on.

use crate::text::Span;

/// One thing noticed in an expansion.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// What sort it is.
    pub kind: ProblemKind,
    /// The place to look first.
    pub span: Span,
    /// What is wrong, in the style of finding messages.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Other places, and what they are.
    pub labels: Vec<(Span, String)>,
    /// Plain scalars that must be quoted; only where nothing else changes with it.
    pub quotes: Vec<Span>,
}

/// The sorts; each has a rule of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// A text that is no template, or one of the other mode.
    Syntax,
    /// A parameter that a set lacks.
    Undefined,
    /// A parameter that both generators of a matrix yield.
    Collision,
    /// A number or boolean that reads otherwise in a text than it is written.
    Mangled,
}

impl Problem {
    /// A problem without help and labels.
    pub fn new(kind: ProblemKind, span: Span, message: impl Into<String>) -> Problem {
        Problem { kind, span, message: message.into(), help: None, labels: Vec::new(), quotes: Vec::new() }
    }

    /// The same with advice.
    pub fn help(mut self, text: impl Into<String>) -> Problem {
        self.help = Some(text.into());
        self
    }

    /// The same with another place, if there is one.
    pub fn label(mut self, label: Option<(Span, String)>) -> Problem {
        self.labels.extend(label);
        self
    }
}
