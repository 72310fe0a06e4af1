//! How the apps of a bucket are synced.

use super::{Breach, Policies};
use crate::fleet::{App, Fleet};
use crate::formats::argo::annotation::OPTIONS;
use crate::formats::argo::application::SyncPolicy;
use crate::lang::glob::path;
use crate::repo::Repo;
use crate::text::{Span, Spanned};
use crate::value::{Text, Value};
use globset::GlobSet;

/// An entry of `policies.sync`: the apps that it is about, and what it demands of them.
#[derive(Clone, Debug, Default)]
pub struct Bucket {
    /// `paths` of the files that declare the apps or their sets; `None` for all.
    pub paths: Option<GlobSet>,
    /// `projects`, patterns; empty for all.
    pub projects: Vec<String>,
    /// `labels` that an app has: keys, and patterns of their values.
    pub labels: Vec<(String, String)>,
    /// `environments`; empty for all.
    pub environments: Vec<String>,
    /// What is demanded, each at its key.
    pub demands: Vec<Spanned<Demand>>,
}

/// One demand.
#[derive(Clone, PartialEq, Debug)]
pub enum Demand {
    /// `automated`: whether the controller syncs by itself.
    Automated(bool),
    /// A flag of automated sync: `prune`, `selfHeal` or `allowEmpty`. It counts where automated sync is on.
    Flag(Flag, bool),
    /// One of `syncOptions`: it is there, or what it says holds anyway.
    Option(String),
    /// `retry`: whether there is one.
    Retries(bool),
    /// `retry`: the values that it has at least.
    Retry(Value),
}

/// A flag of automated sync.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    /// `prune`.
    Prune,
    /// `selfHeal`.
    SelfHeal,
    /// `allowEmpty`.
    AllowEmpty,
}

impl Flag {
    /// Every flag.
    pub const ALL: [Flag; 3] = [Flag::Prune, Flag::SelfHeal, Flag::AllowEmpty];

    /// Its key.
    pub fn key(self) -> &'static str {
        match self {
            Flag::Prune => "prune",
            Flag::SelfHeal => "selfHeal",
            Flag::AllowEmpty => "allowEmpty",
        }
    }
}

impl Bucket {
    /// Whether an app is certainly one of those that it is about.
    pub fn has(&self, app: &App, policies: &Policies, fleet: &Fleet, repo: &Repo) -> bool {
        let fits = |pattern: &str, text: &str| path::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(text));
        let has_label = |key: &str, pattern: &str| {
            app.metadata.label(key).and_then(Text::as_str).is_some_and(|value| fits(pattern, value))
        };
        let project = || app.project().unwrap_or_default();
        let entry = repo.entry(app.document().file);
        (self.projects.is_empty() || self.projects.iter().any(|pattern| fits(pattern, project())))
            && self.labels.iter().all(|(key, pattern)| has_label(key, pattern))
            && self.paths.as_ref().is_none_or(|paths| paths.is_match(&*policies.path(repo, entry)))
            && (self.environments.is_empty()
                || self.environments.iter().any(|name| fleet.environments.is_in(app, name, repo)))
    }

    /// What differs from the demands in the sync policy of an app whose other place is `place`.
    pub fn breaches(&self, sync: &SyncPolicy, place: Span) -> Vec<Breach> {
        if sync.is_unknown {
            return Vec::new();
        }
        let whole = sync.span.unwrap_or(place);
        self.demands.iter().filter_map(|demand| breach(&demand.value, demand.span, sync, whole)).collect()
    }
}

