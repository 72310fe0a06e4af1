//! The rules, and the contract they keep.
//!
//! A rule is a value: an id, a page, and a function over a finished, immutable model. It cannot fail and has no state.
//! The folder is the list: `build.rs` pairs every `src/rules/<id>.rs` with its page `rules/<id>.md` and writes the
//! table [`RULES`]. A rule chooses the narrowest scope that can see its mistake; a question that two rules ask is
//! answered once, on a floor below.

use crate::finding::{Finding, Fix, RuleId, Severity, Subject};
use crate::fleet::expand::{self, Class};
use crate::fleet::policies::{Breach, Policies};
use crate::formats::{Document, Kinds, ProblemKind};
use crate::near::Nearby;
use crate::repo::{File, Repo};
use crate::text::{Edit, Span};
use crate::yaml::{Scalar, edit};

pub use crate::fleet::{App, Fleet, Set};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// One check with an id and a page.
#[derive(Debug)]
pub struct Rule {
    /// Its id, the name of both its files.
    pub id: RuleId,
    /// What it finds, in a few words.
    pub title: &'static str,
    /// Fact or opinion.
    pub nature: Nature,
    /// How much its findings weigh unless the configuration says otherwise; `None` when it is off by default.
    pub severity: Option<Severity>,
    /// How mature it is.
    pub status: Status,
    /// The first release that has it, or `next`.
    pub since: &'static str,
    /// Whether it offers fixes.
    pub fix: FixKind,
    /// Its whole page, front matter cut off.
    pub page: &'static str,
    /// What runs.
    pub check: Check,
}

/// Whether a rule states what will happen, or what is good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nature {
    /// It will fail, be ignored, or do something else than written.
    Fact,
    /// A convention.
    Opinion,
}

/// How mature a rule is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Off unless asked for.
    Preview,
    /// On.
    Stable,
    /// On, and going away.
    Deprecated,
}

/// What fixes a rule offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixKind {
    /// None.
    None,
    /// Some that may be applied unread.
    Safe,
    /// Some that somebody must want.
    Unsafe,
}

/// The part of a rule that its Rust file states.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The function and its scope.
    pub run: Run,
    /// Kinds it reads beyond those the fleet is built from.
    pub reads: Kinds,
    /// Its options.
    pub options: &'static [OptionSpec],
}

/// A function and its scope: what it sees is what it depends on.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Sees one file: text, tree, documents.
    File(fn(&File, &Options<'_>, &mut Findings)),
    /// Sees one document and its file.
    Document(fn(&Document, &DocumentContext<'_>, &mut Findings)),
    /// Sees one app, the repository and the fleet.
    App(fn(&App, &Context<'_>, &mut Findings)),
    /// Sees everything, once.
    Fleet(fn(&Context<'_>, &mut Findings)),
    /// Reported by the engine itself.
    Engine,
}

/// An option of a rule, as data.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its key below the rule's name in the configuration.
    pub name: &'static str,
    /// Its value when not configured.
    pub default: OptionDefault,
    /// What it does, one sentence.
    pub doc: &'static str,
}

/// An option's type, by its default.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionDefault {
    /// A whole number.
    Int(i64),
    /// Yes or no.
    Bool(bool),
    /// A list of texts.
    Texts(&'static [&'static str]),
}

impl OptionDefault {
    /// What a value of this type is called in messages.
    pub fn type_name(self) -> &'static str {
        match self {
            OptionDefault::Int(_) => "a whole number",
            OptionDefault::Bool(_) => "`true` or `false`",
            OptionDefault::Texts(_) => "a list of texts",
        }
    }
}

/// A configured value of an option; its type is that of the option's default.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionValue {
    /// A whole number.
    Int(i64),
    /// Yes or no.
    Bool(bool),
    /// A list of texts.
    Texts(Vec<String>),
}

/// The options of one rule: what is configured, else the defaults.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What the rule declares.
    pub specs: &'static [OptionSpec],
    /// What the configuration sets, by name.
    pub set: &'a [(String, OptionValue)],
}

/// What a document rule sees beside the document.
#[derive(Clone, Copy)]
pub struct DocumentContext<'a> {
    /// The file that holds the document.
    pub file: &'a File,
    /// The rule's options.
    pub options: Options<'a>,
}

/// What app and fleet rules see.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Every root, path, file and document.
    pub repo: &'a Repo,
    /// Every app.
    pub fleet: &'a Fleet,
    /// What is near.
    pub near: &'a Nearby,
    /// The rule's options.
    pub options: Options<'a>,
}

/// Where a rule puts what it finds.
#[derive(Debug)]
pub struct Findings {
    rule: RuleId,
    subject: Option<Subject>,
    found: Vec<Finding>,
}

