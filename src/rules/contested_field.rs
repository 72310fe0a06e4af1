//! What an autoscaler sets, automated sync must not set back.

use super::{App, Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::Applied;
use crate::fleet::applied::Object;
use crate::fleet::customized::Customized;
use crate::formats::{Kind, Kinds, Resource, api};
use crate::repo::Repo;
use crate::text::is_placeholder;
use crate::yaml::{Node, Scalar};

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

/// The field that autoscalers set.
const FIELD: &str = "/spec/replicas";

fn check(cx: &Context<'_>, out: &mut Findings) {
    let is_autoscaler = |resource: &Resource| match resource {
        Resource::Manifest(manifest) => scales(manifest.group(), &manifest.kind.value),
        _ => false,
    };
    if !cx.repo.documents(Kind::Manifest).any(|(_, document)| is_autoscaler(&document.resource)) {
        return;
    }
    let customized = Customized::new(cx.repo);
    for app in &cx.fleet.apps {
        if heals(app) && !app.spec.has_unknown_ignored {
            in_app(app, &customized, cx, out);
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

fn in_app(app: &App, customized: &Customized<'_>, cx: &Context<'_>, out: &mut Findings) {
    let applied = Applied::new(app, &cx.fleet.built, cx.repo);
    let written = || applied.objects.iter().filter(|object| object.is_as_written);
    for scaler in written().filter(|object| scales(object.group, object.kind)) {
        let Some(target) = content(scaler, cx.repo).and_then(|root| root.at(&["spec", "scaleTargetRef"])) else {
            continue;
        };
        for workload in written().filter(|object| is_target(target, scaler, object, cx.repo)) {
            let replicas = content(workload, cx.repo).and_then(|root| root.at(&["spec", "replicas"]));
            // Nothing scales what stands at none: that switches the autoscaler off.
            let Some(replicas) = replicas.filter(|node| matches!(node.scalar(), Some(Scalar::Int(1..)))) else {
                continue;
            };
            let is_ignored = app.spec.ignored.iter().any(|ignored| {
                ignored.is_about(workload.group, workload.kind) != Some(false)
                    && ignored
                        .name
                        .as_ref()
                        .and_then(|name| name.as_str())
                        .is_none_or(|name| workload.name.is_none_or(|own| own == name))
                    && ignored.may_cover(FIELD)
            });
            if is_ignored || customized.may_cover(workload.group, workload.kind, FIELD) {
                continue;
            }
            let finding = out.at(replicas.span(), "automated sync sets back what an autoscaler sets here");
            finding.label(target.span(), "this autoscaler sets it");
            if let Some(heals) = app.spec.sync.automated.as_ref().and_then(|automated| automated.self_heal.as_ref()) {
                finding.label(heals.span, "this sets it back");
            }
            finding.help(format!("remove `replicas`, or list `{FIELD}` of it in `ignoreDifferences`"));
            finding.subject = app.name().map(|name| Subject(name.to_owned()));
        }
    }
}

fn content<'r>(object: &Object<'_>, repo: &'r Repo) -> Option<Node<'r>> {
    let (file, document) = repo.document(object.document?);
    Some(document.node(&file.tree))
}

/// Whether an autoscaler certainly means a workload: by its name as it is, or as its file has it, which builds change in
/// both.
fn is_target(target: Node<'_>, scaler: &Object<'_>, workload: &Object<'_>, repo: &Repo) -> bool {
    let text = |key: &str| target.get(key).and_then(Node::as_str);
    let (kind, group) = match scaler.group {
        "keda.sh" => (text("kind").unwrap_or("Deployment"), text("apiVersion").unwrap_or("apps/v1")),
        _ => (text("kind").unwrap_or_default(), text("apiVersion").unwrap_or_default()),
    };
    let Some(name) = text("name").filter(|name| !is_placeholder(name)) else { return false };
    let written = content(workload, repo).and_then(|root| root.at(&["metadata", "name"])?.as_str());
    (workload.group, workload.kind) == (api::split(group).0, kind)
        && (workload.name == Some(name) || written == Some(name))
        && workload.namespace.is_some()
        && workload.namespace == scaler.namespace
}
