//! ApplicationSet simulation: the Applications that the controller would create.
//!
//! Generators yield parameter sets ([`params`]); every set fills the template (`render`, [`template`]). What the
//! controller would fail with is a [`Failure`]; what cannot be known offline stays unknown, in a set that may then be
//! symbolic: it stands for any number of sets. Nothing is judged here, and nothing is guessed.
//!
//! Mirrors Argo CD 3.6, `applicationset/controllers/template` and `applicationset/generators`. An error in any generator
//! or in the rendering of any set is remembered, and nothing of the ApplicationSet is created.

mod clusters;
pub mod convert;
mod failure;
mod fault;
pub mod git;
pub mod interpolate;
mod kept;
mod list;
pub mod matching;
pub mod matrix;
pub mod merge;
pub mod params;
mod problem;
mod remote;
mod render;
pub mod select;
mod stars;
mod syntax;
pub mod template;
mod undefined;
pub mod uses;
pub mod values;
mod variant;

pub use failure::{Class, Failure};
pub use fault::Fault;
pub use matching::{Matcher, Matching};
pub use params::{Mode, Params, Provenance, Values};
pub use problem::{Problem, ProblemKind};
pub use uses::{ClustersUse, GitUse, ItemUse, Uses};

use super::Undecided;
use super::clusters::Clusters;
use crate::formats::argo::ApplicationSet;
use crate::formats::argo::generator::{Generator, GeneratorKind};
use crate::repo::{EntryKind, Repo};
use crate::text::limits::{PARAMETER_SETS, PARAMETER_VALUES};
use crate::text::{RepoPath, RootId, Span};
use crate::value::{Text, Unknown, Value, Why};
use render::{Engine, Filler};
use std::collections::{BTreeMap, BTreeSet};
use variant::{Oddities, Sort, Variant};

/// How the controller is set up, as far as it matters to generators.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Files patterns are doublestar globs, not git pathspecs.
    pub new_git_file_globbing: bool,
    /// Folders whose name starts with a dot are enumerated.
    pub include_hidden_directories: bool,
    /// Parameter sets for generators that need a network, by name of the ApplicationSet.
    pub fixtures: BTreeMap<String, Vec<Value>>,
}

/// What one ApplicationSet yields.
#[derive(Debug, Default)]
pub struct Expansion {
    /// The Applications, as values that [`crate::formats::argo::Application::read`] reads, in order of generation.
    pub applications: Vec<Rendered>,
    /// Why nothing is generated, in the order noticed; the first is what the controller reports.
    pub failures: Vec<Failure>,
    /// What does something else than it seems to say, one of a kind at a place, in the order noticed.
    pub problems: Vec<Problem>,
    /// Whether a template reads a key that some set lacks, even where a default stands in.
    pub reads_absent_keys: bool,
    /// What could not be decided.
    pub undecided: Vec<Undecided>,
    /// What each entry of `spec.generators` yielded, in order.
    pub entries: Vec<EntrySets>,
    /// What its generators looked for.
    pub uses: Uses,
    /// About how many values the Applications hold.
    pub held: usize,
}

/// One Application that a set of parameters yields.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The whole Application.
    pub application: Value,
    /// What its parameters were made from, outermost generator first.
    pub from: Vec<Provenance>,
    /// Whether it stands for any number of Applications, also none.
    pub is_symbolic: bool,
}

/// How much one expansion may yield.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Parameter sets.
    pub sets: usize,
    /// Values in all parameter sets, and in all Applications.
    pub values: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { sets: PARAMETER_SETS, values: PARAMETER_VALUES }
    }
}

/// What one entry of `spec.generators` yielded.
#[derive(Clone, Debug)]
pub struct EntrySets {
    /// The entry.
    pub span: Span,
    /// Number of sets that the selector kept.
    pub sets: usize,
    /// Whether some set stands for any number of sets.
    pub is_symbolic: bool,
}

