//! The template of an ApplicationSet: merged with a generator's own, filled, patched, completed.
//!
//! Mirrors Argo CD 3.6, `mergeGeneratorTemplate`, `RenderTemplateParams` and `controllers/template/patch.go`.

use super::Expander;
use super::failure::{Class, Failure};
use super::params::Params;
use super::render::Filler;
use crate::formats::argo::ApplicationSet;
use crate::formats::argo::generator::Generator;
use crate::formats::read;
use crate::text::{FileId, Span, Spanned};
use crate::value::{List, Map, Text, Unknown, Value};
use crate::yaml;

/// The finalizer that deletes an Application's resources with it.
const FINALIZER: &str = "resources-finalizer.argocd.argoproj.io";

/// A generator's template completed by that of the ApplicationSet: only what is empty is filled in.
pub fn merged(base: Option<&Value>, own: Option<&Value>) -> Option<Value> {
    match (base, own) {
        (Some(base), Some(own)) => Some(fill_empty(own, base)),
        (base, own) => own.or(base).cloned(),
    }
}

/// Mirrors mergo without override: an empty text, `false` and zero count as not set; lists are taken whole.
fn fill_empty(own: &Value, base: &Value) -> Value {
    match (own, base) {
        (Value::Map(own), Value::Map(base)) => {
            let mut entries = own.entries.clone();
            for (key, lower) in &base.entries {
                match entries.iter_mut().find(|(name, _)| name.value == key.value) {
                    Some((_, value)) => *value = fill_empty(value, lower),
                    None => entries.push((key.clone(), lower.clone())),
                }
            }
            Value::Map(Map { entries, span: own.span })
        }
        _ if is_empty(own) => base.clone(),
        _ => own.clone(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null(_) => true,
        Value::Bool(bool) => !bool.value,
        Value::Int(int) => int.value == 0,
        Value::Float(float) => float.value == 0.0,
        Value::Text(text) => text.as_str() == Some(""),
        Value::List(list) => list.items.is_empty(),
        Value::Map(map) => map.entries.is_empty(),
        Value::Unknown(_) => false,
    }
}

/// The places of texts that may hold placeholders of another tool, which stay on purpose: annotations, and what Helm,
/// Kustomize or a plugin is given.
pub fn foreign(set: &ApplicationSet) -> Vec<Span> {
    let own = set.generators.iter().flat_map(|entry| Generator::read(entry).kinds);
    let own: Vec<Value> = own.filter_map(|kind| kind.template().cloned()).collect();
    let mut places: Vec<Span> = set.template_patch.iter().map(Text::span).collect();
    let templates = || set.template.iter().chain(&own);
    let annotations = templates().filter_map(|template| template.get("metadata")?.get("annotations"));
    places.extend(annotations.map(Value::span));
    for spec in templates().filter_map(|template| template.get("spec")) {
        let sources = spec.get("sources").map_or(&[][..], Value::items);
        for source in spec.get("source").into_iter().chain(sources) {
            let inner = [("helm", "values"), ("helm", "valuesObject"), ("kustomize", "patches")];
            let inner = inner.iter().filter_map(|(tool, field)| source.get(tool)?.get(field));
            places.extend(inner.chain(source.get("plugin")).map(Value::span));
        }
    }
    places
}

/// The Application that one set yields.
pub fn render(
    set: &ApplicationSet,
    template: &Value,
    params: &Params,
    cx: &mut Expander<'_>,
) -> Result<Value, Failure> {
    let filler = Filler::new(params, cx);
    let filled = if filler.is_empty() { template.clone() } else { filler.value(template, cx)? };
    let mut application = match filled {
        Value::Map(map) => map,
        _ => Map { entries: Vec::new(), span: template.span() },
    };
    let place = application.span;
    for (key, text) in [("kind", "Application"), ("apiVersion", "argoproj.io/v1alpha1")] {
        application.entries.retain(|(name, _)| name.value != key);
        let entry = (Spanned::new(key.to_owned(), place), Value::Text(Text::known_at(text, place)));
        application.entries.insert(0, entry);
    }
    if !filler.is_empty() && !set.preserves_resources {
        add_finalizer(&mut application);
    }
    if let Some(patch) = &set.template_patch {
        let text = filler.text(patch, cx)?;
        application = patched(application, &text)?;
    }
    if let Some(namespace) = &set.metadata.namespace {
        with_metadata(&mut application, |metadata| insert(metadata, "namespace", Value::Text(namespace.clone())));
    }
    Ok(Value::Map(application))
}

fn add_finalizer(application: &mut Map) {
    with_metadata(application, |metadata| {
        if metadata.get("finalizers").is_none_or(is_empty) {
            let span = metadata.span;
            let item = Value::Text(Text::known_at(FINALIZER, span));
            insert(metadata, "finalizers", Value::List(List { items: vec![item], span }));
        }
    });
}

fn with_metadata(application: &mut Map, change: impl FnOnce(&mut Map)) {
    let span = application.span;
    if !matches!(application.get("metadata"), Some(Value::Map(_))) {
        insert(application, "metadata", Value::Map(Map { entries: Vec::new(), span }));
    }
    let metadata = application.entries.iter_mut().find(|(key, _)| key.value == "metadata");
    if let Some((_, Value::Map(metadata))) = metadata {
        change(metadata);
    }
}

/// Sets a key, in its place when it is there.
fn insert(map: &mut Map, key: &str, value: Value) {
    match map.entries.iter_mut().find(|(name, _)| name.value == key) {
        Some((_, old)) => *old = value,
        None => map.entries.push((Spanned::new(key.to_owned(), value.span()), value)),
    }
}

/// The Application with a rendered `templatePatch` applied.
fn patched(application: Map, patch: &Text) -> Result<Map, Failure> {
    let Some(text) = patch.known() else {
        // Which fields an unknown patch touches is not known either.
        return Ok(match patch.unknowns().next() {
            Some(unknown) => forget_spec(application, unknown),
            None => application,
        });
    };
    let fail = |message: String| Failure::new(Class::TemplatePatch, text.span, message);
    let tree = yaml::parse(FileId::default(), text.value.into());
    if let Some(error) = tree.errors().first() {
        return Err(fail(format!("the rendered `templatePatch` is no YAML: {}", error.message)));
    }
    let Some(root) = tree.documents().first().and_then(|document| tree.root(document)) else { return Ok(application) };
    let mut patch = read::value(root);
    place_at(&mut patch, text.span);
    match patch {
        Value::Null(_) => Ok(application),
        Value::Map(patch) => Ok(merge_patch(application, &patch, &[])),
        _ => Err(fail("the rendered `templatePatch` is no mapping".to_owned())
            .help("write it like an Application: `spec:` and what is to change below it")),
    }
}

fn forget_spec(mut application: Map, unknown: &Unknown) -> Map {
    if let Some((_, Value::Map(spec))) = application.entries.iter_mut().find(|(key, _)| key.value == "spec") {
        for (_, value) in &mut spec.entries {
            *value = Value::Unknown(Unknown { why: unknown.why.clone(), span: value.span() });
        }
    }
    application
}

/// A strategic merge patch as Kubernetes applies it to an Application: maps merge, null deletes, lists are replaced
/// but for the finalizers, and `spec.project` is left alone.
fn merge_patch(mut target: Map, patch: &Map, path: &[&str]) -> Map {
    for (key, value) in &patch.entries {
        let here: Vec<&str> = path.iter().copied().chain([key.value.as_str()]).collect();
        if here == ["spec", "project"] {
            continue;
        }
        match (value, target.get(&key.value)) {
            (Value::Null(_), _) => target.entries.retain(|(name, _)| name.value != key.value),
            (Value::Map(patch), Some(Value::Map(old))) => {
                let merged = merge_patch(old.clone(), patch, &here);
                insert(&mut target, &key.value, Value::Map(merged));
            }
            (Value::List(patch), Some(Value::List(old))) if here == ["metadata", "finalizers"] => {
                let mut items = old.items.clone();
                let is_new = |item: &&Value| !old.items.iter().any(|known| known.as_str() == item.as_str());
                items.extend(patch.items.iter().filter(is_new).cloned());
                let list = Value::List(List { items, span: old.span });
                insert(&mut target, &key.value, list);
            }
            (Value::Map(patch), _) => {
                let empty = Map { entries: Vec::new(), span: patch.span };
                let merged = merge_patch(empty, patch, &here);
                insert(&mut target, &key.value, Value::Map(merged));
            }
            (value, _) => insert(&mut target, &key.value, value.clone()),
        }
    }
    target
}

/// Puts every span at one place: a rendered text has no places of its own.
fn place_at(value: &mut Value, span: Span) {
    match value {
        Value::Null(place) => *place = span,
        Value::Bool(bool) => bool.span = span,
        Value::Int(int) => int.span = span,
        Value::Float(float) => float.span = span,
        Value::Text(text) => {
            if let Some(known) = text.as_str() {
                *text = Text::known_at(known.to_owned(), span);
            }
        }
        Value::List(list) => {
            list.span = span;
            list.items.iter_mut().for_each(|item| place_at(item, span));
        }
        Value::Map(map) => {
            map.span = span;
            for (key, value) in &mut map.entries {
                key.span = span;
                place_at(value, span);
            }
        }
        Value::Unknown(unknown) => unknown.span = span,
    }
}
