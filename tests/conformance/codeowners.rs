//! What the product says to the vectors of CODEOWNERS files.

use super::{Answer, items};
use plimsoll::engine::{self, Model, Settings, Snapshot, SnapshotRoot};
use plimsoll::fleet::owners::{Extent, Ownership, Reading, covers, locate, overridden};
use plimsoll::fleet::owners::{Located, RootOwners};
use plimsoll::formats::codeowners::{CodeOwners, Entry, Forge, ProblemKind};
use plimsoll::text::{FileId, RepoPath, RootId};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The answer to a vector of this shape.
pub fn answer(shape: &str, input: &Value) -> Answer {
    let forge = Forge::ALL.into_iter().find(|forge| {
        let platform = text(&input["platform"]);
        platform.split('-').next().and_then(Forge::from_word) == Some(*forge)
    })?;
    Some(Ok(match shape {
        "codeowners-line" => line(forge, text(&input["line"])),
        "codeowners-match" => matches(forge, text(&input["pattern"]), input)?,
        "codeowners-location" => location(forge, input),
        "codeowners-resolve" => with_reading(forge, input, |_, reading| resolve(reading, input)),
        "codeowners-gitlab" => with_reading(forge, input, |_, reading| sections(reading, input)),
        "codeowners-gitea" => with_reading(forge, input, |_, reading| reviewers(reading, input)),
        "codeowners-coverage" => with_reading(forge, input, coverage),
        "codeowners-lint" => with_reading(forge, input, lint),
        _ => return None,
    }))
}

/// What a single line is, a doubtful one as its first reader takes it: as skipped.
fn line(forge: Forge, text: &str) -> Value {
    let read = CodeOwners::read(forge, FileId(0), text);
    let refusing = read.problems.iter().find(|problem| problem.is_skipped || !problem.is_certain);
    if let Some(problem) = refusing {
        return json!({ "rule": null, "skipped": true, "class": class(problem.kind) });
    }
    match read.entries.first() {
        Some(entry) => {
            let rule = json!({ "pattern": entry.pattern.value, "owners": owners(entry) });
            json!({ "rule": rule, "skipped": false })
        }
        None => json!({ "rule": null, "skipped": false, "class": "blank-or-comment" }),
    }
}

fn class(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Owner => "invalid-owner",
        ProblemKind::NoOwner => "no-owner",
        _ => "invalid-pattern",
    }
}

/// Whether a pattern matches the paths that the vector has an answer for.
fn matches(forge: Forge, pattern: &str, input: &Value) -> Option<Value> {
    let compiled = match forge {
        Forge::GitLab => plimsoll::lang::glob::segments::gitlab::pattern(pattern),
        _ => plimsoll::lang::glob::segments::github::pattern(pattern),
    };
    let paths = input["expected"]["match"].as_object()?.keys();
    let found: Map<String, Value> = paths.map(|path| (path.clone(), compiled.matches(path).into())).collect();
    let mut answer = json!({ "match": found });
    if let Some(note) = input["expected"].get("gitignore_differs") {
        answer["gitignore_differs"] = note.clone();
    }
    Some(answer)
}

fn location(forge: Forge, input: &Value) -> Value {
    let files: Vec<&str> = items(&input["files"]).map(text).collect();
    let model = model(forge, files.iter().map(|path| (*path, "")));
    let name = |file: FileId| model.repo.entry(file).path.to_string();
    let used = match locate(&model.repo, RootId(0), forge) {
        Located::File(file) => Some(name(file)),
        Located::Nothing | Located::Unknown => None,
    };
    let root: &RootOwners = &model.fleet.owners.roots[0];
    let ignored: Vec<String> = root.ineffective(&model.repo).into_iter().map(name).collect();
    json!({ "used": used, "ignored": ignored })
}

fn resolve(reading: &Reading, input: &Value) -> Value {
    let decided = |path: &str| {
        let decisions = reading.decisions(path);
        let entry = decisions.first().map(|decision| decision.entry);
        entry.map_or(Value::Null, |entry| json!({ "line": entry.line, "owners": owners(entry) }))
    };
    let mut answer = json!({ "owners": by_path(input, decided) });
    let skipped: Vec<u32> =
        reading.owners.problems.iter().filter(|problem| problem.is_skipped).map(|problem| problem.line).collect();
    if !skipped.is_empty() {
        answer["skipped_lines"] = skipped.into();
    }
    answer
}

fn sections(reading: &Reading, input: &Value) -> Value {
    let decided = |path: &str| {
        let decisions = reading.decisions(path).into_iter().map(|decision| {
            let name = decision.section.name.as_ref().map(|name| name.value.as_str());
            if decision.entry.excludes {
                return json!({ "section": name, "excluded": true });
            }
            let entry = decision.entry;
            json!({
                "section": name, "line": entry.line, "owners": owners(entry),
                "optional": decision.section.is_optional, "approvals": entry.approvals,
            })
        });
        decisions.collect()
    };
    json!({ "sections": by_path(input, decided) })
}

