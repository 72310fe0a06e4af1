//! What the packed schemas, and the table of versions, must hold to.

use super::*;
use crate::formats::api;

#[test]
fn every_packed_schema_compiles() {
    assert!(FILES.is_sorted());
    for (file, _) in FILES {
        let schema = load(file).unwrap();
        assert!(!schema.validator().is_valid(View::Name("text")), "{file} accepts anything");
    }
}

/// The keywords that [`explain`] has words for, and annotations. A schema with another one would be silent about it.
const KEYWORDS: [&str; 22] = [
    "$defs",
    "$ref",
    "$schema",
    "additionalProperties",
    "const",
    "default",
    "enum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
];

#[test]
fn the_schemas_use_only_what_can_be_explained() {
    fn walk(file: &str, schema: &Value) {
        let Some(map) = schema.as_object() else { return };
        for (keyword, value) in map {
            assert!(KEYWORDS.contains(&keyword.as_str()) || keyword == "uniqueItems", "{file}: {keyword}");
            match (keyword.as_str(), value) {
                ("properties" | "$defs", Value::Object(schemas)) => schemas.values().for_each(|one| walk(file, one)),
                ("items" | "additionalProperties", one) => walk(file, one),
                ("enum", Value::Array(words)) => assert!(words.iter().all(|word| word.is_string() || word.is_null())),
                ("const", word) => assert!(word.is_string(), "{file}: {word}"),
                _ => {}
            }
        }
        // A null counts as absent, so a field that may be null must not be required.
        for name in map.get("required").and_then(Value::as_array).into_iter().flatten() {
            let types = schema.pointer(&format!("/properties/{}/type", name.as_str().unwrap()));
            let may_be_null = types.and_then(Value::as_array).is_some_and(|types| types.contains(&"null".into()));
            assert!(!may_be_null, "{file}: {name}");
        }
    }
    for (file, text) in FILES {
        walk(file, &serde_json::from_str(text).unwrap());
    }
}

#[test]
fn a_version_that_is_a_drop_in_lacks_no_field_of_the_old_one() {
    fn paths(schema: &Schema) -> Vec<String> {
        let mut paths = schema.places().paths();
        paths.retain(|path| path.starts_with("spec."));
        paths
    }
    let mut compared = 0;
    for api in api::all() {
        let Some(api::End { step: api::Step::Rename(unless), instead, .. }) = &api.end else { continue };
        let file = |version: &str| load(&format!("{}/{}_{version}.json", api.group, api.kind.to_lowercase()));
        let (Some(old), Some(new)) = (file(api.version), file(api::split(instead).1)) else { continue };
        let known = paths(new);
        for path in paths(old).into_iter().filter(|path| !known.contains(path)) {
            let plain = path.replace("[]", "");
            assert!(unless.iter().any(|field| plain.starts_with(field)), "{} {}: {path}", api.version, api.kind);
        }
        compared += 1;
    }
    assert!(compared > 10);
}

/// Fields of an Application that need not be read: nothing that can be judged offline depends on them.
const IGNORED: [&str; 58] = [
    "allowEmpty",
    "annotationSelector",
    "apiVersions",
    "array",
    "backoff",
    "code",
    "commonAnnotations",
    "commonAnnotationsEnvsubst",
    "commonLabels",
    "count",
    "disableExtensionFilter",
    "duration",
    "env",
    "extVars",
    "factor",
    "forceCommonAnnotations",
    "forceCommonLabels",
    "forceString",
    "group",
    "hydrateTo",
    "images",
    "info",
    "jqPathExpressions",
    "jsonPointers",
    "kind",
    "kubeVersion",
    "labelIncludeTemplates",
    "labelSelector",
    "labelWithoutSelector",
    "libs",
    "limit",
    "managedFieldsManagers",
    "managedNamespaceMetadata",
    "map",
    "maxDuration",
    "namePrefix",
    "nameSuffix",
    "options",
    "parameters",
    "passCredentials",
    "patch",
    "patches",
    "refresh",
    "replicas",
    "retry",
    "revisionHistoryLimit",
    "skipCrds",
    "skipSchemaValidation",
    "skipTests",
    "string",
    "syncSource",
    "target",
    "targetBranch",
    "tlas",
    "value",
    "values",
    "valuesObject",
    "version",
];

#[test]
fn every_field_of_an_application_is_read_or_listed() {
    let decoders = [include_str!("../argo/application.rs"), include_str!("../argo/mod.rs")].concat();
    let paths = load("argoproj.io/application_v1alpha1.json").unwrap().places().paths();
    let names: Vec<&str> =
        paths.iter().filter(|path| path.starts_with("spec.")).filter_map(|path| path.rsplit('.').next()).collect();
    for name in &names {
        assert!(decoders.contains(&format!("\"{name}\"")) || IGNORED.contains(name), "{name} is neither");
    }
    for name in IGNORED {
        assert!(names.contains(&name), "{name} is no field");
    }
}
