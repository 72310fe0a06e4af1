//! Changes that are no slips: what people add every day, with everything that belongs to it.

use crate::fleet::Fleet;
use crate::random::Random;
use plimsoll::engine::Report;
use plimsoll::text::{RepoPath, RootId};
use std::collections::BTreeSet;

/// A change that was made.
pub struct Change {
    /// What was done.
    pub what: String,
    /// Files that were copied, each with its copy.
    copies: Vec<(RootId, RepoPath, RepoPath)>,
}

/// Files that lie in any repository, and what is in them.
const FILES: [(&str, &str); 16] = [
    ("README.md", "# Notes\n"),
    ("LICENSE", "All rights reserved\n"),
    ("Makefile", "check:\n\tplimsoll check\n"),
    ("renovate.json", "{\"extends\": [\"config:recommended\"]}\n"),
    (".editorconfig", "root = true\n"),
    (".gitlab-ci.yml", "check:\n  script: [plimsoll check]\n"),
    (".github/workflows/check.yaml", "name: check\non: push\njobs: {}\n"),
    (".pre-commit-config.yaml", "repos: []\n"),
    ("scripts/promote.sh", "#!/bin/sh\necho done\n"),
    ("scripts/settings.yaml", "retries: 3\n"),
    ("dashboards/latency.json", "{\"title\": \"Latency\", \"panels\": []}\n"),
    ("dashboards/alerts.yaml", "groups: []\n"),
    ("docs/runbook.md", "# Runbook\n"),
    ("docs/example.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: example}\n"),
    ("hack/kind.yaml", "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n"),
    ("catalog-info.yaml", "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: fleet}\n"),
];

/// Makes a change; nothing when it cannot be made at the place that was drawn.
pub fn change(fleet: &mut Fleet, random: &mut Random) -> Option<Change> {
    match random.below(3) {
        0 => file(fleet, random),
        1 => copied(fleet, random, &["dev", "staging", "test", "nonprod", "eu"], "qa"),
        _ => {
            let root = &fleet.roots[random.below(fleet.roots.len())];
            let paths: Vec<&RepoPath> = root.files.keys().collect();
            let segments: Vec<&str> = paths[random.below(paths.len())].segments().collect();
            let name =
                segments[random.below(segments.len())].split('.').next().filter(|name| !name.is_empty())?.to_owned();
            copied(fleet, random, &[&name], "parcel")
        }
    }
}

/// Whether each copy is read when the original is.
pub fn is_wired(change: &Change, report: &Report) -> bool {
    let consumed = report.fleet.consumed(&report.repo);
    let is_read = |root, path| report.repo.listed(root, path).is_some_and(|file| consumed.is_read(file));
    let names: Vec<&str> = report.fleet.apps.iter().filter_map(|app| app.name()).collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    names.len() == different.len()
        && change.copies.iter().all(|(root, from, to)| is_read(*root, from) == is_read(*root, to))
}

fn file(fleet: &mut Fleet, random: &mut Random) -> Option<Change> {
    let root = random.below(fleet.roots.len());
    let (name, text) = FILES[random.below(FILES.len())];
    let files = &mut fleet.roots[root].files;
    // What is no manifest lies anywhere.
    let is_anywhere = matches!(name, "README.md" | "LICENSE" | "Makefile" | "docs/runbook.md");
    let folders: Vec<RepoPath> = files.keys().filter_map(RepoPath::parent).collect();
    let folder = if is_anywhere { folders[random.below(folders.len())].clone() } else { RepoPath::root() };
    let path = folder.join(name).ok()?;
    if files.contains_key(&path) {
        return None;
    }
    files.insert(path.clone(), text.as_bytes().to_vec());
    Some(Change { what: format!("{}: {path}", fleet.name), copies: Vec::new() })
}

/// Copies everything that has a word in its path, and puts another word for it, in paths and texts.
fn copied(fleet: &mut Fleet, random: &mut Random, words: &[&str], new: &str) -> Option<Change> {
    let word = words[random.below(words.len())];
    let mut copies = Vec::new();
    for (index, root) in fleet.roots.iter_mut().enumerate() {
        let with: Vec<RepoPath> =
            root.files.keys().filter(|path| replaced(path.as_str(), word, new).is_some()).cloned().collect();
        // What may be deployed is written down for the new one as well.
        for text in root.files.values_mut() {
            let project = String::from_utf8(text.clone()).ok().filter(|text| text.contains("kind: AppProject"));
            if let Some(project) = project {
                *text = permitted(&project, word, new).into_bytes();
            }
        }
        for path in with.into_iter().filter(|path| !path.as_str().starts_with('.')) {
            let to = RepoPath::new(&replaced(path.as_str(), word, new)?).ok()?;
            let text = String::from_utf8(root.files[&path].clone()).ok()?;
            let changed = replaced(&text, word, new).unwrap_or_else(|| text.clone());
            // One object twice in a folder, or one app twice, is no addition.
            if is_same_object(&text, &changed)
                && (path.parent() == to.parent() || text.contains("argoproj.io/v1alpha1"))
            {
                return None;
            }
            if path.parent() != to.parent() && text.contains("kind: ConfigMap") && text == changed {
                return None;
            }
            let text = changed;
            root.files.insert(to.clone(), text.into_bytes());
            copies.push((RootId(index as u16), path, to));
        }
    }
    if copies.is_empty() {
        return None;
    }
    Some(Change { what: format!("{}: {new} as {word}, {} files", fleet.name, copies.len()), copies })
}

/// The text with every whole word replaced; nothing when there is none.
fn replaced(text: &str, word: &str, new: &str) -> Option<String> {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let mut out = String::new();
    let mut rest = 0;
    for (at, _) in text.match_indices(word) {
        if is_letter(text[..at].chars().next_back()) || is_letter(text[at + word.len()..].chars().next()) {
            continue;
        }
        out.push_str(&text[rest..at]);
        out.push_str(new);
        rest = at + word.len();
    }
    out.push_str(&text[rest..]);
    (rest > 0).then_some(out)
}

/// Whether two manifests are the same object, as far as their names tell.
fn is_same_object(one: &str, other: &str) -> bool {
    let name = |text: &str| {
        let names = text.lines().find(|line| line.trim_start().starts_with("name:") || line.contains("{name:"));
        names.map(str::to_owned)
    };
    one.contains("kind:") && name(one) == name(other)
}

/// A project with each item of a list that has a word a second time, with another word.
fn permitted(text: &str, word: &str, new: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim_end().ends_with("roles:") {
            // Roles name the applications, not what they deploy.
            out.extend(lines[at..].iter().map(|line| format!("{line}\n")));
            break;
        }
        let indent = lines[at].len() - lines[at].trim_start().len();
        let is_more = |line: &&&str| line.len() - line.trim_start().len() > indent && !line.trim().is_empty();
        let is_item = lines[at].trim_start().starts_with("- ");
        let end = if is_item { at + 1 + lines[at + 1..].iter().take_while(is_more).count() } else { at + 1 };
        let item: String = lines[at..end].iter().map(|line| format!("{line}\n")).collect();
        let is_new = |copy: &String| is_item && !text.contains(copy.as_str());
        if let Some(copy) = replaced(&item, word, new).filter(is_new).filter(|copy| !out.contains(copy.as_str())) {
            out.push_str(&copy);
        }
        out.push_str(&item);
        at = end;
    }
    out
}
