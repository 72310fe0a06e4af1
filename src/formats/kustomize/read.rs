//! From the tree of a kustomization file to the model of this folder.

use super::inline;
use super::{
    Behavior, Field, FieldSpec, Generator, HelmChart, Image, Kustomization, Labels, Patch, PatchContent, Plugin,
    Reference, Replacement, ReplacementSource, ReplacementTarget, Replica, Target,
};
use crate::formats::read::{self, Fields};
use crate::text::Spanned;
use crate::value::{Text, Value};
use crate::yaml::Node;

/// Fields whose entries are free words of the user, not fields.
const FREE: &[&str] = &["annotations", "commonAnnotations", "commonLabels", "pairs", "valuesInline", "valuesLocal"];

/// The fields of kustomization files, at any depth, that this reader asks for.
const FIELDS: &[&str] = &[
    "additionalValuesFiles",
    "allowKindChange",
    "allowNameChange",
    "annotationSelector",
    "bases",
    "behavior",
    "chartHome",
    "chartName",
    "chartRepoUrl",
    "chartVersion",
    "commonAnnotations",
    "commonLabels",
    "components",
    "configMapGenerator",
    "configurations",
    "count",
    "crds",
    "create",
    "delimiter",
    "digest",
    "env",
    "envs",
    "fieldPath",
    "fieldPaths",
    "fields",
    "files",
    "generators",
    "group",
    "helmChartInflationGenerator",
    "helmCharts",
    "helmGlobals",
    "imageTags",
    "images",
    "includeSelectors",
    "includeTemplates",
    "kind",
    "labelSelector",
    "labels",
    "literals",
    "name",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "newName",
    "newTag",
    "openapi",
    "options",
    "pairs",
    "patch",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "path",
    "reject",
    "replacements",
    "replicas",
    "repo",
    "resources",
    "secretGenerator",
    "select",
    "source",
    "sourceValue",
    "tagSuffix",
    "target",
    "targets",
    "transformers",
    "validators",
    "values",
    "valuesFile",
    "vars",
    "version",
];

impl Kustomization {
    /// Reads a whole kustomization file. Field names match in any letter case, as Go's JSON decoder matches them.
    pub fn read(root: Node<'_>) -> Kustomization {
        let mut document = read::value(root);
        fold_keys(&mut document);
        let Some(fields) = Fields::of(&document) else { return Kustomization::default() };
        let mut found = Kustomization {
            is_component: fields.text("kind").as_ref().and_then(Text::as_str) == Some("Component"),
            namespace: fields.non_empty("namespace"),
            name_prefix: fields.non_empty("namePrefix"),
            name_suffix: fields.non_empty("nameSuffix"),
            labels: labels(fields),
            annotations: fields.text_entries("commonAnnotations"),
            generators: generators(fields),
            images: images(fields),
            replicas: replicas(fields),
            vars: maps(fields, "vars").filter_map(|var| var.non_empty("name")).collect(),
            charts: charts(fields),
            chart_home: fields.fields("helmGlobals").and_then(|globals| globals.non_empty("chartHome")),
            openapi: fields.value("openapi").map(Value::span),
            ..Kustomization::default()
        };
        found.read_replacements(fields);
        for (key, field) in LISTS {
            found.add(*field, fields.texts(key));
        }
        found.read_files(fields);
        found.read_patches(fields, root);
        for field in [Field::Generators, Field::Transformers, Field::Validators] {
            found.read_plugins(field, fields, root);
        }
        found.references.sort_by_key(|reference| reference.field);
        found
    }

    fn add(&mut self, field: Field, paths: impl IntoIterator<Item = Text>) {
        self.references.extend(paths.into_iter().filter_map(|text| {
            let path = text.known()?;
            Some(Reference { field, path: Spanned::new(path.value.to_owned(), path.span) })
        }));
    }

    fn read_files(&mut self, fields: Fields<'_>) {
        for key in ["configMapGenerator", "secretGenerator"] {
            for generator in maps(fields, key) {
                self.add(Field::GeneratorFiles, generator.texts("files").into_iter().filter_map(without_key));
                self.add(Field::GeneratorFiles, generator.texts("envs"));
                self.add(Field::GeneratorFiles, generator.non_empty("env"));
            }
        }
        for chart in maps(fields, "helmCharts") {
            self.add(Field::HelmValues, chart.non_empty("valuesFile"));
            self.add(Field::HelmValues, chart.texts("additionalValuesFiles"));
        }
        for chart in maps(fields, "helmChartInflationGenerator") {
            self.add(Field::HelmValues, chart.non_empty("values"));
        }
        self.add(Field::OpenApi, fields.fields("openapi").and_then(|openapi| openapi.non_empty("path")));
    }

