//! CODEOWNERS: who must review which paths, as each forge reads it.
//!
//! The forges share a file name, little else: see the table below, the files of the dialects, and
//! [`crate::lang::glob::segments`] for the patterns. Reading never fails; what a forge skips or takes otherwise than it
//! is meant becomes a [`Problem`].
//!
//! | | patterns | which lines count | a line with a mistake |
//! |---|---|---|---|
//! | GitHub | gitignore-like | the last that matches | is skipped |
//! | GitLab | Ruby's `fnmatch` | the last of each section, all sections | loses the wrong owner only |
//! | Bitbucket | gitignore-like | the last that matches | is skipped |
//! | Gitea, Forgejo | Go's regular expressions | all that match | is skipped |

mod bitbucket;
mod forge;
mod gitea;
mod github;
mod gitlab;
mod owner;
#[cfg(test)]
mod tests;

pub use forge::{FILE_NAME, Forge, is_location};

use crate::lang::glob::segments;
use crate::lang::template::pattern::Pattern as Regexp;
use crate::text::{FileId, Span, Spanned};

/// A CODEOWNERS file as one forge reads it.
#[derive(Debug)]
pub struct CodeOwners {
    /// Whose reading it is.
    pub forge: Forge,
    /// The lines that have a pattern and are not skipped, in order.
    pub entries: Vec<Entry>,
    /// The sections in order of their first header; the first one has no name. Only GitLab knows others.
    pub sections: Vec<Section>,
    /// What was noticed, in order.
    pub problems: Vec<Problem>,
}

/// A line with a pattern.
#[derive(Debug)]
pub struct Entry {
    /// Its number, from 1.
    pub line: u32,
    /// All of it, without blanks around.
    pub span: Span,
    /// The pattern as written, without the `!` of an exclusion.
    pub pattern: Spanned<String>,
    /// What the pattern matches.
    pub matcher: Matcher,
    /// The owners that count, the section's where the line names none. Without any, the line takes ownership away.
    pub owners: Vec<Spanned<String>>,
    /// Index of its section.
    pub section: usize,
    /// How many of the owners must approve; always 1 but for GitLab.
    pub approvals: u32,
    /// Whether it takes what it matches out of its section.
    pub excludes: bool,
    /// Whether the forge may skip it or read it otherwise: nothing is certain about the paths it matches.
    pub is_doubtful: bool,
}

/// A section of GitLab.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Its name as first written; `None` for what stands before all headers.
    pub name: Option<Spanned<String>>,
    /// Whether its approvals are a wish only.
    pub is_optional: bool,
}

/// What a pattern matches.
#[derive(Debug)]
pub enum Matcher {
    /// Paths, segment by segment.
    Segments(segments::Pattern),
    /// Paths that a regular expression fits from end to end, or with `negated` all others.
    Regexp {
        /// The expression, compiled.
        regexp: Box<Regexp>,
        /// The same as text, with what ties it to both ends.
        text: String,
        /// Whether it began with `!`.
        negated: bool,
    },
}

/// Something that was noticed in a line; it becomes a finding through a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What sort of thing it is.
    pub kind: ProblemKind,
    /// The line, from 1.
    pub line: u32,
    /// The place.
    pub span: Span,
    /// What is wrong there, in the style of finding messages.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Whether the whole line has no effect.
    pub is_skipped: bool,
    /// Whether the forge says so itself. What only other readers of such files refuse is in doubt.
    pub is_certain: bool,
}

/// What sort of thing a problem is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// The pattern is none, or means something else.
    Pattern,
    /// A word is no owner.
    Owner,
    /// There must be an owner.
    NoOwner,
    /// What looks like a comment is none.
    Comment,
    /// A section header is none.
    Header,
    /// It is written for another tool.
    OtherTool,
}

