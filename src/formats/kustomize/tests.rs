//! What the reader makes of kustomization files, and that it misses no field.

use super::read::FIELDS;
use super::{Field, Kustomization, PatchContent};
use crate::text::FileId;
use crate::yaml;
use serde_json::{Map, Value as Json, json};

fn read(text: &str) -> Kustomization {
    let tree = yaml::parse(FileId(0), text.into());
    assert_eq!(tree.errors(), [], "{text}");
    Kustomization::read(tree.root(&tree.documents()[0]).unwrap())
}

fn paths(text: &str) -> Vec<(Field, String)> {
    read(text).references.into_iter().map(|reference| (reference.field, reference.path.value)).collect()
}

#[test]
fn fields_are_sorted_for_the_search() {
    assert!(FIELDS.is_sorted());
}

#[test]
fn every_field_that_names_a_path_is_a_reference() {
    let text = "\
resources: [a.yaml]
bases: [b]
components: [c]
configurations: [d.yaml]
crds: [e.json]
openapi: {path: f.json}
configMapGenerator: [{name: x, files: [g.txt, key=h.txt], envs: [i.env], env: j.env}]
secretGenerator: [{name: x, files: [k.txt]}]
helmCharts: [{name: x, valuesFile: l.yaml, additionalValuesFiles: [m.yaml]}]
helmChartInflationGenerator: [{chartName: x, values: n.yaml}]
generators: [o.yaml]
patchesStrategicMerge: [p.yaml]
patches: [{path: q.yaml}]
patchesJson6902: [{target: {name: x}, path: r.yaml}]
replacements: [{path: s.yaml}]
transformers: [t.yaml]
validators: [u.yaml]
";
    let names: String = paths(text).iter().map(|(_, path)| &path[..1]).collect();
    assert_eq!(names, "abcdefghijklmnopqrstu");
}

#[test]
fn the_key_of_a_generator_file_is_not_part_of_its_place() {
    let text = "configMapGenerator: [{files: [a=b.txt, 'c=d.txt']}]";
    let found = read(text).references;
    assert_eq!(&text[found[0].path.span.range()], "b.txt");
    assert_eq!(found[1].path.value, "d.txt");
}

#[test]
fn field_names_match_in_any_letter_case() {
    assert_eq!(paths("Resources: [a.yaml]"), [(Field::Resources, "a.yaml".to_owned())]);
    assert_eq!(paths("resources: [a.yaml]\nRESOURCES: [b.yaml]"), [(Field::Resources, "a.yaml".to_owned())]);
    assert_eq!(read("commonLabels: {Name: x}").labels[0].pairs[0].0.value, "Name");
}

#[test]
fn what_is_written_inline_is_no_path() {
    let text = "\
patchesStrategicMerge:
- |-
  kind: A
  metadata: {name: x}
- b.yaml
transformers:
- |-
  apiVersion: builtin
  kind: LabelTransformer
- c.yaml
";
    let found = read(text);
    assert_eq!(found.references.len(), 2);
    assert_eq!(found.plugins.len(), 1);
    assert!(matches!(&found.patches[0].content, Some(PatchContent::Inline(Some(documents))) if documents.len() == 1));
}

#[test]
fn a_patch_with_path_and_text_has_no_content() {
    assert_eq!(read("patches: [{path: a.yaml, patch: 'kind: A'}]").patches[0].content, None);
    assert_eq!(read("patches: [{target: {kind: A}}]").patches[0].content, None);
}

#[test]
fn patches_keep_the_order_in_which_they_are_applied() {
    let text = "patchesJson6902: [{path: c}]\npatches: [{path: b}]\npatchesStrategicMerge: [a]\n";
    let fields: Vec<Field> = read(text).patches.iter().map(|patch| patch.field).collect();
    assert_eq!(fields, [Field::PatchesStrategicMerge, Field::Patches, Field::PatchesJson6902]);
}

