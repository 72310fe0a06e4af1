//! What a change brings: the findings that the state before it does not have.

use super::settings::{ESSENTIAL, Settings};
use super::{Judged, Report, Snapshot, check};
use crate::finding::RuleId;
use std::collections::{BTreeMap, BTreeSet};

/// Checks a snapshot and reports what its base does not have too. A finding is the same before and after when rule, path
/// and message are, as in a baseline; where there are more of them than before, the last ones are new.
pub fn check_since(snapshot: Snapshot, base: Snapshot, settings: &Settings) -> Report {
    let mut report = check(snapshot, settings);
    let may_be_old = |judged: &&Judged| !ESSENTIAL.contains(&judged.finding.rule.0);
    let found: BTreeSet<RuleId> = report.findings.iter().filter(may_be_old).map(|judged| judged.finding.rule).collect();
    if found.is_empty() {
        return report;
    }
    // What is accepted now is gone already, and what is wrong with the configuration is told once.
    let before = Settings { selected: Some(found), baseline: None, mistakes: Vec::new(), ..settings.clone() };
    let before = check(base, &before);
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for judged in before.findings.iter().filter(may_be_old) {
        *known.entry(key(&before, judged)).or_default() += 1;
    }
    let mut findings = std::mem::take(&mut report.findings);
    findings.retain(|judged| match known.get_mut(&key(&report, judged)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    report.summary = report.summary.of(&findings);
    report.findings = findings;
    report
}

fn key(report: &Report, judged: &Judged) -> (RuleId, String, String) {
    let finding = &judged.finding;
    (finding.rule, report.path_of(finding.span), finding.message.clone())
}
