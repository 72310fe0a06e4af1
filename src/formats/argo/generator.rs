//! The generators of an ApplicationSet, read from a value: as written, or with another generator's parameters filled in.
//!
//! Mirrors Argo CD 3.6, `pkg/apis/application/v1alpha1/applicationset_types.go`.

use crate::formats::read::{Fields, text};
use crate::text::{Span, Spanned};
use crate::value::{Map, Text, Value};

/// One entry of `spec.generators`, or one child of a matrix or merge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generator {
    /// The whole entry.
    pub span: Span,
    /// The kinds it sets, in the order Argo CD runs them; normally one.
    pub kinds: Vec<GeneratorKind>,
    /// `selector`: which of the generated sets are kept.
    pub selector: Option<Value>,
}

/// What a generator generates from.
#[derive(Clone, Debug, PartialEq)]
pub enum GeneratorKind {
    /// `list`
    List(ListGenerator),
    /// `clusters`
    Clusters(ClustersGenerator),
    /// `git`
    Git(Box<GitGenerator>),
    /// `matrix`
    Matrix(Combination),
    /// `merge`
    Merge(Combination),
    /// A generator that asks a network or the cluster: `scmProvider`, `pullRequest`, `clusterDecisionResource`,
    /// `plugin`.
    Remote(RemoteGenerator),
}

/// `list`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListGenerator {
    /// The whole map.
    pub span: Span,
    /// `elements`, in order.
    pub elements: Vec<Value>,
    /// `elementsYaml`, a text that holds more elements.
    pub elements_yaml: Option<Text>,
    /// `template`.
    pub template: Option<Value>,
}

/// `clusters`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClustersGenerator {
    /// The whole map.
    pub span: Span,
    /// `selector`.
    pub selector: Option<Value>,
    /// `values`, in order.
    pub values: Vec<(Spanned<String>, Text)>,
    /// `flatList`.
    pub flat_list: bool,
    /// `template`.
    pub template: Option<Value>,
}

/// `git`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GitGenerator {
    /// The whole map.
    pub span: Span,
    /// `repoURL`.
    pub repo_url: Option<Text>,
    /// `revision`; the empty text is absent.
    pub revision: Option<Text>,
    /// The place of the key `directories`, when it has items.
    pub directories_key: Option<Span>,
    /// `directories`, in order.
    pub directories: Vec<GitItem>,
    /// The place of the key `files`, when it has items.
    pub files_key: Option<Span>,
    /// `files`, in order.
    pub files: Vec<GitItem>,
    /// `pathParamPrefix`.
    pub path_param_prefix: Option<Text>,
    /// `values`, in order.
    pub values: Vec<(Spanned<String>, Text)>,
    /// `template`.
    pub template: Option<Value>,
}

/// One item of `files` or `directories`.
#[derive(Clone, Debug, PartialEq)]
pub struct GitItem {
    /// The whole item.
    pub span: Span,
    /// `path`, a pattern.
    pub path: Text,
    /// `exclude`.
    pub exclude: bool,
}

/// `matrix` or `merge`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Combination {
    /// The whole map.
    pub span: Span,
    /// `generators`, undecoded: a matrix fills its second child before it is read.
    pub children: Vec<Value>,
    /// `mergeKeys`, in order; none for a matrix.
    pub merge_keys: Vec<Text>,
    /// `template`.
    pub template: Option<Value>,
}

/// A generator that cannot be run offline.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteGenerator {
    /// The place of its key.
    pub span: Span,
    /// Its key.
    pub name: &'static str,
    /// `values`, in order.
    pub values: Vec<(Spanned<String>, Text)>,
    /// `template`.
    pub template: Option<Value>,
}

/// Keys of the generators that ask a network or the cluster.
const REMOTE: [&str; 4] = ["scmProvider", "clusterDecisionResource", "pullRequest", "plugin"];

