//! `plimsoll explain` and `plimsoll rules`: the rules and their pages.

use super::args::{Explain, ListFormat};
use super::markdown;
use crate::rules::{FixKind, Nature, RULES, Rule, Status};
use anyhow::Result;
use serde_json::json;
use std::fmt::Write as _;

/// Shows the page of a rule.
pub fn run(args: &Explain) -> Result<u8> {
    let rule = args.rule;
    let mut page = format!("# {}: {}\n\n{}\n\n", rule.id, rule.title, standing(rule));
    page += rule.page.trim_end();
    page += "\n";
    let text = markdown::render(&page, args.color.is_on());
    super::print(|out| out.write_all(text.as_bytes()))
}

/// One line on what sort of rule it is.
fn standing(rule: &Rule) -> String {
    let severity = rule.severity.map_or("off by default".to_owned(), |severity| format!("severity {severity}"));
    let status = match rule.status {
        Status::Preview => ", preview: off unless asked for",
        Status::Stable => "",
        Status::Deprecated => ", deprecated",
    };
    let fix = match rule.fix {
        FixKind::None => "",
        FixKind::Safe => ", offers fixes",
        FixKind::Unsafe => ", offers fixes that need a reader",
    };
    format!("A rule about {}, {severity}{status}{fix}.", nature_in_words(rule.nature))
}

fn nature_in_words(nature: Nature) -> &'static str {
    match nature {
        Nature::Fact => "facts",
        Nature::Opinion => "conventions",
    }
}

/// Lists all rules, sorted by id.
pub fn list(format: ListFormat) -> Result<u8> {
    let mut text = String::new();
    match format {
        ListFormat::Table => {
            let width = RULES.iter().map(|rule| rule.id.0.len()).max().unwrap_or_default();
            for rule in RULES {
                let (nature, severity) = (nature(rule.nature), severity(rule));
                writeln!(text, "{:width$}  {nature:<7}  {severity:<7}  {}", rule.id.0, rule.title)?;
            }
        }
        ListFormat::Markdown => {
            text += "| rule | nature | severity | finds |\n|---|---|---|---|\n";
            for rule in RULES {
                let (nature, severity) = (nature(rule.nature), severity(rule));
                writeln!(text, "| [`{0}`](rules/{0}.md) | {nature} | {severity} | {1} |", rule.id, rule.title)?;
            }
        }
        ListFormat::Json => {
            let rules: Vec<_> = RULES.iter().map(describe).collect();
            text = serde_json::to_string_pretty(&json!({ "version": 1, "rules": rules }))?;
            text.push('\n');
        }
    }
    super::print(|out| out.write_all(text.as_bytes()))
}

fn describe(rule: &Rule) -> serde_json::Value {
    json!({
        "id": rule.id.0,
        "title": rule.title,
        "nature": nature(rule.nature),
        "severity": severity(rule),
        "status": match rule.status {
            Status::Preview => "preview",
            Status::Stable => "stable",
            Status::Deprecated => "deprecated",
        },
        "since": rule.since,
        "fix": match rule.fix {
            FixKind::None => "none",
            FixKind::Safe => "safe",
            FixKind::Unsafe => "unsafe",
        },
    })
}

fn nature(nature: Nature) -> &'static str {
    match nature {
        Nature::Fact => "fact",
        Nature::Opinion => "opinion",
    }
}

fn severity(rule: &Rule) -> &'static str {
    rule.severity.map_or("off", crate::finding::Severity::name)
}
