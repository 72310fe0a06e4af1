//! What Argo CD leaves out of every comparison, by its own settings.
//!
//! In the cluster they are keys of the ConfigMap `argocd-cm`. In git they may as well stand in values of Argo CD's chart or
//! in a patch, so the keys are looked for wherever they are.

use crate::formats::argo::difference::Ignored;
use crate::formats::read;
use crate::repo::{File, Repo};
use crate::text::{Span, is_placeholder};
use crate::yaml::{self, Node};
use std::sync::Arc;

/// What the keys begin with; then follow group and kind.
const PREFIX: &str = "resource.customizations.ignoreDifferences.";

/// Settings that hold the same in forms that are not read: the operator's field, and all customizations in one text.
const OTHERS: [&str; 2] = ["resourceIgnoreDifferences", "resource.customizations"];

/// Every setting that the roots hold.
#[derive(Debug, Default)]
pub struct Customized<'r> {
    /// In order of path and place.
    pub settings: Vec<Setting<'r>>,
    /// Whether there are others.
    pub is_open: bool,
}

/// One key of the settings.
#[derive(Debug)]
pub struct Setting<'r> {
    /// The group; empty for the core group, `*` for all.
    pub group: String,
    /// The kind; `*` for all.
    pub kind: String,
    /// The place of the key.
    pub key: Span,
    /// What the text of the key says; its places are parts of the text.
    pub ignored: Option<Ignored>,
    text: Span,
    file: &'r File,
}

impl<'r> Customized<'r> {
    /// The settings of a snapshot.
    pub fn new(repo: &'r Repo) -> Customized<'r> {
        let mut customized = Customized::default();
        for file in repo.files().filter(|file| OTHERS.iter().any(|word| file.source.mentions(word))) {
            for document in file.tree.documents() {
                if let Some(root) = file.tree.root(document) {
                    customized.add(root, file);
                }
            }
        }
        customized
    }

    /// Whether the field at this path may be left out in objects of this kind.
    pub fn may_cover(&self, group: &str, kind: &str, path: &str) -> bool {
        let fits = |setting: &Setting<'_>| {
            (setting.kind == "*" || (setting.group == group && setting.kind == kind))
                && setting.ignored.as_ref().is_none_or(|ignored| ignored.may_cover(path))
        };
        self.is_open || self.settings.iter().any(fits)
    }

    fn add(&mut self, node: Node<'r>, file: &'r File) {
        for entry in node.entries() {
            let key = entry.key.key_text();
            self.is_open |= OTHERS.contains(&&*key);
            match key.strip_prefix(PREFIX).filter(|_| entry.value.as_str().is_some()) {
                Some(of) => self.settings.push(Setting::read(of, entry.key.span(), entry.value, file)),
                None => self.add(entry.value, file),
            }
        }
        node.items().for_each(|item| self.add(item, file));
        // A patch that stands in a text is not read.
        self.is_open |= node.as_str().is_some_and(|text| text.contains(PREFIX));
    }
}

impl<'r> Setting<'r> {
    fn read(of: &str, key: Span, text: Node<'r>, file: &'r File) -> Setting<'r> {
        let (group, kind) = match of.split_once('_') {
            _ if of == "all" => ("*", "*"),
            Some((group, kind)) => (group, kind),
            None => ("", of),
        };
        let content = text.as_str().filter(|content| !is_placeholder(content)).unwrap_or_default();
        let tree = yaml::parse(file.source.id, Arc::from(content));
        let root = tree.documents().first().and_then(|document| tree.root(document));
        let ignored = root.filter(|_| tree.errors().is_empty()).and_then(|root| Ignored::read(&read::value(root)));
        Setting { group: group.to_owned(), kind: kind.to_owned(), key, ignored, text: text.span(), file }
    }

    /// The place in the file of a part of the text.
    pub fn place(&self, part: Span) -> Span {
        self.file.tree.place_in_scalar(self.text, part.range())
    }
}
