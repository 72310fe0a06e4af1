//! A project that permits everything restricts nothing.

use super::{Check, Context, Findings};
use crate::formats::argo::AppProject;
use crate::value::Text;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let is_star = |text: &Option<Text>| text.as_ref().is_some_and(|text| matches!(text.as_str(), Some("*" | "**")));
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        let (name, declared) = (project.name(), &project.declared);
        let (denies_repos, denies_clusters, denies_kinds) = denials(declared, project.granted());
        let repos = declared.source_repos.items.iter().filter(|_| !denies_repos);
        for repo in repos.filter(|text| matches!(text.as_str(), Some("*" | "**"))) {
            out.at(repo.span(), format!("project `{name}` permits every repository"))
                .help("list the repositories of the team, such as `https://git.example.com/team/*`");
        }
        let clusters = declared.destinations.items.iter().filter(|_| !denies_clusters);
        for entry in clusters.filter(|entry| is_star(&entry.server) || is_star(&entry.name)) {
            if is_star(&entry.namespace) {
                out.at(entry.span, format!("project `{name}` permits every namespace of every cluster"))
                    .help("list the clusters and namespaces of the team");
            }
        }
        let kinds = declared.cluster_allowed.items.iter().filter(|_| !denies_kinds);
        for kind in kinds.filter(|kind| is_star(&kind.group) && is_star(&kind.kind)) {
            if kind.name.as_ref().is_none_or(|name| matches!(name.as_str(), Some("" | "*"))) {
                out.at(kind.span, format!("project `{name}` permits every kind of the cluster as a whole"))
                    .help("list the kinds that its apps need, such as `Namespace`");
            }
        }
    }
}

/// Whether something takes away from what `*` permits, or may: of repositories, of destinations, of kinds. What Secrets add
/// that cannot be read only permits more.
fn denials(declared: &AppProject, granted: &AppProject) -> (bool, bool, bool) {
    let may_deny = |text: &Text| text.as_str().is_none_or(|text| text.starts_with('!'));
    let (repos, destinations) = (&granted.source_repos, &granted.destinations);
    let mut fields =
        destinations.items.iter().flat_map(|entry| [&entry.server, &entry.name, &entry.namespace]).flatten();
    let denied = &granted.cluster_denied;
    (
        !declared.source_repos.is_whole || repos.items.iter().any(may_deny),
        !declared.destinations.is_whole || fields.any(may_deny),
        !declared.cluster_denied.is_whole || !denied.items.is_empty(),
    )
}
