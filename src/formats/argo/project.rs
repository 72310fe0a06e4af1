//! AppProject: what the Applications of one group may use, and who may use them.
//!
//! Mirrors Argo CD 3.6, `pkg/apis/application/v1alpha1/types.go`. What the lists permit is decided in the fleet.

use super::Metadata;
use crate::formats::read::{Fields, text};
use crate::text::{Span, Spanned};
use crate::value::{Text, Value, Why};

/// One AppProject as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AppProject {
    /// `metadata`.
    pub metadata: Metadata,
    /// The whole `spec`; empty when there is none.
    pub span: Span,
    /// Whether the spec itself is known: a map, or absent.
    pub is_known: bool,
    /// `sourceRepos`.
    pub source_repos: Entries<Text>,
    /// `sourceNamespaces`.
    pub source_namespaces: Entries<Text>,
    /// `destinations`.
    pub destinations: Entries<Destination>,
    /// `permitOnlyProjectScopedClusters`; not known when it is no boolean.
    pub only_scoped_clusters: Option<bool>,
    /// `namespaceResourceWhitelist`.
    pub namespace_allowed: Entries<ResourceKind>,
    /// `namespaceResourceBlacklist`.
    pub namespace_denied: Entries<ResourceKind>,
    /// `clusterResourceWhitelist`.
    pub cluster_allowed: Entries<ResourceKind>,
    /// `clusterResourceBlacklist`.
    pub cluster_denied: Entries<ResourceKind>,
    /// `roles`.
    pub roles: Entries<Role>,
    /// `syncWindows`.
    pub windows: Entries<SyncWindow>,
    /// `destinationServiceAccounts`.
    pub service_accounts: Entries<ServiceAccount>,
}

/// A list of a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<T> {
    /// The place of the key; `None` when the list is absent, which differs from an empty one.
    pub key: Option<Span>,
    /// In order.
    pub items: Vec<T>,
    /// Whether there are no others: every item could be read.
    pub is_whole: bool,
}

/// An item of `destinations`. An absent field is the empty text to Argo CD.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Destination {
    /// The whole item.
    pub span: Span,
    /// `server`, a pattern.
    pub server: Option<Text>,
    /// `name`, a pattern.
    pub name: Option<Text>,
    /// `namespace`, a pattern.
    pub namespace: Option<Text>,
}

/// An item of the four resource lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceKind {
    /// The whole item.
    pub span: Span,
    /// `group`, a pattern; the empty text is the core group.
    pub group: Option<Text>,
    /// `kind`, a pattern.
    pub kind: Option<Text>,
    /// `name`, a pattern; only the cluster lists have it.
    pub name: Option<Text>,
}

/// An item of `roles`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Role {
    /// The whole item.
    pub span: Span,
    /// `name`.
    pub name: Option<Text>,
    /// `policies`, in order.
    pub policies: Vec<Text>,
    /// `groups`, in order.
    pub groups: Vec<Text>,
}

/// An item of `syncWindows`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SyncWindow {
    /// The whole item.
    pub span: Span,
    /// `kind`: `allow` or `deny`.
    pub kind: Option<Text>,
    /// `schedule`: five cron fields.
    pub schedule: Option<Text>,
    /// `duration`: how long the window is open.
    pub duration: Option<Text>,
    /// `timeZone`, a name of the IANA database.
    pub time_zone: Option<Text>,
    /// `applications`, patterns.
    pub applications: Entries<Text>,
    /// `namespaces`, patterns.
    pub namespaces: Entries<Text>,
    /// `clusters`, patterns of names or servers.
    pub clusters: Entries<Text>,
    /// `andOperator`; off when absent, not known when it is no boolean.
    pub joins_by_and: Option<bool>,
}

/// An item of `destinationServiceAccounts`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceAccount {
    /// The whole item.
    pub span: Span,
    /// `server`, a pattern.
    pub server: Option<Text>,
    /// `namespace`, a pattern.
    pub namespace: Option<Text>,
    /// `defaultServiceAccount`.
    pub account: Option<Text>,
}

impl AppProject {
    /// Reads a whole document.
    pub fn read(document: &Value) -> AppProject {
        let Some(fields) = Fields::of(document) else { return AppProject::default() };
        let metadata = Metadata::read(fields);
        let is_known = fields.value("spec").is_none_or(|spec| matches!(spec, Value::Map(_)));
        let Some(spec) = fields.fields("spec") else {
            return AppProject { metadata, is_known, ..AppProject::default() };
        };
        AppProject {
            metadata,
            span: spec.span(),
            is_known,
            source_repos: Entries::texts(spec, "sourceRepos"),
            source_namespaces: Entries::texts(spec, "sourceNamespaces"),
            destinations: Entries::read(spec, "destinations", Destination::read),
            only_scoped_clusters: flag(spec, "permitOnlyProjectScopedClusters"),
            namespace_allowed: Entries::read(spec, "namespaceResourceWhitelist", ResourceKind::read),
            namespace_denied: Entries::read(spec, "namespaceResourceBlacklist", ResourceKind::read),
            cluster_allowed: Entries::read(spec, "clusterResourceWhitelist", ResourceKind::read),
            cluster_denied: Entries::read(spec, "clusterResourceBlacklist", ResourceKind::read),
            roles: Entries::read(spec, "roles", Role::read),
            windows: Entries::read(spec, "syncWindows", SyncWindow::read),
            service_accounts: Entries::read(spec, "destinationServiceAccounts", ServiceAccount::read),
        }
    }

