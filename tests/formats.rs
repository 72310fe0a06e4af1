//! Output formats: whatever a path or a message says, the container holds, and says the same again.

use plimsoll::engine::{self, Report, Settings, Snapshot, SnapshotRoot};
use plimsoll::finding::{Finding, RuleId, Severity};
use plimsoll::report::{checkstyle, github, gitlab, json, junit, markdown, sarif};
use plimsoll::text::{RepoPath, Span};
use proptest::prelude::*;
use serde_json::Value;
use std::io;

type Writer = fn(&Report, &mut dyn io::Write) -> io::Result<()>;

/// Texts that some container would obey.
const TRAPS: &[&str] = &[
    "\n",
    "\r\n",
    "%0A",
    "%",
    "::",
    "::error::",
    "]]>",
    "<!--",
    "-->",
    "<b>",
    "&amp;",
    "\"",
    "'",
    "|",
    "`",
    "``",
    "\\",
    "@acme/all",
    "#12",
    "](https://a.b)",
    "[",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{1b}[31m",
    "\0",
    "\u{ffff}",
    "\u{fffe}",
    "\u{2028}",
    "\u{85}",
    ",",
    ":",
    "{0}",
    "é",
    "\u{1f680}",
];

/// A report with one finding of this message, help and label about a file of this name; none for a path that is none.
fn report(path: &str, message: &str, severity: Severity) -> Option<Report> {
    let path = RepoPath::new(path).ok().filter(|path| !path.is_root())?;
    let files = [(path, b"a: b\nc: d\n".to_vec())].into();
    let snapshot = Snapshot { roots: vec![SnapshotRoot::in_memory(".", files)] };
    let mut report = engine::check(snapshot, &Settings::default());
    let file = report.repo.entries().iter().position(|entry| entry.file.is_some());
    let file = plimsoll::text::FileId(u32::try_from(file.unwrap_or(0)).unwrap());
    let mut finding = Finding::new(RuleId("dangling-source-path"), Span::new(file, 0, 4), message);
    finding.help(message).label(Span::new(file, 5, 9), message);
    report.findings = vec![engine::Judged { finding, severity, apps: 0 }];
    Some(report)
}

fn written(writer: Writer, report: &Report) -> String {
    let mut text = Vec::new();
    writer(report, &mut text).expect("memory takes all bytes");
    let text = String::from_utf8(text).expect("output is UTF-8");
    let is_harmful = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(is_harmful), "{text:?}");
    text
}

fn trap() -> impl Strategy<Value = String> {
    let piece = prop_oneof![proptest::sample::select(TRAPS).prop_map(str::to_owned), any::<String>(), "[a-z/]{1,4}"];
    proptest::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn severity() -> impl Strategy<Value = Severity> {
    proptest::sample::select(&[Severity::Info, Severity::Warning, Severity::Error][..])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn no_text_breaks_its_container(path in trap(), message in trap(), severity in severity()) {
        let Some(report) = report(&path, &message, severity) else { return Ok(()) };
        for writer in [sarif::write as Writer, gitlab::write, json::write] {
            let text = written(writer, &report);
            prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        }
        for (writer, name) in [(checkstyle::write as Writer, "error"), (junit::write, "testcase")] {
            let text = written(writer, &report);
            let tree = roxmltree::Document::parse(&text);
            prop_assert!(tree.is_ok(), "{tree:?}: {text}");
            let tree = tree.unwrap();
            prop_assert_eq!(tree.descendants().filter(|node| node.has_tag_name(name)).count(), 1);
            prop_assert!(!tree.descendants().any(|node| node.is_comment() || node.has_tag_name("b")));
        }
        let commands = written(github::write, &report);
        prop_assert_eq!(commands.lines().count(), 1);
        let parts: Vec<&str> = commands.trim_end().splitn(3, "::").collect();
        prop_assert_eq!(parts[0], "");
        let keys: Vec<&str> = parts[1].split_once(' ').unwrap().1.split(',').map(|one| one.split('=').next().unwrap()).collect();
        prop_assert_eq!(keys, ["file", "line", "endLine", "col", "endColumn", "title"]);
        let page = written(markdown::write, &report);
        let rows: Vec<&str> = page.lines().skip(7).collect();
        prop_assert_eq!(rows.len(), 1, "{}", page);
        prop_assert_eq!(rows[0].matches('|').count(), 4);
        prop_assert!(!rows[0].contains(['@', '`', '[', '*', '_']), "{}", rows[0]);
        let rest = ["<code>", "</code>", "<br>", "<!-- -->"].iter().fold(rows[0].to_owned(), |row, tag| row.replace(tag, ""));
        prop_assert!(!rest.contains(['<', '>']), "{}", rest);
    }
}

#[test]
fn two_slips_alike_are_two_for_gitlab() {
    let mut report = report("a.yaml", "alike", Severity::Error).unwrap();
    let again = report.findings[0].clone();
    report.findings.push(again);
    let list: Value = serde_json::from_str(&written(gitlab::write, &report)).unwrap();
    assert_ne!(list[0]["fingerprint"], list[1]["fingerprint"]);
}

#[test]
fn a_long_comment_is_cut() {
    let mut report = report("a.yaml", &"*".repeat(500), Severity::Error).unwrap();
    report.findings = vec![report.findings[0].clone(); 100];
    let page = written(markdown::write, &report);
    assert!(page.len() < 65_000, "{}", page.len());
    assert!(page.trim_end().ends_with("more do not fit here."));
}

#[test]
fn clean_reports_are_whole() {
    let mut report = report("a.yaml", "a", Severity::Error).unwrap();
    report.findings.clear();
    assert_eq!(written(github::write, &report), "");
    assert_eq!(written(gitlab::write, &report), "[]\n");
    assert!(written(junit::write, &report).contains("no findings"));
    assert!(!written(markdown::write, &report).contains('|'));
}
