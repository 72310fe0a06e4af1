//! What the controllers refuse in Applications before they look at a repository.
//!
//! Mirrors Argo CD 3.6: `util/argo`, `ValidatePermissions`, for one Application; `applicationset/controllers`,
//! `validateGeneratedApplications`, for those of one ApplicationSet. All is known here; rules ask what is not always
//! known one by one.

use super::destination::{self, Cluster, DestinationProblem};
use super::projects::permits::{Destinations, Sources, Target};
use crate::formats::argo::AppProject;
use crate::formats::argo::application::{Hydrator, Source, Spec};
use crate::value::Text;
use std::collections::{BTreeMap, BTreeSet};

/// Why an Application is not compared and not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// A source lacks its repository, or says neither path nor chart nor ref.
    IncompleteSource,
    /// A chart has no version.
    ChartWithoutRevision,
    /// The hydrator lacks its repository or a branch.
    IncompleteHydrator,
    /// The project does not permit a repository.
    SourceNotPermitted,
    /// The destination means no cluster.
    Destination(DestinationProblem),
    /// The project does not permit the destination.
    DestinationNotPermitted,
}

/// What the controller finds wrong with an Application of a project, in its order.
pub fn conditions(spec: &Spec, project: &AppProject, clusters: &[Cluster<'_>]) -> Vec<Condition> {
    let mut found = Vec::new();
    if !sources(spec, project, &mut found) {
        return found;
    }
    let wanted = spec.destination.as_ref();
    let (name, server) =
        (wanted.and_then(|wanted| wanted.name.as_ref()), wanted.and_then(|wanted| wanted.server.as_ref()));
    match destination::resolve(text(name), text(server), clusters) {
        Err(problem) => found.push(Condition::Destination(problem)),
        Ok(cluster) => {
            let namespace = text(wanted.and_then(|wanted| wanted.namespace.as_ref()));
            let target = Target { name: Some(cluster.name), server: Some(cluster.server), namespace: Some(namespace) };
            if Destinations::new(&project.destinations).permit(target) == Some(false) {
                found.push(Condition::DestinationNotPermitted);
            }
        }
    }
    found
}

/// Checks the sources; whether all were complete, so that the check goes on.
fn sources(spec: &Spec, project: &AppProject, found: &mut Vec<Condition>) -> bool {
    let permitted = Sources::new(&project.source_repos);
    let is_refused = |url: Option<&Text>| permitted.permit(text(url)) == Some(false);
    if let Some(hydrator) = &spec.hydrator {
        let missing = missing_of(hydrator);
        found.extend(std::iter::repeat_n(Condition::IncompleteHydrator, missing));
        if missing > 0 {
            return false;
        }
        let dry = hydrator.dry.as_ref().and_then(|dry| dry.repo_url.as_ref());
        let urls =
            std::iter::once(dry).chain(hydrator.sync_url.as_ref().filter(|url| text(Some(url)) != text(dry)).map(Some));
        found.extend(urls.filter(|url| is_refused(*url)).map(|_| Condition::SourceNotPermitted));
        return true;
    }
    let nothing = [Source::default()];
    let sources = spec.effective_sources();
    for source in if sources.is_empty() { &nothing } else { sources } {
        let may_be_ref = spec.has_multiple_sources() && source.reference.is_some();
        if source.repo_url.is_none() || (source.path.is_none() && source.chart.is_none() && !may_be_ref) {
            found.push(Condition::IncompleteSource);
            return false;
        }
        if source.chart.is_some() && source.revision.is_none() {
            found.push(Condition::ChartWithoutRevision);
            return false;
        }
        if is_refused(source.repo_url.as_ref()) {
            found.push(Condition::SourceNotPermitted);
        }
    }
    true
}

fn missing_of(hydrator: &Hydrator) -> usize {
    let has_url = hydrator.dry.as_ref().is_some_and(|dry| dry.repo_url.is_some());
    let has_target = hydrator.hydrate_to.as_ref().is_none_or(Option::is_some);
    [has_url, hydrator.sync_branch.is_some(), has_target].into_iter().filter(|is_there| !is_there).count()
}

fn text(text: Option<&Text>) -> &str {
    text.and_then(Text::as_str).unwrap_or_default()
}

/// A generated Application, as far as it is checked. An empty text is an absent field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Generated<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its project; unlike that of a declared one, an empty project is not `default`.
    pub project: &'a str,
    /// The name of its cluster.
    pub cluster: &'a str,
    /// The server of its cluster.
    pub server: &'a str,
}

/// Why an ApplicationSet does not apply an Application that it generates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It has no name.
    NoName,
    /// Another one of the set has its name.
    DuplicateName,
    /// Its project does not exist.
    UnknownProject,
    /// Its destination means no cluster.
    Destination(DestinationProblem),
}

/// What the controller refuses of the Applications of one ApplicationSet, by their names: two of one name are refused
/// both.
pub fn generated<'a>(
    applications: &[Generated<'a>],
    projects: &[&str],
    clusters: &[Cluster<'_>],
) -> BTreeMap<&'a str, Refusal> {
    let mut names = BTreeSet::new();
    let mut refused = BTreeMap::new();
    for application in applications {
        let refusal = if application.name.is_empty() {
            Some(Refusal::NoName)
        } else if !names.insert(application.name) {
            Some(Refusal::DuplicateName)
        } else if !projects.contains(&application.project) {
            Some(Refusal::UnknownProject)
        } else {
            destination::resolve(application.cluster, application.server, clusters).err().map(Refusal::Destination)
        };
        refused.extend(refusal.map(|refusal| (application.name, refusal)));
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::*;

    const APP: Generated<'_> = Generated { name: "a", project: "p", cluster: "in-cluster", server: "" };

    #[test]
    fn the_last_refusal_of_a_name_counts() {
        let unknown = Generated { project: "q", ..APP };
        assert_eq!(generated(&[APP], &["p"], &[]), BTreeMap::new());
        assert_eq!(generated(&[unknown], &["p"], &[]), BTreeMap::from([("a", Refusal::UnknownProject)]));
        assert_eq!(generated(&[unknown, APP], &["p"], &[]), BTreeMap::from([("a", Refusal::DuplicateName)]));
    }

    #[test]
    fn an_incomplete_source_ends_the_check() {
        let spec = Spec { source: Some(Source::default()), ..Spec::default() };
        assert_eq!(conditions(&spec, &AppProject::default(), &[]), [Condition::IncompleteSource]);
    }
}