    /// Its name, when it is known.
    pub fn name(&self) -> Option<Spanned<&str>> {
        self.metadata.name.as_ref().and_then(Text::known)
    }
}

impl<T> Default for Entries<T> {
    fn default() -> Entries<T> {
        Entries { key: None, items: Vec::new(), is_whole: true }
    }
}

impl<T> Entries<T> {
    /// Reads a list field; an item that cannot be read is left out.
    fn read(fields: Fields<'_>, key: &str, read: impl Fn(&Value) -> Option<T>) -> Entries<T> {
        let Some(value) = fields.value(key) else { return Entries::default() };
        let items: Vec<T> = value.items().iter().filter_map(read).collect();
        let is_whole = matches!(value, Value::List(list) if list.items.len() == items.len());
        Entries { key: fields.key(key), items, is_whole }
    }

    /// Adds the items of another list; a list that is absent stays absent when the other is empty.
    pub fn append(&mut self, other: &Entries<T>)
    where
        T: Clone,
    {
        self.items.extend(other.items.iter().cloned());
        self.is_whole &= other.is_whole;
        if !other.items.is_empty() || !other.is_whole {
            self.key = self.key.or(other.key);
        }
    }
}

impl Entries<Text> {
    fn texts(fields: Fields<'_>, key: &str) -> Entries<Text> {
        Entries::read(fields, key, text)
    }
}

impl Destination {
    fn read(value: &Value) -> Option<Destination> {
        let fields = Fields::of(value)?;
        Some(Destination {
            span: fields.span(),
            server: fields.text("server"),
            name: fields.text("name"),
            namespace: fields.text("namespace"),
        })
    }
}

impl ResourceKind {
    fn read(value: &Value) -> Option<ResourceKind> {
        let fields = Fields::of(value)?;
        Some(ResourceKind {
            span: fields.span(),
            group: fields.text("group"),
            kind: fields.text("kind"),
            name: fields.text("name"),
        })
    }
}

impl Role {
    fn read(value: &Value) -> Option<Role> {
        let fields = Fields::of(value)?;
        Some(Role {
            span: fields.span(),
            name: fields.text("name"),
            policies: fields.texts("policies"),
            groups: fields.texts("groups"),
        })
    }
}

impl SyncWindow {
    fn read(value: &Value) -> Option<SyncWindow> {
        let fields = Fields::of(value)?;
        Some(SyncWindow {
            span: fields.span(),
            kind: text_or_unknown(fields, "kind"),
            schedule: text_or_unknown(fields, "schedule"),
            duration: text_or_unknown(fields, "duration"),
            time_zone: fields.non_empty("timeZone"),
            applications: Entries::texts(fields, "applications"),
            namespaces: Entries::texts(fields, "namespaces"),
            clusters: Entries::texts(fields, "clusters"),
            joins_by_and: flag(fields, "andOperator"),
        })
    }
}

impl ServiceAccount {
    fn read(value: &Value) -> Option<ServiceAccount> {
        let fields = Fields::of(value)?;
        Some(ServiceAccount {
            span: fields.span(),
            server: fields.text("server"),
            namespace: fields.text("namespace"),
            account: fields.text("defaultServiceAccount"),
        })
    }
}

/// A text field that is present whatever it holds: what is no text is not known.
fn text_or_unknown(fields: Fields<'_>, key: &str) -> Option<Text> {
    let value = fields.value(key)?;
    Some(text(value).unwrap_or_else(|| Text::unknown(Why::Unreadable, value.span())))
}

/// A boolean that is off when absent; not known when it is something else.
fn flag(fields: Fields<'_>, key: &str) -> Option<bool> {
    match fields.value(key) {
        None => Some(false),
        Some(Value::Bool(flag)) => Some(flag.value),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read;
    use crate::text::FileId;
    use crate::yaml;

    fn project(spec: &str) -> AppProject {
        let tree = yaml::parse(FileId(0), format!("metadata: {{name: web}}\nspec: {spec}\n").into());
        assert_eq!(tree.errors(), [], "{spec}");
        AppProject::read(&read::value(tree.root(&tree.documents()[0]).unwrap()))
    }

    #[test]
    fn an_absent_list_differs_from_an_empty_one() {
        let project = project("{clusterResourceWhitelist: []}");
        assert!(project.cluster_allowed.key.is_some() && project.cluster_allowed.items.is_empty());
        assert!(project.namespace_allowed.key.is_none() && project.namespace_allowed.is_whole);
    }

    #[test]
    fn a_list_with_an_unreadable_item_is_not_whole() {
        assert!(project("{sourceRepos: [a, b]}").source_repos.is_whole);
        assert!(!project("{sourceRepos: [a, [b]]}").source_repos.is_whole);
        assert!(!project("{sourceRepos: a}").source_repos.is_whole);
    }

    #[test]
    fn a_flag_is_off_when_absent() {
        assert_eq!(project("{}").only_scoped_clusters, Some(false));
        assert_eq!(project("{permitOnlyProjectScopedClusters: true}").only_scoped_clusters, Some(true));
        assert_eq!(project("{permitOnlyProjectScopedClusters: perhaps}").only_scoped_clusters, None);
    }
}
