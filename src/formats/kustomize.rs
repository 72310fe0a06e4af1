//! Kustomization files: what a folder is built from and what is changed on the way.
//!
//! Mirrors kustomize 5.8, `api/types/kustomization.go`.

use super::read::Fields;
use crate::text::{Span, Spanned};
use crate::value::{Text, Value};

/// One kustomization file as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kustomization {
    /// Whether it is a Component.
    pub is_component: bool,
    /// Every local or remote path it names, in order of the file.
    pub references: Vec<Reference>,
    /// Patches, in the order kustomize applies them.
    pub patches: Vec<Patch>,
    /// `namespace`.
    pub namespace: Option<Text>,
    /// `namePrefix`.
    pub name_prefix: Option<Text>,
    /// `nameSuffix`.
    pub name_suffix: Option<Text>,
    /// The places of what may change any object in ways not simulated: `replacements`, `vars`, `transformers` …
    pub opaque_changes: Vec<Span>,
}

/// A path that a kustomization names.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The field that names it.
    pub field: Field,
    /// The path as written, relative to the kustomization's folder.
    pub path: Spanned<String>,
}

/// The fields that name paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each is the kustomization field of that name")]
pub enum Field {
    Resources,
    Bases,
    Components,
    Patches,
    Generators,
    Transformers,
    Validators,
    Configurations,
    Crds,
    OpenApi,
    Replacements,
    /// Files of configMapGenerator and secretGenerator, their `key=` cut off.
    GeneratorFiles,
    /// Value files of helmCharts.
    HelmValues,
}

/// One patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Where it is written.
    pub span: Span,
    /// `target`, undecoded.
    pub target: Option<Value>,
    /// The patch text, or the file that holds it.
    pub content: PatchContent,
}

/// Where a patch's text stands.
#[derive(Clone, Debug, PartialEq)]
pub enum PatchContent {
    /// In the kustomization itself.
    Inline(Text),
    /// In a file, relative to the kustomization's folder.
    File(Spanned<String>),
}

impl Kustomization {
    /// Whether kustomize takes a file of this name for a kustomization.
    pub fn is_file_name(name: &str) -> bool {
        matches!(name, "kustomization.yaml" | "kustomization.yml" | "Kustomization")
    }

    /// Whether kustomize accepts this header; both parts may be absent.
    pub fn accepts(api_version: Option<&str>, kind: Option<&str>) -> bool {
        let group = api_version.map(|text| text.rsplit_once('/').map_or("", |(group, _)| group));
        matches!(group, None | Some("kustomize.config.k8s.io"))
            && matches!(kind, None | Some("Kustomization" | "Component"))
    }

    /// Reads a whole kustomization file.
    pub fn read(document: &Value) -> Kustomization {
        let Some(fields) = Fields::of(document) else { return Kustomization::default() };
        let mut found = Kustomization {
            is_component: fields.text("kind").as_ref().and_then(Text::as_str) == Some("Component"),
            namespace: fields.non_empty("namespace"),
            name_prefix: fields.non_empty("namePrefix"),
            name_suffix: fields.non_empty("nameSuffix"),
            ..Kustomization::default()
        };
        found.read_paths(fields);
        for patch in fields.items("patches").iter().chain(fields.items("patchesJson6902")) {
            let Some(patch) = Fields::of(patch) else { continue };
            let content = match (patch.text("path").as_ref().and_then(Text::known), patch.text("patch")) {
                (Some(path), _) => PatchContent::File(Spanned::new(path.value.to_owned(), path.span)),
                (None, Some(text)) => PatchContent::Inline(text),
                _ => continue,
            };
            found.patches.push(Patch { span: patch.span(), target: patch.value("target").cloned(), content });
        }
        for text in fields.texts("patchesStrategicMerge") {
            let Some(known) = text.known() else { continue };
            let content = if known.value.contains('\n') {
                PatchContent::Inline(text.clone())
            } else {
                PatchContent::File(Spanned::new(known.value.to_owned(), known.span))
            };
            found.patches.push(Patch { span: known.span, target: None, content });
        }
        for key in ["replacements", "transformers", "vars", "generators"] {
            if let Some(value) = fields.value(key) {
                found.opaque_changes.push(value.span())
            }
        }
        found
    }

    fn read_paths(&mut self, fields: Fields<'_>) {
        for (key, field) in
            [("resources", Field::Resources), ("bases", Field::Bases), ("components", Field::Components)]
        {
            for text in fields.texts(key) {
                if let Some(path) = text.known() {
                    self.references.push(Reference { field, path: Spanned::new(path.value.to_owned(), path.span) });
                }
            }
        }
    }
}
