//! Application: where manifests come from, where they go, how they are synced.
//!
//! Mirrors Argo CD 3.6, `pkg/apis/application/v1alpha1/types.go`. The same decoder reads an ApplicationSet's template
//! and what is rendered from it.

use super::Metadata;
use super::difference::Ignored;
use crate::formats::read::Fields;
use crate::text::{Span, Spanned};
use crate::value::{Text, Value};

/// One Application as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Application {
    /// `metadata`.
    pub metadata: Metadata,
    /// `spec`; absent fields when it is missing or no map.
    pub spec: Spec,
}

/// `spec` of an Application.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// The whole map; empty when there is none.
    pub span: Span,
    /// `project`; the empty text counts as present, as it does for the API server.
    pub project: Option<Text>,
    /// `source`, with its key's place.
    pub source: Option<Source>,
    /// `sources`, in order; empty when absent.
    pub sources: Vec<Source>,
    /// The place of the key `sources`.
    pub sources_key: Option<Span>,
    /// `sourceHydrator`.
    pub hydrator: Option<Hydrator>,
    /// `destination`.
    pub destination: Option<Destination>,
    /// `syncPolicy`; everything off when absent.
    pub sync: SyncPolicy,
    /// `ignoreDifferences`, in order.
    pub ignored: Vec<Ignored>,
    /// Whether `ignoreDifferences`, or an entry of it, is not known.
    pub has_unknown_ignored: bool,
}

/// One source: a folder of a repository, a chart, or files other sources refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// The whole map.
    pub span: Span,
    /// The place of the key `source`, or of the list item.
    pub key: Span,
    /// `repoURL`.
    pub repo_url: Option<Text>,
    /// `path`; the empty text is absent.
    pub path: Option<Text>,
    /// `chart`; the empty text is absent.
    pub chart: Option<Text>,
    /// `targetRevision`; the empty text is absent.
    pub revision: Option<Text>,
    /// `ref`; the empty text is absent.
    pub reference: Option<Text>,
    /// `tagPrefix`.
    pub tag_prefix: Option<Text>,
    /// `helm`.
    pub helm: Option<Helm>,
    /// `kustomize`.
    pub kustomize: Option<Kustomize>,
    /// `directory`.
    pub directory: Option<Directory>,
    /// The place of `plugin`, a config management plugin: what it does is not known.
    pub plugin: Option<Span>,
}

/// `helm` of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Helm {
    /// The whole map.
    pub span: Span,
    /// Whether every field is absent or zero: Argo CD drops such a block before it decides the type.
    pub is_zero: bool,
    /// `valueFiles`, in order.
    pub value_files: Vec<Text>,
    /// `fileParameters[].path`, in order.
    pub file_parameters: Vec<Text>,
    /// `ignoreMissingValueFiles`.
    pub ignore_missing: Option<Spanned<bool>>,
    /// `releaseName`.
    pub release_name: Option<Text>,
    /// Whether `skipCrds` may be on.
    pub skips_crds: bool,
}

/// `kustomize` of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kustomize {
    /// The whole map.
    pub span: Span,
    /// Whether every field is absent or zero.
    pub is_zero: bool,
    /// `components`, paths relative to the source path.
    pub components: Vec<Text>,
    /// `ignoreMissingComponents`.
    pub ignore_missing: Option<Spanned<bool>>,
    /// Whether `patches` or `components` may remove objects from what the folder builds, or add some.
    pub may_reshape: bool,
    /// Whether `namePrefix`, `nameSuffix` or `namespace` may rename what the folder builds.
    pub may_rename: bool,
}

/// Fields of `kustomize` that may add and remove objects.
pub const RESHAPING: [&str; 2] = ["patches", "components"];
/// Fields of `kustomize` that may rename objects.
pub const RENAMING: [&str; 3] = ["namePrefix", "nameSuffix", "namespace"];

/// `directory` of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Directory {
    /// The whole map.
    pub span: Span,
    /// Whether every field is absent or zero.
    pub is_zero: bool,
    /// `recurse`.
    pub recurse: bool,
    /// `include`, a glob.
    pub include: Option<Text>,
    /// `exclude`, a glob.
    pub exclude: Option<Text>,
    /// Whether `jsonnet` is set.
    pub has_jsonnet: bool,
}

/// `sourceHydrator`: the dry source, and the branch and folder it is rendered to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hydrator {
    /// The whole map.
    pub span: Span,
    /// `drySource`, as a source without chart and ref.
    pub dry: Option<Source>,
    /// `syncSource.repoURL`; the dry source's when absent.
    pub sync_url: Option<Text>,
    /// `syncSource.targetBranch`.
    pub sync_branch: Option<Text>,
    /// `hydrateTo`, when it is there: its `targetBranch`.
    pub hydrate_to: Option<Option<Text>>,
}

