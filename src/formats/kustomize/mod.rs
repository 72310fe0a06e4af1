//! Kustomization files: what a folder is built from and what is changed on the way.
//!
//! Mirrors kustomize 5.8, `api/types`. This folder reads one kustomization file (`read`), tells remote paths from local
//! ones (`remote`), reads YAML that stands inside a text (`inline`) and says what a selector means (`target`). What a
//! build makes of it is the fleet's business.

mod inline;
mod read;
mod remote;
mod target;
#[cfg(test)]
mod tests;

pub use remote::is_remote;
pub use target::{Matched, Target};

use crate::text::{Span, Spanned};
use crate::value::{Text, Value};

/// One kustomization file as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kustomization {
    /// Whether it is a Component.
    pub is_component: bool,
    /// Whether it says nothing beyond its header, which kustomize refuses.
    pub is_empty: bool,
    /// `apiVersion`.
    pub api_version: Option<Text>,
    /// Every path it names, local or remote: by field in the order of [`Field`], and in order within each.
    pub references: Vec<Reference>,
    /// Patches of all three fields, in the order kustomize applies them.
    pub patches: Vec<Patch>,
    /// `namespace`; the empty text is absent, as everywhere here.
    pub namespace: Option<Text>,
    /// `namePrefix`.
    pub name_prefix: Option<Text>,
    /// `nameSuffix`.
    pub name_suffix: Option<Text>,
    /// `labels` and, last, `commonLabels`, in the order kustomize applies them.
    pub labels: Vec<Labels>,
    /// `commonAnnotations`.
    pub annotations: Vec<(Spanned<String>, Text)>,
    /// `configMapGenerator` and `secretGenerator`.
    pub generators: Vec<Generator>,
    /// `images` and, after them, `imageTags`.
    pub images: Vec<Image>,
    /// `replicas`.
    pub replicas: Vec<Replica>,
    /// `replacements` that are written here; those in files are references.
    pub replacements: Vec<Replacement>,
    /// Names of `vars`.
    pub vars: Vec<Text>,
    /// `helmCharts` and `helmChartInflationGenerator`.
    pub charts: Vec<HelmChart>,
    /// `helmGlobals.chartHome`: the folder of local charts, `charts` when absent.
    pub chart_home: Option<Text>,
    /// Plugins that are written here instead of in a file.
    pub plugins: Vec<Plugin>,
    /// `openapi`, in whatever form: the schema it names decides how lists of patches merge.
    pub openapi: Option<Span>,
}

/// A path that a kustomization names.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The field that names it.
    pub field: Field,
    /// The path as written, relative to the kustomization's folder; a generator's `key=` is cut off.
    pub path: Spanned<String>,
}

/// The fields that name paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each is the kustomization field of that name")]
pub enum Field {
    Resources,
    Bases,
    Components,
    Configurations,
    Crds,
    OpenApi,
    /// `files`, `envs` and `env` of `configMapGenerator` and `secretGenerator`.
    GeneratorFiles,
    /// Value files of `helmCharts`.
    HelmValues,
    Generators,
    PatchesStrategicMerge,
    Patches,
    PatchesJson6902,
    Replacements,
    Transformers,
    Validators,
}

impl Field {
    /// The field as a kustomization file spells it.
    pub fn name(self) -> &'static str {
        match self {
            Field::Resources => "resources",
            Field::Bases => "bases",
            Field::Components => "components",
            Field::Configurations => "configurations",
            Field::Crds => "crds",
            Field::OpenApi => "openapi",
            Field::GeneratorFiles => "configMapGenerator",
            Field::HelmValues => "helmCharts",
            Field::Generators => "generators",
            Field::PatchesStrategicMerge => "patchesStrategicMerge",
            Field::Patches => "patches",
            Field::PatchesJson6902 => "patchesJson6902",
            Field::Replacements => "replacements",
            Field::Transformers => "transformers",
            Field::Validators => "validators",
        }
    }

    /// Whether its files hold patches: fragments of objects, or lists of operations, but no objects.
    pub fn is_patch(self) -> bool {
        matches!(self, Field::PatchesStrategicMerge | Field::Patches | Field::PatchesJson6902)
    }

    /// Whether its entries may be folders with a kustomization of their own.
    pub fn takes_folders(self) -> bool {
        matches!(
            self,
            Field::Resources
                | Field::Bases
                | Field::Components
                | Field::Generators
                | Field::Transformers
                | Field::Validators
        )
    }
}

impl Reference {
    /// Whether the path is fetched from elsewhere.
    pub fn is_remote(&self) -> bool {
        is_remote(self.path.as_str())
    }
}

/// One patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Where it is written.
    pub span: Span,
    /// The field it is an entry of: one of the three that hold patches.
    pub field: Field,
    /// `target`.
    pub target: Option<Target>,
    /// The patch text, or the file that holds it; `None` when the entry has neither, or both.
    pub content: Option<PatchContent>,
    /// `options.allowNameChange`.
    pub allows_name_change: bool,
    /// `options.allowKindChange`.
    pub allows_kind_change: bool,
}

/// Where a patch's text stands.
#[derive(Clone, Debug, PartialEq)]
pub enum PatchContent {
    /// In the kustomization itself: its documents, or nothing when the text is no YAML or not known.
    Inline(Option<Vec<Value>>),
    /// In a file, relative to the kustomization's folder.
    File(Spanned<String>),
}

