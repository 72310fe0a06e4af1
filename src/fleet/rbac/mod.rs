//! Who may use Argo CD: the RBAC settings that the roots hold, wherever they are written.
//!
//! They are one ConfigMap in the cluster, `argocd-rbac-cm`. In git they are that ConfigMap, a patch of it, values of Argo
//! CD's chart, or a field of the operator's `ArgoCD`; `faults` tells what is wrong in their lines.

pub mod faults;

use crate::fleet::partial::Partial;
use crate::formats::argo::policy::{self, Line, Read};
use crate::formats::{Document, Kind as DocumentKind, Resource};
use crate::repo::{File, FileState, Found, Repo};
use crate::text::{FileId, RepoPath, Span, is_placeholder};
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
    /// Whether a generator makes the ConfigMap of files that are not read, too.
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
    home: Home,
}

/// Where the text of a policy stands.
#[derive(Debug)]
enum Home {
    /// In a scalar.
    Scalar {
        scalar: Span,
        /// Where in its text.
        start: usize,
        /// The text that holds the scalar, as YAML again.
        outer: Option<Span>,
    },
    /// In a file of its own.
    File(FileId),
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
        for (file, document) in repo.documents(DocumentKind::Kustomization) {
            let generators = document.node(&file.tree).get("configMapGenerator");
            for generator in generators.into_iter().flat_map(Node::items) {
                if generator.get("name").and_then(Node::as_str) == Some(CONFIG_MAP) {
                    rbac.generated(generator, file, repo);
                }
            }
        }
        if rbac.settings.iter().any(|settings| settings.mode == Some(Mode::Regex)) {
            rbac.settings.iter_mut().for_each(Settings::lose_default_mode);
        }
        rbac
    }

    /// Adds what a generator of the ConfigMap says, in its literals and in files that are read.
    fn generated(&mut self, generator: Node<'_>, file: &File, repo: &Repo) {
        let items = |key: &str| generator.get(key).into_iter().flat_map(Node::items);
        self.is_generated |= ["envs", "env"].iter().any(|key| generator.get(key).is_some());
        // What another part of the ConfigMap says is not known when there is one.
        let is_alone = generator.get("behavior").is_none() && !self.is_generated;
        let mut settings = Settings { mode: is_alone.then_some(Mode::Glob), ..Settings::default() };
        for literal in items("literals") {
            let Some((key, text)) = literal.as_str().and_then(|literal| literal.split_once('=')) else { continue };
            let quote = usize::from(text.len() > 1 && text.starts_with(['"', '\'']) && text.ends_with(&text[..1]));
            let home = Home::Scalar { scalar: literal.span(), start: key.len() + 1 + quote, outer: None };
            let text = &text[quote..text.len() - quote];
            match key {
                "policy.default" if !text.is_empty() && !is_placeholder(text) => {
                    settings.default_role = Some((text.to_owned(), literal.span()));
                }
                "policy.matchMode" if text == "regex" => settings.mode = Some(Mode::Regex),
                "policy.matchMode" if is_placeholder(text) => settings.mode = None,
                _ if !policy::keys([key]).is_empty() => settings.policies.push(Policy::new(text, home)),
                _ => {}
            }
        }
        let folder = file.source.path.parent().unwrap_or_else(RepoPath::root);
        for entry in items("files") {
            let Some(written) = entry.as_str() else { continue };
            let (key, path) = match written.split_once('=') {
                Some((key, path)) => (key, path),
                None => (written.rsplit('/').next().unwrap_or(written), written),
            };
            if policy::keys([key]).is_empty() {
                continue;
            }
            let found = folder.join(path).map(|path| repo.find(file.source.root, &path));
            match found {
                Ok(Found::File(id)) if repo.file(id).is_some_and(|file| file.state == FileState::Read) => {
                    let text = repo.file(id).map_or("", |file| &file.source.text);
                    settings.policies.push(Policy::new(text, Home::File(id)));
                }
                _ => self.is_generated = true,
            }
        }
        self.settings.push(settings);
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
    fn new(text: &str, home: Home) -> Policy {
        // A template may make any lines of it, a placeholder only its own.
        let is_template = text.contains("{{");
        let is_known = |(place, _): &Read| !is_placeholder(&text[place.clone()]);
        let all = if is_template { Vec::new() } else { policy::lines(text) };
        let count = all.len();
        let lines: Vec<Read> = all.into_iter().filter(is_known).collect();
        let is_whole = !is_template && lines.len() == count;
        Policy { text: text.to_owned(), lines, is_whole, home }
    }

    /// The bytes of the file behind a part of the text.
    pub fn place(&self, part: Range<usize>, repo: &Repo) -> Span {
        let (scalar, start, outer) = match self.home {
            Home::File(file) => return Span::new(file, part.start as u32, part.end as u32),
            Home::Scalar { scalar, start, outer } => (scalar, start, outer),
        };
        let part = part.start + start..part.end + start;
        let Some(file) = repo.file(outer.unwrap_or(scalar).file) else { return scalar };
        let Some(outer) = outer else { return file.tree.place_in_scalar(scalar, part) };
        let Some(inner) = inner(file, outer) else { return outer };
        let part = inner.place_in_scalar(scalar, part);
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
            // Operations of a patch that has a file of its own.
            _ if root.kind() == Kind::Sequence && root.items().any(|item| item.get("op").is_some()) => self.patch(root),
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
        let home = Home::Scalar { scalar: node.span(), start: 0, outer: self.outer };
        Some(Policy::new(node.as_str()?, home))
    }
}
