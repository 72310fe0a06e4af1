//! Lines of GitLab: sections with default owners, exclusions, and no comment at the end of a line. Mirrors GitLab 18's
//! documentation of CODEOWNERS, with the advanced syntax.

use super::{CodeOwners, Entry, Line, Matcher, ProblemKind, Section, owner, words};
use crate::lang::glob::segments::gitlab::pattern as compile;
use crate::text::Spanned;

/// What a header says for the lines below it.
struct Header<'t> {
    name: &'t str,
    is_optional: bool,
    approvals: u32,
    owners: &'t str,
}

/// Reads all lines.
pub fn read<'t>(lines: impl Iterator<Item = Line<'t>>, out: &mut CodeOwners) {
    let (mut section, mut approvals) = (0, 1);
    let mut defaults: Vec<Spanned<String>> = Vec::new();
    for line in lines {
        if let Some(header) = header(line.text) {
            section = open(&line, &header, out);
            approvals = header.approvals;
            defaults = owners(&line, header.owners, out);
            continue;
        }
        let (pattern, rest) = line.split_pattern();
        if pattern.trim_start_matches('^').starts_with('[') && !pattern.contains(']') {
            let message = format!("this section header is not closed, so GitLab takes `{pattern}` for a pattern");
            let problem = out.problem(ProblemKind::Header, &line, pattern, message);
            problem.help("write a header as `[Name]`, `^[Name]` or `[Name][2]`, then its owners");
            problem.is_skipped = false;
        }
        let excludes = pattern.starts_with('!');
        let pattern = pattern.strip_prefix('!').unwrap_or(pattern);
        let own = owners(&line, rest, out);
        let matcher = Matcher::Segments(compile(pattern));
        let owners = if own.is_empty() && rest.is_empty() { defaults.clone() } else { own };
        out.entries.push(Entry { owners, section, approvals, excludes, ..line.entry(pattern, matcher, &[]) });
    }
}

/// A section header; whatever follows the brackets must be set off by a blank.
fn header(text: &str) -> Option<Header<'_>> {
    let (text, is_optional) = text.strip_prefix('^').map_or((text, false), |text| (text, true));
    let (name, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (count, owners) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((count, owners)) => (count, owners),
        None => ("", rest),
    };
    let is_set_off = owners.is_empty() || owners.starts_with(super::is_blank);
    let approvals = count.parse().unwrap_or(1).max(1);
    is_set_off.then_some(Header { name, is_optional, approvals, owners })
}

/// The section of a header; names of one section may differ in letter case.
fn open(line: &Line<'_>, header: &Header<'_>, out: &mut CodeOwners) -> usize {
    let name = header.name.to_lowercase();
    let is_same = |section: &Section| section.name.as_ref().is_some_and(|known| known.value.to_lowercase() == name);
    if let Some(at) = out.sections.iter().position(is_same) {
        out.sections[at].is_optional &= header.is_optional;
        return at;
    }
    out.sections.push(Section { name: Some(line.spanned(header.name)), is_optional: header.is_optional });
    out.sections.len() - 1
}

/// The owners in a text. Words that are none are dropped one by one; those after a `#` were meant as a comment, but an
/// owner among them counts.
fn owners(line: &Line<'_>, text: &str, out: &mut CodeOwners) -> Vec<Spanned<String>> {
    let mut owners = Vec::new();
    let mut is_comment = false;
    for word in words(text) {
        is_comment |= word.starts_with('#');
        match owner::gitlab(word) {
            Some(owner) => {
                owners.push(line.spanned(owner));
                if is_comment {
                    let message = format!("GitLab has no comments at the end of a line: `{owner}` is an owner");
                    let problem = out.problem(ProblemKind::Comment, line, owner, message);
                    problem.help("move the comment to a line of its own");
                    problem.is_skipped = false;
                }
            }
            None if is_comment => {}
            None => {
                let message = format!("`{word}` is no owner, so GitLab leaves it out");
                let problem = out.problem(ProblemKind::Owner, line, word, message);
                problem.help("owners are `@user`, `@group/subgroup`, `@@maintainer` or an email address");
                problem.is_skipped = false;
                problem.is_certain = !word.contains('@');
            }
        }
    }
    owners
}
