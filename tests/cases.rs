//! Small repositories from public bug reports: the fault is found where it is, and the repaired tree is clean.
//!
//! `testdata/cases/` holds those whose rules exist; all of them must pass. `PLIMSOLL_CASES=DIR` runs another folder of
//! cases instead and prints, without judging, what is found and what not.

use plimsoll::engine::{self, Report, Settings, Snapshot, SnapshotRoot};
use plimsoll::finding::Severity;
use plimsoll::repo::RepoUrl;
use plimsoll::rules::{self, Nature};
use plimsoll::text::{RepoPath, Span};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[test]
fn every_case_is_found_and_clean_when_repaired() {
    let foreign = std::env::var_os("PLIMSOLL_CASES").map(PathBuf::from);
    let folder = foreign.clone().unwrap_or_else(|| PathBuf::from("testdata/cases"));
    let mut failures = Vec::new();
    let (mut found, mut clean, mut total) = (0, 0, 0);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.join("case.json").is_file()) {
        let case: Value = serde_json::from_str(&std::fs::read_to_string(path.join("case.json")).unwrap()).unwrap();
        let id = case["id"].as_str().unwrap();
        let mut tree = BTreeMap::new();
        read(path, path, &mut tree);
        let missing = missing(&case, &check(&case, &tree));
        total += 1;
        found += usize::from(missing.is_empty());
        failures.extend(missing.into_iter().map(|line| format!("{id}: {line}")));
        for (path, text) in case["fixed"].as_object().into_iter().flatten() {
            match text.as_str() {
                Some(text) => drop(tree.insert(path.clone(), text.as_bytes().to_vec())),
                None => drop(tree.remove(path)),
            }
        }
        let surplus = facts(&check(&case, &tree));
        clean += usize::from(surplus.is_empty());
        failures.extend(surplus.into_iter().map(|line| format!("{id}: repaired, but {line}")));
    }
    println!("cases: {found} of {total} found, {clean} of {total} clean when repaired");
    failures.iter().for_each(|failure| println!("{failure}"));
    assert!(total > 0, "no case in {}", folder.display());
    assert!(foreign.is_some() || failures.is_empty(), "{} cases are not as they must be", failures.len());
}

fn read(root: &Path, folder: &Path, tree: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(root, &path, tree);
        } else if path != root.join("case.json") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            tree.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

fn check(case: &Value, tree: &BTreeMap<String, Vec<u8>>) -> Report {
    let files = tree.iter().map(|(path, bytes)| (RepoPath::new(path).unwrap(), bytes.clone())).collect();
    let mut root = SnapshotRoot::in_memory(".", files);
    let urls = case["repos"].as_object().unwrap().iter().filter(|(_, path)| *path == ".");
    root.root.urls = urls.filter_map(|(url, _)| RepoUrl::new(url)).collect();
    let snapshot = Snapshot { roots: vec![root] };
    engine::check(snapshot, &Settings::default())
}

/// The expectations of a case that no finding meets; for a clean case, what is reported nevertheless.
fn missing(case: &Value, report: &Report) -> Vec<String> {
    let expected = case["expect"].as_array().unwrap();
    if expected.is_empty() {
        return facts(report);
    }
    let is_met = |expectation: &Value| {
        let places = std::iter::once(expectation).chain(expectation["alternatives"].as_array().into_iter().flatten());
        places.into_iter().any(|place| {
            let (file, line) = (place["file"].as_str().unwrap(), place["line"].as_u64().unwrap() as u32);
            report.findings.iter().any(|judged| {
                let finding = &judged.finding;
                let mut spans = std::iter::once(finding.span).chain(finding.labels.iter().map(|label| label.span));
                spans.any(|span| covers(report, span, file, line))
            })
        })
    };
    let unmet = expected.iter().filter(|expectation| !is_met(expectation));
    unmet.map(|place| format!("nothing at {}:{} ({})", place["file"], place["line"], place["category"])).collect()
}

fn covers(report: &Report, span: Span, file: &str, line: u32) -> bool {
    let entry = report.repo.entry(span.file);
    let lines = entry.file.as_ref().map_or((1, 1), |file| {
        (file.source.position(span.start).line, file.source.position(span.end.max(span.start + 1) - 1).line)
    });
    entry.path.as_str() == file && lines.0 <= line && line <= lines.1
}

/// The facts at warning or above, one line each.
fn facts(report: &Report) -> Vec<String> {
    let judged = report.findings.iter().filter(|judged| {
        let nature = rules::find(judged.finding.rule.0).map(|rule| rule.nature);
        nature == Some(Nature::Fact) && judged.severity >= Severity::Warning
    });
    let line = |judged: &engine::Judged| {
        let entry = report.repo.entry(judged.finding.span.file);
        let line = entry.file.as_ref().map_or(1, |file| file.source.position(judged.finding.span.start).line);
        format!("{}:{line}: {}: {}", entry.path, judged.finding.rule, judged.finding.message)
    };
    judged.map(line).collect()
}
