//! Markdown for a pull request's comment or a job's summary: what text of the repository says stays text.

use super::{Location, View, escape, summary};
use crate::engine::{Judged, Report};
use crate::finding::Severity;
use std::fmt::Write as _;
use std::io::{self, Write};

/// By this line a bot finds its earlier comment.
const MARKER: &str = "<!-- plimsoll -->";
/// Bytes of rows: forges refuse comments of more than 65,536 characters.
const ROWS: usize = 60_000;

/// Writes the findings as a table, cut where a comment would grow too long.
///
/// # Errors
/// Those of `out`.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let all = View { show: Severity::Info, verbose: false, color: false };
    writeln!(out, "{MARKER}\n### plimsoll\n\n{}", inline(&summary::counts(&report.summary, all)))?;
    if report.findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n| severity | place | finding |\n|---|---|---|")?;
    let mut written = 0;
    for (index, judged) in report.findings.iter().enumerate() {
        let row = row(report, judged);
        written += row.len();
        if written > ROWS {
            let rest = summary::counted(report.findings.len() - index, "finding", "findings");
            return writeln!(out, "\n{rest} more do not fit here.");
        }
        out.write_all(row.as_bytes())?;
    }
    Ok(())
}

fn row(report: &Report, judged: &Judged) -> String {
    let finding = &judged.finding;
    let at = Location::of(&report.repo, finding.span).start;
    let path = entities(&escape(&report.path_of(finding.span)));
    let mut text = format!("{} <code>{}</code>", inline(&finding.message), entities(finding.rule.0));
    if let Some(help) = &finding.help {
        text += &format!("<br>help: {}", inline(help));
    }
    format!("| {} | <code>{path}:{}</code> | {text} |\n", judged.severity, at.line)
}

/// A sentence of ours: what it quotes in backticks is code, where forges look for no names and no numbers.
fn inline(text: &str) -> String {
    let text = escape(text);
    let mut pieces: Vec<&str> = text.split('`').collect();
    // A backtick without partner is text.
    let odd = if pieces.len().is_multiple_of(2) { pieces.pop() } else { None };
    let mut out = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        match index % 2 {
            0 => out += &prose(piece),
            _ => write!(out, "<code>{}</code>", entities(piece)).expect("a string takes all text"),
        }
    }
    if let Some(odd) = odd {
        out += "&#96;";
        out += &prose(odd);
    }
    out
}

/// Text outside of code: a comment parts what would name a person or an issue, since entities alone do not.
fn prose(text: &str) -> String {
    entities(text).replace("&#64;", "&#64;<!-- -->").replace("&#35;", "&#35;<!-- -->")
}

/// Text in which no character has a meaning: not for Markdown, not for HTML, not for a table.
fn entities(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, character| {
        if character.is_ascii_punctuation() && !matches!(character, ',' | '.' | ';' | '/' | '-') {
            write!(out, "&#{};", u32::from(character)).expect("a string takes all text");
        } else {
            out.push(character);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_become_code() {
        assert_eq!(inline("path `a|b` is missing"), "path <code>a&#124;b</code> is missing");
        assert_eq!(inline("a ` b"), "a &#96; b");
    }

    #[test]
    fn text_is_no_markup() {
        assert_eq!(inline("<img src=x>"), "&#60;img src&#61;x&#62;");
        assert_eq!(inline("[a](b)*_~"), "&#91;a&#93;&#40;b&#41;&#42;&#95;&#126;");
        assert_eq!(inline("`</code><b>`"), "<code>&#60;/code&#62;&#60;b&#62;</code>");
        assert_eq!(inline("a\n\n# b"), "a&#92;u&#123;a&#125;&#92;u&#123;a&#125;&#35;<!-- --> b");
    }

    #[test]
    fn nobody_is_called_and_nothing_linked() {
        assert_eq!(inline("ask @acme/platform"), "ask &#64;<!-- -->acme/platform");
        assert_eq!(inline("see #12 at https://a.b"), "see &#35;<!-- -->12 at https&#58;//a.b");
        assert_eq!(inline("`@acme`"), "<code>&#64;acme</code>");
    }
}