/// The state of one expansion.
pub struct Expander<'a> {
    repo: &'a Repo,
    clusters: &'a Clusters,
    settings: &'a Settings,
    mode: Mode,
    engine: Engine,
    set_name: Option<&'a str>,
    undecided: Vec<Undecided>,
    /// How this run differs from what is written.
    variant: Option<Variant>,
    oddities: Oddities,
    /// Failures beside the one that a generator reports, of the same cause.
    further: Vec<Failure>,
    problems: Vec<Problem>,
    reads_absent_keys: bool,
    /// Top-level parameters that some of the sets that are rendered have, and some lack.
    uneven: BTreeSet<String>,
    /// Texts that may hold placeholders of another tool.
    foreign: Vec<Span>,
    uses: Uses,
    bounds: Bounds,
    /// Values that `values` added to sets so far.
    appended: usize,
    /// Folders by root, as the git generator enumerates them; most sets look at one root only.
    folders: &'a Folders,
}

/// The folders of every root.
#[derive(Debug, Default)]
pub struct Folders {
    by_root: BTreeMap<RootId, Vec<RepoPath>>,
    /// Folders of which it is not known what lies in them.
    closed: BTreeMap<RootId, Vec<RepoPath>>,
}

impl Folders {
    /// These folders of one root, in the order given.
    pub fn of(root: RootId, folders: Vec<RepoPath>) -> Folders {
        Folders { by_root: BTreeMap::from([(root, folders)]), closed: BTreeMap::new() }
    }

    /// The folders of every root of a snapshot.
    pub fn new(repo: &Repo, settings: &Settings) -> Folders {
        let roots = (0..repo.roots().len()).map(|index| RootId(index as u16));
        let mut closed: BTreeMap<RootId, Vec<RepoPath>> = BTreeMap::new();
        let entries = roots.clone().flat_map(|root| repo.below(root, &RepoPath::root()));
        for entry in entries.filter(|entry| entry.kind == EntryKind::Submodule) {
            closed.entry(entry.root).or_default().push(entry.path.clone());
        }
        Folders {
            by_root: roots
                .map(|root| (root, git::enumerate(repo, root, settings.include_hidden_directories)))
                .collect(),
            closed,
        }
    }

    /// Those of one root, in the order of the walk.
    pub fn in_root(&self, root: RootId) -> &[RepoPath] {
        self.by_root.get(&root).map_or(&[], Vec::as_slice)
    }

    /// Whether a pattern that begins with this text may match in a folder of which nothing is known.
    fn may_hide(&self, root: RootId, prefix: &str) -> bool {
        let is_on_the_way = |folder: &RepoPath| {
            let inside = format!("{folder}/");
            inside.starts_with(prefix) || prefix.starts_with(&inside)
        };
        self.closed.get(&root).is_some_and(|closed| closed.iter().any(is_on_the_way))
    }
}

/// Simulates one ApplicationSet.
pub fn expand(
    set: &ApplicationSet,
    repo: &Repo,
    clusters: &Clusters,
    folders: &Folders,
    settings: &Settings,
) -> Expansion {
    expand_within(Bounds::default(), set, repo, clusters, folders, settings)
}

/// The same, with other bounds.
pub fn expand_within(
    bounds: Bounds,
    set: &ApplicationSet,
    repo: &Repo,
    clusters: &Clusters,
    folders: &Folders,
    settings: &Settings,
) -> Expansion {
    let mode = if set.go_template.as_ref().is_some_and(|go| go.value) { Mode::Go } else { Mode::Placeholder };
    let run = |variant: Option<Variant>| {
        let mut cx = Expander::new(mode, &set.go_template_options, repo, clusters, folders, settings)?;
        cx.bounds = bounds;
        cx.variant = variant;
        Ok(expand_once(set, cx))
    };
    let (mut expansion, oddities) = match run(None) {
        Ok(whole) => whole,
        Err(failure) => return Expansion { failures: vec![failure], ..Expansion::default() },
    };
    let again = |variant: Variant| {
        let is_called_for = expansion.failures.is_empty() && oddities.call_for(variant);
        is_called_for.then(|| run(Some(variant))).and_then(Result::ok).map(|(other, _)| other)
    };
    let mut problems = Vec::new();
    for sort in [Sort::Number, Sort::Boolean] {
        if let Some(quoted) = again(Variant::Quoted(sort)) {
            let (as_is, quoted) = (&expansion.applications, &quoted.applications);
            problems.extend(variant::mangled_texts(sort, &oddities, as_is, quoted));
        }
    }
    if let Some(other) = again(Variant::InnerWins)
        && !variant::yield_the_same(&expansion.applications, &other.applications)
    {
        problems.extend(oddities.collisions);
    }
    expansion.problems.extend(problems);
    expansion
}

