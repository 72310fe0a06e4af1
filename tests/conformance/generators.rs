//! Answers the vectors about generators, parameters and templates of ApplicationSets.

use plimsoll::engine::{self, Settings, Snapshot, SnapshotRoot};
use plimsoll::fleet::clusters::{Cluster, Clusters};
use plimsoll::fleet::expand::params::{Params, Provenance, Values};
use plimsoll::fleet::expand::{
    self, Expander, Failure, Folders, Mode, git, interpolate, matrix, merge, template, values,
};
use plimsoll::formats::argo::ApplicationSet;
use plimsoll::formats::read;
use plimsoll::lang::template::{Value as Parameter, normalize, slugify};
use plimsoll::repo::{Repo, RepoUrl};
use plimsoll::text::{FileId, RepoPath, RootId, Span, Spanned};
use plimsoll::value::{Piece, Text, Value as Tree};
use plimsoll::yaml;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The repository of every git generator of the vectors.
const REPOSITORY: &str = "https://git.example.com/acme/fleet.git";

type Answer = Option<Result<Value, String>>;

/// The answer to a vector of a kind that this file knows.
pub fn answer(kind: &str, input: &Value) -> Answer {
    let world = World::new(input);
    let result = match kind {
        "params_from_file" => world.params_from_file(input),
        "generate_files" => world.sets(&json!({"git": world.git(input, "files")})),
        "match_files" => world.match_files(input),
        "generate_directories" => world.sets(&json!({"git": world.git(input, "directories")})),
        "enumerate" => Ok(world.enumerate(input)),
        "list" => world.sets(&json!({"list": input["list"]})),
        "clusters" => world.sets(&json!({"clusters": input["clusters"]})),
        "matrix" => world.sets(&json!({"matrix": {"generators": without_stubs(&input["generators"])}})),
        "merge" => {
            let merge = json!({"generators": without_stubs(&input["generators"]), "mergeKeys": input["mergeKeys"]});
            world.sets(&json!({"merge": merge}))
        }
        "post_selector" => {
            let mut entry = without_stubs(&input["generator"]);
            entry["selector"] = input["selector"].clone();
            world.sets(&entry)
        }
        "combine_flat" => matrix::combine_flat(&texts(&input["first"]), &texts(&input["second"]), Span::default())
            .map(|values| json!({"params": shown(&values)})),
        "unique_by_keys" => unique_by_keys(input),
        "append_values" => world.append_values(input),
        "pre_resolve_values" => world
            .interpolated(&json!({"git": {"values": input["values"]}}), input)
            .map(|generator| json!({"values": generator["git"]["values"]})),
        "interpolate" => {
            world.interpolated(&input["generator"], input).map(|generator| json!({"generator": generator}))
        }
        "replace" => world.replaced(input),
        "render_field" => world.filled(&input["template"], input).map(|text| json!({"text": text})),
        "render_app" => world.filled(&input["application"], input).map(|app| json!({"application": app})),
        "render_values_object" => world.values_object(input),
        "merge_template" => Ok(merged_template(input)),
        "template_patch" => world.patched(input),
        "finalizers" => world.finalizers(input),
        "slugify" => Ok(json!({"text": slug(input)})),
        "normalize_name" => Ok(json!({"text": normalize(input["text"].as_str().unwrap())})),
        _ => return None,
    };
    Some(result.map_err(|failure| failure.class.name().to_owned()))
}

/// What surrounds the generators of one vector.
struct World {
    repo: Repo,
    clusters: Clusters,
    settings: expand::Settings,
    mode: Mode,
    options: Vec<Text>,
    /// The folders that are enumerated, where a vector gives them.
    folders: Option<Vec<RepoPath>>,
}

