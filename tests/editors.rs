//! The matchers of `editors/`: what they read from real output is what the JSON report says.

use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the program prints about a fleet with many slips.
fn check(folder: &Path, format: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "--show", "info", "--format", format])
        .current_dir(folder)
        .output()
        .expect("the program was built");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("the fleet is there") {
        let entry = entry.expect("it can be listed");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target);
        } else {
            std::fs::copy(&source, &target).expect("a file can be copied");
        }
    }
}

#[test]
fn matchers_read_what_the_report_says() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    copy(Path::new("testdata/fleets/overlays/broken"), folder.path());
    // A path that looks like a place, and one with a space.
    let slip = folder.path().join("apps 1:2: error[x] y.yaml");
    std::fs::write(slip, "a: [\n").expect("a file can be written");
    let concise = check(folder.path(), "concise");
    let report: Value = serde_json::from_str(&check(folder.path(), "json")).expect("the report is JSON");
    let child = Command::new("node").arg("tests/editors/match.js").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: node cannot be run");
        return;
    };
    child.stdin.take().expect("it is piped").write_all(concise.as_bytes()).expect("node reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let read: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    assert!(findings.len() > 5, "the fleet has slips");
    for matcher in ["code", "github"] {
        let read = read[matcher].as_array().expect("matches are a list");
        assert_eq!(read.len(), findings.len());
        for (read, finding) in read.iter().zip(findings) {
            for key in ["path", "line", "column", "rule", "message"] {
                assert_eq!(read[key], finding[key], "{matcher}, {key}: {finding}");
            }
            let severity = if read["severity"] == "notice" { "info".into() } else { read["severity"].clone() };
            assert_eq!(severity, finding["severity"], "{matcher}");
        }
    }
}
