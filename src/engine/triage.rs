//! From raw findings to what is shown: severity, merge, suppress, baseline, limit, sort. Pure, in this order.

use super::run::more;
use super::settings::Settings;
use super::suppress::{self, Suppression};
use crate::finding::{Finding, RuleId, Severity, Subject};
use crate::repo::Repo;
use crate::rules::{self, Run};
use crate::text::limits::FINDINGS_PER_RULE_AND_FILE;
use crate::text::{FileId, Span};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// A finding with its weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The finding; its subject is the first of the apps it is about, by name.
    pub finding: Finding,
    /// Its weight in this run.
    pub severity: Severity,
    /// How many apps it is about; 0 when it is about none.
    pub apps: u32,
}

/// What is left, and what was not worth showing.
#[derive(Debug, Default)]
pub struct Triaged {
    /// In order of root, path, start and rule.
    pub findings: Vec<Judged>,
    /// Findings that comments accept.
    pub suppressed: usize,
    /// Findings that the baseline accepts.
    pub baselined: usize,
}

/// A finding and the apps it is about.
struct Merged {
    finding: Finding,
    severity: Severity,
    apps: Vec<Subject>,
}

/// Judges raw findings; the order they come in does not matter.
pub fn triage(found: Vec<Finding>, repo: &Repo, settings: &Settings) -> Triaged {
    let mut triaged = Triaged::default();
    let mut merged = merge(with_severity(found, repo, settings));
    let unused = suppress(&mut merged, repo, settings, &mut triaged);
    let stale = accept(&mut merged, repo, settings, &mut triaged);
    limit(&mut merged);
    merged.extend(merge(with_severity(unused.into_iter().chain(stale).collect(), repo, settings)));
    merged.retain(|one| is_reported(&one.finding, repo, settings));
    merged.sort_by(|a, b| order(&a.finding).cmp(&order(&b.finding)));
    let judged = merged.into_iter().map(|mut one| {
        one.finding.subject = one.apps.first().cloned();
        Judged { finding: one.finding, severity: one.severity, apps: one.apps.len() as u32 }
    });
    triaged.findings = judged.collect();
    triaged
}

fn order(finding: &Finding) -> (FileId, u32, RuleId, u32, &str) {
    (finding.span.file, finding.span.start, finding.rule, finding.span.end, &finding.message)
}

fn with_severity(found: Vec<Finding>, repo: &Repo, settings: &Settings) -> Vec<(Finding, Severity)> {
    let severity =
        |finding: &Finding| settings.severity_at(rules::find(finding.rule.0)?, repo, repo.entry(finding.span.file));
    found.into_par_iter().filter_map(|finding| severity(&finding).map(|severity| (finding, severity))).collect()
}

/// Joins findings of one rule with one message at one place; what they add beyond that is taken from the first app.
fn merge(mut found: Vec<(Finding, Severity)>) -> Vec<Merged> {
    found.par_sort_by(|(a, _), (b, _)| {
        let by_app = || (&a.subject, &a.help, &a.labels).cmp(&(&b.subject, &b.help, &b.labels));
        order(a).cmp(&order(b)).then_with(by_app)
    });
    let mut merged: Vec<Merged> = Vec::with_capacity(found.len());
    for (finding, severity) in found {
        match merged.last_mut().filter(|last| order(&last.finding) == order(&finding)) {
            Some(last) if last.apps.last() != finding.subject.as_ref() => last.apps.extend(finding.subject),
            Some(_) => {}
            None => merged.push(Merged { apps: finding.subject.clone().into_iter().collect(), finding, severity }),
        }
    }
    merged
}

/// Drops what comments accept; returns findings about comments that accept nothing.
fn suppress(merged: &mut Vec<Merged>, repo: &Repo, settings: &Settings, triaged: &mut Triaged) -> Vec<Finding> {
    let files: Vec<_> = repo.files().collect();
    let read: Vec<(Vec<Suppression>, Vec<Finding>)> = files
        .par_iter()
        .map(|file| suppress::read(file))
        .filter(|(suppressions, wrong)| !suppressions.is_empty() || !wrong.is_empty())
        .collect();
    let (suppressions, wrong): (Vec<_>, Vec<_>) = read.into_iter().unzip();
    let suppressions = suppressions.concat();
    let mut is_used = vec![false; suppressions.len()];
    let before = merged.len();
    merged.retain(|one| {
        let span = one.finding.span;
        let from = suppressions.partition_point(|it| it.span.file < span.file);
        let mut is_accepted = false;
        for (index, suppression) in suppressions.iter().enumerate().skip(from) {
            if suppression.span.file != span.file {
                break;
            }
            if suppression.accepts(one.finding.rule, span) {
                is_used[index] = true;
                is_accepted = true;
            }
        }
        !is_accepted
    });
    triaged.suppressed = before - merged.len();
    let is_unused = |(suppression, is_used): &(&Suppression, bool)| {
        let rule = rules::find(suppression.rule.0).expect("a suppression names a rule that exists");
        let is_on = settings.severity_at(rule, repo, repo.entry(suppression.span.file)).is_some();
        !is_used && is_on
    };
    let unused: Vec<&Suppression> = suppressions.iter().zip(is_used).filter(is_unused).map(|(one, _)| one).collect();
    let unused = unused.chunk_by(|a, b| a.comment == b.comment).flat_map(|of_comment| {
        let file = repo.file(of_comment[0].span.file).expect("a comment stands in a file");
        suppress::unused(file, of_comment)
    });
    unused.chain(wrong.into_iter().flatten()).collect()
}

