//! Who may use Argo CD: the RBAC settings that the roots hold, wherever they are written.
//!
//! They are one ConfigMap in the cluster, `argocd-rbac-cm`. In git they are that ConfigMap, a patch of it, values of Argo
//! CD's chart, or a field of the operator's `ArgoCD`; `faults` tells what is wrong in their lines.

pub mod faults;

use crate::fleet::partial::Partial;
use crate::formats::argo::policy::{self, Line, Read};
use crate::formats::{Document, Kind as DocumentKind, Resource};
use crate::repo::{File, Repo};
use crate::text::Span;
use crate::text::is_placeholder;
use crate::yaml::{self, Kind, Node, Tree};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The name of the ConfigMap.
const CONFIG_MAP: &str = "argocd-rbac-cm";

/// Roles that Argo CD brings along.
pub const BUILT_IN_ROLES: [&str; 2] = ["role:admin", "role:readonly"];

/// The RBAC settings of a snapshot.
#[derive(Debug, Default)]
pub struct Rbac {
    /// In order of path and place.
    pub settings: Vec<Settings>,
    /// Whether a generator makes the ConfigMap of files that are not read.
    is_generated: bool,
}

/// The settings that are written in one place.
#[derive(Debug, Default)]
pub struct Settings {
    /// The policies, in the order in which Argo CD joins them.
    pub policies: Vec<Policy>,
    /// The role that everybody has.
    pub default_role: Option<(String, Span)>,
    /// Whether patterns are globs or regular expressions; not known where another place may tell.
    pub mode: Option<Mode>,
}

/// How the patterns of a policy are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Globs without separators.
    Glob,
    /// Regular expressions that may match a part.
    Regex,
}

/// The text of one policy.
#[derive(Debug)]
pub struct Policy {
    /// What it says.
    pub text: String,
    /// The lines that say something, without those that another tool fills in.
    pub lines: Vec<Read>,
    /// Whether no other tool makes lines of it.
    pub is_whole: bool,
    scalar: Span,
    /// The text that holds the scalar, as YAML again.
    outer: Option<Span>,
}

impl Rbac {
    /// The settings that the roots hold.
    pub fn new(repo: &Repo, partial: &Partial) -> Rbac {
        let mut rbac = Rbac::default();
        let words = ["policy.", "defaultPolicy", "rbac:"];
        let files = repo.files().filter(|file| words.iter().any(|word| file.source.mentions(word)));
        for file in files {
            for document in &file.documents {
                let found = rbac.settings.len();
                Finder { outer: None, settings: &mut rbac.settings }.document(document.node(&file.tree));
                // A patch, and values for a chart, leave the rest to another place.
                if !is_manifest(document) || partial.contains(document.id) {
                    rbac.settings[found..].iter_mut().for_each(Settings::lose_default_mode);
                }
            }
        }
        rbac.is_generated = repo.documents(DocumentKind::Kustomization).any(|(file, document)| {
            let generators = document.node(&file.tree).get("configMapGenerator");
            let name = |generator: Node<'_>| generator.get("name").and_then(Node::as_str) == Some(CONFIG_MAP);
            generators.is_some_and(|generators| generators.items().any(name))
        });
        if rbac.settings.iter().any(|settings| settings.mode == Some(Mode::Regex)) {
            rbac.settings.iter_mut().for_each(Settings::lose_default_mode);
        }
        rbac
    }

    /// Whether every line of every policy is known.
    pub fn is_whole(&self) -> bool {
        !self.is_generated && self.policies().all(|policy| policy.is_whole)
    }

    /// Every policy.
    pub fn policies(&self) -> impl Iterator<Item = &Policy> {
        self.settings.iter().flat_map(|settings| &settings.policies)
    }

    /// The roles that have a permission or belong to another role.
    pub fn roles(&self) -> BTreeSet<&str> {
        let lines = self.policies().flat_map(|policy| &policy.lines).filter_map(|(_, line)| line.as_ref().ok());
        let subjects = lines.map(|line| match line {
            Line::Permission(permission) => permission.subject.text.as_str(),
            Line::Grant { member, .. } => member.text.as_str(),
        });
        subjects.chain(BUILT_IN_ROLES).collect()
    }
}

impl Settings {
    /// Forgets that patterns are globs, which nothing may have said.
    fn lose_default_mode(&mut self) {
        self.mode = self.mode.filter(|mode| *mode != Mode::Glob);
    }
}

impl Policy {
    /// The bytes of the file behind a part of the text.
    pub fn place(&self, part: Range<usize>, repo: &Repo) -> Span {
        let Some(file) = repo.file(self.outer.unwrap_or(self.scalar).file) else { return self.scalar };
        let Some(outer) = self.outer else { return file.tree.place_in_scalar(self.scalar, part) };
        let Some(inner) = inner(file, outer) else { return outer };
        let part = inner.place_in_scalar(self.scalar, part);
        file.tree.place_in_scalar(outer, part.range())
    }
}