impl World {
    fn new(input: &Value) -> World {
        let mut files: BTreeMap<RepoPath, Vec<u8>> = BTreeMap::new();
        let mut add = |path: &str, content: &str| drop(files.insert(RepoPath::new(path).unwrap(), content.into()));
        for (path, content) in input["repo"].as_object().into_iter().flatten() {
            add(path, content.as_str().unwrap());
        }
        ["tree", "files"]
            .iter()
            .flat_map(|key| list(&input[*key]))
            .filter_map(Value::as_str)
            .for_each(|path| add(path, ""));
        if let (Some(path), Some(content)) = (input["path"].as_str(), input["content"].as_str()) {
            add(path, content);
        }
        let mut root = SnapshotRoot::in_memory(".", files);
        for (path, target) in input["symlinks"].as_object().into_iter().flatten() {
            let target = target.as_str().unwrap();
            let target = match target.strip_prefix('(') {
                Some(outside) => format!("/{}", outside.trim_end_matches(')')),
                None => relative(path, target),
            };
            root.entries.retain(|(listed, _)| listed.as_str() != path);
            root.entries.push((RepoPath::new(path).unwrap(), plimsoll::repo::EntryKind::Symlink(target)));
        }
        root.root.urls = RepoUrl::new(REPOSITORY).into_iter().collect();
        let report = engine::check(Snapshot { roots: vec![root] }, &Settings::default());
        let settings = expand::Settings {
            new_git_file_globbing: input["engine"] == "doublestar",
            include_hidden_directories: input["includeHidden"] == true,
            ..expand::Settings::default()
        };
        let is_cluster = |secret: &&Value| secret["labels"]["argocd.argoproj.io/secret-type"] == "cluster";
        let known = list(&input["clusterSecrets"]).filter(is_cluster).map(cluster).collect();
        let is_go = input["goTemplate"] == true || input["topic"] == "gotemplate_render";
        World {
            repo: report.repo,
            clusters: Clusters { known, is_complete: true },
            settings,
            mode: if is_go { Mode::Go } else { Mode::Placeholder },
            folders: input["dirs"]
                .as_array()
                .map(|dirs| dirs.iter().map(|path| RepoPath::new(path.as_str().unwrap()).unwrap()).collect()),
            options: list(&input["goTemplateOptions"])
                .filter_map(Value::as_str)
                .map(|text| Text::known_at(text, Span::default()))
                .collect(),
        }
    }