    fn read_patches(&mut self, fields: Fields<'_>, root: Node<'_>) {
        for (value, node) in entries(fields, root, "patchesStrategicMerge") {
            let Some(text) = read::text(value) else { continue };
            let content = match inline_objects(node) {
                Some(documents) => Some(PatchContent::Inline(Some(documents))),
                None => text.known().map(|path| PatchContent::File(Spanned::new(path.value.to_owned(), path.span))),
            };
            self.push_patch(Patch {
                span: value.span(),
                field: Field::PatchesStrategicMerge,
                target: None,
                content,
                allows_name_change: false,
                allows_kind_change: false,
            });
        }
        for (key, field) in [("patches", Field::Patches), ("patchesJson6902", Field::PatchesJson6902)] {
            for (value, node) in entries(fields, root, key) {
                let Some(patch) = Fields::of(value) else { continue };
                let options = patch.fields("options");
                let allows = |key| options.and_then(|options| options.bool(key)).is_some_and(|allows| allows.value);
                let text = node.and_then(|node| child(node, "patch"));
                let content = match (patch.non_empty("path"), patch.non_empty("patch")) {
                    (Some(path), None) => {
                        path.known().map(|path| PatchContent::File(Spanned::new(path.value.to_owned(), path.span)))
                    }
                    (None, Some(_)) => Some(PatchContent::Inline(text.and_then(inline::documents))),
                    _ => None,
                };
                self.push_patch(Patch {
                    span: patch.span(),
                    field,
                    target: patch.value("target").and_then(Target::read),
                    content,
                    allows_name_change: allows("allowNameChange"),
                    allows_kind_change: allows("allowKindChange"),
                });
            }
        }
    }

    fn push_patch(&mut self, patch: Patch) {
        if let Some(PatchContent::File(path)) = &patch.content {
            self.references.push(Reference { field: patch.field, path: path.clone() });
        }
        self.patches.push(patch);
    }

    fn read_plugins(&mut self, field: Field, fields: Fields<'_>, root: Node<'_>) {
        for (value, node) in entries(fields, root, field.name()) {
            match inline_objects(node) {
                Some(documents) => self.plugins.push(Plugin { field, documents }),
                None => self.add(field, read::text(value)),
            }
        }
    }

    fn read_replacements(&mut self, fields: Fields<'_>) {
        for entry in fields.items("replacements") {
            let Some(replacement) = Fields::of(entry) else { continue };
            match replacement.non_empty("path") {
                Some(path) => self.add(Field::Replacements, [path]),
                None => self.replacements.extend(Replacement::read(entry)),
            }
        }
    }
}

/// The fields that are lists of paths and nothing else.
const LISTS: &[(&str, Field)] = &[
    ("resources", Field::Resources),
    ("bases", Field::Bases),
    ("components", Field::Components),
    ("configurations", Field::Configurations),
    ("crds", Field::Crds),
];

impl Replacement {
    /// Reads one replacement, from a kustomization or from a file of its own.
    pub fn read(value: &Value) -> Option<Replacement> {
        let fields = Fields::of(value)?;
        let splits =
            |fields: Fields<'_>| fields.fields("options").is_some_and(|options| options.value("delimiter").is_some());
        let source = fields.value("source").and_then(|source| {
            let object = Target::read(source)?;
            let source = Fields::of(source)?;
            Some(ReplacementSource { object, field: source.non_empty("fieldPath"), splits: splits(source) })
        });
        let targets = fields.items("targets").iter().filter_map(Fields::of).map(|target| ReplacementTarget {
            select: target.value("select").and_then(Target::read).unwrap_or_default(),
            reject: target.items("reject").iter().filter_map(Target::read).collect(),
            fields: target.texts("fieldPaths"),
            creates: target
                .fields("options")
                .and_then(|options| options.bool("create"))
                .is_some_and(|creates| creates.value),
            splits: splits(target),
        });
        Some(Replacement { span: fields.span(), source, value: fields.text("sourceValue"), targets: targets.collect() })
    }
}

fn labels(fields: Fields<'_>) -> Vec<Labels> {
    let mut found: Vec<Labels> = maps(fields, "labels")
        .map(|labels| {
            let is = |key| labels.bool(key).is_some_and(|is| is.value);
            Labels {
                pairs: labels.text_entries("pairs"),
                in_selectors: is("includeSelectors"),
                in_templates: is("includeTemplates"),
                fields: labels.items("fields").iter().filter_map(FieldSpec::read).collect(),
            }
        })
        .collect();
    let common = fields.text_entries("commonLabels");
    if !common.is_empty() {
        found.push(Labels { pairs: common, in_selectors: true, in_templates: true, fields: Vec::new() });
    }
    found
}

impl FieldSpec {
    /// Reads a place such as `{kind: Deployment, path: spec/replicas}`.
    pub fn read(value: &Value) -> Option<FieldSpec> {
        let fields = Fields::of(value)?;
        let word = |key| fields.non_empty(key).and_then(|text| Some(text.as_str()?.to_owned()));
        Some(FieldSpec {
            group: word("group"),
            version: word("version"),
            kind: word("kind"),
            path: word("path")?,
            creates: fields.bool("create").is_some_and(|creates| creates.value),
        })
    }
}

