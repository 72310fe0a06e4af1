//! Suppressions: comments that accept findings, on a node and what is under it, or in the whole file.

use super::config::{did_you_mean, ids};
use crate::finding::{Finding, Fix, RuleId};
use crate::formats::codeowners;
use crate::repo::File;
use crate::rules;
use crate::text::{Edit, FileId, Span};
use crate::yaml::{Comment, Kind, Node};

/// What every suppression starts with, after the `#`.
const MARK: &str = "plimsoll:";
/// The rule that reports suppressions which suppress nothing.
const UNUSED: RuleId = RuleId("unused-suppression");

/// One rule named by one comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// Where the rule is named.
    pub span: Span,
    /// The rule.
    pub rule: RuleId,
    /// The bytes it covers; `None` for the whole file.
    pub covers: Option<Span>,
    /// All that its comment has between the brackets.
    pub names: Span,
    /// Its comment, with its line or the blanks before it.
    pub comment: Span,
}

impl Suppression {
    /// Whether it accepts a finding of its rule at this place.
    pub fn accepts(&self, rule: RuleId, span: Span) -> bool {
        let is_covered = |covers: Span| covers.start <= span.start && span.start < covers.end.max(covers.start + 1);
        self.rule == rule && self.span.file == span.file && self.covers.is_none_or(is_covered)
    }
}

/// The suppressions of a file in order, and findings about comments that are none but look like one.
pub fn read(file: &File) -> (Vec<Suppression>, Vec<Finding>) {
    let mut found = (Vec::new(), Vec::new());
    if !file.source.mentions(MARK) {
        return found;
    }
    let is_owners = codeowners::is_location(file.source.path.as_str());
    let text = if is_owners { &*file.source.text } else { "" };
    let comment = |(start, end)| Comment { start, end, own_line: true };
    let of_owners: Vec<Comment> = codeowners::comments(text).map(comment).collect();
    for comment in file.tree.comments().iter().chain(&of_owners) {
        read_comment(file, comment, &mut found.0, &mut found.1);
    }
    found
}