fn breach(demand: &Demand, line: Span, sync: &SyncPolicy, whole: Span) -> Option<Breach> {
    let automated = sync.automated.as_ref();
    if automated.is_some_and(|automated| automated.is_unknown)
        && matches!(demand, Demand::Automated(_) | Demand::Flag(..))
    {
        return None;
    }
    let is_on = automated.is_some_and(|automated| automated.is_on());
    let (span, message, help) = match demand {
        Demand::Automated(wanted) => {
            if is_on == *wanted {
                return None;
            }
            let help = if *wanted { "write `automated: {}`" } else { "remove `automated`" };
            let message = format!("automated sync is {}, the policy wants it {}", word(is_on), word(*wanted));
            (automated.map_or(whole, |automated| automated.key), message, help.to_owned())
        }
        Demand::Flag(flag, wanted) => {
            let automated = automated.filter(|_| is_on)?;
            let written = match flag {
                Flag::Prune => &automated.prune,
                Flag::SelfHeal => &automated.self_heal,
                Flag::AllowEmpty => &automated.allow_empty,
            };
            let is_set = written.as_ref().is_some_and(|written| written.value);
            if is_set == *wanted || automated.has_unknown_flags {
                return None;
            }
            let key = flag.key();
            let message = format!("`{key}` is {}, the policy wants it {}", word(is_set), word(*wanted));
            let span = written.as_ref().map_or(automated.key, |written| written.span);
            (span, message, format!("write `{key}: {wanted}`"))
        }
        Demand::Option(wanted) => option(wanted, sync, whole)?,
        Demand::Retries(wanted) => {
            if sync.retry.is_some() == *wanted {
                return None;
            }
            let state = if *wanted { "missing, the policy wants it" } else { "set, the policy wants none" };
            let span = sync.retry.as_ref().map_or(whole, Value::span);
            (span, format!("`retry` is {state}"), "correct `retry` of the sync policy".to_owned())
        }
        Demand::Retry(wanted) => {
            let Some(retry) = &sync.retry else {
                let message = "`retry` is missing, the policy wants it".to_owned();
                return Some(Breach {
                    span: whole,
                    message,
                    demand: line,
                    help: "add `retry` as the policy has it".into(),
                });
            };
            let (span, path, wanted) = difference(wanted, retry, "retry")?;
            let help = format!("write `{}: {wanted}`", path.rsplit('.').next().unwrap_or(&path));
            (span, format!("`{path}` differs from the policy, which wants `{wanted}`"), help)
        }
    };
    Some(Breach { span, message, demand: line, help })
}

/// What is wrong about a demanded sync option.
fn option(wanted: &str, sync: &SyncPolicy, whole: Span) -> Option<(Span, String, String)> {
    let (name, value) = wanted.split_once('=').unwrap_or((wanted, ""));
    if sync.options.iter().any(|option| option.as_str() == Some(wanted)) {
        return None;
    }
    let named =
        |option: &&Text| option.as_str().and_then(|text| text.split_once('=')).is_some_and(|(own, _)| own == name);
    if let Some(other) = sync.options.iter().find(named) {
        let written = other.as_str().unwrap_or_default();
        let message = format!("sync option is `{written}`, the policy wants `{wanted}`");
        return Some((other.span(), message, format!("write `{wanted}`")));
    }
    let holds_anyway = OPTIONS.iter().any(|option| option.name == name && option.defaults.contains(&value));
    if holds_anyway || sync.options.iter().any(|option| option.as_str().is_none()) {
        return None;
    }
    let message = format!("sync option `{wanted}` is missing, the policy wants it");
    Some((whole, message, format!("add `{wanted}` to `syncOptions`")))
}

/// The first place where a value lacks or differs from what is wanted of it.
fn difference(wanted: &Value, value: &Value, path: &str) -> Option<(Span, String, String)> {
    match (wanted, value) {
        (Value::Map(wanted), Value::Map(map)) => wanted.entries.iter().find_map(|(key, wanted)| {
            let path = format!("{path}.{}", key.value);
            match map.get(&key.value) {
                Some(value) => difference(wanted, value, &path),
                None => Some((map.span, path, shown(wanted))),
            }
        }),
        (_, Value::Unknown(_)) => None,
        (wanted, value) => (shown(wanted) != shown(value)).then(|| (value.span(), path.to_owned(), shown(wanted))),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.as_str().unwrap_or("?").to_owned(),
        Value::Int(number) => number.value.to_string(),
        Value::Float(number) => number.value.to_string(),
        Value::Bool(flag) => flag.value.to_string(),
        Value::Map(_) => "{…}".into(),
        Value::List(_) => "[…]".into(),
        Value::Null(_) | Value::Unknown(_) => "nothing".into(),
    }
}

fn word(is_on: bool) -> &'static str {
    if is_on { "on" } else { "off" }
}
