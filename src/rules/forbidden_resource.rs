//! An app may apply the kinds that its project lists.

use super::{App, Check, Context, Findings};
use crate::finding::Finding;
use crate::fleet::Applied;
use crate::fleet::applied::Object;
use crate::fleet::projects::Project;
use crate::fleet::projects::permits::{self, Wanted};
use crate::formats::api::Scope;
use crate::text::Span;

pub const CHECK: Check = Check::app(check);

/// Other objects of the kind that are shown.
const SHOWN: usize = 4;

/// A kind that is refused, with the objects of it that are.
struct Refused<'r> {
    wanted: Wanted<'r>,
    project: &'r Project,
    objects: Vec<Object<'r>>,
}

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let projects = &cx.fleet.projects;
    if app.project().is_none_or(|name| projects.declarations(name).is_empty()) {
        return;
    }
    let applied = Applied::new(app, &cx.fleet.built, cx.repo);
    let mut refused: Vec<Refused<'_>> = Vec::new();
    for object in applied.objects {
        let Some(scope) = cx.fleet.scopes.of(object.group, object.kind, cx.repo) else { continue };
        let wanted = Wanted {
            group: object.group,
            kind: object.kind,
            name: object.name,
            is_namespaced: scope == Scope::Namespace,
        };
        let Some(project) = projects.refusing(app, cx.repo, |project| permits::kind(project.granted(), wanted)) else {
            continue;
        };
        let same = |other: &&mut Refused<'_>| (other.wanted.group, other.wanted.kind) == (wanted.group, wanted.kind);
        match refused.iter_mut().find(same) {
            Some(other) => other.objects.push(object),
            None => refused.push(Refused { wanted, project, objects: vec![object] }),
        }
    }
    for Refused { wanted, project, objects } in refused {
        let name = project.name();
        let group = match wanted.group {
            "" => "the core group".to_owned(),
            group => format!("`{group}`"),
        };
        let message = format!("project `{name}` does not permit `{}` of {group}", wanted.kind);
        let finding = out.at(objects[0].place, message);
        explain(project, wanted, finding);
        if let Some(written) = &app.spec.project {
            finding.label(written.span(), "the app is in this project");
        }
        for other in objects.iter().skip(1).take(SHOWN) {
            finding.label(other.place, "another one");
        }
    }
}

/// Names the list that refuses the kind.
fn explain(project: &Project, wanted: Wanted<'_>, finding: &mut Finding) {
    let granted = project.granted();
    let (allowed, denied, key) = if wanted.is_namespaced {
        (&granted.namespace_allowed, &granted.namespace_denied, "namespaceResourceWhitelist")
    } else {
        (&granted.cluster_allowed, &granted.cluster_denied, "clusterResourceWhitelist")
    };
    if let Some(item) = denied.items.iter().find(|item| permits::lists_kind(item, wanted) == Some(true)) {
        finding.label(item.span, "this entry denies it").help("remove the object, or narrow the entry");
        return;
    }
    let whole = |span: Span| if span == Span::default() { project.declared.metadata.span } else { span };
    let unnamed = Wanted { name: None, ..wanted };
    let other_name = allowed.items.iter().find(|item| permits::lists_kind(item, unnamed).is_none());
    match (other_name, allowed.key) {
        (Some(item), _) => finding.label(item.span, "this entry permits it under other names"),
        (None, Some(list)) => finding.label(list, "this list does not have it"),
        (None, None) => finding.label(
            whole(project.declared.span),
            format!("without `{key}` it permits no kind of the cluster as a whole"),
        ),
    };
    finding.help(format!("add it to `{key}` of the project, or let an app of another project apply it"));
}