/// The YAML in the text of a scalar.
fn inner(file: &File, outer: Span) -> Option<Tree> {
    let node = file.tree.nodes_starting_in(outer.start..outer.start + 1).find(|node| node.span() == outer)?;
    Some(yaml::parse(outer.file, Arc::from(node.text()?)))
}

fn is_manifest(document: &Document) -> bool {
    matches!(document.resource, Resource::Manifest(_))
}

/// Looks for settings in a document.
struct Finder<'f> {
    /// The text that the document stands in, when it is one.
    outer: Option<Span>,
    settings: &'f mut Vec<Settings>,
}

impl Finder<'_> {
    fn document(&mut self, root: Node<'_>) {
        let text = |path: &[&str]| root.at(path).and_then(Node::as_str);
        match (text(&["kind"]), text(&["metadata", "name"])) {
            (Some("ConfigMap"), Some(CONFIG_MAP)) => {
                if let Some(data) = root.get("data") {
                    self.add(data, "policy.default", "policy.matchMode");
                }
            }
            (Some("ArgoCD"), _) => {
                if let Some(rbac) = root.at(&["spec", "rbac"]) {
                    self.add(rbac, "defaultPolicy", "policyMatcherMode");
                }
            }
            _ => self.values(root, ""),
        }
    }

    /// Values of Argo CD's chart, at any depth; texts are looked into once.
    fn values(&mut self, node: Node<'_>, key: &str) {
        for entry in node.entries() {
            let name = entry.key.key_text();
            match (key, &*name) {
                ("configs", "rbac") | ("server", "rbacConfig") => {
                    self.add(entry.value, "policy.default", "policy.matchMode");
                }
                _ => self.values(entry.value, &name),
            }
        }
        node.items().for_each(|item| self.values(item, key));
        let text = node.as_str().filter(|text| self.outer.is_none() && text.contains('\n') && text.contains("policy."));
        if let Some(text) = text {
            let tree = yaml::parse(node.span().file, Arc::from(text));
            if tree.errors().is_empty() {
                let mut finder = Finder { outer: Some(node.span()), settings: self.settings };
                tree.documents().iter().filter_map(|document| tree.root(document)).for_each(|root| finder.patch(root));
            }
        }
    }

    /// A text that is YAML: a patch in one of two forms, or values.
    fn patch(&mut self, root: Node<'_>) {
        if root.kind() != Kind::Sequence {
            return self.document(root);
        }
        for operation in root.items() {
            let path = operation.get("path").and_then(Node::as_str);
            let key = path.and_then(|path| path.strip_prefix("/data/")).unwrap_or_default();
            if let Some(value) = operation.get("value").filter(|_| !policy::keys([key]).is_empty()) {
                let policies = self.policy(value).into_iter().collect();
                self.settings.push(Settings { policies, ..Settings::default() });
            }
        }
    }

    /// Adds the settings that a mapping holds.
    fn add(&mut self, data: Node<'_>, default_key: &str, mode_key: &str) {
        let names: Vec<String> = data.entries().map(|entry| entry.key.key_text().into_owned()).collect();
        let mut keys = policy::keys(names.iter().map(String::as_str));
        if default_key == "defaultPolicy" {
            keys = vec!["policy"];
        }
        let policies = keys.into_iter().filter_map(|key| data.get(key)).filter_map(|node| self.policy(node)).collect();
        let default_role = data.get(default_key).and_then(|node| {
            let role = node.as_str().filter(|role| !role.is_empty() && !is_placeholder(role))?;
            Some((role.to_owned(), self.outer.unwrap_or(node.span())))
        });
        let mode = match data.get(mode_key).map(Node::as_str) {
            Some(Some("regex")) => Some(Mode::Regex),
            Some(Some(mode)) if is_placeholder(mode) => None,
            Some(None) => None,
            _ => Some(Mode::Glob),
        };
        self.settings.push(Settings { policies, default_role, mode });
    }

    fn policy(&self, node: Node<'_>) -> Option<Policy> {
        let text = node.as_str()?;
        // A template may make any lines of it, a placeholder only its own.
        let is_template = text.contains("{{");
        let is_known = |(place, _): &Read| !is_placeholder(&text[place.clone()]);
        let all = if is_template { Vec::new() } else { policy::lines(text) };
        let count = all.len();
        let lines: Vec<Read> = all.into_iter().filter(is_known).collect();
        let is_whole = !is_template && lines.len() == count;
        Some(Policy { text: text.to_owned(), lines, is_whole, scalar: node.span(), outer: self.outer })
    }
}
