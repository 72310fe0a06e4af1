//! Go templates against results recorded from Go and from Argo CD's own tests.

#[path = "support/template.rs"]
mod template;

use plimsoll::lang::template::{Data, Dialect, ErrorKind, Options, normalize, slugify};
use serde_json::{Map, Value};
use template::{Outcome, render, value_with};

fn vectors(file: &str) -> Value {
    let path = format!("{}/testdata/conformance/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn recorded_templates_render_as_in_go() {
    let cases = vectors("go/template_cases.json");
    let data = value_with(&vectors("go/template_data.json"), &[]);
    let results = vectors("go/template_results.json");
    let mut wrong = Vec::new();
    for (case, result) in cases.as_array().unwrap().iter().zip(results.as_array().unwrap()) {
        assert_eq!(case[0], result[0], "cases and results are in the same order");
        for (option, expected) in [("missingkey=default", &result[1]), ("missingkey=error", &result[2])] {
            let mut options = Options::default();
            options.set(option).unwrap();
            // These were recorded without a name, and with a `normalize` that does nothing.
            let source = text(&case[1]).replace("normalize", "print");
            let actual = match render("", &source, &Data::new(&data), &options, Dialect::ARGO_CD_3_5) {
                Outcome::Text(text) => text,
                Outcome::Error(error) => format!("ERR {}", error.text),
                Outcome::Unknown(why) => format!("unknown: {why:?}"),
            };
            if actual != text(expected) {
                wrong.push(format!("{} {option}\n  is  {actual}\n  not {expected}", case[0]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Renders every text in a JSON value, keys included; an object with a string map of parameters renders none.
fn rendered(value: &Value, render: &dyn Fn(&str) -> Result<String, String>) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => Value::String(render(text)?),
        Value::Array(items) => Value::Array(items.iter().map(|item| rendered(item, render)).collect::<Result<_, _>>()?),
        Value::Object(entries) => {
            let mut out = Map::new();
            for (key, value) in entries {
                out.insert(render(key)?, rendered(value, render)?);
            }
            Value::Object(out)
        }
        other => other.clone(),
    })
}

/// The result of one vector, as JSON, or the class of its error.
fn run(kind: &str, input: &Value) -> Result<Value, String> {
    let params = &input["params"];
    let string_maps: Vec<&str> =
        input["stringMaps"].as_array().into_iter().flatten().map(|place| place.as_str().unwrap()).collect();
    let mut options = Options::default();
    for option in input["goTemplateOptions"].as_array().into_iter().flatten() {
        options.set(text(option)).map_err(|_| "controller_panic".to_owned())?;
    }
    let data = value_with(params, &string_maps);
    let is_empty = params.as_object().is_none_or(Map::is_empty);
    let one = |source: &str| match render("base", source, &Data::new(&data), &options, Dialect::ARGO_CD_3_5) {
        Outcome::Text(text) => Ok(text),
        Outcome::Unknown(why) => Err(format!("unknown: {why:?}")),
        Outcome::Error(error) => Err(match error.kind {
            ErrorKind::Parse => "template_parse".to_owned(),
            ErrorKind::MissingKey => "missing_key".to_owned(),
            ErrorKind::Exec => "template_exec".to_owned(),
            ErrorKind::Limit => "limit".to_owned(),
        }),
    };
    match kind {
        "replace" => one(text(&input["template"])).map(Value::String),
        // Without parameters nothing is rendered.
        "render_field" if is_empty => Ok(input["template"].clone()),
        "render_field" => one(text(&input["template"])).map(Value::String),
        "render_app" => rendered(&input["application"], &one),
        "render_values_object" => {
            let object = text(&input["valuesObject"]);
            let parsed = match serde_json::from_str(object) {
                Ok(parsed) => parsed,
                Err(_) => template::yaml_to_json(object).ok_or("unreadable values object")?,
            };
            rendered(&parsed, &one)
        }
        other => panic!("unknown kind of vector: {other}"),
    }
}

/// Whether all of `part` is in `whole`.
fn is_within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|other| is_within(value, other)))
        }
        _ => part == whole,
    }
}

#[test]
fn argo_cd_renders_as_its_own_tests_say() {
    let file = vectors("argocd/gotemplate_render.json");
    let mut wrong = Vec::new();
    for vector in file["vectors"].as_array().unwrap() {
        let expect = &vector["expect"];
        let kind = text(&vector["kind"]);
        let result = run(kind, &vector["input"]);
        let is_right = match (&result, &expect["error"]["class"]) {
            (Err(class), Value::String(expected)) => class == expected,
            (Ok(value), Value::Null) => {
                let key = match kind {
                    "render_app" => "application",
                    "render_values_object" => "valuesObject",
                    _ => "text",
                };
                if expect["subset"] == true { is_within(&expect[key], value) } else { expect[key] == *value }
            }
            _ => false,
        };
        if !is_right {
            wrong.push(format!("{} {}\n  is  {result:?}\n  not {expect}", vector["id"], vector["why"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_made_as_argo_cd_makes_them() {
    for vector in vectors("argocd/names.json")["vectors"].as_array().unwrap() {
        let input = &vector["input"];
        let source = text(&input["text"]);
        let name = match text(&vector["kind"]) {
            "normalize_name" => Some(normalize(source)),
            "slugify" => {
                let limit = input["length"].as_i64().unwrap_or(50);
                slugify(source, limit, input["smartTruncate"].as_bool().unwrap_or(true))
            }
            other => panic!("unknown kind of vector: {other}"),
        };
        assert_eq!(name.as_deref(), Some(text(&vector["expect"]["text"])), "{}", vector["id"]);
    }
}
