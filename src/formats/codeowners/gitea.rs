//! Lines of Gitea and Forgejo: a regular expression and its owners. Mirrors Gitea, `TokenizeCodeOwnersLine` and
//! `ParseCodeOwnersLine`; recent versions use another engine, so that what compiles by accident only is a problem too.

use super::{CodeOwners, Entry, Line, Matcher, ProblemKind};
use crate::lang::template::pattern::{BadPattern, Pattern as Regexp};
use std::ops::Range;

/// A word without its backslashes, and the bytes of the line it was read from.
struct Token {
    text: String,
    range: Range<usize>,
}

/// Reads one line.
pub fn read(line: &Line<'_>, out: &mut CodeOwners) {
    let tokens = tokens(line.text);
    let Some((first, owners)) = tokens.split_first() else { return };
    let pattern = &line.text[first.range.clone()];
    if owners.is_empty() {
        out.problem(ProblemKind::NoOwner, line, pattern, "a line without owners has no effect on Gitea".to_owned())
            .help("name an owner, or remove the line: all matching lines count, so nothing is taken away");
        return;
    }
    let negated = first.text.starts_with('!');
    let expression = first.text.strip_prefix('!').unwrap_or(&first.text);
    let text = format!("^{expression}$");
    let regexp = match Regexp::compile(&text) {
        Ok(regexp) => regexp,
        Err(bad) => {
            let (message, is_certain) = match bad {
                BadPattern::Refused(why) => {
                    let why = why.strip_prefix("error parsing regexp: ").unwrap_or(&why).replace('`', "");
                    (format!("this is no regular expression: {why}"), true)
                }
                BadPattern::Unsupported => ("this regular expression cannot be run here".to_owned(), false),
            };
            let problem = out.problem(ProblemKind::Pattern, line, pattern, message);
            problem.help("write a regular expression, not a glob: `.*` for any text, `[^/]*` within a folder");
            problem.is_certain = is_certain;
            return;
        }
    };
    if expression.starts_with('*') {
        let message = format!("`{pattern}` is a regular expression on Gitea, where nothing stands before the `*`");
        let problem = out.problem(ProblemKind::Pattern, line, pattern, message);
        problem.help("write `.*` for any text, and `\\\\.` for a dot");
        problem.is_skipped = false;
    }
    let mut named = Vec::new();
    for owner in owners {
        let name = owner.text.strip_prefix('@').unwrap_or(&owner.text);
        let written = &line.text[owner.range.clone()];
        if name.split('/').count() <= 2 && name.split('/').all(|part| !part.is_empty()) {
            named.push(written);
            continue;
        }
        let message = format!("`{written}` is no owner");
        out.problem(ProblemKind::Owner, line, written, message).help("owners are `@user` or `@org/team`").is_skipped =
            false;
    }
    if named.is_empty() {
        out.problems
            .iter_mut()
            .filter(|problem| problem.line == line.number)
            .for_each(|problem| problem.is_skipped = true);
        return;
    }
    let is_doubtful = expression.starts_with('*');
    let matcher = Matcher::Regexp { regexp: Box::new(regexp), text, negated };
    out.entries.push(Entry { is_doubtful, ..line.entry(pattern, matcher, &named) });
}

/// The words of a line: a backslash takes the next character as it is and disappears, `#` ends the line.
fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut text = String::new();
    let mut start = None;
    let mut is_escaped = false;
    let mut end = line.len();
    for (at, c) in line.char_indices() {
        match c {
            _ if is_escaped => {
                text.push(c);
                is_escaped = false;
            }
            '\\' => {
                start = start.or(Some(at));
                is_escaped = true;
            }
            '#' => {
                end = at;
                break;
            }
            ' ' | '\t' => {
                if let Some(start) = start.take().filter(|_| !text.is_empty()) {
                    tokens.push(Token { text: std::mem::take(&mut text), range: start..at });
                }
            }
            c => {
                start = start.or(Some(at));
                text.push(c);
            }
        }
    }
    if let Some(start) = start.filter(|_| !text.is_empty()) {
        tokens.push(Token { text, range: start..end });
    }
    tokens
}