fn generators(fields: Fields<'_>) -> Vec<Generator> {
    let of = |key, is_secret| {
        maps(fields, key).map(move |generator| Generator {
            span: generator.span(),
            is_secret,
            name: generator.non_empty("name"),
            namespace: generator.non_empty("namespace"),
            behavior: match generator.text("behavior").as_ref().and_then(Text::as_str) {
                Some("merge") => Behavior::Merge,
                Some("replace") => Behavior::Replace,
                _ => Behavior::Create,
            },
            literals: generator.texts("literals"),
        })
    };
    of("configMapGenerator", false).chain(of("secretGenerator", true)).collect()
}

fn images(fields: Fields<'_>) -> Vec<Image> {
    let of = |key| {
        maps(fields, key).map(|image| Image {
            span: image.span(),
            name: image.non_empty("name"),
            new_name: image.non_empty("newName"),
            new_tag: image.non_empty("newTag"),
            tag_suffix: image.non_empty("tagSuffix"),
            digest: image.non_empty("digest"),
        })
    };
    of("images").chain(of("imageTags")).collect()
}

fn replicas(fields: Fields<'_>) -> Vec<Replica> {
    let entries = maps(fields, "replicas");
    entries
        .map(|replica| Replica { span: replica.span(), name: replica.non_empty("name"), count: replica.int("count") })
        .collect()
}

fn charts(fields: Fields<'_>) -> Vec<HelmChart> {
    let of = |key, name, version, repo| {
        maps(fields, key).map(move |chart| HelmChart {
            span: chart.span(),
            name: chart.non_empty(name),
            version: chart.non_empty(version),
            repo: chart.non_empty(repo),
        })
    };
    let old = of("helmChartInflationGenerator", "chartName", "chartVersion", "chartRepoUrl");
    of("helmCharts", "name", "version", "repo").chain(old).collect()
}

/// The items of a list field that are maps.
fn maps<'v>(fields: Fields<'v>, key: &str) -> impl Iterator<Item = Fields<'v>> {
    fields.items(key).iter().filter_map(Fields::of)
}

/// The items of a list field with their nodes.
fn entries<'v, 't>(
    fields: Fields<'v>,
    root: Node<'t>,
    key: &str,
) -> impl Iterator<Item = (&'v Value, Option<Node<'t>>)> {
    let nodes: Vec<Node<'t>> = child(root, key).map(|list| list.items().collect()).unwrap_or_default();
    fields.items(key).iter().enumerate().map(move |(at, value)| (value, nodes.get(at).copied()))
}

/// The value of a key in any letter case; the exact one first.
fn child<'t>(node: Node<'t>, key: &str) -> Option<Node<'t>> {
    let folded = || node.entries().find(|entry| entry.key.key_text().eq_ignore_ascii_case(key));
    node.get(key).or_else(|| folded().map(|entry| entry.value))
}

/// The objects of a text that is YAML itself; `None` when the text is a path.
fn inline_objects(node: Option<Node<'_>>) -> Option<Vec<Value>> {
    let node = node?;
    // A path has neither, and looking first spares parsing it.
    node.text().filter(|text| text.contains(['\n', ':', '{']))?;
    let documents = inline::documents(node)?;
    (!documents.is_empty() && documents.iter().all(|value| value.as_map().is_some())).then_some(documents)
}

/// A generator's `files` entry without its `key=`.
fn without_key(text: Text) -> Option<Text> {
    let known = text.known()?;
    let Some((key, path)) = known.value.split_once('=') else { return Some(text) };
    // Quotes and escapes make the text shorter than its place; then the whole entry stands for the path.
    let is_verbatim = known.span.len() as usize == known.value.len();
    let mut span = known.span;
    span.start += if is_verbatim { key.len() as u32 + 1 } else { 0 };
    Some(Text::known_at(path, span))
}

/// Spells the fields of every map as kustomize does, whatever letter case they are written in.
fn fold_keys(value: &mut Value) {
    match value {
        Value::Map(map) => {
            for at in 0..map.entries.len() {
                let key = &map.entries[at].0.value;
                let canonical = FIELDS.binary_search(&key.as_str()).is_ok();
                if !canonical
                    && let Some(field) = FIELDS.iter().find(|field| field.eq_ignore_ascii_case(key))
                    && map.get(field).is_none()
                {
                    map.entries[at].0.value = (*field).to_owned();
                }
                let (key, value) = &mut map.entries[at];
                if !FREE.contains(&key.value.as_str()) {
                    fold_keys(value);
                }
            }
        }
        Value::List(list) => list.items.iter_mut().for_each(fold_keys),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert!(
            matches!(&found.patches[0].content, Some(PatchContent::Inline(Some(documents))) if documents.len() == 1)
        );
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
        "apiVersion",
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
            let mut ignored: Vec<&str> =
                leaves.iter().map(String::as_str).filter(|leaf| !is_read(&full, leaf)).collect();
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
}
