//! What the product says to the vectors of Argo CD.

use super::{Answer, items};
use plimsoll::fleet::destination::{self, Cluster, DestinationProblem};
use plimsoll::fleet::source::directory::Filter;
use plimsoll::fleet::source::refs::{self, RefProblem};
use plimsoll::fleet::source::values::{Base, Layer, Refs, Resolver, Target, layers};
use plimsoll::fleet::source::{Environment, SourcePath, Tool, locate, refresh, revision, tool};
use plimsoll::formats::argo::application::Source;
use plimsoll::formats::read;
use plimsoll::lang::glob;
use plimsoll::lang::glob::argo::{List, Mode};
use plimsoll::lang::glob::doublestar::has_meta;
use plimsoll::repo::{Entry, EntryKind, Repo, Root, url};
use plimsoll::text::{FileId, RepoPath, RootId, Span};
use plimsoll::value::{Text, Unknown, Why};
use plimsoll::yaml;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The answer to a vector of this kind.
pub fn answer(kind: &str, input: &Value) -> Answer {
    Some(match kind {
        "app_path" => Ok(json!({ "ok": app_path(input) })),
        "resolve_destination" => resolve_destination(input),
        "select_manifests" => Ok(select_manifests(input)),
        "same_url" => Ok(json!({ "same": url::same_url(text(&input["a"]), text(&input["b"])) })),
        "is_ssh" => Ok(json!({ "ssh": url::is_ssh(text(&input["url"])) })),
        "normalize_url" => Ok(json!({ "url": url::normalize(text(&input["url"])) })),
        "is_constraint" => Ok(json!({ "constraint": revision::is_range(text(&input["revision"])) })),
        "max_version" => {
            revision::max_version(text(&input["revision"]), &texts(&input["tags"]), text(&input["tagPrefix"]))
                .map(|version| json!({ "version": version }))
                .map_err(|_| "no_version".to_owned())
        }
        "resolve_tag" => revision::resolve(text(&input["revision"]), &texts(&input["tags"]))
            .map(|tag| json!({ "tag": tag }))
            .map_err(|_| "no_revision".to_owned()),
        "refresh_paths" => {
            let path = text(&input["sourcePath"]);
            let is_synced = input["hydrator"].is_object() && text(&input["hydrator"]["sync"]) == path;
            Ok(json!({ "paths": refresh::paths(input["annotation"].as_str(), path, is_synced) }))
        }
        "source_type" => source_type(input),
        "ref_sources" => ref_sources(input),
        "referenced_source" => {
            let name = refs::ref_name(text(&input["valueFile"]));
            Ok(json!({ "ref": name.filter(|name| texts(&input["refs"]).contains(name)) }))
        }
        "ref_usage" => ref_usage(input),
        "resolve" => resolve_value_files(input),
        "is_glob" => Ok(json!({ "glob": has_meta(text(&input["path"])) })),
        "glob" | "glob_with_negation" | "match_list" => Ok(json!({ "match": matches(kind, input) })),
        _ => return None,
    })
}

fn matches(kind: &str, input: &Value) -> Option<bool> {
    let separators: Vec<char> = text(&input["separators"]).chars().collect();
    let (pattern, subject) = (text(&input["pattern"]), text(&input["text"]));
    match (kind, text(&input["mode"])) {
        ("match_list", "exact") => List::new(texts(&input["list"]), Mode::Exact).matches(subject),
        ("match_list", "glob") => List::new(texts(&input["list"]), Mode::Glob).matches(subject),
        ("match_list", _) => List::new(texts(&input["list"]), Mode::Regexp).matches(subject),
        ("glob_with_negation", _) if input["allowNegation"] == true => {
            glob::argo::Entry::new(pattern, &separators).matches(subject)
        }
        ("glob_with_negation", _) => glob::argo::Entry::without_denial(pattern, &separators).matches(subject),
        _ => Some(glob::gobwas::Pattern::new(pattern, &separators).is_ok_and(|pattern| pattern.matches(subject))),
    }
}

fn app_path(input: &Value) -> bool {
    // An empty folder exists on disk; in a listing something lies in it.
    let placeholders = texts(&input["dirs"]).into_iter().map(|dir| (format!("{dir}/.keep"), EntryKind::File));
    let files = texts(&input["files"]).into_iter().map(|file| (file.to_owned(), EntryKind::File));
    let repo = repository(vec![placeholders.chain(files).collect()]);
    matches!(locate(&repo, RootId(0), text(&input["path"]), Span::default()), SourcePath::Folder { .. })
}

fn resolve_destination(input: &Value) -> Result<Value, String> {
    let clusters: Vec<Cluster<'_>> = items(&input["clusters"])
        .map(|value| Cluster { name: text(&value["name"]), server: text(&value["server"]) })
        .collect();
    let wanted = &input["destination"];
    match destination::resolve(text(&wanted["name"]), text(&wanted["server"]), &clusters) {
        Ok(cluster) => Ok(json!({ "server": cluster.server })),
        Err(DestinationProblem::Both) => Err("destination_both".into()),
        Err(DestinationProblem::Neither) => Err("destination_missing".into()),
        Err(DestinationProblem::Unknown) => Err("destination_unknown".into()),
        Err(DestinationProblem::Ambiguous) => Err("destination_ambiguous".into()),
    }
}

fn select_manifests(input: &Value) -> Value {
    let filter = Filter::new(input["recurse"] == true, text(&input["include"]), text(&input["exclude"]));
    let files: Vec<&str> = texts(&input["files"]).into_iter().filter(|file| filter.selects(file)).collect();
    json!({ "files": files })
}

