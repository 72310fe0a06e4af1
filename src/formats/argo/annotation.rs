//! The annotations by which Argo CD is told what to do with an object, and the options in its lists of words.
//!
//! Mirrors Argo CD 3.6, `common/common.go`, `gitops-engine/pkg/sync`.

use crate::text::{Spanned, similar};
use crate::yaml::{Entry, Node};

/// What every annotation of Argo CD itself starts with.
pub const PREFIX: &str = "argocd.argoproj.io/";
/// Comma list of hook phases.
pub const HOOK: &str = "argocd.argoproj.io/hook";
/// Helm's comma list of hooks, which Argo CD maps to its own.
pub const HELM_HOOK: &str = "helm.sh/hook";
/// Comma list of when a hook is deleted.
pub const HOOK_DELETE_POLICY: &str = "argocd.argoproj.io/hook-delete-policy";
/// A whole number.
pub const SYNC_WAVE: &str = "argocd.argoproj.io/sync-wave";
/// Comma list of [`OPTIONS`] that are read on objects.
pub const SYNC_OPTIONS: &str = "argocd.argoproj.io/sync-options";
/// Comma list of [`OPTIONS`] for comparing.
pub const COMPARE_OPTIONS: &str = "argocd.argoproj.io/compare-options";

/// The names after [`PREFIX`]; those of labels too, since people write them as annotations.
pub const NAMES: &[&str] = &[
    "application-set-name",
    "application-set-refresh",
    "auto-label-cluster-info",
    "client-side-apply-migration-manager",
    "compare-options",
    "deletion-approved",
    "health-aggregate-overrides",
    "hook",
    "hook-delete-policy",
    "hydrate",
    "hydrate-timestamp",
    "ignore-default-links",
    "ignore-healthcheck",
    "ignore-resource-updates",
    "ignore-restart-policy",
    "installation-id",
    "instance",
    "kubernetes-version",
    "managed-by",
    "managed-by-url",
    "manifest-generate-paths",
    "project-inherit",
    "refresh",
    "refresh-timestamp",
    "secret-type",
    "skip-reconcile",
    "sync-options",
    "sync-wave",
    "tracking-id",
];

/// The phases of [`HOOK`].
pub const HOOKS: &[&str] = &["PreSync", "Sync", "PostSync", "SyncFail", "Skip", "PreDelete", "PostDelete"];

/// The words of [`HOOK_DELETE_POLICY`].
pub const HOOK_DELETE_POLICIES: &[&str] = &["HookSucceeded", "HookFailed", "BeforeHookCreation"];

/// Helm's hooks that are a part of a sync; the others make an object that no sync applies.
const SYNCED_HELM_HOOKS: [&str; 5] = ["crd-install", "pre-install", "pre-upgrade", "post-install", "post-upgrade"];

/// Whether a sync certainly applies an object with these values of [`HOOK`] and [`HELM_HOOK`]: what is no hook, or one
/// of a phase of the sync.
pub fn is_synced(hook: Option<&str>, helm_hook: Option<&str>) -> bool {
    let words = |text: &str| text.split(',').map(str::trim).map(str::to_owned).collect::<Vec<_>>();
    match (hook.map(words), helm_hook.map(words)) {
        (Some(hooks), _) => hooks.iter().any(|hook| ["PreSync", "Sync", "PostSync"].contains(&hook.as_str())),
        (None, Some(hooks)) => hooks.iter().any(|hook| SYNCED_HELM_HOOKS.contains(&hook.as_str())),
        (None, None) => true,
    }
}

/// A place where options are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// `spec.syncPolicy.syncOptions` of an Application.
    Application,
    /// [`SYNC_OPTIONS`] on an object.
    Object,
    /// [`COMPARE_OPTIONS`] on an Application or an object.
    Compare,
}

/// An option of the form `Name=value`, or `Name` alone.
#[derive(Clone, Copy, Debug)]
pub struct SyncOption {
    /// Its name.
    pub name: &'static str,
    /// The values that change something; empty for an option without a value.
    pub values: &'static [&'static str],
    /// Values that say what holds anyway.
    pub defaults: &'static [&'static str],
    /// Where it is read.
    pub places: &'static [Place],
}

