//! Whole fleets: `testdata/fleets/<name>/clean` has no finding, `broken` those of `<name>/expected.txt`, and neither
//! depends on the number of threads. `BLESS=1 cargo test` writes what is expected.

use plimsoll::engine::{self, Report, Request};
use plimsoll::finding::Severity;
use plimsoll::report::{View, concise, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[test]
fn clean_fleets_have_no_findings_and_broken_ones_those_expected() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    let mut is_any_found = false;
    for fleet in fleets() {
        let found = show(&check(&first_root(&fleet.join("clean"))));
        if !found.is_empty() {
            writeln!(failures, "{}: clean, but\n{found}", fleet.display()).unwrap();
        }
        let found = show(&check(&first_root(&fleet.join("broken"))));
        let path = fleet.join("expected.txt");
        if bless {
            std::fs::write(&path, &found).expect("the folder can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        is_any_found |= !found.is_empty();
        if found != expected {
            writeln!(failures, "{}: differs\n{}", path.display(), difference(&expected, &found)).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(is_any_found, "nothing is found in any broken fleet");
}

#[test]
fn one_thread_finds_what_many_find() {
    for fleet in fleets() {
        let folder = first_root(&fleet.join("broken"));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            pool.install(|| {
                let mut text = Vec::new();
                json::write(&check(&folder), &mut text).expect("memory takes all bytes");
                String::from_utf8(text).expect("JSON is UTF-8")
            })
        };
        let one = with(1);
        assert_eq!(one, with(2), "{}", folder.display());
        assert_eq!(one, with(8), "{}", folder.display());
    }
}

fn fleets() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("testdata/fleets").expect("the fleets are there");
    let mut fleets: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    fleets.sort();
    assert!(!fleets.is_empty(), "no fleet was found");
    fleets
}

/// The folder that is checked: the one with the configuration, which maps the others beside it.
fn first_root(folder: &Path) -> PathBuf {
    let is_root = |folder: &PathBuf| folder.join(".plimsoll.yaml").is_file();
    let below = std::fs::read_dir(folder).expect("the fleet is there").map(|entry| entry.unwrap().path());
    let mut roots = std::iter::once(folder.to_owned()).chain(below).filter(is_root);
    roots.next().unwrap_or_else(|| panic!("{}: no folder holds a `.plimsoll.yaml`", folder.display()))
}

fn check(folder: &Path) -> Report {
    let here = std::env::current_dir().expect("tests run in the folder of the crate");
    let request = Request { folder: here, paths: vec![folder.to_owned()], ..Request::default() };
    let opened = engine::open(&request).expect("the fleet is there");
    engine::check(opened.snapshot, &opened.settings)
}

fn show(report: &Report) -> String {
    let view = View { show: Severity::Info, verbose: false, color: false };
    let mut text = Vec::new();
    concise::write(report, view, &mut text).expect("memory takes all bytes");
    String::from_utf8(text).expect("output is UTF-8")
}

fn difference(expected: &str, found: &str) -> String {
    let lost =
        expected.lines().filter(|line| !found.lines().any(|other| other == *line)).map(|line| format!("- {line}\n"));
    let new =
        found.lines().filter(|line| !expected.lines().any(|other| other == *line)).map(|line| format!("+ {line}\n"));
    lost.chain(new).collect()
}
