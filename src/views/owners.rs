//! Who must review a path, and which line of CODEOWNERS says so.

use super::table;
use crate::engine::{Model, Settings};
use crate::fleet::owners::{Decision, Ownership, Reading, RootOwners};
use crate::formats::codeowners::Forge;
use crate::report::summary;
use crate::text::{RepoPath, RootId};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The paths that were asked for, in that order, and what each forge that may be the one makes of them.
pub struct Listing<'m> {
    model: &'m Model,
    rows: Vec<Row<'m>>,
    /// Files by ownership, of the roots that a file is read for.
    counts: BTreeMap<&'static str, usize>,
}

/// Files for which the same lines decide.
struct Row<'m> {
    root: RootId,
    path: RepoPath,
    /// `None` for a single path.
    files: Option<usize>,
    /// The forges that agree on this; none when no file is read.
    forges: Vec<Forge>,
    ownership: &'static str,
    decisions: Vec<Decision<'m>>,
}

impl<'m> Listing<'m> {
    /// The owners of the paths that the settings ask for; a folder stands for what lies in it.
    pub fn new(model: &'m Model, settings: &Settings) -> Listing<'m> {
        let mut listing = Listing { model, rows: Vec::new(), counts: BTreeMap::new() };
        let whole = || {
            let roots = (0..model.roots.max(1)).map(|root| (RootId(root as u16), RepoPath::root()));
            roots.collect::<Vec<_>>()
        };
        let asked: Vec<(RootId, RepoPath)> = match settings.scope.as_slice() {
            [] => whole(),
            scope => scope.iter().map(|place| (place.root, place.path.clone())).collect(),
        };
        for (root, path) in asked {
            let Some(owners) = model.fleet.owners.roots.get(root.index()) else { continue };
            listing.add(owners, &path);
        }
        listing
    }

    fn add(&mut self, owners: &'m RootOwners, path: &RepoPath) {
        let first = self.rows.len();
        let repo = &self.model.repo;
        let is_folder = repo.is_folder(owners.root, path);
        let row = |files, forges, ownership, decisions| Row {
            root: owners.root,
            path: path.clone(),
            files,
            forges,
            ownership,
            decisions,
        };
        if owners.readings.is_empty() {
            let files = is_folder.then(|| repo.below(owners.root, path).len());
            self.rows.push(row(files, Vec::new(), "unmatched", Vec::new()));
        }
        for (at, reading) in owners.readings.iter().enumerate() {
            let groups = if is_folder { self.groups(reading, path, at == 0) } else { vec![single(reading, path)] };
            for (files, ownership, decisions) in groups {
                let new = row(files, vec![reading.forge], ownership, decisions);
                match self.rows[first..].iter_mut().find(|known| known.says_as(&new)) {
                    Some(known) => known.forges.push(reading.forge),
                    None => self.rows.push(new),
                }
            }
        }
    }

    /// What decides about the files of a folder, in the order of the first file of each group.
    fn groups(
        &mut self,
        reading: &'m Reading,
        folder: &RepoPath,
        is_counted: bool,
    ) -> Vec<(Option<usize>, &'static str, Vec<Decision<'m>>)> {
        let repo = &self.model.repo;
        let Some(matched) = reading.matched(repo) else { return vec![(None, "undecided", Vec::new())] };
        let mut groups: Vec<(Vec<u32>, usize, &'static str, Vec<Decision<'m>>)> = Vec::new();
        let mut of_class: BTreeMap<u32, usize> = BTreeMap::new();
        let paths = repo.below(reading.root, &RepoPath::root()).iter().zip(&matched.of_path);
        for (_, class) in paths.filter(|(entry, _)| entry.path.is_within(folder)) {
            let group = *of_class.entry(*class).or_insert_with(|| {
                let entries = &matched.classes[*class as usize].entries;
                let decisions = reading.deciding(entries);
                let lines: Vec<u32> = decisions.iter().map(|decision| decision.entry.line).collect();
                groups.iter().position(|group| group.0 == lines).unwrap_or_else(|| {
                    groups.push((lines, 0, word(reading.ownership(entries)), decisions));
                    groups.len() - 1
                })
            });
            groups[group].1 += 1;
        }
        if is_counted {
            groups.iter().for_each(|group| *self.counts.entry(group.2).or_default() += group.1);
        }
        groups.into_iter().map(|(_, files, ownership, decisions)| (Some(files), ownership, decisions)).collect()
    }

    /// A table for people: a line for each line that decides.
    pub fn table(&self) -> String {
        let mut rows: Vec<[String; 6]> = Vec::new();
        for row in &self.rows {
            let path = self.path(row);
            let files = row.files.map(|files| files.to_string()).unwrap_or_default();
            let forges: Vec<&str> = row.forges.iter().map(|forge| forge.name()).collect();
            let line = |owners: String, review: String, place: String| {
                [path.clone(), files.clone(), owners, review, forges.join(", "), place]
            };
            if row.decisions.is_empty() {
                rows.push(line("-".to_owned(), row.ownership.to_owned(), "-".to_owned()));
            }
            for decision in &row.decisions {
                let owners: Vec<&str> = decision.entry.owners.iter().map(|owner| owner.value.as_str()).collect();
                let owners =
                    if owners.is_empty() || decision.entry.excludes { "-".to_owned() } else { owners.join(" ") };
                rows.push(line(owners, review(row, decision), self.place(decision)));
            }
        }
        table::lay_out(["PATH", "FILES", "OWNERS", "REVIEW", "FORGE", "LINE"], &rows)
    }

    /// What people are told beside the table.
    pub fn notes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.rows.iter().any(|row| row.forges.is_empty()) {
            lines.push("no CODEOWNERS file is read there".to_owned());
        }
        if !self.counts.is_empty() {
            let total: usize = self.counts.values().sum();
            let parts: Vec<String> = self.counts.iter().map(|(word, files)| format!("{files} {word}")).collect();
            lines.push(format!("{}: {}", summary::counted(total, "file", "files"), parts.join(", ")));
        }
        lines.push("whether owners exist and may write is known to the forge only".to_owned());
        lines
    }

