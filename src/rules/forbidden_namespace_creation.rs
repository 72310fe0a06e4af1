//! An app may create its namespace only where its project permits the kind Namespace.

use super::{App, Check, Context, Findings};
use crate::fleet::literal::literal;
use crate::fleet::projects::permits::{self, Wanted};
use crate::formats::{Kind, Resource};

pub const CHECK: Check = Check::app(check);

/// Namespaces that every cluster has.
const BUILT_IN: [&str; 4] = ["default", "kube-system", "kube-public", "kube-node-lease"];

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let options = &app.spec.sync.options;
    let Some(option) = options.iter().find(|option| option.as_str() == Some("CreateNamespace=true")) else { return };
    let written = app.spec.destination.as_ref().and_then(|wanted| wanted.namespace.as_ref());
    let namespace = written.and_then(|text| literal(text).ok()).map(|text| text.value);
    if namespace.is_some_and(|name| BUILT_IN.contains(&name)) {
        return;
    }
    let wanted = Wanted { group: "", kind: "Namespace", name: namespace, is_namespaced: false };
    let projects = &cx.fleet.projects;
    let Some(project) = projects.refusing(app, cx.repo, |project| permits::kind(project.granted(), wanted)) else {
        return;
    };
    // Looked for only now: it takes a walk through all manifests.
    if namespace.is_some_and(|name| is_declared(name, cx)) {
        return;
    }
    let declared = &project.declared;
    let (list, text) = match (declared.cluster_denied.items.first(), declared.cluster_allowed.key) {
        (None, None) => (declared.metadata.span, "this project permits no kind of the cluster as a whole"),
        (None, Some(list)) => (list, "this list does not have `Namespace`"),
        (Some(_), list) => (declared.cluster_denied.key.or(list).unwrap_or(declared.span), "what this project denies"),
    };
    out.at(option.span(), format!("project `{}` does not permit an app to create a Namespace", project.name()))
        .label(list, text)
        .help("add `Namespace` of the core group to `clusterResourceWhitelist`, or create it elsewhere");
}

/// Whether some manifest is the namespace.
fn is_declared(name: &str, cx: &Context<'_>) -> bool {
    cx.repo.documents(Kind::Manifest).any(|(_, document)| match &document.resource {
        Resource::Manifest(manifest) => {
            &*manifest.kind.value == "Namespace" && manifest.name.as_ref().is_some_and(|known| &*known.value == name)
        }
        _ => false,
    })
}