/// Drops what the baseline accepts; returns findings about entries that accept nothing.
fn accept(merged: &mut Vec<Merged>, repo: &Repo, settings: &Settings, triaged: &mut Triaged) -> Vec<Finding> {
    let Some(baseline) = &settings.baseline else { return Vec::new() };
    let Some(file) = repo.listed(baseline.place.root, &baseline.place.path) else { return Vec::new() };
    let today = settings.today.as_deref();
    let is_live: Vec<bool> = baseline.entries.iter().map(|entry| !entry.is_expired(today)).collect();
    let mut by_key: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, entry) in baseline.entries.iter().enumerate().filter(|(index, _)| is_live[*index]) {
        by_key.entry(entry.key()).or_default().push(index);
    }
    let mut is_used = vec![false; baseline.entries.len()];
    let before = merged.len();
    merged.retain(|one| {
        let path = repo.display_path(repo.entry(one.finding.span.file));
        let key = (one.finding.rule.0, path.as_str(), one.finding.message.as_str());
        let mut is_accepted = false;
        for &index in by_key.get(&key).map_or(&[][..], Vec::as_slice) {
            let subject = baseline.entries[index].subject.as_deref();
            if subject.is_none_or(|subject| one.apps.iter().any(|app| app.0 == subject)) {
                is_used[index] = true;
                is_accepted = true;
            }
        }
        !is_accepted
    });
    triaged.baselined = before - merged.len();
    let mut stale = Vec::new();
    for (index, entry) in baseline.entries.iter().enumerate() {
        let at = |span: Span| Span::new(file, span.start, span.end);
        let (span, message) = match (rules::find(&entry.rule.value), &entry.until) {
            (None, _) => (entry.rule.span, format!("no rule is named `{}`", entry.rule.value)),
            (_, Some(until)) if !is_live[index] => (until.span, format!("this entry expired on `{}`", until.value)),
            (Some(rule), _) if settings.severity(rule).is_none() || is_used[index] => continue,
            _ => (entry.span, "this entry matches no finding any more".to_owned()),
        };
        let mut finding = Finding::new(RuleId("stale-baseline"), at(span), message);
        finding.help("remove the entry");
        stale.push(finding);
    }
    stale
}

/// Keeps a flood of findings of one rule in one file bounded; the last one kept says how many there are. Rules that see
/// one file alone are bounded where they run.
fn limit(merged: &mut Vec<Merged>) {
    let key = |one: &Merged| (one.finding.span.file, one.finding.rule);
    let is_bounded =
        |rule: RuleId| rules::find(rule.0).is_none_or(|rule| !matches!(rule.check.run, Run::App(_) | Run::Fleet(_)));
    let mut totals: BTreeMap<_, usize> = BTreeMap::new();
    for one in merged.iter().filter(|one| !is_bounded(one.finding.rule)) {
        *totals.entry(key(one)).or_default() += 1;
    }
    totals.retain(|_, total| *total > FINDINGS_PER_RULE_AND_FILE);
    let mut kept: BTreeMap<_, usize> = BTreeMap::new();
    merged.retain_mut(|one| {
        let Some(total) = totals.get(&key(one)) else { return true };
        let count = kept.entry(key(one)).or_default();
        *count += 1;
        if *count == FINDINGS_PER_RULE_AND_FILE + 1 {
            one.finding = more(one.finding.rule, one.finding.span, total - FINDINGS_PER_RULE_AND_FILE);
            one.apps.clear();
        }
        *count <= FINDINGS_PER_RULE_AND_FILE + 1
    });
}

/// What is wrong with the configuration concerns every path.
fn is_reported(finding: &Finding, repo: &Repo, settings: &Settings) -> bool {
    let entry = repo.entry(finding.span.file);
    finding.rule == RuleId("bad-configuration") || settings.is_in_scope(entry.root, &entry.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(rule: &'static str, count: usize) -> Vec<Merged> {
        let one = |at: usize| Finding::new(RuleId(rule), Span::new(FileId(0), at as u32, at as u32), "wrong");
        (0..count)
            .map(|at| Merged { finding: one(at), severity: Severity::Error, apps: vec![Subject("a".into())] })
            .collect()
    }

    #[test]
    fn a_flood_of_what_sees_all_apps_is_cut_off_and_counted() {
        let mut flood = merged("dangling-source-path", FINDINGS_PER_RULE_AND_FILE + 7);
        limit(&mut flood);
        assert_eq!(flood.len(), FINDINGS_PER_RULE_AND_FILE + 1);
        let last = flood.pop().unwrap();
        assert_eq!(last.finding.message, "7 more findings of this rule in this file");
        assert!(last.apps.is_empty());
    }

    #[test]
    fn what_the_limit_allows_is_kept() {
        let mut all = merged("dangling-source-path", FINDINGS_PER_RULE_AND_FILE);
        limit(&mut all);
        assert!(all.len() == FINDINGS_PER_RULE_AND_FILE && all.iter().all(|one| one.finding.message == "wrong"));
    }
}
