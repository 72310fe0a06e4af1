//! Value files in another order than everywhere else, so that another one wins.

use super::{Check, Context, Findings};
use crate::repo::Repo;
use crate::text::Span;
use std::collections::{BTreeMap, BTreeSet};

pub const CHECK: Check = Check::fleet(check);

/// Lists with the same order that make a habit.
const HABIT: usize = 2;

fn check(cx: &Context<'_>, out: &mut Findings) {
    let mut lists: BTreeSet<Vec<Span>> = BTreeSet::new();
    for source in cx.fleet.apps.iter().flat_map(|app| &app.sources) {
        lists.insert(source.value_files.iter().map(|file| file.written.span()).collect());
    }
    let mut orders: BTreeMap<(String, String), Vec<(Span, Span)>> = BTreeMap::new();
    for list in &lists {
        let roles: Vec<(String, Span)> = list.iter().map(|span| (role(*span, cx.repo), *span)).collect();
        for (at, (role, span)) in roles.iter().enumerate() {
            for (later, later_span) in roles[at + 1..].iter().filter(|(later, _)| later != role) {
                orders.entry((role.clone(), later.clone())).or_default().push((*span, *later_span));
            }
        }
    }
    let mut told: BTreeSet<Span> = BTreeSet::new();
    for ((first, later), places) in &orders {
        let Some(others) = orders.get(&(later.clone(), first.clone())).filter(|others| others.len() >= HABIT) else {
            continue;
        };
        let [(span, later_span)] = places[..] else { continue };
        if told.contains(&span) || told.contains(&later_span) {
            continue;
        }
        told.extend([span, later_span]);
        let count = others.len();
        let message = format!("`{later}` is read after `{first}` here, before it in {count} other sources");
        let finding = out.at(later_span, message);
        finding.label(others[0].0, "as here");
        finding.help(format!("later files win: put it before `{first}`, if that is not meant"));
    }
}

/// What a value file is for: the end of its path, without what templates fill in.
fn role(span: Span, repo: &Repo) -> String {
    let Some(file) = repo.file(span.file) else { return String::new() };
    let mut text = file.source.slice(span).trim_matches(['"', '\'', ' ']).to_owned();
    while let Some(start) = text.find("{{") {
        let Some(end) = text[start..].find("}}") else { break };
        text.replace_range(start..start + end + 2, "*");
    }
    let mut segments: Vec<&str> = text.rsplit('/').take(2).collect();
    segments.reverse();
    segments.join("/")
}
