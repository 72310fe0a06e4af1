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

/// The package that ships the schema as OASIS published it, and where in it.
#[cfg(feature = "schema")]
const SCHEMA: (&str, &str) = ("@microsoft/jest-sarif@1.0.0-beta.0", "package/lib/schemas/sarif-2.1.0-rtm.5.json");

/// The official schema, or why it cannot be had here.
#[cfg(feature = "schema")]
fn official_schema() -> Result<Value, String> {
    use std::process::Command;
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let run = |program: &str, arguments: &[&str]| match Command::new(program)
        .args(arguments)
        .current_dir(folder.path())
        .output()
    {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        Ok(output) => Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("{program} cannot be run: {error}")),
    };
    let archive = run("npm", &["pack", "--silent", SCHEMA.0])?;
    run("tar", &["xzf", &archive])?;
    let text = std::fs::read_to_string(folder.path().join(SCHEMA.1)).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Needs npm and its registry; `PLIMSOLL_REQUIRE_SARIF` makes their absence a failure.
#[cfg(feature = "schema")]
#[test]
fn sarif_is_what_its_official_schema_demands() {
    use plimsoll::finding::Fix;
    use plimsoll::text::Edit;
    let schema = match official_schema() {
        // A stray bracket makes this pattern none for strict readers; nothing of ours names a language.
        Ok(mut schema) => {
            for holder in ["run", "toolComponent"] {
                let language = &mut schema["definitions"][holder]["properties"]["language"];
                assert!(language.as_object_mut().is_some_and(|language| language.remove("pattern").is_some()));
            }
            schema
        }
        Err(why) => {
            assert!(std::env::var_os("PLIMSOLL_REQUIRE_SARIF").is_none(), "{why}");
            println!("skipped: {why}");
            return;
        }
    };
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).expect("it is a schema");
    let mistakes = |log: &Value| {
        validator.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect::<Vec<_>>()
    };
    for path in ["a.yaml", "a b/:%0A#?[é]\u{202e}.yaml"] {
        let mut report = report(path, "see [a](https://b) {0}\n", Severity::Warning).unwrap();
        let span = report.findings[0].finding.span;
        let edits = vec![Edit { span: Span::new(span.file, 3, 3), text: "x".into() }];
        report.findings[0].finding.fix(Fix::safe("insert", edits));
        report.findings.extend(plimsoll::rules::RULES.iter().map(|rule| {
            let finding = Finding::new(rule.id, Span::whole(span.file), rule.title);
            engine::Judged { finding, severity: Severity::Info, apps: 0 }
        }));
        let mut log: Value = serde_json::from_str(&written(sarif::write, &report)).unwrap();
        assert_eq!(mistakes(&log), Vec::<String>::new());
        // The schema does judge: what it forbids is refused.
        log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"] = Value::Array(Vec::new());
        assert!(!mistakes(&log).is_empty());
    }
}
