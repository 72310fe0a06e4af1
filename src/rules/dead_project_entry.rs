//! An entry of a project must be able to do what it looks like.

use super::{Check, Context, Findings};
use crate::fleet::projects::{Project, idle};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        for idle in idle::entries(&project.declared, needs_namespace(project, cx)) {
            let finding = out.at(idle.span, idle.message);
            finding.help(idle.help);
            if let Some((span, text)) = idle.label {
                finding.label(span, text);
            }
        }
    }
}

/// Whether every app of a project names a namespace.
fn needs_namespace(project: &Project, cx: &Context<'_>) -> bool {
    let mut apps = cx.fleet.apps.iter().filter(|app| app.project().is_none_or(|name| name == project.name()));
    apps.all(|app| app.spec.destination.as_ref().is_some_and(|wanted| wanted.namespace.is_some()))
}