/// Labels to add.
#[derive(Clone, Debug, PartialEq)]
pub struct Labels {
    /// Names and values, in order.
    pub pairs: Vec<(Spanned<String>, Text)>,
    /// Whether selectors change too (`includeSelectors`, and always for `commonLabels`).
    pub in_selectors: bool,
    /// Whether pod templates change too; where selectors do, they always do.
    pub in_templates: bool,
    /// `fields`: more places that take the labels.
    pub fields: Vec<FieldSpec>,
}

/// A place in objects of some kinds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSpec {
    /// `group`; any when absent.
    pub group: Option<String>,
    /// `version`; any when absent.
    pub version: Option<String>,
    /// `kind`; any when absent.
    pub kind: Option<String>,
    /// `path`, its steps between `/`.
    pub path: String,
    /// Whether the place is created where it is missing.
    pub creates: bool,
}

/// A ConfigMap or Secret that is generated.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// The whole entry.
    pub span: Span,
    /// Whether it makes a Secret.
    pub is_secret: bool,
    /// `name`.
    pub name: Option<Text>,
    /// `namespace`.
    pub namespace: Option<Text>,
    /// `behavior`.
    pub behavior: Behavior,
    /// `literals`, in order: `key=value`.
    pub literals: Vec<Text>,
}

/// What a generator does about an object that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Behavior {
    /// It fails; also what a misspelt word means.
    #[default]
    Create,
    /// It adds to it; fails without one.
    Merge,
    /// It takes its place; fails without one.
    Replace,
}

/// One entry of `images`.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// The whole entry.
    pub span: Span,
    /// `name`, a regular expression.
    pub name: Option<Text>,
    /// `newName`.
    pub new_name: Option<Text>,
    /// `newTag`.
    pub new_tag: Option<Text>,
    /// `tagSuffix`.
    pub tag_suffix: Option<Text>,
    /// `digest`.
    pub digest: Option<Text>,
}

/// One entry of `replicas`.
#[derive(Clone, Debug, PartialEq)]
pub struct Replica {
    /// The whole entry.
    pub span: Span,
    /// `name`.
    pub name: Option<Text>,
    /// `count`.
    pub count: Option<Spanned<i64>>,
}

/// One replacement: a value that is copied into fields of other objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// The whole entry.
    pub span: Span,
    /// `source`: where the value is copied from.
    pub source: Option<ReplacementSource>,
    /// `sourceValue`: the value itself.
    pub value: Option<Text>,
    /// `targets`, in order.
    pub targets: Vec<ReplacementTarget>,
}

/// Where a replacement copies from.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplacementSource {
    /// Which object: by equality, not by regular expressions.
    pub object: Target,
    /// `fieldPath`, steps between dots; `metadata.name` when absent.
    pub field: Option<Text>,
    /// Whether only a part of the text is copied.
    pub splits: bool,
}

/// Fields that take a replacement.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplacementTarget {
    /// `select`.
    pub select: Target,
    /// `reject`, in order.
    pub reject: Vec<Target>,
    /// `fieldPaths`, steps between dots; `metadata.name` when there are none.
    pub fields: Vec<Text>,
    /// Whether missing fields are created.
    pub creates: bool,
    /// Whether only a part of a field's text is replaced.
    pub splits: bool,
}

/// A chart that kustomize inflates.
#[derive(Clone, Debug, PartialEq)]
pub struct HelmChart {
    /// The whole entry.
    pub span: Span,
    /// `name`.
    pub name: Option<Text>,
    /// `version`.
    pub version: Option<Text>,
    /// `repo`.
    pub repo: Option<Text>,
}

/// A generator, transformer or validator that is written in the kustomization.
#[derive(Clone, Debug, PartialEq)]
pub struct Plugin {
    /// The field it is an entry of.
    pub field: Field,
    /// Its documents.
    pub documents: Vec<Value>,
}

impl Kustomization {
    /// The names of its file; a folder may hold one of them.
    pub const FILE_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

    /// Whether kustomize takes a file of this name for a kustomization.
    pub fn is_file_name(name: &str) -> bool {
        Kustomization::FILE_NAMES.contains(&name)
    }

    /// Whether kustomize accepts this header; both parts may be absent.
    ///
    /// Looser than kustomize about versions: a Component of the wrong version is still meant as one, and what is wrong
    /// with it is for a rule to say.
    pub fn accepts(api_version: Option<&str>, kind: Option<&str>) -> bool {
        let group = api_version.map(|text| text.rsplit_once('/').map_or("", |(group, _)| group));
        matches!(group, None | Some("kustomize.config.k8s.io"))
            && matches!(kind, None | Some("Kustomization" | "Component"))
    }

    /// Whether its version is the one its kind needs; none is fine.
    pub fn has_right_version(&self) -> bool {
        let needed =
            if self.is_component { "kustomize.config.k8s.io/v1alpha1" } else { "kustomize.config.k8s.io/v1beta1" };
        self.api_version.as_ref().is_none_or(|version| version.as_str() == Some(needed))
    }

    /// The paths that one field names, in order.
    pub fn paths(&self, field: Field) -> impl Iterator<Item = &Reference> {
        self.references.iter().filter(move |reference| reference.field == field)
    }
}