/// What nothing here depends on: kustomize's own options, and the inner life of what is generated.
const IGNORED: &[&str] = &[
    "buildMetadata[]",
    "configMapGenerator[].options.annotations",
    "configMapGenerator[].options.disableNameSuffixHash",
    "configMapGenerator[].options.immutable",
    "configMapGenerator[].options.labels",
    "generatorOptions.annotations",
    "generatorOptions.disableNameSuffixHash",
    "generatorOptions.immutable",
    "generatorOptions.labels",
    "helmChartInflationGenerator[].chartHome",
    "helmChartInflationGenerator[].chartRepoName",
    "helmChartInflationGenerator[].extraArgs[]",
    "helmChartInflationGenerator[].helmBin",
    "helmChartInflationGenerator[].helmHome",
    "helmChartInflationGenerator[].releaseName",
    "helmChartInflationGenerator[].releaseNamespace",
    "helmChartInflationGenerator[].valuesLocal",
    "helmChartInflationGenerator[].valuesMerge",
    "helmCharts[].apiVersions[]",
    "helmCharts[].debug",
    "helmCharts[].devel",
    "helmCharts[].includeCRDs",
    "helmCharts[].kubeVersion",
    "helmCharts[].nameTemplate",
    "helmCharts[].namespace",
    "helmCharts[].releaseName",
    "helmCharts[].skipHooks",
    "helmCharts[].skipTests",
    "helmCharts[].valuesInline",
    "helmCharts[].valuesMerge",
    "helmGlobals.configHome",
    "labels[].includeVolumeClaimTemplates",
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "replacements[].source.options.create",
    "replacements[].source.options.encoding",
    "replacements[].source.options.index",
    "replacements[].targets[].options.encoding",
    "replacements[].targets[].options.index",
    "secretGenerator[].options.annotations",
    "secretGenerator[].options.disableNameSuffixHash",
    "secretGenerator[].options.immutable",
    "secretGenerator[].options.labels",
    "secretGenerator[].type",
    "sortOptions.legacySortOptions.orderFirst[]",
    "sortOptions.legacySortOptions.orderLast[]",
    "sortOptions.order",
    "vars[].fieldref.fieldPath",
    "vars[].fieldref.fieldpath",
    "vars[].objref.apiVersion",
    "vars[].objref.group",
    "vars[].objref.kind",
    "vars[].objref.name",
    "vars[].objref.namespace",
    "vars[].objref.version",
];

#[test]
fn every_field_of_the_schema_is_read_or_listed_as_ignored() {
    for name in ["kustomization_v1beta1", "component_v1alpha1"] {
        let path = format!("schemas/kustomize.config.k8s.io/{name}.json");
        let schema: Json = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut leaves = Vec::new();
        let full = sample(&schema, &schema, "", &mut leaves);
        leaves.retain(|leaf| leaf != "kind");
        let mut ignored: Vec<&str> = leaves.iter().map(String::as_str).filter(|leaf| !is_read(&full, leaf)).collect();
        ignored.sort_unstable();
        assert_eq!(ignored, IGNORED, "{name}");
    }
}

/// Whether the model changes when one field goes. Paths exclude some of their siblings, so it may go first.
fn is_read(full: &Json, leaf: &str) -> bool {
    let model = |document: &Json| read(&document.to_string());
    let (parent, _) = leaf.rsplit_once('.').unwrap_or(("", leaf));
    let beside = without(full, &format!("{parent}.path"));
    let above =
        without(full, &format!("{}.path", parent.split_once("[]").map_or("", |(list, _)| list).to_owned() + "[]"));
    [full, &beside, &above].into_iter().any(|document| model(document) != model(&without(document, leaf)))
}

/// The document without one field.
fn without(document: &Json, leaf: &str) -> Json {
    let mut document = document.clone();
    let mut at = &mut document;
    let steps: Vec<&str> = leaf.split('.').collect();
    for (index, step) in steps.iter().enumerate() {
        let (name, is_list) = step.strip_suffix("[]").map_or((*step, false), |name| (name, true));
        let Some(map) = at.as_object_mut() else { break };
        if index + 1 == steps.len() {
            // An unknown word of the same length keeps every other place as it is.
            let renamed = std::mem::take(map)
                .into_iter()
                .map(|(key, value)| if key == name { ("~".repeat(key.len()), value) } else { (key, value) });
            *map = renamed.collect();
            break;
        }
        let Some(next) = map.get_mut(name) else { break };
        at = if is_list { &mut next[0] } else { next };
    }
    document
}

/// A document with every field of a schema, and the paths of all its leaves.
fn sample(schema: &Json, top: &Json, path: &str, leaves: &mut Vec<String>) -> Json {
    if let Some(reference) = schema["$ref"].as_str() {
        return sample(top.pointer(reference.trim_start_matches('#')).unwrap(), top, path, leaves);
    }
    if let Some(properties) = schema["properties"].as_object() {
        let fields = properties.iter().map(|(name, schema)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            (name.clone(), sample(schema, top, &path, leaves))
        });
        return Json::Object(fields.collect::<Map<_, _>>());
    }
    if schema["type"] == "array" {
        return json!([sample(&schema["items"], top, &format!("{path}[]"), leaves)]);
    }
    leaves.push(path.to_owned());
    match schema["type"].as_str() {
        Some("boolean") => json!(true),
        Some("integer") => json!(3),
        Some("object") => json!({"path": "x"}),
        _ => schema["enum"].as_array().and_then(|words| words.last()).cloned().unwrap_or(json!("x")),
    }
}