/// `destination`: the cluster by name or by server, and the default namespace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Destination {
    /// The whole map.
    pub span: Span,
    /// The place of the key.
    pub key: Span,
    /// `name`; the empty text is absent.
    pub name: Option<Text>,
    /// `server`; the empty text is absent.
    pub server: Option<Text>,
    /// `namespace`; the empty text is absent.
    pub namespace: Option<Text>,
}

/// `syncPolicy`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyncPolicy {
    /// The whole map, when there is one.
    pub span: Option<Span>,
    /// `automated`.
    pub automated: Option<Automated>,
    /// `syncOptions`, in order.
    pub options: Vec<Text>,
    /// `retry`, undecoded.
    pub retry: Option<Value>,
    /// Whether the whole of it, or one of its lists, is not known.
    pub is_unknown: bool,
}

/// `syncPolicy.automated`: on unless `enabled` says false.
#[derive(Clone, Debug, PartialEq)]
pub struct Automated {
    /// The whole map.
    pub span: Span,
    /// The place of the key.
    pub key: Span,
    /// `enabled`.
    pub enabled: Option<Spanned<bool>>,
    /// `prune`.
    pub prune: Option<Spanned<bool>>,
    /// `selfHeal`.
    pub self_heal: Option<Spanned<bool>>,
    /// `allowEmpty`.
    pub allow_empty: Option<Spanned<bool>>,
    /// Whether one of these flags has a value that is not known.
    pub has_unknown_flags: bool,
    /// Whether `enabled` has a value that is not known.
    pub is_unknown: bool,
}

impl Automated {
    /// Whether automated sync is certainly on. Mirrors Argo CD 3.6, `IsAutomatedSyncEnabled`.
    pub fn is_on(&self) -> bool {
        !self.is_unknown && self.enabled.as_ref().is_none_or(|enabled| enabled.value)
    }
}

impl Application {
    /// Reads a whole document.
    pub fn read(document: &Value) -> Application {
        let Some(fields) = Fields::of(document) else { return Application::default() };
        Application { metadata: Metadata::read(fields), spec: Spec::read(fields) }
    }
}

impl Spec {
    /// Reads `spec` of a document or of a template.
    pub fn read(document: Fields<'_>) -> Spec {
        let Some(fields) = document.fields("spec") else { return Spec::default() };
        let key = |name| fields.key(name).unwrap_or_else(|| fields.span());
        Spec {
            span: fields.span(),
            project: fields.text("project"),
            source: fields.value("source").and_then(|value| Source::read(value, key("source"))),
            sources: fields.items("sources").iter().filter_map(|item| Source::read(item, item.span())).collect(),
            sources_key: fields.value("sources").and(fields.key("sources")),
            hydrator: fields.fields("sourceHydrator").map(|hydrator| Hydrator {
                span: hydrator.span(),
                dry: hydrator.value("drySource").and_then(|dry| Source::read(dry, hydrator.span())),
                sync_url: hydrator.fields("syncSource").and_then(|sync| sync.non_empty("repoURL")),
                sync_branch: hydrator.fields("syncSource").and_then(|sync| sync.non_empty("targetBranch")),
                hydrate_to: hydrator.fields("hydrateTo").map(|to| to.non_empty("targetBranch")),
            }),
            destination: fields.fields("destination").map(|destination| Destination {
                span: destination.span(),
                key: key("destination"),
                name: destination.non_empty("name"),
                server: destination.non_empty("server"),
                namespace: destination.non_empty("namespace"),
            }),
            sync: match fields.value("syncPolicy") {
                Some(Value::Unknown(_)) => SyncPolicy { is_unknown: true, ..SyncPolicy::default() },
                value => value.and_then(Fields::of).map(SyncPolicy::read).unwrap_or_default(),
            },
            ignored: fields.items("ignoreDifferences").iter().filter_map(Ignored::read).collect(),
            has_unknown_ignored: matches!(fields.value("ignoreDifferences"), Some(Value::Unknown(_)))
                || fields.items("ignoreDifferences").iter().any(|item| matches!(item, Value::Unknown(_))),
        }
    }

    /// The sources that count, in order: the hydrator's, else `sources`, else `source`.
    ///
    /// Mirrors Argo CD 3.6, `GetSources`: the others are dead text.
    pub fn effective_sources(&self) -> &[Source] {
        if let Some(hydrator) = &self.hydrator {
            return hydrator.dry.as_slice();
        }
        if self.sources.is_empty() { self.source.as_slice() } else { &self.sources }
    }