impl Check {
    /// A rule that sees one file.
    pub const fn file(run: fn(&File, &Options<'_>, &mut Findings)) -> Check {
        Check::new(Run::File(run))
    }

    /// A rule that sees one document.
    pub const fn document(run: fn(&Document, &DocumentContext<'_>, &mut Findings)) -> Check {
        Check::new(Run::Document(run))
    }

    /// A rule that sees one app.
    pub const fn app(run: fn(&App, &Context<'_>, &mut Findings)) -> Check {
        Check::new(Run::App(run))
    }

    /// A rule that sees everything.
    pub const fn fleet(run: fn(&Context<'_>, &mut Findings)) -> Check {
        Check::new(Run::Fleet(run))
    }

    /// A rule that the engine reports.
    pub const fn engine() -> Check {
        Check::new(Run::Engine)
    }

    const fn new(run: Run) -> Check {
        Check { run, reads: Kinds::NONE, options: &[] }
    }

    /// The same, with kinds it reads beyond those of the fleet.
    pub const fn reads(self, reads: Kinds) -> Check {
        Check { reads, ..self }
    }

    /// The same, with options.
    pub const fn options(self, options: &'static [OptionSpec]) -> Check {
        Check { options, ..self }
    }
}

impl Options<'_> {
    /// A whole-number option. The rule must have declared it as one.
    pub fn int(&self, name: &str) -> i64 {
        match (self.configured(name), self.default(name)) {
            (Some(OptionValue::Int(value)), _) => *value,
            (_, OptionDefault::Int(value)) => value,
            _ => unreachable!("a rule asks for its options by their type"),
        }
    }

    /// A yes-or-no option. The rule must have declared it as one.
    pub fn bool(&self, name: &str) -> bool {
        match (self.configured(name), self.default(name)) {
            (Some(OptionValue::Bool(value)), _) => *value,
            (_, OptionDefault::Bool(value)) => value,
            _ => unreachable!("a rule asks for its options by their type"),
        }
    }

    /// An option that lists texts. The rule must have declared it as one.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        match (self.configured(name), self.default(name)) {
            (Some(OptionValue::Texts(texts)), _) => texts.iter().map(String::as_str).collect(),
            (_, OptionDefault::Texts(texts)) => texts.to_vec(),
            _ => unreachable!("a rule asks for its options by their type"),
        }
    }

    fn configured(&self, name: &str) -> Option<&OptionValue> {
        self.set.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    fn default(&self, name: &str) -> OptionDefault {
        self.specs.iter().find(|spec| spec.name == name).expect("a rule asks only for options it declares").default
    }
}

impl Findings {
    /// An empty list for one rule.
    pub fn new(rule: RuleId) -> Findings {
        Findings { rule, subject: None, found: Vec::new() }
    }

    /// The same list; what is added from here on is about this app.
    pub fn about(mut self, subject: Option<Subject>) -> Findings {
        self.subject = subject;
        self
    }

    /// Adds a finding and returns it for labels, help and a fix.
    pub fn at(&mut self, span: Span, message: impl Into<String>) -> &mut Finding {
        let mut finding = Finding::new(self.rule, span, message);
        finding.subject = self.subject.clone();
        self.found.push(finding);
        self.found.last_mut().expect("one was just pushed")
    }

    /// Adds what a decoder or a schema noticed of this sort, in order of the file.
    pub fn problems(&mut self, document: &Document, kind: ProblemKind) {
        for problem in document.problems.iter().filter(|problem| problem.kind == kind) {
            let finding = self.at(problem.span, problem.message.clone());
            finding.help = problem.help.clone();
            if let Some((span, text)) = &problem.label {
                finding.label(*span, text.clone());
            }
            if let Some(text) = &problem.replacement {
                let title = problem.help.clone().unwrap_or_else(|| format!("write `{text}`"));
                finding.fix(Fix::safe(title, vec![Edit { span: problem.span, text: text.clone() }]));
            }
        }
    }

    /// Adds what the expansion of an ApplicationSet stops at, for these causes.
    pub fn failures(&mut self, set: &Set, repo: &Repo, is_ours: impl Fn(Class) -> bool) {
        for failure in set.failures.iter().filter(|failure| is_ours(failure.class)) {
            let finding = self.at(failure.span, failure.message.clone());
            finding.help = failure.help.clone();
            if let Some((span, text)) = &failure.label {
                finding.label(*span, text.clone());
            }
            if failure.class == Class::ListValueType {
                finding.fix = quoting(&[failure.span], repo);
            }
        }
    }

    /// Adds what was noticed of this kind when an ApplicationSet was expanded.
    pub fn noticed(&mut self, set: &Set, kind: expand::ProblemKind, repo: &Repo) {
        for problem in set.problems.iter().filter(|problem| problem.kind == kind) {
            let finding = self.at(problem.span, problem.message.clone());
            finding.help = problem.help.clone();
            for (span, text) in &problem.labels {
                finding.label(*span, text.clone());
            }
            finding.fix = quoting(&problem.quotes, repo);
        }
    }

    /// Adds what differs from a demand of the configuration, and names its line there.
    pub fn breach(&mut self, breach: Breach, policies: &Policies, repo: &Repo) {
        let demand = policies.place(breach.demand, repo);
        let finding = self.at(breach.span, breach.message);
        if let Some(demand) = demand {
            finding.label(demand, "this policy");
        }
        finding.help(breach.help);
    }

    /// Where something was found so far.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.found.iter().map(|finding| finding.span)
    }

    /// What was found, in the order it was added.
    pub fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}

/// The fix that makes texts of the plain numbers and booleans written at these places.
fn quoting(places: &[Span], repo: &Repo) -> Option<Box<Fix>> {
    let quoted = |span: &Span| {
        let tree = &repo.file(span.file)?.tree;
        let node = tree.nodes_starting_in(span.start..span.start + 1).find(|node| node.span() == *span)?;
        (!matches!(node.scalar(), Some(Scalar::Null) | None)).then(|| edit::quote(node))?
    };
    let edits: Vec<Edit> = places.iter().filter_map(quoted).collect();
    (!edits.is_empty()).then(|| Box::new(Fix::safe("quote it", edits)))
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id.0 == id)
}
