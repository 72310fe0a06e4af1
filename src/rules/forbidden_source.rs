//! An app may use the repositories that its project lists.

use super::{App, Check, Context, Findings};
use crate::finding::Finding;
use crate::fleet::literal::literal;
use crate::fleet::projects::{Project, permits};
use crate::repo::{RepoUrl, url};

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let sources = app.sources.iter().filter_map(|source| source.written.repo_url.as_ref());
    let synced = app.spec.hydrator.as_ref().and_then(|hydrator| hydrator.sync_url.as_ref());
    for url in sources.chain(synced).filter_map(|url| literal(url).ok()) {
        let projects = &cx.fleet.projects;
        let Some(project) = projects.refusing(app, cx.repo, |project| project.permits_source(url.value)) else {
            continue;
        };
        let message = format!("project `{}` does not permit the repository `{}`", project.name(), url.value);
        explain(project, url.value, out.at(url.span, message));
    }
}

/// Names the entry that denies the repository, or nearly permits it.
fn explain(project: &Project, url: &str, finding: &mut Finding) {
    let wanted = url::normalize(url);
    let meets = |entry: &str| permits::repository(entry).matches(&wanted);
    let entries = &project.granted().source_repos.items;
    let (denials, grants): (Vec<_>, Vec<_>) =
        entries.iter().filter_map(|entry| literal(entry).ok()).partition(|entry| entry.value.starts_with('!'));
    if let Some(denial) = denials.iter().find(|denial| meets(denial.value) == Some(false)) {
        finding.label(denial.span, "this entry denies it").help("use another repository, or narrow the entry");
        return;
    }
    for entry in grants {
        let wider = entry.value.replace("**", "*").replace('*', "**");
        if wider != entry.value && meets(&wider) == Some(true) {
            finding.label(entry.span, format!("the `*` of `{}` does not cross a `/`", entry.value));
            finding.help(format!("write `{wider}`, or list the repository"));
            return;
        }
        if RepoUrl::new(entry.value).is_some_and(|permitted| Some(permitted) == RepoUrl::new(url)) {
            finding.label(entry.span, "another spelling of it, which is another repository to Argo CD");
            finding.help(format!("write `{}`, or add the other spelling to the project", entry.value));
            return;
        }
    }
    let declared = &project.declared;
    finding.label(declared.source_repos.key.unwrap_or(declared.span), "no entry of this project matches it");
    finding.help("add the repository to `sourceRepos`, or use another project");
}
