//! Findings: what every floor above talks in.

use crate::text::{Edit, FileId, RepoPath, Span};
use std::fmt;

/// A rule's name: kebab-case, names the bad thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RuleId(pub &'static str);

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How much a finding weighs. Belongs to the rule; configuration may change it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Probably a mistake, or dangerous.
    Warning,
    /// It fails, or the team forbids it.
    Error,
}

impl Severity {
    /// The word of the contract: `error`, `warning` or `info`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }

    /// The severity with this name.
    pub fn from_name(name: &str) -> Option<Severity> {
        [Severity::Info, Severity::Warning, Severity::Error].into_iter().find(|severity| severity.name() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One report by a rule at a span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule that speaks.
    pub rule: RuleId,
    /// The one place to look first.
    pub span: Span,
    /// What is wrong there; true on its own, without the snippet.
    pub message: String,
    /// Other places, in any file.
    pub labels: Vec<Label>,
    /// What to do, imperative.
    pub help: Option<String>,
    /// A change on offer.
    pub fix: Option<Box<Fix>>,
    /// The app it is about, never spelled in the message, so that findings of many apps merge.
    pub subject: Option<Subject>,
}

// Large trees yield many findings; a growing one is noticed here.
const _: () = assert!(size_of::<Finding>() <= 152);

impl Finding {
    /// A finding without labels, help or fix.
    pub fn new(rule: RuleId, span: Span, message: impl Into<String>) -> Finding {
        Finding { rule, span, message: message.into(), labels: Vec::new(), help: None, fix: None, subject: None }
    }

    /// Adds another place with a few words on what it is.
    pub fn label(&mut self, span: Span, text: impl Into<String>) -> &mut Finding {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Finding {
        self.help = Some(text.into());
        self
    }

    /// Offers a change.
    pub fn fix(&mut self, fix: Fix) -> &mut Finding {
        self.fix = Some(Box::new(fix));
        self
    }

    /// Names the app the finding is about.
    pub fn about(&mut self, subject: Subject) -> &mut Finding {
        self.subject = Some(subject);
        self
    }
}

/// Another place that matters to a finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What this place is.
    pub text: String,
}

/// Whether a fix may be applied without a person reading it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Safety {
    /// Keeps or restores what the author plainly meant.
    Safe,
    /// May change what is deployed; applied only on demand.
    Unsafe,
}

/// A change on offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, imperative.
    pub title: String,
    /// Whether it needs a reader.
    pub safety: Safety,
    /// Changes of text, in any files.
    pub edits: Vec<Edit>,
    /// Files to move, after the edits: from a listed file to a path in the same root.
    pub renames: Vec<Rename>,
}

impl Fix {
    /// A fix that may be applied unread.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Fix {
        Fix { title: title.into(), safety: Safety::Safe, edits, renames: Vec::new() }
    }

    /// A fix that somebody must want.
    pub fn unsafe_(title: impl Into<String>, edits: Vec<Edit>) -> Fix {
        Fix { title: title.into(), safety: Safety::Unsafe, edits, renames: Vec::new() }
    }
}

/// One file to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rename {
    /// The file as it is.
    pub from: FileId,
    /// Its new path in the same root.
    pub to: RepoPath,
}

/// The app a finding is about, by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Subject(pub String);