fn source_type(input: &Value) -> Result<Value, String> {
    let blocks: Vec<Tool> = texts(&input["explicit"]).into_iter().filter_map(Tool::of_block).collect();
    let mut files = texts(&input["files"]);
    files.retain(|file| !file.contains('/'));
    files.sort_unstable();
    match tool::tool(&blocks, files) {
        Ok(tool) => Ok(json!({ "type": format!("{tool:?}") })),
        Err(_) => Err("several_source_types".into()),
    }
}

fn ref_sources(input: &Value) -> Result<Value, String> {
    let sources = sources(&input["sources"]);
    let declared = refs::declared(&sources);
    match declared.problems.first() {
        Some((_, problem)) => Err(class(*problem)),
        None => Ok(json!({ "refs": declared.names.iter().map(|(name, _)| name).collect::<Vec<_>>() })),
    }
}

fn ref_usage(input: &Value) -> Result<Value, String> {
    let sources = sources(&input["sources"]);
    if let Some((_, problem)) = refs::declared(&sources).problems.first() {
        return Err(class(*problem));
    }
    let index = input["index"].as_u64().unwrap_or(0) as usize;
    match refs::uses(&sources.iter().collect::<Vec<_>>(), index).into_iter().find_map(|used| used.target.err()) {
        Some(problem) => Err(class(problem)),
        None => Ok(json!({ "ok": true })),
    }
}

fn class(problem: RefProblem) -> String {
    match problem {
        RefProblem::Name => "ref_name",
        RefProblem::Duplicate { .. } => "ref_duplicate",
        RefProblem::Undefined => "ref_unknown",
        RefProblem::Chart { .. } => "ref_is_chart",
        RefProblem::OtherRevision { .. } | RefProblem::OwnRevision { .. } => "ref_revision_conflict",
    }
    .to_owned()
}

fn resolve_value_files(input: &Value) -> Result<Value, String> {
    let names: Vec<&String> = input["files"].as_object().into_iter().flat_map(|files| files.keys()).collect();
    let listing = |name: &String| {
        let mut entries: BTreeMap<String, EntryKind> =
            texts(&input["files"][name]).into_iter().map(|file| (file.to_owned(), EntryKind::File)).collect();
        entries.extend(symlinks(&input["symlinks"], name));
        entries
    };
    let repo = repository(names.iter().map(|name| listing(name)).collect());
    let root = |name: &str| names.iter().position(|known| *known == name).map(|at| RootId(at as u16));
    let unknown = || Unknown { why: Why::Repository("not checked out".into()), span: Span::default() };
    let target = |name: &Value| name.as_str().and_then(root).map_or_else(|| Target::Unknown(unknown()), Target::Root);
    let variables = input["env"].as_object().into_iter().flatten();
    let environment = Environment::of(variables.map(|(name, value)| (name.clone(), text(value).to_owned())));
    let named = input["refs"].as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), target(value)));
    let refs = Refs { named: named.collect(), other: None };
    let (chart_root, chart_folder) = text(&input["chartDir"]).split_once(':').unwrap();
    let base = Base::Root(root(chart_root).unwrap(), Some(RepoPath::new(chart_folder).unwrap()));
    let resolver = Resolver { repo: &repo, environment: &environment, base, refs: &refs };
    let written = texts(&input["valueFiles"]).into_iter().map(|file| Text::known_at(file, Span::default()));
    let files: Vec<_> = written.map(|text| resolver.value_file(&text)).collect();
    let layers = layers(&files, input["ignoreMissing"] == true).map_err(|_| "value_file".to_owned())?;
    let place = |layer| match layer {
        Layer::Local(place) => format!("{}:{}", names[place.root.index()], place.path.as_str()),
        Layer::Remote(url) => url,
    };
    Ok(json!({ "resolved": layers.into_iter().map(place).collect::<Vec<String>>() }))
}

/// The links of one repository: `path: target`, or `repository:path: target`; a target in brackets lies outside.
fn symlinks(links: &Value, repository: &str) -> Vec<(String, EntryKind)> {
    let link = |(path, target): (&str, &Value)| {
        let target = text(target);
        let target = if target.starts_with(['<', '(', '[']) { "/outside" } else { target };
        (path.to_owned(), EntryKind::Symlink(target.to_owned()))
    };
    let links = links.as_object().into_iter().flatten();
    links
        .flat_map(|(key, value)| match (value, key.split_once(':')) {
            (Value::Object(inner), _) if key == repository => {
                inner.iter().map(|(path, target)| link((path, target))).collect()
            }
            (Value::String(_), Some((owner, path))) if owner == repository => vec![link((path, value))],
            (Value::String(_), None) if repository == "main" => vec![link((key, value))],
            _ => Vec::new(),
        })
        .collect()
}

/// A snapshot of one root per listing, without contents.
fn repository(listings: Vec<BTreeMap<String, EntryKind>>) -> Repo {
    let mut entries = Vec::new();
    let roots = listings.iter().map(|_| Root::default()).collect();
    for (at, listing) in listings.into_iter().enumerate() {
        let root = RootId(at as u16);
        let mut sorted: Vec<(RepoPath, EntryKind)> =
            listing.into_iter().map(|(path, kind)| (RepoPath::new(&path).unwrap(), kind)).collect();
        sorted.sort_by(|one, other| one.0.as_str().cmp(other.0.as_str()));
        entries.extend(sorted.into_iter().map(|(path, kind)| Entry { root, path, kind, file: None }));
    }
    Repo::new(roots, entries)
}

fn sources(list: &Value) -> Vec<Source> {
    let tree = yaml::parse(FileId(0), list.to_string().into());
    let root = tree.root(&tree.documents()[0]).unwrap();
    read::value(root).items().iter().filter_map(|item| Source::read(item, item.span())).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn texts(list: &Value) -> Vec<&str> {
    items(list).filter_map(Value::as_str).collect()
}
