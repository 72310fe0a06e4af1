//! A project permits what its apps use, and no more.

use super::{App, Check, Context, Findings};
use crate::fleet::literal::literal;
use crate::fleet::projects::Project;
use crate::fleet::projects::permits::{Destinations, Sources, Target};
use crate::formats::argo::project::Entries;
use crate::formats::{Kind, Resource};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    // An app that is not known may use anything.
    if !cx.fleet.knows_all_apps() {
        return;
    }
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        let apps: Vec<&App> = cx.fleet.apps.iter().filter(|app| app.project() == Some(project.name())).collect();
        if !apps.is_empty() {
            repositories(project, &apps, cx, out);
            clusters(project, &apps, cx, out);
        }
    }
}

fn repositories(project: &Project, apps: &[&App], cx: &Context<'_>, out: &mut Findings) {
    let sources = apps.iter().flat_map(|app| &app.sources).filter_map(|source| source.written.repo_url.as_ref());
    let synced = apps.iter().filter_map(|app| app.spec.hydrator.as_ref()?.sync_url.as_ref());
    // What charts are made of is listed at times, though Argo CD does not ask for it.
    let charts = cx.repo.documents(Kind::Chart).filter_map(|(_, document)| match &document.resource {
        Resource::Chart(chart) => Some(&chart.dependencies),
        _ => None,
    });
    let charts = charts.flatten().filter_map(|dependency| dependency.repository.as_ref());
    let kustomizations = cx.repo.documents(Kind::Kustomization);
    let inflated = kustomizations.filter_map(|(file, document)| document.node(&file.tree).get("helmCharts"));
    let inflated: Vec<&str> =
        inflated.flat_map(|charts| charts.items().filter_map(|chart| chart.get("repo")?.as_str())).collect();
    let used: Option<Vec<&str>> =
        sources.chain(synced).chain(charts).map(|url| literal(url).ok().map(|url| url.value)).collect();
    let Some(used) = used.map(|used| [used, inflated].concat()) else { return };
    for entry in &project.declared.source_repos.items {
        let Ok(written) = literal(entry) else { continue };
        let list = Entries { key: None, items: vec![entry.clone()], is_whole: true };
        let sources = Sources::new(&list);
        let is_idle = used.iter().all(|url| sources.permit(url) == Some(false));
        if is_idle && !written.value.starts_with('!') {
            out.at(written.span, format!("no app of project `{}` uses a repository that this permits", project.name()))
                .help("remove the entry, if no app outside of this repository needs it");
        }
    }
}

fn clusters(project: &Project, apps: &[&App], cx: &Context<'_>, out: &mut Findings) {
    let targets: Option<Vec<Target<'_>>> = apps
        .iter()
        .map(|app| {
            let target = Target::new(app.spec.destination.as_ref()?, &cx.fleet.clusters)?;
            // Resources may be in other namespaces than the app says.
            Some(Target { namespace: None, ..target })
        })
        .collect();
    let Some(targets) = targets else { return };
    for entry in &project.declared.destinations.items {
        let parts = [&entry.server, &entry.name, &entry.namespace].into_iter().flatten();
        let is_plain = parts.into_iter().all(|text| literal(text).is_ok_and(|text| !text.value.starts_with('!')));
        let list = Entries { key: None, items: vec![entry.clone()], is_whole: true };
        let destinations = Destinations::new(&list);
        let is_idle = targets.iter().all(|target| destinations.permit(*target) == Some(false));
        if is_plain && is_idle {
            out.at(
                entry.span,
                format!("no app of project `{}` deploys to a cluster that this permits", project.name()),
            )
            .help("remove the entry, if no app outside of this repository needs it");
        }
    }
}