/// One run, and what it met that another one may tell apart.
fn expand_once<'a>(set: &'a ApplicationSet, mut cx: Expander<'a>) -> (Expansion, Oddities) {
    let mut expansion = Expansion::default();
    cx.set_name = set.metadata.name.as_ref().and_then(|name| name.as_str());
    cx.foreign = template::foreign(set);
    syntax::check(set, &mut cx);
    for entry in &set.generators {
        let generator = Generator::read(entry);
        let mut counted = EntrySets { span: generator.span, sets: 0, is_symbolic: false };
        for kind in &generator.kinds {
            let template = template::merged(set.template.as_ref(), kind.template());
            let mark = cx.uses.mark();
            match cx.run(kind, 0).and_then(|sets| select::keep(sets, generator.selector.as_ref())) {
                Err(failure) => {
                    // Only a matrix runs a generator again and again.
                    if matches!(kind, GeneratorKind::Matrix(_) | GeneratorKind::Merge(_)) {
                        cx.uses.interrupted_since(mark);
                    }
                    expansion.failures.push(failure);
                    expansion.failures.append(&mut cx.further);
                }
                Ok(sets) => {
                    counted.sets += sets.len();
                    counted.is_symbolic |= sets.iter().any(|set| set.is_symbolic);
                    render_all(set, template.as_ref(), sets, &mut cx, &mut expansion);
                }
            }
        }
        expansion.entries.push(counted);
    }
    if !expansion.failures.is_empty() {
        expansion.applications.clear();
    }
    if let Some(span) = syntax::of_another_tool(set) {
        expansion.failures.clear();
        cx.problems.clear();
        cx.undecided("ApplicationSet", Unknown { why: Why::Template, span });
    }
    expansion.problems = cx.problems;
    expansion.reads_absent_keys = cx.reads_absent_keys;
    expansion.undecided = cx.undecided;
    expansion.uses = cx.uses.finish();
    (expansion, cx.oddities)
}

fn render_all(
    set: &ApplicationSet,
    template: Option<&Value>,
    sets: Vec<Params>,
    cx: &mut Expander<'_>,
    expansion: &mut Expansion,
) {
    let Some(template) = template else { return };
    cx.uneven = undefined::uneven(&sets);
    for params in sets {
        let application = match template::render(set, template, &params, cx) {
            Ok(application) => application,
            // One failure freezes the whole set; the rest would only repeat it.
            Err(failure) => return expansion.failures.push(failure),
        };
        expansion.held += application.weight();
        let Params { from, is_symbolic, .. } = params;
        expansion.applications.push(Rendered { application, from, is_symbolic });
        if let Err(failure) = cx.bound(set.span, expansion.applications.len(), expansion.held) {
            return expansion.failures.push(failure);
        }
    }
}