    /// The form of the contract, `schemas/owners.schema.json`.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "root": self.model.repo.root(row.root).name,
                "path": if row.path.is_root() { "." } else { row.path.as_str() },
                "files": row.files,
                "forges": row.forges.iter().map(|forge| forge.name()).collect::<Vec<_>>(),
                "ownership": row.ownership,
                "decisions": row.decisions.iter().map(|decision| self.decision_json(decision)).collect::<Vec<_>>(),
            })
        });
        json!({ "version": 1, "paths": rows.collect::<Vec<_>>() })
    }

    fn decision_json(&self, decision: &Decision<'_>) -> Value {
        let entry = decision.entry;
        json!({
            "file": self.model.repo.entry(entry.span.file).path.as_str(),
            "line": entry.line,
            "pattern": entry.pattern.value,
            "section": decision.section.name.as_ref().map(|name| name.value.as_str()),
            "owners": entry.owners.iter().map(|owner| owner.value.as_str()).collect::<Vec<_>>(),
            "approvals": entry.approvals,
            "optional": decision.section.is_optional,
            "excluded": entry.excludes,
        })
    }

    fn path(&self, row: &Row<'_>) -> String {
        let slash = if row.files.is_some() && !row.path.is_root() { "/" } else { "" };
        match self.model.repo.root(row.root).name.as_str() {
            "." | "" => format!("{}{slash}", row.path),
            name => format!("{}/{}{slash}", name.trim_end_matches('/'), row.path),
        }
    }

    fn place(&self, decision: &Decision<'_>) -> String {
        let entry = decision.entry;
        let path = self.model.repo.display_path(self.model.repo.entry(entry.span.file));
        let section = decision.section.name.as_ref().map(|name| format!(" [{}]", name.value)).unwrap_or_default();
        format!("{path}:{}{section} {}", entry.line, entry.pattern.value)
    }
}

impl Row<'_> {
    fn says_as(&self, other: &Row<'_>) -> bool {
        let facts = |row: &Row<'_>| -> Vec<_> {
            let owners = |decision: &Decision<'_>| {
                decision.entry.owners.iter().map(|owner| owner.value.clone()).collect::<Vec<_>>()
            };
            let fact = |decision: &Decision<'_>| {
                (decision.entry.span, owners(decision), decision.entry.excludes, decision.entry.pattern.span)
            };
            row.decisions.iter().map(fact).collect()
        };
        self.files == other.files && self.ownership == other.ownership && facts(self) == facts(other)
    }
}

fn single<'m>(reading: &'m Reading, path: &RepoPath) -> (Option<usize>, &'static str, Vec<Decision<'m>>) {
    let decisions = reading.decisions(path.as_str());
    (None, word(Ownership::of(reading.forge, &decisions)), decisions)
}

fn word(ownership: Ownership) -> &'static str {
    match ownership {
        Ownership::Owned => "owned",
        Ownership::Optional => "optional",
        Ownership::TakenAway => "taken away",
        Ownership::Unmatched => "unmatched",
        Ownership::Doubtful => "undecided",
    }
}

/// What a line asks for.
fn review(row: &Row<'_>, decision: &Decision<'_>) -> String {
    let entry = decision.entry;
    if entry.excludes {
        "excluded".to_owned()
    } else if entry.owners.is_empty() || entry.is_doubtful {
        row.ownership.to_owned()
    } else if decision.section.is_optional {
        "optional".to_owned()
    } else if entry.approvals > 1 {
        format!("{} approvals", entry.approvals)
    } else {
        "owned".to_owned()
    }
}
