//! What a run is to do: the configuration as meant, after flags.

use super::baseline::Baseline;
use super::config::{Cluster, Clusters, ConfigFile, Mistake};
use crate::finding::{RuleId, Severity};
use crate::fleet;
use crate::formats::argo::secret::TYPE_LABEL;
use crate::repo::{Entry, Repo};
use crate::rules::{OptionValue, Options, RULES, Rule, Status};
use crate::text::{RepoPath, RootId, Spanned};
use crate::value::Why;
use globset::GlobSet;
use std::collections::{BTreeMap, BTreeSet};

/// Rules that `--select` does not turn off: they say that the run itself went wrong.
pub const ESSENTIAL: &[&str] = &["bad-configuration", "internal-error", "unread-file"];

/// A path in a root.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The root.
    pub root: RootId,
    /// The path in it.
    pub path: RepoPath,
}

/// The configuration as meant.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What the fleet needs to know.
    pub fleet: fleet::Options,
    /// The namespace of Argo CD, when configured.
    pub argocd_namespace: Option<String>,
    /// Severities that differ from the rules' own; `None` turns a rule off.
    pub severities: BTreeMap<RuleId, Option<Severity>>,
    /// Severities by path, the last match wins over `severities`.
    pub overrides: Vec<Override>,
    /// Options of rules, by rule.
    pub options: BTreeMap<RuleId, Vec<(String, OptionValue)>>,
    /// When set, only these rules are on.
    pub selected: Option<BTreeSet<RuleId>>,
    /// These rules are off, whatever else is said.
    pub ignored: BTreeSet<RuleId>,
    /// Only findings at or below one of these paths are reported; empty for all.
    pub scope: Vec<Place>,
    /// The configuration file, when there is one.
    pub config: Option<Place>,
    /// Findings that are accepted.
    pub baseline: Option<Baseline>,
    /// What is wrong with the configuration and the files it names.
    pub mistakes: Vec<(Place, Mistake)>,
    /// The day of the run, as `2026-01-31`; without it nothing in a baseline expires.
    pub today: Option<String>,
}

/// Severities for some paths.
#[derive(Clone, Debug)]
pub struct Override {
    /// Which paths, seen from the configuration's folder.
    pub paths: GlobSet,
    /// Severities of rules; `None` turns a rule off.
    pub severities: BTreeMap<RuleId, Option<Severity>>,
}

impl Settings {
    /// What a configuration file at `place` means.
    pub fn new(file: ConfigFile, mistakes: Vec<Mistake>, place: Place) -> Settings {
        let folder = place.path.parent().unwrap_or_else(RepoPath::root);
        let owners = fleet::owners::Policy { folder: Some((place.root, folder)), ..file.policies.codeowners };
        let policies = fleet::Policies {
            projects: file.policies.projects,
            sync: file.policies.sync,
            revisions: file.policies.revisions,
            file: Some((place.root, place.path.clone())),
        };
        let strings = |list: Vec<Spanned<String>>| list.into_iter().map(|text| text.value).collect();
        let mut settings = Settings {
            fleet: fleet::Options {
                environments: strings(file.environments),
                production: strings(file.production),
                clusters: Vec::new(),
                owners,
                policies,
                argocd: file.argocd.version,
                expansion: fleet::expand::Settings {
                    new_git_file_globbing: file.argocd.new_git_file_globbing.unwrap_or_default(),
                    include_hidden_directories: file.argocd.include_hidden_directories.unwrap_or_default(),
                    fixtures: file.fixtures.into_iter().map(|(set, sets)| (set.value, sets)).collect(),
                },
            },
            argocd_namespace: file.argocd.namespace.map(|name| name.value),
            mistakes: mistakes.into_iter().map(|mistake| (place.clone(), mistake)).collect(),
            config: Some(place),
            ..Settings::default()
        };
        if let Clusters::Inline(clusters) = file.clusters {
            settings.set_clusters(clusters);
        }
        for entry in file.rules {
            settings.severities.extend(entry.severity.map(|severity| (entry.rule.id, severity)));
            if !entry.options.is_empty() {
                settings.options.insert(entry.rule.id, entry.options);
            }
        }
        let severities = |entries: Vec<super::config::RuleEntry>| {
            entries.into_iter().filter_map(|entry| Some((entry.rule.id, entry.severity?))).collect()
        };
        let overrides = file.overrides.into_iter();
        settings.overrides =
            overrides.map(|entry| Override { paths: entry.paths, severities: severities(entry.rules) }).collect();
        settings
    }

