//! Random trees of Argo CD objects, built here and by kustomize itself: the objects must be equal.
//!
//! `PLIMSOLL_ORACLE_TREES` sets the number of trees.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::engine::{self, Settings, Snapshot, SnapshotRoot};
use plimsoll::fleet::built::{Failure, outline};
use plimsoll::formats::Kind;
use plimsoll::text::{RepoPath, RootId};
use plimsoll::value::Value;
use random::Random;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

#[test]
fn objects_are_built_as_kustomize_builds_them() {
    let number = std::env::var("PLIMSOLL_ORACLE_TREES").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let Some(mut oracle) = Oracle::start() else { return };
    let (mut built, mut exact, mut refused, mut objects) = (0, 0, 0, 0_usize);
    for seed in 0..number {
        let tree = tree(seed);
        let (ours, failures) = build(&tree);
        let answer = oracle.ask("kustomize.build", json!({"files": tree.files, "target": tree.target}));
        refused += u64::from(!failures.is_empty());
        let Answer::Ok(answer) = answer else { continue };
        assert!(failures.is_empty(), "tree {seed} builds, but {failures:?}\n{}", tree.show());
        let theirs = theirs(&answer);
        built += 1;
        let mut found = Vec::new();
        // Without its name an object cannot be told from its neighbours.
        let is_named = ours.as_array().into_iter().flatten().all(|object| object["metadata"]["name"] != UNKNOWN);
        if is_named {
            differences(&ours, &theirs, "", &mut found);
        }
        assert!(found.is_empty(), "tree {seed}\n{}\n{}", found.join("\n"), tree.show());
        objects += theirs.as_array().map_or(0, Vec::len);
        exact += u64::from(ours == theirs);
    }
    println!("{built} of {number} trees build, with {objects} objects; {exact} have no unknown value");
    println!("{refused} of the {} that fail are seen to fail", number - built);
    assert!(built * 3 > number, "many trees must build, or nothing is compared");
    assert!(exact * 4 > built * 3, "most trees must be simulated exactly");
}

/// Argo CD's objects that the target builds here, as JSON, sorted; and why kustomize refuses it.
fn build(tree: &Tree) -> (Json, Vec<Failure>) {
    let files = tree.files.iter().map(|(path, text)| (RepoPath::new(path).unwrap(), text.clone().into_bytes()));
    let snapshot = Snapshot { roots: vec![SnapshotRoot::in_memory(".", files.collect())] };
    let report = engine::check(snapshot, &Settings::default());
    let target = format!("{}/kustomization.yaml", tree.target);
    let mut objects = Vec::new();
    for kind in [Kind::Application, Kind::ApplicationSet, Kind::AppProject, Kind::ClusterSecret, Kind::RepositorySecret]
    {
        for object in report.fleet.built.objects(kind) {
            let through = object.through.map(|through| report.repo.entry(through.file).path.to_string());
            if through.as_ref() == Some(&target) {
                objects.push(clean(to_json(&object.value(&report.repo))));
            }
        }
    }
    let folder = (RootId(0), RepoPath::new(&tree.target).unwrap());
    let outline = outline(&report.repo, &folder);
    (sorted(objects), outline.failures.into_iter().map(|(failure, _)| failure).collect())
}

fn theirs(objects: &Json) -> Json {
    let is_ours = |object: &&Json| {
        let kind = object["kind"].as_str().unwrap_or_default();
        let role = object["metadata"]["labels"]["argocd.argoproj.io/secret-type"].as_str();
        match kind {
            "Application" | "ApplicationSet" | "AppProject" => true,
            "Secret" => matches!(role, Some("cluster" | "repository" | "repo-creds")),
            _ => false,
        }
    };
    sorted(objects.as_array().into_iter().flatten().filter(is_ours).cloned().map(clean).collect())
}

fn sorted(mut objects: Vec<Json>) -> Json {
    let key = |object: &Json| {
        let metadata = &object["metadata"];
        (object["kind"].to_string(), metadata["name"].to_string(), metadata["namespace"].to_string())
    };
    objects.sort_by_cached_key(key);
    Json::Array(objects)
}

