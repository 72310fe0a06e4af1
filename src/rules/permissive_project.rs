//! A project that permits everything restricts nothing.

use super::{Check, Context, Findings};
use crate::value::Text;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let is_star = |text: &Option<Text>| text.as_ref().is_some_and(|text| matches!(text.as_str(), Some("*" | "**")));
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        let (name, declared) = (project.name(), &project.declared);
        let repos = declared.source_repos.items.iter();
        for repo in repos.filter(|text| matches!(text.as_str(), Some("*" | "**"))) {
            out.at(repo.span(), format!("project `{name}` permits every repository"))
                .help("list the repositories of the team, such as `https://git.example.com/team/*`");
        }
        let clusters = declared.destinations.items.iter();
        for entry in clusters.filter(|entry| is_star(&entry.server) || is_star(&entry.name)) {
            if is_star(&entry.namespace) {
                out.at(entry.span, format!("project `{name}` permits every namespace of every cluster"))
                    .help("list the clusters and namespaces of the team");
            }
        }
        let kinds = declared.cluster_allowed.items.iter();
        for kind in kinds.filter(|kind| is_star(&kind.group) && is_star(&kind.kind)) {
            if kind.name.as_ref().is_none_or(|name| matches!(name.as_str(), Some("" | "*"))) {
                out.at(kind.span, format!("project `{name}` permits every kind of the cluster as a whole"))
                    .help("list the kinds that its apps need, such as `Namespace`");
            }
        }
    }
}