impl CodeOwners {
    /// Reads the text of a file as a forge does.
    pub fn read(forge: Forge, file: FileId, text: &str) -> CodeOwners {
        let unnamed = Section { name: None, is_optional: false };
        let mut owners = CodeOwners { forge, entries: Vec::new(), sections: vec![unnamed], problems: Vec::new() };
        match forge {
            Forge::GitHub => lines(file, text).for_each(|line| github::read(&line, &mut owners)),
            Forge::GitLab => gitlab::read(lines(file, text), &mut owners),
            Forge::Bitbucket => lines(file, text).for_each(|line| bitbucket::read(&line, &mut owners)),
            Forge::Gitea => lines(file, text).for_each(|line| gitea::read(&line, &mut owners)),
        }
        owners
    }

    fn problem(&mut self, kind: ProblemKind, line: &Line<'_>, part: &str, message: String) -> &mut Problem {
        self.problems.push(Problem {
            kind,
            line: line.number,
            span: line.span(part),
            message,
            help: None,
            is_skipped: true,
            is_certain: true,
        });
        self.problems.last_mut().expect("one was just pushed")
    }
}

impl Problem {
    fn help(&mut self, help: impl Into<String>) -> &mut Problem {
        self.help = Some(help.into());
        self
    }
}

impl Entry {
    /// Whether it matches the file at `path`.
    pub fn matches(&self, path: &str) -> bool {
        match &self.matcher {
            Matcher::Segments(pattern) => pattern.matches(path),
            Matcher::Regexp { regexp, negated, .. } => regexp.is_match(path) != *negated,
        }
    }
}

/// Whether a word reads like an owner, wherever it stands.
pub fn is_like_owner(word: &str) -> bool {
    owner::github(word) == owner::Verdict::Owner
}

/// Where the comments stand that have a line of their own, in order: from the `#` to the end of the line.
pub fn comments(text: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    starts.filter_map(|start| {
        let line = text[start..].split('\n').next().unwrap_or_default();
        let indent = line.find(|c| !is_blank(c)).filter(|at| line[*at..].starts_with('#'))?;
        Some(((start + indent) as u32, (start + line.trim_end_matches('\r').len()) as u32))
    })
}

/// A line without blanks around; never empty, never a comment.
struct Line<'t> {
    number: u32,
    text: &'t str,
    file: FileId,
    start: u32,
}

impl<'t> Line<'t> {
    /// Where a part of the line stands.
    fn span(&self, part: &str) -> Span {
        let start = self.start + (part.as_ptr() as usize - self.text.as_ptr() as usize) as u32;
        Span::new(self.file, start, start + part.len() as u32)
    }

    fn spanned(&self, part: &str) -> Spanned<String> {
        Spanned::new(part.to_owned(), self.span(part))
    }

    /// An entry of the first section.
    fn entry(&self, pattern: &str, matcher: Matcher, owners: &[&str]) -> Entry {
        Entry {
            line: self.number,
            span: self.span(self.text),
            pattern: self.spanned(pattern),
            matcher,
            owners: owners.iter().map(|owner| self.spanned(owner)).collect(),
            section: 0,
            approvals: 1,
            excludes: false,
            is_doubtful: false,
        }
    }

    /// The pattern, which ends at the first blank without a backslash, and the rest without blanks around.
    fn split_pattern(&self) -> (&'t str, &'t str) {
        let mut is_escaped = false;
        let end = self.text.find(|c| {
            let is_end = is_blank(c) && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        let (pattern, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        (pattern, rest.trim_matches(is_blank))
    }
}

fn lines(file: FileId, text: &str) -> impl Iterator<Item = Line<'_>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut at = start as u32;
    text[start..].split('\n').zip(1..).filter_map(move |(line, number)| {
        let trimmed = line.trim_matches(is_blank);
        let start = at + (trimmed.as_ptr() as usize - line.as_ptr() as usize) as u32;
        at += line.len() as u32 + 1;
        (!trimmed.is_empty() && !trimmed.starts_with('#')).then_some(Line { number, text: trimmed, file, start })
    })
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// Words, which blanks separate.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}