/// Every option.
pub const OPTIONS: &[SyncOption] = {
    use Place::{Application, Compare, Object};
    const ON: &[&str] = &["true"];
    const OFF: &[&str] = &["false"];
    const fn option(
        name: &'static str,
        values: &'static [&'static str],
        defaults: &'static [&'static str],
        places: &'static [Place],
    ) -> SyncOption {
        SyncOption { name, values, defaults, places }
    }
    &[
        option("ApplyOutOfSyncOnly", ON, OFF, &[Application]),
        option("ClientSideApplyMigration", OFF, ON, &[Application, Object]),
        option("CreateNamespace", ON, OFF, &[Application]),
        option("Delete", &["false", "confirm"], ON, &[Application, Object]),
        option("FailOnSharedResource", ON, OFF, &[Application]),
        option("Force", ON, OFF, &[Object]),
        option("IgnoreExtraneous", &[], &[], &[Compare]),
        option("IncludeMutationWebhook", ON, OFF, &[Compare]),
        option("Prune", &["false", "confirm"], ON, &[Application, Object]),
        option("PruneLast", ON, OFF, &[Application, Object]),
        option("PrunePropagationPolicy", &["background", "foreground", "orphan"], &[], &[Application]),
        option("Replace", ON, OFF, &[Application, Object]),
        option("RespectIgnoreDifferences", ON, OFF, &[Application]),
        option("ServerSideApply", ON, OFF, &[Application, Object]),
        option("ServerSideDiff", &["true", "false"], &[], &[Compare]),
        option("SkipDryRunOnMissingResource", ON, OFF, &[Application, Object]),
        option("Validate", OFF, ON, &[Application, Object]),
    ]
};