    /// Takes these clusters for all that no Secret in the roots declares.
    pub fn set_clusters(&mut self, clusters: Vec<Cluster>) {
        let known = |text: Option<Spanned<String>>| text.map(|text| text.value).ok_or(Why::Cluster);
        let texts = |entries: Vec<(Spanned<String>, Spanned<String>)>| {
            entries.into_iter().map(|(key, text)| (key.value, Ok(text.value))).collect::<BTreeMap<_, _>>()
        };
        let cluster = |cluster: Cluster| fleet::clusters::Cluster {
            name: known(cluster.name),
            server: known(cluster.server),
            // Neither form of the list tells it.
            project: Err(Why::Cluster),
            namespaces: Vec::new(),
            // Argo CD's own label, which every cluster has.
            labels: std::iter::once((TYPE_LABEL.to_owned(), Ok("cluster".to_owned())))
                .chain(texts(cluster.labels))
                .collect(),
            annotations: texts(cluster.annotations),
            document: None,
        };
        self.fleet.clusters = clusters.into_iter().map(cluster).collect();
    }

    /// The severity of a rule where no override says otherwise; `None` when it is off there.
    pub fn severity(&self, rule: &Rule) -> Option<Severity> {
        self.unless_excluded(rule, || self.general_severity(rule))
    }

    /// The severity of a rule for findings at a path; `None` when it is off there.
    pub fn severity_at(&self, rule: &Rule, repo: &Repo, entry: &Entry) -> Option<Severity> {
        self.unless_excluded(rule, || {
            let deciding = self.overrides.iter().rev().filter_map(|it| Some((it, it.severities.get(&rule.id)?)));
            let mut deciding = deciding.peekable();
            if deciding.peek().is_none() {
                return self.general_severity(rule);
            }
            let path = self.path_from_config(repo, entry);
            let found = deciding.find(|(it, _)| it.paths.is_match(&path));
            found.map_or_else(|| self.general_severity(rule), |(_, severity)| *severity)
        })
    }

    /// The rules that are on somewhere, sorted by id.
    pub fn enabled(&self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().filter(|rule| {
            self.severity(rule).is_some()
                || self
                    .unless_excluded(rule, || {
                        self.overrides.iter().find_map(|it| it.severities.get(&rule.id).copied().flatten())
                    })
                    .is_some()
        })
    }

    /// The options of a rule in this run.
    pub fn options(&self, rule: &'static Rule) -> Options<'_> {
        Options { specs: rule.check.options, set: self.options.get(&rule.id).map_or(&[], Vec::as_slice) }
    }

    /// Whether findings at this path are reported.
    pub fn is_in_scope(&self, root: RootId, path: &RepoPath) -> bool {
        self.scope.is_empty() || self.scope.iter().any(|place| place.root == root && path.is_within(&place.path))
    }

    fn unless_excluded(&self, rule: &Rule, severity: impl FnOnce() -> Option<Severity>) -> Option<Severity> {
        let is_selected = self.selected.as_ref().is_none_or(|selected| selected.contains(&rule.id));
        if self.ignored.contains(&rule.id) || (!is_selected && !ESSENTIAL.contains(&rule.id.0)) {
            return None;
        }
        severity()
    }

    /// A rule that is named on the command line is on, whatever its maturity.
    fn general_severity(&self, rule: &Rule) -> Option<Severity> {
        let is_named = self.selected.as_ref().is_some_and(|selected| selected.contains(&rule.id));
        match self.severities.get(&rule.id) {
            Some(Some(severity)) => Some(*severity),
            Some(None) if !is_named => None,
            _ if is_named => Some(rule.severity.unwrap_or(Severity::Warning)),
            _ if rule.status == Status::Preview => None,
            _ => rule.severity,
        }
    }

    /// A path as the globs of the configuration see it: from the configuration's folder, in other roots with their name.
    fn path_from_config(&self, repo: &Repo, entry: &Entry) -> String {
        if let Some(config) = &self.config
            && config.root == entry.root
        {
            let folder = config.path.parent().unwrap_or_else(RepoPath::root);
            return entry.path.relative_to(&folder).unwrap_or(entry.path.as_str()).to_owned();
        }
        repo.display_path(entry)
    }
}