    fn with<T>(&self, run: impl FnOnce(&mut Expander<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let folders = match &self.folders {
            Some(folders) => Folders::of(RootId(0), folders.clone()),
            None => Folders::new(&self.repo, &self.settings),
        };
        let mut cx = Expander::new(self.mode, &self.options, &self.repo, &self.clusters, &folders, &self.settings)?;
        run(&mut cx)
    }

    fn sets(&self, entry: &Value) -> Result<Value, Failure> {
        let sets = self.with(|cx| cx.entry(&tree(entry)))?;
        Ok(json!({"params": sets.iter().map(|set| shown(&set.values)).collect::<Vec<_>>()}))
    }

    fn git(&self, input: &Value, kind: &str) -> Value {
        let mut git = json!({"repoURL": REPOSITORY, "revision": "", "values": input["values"], "pathParamPrefix": input["pathParamPrefix"]});
        git[kind] = input[kind].clone();
        git
    }

    fn params_from_file(&self, input: &Value) -> Result<Value, Failure> {
        let mut git = self.git(input, "files");
        git["files"] = json!([{"path": format!(":(literal){}", input["path"].as_str().unwrap())}]);
        self.sets(&json!({"git": git}))
    }

    fn match_files(&self, input: &Value) -> Result<Value, Failure> {
        let git = json!({"git": {"repoURL": REPOSITORY, "files": [{"path": input["pattern"]}]}});
        let sets = self.with(|cx| cx.entry(&tree(&git)))?;
        let files = sets.iter().flat_map(|set| &set.from).filter_map(|from| match from {
            Provenance::File(id) => Some(self.repo.entry(*id).path.as_str()),
            _ => None,
        });
        Ok(json!({"files": files.collect::<Vec<_>>()}))
    }

    fn enumerate(&self, input: &Value) -> Value {
        let dirs = git::enumerate(&self.repo, RootId(0), input["includeHidden"] == true);
        json!({"dirs": dirs.iter().map(RepoPath::as_str).collect::<Vec<_>>()})
    }

    fn append_values(&self, input: &Value) -> Result<Value, Failure> {
        let entries = text_entries(&input["values"]);
        let mut set = self.params(input);
        self.with(|cx| values::append_values(&entries, &mut set, cx))?;
        Ok(json!({"params": shown(&set.values)}))
    }

    fn interpolated(&self, generator: &Value, input: &Value) -> Result<Value, Failure> {
        let filled = self.with(|cx| interpolate::generator(&tree(generator), &self.params(input), cx))?;
        Ok(json_of(&filled))
    }

    fn filled(&self, value: &Value, input: &Value) -> Result<Value, Failure> {
        self.with(|cx| cx.fill(&tree(value), &self.params(input))).map(|filled| json_of(&filled))
    }

    fn replaced(&self, input: &Value) -> Result<Value, Failure> {
        let text = Text::known_at(input["template"].as_str().unwrap(), Span::default());
        let filled = self.with(|cx| cx.replace(&text, &self.params(input)))?;
        Ok(json!({"text": json_of(&Tree::Text(filled))}))
    }

    fn values_object(&self, input: &Value) -> Result<Value, Failure> {
        let text = input["valuesObject"].as_str().unwrap();
        let object = tree_of_text(text);
        let filled = self.with(|cx| cx.fill(&object, &self.params(input)))?;
        Ok(json!({"valuesObject": json_of(&filled)}))
    }

    fn patched(&self, input: &Value) -> Result<Value, Failure> {
        let template = tree(&input["application"]);
        let patch = Text::known_at(input["patch"].as_str().unwrap(), Span::default());
        let set =
            ApplicationSet { template_patch: Some(patch), preserves_resources: true, ..ApplicationSet::default() };
        let application = self.with(|cx| template::render(&set, &template, &self.params(input), cx))?;
        Ok(json!({"application": without_type(json_of(&application))}))
    }

    fn finalizers(&self, input: &Value) -> Result<Value, Failure> {
        let template = tree(&json!({"metadata": {"name": "{{a}}", "finalizers": input["finalizers"]}}));
        let set = ApplicationSet {
            preserves_resources: input["syncPolicy"]["preserveResourcesOnDeletion"] == true,
            ..ApplicationSet::default()
        };
        let params =
            Params::new(Values::from([("a".into(), Parameter::from("b"))]), Provenance::Element(Span::default()));
        let application = json_of(&self.with(|cx| template::render(&set, &template, &params, cx))?);
        let finalizers = &application["metadata"]["finalizers"];
        Ok(json!({"finalizers": if finalizers.is_null() { json!([]) } else { finalizers.clone() }}))
    }

    fn params(&self, input: &Value) -> Params {
        let mut values = texts(&input["params"]);
        for path in list(&input["stringMaps"]).filter_map(Value::as_str) {
            make_string_map(&mut values, path);
        }
        Params::new(values, Provenance::Element(Span::default()))
    }
}

fn make_string_map(values: &mut Values, path: &str) {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    match (values.get_mut(first), rest) {
        (Some(Parameter::Map(inner)), Some(rest)) => make_string_map(inner, rest),
        (Some(value @ Parameter::Map(_)), None) => {
            if let Parameter::Map(inner) = std::mem::take(value) {
                *value = Parameter::StringMap(inner);
            }
        }
        _ => {}
    }
}

/// A link's target, given from the root, as git stores it: from the link's folder.
fn relative(path: &str, target: &str) -> String {
    "../".repeat(path.matches('/').count()) + target
}

/// The cluster of a Secret.
pub fn cluster(secret: &Value) -> Cluster {
    let text = |key: &str| Ok(secret[key].as_str().unwrap_or("").to_owned());
    let texts = |key: &str| {
        let entries = secret[key].as_object().into_iter().flatten();
        entries.map(|(key, value)| (key.clone(), Ok(value.as_str().unwrap().to_owned()))).collect()
    };
    Cluster {
        name: text("name"),
        server: text("server"),
        project: text("project"),
        namespaces: Vec::new(),
        labels: texts("labels"),
        annotations: texts("annotations"),
        document: None,
    }
}

/// A child that yields exactly given sets is a list with these elements.
fn without_stubs(generator: &Value) -> Value {
    match generator {
        Value::Array(items) => items.iter().map(without_stubs).collect(),
        Value::Object(fields) => {
            let mut result = Map::new();
            for (key, value) in fields {
                match value.get("stub").filter(|_| !fields.contains_key("list")) {
                    _ if key == "repoURL" => drop(result.insert(key.clone(), json!(REPOSITORY))),
                    Some(sets) => drop(result.insert("list".into(), json!({"elements": sets}))),
                    None => drop(result.insert(key.clone(), without_stubs(value))),
                }
            }
            Value::Object(result)
        }
        other => other.clone(),
    }
}

fn unique_by_keys(input: &Value) -> Result<Value, Failure> {
    let sets: Vec<Params> =
        list(&input["params"]).map(|set| Params::new(texts(set), Provenance::Element(Span::default()))).collect();
    let keys: Vec<&str> = list(&input["mergeKeys"]).filter_map(Value::as_str).collect();
    if keys.is_empty() {
        return Err(Failure::new(expand::Class::MergeNoKeys, Span::default(), ""));
    }
    let indexed = merge::by_keys(&sets, &keys, Span::default())?;
    Ok(json!({"keys": indexed.keys().collect::<Vec<_>>()}))
}

fn merged_template(input: &Value) -> Value {
    let merged = template::merged(Some(&tree(&input["template"])), Some(&tree(&input["generatorTemplate"])));
    json!({"template": merged.map(|value| without_empty(json_of(&value)))})
}

fn slug(input: &Value) -> String {
    let text = input["text"].as_str().unwrap();
    slugify(text, input["length"].as_i64().unwrap_or(50), input["smartTruncate"] != false).unwrap()
}

fn texts(set: &Value) -> Values {
    match Parameter::from(set) {
        Parameter::Map(values) => values,
        _ => Values::new(),
    }
}

fn text_entries(values: &Value) -> Vec<(Spanned<String>, Text)> {
    let entries = values.as_object().into_iter().flatten();
    let text = |text: &Value| Text::known_at(text.as_str().unwrap(), Span::default());
    entries.map(|(key, value)| (Spanned::new(key.clone(), Span::default()), text(value))).collect()
}

fn shown(values: &Values) -> Value {
    let shown = |value: &Parameter| value.to_json().unwrap_or_else(|| json!({"unknown": format!("{value:?}")}));
    Value::Object(values.iter().map(|(key, value)| (key.clone(), shown(value))).collect())
}

fn tree(json: &Value) -> Tree {
    tree_of_text(&json.to_string())
}

fn tree_of_text(text: &str) -> Tree {
    let parsed = yaml::parse(FileId::default(), text.into());
    let root = parsed.documents().first().and_then(|document| parsed.root(document));
    read::value(root.unwrap_or_else(|| panic!("no YAML: {text}")))
}

fn json_of(value: &Tree) -> Value {
    match value {
        Tree::Null(_) => Value::Null,
        Tree::Bool(bool) => bool.value.into(),
        Tree::Int(int) => int.value.into(),
        Tree::Float(float) => float.value.into(),
        Tree::Text(text) => {
            let pieces = text.pieces().iter().map(|piece| match piece {
                Piece::Known(text) => text.value.clone(),
                Piece::Unknown(unknown) => format!("{:?}", unknown.why),
            });
            pieces.collect::<String>().into()
        }
        Tree::List(list) => list.items.iter().map(json_of).collect(),
        Tree::Map(map) => {
            Value::Object(map.entries.iter().map(|(key, value)| (key.value.clone(), json_of(value))).collect())
        }
        Tree::Unknown(unknown) => format!("{:?}", unknown.why).into(),
    }
}

fn without_type(mut application: Value) -> Value {
    if let Some(fields) = application.as_object_mut() {
        fields.retain(|key, _| key != "kind" && key != "apiVersion");
    }
    application
}

fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().map(|(key, value)| (key, without_empty(value)));
            let is_empty = |value: &Value| *value == json!("") || *value == json!({});
            Value::Object(kept.filter(|(_, value)| !is_empty(value)).collect())
        }
        other => other,
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
