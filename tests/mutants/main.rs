//! Slips that nobody notices: each clean fleet with one of them, and what is found.
//!
//! A mutant that leaves the apps and what they read as they were is no slip, and is counted apart. `PLIMSOLL_MUTANTS`
//! says how many are made; the same number makes the same ones.

#[path = "../support/random.rs"]
mod random;

mod fleet;
mod neutral;
mod slips;

use fleet::{Fleet, Result};
use plimsoll::engine::{Judged, Report};
use plimsoll::finding::Severity;
use random::Random;
use rayon::prelude::*;
use slips::{KINDS, Slip};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

/// Mutants that are made when nobody says otherwise.
const MUTANTS: usize = 2_000;
/// One change that is no slip for this many mutants.
const NEUTRAL: usize = 4;
/// Tries to make one mutant of its kind.
const TRIES: usize = 200;

/// A fleet without a slip: what is read, and the apps.
type Clean = (Result, Vec<String>);

/// What became of a mutant.
#[derive(Clone)]
enum Outcome {
    /// It changes nothing.
    Same,
    /// Nothing is found.
    Missed(String),
    /// Something is found, but nothing says what was meant.
    Found(String),
    /// What was meant is named.
    Named,
}

#[test]
fn slips_are_found_and_what_was_meant_is_named() {
    let fleets = fleets();
    let clean = fleets.par_iter().map(|fleet| {
        let report = fleet.check();
        (fleet.result(&report), Fleet::manifests(&report))
    });
    let clean: Vec<Clean> = clean.collect();
    let known = Known::new();
    let kinds = (0..count()).into_par_iter().map(|number| (number, number % KINDS.len()));
    let outcomes: Vec<(usize, Outcome)> =
        kinds.map(|(number, kind)| (kind, mutant(number, kind, &fleets, &clean, &known))).collect();
    let mut table = format!("{:<18} {:>6} {:>6} {:>6} {:>6}\n", "kind", "same", "slips", "found", "named");
    let mut total = [0; 4];
    for (kind, name) in KINDS.iter().enumerate() {
        let mut row = [0; 4];
        for (_, outcome) in outcomes.iter().filter(|(other, _)| *other == kind) {
            let is_slip = !matches!(outcome, Outcome::Same);
            row[0] += usize::from(!is_slip);
            row[1] += usize::from(is_slip);
            row[2] += usize::from(matches!(outcome, Outcome::Found(_) | Outcome::Named));
            row[3] += usize::from(matches!(outcome, Outcome::Named));
        }
        line(&mut table, name, row);
        total.iter_mut().zip(row).for_each(|(total, count)| *total += count);
    }
    line(&mut table, "all", total);
    println!("{table}");
    for (kind, outcome) in &outcomes {
        match outcome {
            Outcome::Missed(what) => println!("missed, {}: {what}", KINDS[*kind]),
            Outcome::Found(what) => println!("not named, {}: {what}", KINDS[*kind]),
            _ => {}
        }
    }
    let [_, slips, found, named] = total;
    assert!(slips > count() / 4, "{slips} slips only");
    // Fewer mutants measure more coarsely.
    let slack = if count() < MUTANTS { SLACK } else { 0 };
    assert!(100 * found >= (FOUND - slack) * slips, "{found} of {slips} are found");
    assert!(100 * named >= (NAMED - slack) * slips, "{named} of {slips} are named");
}

/// Slips of a hundred that are found. With 2,000 mutants it is 95.5; what is missed is mostly what Flux reads, and folders
/// of plain manifests that nothing names.
const FOUND: usize = 95;
/// Slips of a hundred of which a finding names what was meant. With 2,000 mutants it is 93.3.
const NAMED: usize = 93;
/// By how much a smaller sample may be worse.
const SLACK: usize = 3;

#[test]
fn changes_that_are_no_slips_give_no_findings() {
    let fleets = fleets();
    let known = Known::new();
    let changes: Vec<(String, String)> =
        (0..count() / NEUTRAL).into_par_iter().map(|number| unsuspicious(number, &fleets, &known)).collect();
    let mut failures: Vec<&(String, String)> = changes.iter().filter(|(_, found)| !found.is_empty()).collect();
    failures.dedup();
    let shown: String = failures.iter().take(40).map(|(what, found)| format!("{what}\n  {found}\n")).collect();
    assert!(failures.is_empty(), "{} of {} give findings:\n{shown}", failures.len(), changes.len());
}