/// How Argo CD reads an entry of a list of options.
#[derive(Clone, Debug)]
pub enum Reading {
    /// As it is written.
    Effective,
    /// Not at all: the option is read elsewhere.
    Elsewhere(&'static SyncOption),
    /// Not at all: the option, or its value, is spelt in another way. What was certainly meant, if anything.
    Misspelt(&'static SyncOption, Option<String>),
    /// Not at all: there is no such option.
    Unknown,
}

/// How Argo CD reads `text` at a place: letter by letter.
pub fn read(text: &str, place: Place) -> Reading {
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let exact = OPTIONS.iter().find(|option| option.name == name);
    let option = exact.or_else(|| {
        let near = similar::near(name.trim(), OPTIONS.iter().map(|option| option.name));
        let word = similar::certain(name.trim(), &near)?;
        OPTIONS.iter().find(|option| option.name == word)
    });
    let Some(option) = option else { return Reading::Unknown };
    if !option.places.contains(&place) {
        return Reading::Elsewhere(option);
    }
    let values = || option.values.iter().chain(option.defaults).copied();
    let is_value = value.map_or(option.values.is_empty(), |value| values().any(|known| known == value));
    if exact.is_some() && is_value {
        return Reading::Effective;
    }
    let given = value.map(str::trim);
    let meant = match (given, option.values) {
        (_, []) => return Reading::Misspelt(option, Some(option.name.to_owned())),
        (None, [only]) => Some(*only),
        (None, _) => None,
        (Some(given), _) => similar::certain(given, &similar::near(given, values())),
    };
    Reading::Misspelt(option, meant.map(|value| format!("{}={value}", option.name)))
}

/// The annotations of an object, and of the Applications that a set makes, in order.
pub fn of(root: Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    let own = root.at(&["metadata", "annotations"]);
    let made = templates(root).into_iter().filter_map(|template| template.at(&["metadata", "annotations"]));
    own.into_iter().chain(made).flat_map(Node::entries)
}

/// The templates of an ApplicationSet: its own and those of its generators; none of anything else.
pub fn templates(root: Node<'_>) -> Vec<Node<'_>> {
    if root.get("kind").and_then(Node::as_str) != Some("ApplicationSet") {
        return Vec::new();
    }
    let own = root.at(&["spec", "template"]);
    let generators = root.at(&["spec", "generators"]).into_iter().flat_map(Node::items);
    let overrides = generators.flat_map(Node::entries).filter_map(|generator| generator.value.get("template"));
    own.into_iter().chain(overrides).collect()
}

/// The words of a comma list, without the blanks around them; parts without letters are left out, as Argo CD does.
pub fn words(value: Node<'_>) -> Vec<Spanned<&str>> {
    let text = value.as_str().unwrap_or("");
    let mut words = Vec::new();
    let mut at = 0;
    for part in text.split(',') {
        let word = part.trim();
        let start = at + part.len() - part.trim_start().len();
        if !word.is_empty() {
            let span = value.tree().place_in_scalar(value.origin(), start..start + word.len());
            words.push(Spanned::new(word, span));
        }
        at += part.len() + 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;

    fn tree(text: &str) -> crate::yaml::Tree {
        crate::yaml::parse(FileId(0), text.into())
    }

    #[test]
    fn words_are_found_where_they_are_written() {
        for text in [
            "a: Prune=false, Delete=false\n",
            "a: \"Prune=false, Delete=false\"\n",
            "a: 'Prune=false,  Delete=false,'\n",
        ] {
            let tree = tree(text);
            let value = tree.root(&tree.documents()[0]).unwrap().get("a").unwrap();
            let found: Vec<_> = words(value).iter().map(|word| (word.value, &text[word.span.range()])).collect();
            assert_eq!(found, [("Prune=false", "Prune=false"), ("Delete=false", "Delete=false")], "{text}");
        }
    }

    #[test]
    fn options_are_read_letter_by_letter() {
        use Place::{Application, Compare, Object};
        let shown = |text, place| match read(text, place) {
            Reading::Effective => "effective".to_owned(),
            Reading::Elsewhere(option) => format!("{:?}", option.places),
            Reading::Misspelt(_, meant) => meant.unwrap_or("misspelt".into()),
            Reading::Unknown => "unknown".to_owned(),
        };
        for (text, place, wanted) in [
            ("CreateNamespace=true", Application, "effective"),
            ("CreateNamespace=false", Application, "effective"),
            ("IgnoreExtraneous", Compare, "effective"),
            ("Prune=confirm", Object, "effective"),
            ("CreateNamespace=True", Application, "CreateNamespace=true"),
            ("createnamespace = true", Application, "CreateNamespace=true"),
            (" Replace=true", Application, "Replace=true"),
            ("ServerSideApply", Application, "ServerSideApply=true"),
            ("IgnoreExtraneous=true", Compare, "IgnoreExtraneous"),
            ("PrunePropagationPolicy=Foreground", Application, "PrunePropagationPolicy=foreground"),
            ("Prune", Application, "misspelt"),
            ("Prune=foo", Application, "misspelt"),
            ("Force=true", Application, "[Object]"),
            ("CreateNamespace=true", Object, "[Application]"),
            ("ServerSideDiff=true", Application, "[Compare]"),
            ("Prune=false", Compare, "[Application, Object]"),
            ("preserveResourcesOnDeletion=false", Application, "unknown"),
            ("", Application, "unknown"),
        ] {
            assert_eq!(shown(text, place), wanted, "{text} at {place:?}");
        }
    }

    #[test]
    fn a_set_has_the_annotations_of_what_it_makes() {
        let tree = tree(
            "kind: ApplicationSet\nmetadata: {annotations: {a: x}}\nspec:\n  generators:\n  - list: {template: {metadata: \
             {annotations: {b: x}}}}\n  template: {metadata: {annotations: {c: x}}}\n",
        );
        let root = tree.root(&tree.documents()[0]).unwrap();
        let keys: Vec<String> = of(root).map(|entry| entry.key.key_text().into_owned()).collect();
        assert_eq!(keys, ["a", "c", "b"]);
    }

    #[test]
    fn names_and_options_are_sorted() {
        assert!(NAMES.is_sorted());
        assert!(OPTIONS.is_sorted_by_key(|option| option.name));
    }
}