impl Generator {
    /// Reads one entry; an entry that is no map has no kinds.
    pub fn read(entry: &Value) -> Generator {
        let Some(fields) = Fields::of(entry) else { return Generator { span: entry.span(), ..Generator::default() } };
        let mut kinds = Vec::new();
        if let Some(list) = fields.fields("list") {
            kinds.push(GeneratorKind::List(ListGenerator {
                span: list.span(),
                elements: list.items("elements").to_vec(),
                elements_yaml: list.non_empty("elementsYaml"),
                template: list.value("template").cloned(),
            }));
        }
        if let Some(clusters) = fields.value("clusters") {
            kinds.push(GeneratorKind::Clusters(ClustersGenerator::read(clusters)));
        }
        if let Some(git) = fields.fields("git") {
            kinds.push(GeneratorKind::Git(Box::new(GitGenerator::read(git))));
        }
        for name in REMOTE {
            if let Some(remote) = fields.value(name) {
                let inner = Fields::of(remote);
                kinds.push(GeneratorKind::Remote(RemoteGenerator {
                    span: fields.key(name).unwrap_or_else(|| remote.span()),
                    name,
                    values: inner.map(|inner| inner.text_entries("values")).unwrap_or_default(),
                    template: inner.and_then(|inner| inner.value("template")).cloned(),
                }));
            }
        }
        for (name, wrap) in [("matrix", GeneratorKind::Matrix as fn(Combination) -> _), ("merge", GeneratorKind::Merge)]
        {
            if let Some(combination) = fields.fields(name) {
                kinds.push(wrap(Combination {
                    span: combination.span(),
                    children: combination.items("generators").to_vec(),
                    merge_keys: combination.texts("mergeKeys"),
                    template: combination.value("template").cloned(),
                }));
            }
        }
        Generator { span: fields.span(), kinds, selector: fields.value("selector").cloned() }
    }

    /// The generators of these entries that combine no others, as written and in order, down through matrix and merge.
    pub fn all(entries: &[Value]) -> Vec<GeneratorKind> {
        fn collect(entries: &[Value], depth: usize, found: &mut Vec<GeneratorKind>) {
            for kind in entries.iter().flat_map(|entry| Generator::read(entry).kinds) {
                match kind {
                    // Deeper ones are dropped when the controller decodes them.
                    GeneratorKind::Matrix(combination) | GeneratorKind::Merge(combination) if depth < 2 => {
                        collect(&combination.children, depth + 1, found);
                    }
                    GeneratorKind::Matrix(_) | GeneratorKind::Merge(_) => {}
                    kind => found.push(kind),
                }
            }
        }
        let mut found = Vec::new();
        collect(entries, 0, &mut found);
        found
    }
}

impl GeneratorKind {
    /// The generator's own `template`, if it has one.
    pub fn template(&self) -> Option<&Value> {
        match self {
            GeneratorKind::List(list) => list.template.as_ref(),
            GeneratorKind::Clusters(clusters) => clusters.template.as_ref(),
            GeneratorKind::Git(git) => git.template.as_ref(),
            GeneratorKind::Matrix(combination) | GeneratorKind::Merge(combination) => combination.template.as_ref(),
            GeneratorKind::Remote(remote) => remote.template.as_ref(),
        }
    }

    /// The key by which the entry sets this kind.
    pub fn name(&self) -> &'static str {
        match self {
            GeneratorKind::List(_) => "list",
            GeneratorKind::Clusters(_) => "clusters",
            GeneratorKind::Git(_) => "git",
            GeneratorKind::Matrix(_) => "matrix",
            GeneratorKind::Merge(_) => "merge",
            GeneratorKind::Remote(remote) => remote.name,
        }
    }
}

impl ClustersGenerator {
    /// `clusters: {}` is a generator too: it selects every cluster.
    fn read(clusters: &Value) -> ClustersGenerator {
        let empty = Value::Map(Map { entries: Vec::new(), span: clusters.span() });
        let Some(fields) = Fields::of(clusters).or_else(|| Fields::of(&empty)) else {
            return ClustersGenerator::default();
        };
        ClustersGenerator {
            span: clusters.span(),
            selector: fields.value("selector").cloned(),
            values: fields.text_entries("values"),
            flat_list: fields.bool("flatList").is_some_and(|flat| flat.value),
            template: fields.value("template").cloned(),
        }
    }
}

impl GitGenerator {
    fn read(fields: Fields<'_>) -> GitGenerator {
        let items = |key| fields.items(key).iter().filter_map(GitItem::read).collect::<Vec<_>>();
        let (directories, files) = (items("directories"), items("files"));
        GitGenerator {
            span: fields.span(),
            repo_url: fields.non_empty("repoURL"),
            revision: fields.non_empty("revision"),
            directories_key: fields.key("directories").filter(|_| !directories.is_empty()),
            directories,
            files_key: fields.key("files").filter(|_| !files.is_empty()),
            files,
            path_param_prefix: fields.non_empty("pathParamPrefix"),
            values: fields.text_entries("values"),
            template: fields.value("template").cloned(),
        }
    }
}

impl GitItem {
    fn read(item: &Value) -> Option<GitItem> {
        let fields = Fields::of(item)?;
        Some(GitItem {
            span: fields.span(),
            path: text(fields.value("path")?)?,
            exclude: fields.bool("exclude").is_some_and(|exclude| exclude.value),
        })
    }
}
