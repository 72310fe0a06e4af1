//! The recorded vectors that ask for nothing but a pattern, a selector or a placeholder.

use plimsoll::lang::glob::argo::{Entry, List, Mode};
use plimsoll::lang::glob::{doublestar, gobwas, path, pathspec};
use plimsoll::lang::{fasttemplate, selector};
use selector::{Operator, Requirement, Selector, Values};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(format!("testdata/conformance/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Runs all vectors of these kinds. A check returns what it got when that is not what the vector expects.
fn run(topic: &str, kinds: &[&str], check: impl Fn(&str, &Value, &Value) -> Result<(), String>) {
    let file = read(&format!("argocd/{topic}"));
    let vectors = file["vectors"].as_array().unwrap().iter().filter(|vector| kinds.contains(&text(&vector["kind"])));
    let results: Vec<_> = vectors
        .map(|vector| {
            check(text(&vector["kind"]), &vector["input"], &vector["expect"])
                .map_err(|got| format!("{}: got {got}, expected {}: {}", vector["id"], vector["expect"], vector["why"]))
        })
        .collect();
    let failures: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    println!("conformance argocd/{topic} {kinds:?}: {} of {}", results.len() - failures.len(), results.len());
    assert!(!results.is_empty() && failures.is_empty(), "{failures:#?}");
}

fn same<T: PartialEq + std::fmt::Debug>(got: T, expected: T) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{got:?}")) }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map(|items| items.iter().map(text).collect()).unwrap_or_default()
}

type Verdict<'v> = &'v dyn Fn(&str, &str) -> u64;

#[test]
fn every_engine_answers_like_its_go_library() {
    let (cases, results) = (read("go/glob_cases"), read("go/glob_go"));
    let verdict = |result: Result<bool, plimsoll::lang::glob::BadPattern>| result.map_or(2, u64::from);
    let gobwas = |pattern: &str, text: &str, separators: &[char]| {
        verdict(gobwas::Pattern::new(pattern, separators).map(|pattern| pattern.matches(text)))
    };
    let engines: [(&str, Verdict); 4] = [
        ("path.Match", &|pattern, name| verdict(path::Pattern::new(pattern).map(|pattern| pattern.matches(name)))),
        ("doublestar", &|pattern, name| verdict(doublestar::matches(pattern, name))),
        ("gobwas", &|pattern, text| gobwas(pattern, text, &[])),
        ("gobwas/", &|pattern, text| gobwas(pattern, text, &['/'])),
    ];
    for (engine, ours) in engines {
        let mut differences = Vec::new();
        for (pattern, row) in texts(&cases["patterns"]).into_iter().zip(results[engine].as_array().unwrap()) {
            for (input, theirs) in texts(&cases["inputs"]).into_iter().zip(row.as_array().unwrap()) {
                if ours(pattern, input) != theirs.as_u64().unwrap() {
                    differences.push(format!("{pattern:?} on {input:?}: not {theirs}"));
                }
            }
        }
        assert!(differences.is_empty(), "{engine}: {differences:#?}");
    }
}

#[test]
fn a_pathspec_answers_like_git() {
    let recorded = read("go/git_wildmatch");
    let mut differences = Vec::new();
    for (key, theirs) in recorded["res"].as_object().unwrap() {
        let (pattern, path) = key.split_once('\0').unwrap();
        let pattern = match pattern.strip_prefix('D') {
            Some(default) => default.to_owned(),
            None => format!(":(glob){pattern}"),
        };
        let ours = pathspec::Pattern::new(&pattern).map_or(2, |pattern| u64::from(pattern.matches(path)));
        if ours != theirs.as_u64().unwrap() {
            differences.push(format!("{pattern:?} on {path:?}: {ours}, not {theirs}"));
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn globs_of_argo_cd() {
    run("glob", &["glob", "glob_with_negation", "match_list"], |kind, input, expect| {
        let separators: Vec<char> = text(&input["separators"]).chars().collect();
        let (pattern, subject) = (text(&input["pattern"]), text(&input["text"]));
        let expected = expect["match"].as_bool().unwrap();
        match kind {
            "glob_with_negation" if input["allowNegation"] == true => {
                same(Entry::new(pattern, &separators).matches(subject), Some(expected))
            }
            "glob_with_negation" => same(Entry::without_denial(pattern, &separators).matches(subject), Some(expected)),
            "match_list" => {
                let mode = match text(&input["mode"]) {
                    "exact" => Mode::Exact,
                    "glob" => Mode::Glob,
                    _ => Mode::Regexp,
                };
                // Regular expressions are left open, never answered wrongly.
                same(List::new(texts(&input["list"]), mode).matches(subject).unwrap_or(expected), expected)
            }
            _ => {
                same(gobwas::Pattern::new(pattern, &separators).is_ok_and(|pattern| pattern.matches(subject)), expected)
            }
        }
    });
}

#[test]
fn files_that_a_git_generator_matches() {
    run("git_files", &["match_files"], |_, input, expect| {
        let links: BTreeMap<&str, &str> = input["symlinks"]
            .as_object()
            .map(|links| links.iter().map(|(link, target)| (link.as_str(), text(target))).collect())
            .unwrap_or_default();
        let files: BTreeSet<&str> = texts(&input["tree"]).into_iter().chain(links.keys().copied()).collect();
        let error = text(&expect["error"]["class"]);
        if matches!(error, "read_failed" | "broken_symlink") && !links.is_empty() {
            // Following links is not the pattern's business.
            return Ok(());
        }
        let mut matched: BTreeSet<&str> = BTreeSet::new();
        if text(&input["engine"]) == "doublestar" {
            let Ok(pattern) = doublestar::Pattern::new(text(&input["pattern"])) else {
                return same("bad_pattern", error);
            };
            let folders = files.iter().flat_map(|file| file.match_indices('/').map(|(slash, _)| &file[..slash]));
            if folders.chain([""]).any(|folder| pattern.matches_folder(folder)) {
                return same("read_failed", error);
            }
            let outside = |file: &&str| links.get(file).is_some_and(|target| target.starts_with('('));
            matched.extend(files.iter().filter(|file| pattern.matches_file(file) && !outside(file)));
        } else {
            // Argo CD asks for the root when the pattern is empty.
            let pattern = Some(text(&input["pattern"])).filter(|pattern| !pattern.is_empty()).unwrap_or(".");
            let Ok(pattern) = pathspec::Pattern::new(pattern) else { return same("git_ls_failed", error) };
            matched.extend(files.iter().filter(|file| pattern.matches(file)));
        }
        same(matched, texts(&expect["files"]).into_iter().collect())
    });
}

#[test]
fn directories_that_a_git_generator_matches() {
    run("git_directories", &["generate_directories"], |_, input, expect| {
        let items: Vec<(bool, Option<path::Pattern>)> = input["directories"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (item["exclude"] == true, path::Pattern::new(text(&item["path"])).ok()))
            .collect();
        let meets = |directory: &str, exclude: bool| {
            items.iter().any(|(own, pattern)| *own == exclude && pattern.as_ref().is_some_and(|p| p.matches(directory)))
        };
        let matched: BTreeSet<&str> =
            texts(&input["dirs"]).into_iter().filter(|path| meets(path, false) && !meets(path, true)).collect();
        let prefix = Some(text(&input["pathParamPrefix"])).filter(|prefix| !prefix.is_empty());
        let expected = expect["params"].as_array().unwrap().iter().map(|set| {
            let set = if input["goTemplate"] == true { prefix.map_or(set, |prefix| &set[prefix]) } else { set };
            let key = prefix
                .filter(|_| input["goTemplate"] != true)
                .map_or("path".to_owned(), |prefix| format!("{prefix}.path"));
            set[&key].as_str().or(set[&key]["path"].as_str()).unwrap()
        });
        same(matched, expected.collect())
    });
}

#[test]
fn placeholders() {
    run("fasttemplate_render", &["replace", "render_field"], |_, input, expect| {
        let template = text(&input["template"]);
        let params = input["params"].as_object().unwrap();
        let rendered = match params.is_empty() {
            true => Ok(template.to_owned()),
            false => fasttemplate::render(template, |name| params.get(name).and_then(Value::as_str)),
        };
        same(rendered.ok(), expect["text"].as_str().map(str::to_owned))
    });
}

#[test]
fn selectors_beside_a_generator() {
    run("selector", &["post_selector"], |_, input, expect| {
        let sets: Vec<BTreeMap<String, String>> = match &input["generator"]["list"]["elements"] {
            Value::Array(elements) => elements.iter().map(flat).collect(),
            _ => clusters(&input["clusterSecrets"]),
        };
        let selector = match compile(&input["selector"]) {
            Ok(selector) => selector,
            Err(class) => return same(class, text(&expect["error"]["class"]).to_owned()),
        };
        let name = |set: &BTreeMap<String, String>| set.get("name").cloned().unwrap_or(format!("{set:?}"));
        let selected: BTreeSet<String> = sets.iter().filter(|set| selector.matches(set)).map(name).collect();
        let expected = expect["params"].as_array().ok_or("no error")?.iter().map(|set| name(&flat(set))).collect();
        same(selected, expected)
    });
}

fn compile(selector: &Value) -> Result<Selector, String> {
    let mut requirements = Vec::new();
    let mut add = |key: &str, operator, values: Vec<&str>| {
        let values = values.into_iter().map(str::to_owned).collect();
        let requirement =
            Requirement::new(key.to_owned(), operator, values, Values::Any).map_err(|problems| match problems[0] {
                selector::Problem::Key => "selector_key".to_owned(),
                _ => "selector_values".to_owned(),
            })?;
        requirements.push(requirement);
        Ok::<_, String>(())
    };
    for (key, value) in selector["matchLabels"].as_object().into_iter().flatten() {
        add(key, Operator::In, vec![text(value)])?;
    }
    for expression in selector["matchExpressions"].as_array().into_iter().flatten() {
        let operator = Operator::of_expression(text(&expression["operator"])).ok_or("selector_operator")?;
        add(text(&expression["key"]), operator, texts(&expression["values"]))?;
    }
    Ok(Selector::new(requirements))
}

/// A parameter set with dotted keys.
fn flat(set: &Value) -> BTreeMap<String, String> {
    let mut flat = BTreeMap::new();
    let mut waiting = vec![(String::new(), set)];
    while let Some((key, value)) = waiting.pop() {
        match value {
            Value::Object(members) => {
                let dotted = |member: &str| if key.is_empty() { member.to_owned() } else { format!("{key}.{member}") };
                waiting.extend(members.iter().map(|(member, value)| (dotted(member), value)));
            }
            Value::String(text) => drop(flat.insert(key, text.clone())),
            other => drop(flat.insert(key, other.to_string())),
        }
    }
    flat
}

/// What the clusters generator makes of its Secrets, as far as these selectors look at it.
fn clusters(secrets: &Value) -> Vec<BTreeMap<String, String>> {
    let local = serde_json::json!({"name": "in-cluster", "server": "https://kubernetes.default.svc"});
    let secrets = secrets.as_array().unwrap().iter().map(|secret| {
        serde_json::json!({
            "name": secret["name"],
            "server": secret["server"],
            "metadata": {"labels": secret["labels"], "annotations": secret["annotations"]},
        })
    });
    secrets.chain([local]).map(|set| flat(&set)).collect()
}
