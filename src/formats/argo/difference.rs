//! `ignoreDifferences`: which fields of which objects Argo CD leaves out when it compares.
//!
//! Mirrors Argo CD 3.6, `util/argo/normalizers`.

use crate::formats::read::Fields;
use crate::lang::glob::argo::Entry;
use crate::text::Span;
use crate::value::{Text, Value};

/// One entry of the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignored {
    /// The whole entry.
    pub span: Span,
    /// `group`, a glob; the core group when it is absent.
    pub group: Option<Text>,
    /// `kind`, a glob.
    pub kind: Option<Text>,
    /// `name`; any when it is absent.
    pub name: Option<Text>,
    /// `namespace`; any when it is absent.
    pub namespace: Option<Text>,
    /// `jsonPointers`, in order.
    pub pointers: Vec<Text>,
    /// `jqPathExpressions`, in order.
    pub expressions: Vec<Text>,
    /// `managedFieldsManagers`, in order.
    pub managers: Vec<Text>,
    /// Whether it has fields that are not read, or not known.
    pub has_others: bool,
}

const FIELDS: [&str; 7] =
    ["group", "kind", "name", "namespace", "jsonPointers", "jqPathExpressions", "managedFieldsManagers"];

impl Ignored {
    /// Reads an entry.
    pub fn read(value: &Value) -> Option<Ignored> {
        let fields = Fields::of(value)?;
        let is_read = |(key, value): &(crate::text::Spanned<String>, Value)| {
            FIELDS.contains(&key.value.as_str()) && !matches!(value, Value::Unknown(_))
        };
        Some(Ignored {
            span: fields.span(),
            group: fields.non_empty("group"),
            kind: fields.non_empty("kind"),
            name: fields.non_empty("name"),
            namespace: fields.non_empty("namespace"),
            pointers: fields.texts("jsonPointers"),
            expressions: fields.texts("jqPathExpressions"),
            managers: fields.texts("managedFieldsManagers"),
            has_others: !fields.entries().iter().all(is_read),
        })
    }

    /// Whether it says no field at all.
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty() && self.expressions.is_empty() && self.managers.is_empty() && !self.has_others
    }

    /// Whether it is about objects of this group and kind; `None` when that cannot be known.
    pub fn is_about(&self, group: &str, kind: &str) -> Option<bool> {
        let matches = |pattern: Option<&Text>, text: &str| match pattern {
            None => Some(text.is_empty()),
            Some(pattern) => Entry::without_denial(pattern.as_str()?, &[]).matches(text),
        };
        both(matches(self.group.as_ref(), group), || matches(self.kind.as_ref(), kind))
    }

    /// Whether it may leave out the field at this path, such as `/spec/replicas`. Of an expression and of a manager
    /// nobody knows which fields they mean.
    pub fn may_cover(&self, path: &str) -> bool {
        let covers = |pointer: &Text| {
            pointer.as_str().is_none_or(|pointer| {
                path.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        self.has_others || !self.expressions.is_empty() || !self.managers.is_empty() || self.pointers.iter().any(covers)
    }
}

/// Whether both hold; `None` when it depends on what is not known.
pub fn both(a: Option<bool>, b: impl FnOnce() -> Option<bool>) -> Option<bool> {
    match a {
        Some(false) => Some(false),
        Some(true) => b(),
        None => b().filter(|holds| !holds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::read;
    use crate::text::FileId;
    use crate::yaml;

    fn ignored(text: &str) -> Ignored {
        let tree = yaml::parse(FileId(0), text.into());
        Ignored::read(&read::value(tree.root(&tree.documents()[0]).unwrap())).unwrap()
    }

    #[test]
    fn an_absent_group_is_the_core_group_alone() {
        let entry = ignored("{kind: Secret}");
        assert_eq!(entry.is_about("", "Secret"), Some(true));
        assert_eq!(entry.is_about("example.com", "Secret"), Some(false));
    }

    #[test]
    fn group_and_kind_are_globs() {
        let entry = ignored("{group: '*', kind: 'Stateful*'}");
        assert_eq!(entry.is_about("apps", "StatefulSet"), Some(true));
        assert_eq!(entry.is_about("", "Service"), Some(false));
    }

    #[test]
    fn a_pointer_covers_what_is_below_it() {
        for (pointer, covers) in [("/spec", true), ("/spec/replicas", true), ("/spec/rep", false), ("/status", false)] {
            assert_eq!(ignored(&format!("jsonPointers: [{pointer}]")).may_cover("/spec/replicas"), covers, "{pointer}");
        }
        assert!(ignored("jqPathExpressions: [.a]").may_cover("/spec/replicas"));
    }
}