fn read_comment(file: &File, comment: &Comment, suppressions: &mut Vec<Suppression>, wrong: &mut Vec<Finding>) {
    let text = file.source.slice(Span::new(file.source.id, comment.start, comment.end));
    let Some(command) = text.trim_start_matches('#').trim_start().strip_prefix(MARK).map(str::trim) else { return };
    let whole = Span::new(file.source.id, comment.start, comment.start + text.trim_end().len() as u32);
    let is_file = command.starts_with("ignore-file[");
    let names = command.strip_prefix(if is_file { "ignore-file[" } else { "ignore[" });
    let Some((names, _reason)) = names.and_then(|names| names.split_once(']')) else {
        let mut finding = Finding::new(UNUSED, whole, "this comment is no suppression that plimsoll understands");
        finding.help("write `# plimsoll: ignore[rule] why` or `# plimsoll: ignore-file[rule] why`");
        wrong.push(finding);
        return;
    };
    let covers = if is_file { None } else { Some(covered(file, comment)) };
    let place = |part: &str| {
        let start = comment.start + (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        Span::new(file.source.id, start, start + part.len() as u32)
    };
    let (comment, names_span) = (extent(file, comment), place(names));
    for name in names.split(',').map(str::trim) {
        let span = place(name);
        match rules::find(name) {
            Some(rule) => {
                suppressions.push(Suppression { span, rule: rule.id, covers, names: names_span, comment });
            }
            None => {
                let mut finding = Finding::new(UNUSED, span, format!("no rule is named `{name}`"));
                finding.help(did_you_mean(name, ids(), || "`plimsoll rules` lists them".to_owned()));
                wrong.push(finding);
            }
        }
    }
}

/// What says that suppressions of one comment accept nothing; the first offers to take all of them out.
pub fn unused(file: &File, suppressions: &[&Suppression]) -> Vec<Finding> {
    let Some(first) = suppressions.first() else { return Vec::new() };
    let names = file.source.slice(first.names);
    let is_kept = |name: &&str| suppressions.iter().all(|suppression| suppression.rule.0 != *name);
    let kept: Vec<&str> = names.split(',').map(str::trim).filter(is_kept).collect();
    let (help, edit) = if kept.is_empty() {
        ("remove the comment", Edit { span: first.comment, text: String::new() })
    } else {
        ("remove the rule from the comment", Edit { span: first.names, text: kept.join(", ") })
    };
    let mut found: Vec<Finding> = Vec::new();
    for suppression in suppressions {
        let message = format!("suppression of `{}` suppresses nothing", suppression.rule);
        let mut finding = Finding::new(UNUSED, suppression.span, message);
        finding.help(help);
        found.push(finding);
    }
    found[0].fix(Fix::safe(help, vec![edit]));
    found
}

/// A comment with its whole line, or with the blanks between it and what it stands behind.
fn extent(file: &File, comment: &Comment) -> Span {
    let before = &file.source.text[..comment.start as usize];
    let (start, end) = if comment.own_line {
        let lines = file.source.lines();
        let line = lines.range(&file.source.text, lines.line_of(comment.start)).unwrap_or_default();
        (line.start, line.end)
    } else {
        (before.trim_end_matches([' ', '\t']).len(), comment.end as usize)
    };
    Span::new(file.source.id, start as u32, end as u32)
}

/// The line that a comment is about, and everything below the nodes that start on it.
fn covered(file: &File, comment: &Comment) -> Span {
    let id: FileId = file.source.id;
    let lines = file.source.lines();
    let mut line = lines.line_of(comment.start);
    if comment.own_line {
        let is_comment = |line: usize| {
            let range = lines.range(&file.source.text, line).unwrap_or_default();
            file.source.text[range].trim_start().starts_with('#')
        };
        line += 1;
        while is_comment(line) {
            line += 1;
        }
    }
    let range = lines.range(&file.source.text, line).unwrap_or_default();
    let (start, end) = (range.start as u32, range.end as u32);
    let roots = file.tree.documents().iter().filter_map(|document| file.tree.root(document));
    let ends = roots.filter_map(|root| end_of_units(root, start, end));
    Span::new(id, start, ends.max().unwrap_or(end).max(end))
}

/// The end of the longest entry or item below `node` that starts in the line `start..end`.
fn end_of_units(node: Node<'_>, start: u32, end: u32) -> Option<u32> {
    let mut longest: Option<u32> = None;
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if node.is_alias() || node.span().start >= end {
            continue;
        }
        let mut unit = |first: Node<'_>, last| {
            let node: Node<'_> = last;
            if first.span().start >= start && first.span().start < end {
                longest = longest.max(Some(node.span().end));
                return;
            }
            if node.span().end >= start {
                open.push(last);
            }
        };
        match node.kind() {
            Kind::Mapping => node.pairs().for_each(|pair| unit(pair.key, pair.value)),
            Kind::Sequence => node.items().for_each(|item| unit(item, item)),
            Kind::Scalar | Kind::Alias => {}
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::FileState;
    use crate::text::{RepoPath, RootId, SourceFile};
    use crate::yaml;

    const RULE: &str = "dangling-source-path";

    fn file(text: &str) -> File {
        let text = text.replace("RULE", RULE);
        let source = SourceFile::new(FileId(0), RootId(0), RepoPath::new("a.yaml").unwrap(), text);
        let tree = yaml::parse(FileId(0), source.text.clone());
        File { source, tree, documents: Vec::new(), findings: Vec::new(), state: FileState::Read }
    }

    /// The texts `x1` … that the only suppression of a file accepts.
    fn accepted(text: &str) -> Vec<String> {
        let file = file(text);
        let (suppressions, wrong) = read(&file);
        assert!(wrong.is_empty() && suppressions.len() == 1, "{suppressions:?} {wrong:?}");
        let places = file.source.text.match_indices('x').map(|(at, _)| at as u32);
        let is_accepted = |at: &u32| suppressions[0].accepts(RuleId(RULE), Span::new(FileId(0), *at, at + 2));
        places.filter(is_accepted).map(|at| file.source.slice(Span::new(FileId(0), at, at + 2)).to_owned()).collect()
    }

    #[test]
    fn a_comment_at_the_end_of_a_line_covers_its_entry() {
        assert_eq!(accepted("a: x1 # plimsoll: ignore[RULE] why\nb: x2\n"), ["x1"]);
    }

    #[test]
    fn a_comment_above_covers_the_entry_below() {
        assert_eq!(accepted("# plimsoll: ignore[RULE]\n# more\na: x1\nb: x2\n"), ["x1"]);
    }

    #[test]
    fn everything_under_the_node_is_covered() {
        assert_eq!(accepted("a: # plimsoll: ignore[RULE]\n  b: x1\n  c: [x2]\nd: x3\n"), ["x1", "x2"]);
    }

    #[test]
    fn an_item_is_covered_as_a_whole() {
        let text = "l:\n  - a: x1 # plimsoll: ignore[RULE]\n    b: x2\n  - a: x3\n";
        assert_eq!(accepted(text), ["x1", "x2"]);
    }

    #[test]
    fn the_first_entry_of_a_map_is_not_the_map() {
        assert_eq!(accepted("m:\n  a: x1 # plimsoll: ignore[RULE]\n  b: x2\n"), ["x1"]);
    }

    #[test]
    fn a_file_is_covered_from_anywhere_in_it() {
        assert_eq!(accepted("a: x1\n# plimsoll: ignore-file[RULE] why\nb: x2\n"), ["x1", "x2"]);
    }

    #[test]
    fn a_block_scalar_is_covered() {
        assert_eq!(accepted("a: | # plimsoll: ignore[RULE]\n  x1\n  x2\nb: x3\n"), ["x1", "x2"]);
    }

    #[test]
    fn an_unknown_rule_and_an_unknown_command_are_reported() {
        let (suppressions, wrong) =
            read(&file("a: 1 # plimsoll: ignore[dangling-source-paht]\nb: 2 # plimsoll: skip\n"));
        assert!(suppressions.is_empty());
        assert_eq!(wrong[0].message, "no rule is named `dangling-source-paht`");
        assert_eq!(wrong[1].message, "this comment is no suppression that plimsoll understands");
    }

    #[test]
    fn the_mark_inside_a_text_is_no_comment() {
        assert_eq!(read(&file("a: 'x # plimsoll: ignore[RULE]'\n")), (Vec::new(), Vec::new()));
    }
}