/// Without nulls, which mean absent, without the empty maps of `metadata`, and with sorted keys.
fn clean(value: Json) -> Json {
    match value {
        Json::Object(map) => {
            let mut entries: Vec<(String, Json)> = map
                .into_iter()
                .filter(|(key, value)| {
                    let is_empty = value.as_object().is_some_and(Map::is_empty);
                    !(value.is_null() || is_empty && matches!(key.as_str(), "annotations" | "labels"))
                })
                .map(|(key, value)| (key, clean(value)))
                .collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(entries.into_iter().collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(clean).collect()),
        other => other,
    }
}

const UNKNOWN: &str = "\u{0}unknown";

fn to_json(value: &Value) -> Json {
    match value {
        Value::Null(_) => Json::Null,
        Value::Bool(bool) => json!(bool.value),
        Value::Int(int) => json!(int.value),
        Value::Float(float) => json!(float.value),
        Value::Text(text) => text.as_str().map_or(json!(UNKNOWN), |text| json!(text)),
        Value::List(list) => list.items.iter().map(to_json).collect(),
        Value::Map(map) => {
            Json::Object(map.entries.iter().map(|(key, value)| (key.value.clone(), to_json(value))).collect())
        }
        Value::Unknown(_) => json!(UNKNOWN),
    }
}

/// The places where ours is known and not theirs.
fn differences(ours: &Json, theirs: &Json, place: &str, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Json::String(text), _) if text == UNKNOWN => {}
        (Json::Object(ours), Json::Object(theirs)) => {
            for (key, value) in ours.iter().filter(|(key, value)| *value != UNKNOWN || theirs.contains_key(*key)) {
                differences(value, theirs.get(key).unwrap_or(&Json::Null), &format!("{place}/{key}"), found);
            }
            let missing = theirs.iter().filter(|(key, _)| !ours.contains_key(*key));
            found.extend(missing.map(|(key, value)| format!("{place}/{key}: nothing, kustomize {value}")));
        }
        (Json::Array(ours), Json::Array(theirs)) if ours.len() == theirs.len() => {
            for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                differences(ours, theirs, &format!("{place}/{at}"), found);
            }
        }
        (ours, theirs) if ours == theirs => {}
        (ours, theirs) => found.push(format!("{place}: {ours}, kustomize {theirs}")),
    }
}

/// A repository, and the folder to build.
struct Tree {
    files: BTreeMap<String, String>,
    target: String,
}

impl Tree {
    fn show(&self) -> String {
        self.files.iter().map(|(path, text)| format!("--- {path}\n{text}")).collect()
    }
}

fn tree(seed: u64) -> Tree {
    let mut dice = Random::new(seed + 1);
    let mut files = BTreeMap::new();
    let mut names = Vec::new();
    let mut folders: Vec<String> = Vec::new();
    for base in 0..1 + dice.below(2) {
        let folder = format!("base{base}");
        let mut kustomization = Map::new();
        let mut resources = Vec::new();
        for number in 0..1 + dice.below(3) {
            let name = format!("{}{base}{number}", dice.pick(&["shop", "cart", "pay"]));
            let objects: Vec<String> =
                (0..1 + dice.below(2)).map(|part| object(&mut dice, &format!("{name}{part}"), &mut names)).collect();
            files.insert(format!("{folder}/{name}.yaml"), objects.join("---\n"));
            resources.push(json!(format!("{name}.yaml")));
        }
        kustomization.insert("resources".into(), resources.into());
        if dice.below(3) == 0 {
            decorate(&mut dice, &mut kustomization, &folder, &names, &mut files);
        }
        files.insert(format!("{folder}/kustomization.yaml"), yaml(&Json::Object(kustomization)));
        folders.push(folder);
    }
    for layer in 0..1 + dice.below(2) {
        let folder = format!("layer{layer}");
        let mut kustomization = Map::new();
        let resources: Vec<Json> = folders.drain(..).map(|folder| json!(format!("../{folder}"))).collect();
        kustomization.insert("resources".into(), resources.into());
        if dice.below(3) == 0 {
            let component = format!("component{layer}");
            let mut inner = Map::new();
            inner.insert("apiVersion".into(), json!("kustomize.config.k8s.io/v1alpha1"));
            inner.insert("kind".into(), json!("Component"));
            decorate(&mut dice, &mut inner, &component, &names, &mut files);
            files.insert(format!("{component}/kustomization.yaml"), yaml(&Json::Object(inner)));
            kustomization.insert("components".into(), json!([format!("../{component}")]));
        }
        decorate(&mut dice, &mut kustomization, &folder, &names, &mut files);
        files.insert(format!("{folder}/kustomization.yaml"), yaml(&Json::Object(kustomization)));
        folders.push(folder);
    }
    Tree { files, target: folders.remove(0) }
}

/// JSON is YAML; block form where it matters is written by the places that need it.
fn yaml(value: &Json) -> String {
    format!("{value:#}\n")
}

