//! What a run is to do: the configuration as meant, after flags.

use crate::finding::{RuleId, Severity};
use crate::fleet;
use crate::rules::{OptionValue, Options, RULES, Rule, Status};
use std::collections::BTreeMap;

/// The configuration as meant.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the fleet needs to know.
    pub fleet: fleet::Options,
    /// Severities that differ from the rules' own; `None` turns a rule off.
    pub severities: BTreeMap<RuleId, Option<Severity>>,
    /// Options of rules, by rule.
    pub options: BTreeMap<RuleId, Vec<(String, OptionValue)>>,
}

impl Settings {
    /// The severity of a rule in this run; `None` when it is off.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        match self.severities.get(&rule.id) {
            Some(severity) => *severity,
            None if rule.status == Status::Preview => None,
            None => rule.severity,
        }
    }

    /// The rules that are on, sorted by id.
    pub fn enabled(&self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().filter(|rule| self.severity(rule).is_some())
    }

    /// The options of a rule in this run.
    pub fn options(&self, rule: &'static Rule) -> Options<'_> {
        Options { specs: rule.check.options, set: self.options.get(&rule.id).map_or(&[], Vec::as_slice) }
    }
}
