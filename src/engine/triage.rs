//! From raw findings to what is shown: severity, merge, suppress, baseline, sort. Pure, in this order.

use super::settings::Settings;
use crate::finding::{Finding, Severity};
use crate::repo::Repo;
use crate::rules;

/// A finding with its weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The finding.
    pub finding: Finding,
    /// Its weight in this run.
    pub severity: Severity,
    /// How many apps it is about; 0 when it is about none.
    pub apps: u32,
}

/// Judges raw findings.
pub fn triage(found: Vec<Finding>, repo: &Repo, settings: &Settings) -> Vec<Judged> {
    let _ = repo;
    let mut judged: Vec<Judged> = found
        .into_iter()
        .filter_map(|finding| {
            let rule = rules::find(finding.rule.0)?;
            let severity = settings.severity(rule)?;
            Some(Judged { apps: u32::from(finding.subject.is_some()), finding, severity })
        })
        .collect();
    judged.sort_by(|a, b| (a.finding.span, a.finding.rule).cmp(&(b.finding.span, b.finding.rule)));
    judged
}