    /// Whether `sources` is what counts: only then do refs exist.
    pub fn has_multiple_sources(&self) -> bool {
        self.hydrator.is_none() && !self.sources.is_empty()
    }
}

impl SyncPolicy {
    fn read(fields: Fields<'_>) -> SyncPolicy {
        SyncPolicy {
            span: Some(fields.span()),
            automated: fields.value("automated").map(|value| {
                let automated = Fields::of(value);
                let enabled = automated.and_then(|fields| fields.value("enabled"));
                Automated {
                    span: value.span(),
                    key: fields.key("automated").unwrap_or_else(|| value.span()),
                    enabled: automated.and_then(|fields| fields.bool("enabled")),
                    prune: automated.and_then(|fields| fields.bool("prune")),
                    self_heal: automated.and_then(|fields| fields.bool("selfHeal")),
                    allow_empty: automated.and_then(|fields| fields.bool("allowEmpty")),
                    has_unknown_flags: automated.is_some_and(|fields| {
                        let is_known = |key| matches!(fields.value(key), None | Some(Value::Bool(_)));
                        !["prune", "selfHeal", "allowEmpty"].into_iter().all(is_known)
                    }),
                    is_unknown: !matches!(value, Value::Map(_)) || !matches!(enabled, None | Some(Value::Bool(_))),
                }
            }),
            options: fields.texts("syncOptions"),
            retry: fields.value("retry").cloned(),
            is_unknown: matches!(fields.value("syncOptions"), Some(Value::Unknown(_))),
        }
    }
}

impl Source {
    /// Reads one source; `key` is the place that names it.
    pub fn read(value: &Value, key: Span) -> Option<Source> {
        let fields = Fields::of(value)?;
        Some(Source {
            span: fields.span(),
            key,
            repo_url: fields.non_empty("repoURL"),
            path: fields.non_empty("path"),
            chart: fields.non_empty("chart"),
            revision: fields.non_empty("targetRevision").or_else(|| unquoted(fields.value("targetRevision")?)),
            reference: fields.non_empty("ref"),
            tag_prefix: fields.non_empty("tagPrefix"),
            helm: fields.fields("helm").map(|helm| Helm {
                span: helm.span(),
                is_zero: is_zero(helm),
                value_files: helm.texts("valueFiles"),
                file_parameters: helm
                    .items("fileParameters")
                    .iter()
                    .filter_map(|item| Fields::of(item)?.non_empty("path"))
                    .collect(),
                ignore_missing: helm.bool("ignoreMissingValueFiles"),
                release_name: helm.non_empty("releaseName"),
                skips_crds: helm.value("skipCrds").is_some_and(|skips| !matches!(skips, Value::Bool(b) if !b.value)),
            }),
            kustomize: fields.fields("kustomize").map(|kustomize| Kustomize {
                span: kustomize.span(),
                is_zero: is_zero(kustomize),
                components: kustomize.texts("components"),
                ignore_missing: kustomize.bool("ignoreMissingComponents"),
                may_reshape: RESHAPING.iter().any(|key| kustomize.value(key).is_some()),
                may_rename: RENAMING.iter().any(|key| kustomize.value(key).is_some()),
            }),
            directory: fields.fields("directory").map(|directory| Directory {
                span: directory.span(),
                is_zero: is_zero(directory),
                recurse: directory.bool("recurse").is_some_and(|recurse| recurse.value),
                include: directory.non_empty("include"),
                exclude: directory.non_empty("exclude"),
                has_jsonnet: directory.fields("jsonnet").is_some_and(|jsonnet| !is_zero(jsonnet)),
            }),
            plugin: fields.value("plugin").map(Value::span),
        })
    }
}

/// A number as text: `targetRevision: 1.0` lacks its quotes, and still means no branch.
fn unquoted(value: &Value) -> Option<Text> {
    match value {
        Value::Int(number) => Some(Text::known_at(number.value.to_string(), number.span)),
        Value::Float(number) => Some(Text::known_at(number.value.to_string(), number.span)),
        _ => None,
    }
}

/// Whether every field has its Go zero value. Mirrors Argo CD 3.6, `IsZero` of the type blocks.
fn is_zero(fields: Fields<'_>) -> bool {
    fields.entries().iter().all(|(_, value)| match value {
        Value::Null(_) => true,
        Value::Bool(value) => !value.value,
        Value::Int(value) => value.value == 0,
        Value::Float(value) => value.value == 0.0,
        Value::Text(text) => text.as_str() == Some(""),
        Value::List(list) => list.items.is_empty(),
        Value::Map(map) => map.entries.is_empty() || Fields::of(value).is_some_and(is_zero),
        Value::Unknown(_) => false,
    })
}