fn reviewers(reading: &Reading, input: &Value) -> Value {
    let reviewers = |path: &str| {
        let mut all: Vec<String> = Vec::new();
        for owner in reading.decisions(path).iter().flat_map(|decision| owners(decision.entry)) {
            if !all.contains(&owner) {
                all.push(owner);
            }
        }
        all.into()
    };
    let skipped = reading.owners.problems.iter().filter(|problem| problem.is_skipped);
    let dropped: Map<String, Value> =
        skipped.map(|problem| (problem.line.to_string(), class(problem.kind).into())).collect();
    json!({ "reviewers": by_path(input, reviewers), "dropped_lines": dropped })
}

fn coverage(model: &Model, reading: &Reading) -> Value {
    let matched = reading.matched(&model.repo).expect("a vector is small");
    let paths = model.repo.entries().iter().zip(&matched.of_path);
    let is_of_vector = |path: &str| !reading.forge.locations().contains(&path);
    let mut groups: BTreeMap<&str, Vec<&str>> =
        ["owned", "explicitly_unowned", "unmatched"].map(|group| (group, Vec::new())).into();
    let mut total = 0;
    for (entry, class) in paths.filter(|(entry, _)| is_of_vector(entry.path.as_str())) {
        let group = match reading.ownership(&matched.classes[*class as usize].entries) {
            Ownership::Owned | Ownership::Optional | Ownership::Doubtful => "owned",
            Ownership::TakenAway => "explicitly_unowned",
            Ownership::Unmatched => "unmatched",
        };
        total += 1;
        groups.get_mut(group).unwrap().push(entry.path.as_str());
    }
    let share = groups["owned"].len() as f64 / f64::from(total);
    let mut answer = json!(groups);
    answer["coverage"] = json!((share * 1e4).round() / 1e4);
    answer
}

fn lint(model: &Model, reading: &Reading) -> Value {
    let entries = &reading.owners.entries;
    let mut findings = Vec::new();
    let matched = reading.matched(&model.repo).expect("a vector is small");
    let void = overridden(reading, &model.repo);
    for (at, entry) in entries.iter().enumerate() {
        let line = entry.line;
        if let Some(first) = entries[..at].iter().find(|first| first.pattern.value == entry.pattern.value) {
            findings.push(json!({ "kind": "duplicate-pattern", "line": line, "first": first.line }));
        }
        if let Some(by) = entries[at + 1..].iter().find(|later| covers(later, entry)) {
            findings.push(json!({ "kind": "shadowed", "line": line, "by": by.line }));
        }
        if void.iter().any(|void| void.entry.line == line && void.extent != Extent::Pattern) {
            findings.push(json!({ "kind": "never-wins", "line": line }));
        }
        if matched.paths_of[at] == 0 {
            findings.push(json!({ "kind": "no-match", "line": line }));
        }
    }
    for problem in reading.owners.problems.iter().filter(|problem| problem.kind == ProblemKind::Owner) {
        let entry = entries.iter().find(|entry| entry.line == problem.line);
        let owner = entry.and_then(|entry| entry.owners.iter().find(|owner| owner.span == problem.span));
        if let Some(owner) = owner {
            findings.push(json!({ "kind": "suspicious-owner", "line": problem.line, "owner": owner.value }));
        }
    }
    json!({ "findings": findings })
}

fn by_path(input: &Value, answer: impl Fn(&str) -> Value) -> Map<String, Value> {
    items(&input["paths"]).map(|path| (text(path).to_owned(), answer(text(path)))).collect()
}

fn owners(entry: &Entry) -> Vec<String> {
    entry.owners.iter().map(|owner| owner.value.clone()).collect()
}

/// Calls `answer` with the reading of a root that holds the paths of the vector.
fn with_reading(forge: Forge, input: &Value, answer: impl Fn(&Model, &Reading) -> Value) -> Value {
    let paths = items(&input["paths"]).map(|path| (text(path), ""));
    let file = (forge.locations()[0], text(&input["codeowners"]));
    let model = model(forge, paths.chain([file]));
    answer(&model, &model.fleet.owners.roots[0].readings[0])
}

fn model<'t>(forge: Forge, files: impl Iterator<Item = (&'t str, &'t str)>) -> Model {
    let files = files.map(|(path, text)| (RepoPath::new(path).unwrap(), text.as_bytes().to_vec())).collect();
    let mut settings = Settings::default();
    settings.fleet.owners.forge = Some(forge);
    engine::model(Snapshot { roots: vec![SnapshotRoot::in_memory(".", files)] }, &settings)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
