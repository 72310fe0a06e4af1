//! What an autoscaler sets, automated sync must not set back.

use super::{App, Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::built::{self, Contents};
use crate::fleet::customized::Customized;
use crate::fleet::{Source, plain, source};
use crate::formats::{Kind, Kinds, Resource, api, read};
use crate::repo::Repo;
use crate::text::is_placeholder;
use crate::value::Value;
use std::sync::Arc;

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

/// The field that autoscalers set.
const FIELD: &str = "/spec/replicas";

/// An object that an app applies, and what it holds.
struct Held {
    value: Arc<Value>,
    /// Its name as it is built.
    name: Option<String>,
    /// Its name as its file has it, by which others in the same build refer to it.
    written_name: Option<String>,
    /// Its namespace as it is built; empty when it names none.
    namespace: Option<String>,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    let is_autoscaler = |resource: &Resource| match resource {
        Resource::Manifest(manifest) => scales(manifest.group(), &manifest.kind.value),
        _ => false,
    };
    if !cx.repo.documents(Kind::Manifest).any(|(_, document)| is_autoscaler(&document.resource)) {
        return;
    }
    let customized = Customized::new(cx.repo);
    let mut contents = Contents::new(cx.repo);
    for app in cx.fleet.apps.iter().filter(|app| heals(app) && !app.spec.has_unknown_ignored) {
        for source in &app.sources {
            let objects = held(source, cx, &mut contents);
            for (scaler, target) in objects.iter().filter_map(|object| Some((object, target(object)?))) {
                let workloads = objects.iter().filter(|object| is_meant(target, scaler, object));
                workloads.for_each(|workload| judge(app, workload, target, &customized, out));
            }
        }
    }
}

fn scales(group: &str, kind: &str) -> bool {
    matches!((group, kind), ("autoscaling", "HorizontalPodAutoscaler") | ("keda.sh", "ScaledObject"))
}

/// Whether Argo CD certainly sets back what differs.
fn heals(app: &App) -> bool {
    let automated = app.spec.sync.automated.as_ref().filter(|automated| automated.is_on());
    automated.and_then(|automated| automated.self_heal.as_ref()).is_some_and(|heals| heals.value)
}

/// The objects of a source, as far as they are known; none where no autoscaler is among them.
fn held(source: &Source, cx: &Context<'_>, contents: &mut Contents<'_>) -> Vec<Held> {
    let Some((root, folder)) = source.folder() else { return Vec::new() };
    match source.tool {
        Some(source::Tool::Directory) => {
            let files = plain::manifests(source, cx.repo).unwrap_or_default();
            let documents = files.iter().flat_map(|file| file.documents.iter().map(move |document| (file, document)));
            let values = documents.filter(|(_, document)| matches!(document.resource, Resource::Manifest(_)));
            let values: Vec<Value> = values.map(|(file, document)| read::value(document.node(&file.tree))).collect();
            values.into_iter().map(as_written).collect()
        }
        Some(source::Tool::Kustomize) if source.written.kustomize.as_ref().is_none_or(|block| block.is_zero) => {
            let folder = (root, folder.clone());
            let build = cx.fleet.built.build(&folder);
            let has_scaler = build.is_some_and(|build| build.items.iter().any(is_scaler));
            let Some(build) = has_scaler.then(|| contents.build(&folder)).flatten() else { return Vec::new() };
            let items = build.items.iter().filter(|item| !built::is_local(item, cx.repo));
            items.map(|item| of_item(item, cx.repo)).collect()
        }
        _ => Vec::new(),
    }
}

fn is_scaler(item: &built::Item) -> bool {
    scales(&item.id.of.group, &item.id.of.kind)
}

fn as_written(value: Value) -> Held {
    let text = |key| text(&value, &["metadata", key]).map(str::to_owned);
    let namespace = match value.get("metadata").and_then(|metadata| metadata.get("namespace")) {
        None => Some(String::new()),
        Some(_) => text("namespace"),
    };
    Held { name: text("name"), written_name: text("name"), namespace, value: Arc::new(value) }
}

fn of_item(item: &built::Item, repo: &Repo) -> Held {
    let word = |word: &built::Word| word.as_deref().map(str::to_owned);
    let original = word(&item.original().name);
    Held {
        value: item.value(repo),
        name: word(&item.id.name),
        written_name: original,
        namespace: word(&item.id.namespace),
    }
}

fn text<'v>(value: &'v Value, path: &[&str]) -> Option<&'v str> {
    path.iter().try_fold(value, |value, key| value.get(key))?.as_str()
}

fn of_type(value: &Value) -> Option<(&str, &str)> {
    Some((api::split(text(value, &["apiVersion"])?).0, text(value, &["kind"])?))
}

/// What an autoscaler scales; `None` for any other object.
fn target(object: &Held) -> Option<&Value> {
    let (group, kind) = of_type(&object.value)?;
    if scales(group, kind) { object.value.get("spec")?.get("scaleTargetRef") } else { None }
}

/// Whether an autoscaler certainly means a workload: by its name as it is, or as its file has it, which builds change in
/// both.
fn is_meant(target: &Value, scaler: &Held, workload: &Held) -> bool {
    let is_keda = of_type(&scaler.value).is_some_and(|(group, _)| group == "keda.sh");
    let part = |key, default| text(target, &[key]).or(is_keda.then_some(default));
    let (Some(kind), Some(version)) = (part("kind", "Deployment"), part("apiVersion", "apps/v1")) else { return false };
    let Some(name) = text(target, &["name"]).filter(|name| !is_placeholder(name)) else { return false };
    of_type(&workload.value) == Some((api::split(version).0, kind))
        && [&workload.name, &workload.written_name].iter().any(|own| own.as_deref() == Some(name))
        && workload.namespace.is_some()
        && workload.namespace == scaler.namespace
}

fn judge(app: &App, workload: &Held, target: &Value, customized: &Customized<'_>, out: &mut Findings) {
    // Nothing scales what stands at none: that switches the autoscaler off.
    let replicas = match workload.value.get("spec").and_then(|spec| spec.get("replicas")) {
        Some(Value::Int(replicas)) if replicas.value > 0 => replicas.span,
        _ => return,
    };
    let Some((group, kind)) = of_type(&workload.value) else { return };
    let is_ignored = app.spec.ignored.iter().any(|ignored| {
        let name = ignored.name.as_ref().and_then(|name| name.as_str());
        ignored.is_about(group, kind) != Some(false)
            && name.is_none_or(|name| workload.name.as_ref().is_none_or(|own| own == name))
            && ignored.may_cover(FIELD)
    });
    if is_ignored || customized.may_cover(group, kind, FIELD) {
        return;
    }
    let finding = out.at(replicas, "automated sync sets back what an autoscaler sets here");
    finding.label(target.span(), "this autoscaler sets it");
    if let Some(heals) = app.spec.sync.automated.as_ref().and_then(|automated| automated.self_heal.as_ref()) {
        finding.label(heals.span, "this sets it back");
    }
    finding.help(format!("remove `replicas`, or list `{FIELD}` of it in `ignoreDifferences`"));
    finding.subject = app.name().map(|name| Subject(name.to_owned()));
}