impl<'a> Expander<'a> {
    /// The state before the first generator runs. `options` are the ApplicationSet's `goTemplateOptions`.
    ///
    /// # Errors
    /// When an option is not legal: the controller panics on it.
    pub fn new(
        mode: Mode,
        options: &[Text],
        repo: &'a Repo,
        clusters: &'a Clusters,
        folders: &'a Folders,
        settings: &'a Settings,
    ) -> Result<Expander<'a>, Failure> {
        let engine = Engine::new(mode, options)?;
        Ok(Expander {
            repo,
            clusters,
            settings,
            mode,
            engine,
            set_name: None,
            undecided: Vec::new(),
            variant: None,
            oddities: Oddities::default(),
            further: Vec::new(),
            problems: Vec::new(),
            reads_absent_keys: false,
            uneven: BTreeSet::new(),
            foreign: Vec::new(),
            uses: Uses::default(),
            bounds: Bounds::default(),
            appended: 0,
            folders,
        })
    }

    /// The sets of one entry of `spec.generators`: of every kind that it sets, those that its selector keeps.
    ///
    /// # Errors
    /// The first failure.
    pub fn entry(&mut self, entry: &Value) -> Result<Vec<Params>, Failure> {
        let generator = Generator::read(entry);
        let mut sets = Vec::new();
        for kind in &generator.kinds {
            sets.extend(select::keep(self.run(kind, 0)?, generator.selector.as_ref())?);
        }
        Ok(sets)
    }

    /// The value with every text in it filled from a set, keys included; as it is when the set has no parameter at all.
    ///
    /// # Errors
    /// What the template engine fails with.
    pub fn fill(&mut self, value: &Value, params: &Params) -> Result<Value, Failure> {
        let filler = Filler::new(params, self);
        if filler.is_empty() { Ok(value.clone()) } else { filler.value(value, self) }
    }

    /// One text, filled from a set in any case.
    ///
    /// # Errors
    /// What the template engine fails with.
    pub fn replace(&mut self, text: &Text, params: &Params) -> Result<Text, Failure> {
        Filler::new(params, self).text(text, self)
    }

    /// The sets of one generator; `depth` counts the combinations around it.
    fn run(&mut self, kind: &GeneratorKind, depth: usize) -> Result<Vec<Params>, Failure> {
        match kind {
            GeneratorKind::List(list) => list::generate(list, self),
            GeneratorKind::Clusters(clusters) => clusters::generate(clusters, self),
            GeneratorKind::Git(git) => git::generate(git, self),
            GeneratorKind::Matrix(matrix) => matrix::generate(matrix, depth + 1, self),
            GeneratorKind::Merge(merge) => merge::generate(merge, depth + 1, self),
            GeneratorKind::Remote(remote) => remote::generate(remote, self),
        }
    }

    /// The sets of a child of a combination, which must set exactly one kind. Combinations nest once: a deeper one is
    /// dropped when the controller decodes it, so its entry has no kind.
    fn child(&mut self, entry: &Value, depth: usize) -> Result<Vec<Params>, Failure> {
        let mut generator = Generator::read(entry);
        if depth >= 2 {
            generator.kinds.retain(|kind| !matches!(kind, GeneratorKind::Matrix(_) | GeneratorKind::Merge(_)));
        }
        match generator.kinds.as_slice() {
            [kind] => {
                let sets = self.run(kind, depth)?;
                select::keep(sets, generator.selector.as_ref())
            }
            [] => Err(Failure::new(Class::ChildWithoutKind, generator.span, "this entry has no generator")
                .help("name one of `list`, `clusters`, `git` …; matrix and merge nest only once")),
            _ => Err(Failure::new(
                Class::ChildHasSeveralKinds,
                generator.span,
                "this entry has several generators; inside a matrix or merge one is allowed",
            )
            .help("write one list item for each generator")),
        }
    }

    /// Refuses to go on when there are too many sets or Applications, or too much in them.
    fn bound(&self, span: Span, count: usize, values: usize) -> Result<(), Failure> {
        let Bounds { sets: most, values: most_values } = self.bounds;
        let message = if count > most {
            format!("more than {most} parameter sets; plimsoll stops here")
        } else if values > most_values {
            // What is left of the bound may be small, when other sets took most of it.
            "too much in the parameter sets, or in those of all ApplicationSets; plimsoll stops here".to_owned()
        } else {
            return Ok(());
        };
        Err(Failure::new(Class::TooMany, span, message).help("split the ApplicationSet, or narrow its generators"))
    }

    /// What Go makes of a text, when it refuses it.
    fn parse(&mut self, text: &str) -> Result<(), crate::lang::template::Error> {
        self.engine.template(text).map(drop)
    }

    fn folders(&self, root: RootId) -> &'a [RepoPath] {
        self.folders.in_root(root)
    }

    /// The place of decoded bytes `start..end` of the scalar written at `span`.
    fn place(&self, span: Span, start: usize, end: usize) -> Span {
        self.repo.file(span.file).map_or(span, |file| file.tree.place_in_scalar(span, start..end))
    }

    /// Whether what stands here may be meant for another tool.
    fn is_foreign(&self, place: Span) -> bool {
        self.foreign.iter().any(|span| span.contains(place))
    }

    /// Whether nothing of this kind was noticed here yet.
    fn is_new(&self, kind: ProblemKind, place: Span) -> bool {
        !self.problems.iter().any(|known| known.kind == kind && known.span == place)
    }

    /// Keeps a problem, if it is the first of its kind at its place.
    fn note(&mut self, problem: Problem) {
        if self.is_new(problem.kind, problem.span) {
            self.problems.push(problem);
        }
    }

    fn undecided(&mut self, what: &'static str, unknown: Unknown) {
        self.undecided.push(Undecided { what, unknown });
    }
}
