//! An app may deploy to the clusters and namespaces that its project lists.

use super::{App, Check, Context, Findings};
use crate::fleet::projects::permits::Target;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let Some(wanted) = &app.spec.destination else { return };
    let Some(target) = Target::new(wanted, &cx.fleet.clusters) else { return };
    let projects = &cx.fleet.projects;
    let refusing =
        |target| projects.refusing(app, cx.repo, |project| project.permits_destination(target, &cx.fleet.clusters));
    let Some(project) = refusing(target) else { return };
    let name = project.name();
    let is_cluster = refusing(Target { namespace: None, ..target }).is_some();
    let (cluster, namespace) = (wanted.server.as_ref().or(wanted.name.as_ref()), wanted.namespace.as_ref());
    let (span, message) = match (is_cluster, cluster, namespace) {
        (true, Some(cluster), _) => {
            let written = cluster.as_str().unwrap_or_default();
            (cluster.span(), format!("project `{name}` does not permit the cluster `{written}`"))
        }
        (false, _, Some(namespace)) => {
            let written = namespace.as_str().unwrap_or_default();
            (namespace.span(), format!("project `{name}` does not permit the namespace `{written}` in this cluster"))
        }
        _ => (wanted.key, format!("project `{name}` does not permit a destination without a namespace here")),
    };
    let declared = &project.declared;
    out.at(span, message)
        .label(declared.destinations.key.unwrap_or(declared.span), "nothing in this list permits it")
        .help("add it to `destinations` of the project, or deploy to a permitted destination");
}
