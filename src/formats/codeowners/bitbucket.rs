//! Lines of Bitbucket. Little is documented: what is certain are words that are no owner, `!`, and the syntax of an app
//! that reads a file of the same name.

use super::owner::{self, Verdict};
use super::{CodeOwners, Line, Matcher, ProblemKind, github, words};
use crate::lang::glob::segments::github::pattern as compile;

/// Reads one line.
pub fn read(line: &Line<'_>, out: &mut CodeOwners) {
    if is_of_other_tool(line.text) {
        let message = "this is the syntax of an app, which Bitbucket itself does not read".to_owned();
        out.problem(ProblemKind::OtherTool, line, line.text, message)
            .help("move it to the `CODEOWNERS` at the root, which the app reads too");
        return;
    }
    let (pattern, rest) = line.split_pattern();
    if !github::accepts_pattern(line, pattern, out) {
        return;
    }
    let owners: Vec<&str> = words(rest.split('#').next().unwrap_or_default()).collect();
    let mut is_doubtful = pattern.contains(['[', '#']);
    for owner in &owners {
        let verdict = owner::bitbucket(owner);
        if verdict == Verdict::None {
            let message = format!("`{owner}` is no owner, so Bitbucket skips this line");
            out.problem(ProblemKind::Owner, line, owner, message)
                .help("owners are `@user`, `@workspace/group`, `@teams/name` or an email address");
            return;
        }
        is_doubtful |= verdict == Verdict::Doubtful;
    }
    let matcher = Matcher::Segments(compile(pattern));
    out.entries.push(super::Entry { is_doubtful, ..line.entry(pattern, matcher, &owners) });
}

/// Whether a line is written for the app: groups with two or three `@`, checks, directives, braces.
fn is_of_other_tool(line: &str) -> bool {
    line.starts_with("CODEOWNERS.")
        || line.starts_with("Check(")
        || words(line).any(|word| word.starts_with("@@"))
        || words(line).next().is_some_and(|pattern| pattern.contains('{') && pattern.contains(','))
}
