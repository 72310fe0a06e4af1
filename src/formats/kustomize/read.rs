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
pub(super) const FIELDS: &[&str] = &[
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
        let says_something = |(key, value): &(Spanned<String>, Value)| {
            let is_zero = matches!(value, Value::Null(_)) || value.as_str() == Some("");
            !is_zero && !matches!(key.value.as_str(), "apiVersion" | "kind")
        };
        let mut found = Kustomization {
            is_empty: !fields.entries().iter().any(says_something),
            api_version: fields.non_empty("apiVersion"),
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
