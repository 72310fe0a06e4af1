//! ApplicationSets and the Applications that they generate.
//!
//! Sets are expanded in rounds of independent work, each with small bounds; one that needs more is expanded alone. So
//! memory stays bounded however many sets a tree holds, and the result does not depend on how the work is shared out.

use super::app::{App, AppId, Origin};
use super::built::Object;
use super::clusters::Clusters;
use super::expand::{Bounds, Class, EntrySets, Expansion, Failure, Folders, Problem, Settings, Uses, expand_within};
use super::{Fleet, Undecided};
use crate::formats::argo::{Application, ApplicationSet};
use crate::formats::{DocId, Kind, Resource};
use crate::repo::Repo;
use crate::text::limits::GENERATED_VALUES;
use crate::value::{Unknown, Why};
use std::ops::Range;
use std::sync::Arc;

/// Sets expanded in one round.
const ROUND: usize = 256;

/// What a set may yield in a round; with more it is expanded alone.
const SMALL: Bounds = Bounds { sets: 1_000, values: 100_000 };

/// One ApplicationSet, as it reaches the cluster, and what it yields.
#[derive(Debug)]
pub struct Set {
    /// The document that declares it.
    pub document: DocId,
    /// The outermost kustomization that builds it; `None` when it is delivered as written.
    pub through: Option<DocId>,
    /// The places of its apps in [`Fleet::apps`].
    pub apps: Range<usize>,
    /// Why nothing is generated, in the order noticed; the first is what the controller reports.
    pub failures: Vec<Failure>,
    /// What does something else than it seems to say, one of a kind at a place, in the order noticed.
    pub problems: Vec<Problem>,
    /// Whether a template reads a key that some set lacks, even where a default stands in.
    pub reads_absent_keys: bool,
    /// What each entry of `spec.generators` yielded, in order.
    pub entries: Vec<EntrySets>,
    /// What its generators looked for.
    pub uses: Uses,
    /// Whether something that decides what it yields is not known.
    pub is_undecided: bool,
}

impl Set {
    /// That its simulation was given up: it would hold more than is kept.
    fn cut(&self) -> Option<Undecided> {
        let failure = self.failures.iter().find(|failure| failure.class == Class::TooMany)?;
        let why = Why::Runtime(failure.message.clone());
        Some(Undecided { what: "ApplicationSet", unknown: Unknown { why, span: failure.span } })
    }

    /// What it says.
    pub fn resource<'a>(&self, fleet: &'a Fleet, repo: &'a Repo) -> &'a ApplicationSet {
        let object = fleet.built.object(Kind::ApplicationSet, self.document, self.through);
        match object.map(|object| object.resource(repo)) {
            Some(Resource::ApplicationSet(set)) => set,
            _ => unreachable!("a set comes from an object of this fleet"),
        }
    }
}

/// Does independent pieces of work.
pub trait Workers {
    /// What the work makes of each piece, in the order of the pieces.
    fn map<T: Sync, R: Send>(&self, pieces: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R>;
}

/// One piece of work after the other.
#[derive(Clone, Copy, Debug)]
pub struct InOrder;

impl Workers for InOrder {
    fn map<T: Sync, R: Send>(&self, pieces: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        pieces.iter().map(work).collect()
    }
}

/// What expansion looks at.
pub(super) struct World<'a> {
    pub repo: &'a Repo,
    pub clusters: &'a Clusters,
    pub folders: &'a Folders,
    pub settings: &'a Settings,
}

/// What one set yields.
struct Yield {
    expansion: Expansion,
    apps: Vec<App>,
}

/// The sets that these objects are, with their apps, which are numbered from `first` on.
pub(super) fn generate(
    objects: &[&Object],
    first: usize,
    world: &World<'_>,
    workers: &impl Workers,
) -> (Vec<Set>, Vec<App>, Vec<Undecided>) {
    let (mut sets, mut apps, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
    let mut left = GENERATED_VALUES;
    for round in objects.chunks(ROUND) {
        let yields = workers.map(round, |object| world.expand(object, SMALL.within(left)));
        for (object, mut yielded) in round.iter().zip(yields) {
            if yielded.is_cut() {
                yielded = world.expand(object, Bounds::default().within(left));
            }
            let Yield { expansion, apps: new } = yielded;
            left = left.saturating_sub(expansion.held);
            let start = first + apps.len();
            sets.push(Set {
                document: object.document,
                through: object.through,
                apps: start..start + new.len(),
                failures: expansion.failures,
                problems: expansion.problems,
                reads_absent_keys: expansion.reads_absent_keys,
                entries: expansion.entries,
                uses: expansion.uses,
                is_undecided: !expansion.undecided.is_empty(),
            });
            undecided.extend(expansion.undecided);
            undecided.extend(sets.last().and_then(Set::cut));
            let numbered = new.into_iter().enumerate();
            apps.extend(numbered.map(|(index, app)| App { id: AppId((start + index) as u32), ..app }));
        }
    }
    (sets, apps, undecided)
}

impl World<'_> {
    fn expand(&self, object: &Object, bounds: Bounds) -> Yield {
        let Resource::ApplicationSet(set) = object.resource(self.repo) else {
            return Yield { expansion: Expansion::default(), apps: Vec::new() };
        };
        let mut expansion = expand_within(bounds, set, self.repo, self.clusters, self.folders, self.settings);
        let rendered = std::mem::take(&mut expansion.applications);
        let apps = rendered.into_iter().map(|rendered| {
            let Application { metadata, spec } = Application::read(&rendered.application);
            let origin = Origin::Generated {
                set: object.document,
                through: object.through,
                from: rendered.from.into(),
                manifest: Arc::new(rendered.application),
                is_symbolic: rendered.is_symbolic,
            };
            App::new(AppId(0), metadata, spec, origin, self.repo)
        });
        Yield { apps: apps.collect(), expansion }
    }
}

impl Yield {
    fn is_cut(&self) -> bool {
        self.expansion.failures.iter().any(|failure| failure.class == Class::TooMany)
    }
}

impl Bounds {
    fn within(self, values: usize) -> Bounds {
        Bounds { values: self.values.min(values), ..self }
    }
}