fn object(dice: &mut Random, name: &str, names: &mut Vec<(&'static str, String)>) -> String {
    let kind = dice.pick(&[
        "Application",
        "Application",
        "Application",
        "ApplicationSet",
        "AppProject",
        "Secret",
        "ConfigMap",
    ]);
    names.push((kind, name.to_owned()));
    let mut metadata = json!({"name": name});
    if dice.below(3) == 0 {
        metadata["namespace"] = json!(dice.pick(&["argocd", "default", "other"]));
    }
    if dice.below(2) == 0 {
        metadata["labels"] = json!({"tier": dice.pick(&["front", "back"]), "app": name});
    }
    if dice.below(4) == 0 {
        metadata["annotations"] = json!({"note": "x"});
    }
    let source = json!({"repoURL": "https://git.example.com/acme/fleet", "path": format!("apps/{name}"), "targetRevision": "main",
        "helm": {"valueFiles": ["values.yaml", "more.yaml"], "parameters": [{"name": "a", "value": "1"}]}});
    let destination = json!({"name": "in-cluster", "namespace": "web"});
    let spec = json!({"project": "default", "source": source, "destination": destination,
        "syncPolicy": {"automated": {"prune": true}, "syncOptions": ["CreateNamespace=true"]}, "info": null});
    let value = match kind {
        "Application" => {
            json!({"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec})
        }
        "ApplicationSet" => json!({"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": metadata,
            "spec": {"generators": [{"list": {"elements": [{"a": "b"}]}}], "template": {"metadata": {"name": "x"}, "spec": spec}}}),
        "AppProject" => json!({"apiVersion": "argoproj.io/v1alpha1", "kind": kind, "metadata": metadata,
            "spec": {"sourceRepos": ["*"], "project": "x", "source": {}}}),
        "Secret" => {
            metadata["labels"] =
                json!({"argocd.argoproj.io/secret-type": dice.pick(&["cluster", "repository", "other"])});
            json!({"apiVersion": "v1", "kind": kind, "metadata": metadata, "stringData": {"name": name, "server": "https://x"}})
        }
        _ => {
            json!({"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": {"url": "https://new.example.com", "name": name}})
        }
    };
    yaml(&value)
}

fn decorate(
    dice: &mut Random,
    kustomization: &mut Map<String, Json>,
    folder: &str,
    names: &[(&'static str, String)],
    files: &mut BTreeMap<String, String>,
) {
    let mut put = |key: &str, value: Json| drop(kustomization.insert(key.into(), value));
    if dice.below(3) == 0 {
        put("namespace", json!(dice.pick(&["argocd", "fleet"])));
    }
    if dice.below(4) == 0 {
        put("namePrefix", json!(dice.pick(&["dev-", "eu-"])));
    }
    if dice.below(4) == 0 {
        put("nameSuffix", json!(dice.pick(&["-dev", "-1"])));
    }
    if dice.below(4) == 0 {
        put("commonLabels", json!({"env": "dev"}));
    }
    if dice.below(4) == 0 {
        put("labels", json!([{"pairs": {"team": "web", "tier": "front"}, "includeSelectors": dice.below(2) == 0}]));
    }
    if dice.below(4) == 0 {
        put("commonAnnotations", json!({"note": "y", "owner": "me"}));
    }
    if dice.below(5) == 0 {
        put(
            "configMapGenerator",
            json!([{"name": format!("made-{folder}"), "literals": ["url=https://made.example.com"]}]),
        );
        if dice.below(2) == 0 {
            put("replacements", replacement(dice, folder, names));
        }
    }
    let patches: Vec<Json> = (0..dice.below(4)).map(|number| patch(dice, folder, number, names, files)).collect();
    if !patches.is_empty() {
        put("patches", patches.into());
    }
    if dice.below(6) == 0 {
        let (kind, name) = names[dice.below(names.len())].clone();
        put("patchesStrategicMerge", json!([merge_text(dice, kind, &name)]));
    }
    if dice.below(6) == 0 {
        let (kind, name) = names[dice.below(names.len())].clone();
        put("patchesJson6902", json!([{"target": {"kind": kind, "name": name}, "patch": operations(dice)}]));
    }
}

fn replacement(dice: &mut Random, folder: &str, names: &[(&'static str, String)]) -> Json {
    let (kind, name) = names[dice.below(names.len())].clone();
    let field = dice.pick(&[
        "spec.source.repoURL",
        "spec.source.helm.valueFiles.1",
        "spec.source.helm.parameters.[name=a].value",
        "metadata.annotations.note",
    ]);
    let mut target = json!({"select": {"kind": "Application"}, "fieldPaths": [field], "options": {"create": true}});
    if dice.below(2) == 0 {
        target["reject"] = json!([{"kind": kind, "name": name}]);
    }
    json!([{"source": {"kind": "ConfigMap", "name": format!("made-{folder}"), "fieldPath": "data.url"}, "targets": [target]}])
}

fn patch(
    dice: &mut Random,
    folder: &str,
    number: usize,
    names: &[(&'static str, String)],
    files: &mut BTreeMap<String, String>,
) -> Json {
    let (kind, name) = names[dice.below(names.len())].clone();
    let is_merge = dice.below(2) == 0;
    let text = if is_merge { merge_text(dice, kind, &name) } else { operations(dice) };
    let mut entry = Map::new();
    if !is_merge || dice.below(2) == 0 {
        let mut target = Map::new();
        match dice.below(5) {
            0 => drop(target.insert("kind".into(), json!(kind))),
            1 => {
                drop(target.insert(
                    "labelSelector".into(),
                    json!(dice.pick(&["tier=front", "tier!=front,app", "env in (dev)"])),
                ))
            }
            2 => drop(target.insert("name".into(), json!(dice.pick(&["shop.*", ".*0", "dev-.*", "cart.*|pay.*"])))),
            3 => drop(target.insert("namespace".into(), json!(dice.pick(&["default", "argocd", "o.*"])))),
            _ => drop(target.insert("annotationSelector".into(), json!("note=x"))),
        }
        if !dice.below(3) == 0 {
            target.insert("kind".into(), json!(dice.pick(&["Application", "App.*", kind])));
        }
        entry.insert("target".into(), Json::Object(target));
    }
    if dice.below(2) == 0 {
        let path = format!("patch{number}.yaml");
        files.insert(format!("{folder}/{path}"), text);
        entry.insert("path".into(), json!(path));
    } else {
        entry.insert("patch".into(), json!(text));
    }
    Json::Object(entry)
}

fn merge_text(dice: &mut Random, kind: &str, name: &str) -> String {
    let api = if matches!(kind, "Secret" | "ConfigMap") { "v1" } else { "argoproj.io/v1alpha1" };
    let mut value = json!({"apiVersion": api, "kind": kind, "metadata": {"name": name}});
    if dice.below(12) == 0 {
        value["$patch"] = json!("delete");
        return yaml(&value);
    }
    if dice.below(4) == 0 {
        value["metadata"]["labels"] =
            json!({"tier": if dice.below(2) == 0 { json!("back") } else { Json::Null }, "patched": "yes"});
    }
    let field = match kind {
        "Secret" => "stringData",
        "ConfigMap" => "data",
        _ => "spec",
    };
    if field == "spec" {
        value[field] = fragment(dice);
    } else {
        value[field] = json!({"server": "https://patched"});
    }
    yaml(&value)
}

fn fragment(dice: &mut Random) -> Json {
    let mut spec = Map::new();
    for _ in 0..1 + dice.below(3) {
        let (key, value) = match dice.below(8) {
            0 => ("project", json!("team")),
            1 => ("source", json!({"path": "patched", "helm": {"valueFiles": ["only.yaml"]}})),
            2 => ("source", json!({"$patch": "replace", "repoURL": "https://other.example.com/x", "path": "y"})),
            3 => ("source", json!({"helm": null, "kustomize": {"namePrefix": null, "images": ["a"]}})),
            4 => (
                "syncPolicy",
                json!({"automated": {"$patch": "delete"}, "syncOptions": [{"$patch": "replace"}, "A=b"]}),
            ),
            5 => ("syncPolicy", Json::Null),
            6 => ("destination", json!({"server": "https://x", "name": null})),
            _ => ("extra", json!({"deep": {"deeper": null, "kept": 1, "gone": {"$patch": "delete"}, "flag": true}})),
        };
        spec.insert(key.into(), value);
    }
    Json::Object(spec)
}

fn operations(dice: &mut Random) -> String {
    let operations: Vec<Json> = (0..1 + dice.below(3))
        .map(|_| match dice.below(12) {
            0 => json!({"op": "replace", "path": "/spec/source/repoURL", "value": "https://json.example.com/x"}),
            1 => json!({"op": "add", "path": "/metadata/annotations/note", "value": "json"}),
            2 => json!({"op": "add", "path": "/metadata/annotations/a~1b", "value": "json"}),
            3 => json!({"op": "replace", "path": "/spec/project", "value": "json"}),
            4 => json!({"op": "add", "path": "/spec/sources", "value": [{"path": "a"}, {"path": "b"}]}),
            5 => json!({"op": "replace", "path": "/metadata/name", "value": "renamed"}),
            6 => json!({"op": "add", "path": "/spec/source/helm", "value": {"valueFiles": ["x.yaml"]}}),
            7 => json!({"op": "copy", "from": "/spec/source", "path": "/spec/copied"}),
            8 => json!({"op": "add", "path": "/spec/list", "value": [1, true, "three"]}),
            9 => json!({"op": "replace", "path": "/spec/missing", "value": {"a": 1.5}}),
            10 => json!({"op": "move", "from": "/spec/source", "path": "/spec/moved"}),
            _ => json!({"op": "add", "path": "/metadata/labels", "value": {"tier": "json"}}),
        })
        .collect();
    if dice.below(2) == 0 { Json::Array(operations).to_string() } else { yaml(&Json::Array(operations)) }
}
