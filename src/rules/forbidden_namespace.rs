//! An app outside of Argo CD's namespace must be in one of its project's `sourceNamespaces`.

use super::{App, Check, Context, Findings};
use crate::fleet::literal::literal;
use crate::fleet::projects::{Project, permits};
use crate::value::Text;

pub const CHECK: Check = Check::app(check);

/// Namespaces that Argo CD itself is installed in; an app there may belong to another one than the project does.
const OF_ARGO_CD: [&str; 6] = ["argocd", "argo-cd", "argo", "openshift-gitops", "gitops", "argocd-system"];

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let Some(namespace) = app.metadata.namespace.as_ref().and_then(|text| literal(text).ok()) else { return };
    let projects = &cx.fleet.projects;
    let is_controllers = OF_ARGO_CD.contains(&namespace.value)
        || projects.all().any(|project| controller(project) == Some(namespace.value));
    let permits = |project: &Project| {
        permits::app_namespace(&project.declared.source_namespaces, namespace.value, controller(project)?)
    };
    let Some(project) = projects.refusing(app, cx.repo, permits).filter(|_| !is_controllers) else { return };
    let declared = &project.declared;
    let message = format!("project `{}` does not permit apps in the namespace `{}`", project.name(), namespace.value);
    out.at(namespace.span, message)
        .label(
            declared.source_namespaces.key.unwrap_or(declared.span),
            "`sourceNamespaces` of this project have no match",
        )
        .help(format!("add `{}` to `sourceNamespaces`, or move the app to the namespace of Argo CD", namespace.value));
}

/// The namespace of Argo CD: its projects are in no other one.
fn controller(project: &Project) -> Option<&str> {
    project.declared.metadata.namespace.as_ref().and_then(Text::as_str)
}