/// A change that is no slip, and what is found of it.
fn unsuspicious(number: usize, fleets: &[Fleet], known: &Known<Option<String>>) -> (String, String) {
    let mut random = Random::new(number as u64 + 1);
    let made = (0..TRIES).find_map(|_| {
        let mut fleet = fleets[random.below(fleets.len())].clone();
        let change = neutral::change(&mut fleet, &mut random)?;
        let found = known.get_or_make(&change.what, || {
            let report = fleet.check();
            let is_found = |judged: &&Judged| judged.severity >= Severity::Warning;
            let found: String = report.findings.iter().filter(is_found).map(|judged| text(judged) + "\n  ").collect();
            neutral::is_wired(&change, &report).then_some(found)
        });
        Some((change.what, found?))
    });
    made.expect("a change can be made")
}

fn count() -> usize {
    std::env::var("PLIMSOLL_MUTANTS").map_or(MUTANTS, |number| number.parse().expect("it is a number"))
}

/// What became of changes that were made before: small fleets have few places for some kinds.
struct Known<T>(Mutex<HashMap<String, Arc<OnceLock<T>>>>);

impl<T: Clone> Known<T> {
    fn new() -> Known<T> {
        Known(Mutex::new(HashMap::new()))
    }

    fn get_or_make(&self, what: &str, make: impl FnOnce() -> T) -> T {
        let cell = self.0.lock().expect("nothing fails in here").entry(what.to_owned()).or_default().clone();
        cell.get_or_init(make).clone()
    }
}

fn mutant(number: usize, kind: usize, fleets: &[Fleet], clean: &[Clean], known: &Known<Outcome>) -> Outcome {
    let mut random = Random::new(number as u64 + 1);
    let made = (0..TRIES).find_map(|_| {
        let at = random.below(fleets.len());
        let mut fleet = fleets[at].clone();
        Some((slips::make(kind, &mut fleet, &mut random)?, fleet, at))
    });
    let (slip, fleet, at) = made.unwrap_or_else(|| panic!("no slip of the kind {} can be made", KINDS[kind]));
    let what = format!("{}: {}", fleet.name, slip.what);
    known.get_or_make(&what, || outcome(kind, &what, &slip, &fleet, &clean[at]))
}

fn outcome(kind: usize, what: &str, slip: &Slip, fleet: &Fleet, clean: &Clean) -> Outcome {
    let report = fleet.check();
    let is_same = match KINDS[kind] {
        "lost parameter" => Fleet::manifests(&report) == clean.1,
        _ => fleet.result(&report) == clean.0,
    };
    if is_same {
        return Outcome::Same;
    }
    if report.findings.is_empty() {
        return Outcome::Missed(what.to_owned());
    }
    if report.findings.iter().any(|judged| names(judged, slip, &report)) {
        return Outcome::Named;
    }
    let found: Vec<String> = report.findings.iter().take(4).map(text).collect();
    Outcome::Found(format!("{what}\n    {}", found.join("\n    ")))
}

/// Whether a finding tells what was meant: it names it, and what is wrong instead or stands there.
fn names(judged: &Judged, slip: &Slip, report: &Report) -> bool {
    let all = text(judged);
    let at = &report.repo.entry(judged.finding.span.file).path;
    let has = |texts: &[String]| texts.iter().any(|word| holds(&all, word));
    has(&slip.right) && (has(&slip.wrong) || at.is_within(&slip.at))
}

/// Everything that a finding says.
fn text(judged: &Judged) -> String {
    let finding = &judged.finding;
    let labels: String = finding.labels.iter().map(|label| format!(" | {}", label.text)).collect();
    format!(
        "{} {}: {}{labels} | {}",
        judged.severity.name(),
        finding.rule.0,
        finding.message,
        finding.help.as_deref().unwrap_or("")
    )
}

/// Whether a text holds a word, not as a part of a longer one.
fn holds(text: &str, word: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '-');
    text.match_indices(word)
        .any(|(at, _)| !is_letter(text[..at].chars().next_back()) && !is_letter(text[at + word.len()..].chars().next()))
}

fn line(table: &mut String, name: &str, [same, slips, found, named]: [usize; 4]) {
    let share = |count: usize| 100.0 * count as f64 / slips.max(1) as f64;
    let (found_share, named_share) = (share(found), share(named));
    writeln!(table, "{name:<18} {same:>6} {slips:>6} {found:>6} {named:>6}  {found_share:5.1} % {named_share:5.1} %")
        .unwrap();
}

fn fleets() -> Vec<Fleet> {
    let entries = std::fs::read_dir("testdata/fleets").expect("the fleets are there");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path().join("clean")).collect();
    folders.sort();
    folders.iter().map(|folder| Fleet::load(&first_root(folder))).collect()
}

/// The folder with the configuration, which maps the others beside it.
fn first_root(folder: &Path) -> PathBuf {
    let below = std::fs::read_dir(folder).expect("the fleet is there").map(|entry| entry.unwrap().path());
    let mut roots =
        std::iter::once(folder.to_owned()).chain(below).filter(|folder| folder.join(".plimsoll.yaml").is_file());
    roots.next().expect("a folder holds a configuration")
}
