//! What kustomize was seen to do with small trees: whether and why it fails, what it reads, and which objects it builds.

use plimsoll::engine::{self, Settings, Snapshot, SnapshotRoot};
use plimsoll::fleet::built::{Failure, Outline, outline};
use plimsoll::formats::{Kind, ProblemKind, Resource};
use plimsoll::repo::{EntryKind, Repo};
use plimsoll::text::{RepoPath, RootId};
use plimsoll::value::Text;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Whether a build ends, reads and yields as one vector says.
///
/// # Errors
/// What differs.
pub fn check(_topic: &str, shape: &str, vector: &Value) -> Result<(), String> {
    let id = format!("{} ({})", vector["id"].as_str().unwrap(), vector["why"].as_str().unwrap());
    if shape != "kustomize-build" {
        return Err(format!("{id}: unknown shape {shape}"));
    }
    let (input, expected) = (&vector["input"], &vector["expected"]);
    let repo = repo(input);
    let target = (RootId(0), RepoPath::new(input["target"].as_str().unwrap()).unwrap());
    let outline = outline(&repo, &target);
    let reads: BTreeSet<&str> = outline.reads.iter().map(|file| repo.entry(*file).path.as_str()).collect();
    let wanted: BTreeSet<&str> = expected["reads"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    // A build that fails stops reading; what it would have read is known here.
    let is_read = if expected["outcome"] == "ok" { reads == wanted } else { reads.is_superset(&wanted) };
    if !is_read {
        return Err(format!("{id}: reads {reads:?}, expected {wanted:?}"));
    }
    let found = match class(&outline, &repo, input) {
        Some(class) => json!({"outcome": "error", "class": class}),
        None => json!({"outcome": "ok", "objects": objects(&outline)}),
    };
    let mut wanted = json!({"outcome": expected["outcome"]});
    for key in ["class", "objects"] {
        if let Some(value) = expected.get(key) {
            wanted[key] = value.clone();
        }
    }
    wanted["objects"].as_array_mut().into_iter().for_each(|objects| sort(objects));
    if wanted["objects"].is_null() {
        wanted.as_object_mut().unwrap().remove("objects");
    }
    if found == wanted { Ok(()) } else { Err(format!("{id}: {found}, expected {wanted}")) }
}

fn repo(input: &Value) -> Repo {
    let files = input["files"].as_object().unwrap().iter();
    let files = files.map(|(path, text)| (RepoPath::new(path).unwrap(), text.as_str().unwrap().as_bytes().to_vec()));
    let mut root = SnapshotRoot::in_memory(".", files.collect());
    for (path, target) in input["symlinks"].as_object().into_iter().flatten() {
        let target = EntryKind::Symlink(target.as_str().unwrap().to_owned());
        root.entries.push((RepoPath::new(path).unwrap(), target));
    }
    engine::check(Snapshot { roots: vec![root] }, &Settings::default()).repo
}

/// The word for what fails first; `None` when nothing does.
fn class(outline: &Outline, repo: &Repo, input: &Value) -> Option<&'static str> {
    if let Some(class) = misread(outline, repo) {
        return Some(class);
    }
    let is_free = input["flags"].as_array().unwrap().iter().any(|flag| flag == "LoadRestrictionsNone");
    let mut failures = outline.failures.iter().map(|(failure, _)| *failure);
    let first = failures.find(|failure| !(is_free && *failure == Failure::OutsideFolder));
    first.map(word).or_else(|| has_duplicate_keys(outline, repo).then_some("malformed-yaml"))
}

/// What the schema says of the kustomizations that are read.
fn misread(outline: &Outline, repo: &Repo) -> Option<&'static str> {
    let documents = outline.reads.iter().filter_map(|file| repo.file(*file)?.documents.first());
    let kustomizations = documents.filter(|document| document.kind() == Kind::Kustomization);
    let problems = kustomizations.flat_map(|document| {
        let Resource::Kustomization(kustomization) = &document.resource else { panic!("its kind says so") };
        // The header is judged after everything else was read.
        let header = kustomization.api_version.as_ref().map(Text::span);
        document.problems.iter().filter(move |problem| Some(problem.span) != header)
    });
    problems.map(|problem| problem.kind).find_map(|kind| match kind {
        ProblemKind::UnknownField => Some("unknown-field"),
        ProblemKind::WrongType => Some("wrong-type"),
        ProblemKind::MissingField => None,
    })
}

/// Whether a file that is read, but no kustomization, repeats a key: a rule of its own says so.
fn has_duplicate_keys(outline: &Outline, repo: &Repo) -> bool {
    outline.reads.iter().filter_map(|file| repo.file(*file)).any(|file| {
        !file.source.path.name().to_lowercase().starts_with("kustomization")
            && file.findings.iter().any(|finding| finding.rule.0 == "duplicate-key")
    })
}

fn word(failure: Failure) -> &'static str {
    match failure {
        Failure::Missing => "not-found",
        Failure::Absolute => "absolute-path",
        Failure::OutsideFolder => "load-restricted",
        Failure::NoKustomization => "missing-kustomization",
        Failure::SeveralKustomizations => "multiple-kustomization-files",
        Failure::Empty => "empty-kustomization",
        Failure::Header => "bad-kind-or-apiversion",
        Failure::Syntax => "malformed-yaml",
        Failure::Cycle => "cycle",
        Failure::ComponentAsResource => "component-as-resource",
        Failure::ResourceAsComponent => "resource-as-component",
        Failure::FileAsComponent => "component-not-directory",
        Failure::NoObject => "name-missing",
        Failure::Collision => "duplicate-resource-id",
        Failure::NoFile => "not-a-file",
        Failure::EmptyPatch => "patch-empty",
        Failure::NoTarget => "patch-needs-target",
        Failure::SharedTarget => "patch-multi-doc-with-target",
        Failure::UnmatchedPatch => "patch-no-match",
        Failure::AmbiguousPatch => "patch-multiple-matches",
        Failure::MisfitOperation => "json-patch-path",
        Failure::UnmatchedReplica => "replica-no-match",
    }
}

fn objects(outline: &Outline) -> Value {
    let mut objects: Vec<Value> = outline
        .objects
        .iter()
        .map(|id| {
            let mut object = json!({"kind": *id.of.kind, "name": id.name.as_deref()});
            if let Some(namespace) = id.namespace.as_deref().filter(|namespace| !namespace.is_empty()) {
                object["namespace"] = json!(namespace);
            }
            object
        })
        .collect();
    sort(&mut objects);
    objects.into()
}

fn sort(objects: &mut [Value]) {
    objects.sort_by_key(|object| [&object["kind"], &object["name"], &object["namespace"]].map(Value::to_string));
}
