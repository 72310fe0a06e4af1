//! States of a checkout: the index, a commit, and what is new since a revision.
#![cfg(feature = "git")]

use plimsoll::engine::{self, Report, Request, State};
use std::path::Path;
use std::process::Command;

const GOOD: &str = "\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a}
spec:
  project: default
  destination: {name: in-cluster, namespace: a}
  source: {repoURL: 'https://git.example.com/acme/fleet.git', path: charts, targetRevision: HEAD}
";

fn git(folder: &Path, args: &[&str]) {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"])
        .args(args)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn check(folder: &Path, state: State, since: Option<&str>) -> Report {
    let request = Request { folder: folder.to_owned(), state, since: since.map(str::to_owned), ..Request::default() };
    let opened = engine::open(&request).expect("the checkout can be read");
    match opened.base {
        Some(base) => engine::check_since(opened.snapshot, base, &opened.settings),
        None => engine::check(opened.snapshot, &opened.settings),
    }
}

fn errors(report: &Report) -> Vec<String> {
    let path = |judged: &engine::Judged| report.repo.entry(judged.finding.span.file).path.to_string();
    let errors = report.findings.iter().filter(|judged| judged.severity == plimsoll::finding::Severity::Error);
    errors.map(|judged| format!("{} {}", path(judged), judged.finding.rule.0)).collect()
}

/// Another app, with a mistake.
fn other() -> String {
    GOOD.replace("metadata: {name: a}", "metadata: {name: b}").replace("path: charts", "path: nowhere")
}

/// A commit with one mistake in `old.yaml`.
fn fleet() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["remote", "add", "origin", "https://git.example.com/acme/fleet.git"]);
    std::fs::create_dir(folder.path().join("charts")).unwrap();
    std::fs::write(folder.path().join("charts/cm.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n")
        .unwrap();
    std::fs::write(folder.path().join("old.yaml"), GOOD.replace("path: charts", "path: chart")).unwrap();
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-qm", "first"]);
    folder
}

#[test]
fn the_index_is_read_and_the_work_tree_is_not() {
    let folder = fleet();
    let path = folder.path();
    std::fs::write(path.join("new.yaml"), other()).unwrap();
    assert_eq!(errors(&check(path, State::Index, None)), ["old.yaml dangling-source-path"]);
    git(path, &["add", "new.yaml"]);
    std::fs::write(path.join("new.yaml"), "").unwrap();
    let both = ["new.yaml dangling-source-path", "old.yaml dangling-source-path"];
    assert_eq!(errors(&check(path, State::Index, None)), both);
    assert_eq!(errors(&check(path, State::WorkTree, None)), ["old.yaml dangling-source-path"]);
}

#[test]
fn a_commit_is_read_without_a_checkout() {
    let folder = fleet();
    let path = folder.path();
    std::fs::write(path.join("old.yaml"), GOOD).unwrap();
    git(path, &["commit", "-qam", "second"]);
    assert!(errors(&check(path, State::Commit("HEAD".into()), None)).is_empty());
    assert_eq!(errors(&check(path, State::Commit("HEAD~1".into()), None)), ["old.yaml dangling-source-path"]);
}

#[test]
fn what_the_base_has_too_is_not_reported() {
    let folder = fleet();
    let path = folder.path();
    assert!(errors(&check(path, State::WorkTree, Some("main"))).is_empty());
    git(path, &["checkout", "-qb", "change"]);
    std::fs::write(path.join("new.yaml"), other()).unwrap();
    let report = check(path, State::WorkTree, Some("main"));
    assert_eq!(errors(&report), ["new.yaml dangling-source-path"]);
    assert_eq!(report.summary.errors, 1);
}

#[test]
fn a_revision_that_is_not_there_is_a_sentence() {
    let folder = fleet();
    let request = |state, since: Option<&str>| Request {
        folder: folder.path().to_owned(),
        state,
        since: since.map(str::to_owned),
        ..Request::default()
    };
    let failed = engine::open(&request(State::Commit("nowhere".into()), None)).unwrap_err().to_string();
    assert_eq!(failed, "cannot use `--rev nowhere`: this clone has no revision `nowhere`; fetch it first");
    let failed = engine::open(&request(State::WorkTree, Some("nowhere"))).unwrap_err().to_string();
    assert_eq!(failed, "cannot use `--since nowhere`: this clone has no revision `nowhere`; fetch it first");
}
