//! Lines of GitHub: a line with any mistake has no effect. Mirrors its documentation; where that is silent, a line that
//! hmarr/codeowners refuses is in doubt.

use super::owner::{self, Verdict};
use super::{CodeOwners, Line, Matcher, ProblemKind, words};
use crate::lang::glob::segments::github::pattern as compile;

/// What is said where a word is no owner.
pub(super) const OWNERS: &str = "owners are `@user`, `@org/team` or an email address, separated by blanks";

/// Reads one line.
pub fn read(line: &Line<'_>, out: &mut CodeOwners) {
    let (pattern, rest) = line.split_pattern();
    if !accepts_pattern(line, pattern, out) {
        return;
    }
    // A comment may begin in the pattern: whether the forge sees it there is not documented.
    let (pattern, rest, has_comment) = match pattern.split_once('#') {
        Some((before, _)) => (before, "", true),
        None => (pattern, rest.split('#').next().unwrap_or_default(), false),
    };
    let owners: Vec<&str> = words(rest).collect();
    let mut is_doubtful = has_comment;
    if let Some(odd) = pattern.chars().find(|c| !is_plain(*c)) {
        let message = format!("`{odd}` may not be allowed in a pattern of {}", out.forge.name());
        out.problem(ProblemKind::Pattern, line, pattern, message).is_certain = false;
        is_doubtful = true;
    }
    for owner in &owners {
        let verdict = owner::github(owner);
        if owner.starts_with("@-") {
            let message = format!("no name on {} begins with `-`, so nobody is `{owner}`", out.forge.name());
            out.problem(ProblemKind::Owner, line, owner, message).help(OWNERS).is_skipped = false;
            continue;
        }
        if verdict == Verdict::Owner {
            continue;
        }
        let message = format!("`{owner}` is no owner, so {} skips this line", out.forge.name());
        let help = correction(owner);
        let problem = out.problem(ProblemKind::Owner, line, owner, message).help(help);
        problem.is_certain = verdict == Verdict::None;
        if problem.is_certain {
            return;
        }
        is_doubtful = true;
    }
    let matcher = Matcher::Segments(compile(pattern));
    out.entries.push(super::Entry { is_doubtful, ..line.entry(pattern, matcher, &owners) });
}

/// What to write instead of a word that is no owner.
fn correction(word: &str) -> String {
    let parts: Vec<&str> = word.split([',', ';']).filter(|part| !part.is_empty()).collect();
    let is_list = word.contains([',', ';']) && !parts.is_empty();
    if is_list && parts.iter().all(|part| owner::github(part) == Verdict::Owner) {
        return format!("write `{}`: blanks separate owners", parts.join(" "));
    }
    OWNERS.to_owned()
}

/// Whether the forge does not refuse the pattern; what it refuses is noted. For Bitbucket too.
pub(super) fn accepts_pattern(line: &Line<'_>, pattern: &str, out: &mut CodeOwners) -> bool {
    let forge = out.forge.name();
    if pattern.starts_with('!') {
        let message = format!("`!` excludes nothing on {forge}: this line is skipped");
        out.problem(ProblemKind::Pattern, line, pattern, message)
            .help("remove the line, or add a later one without owners for what is excluded");
    } else if pattern.starts_with("\\#") {
        let message = format!("a pattern cannot begin with `#` on {forge}, escaped or not");
        out.problem(ProblemKind::Pattern, line, pattern, message)
            .help("name the folder above, or write `?` for the `#`");
    } else if pattern.contains("***") {
        let message = format!("`***` is no pattern of {forge}: this line is skipped");
        out.problem(ProblemKind::Pattern, line, pattern, message)
            .help("write `**` for any folders, `*` for a part of a name");
    } else {
        return true;
    }
    false
}

/// Whether all readers take a character in a pattern.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "*?./@_+-\\ \t".contains(c)
}
