//! The configuration file as written: every value with its place, every slip noted. What it means is in `settings.rs`.

mod appproject;
mod argocd;
mod environments;
mod policies;
mod sync;

pub use argocd::Argocd;
pub use policies::Policies;

use super::inventory;
use crate::finding::Severity;
use crate::formats::read::{self, Fields};
use crate::repo::RepoUrl;
use crate::rules::{self, OptionDefault, OptionValue, RULES, Rule};
use crate::text::{FileId, Span, Spanned, nearest};
use crate::value::{Map, Value};
use crate::yaml;
use globset::GlobSet;

/// The name under which the file is looked for.
pub const NAME: &str = ".plimsoll.yaml";

/// The version of the configuration that is understood.
const VERSION: i64 = 1;

/// The keys that a map of the configuration may have.
struct Keys {
    /// What messages call the map.
    owner: &'static str,
    known: &'static [&'static str],
    /// Keys that a later version will read.
    later: &'static [&'static str],
}

const KEYS: Keys = Keys {
    owner: "the configuration",
    known: &[
        "version",
        "environments",
        "production",
        "repos",
        "clusters",
        "argocd",
        "fixtures",
        "baseline",
        "policies",
        "rules",
        "overrides",
    ],
    later: &["layouts", "custom-rules"],
};
const CLUSTERS: Keys = Keys { owner: "`clusters`", known: &["file"], later: &[] };
const CLUSTER: Keys = Keys { owner: "a cluster", known: &["name", "server", "labels", "annotations"], later: &[] };
const OVERRIDE: Keys = Keys { owner: "an override", known: &["paths", "rules"], later: &[] };

/// The configuration file as written; what is wrong in form is left out.
#[derive(Clone, Debug, Default)]
pub struct ConfigFile {
    /// `environments`, in promotion order.
    pub environments: Vec<Spanned<String>>,
    /// `production`.
    pub production: Vec<Spanned<String>>,
    /// `repos`: URLs and the folders they are checked out in, relative to the configuration's folder.
    pub repos: Vec<(Spanned<String>, Spanned<String>)>,
    /// `clusters`.
    pub clusters: Clusters,
    /// `argocd`.
    pub argocd: Argocd,
    /// `fixtures`: for each ApplicationSet, the parameters that its generators would get from the network.
    pub fixtures: Vec<(Spanned<String>, Vec<Value>)>,
    /// `baseline`, relative to the configuration's folder.
    pub baseline: Option<Spanned<String>>,
    /// `policies`.
    pub policies: Policies,
    /// `rules`.
    pub rules: Vec<RuleEntry>,
    /// `overrides`, in order: later ones win.
    pub overrides: Vec<Override>,
}

/// `clusters`: what no Secret in the roots declares.
#[derive(Clone, Debug, Default)]
pub enum Clusters {
    /// Not configured.
    #[default]
    None,
    /// In the configuration itself.
    Inline(Vec<Cluster>),
    /// In a file, relative to the configuration's folder.
    File(Spanned<String>),
}

/// One cluster.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// `name`.
    pub name: Option<Spanned<String>>,
    /// `server`.
    pub server: Option<Spanned<String>>,
    /// `labels`.
    pub labels: Vec<(Spanned<String>, Spanned<String>)>,
    /// `annotations`.
    pub annotations: Vec<(Spanned<String>, Spanned<String>)>,
}

/// What the configuration says about one rule.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    /// The rule.
    pub rule: &'static Rule,
    /// Its severity, `Some(None)` for `off`; `None` when only options are set.
    pub severity: Option<Option<Severity>>,
    /// Its options, of the declared types.
    pub options: Vec<(String, OptionValue)>,
}

/// One entry of `overrides`.
#[derive(Clone, Debug)]
pub struct Override {
    /// `paths`, relative to the configuration's folder.
    pub paths: GlobSet,
    /// `rules`; without options.
    pub rules: Vec<RuleEntry>,
}

/// Something that is wrong with the configuration; becomes a finding of `bad-configuration`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The place. Its file is not the file's id: the configuration is read before anything has one.
    pub span: Span,
    /// What is wrong, in the style of messages.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

/// Reads a configuration.
pub fn read(text: &str) -> (ConfigFile, Vec<Mistake>) {
    let mut reader = Reader { text, mistakes: Vec::new() };
    let config = reader.parse().map(|root| reader.config(&root)).unwrap_or_default();
    (config, reader.mistakes)
}

/// Reads a file that holds nothing but clusters: in the form of the configuration, or Secrets as kubectl prints them.
pub fn read_clusters(text: &str) -> (Vec<Cluster>, Vec<Mistake>) {
    if let Some(clusters) = inventory::read(text) {
        return (clusters, Vec::new());
    }
    let mut reader = Reader { text, mistakes: Vec::new() };
    let clusters = reader.parse().map(|root| reader.cluster_list(&root)).unwrap_or_default();
    (clusters, reader.mistakes)
}

struct Reader<'t> {
    text: &'t str,
    mistakes: Vec<Mistake>,
}

impl Reader<'_> {
    fn wrong(&mut self, span: Span, message: impl Into<String>, help: Option<String>) {
        self.mistakes.push(Mistake { span, message: message.into(), help });
    }

    /// The one document of the file.
    fn parse(&mut self) -> Option<Value> {
        let tree = yaml::parse(FileId::default(), self.text.into());
        for error in tree.errors() {
            self.wrong(Span::new(FileId::default(), error.start, error.end), error.message.clone(), error.help.clone());
        }
        let mut roots = tree.documents().iter().filter_map(|document| tree.root(document));
        let root = roots.next()?;
        if let Some(second) = roots.next() {
            self.wrong(second.span(), "the configuration is one document, this is a second one", None);
        }
        Some(read::value(root))
    }

    fn config(&mut self, root: &Value) -> ConfigFile {
        let Some(fields) = self.fields(root, "a map") else { return ConfigFile::default() };
        self.keys(fields, &KEYS);
        if let Some(version) = fields.value("version")
            && !matches!(version, Value::Int(number) if number.value == VERSION)
        {
            let help = format!("this plimsoll reads version {VERSION}");
            self.wrong(version.span(), format!("version `{}` is not known", self.slice(version.span())), Some(help));
        }
        let environments = self.texts(fields, "environments");
        let production = self.texts(fields, "production");
        self.check_environments(&environments, &production);
        ConfigFile {
            policies: self.policies(fields, &environments),
            environments,
            production,
            repos: self.repos(fields),
            clusters: self.clusters(fields),
            argocd: self.argocd(fields),
            fixtures: self.fixtures(fields),
            baseline: self.text(fields, "baseline"),
            rules: self.rules(fields, true),
            overrides: self.overrides(fields),
        }
    }

    /// Notes every key that the map cannot have.
    fn keys(&mut self, fields: Fields<'_>, keys: &Keys) {
        let Keys { owner, known, later } = keys;
        for (key, _) in fields.entries() {
            let word = key.as_str();
            if known.contains(&word) {
                continue;
            }
            if later.contains(&word) {
                self.wrong(key.span, format!("`{word}` is not supported in this version"), Some("remove it".into()));
                continue;
            }
            let help = did_you_mean(word, known.iter().copied(), || format!("the keys are {}", list(known)));
            self.wrong(key.span, format!("`{word}` is not a key of {owner}"), Some(help));
        }
    }

    fn repos(&mut self, fields: Fields<'_>) -> Vec<(Spanned<String>, Spanned<String>)> {
        let repos = self.text_map(fields, "repos");
        for (url, _) in &repos {
            if RepoUrl::new(&url.value).is_none() {
                let help = "write it as the sources do, such as `https://host/owner/name.git`";
                self.wrong(url.span, format!("`{}` is not the URL of a repository", url.value), Some(help.into()));
            }
        }
        repos
    }

    fn clusters(&mut self, fields: Fields<'_>) -> Clusters {
        let Some(value) = fields.value("clusters") else { return Clusters::None };
        let Some(fields) = Fields::of(value) else { return Clusters::Inline(self.cluster_list(value)) };
        self.keys(fields, &CLUSTERS);
        self.text(fields, "file").map_or(Clusters::None, Clusters::File)
    }

    fn cluster_list(&mut self, list: &Value) -> Vec<Cluster> {
        if !matches!(list, Value::List(_)) {
            let message = format!("expected a list of clusters, found {}", kind(list));
            let help = |file| format!("write `{{file: {file}}}` to read the list from a file");
            self.wrong(list.span(), message, list.as_str().map(help));
        }
        let mut clusters = Vec::new();
        for item in list.items() {
            let Some(fields) = self.fields(item, "a cluster: a map with `name` and `server`") else { continue };
            self.keys(fields, &CLUSTER);
            clusters.push(Cluster {
                name: self.text(fields, "name"),
                server: self.text(fields, "server"),
                labels: self.text_map(fields, "labels"),
                annotations: self.text_map(fields, "annotations"),
            });
        }
        clusters
    }

    fn fixtures(&mut self, fields: Fields<'_>) -> Vec<(Spanned<String>, Vec<Value>)> {
        let Some(value) = fields.value("fixtures") else { return Vec::new() };
        let Some(fields) = self.fields(value, "a map from ApplicationSets to parameters") else { return Vec::new() };
        let mut fixtures = Vec::new();
        for (name, value) in fields.entries() {
            let Value::List(sets) = value else {
                self.wrong_type(value, "a list of maps");
                continue;
            };
            let maps = sets.items.iter().filter(|item| self.fields(item, "a map of parameters").is_some());
            fixtures.push((name.clone(), maps.cloned().collect()));
        }
        fixtures
    }

    /// `rules` of the configuration or of an override; the latter has no options.
    fn rules(&mut self, fields: Fields<'_>, has_options: bool) -> Vec<RuleEntry> {
        let Some(value) = fields.value("rules") else { return Vec::new() };
        let Some(fields) = self.fields(value, "a map from rules to severities") else { return Vec::new() };
        let mut entries = Vec::new();
        for (name, value) in fields.entries() {
            let Some(rule) = rules::find(&name.value) else {
                let help = did_you_mean(&name.value, ids(), || "`plimsoll rules` lists them".to_owned());
                self.wrong(name.span, format!("no rule is named `{}`", name.value), Some(help));
                continue;
            };
            let mut entry = RuleEntry { rule, severity: None, options: Vec::new() };
            match value {
                Value::Map(map) => self.rule(&mut entry, map, has_options),
                other => entry.severity = self.severity(other),
            }
            entries.push(entry);
        }
        entries
    }

    fn rule(&mut self, entry: &mut RuleEntry, map: &Map, has_options: bool) {
        for (key, value) in &map.entries {
            if key.value == "severity" {
                entry.severity = self.severity(value);
                continue;
            }
            let specs = entry.rule.check.options;
            let Some(spec) = specs.iter().find(|spec| spec.name == key.value) else {
                let known = specs.iter().map(|spec| spec.name).chain(["severity"]);
                let help = did_you_mean(&key.value, known, || format!("see `plimsoll explain {}`", entry.rule.id));
                let message = format!("rule `{}` has no option `{}`", entry.rule.id, key.value);
                self.wrong(key.span, message, Some(help));
                continue;
            };
            if !has_options {
                let help = "set it under the top `rules`; an override changes severities only";
                self.wrong(key.span, format!("option `{}` cannot differ by path", key.value), Some(help.into()));
                continue;
            }
            entry.options.extend(self.option(value, spec.default).map(|value| (key.value.clone(), value)));
        }
    }

    fn option(&mut self, value: &Value, default: OptionDefault) -> Option<OptionValue> {
        match (default, value) {
            (OptionDefault::Int(_), Value::Int(number)) => Some(OptionValue::Int(number.value)),
            (OptionDefault::Bool(_), Value::Bool(bool)) => Some(OptionValue::Bool(bool.value)),
            (OptionDefault::Texts(_), Value::List(list)) => {
                let texts = list.items.iter().filter_map(|item| self.text_of(item));
                Some(OptionValue::Texts(texts.map(|text| text.value).collect()))
            }
            (default, _) => {
                self.wrong_type(value, default.type_name());
                None
            }
        }
    }

    /// A severity word or `off`. YAML 1.1 reads an unquoted `off` as false.
    fn severity(&mut self, value: &Value) -> Option<Option<Severity>> {
        let word = match value {
            Value::Text(text) => text.as_str().unwrap_or_default(),
            Value::Bool(bool) if !bool.value && self.slice(bool.span).eq_ignore_ascii_case("off") => "off",
            other => {
                self.wrong_type(other, "`error`, `warning`, `info` or `off`");
                return None;
            }
        };
        if word == "off" {
            return Some(None);
        }
        let severity = Severity::from_name(word);
        if severity.is_none() {
            let words = ["error", "warning", "info", "off"];
            let help = did_you_mean(word, words, || format!("the words are {}", list(&words)));
            self.wrong(value.span(), format!("`{word}` is not a severity"), Some(help));
        }
        severity.map(Some)
    }

    fn overrides(&mut self, fields: Fields<'_>) -> Vec<Override> {
        let Some(value) = fields.value("overrides") else { return Vec::new() };
        if !matches!(value, Value::List(_)) {
            self.wrong_type(value, "a list of maps with `paths` and `rules`");
        }
        let mut overrides = Vec::new();
        for item in value.items() {
            let Some(fields) = self.fields(item, "a map with `paths` and `rules`") else { continue };
            self.keys(fields, &OVERRIDE);
            let paths = self.globs(fields, "paths");
            overrides.push(Override { paths, rules: self.rules(fields, false) });
        }
        overrides
    }

    fn fields<'v>(&mut self, value: &'v Value, expected: &str) -> Option<Fields<'v>> {
        let fields = Fields::of(value);
        if fields.is_none() {
            self.wrong_type(value, expected);
        }
        fields
    }

    fn text(&mut self, fields: Fields<'_>, key: &str) -> Option<Spanned<String>> {
        let value = fields.value(key)?;
        self.text_of(value)
    }

    fn text_of(&mut self, value: &Value) -> Option<Spanned<String>> {
        match value {
            Value::Text(text) => text.known().map(|text| text.map(str::to_owned)),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => {
                let message = format!("expected text, found {}", kind(value));
                self.wrong(value.span(), message, Some(format!("quote it: `\"{}\"`", self.slice(value.span()))));
                None
            }
            other => {
                self.wrong_type(other, "text");
                None
            }
        }
    }

    fn bool(&mut self, fields: Fields<'_>, key: &str) -> Option<bool> {
        match fields.value(key)? {
            Value::Bool(value) => Some(value.value),
            other => {
                self.wrong_type(other, OptionDefault::Bool(false).type_name());
                None
            }
        }
    }

    fn texts(&mut self, fields: Fields<'_>, key: &str) -> Vec<Spanned<String>> {
        match fields.value(key) {
            None => Vec::new(),
            Some(Value::List(list)) => list.items.iter().filter_map(|item| self.text_of(item)).collect(),
            Some(other) => {
                self.wrong_type(other, "a list of texts");
                Vec::new()
            }
        }
    }

    fn text_map(&mut self, fields: Fields<'_>, key: &str) -> Vec<(Spanned<String>, Spanned<String>)> {
        let Some(value) = fields.value(key) else { return Vec::new() };
        let Some(fields) = self.fields(value, "a map of texts") else { return Vec::new() };
        fields.entries().iter().filter_map(|(name, value)| Some((name.clone(), self.text_of(value)?))).collect()
    }

    fn wrong_type(&mut self, value: &Value, expected: &str) {
        self.wrong(value.span(), format!("expected {expected}, found {}", kind(value)), None);
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

/// The ids of all rules.
pub fn ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id.0)
}

/// Names the nearest word, or says something else.
pub fn did_you_mean<'c>(
    word: &str,
    known: impl IntoIterator<Item = &'c str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    nearest(word, known).map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null(_) => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Int(_) | Value::Float(_) => "a number",
        Value::Text(_) => "text",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
        Value::Unknown(_) => "something unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> Vec<String> {
        let shown = |mistake: Mistake| format!("{}: {}", &text[mistake.span.range()], mistake.message);
        read(text).1.into_iter().map(shown).collect()
    }

    #[test]
    fn an_empty_configuration_is_one() {
        assert!(mistakes("").is_empty());
        assert!(mistakes("version: 1\nrules:\n").is_empty());
    }

    #[test]
    fn every_known_key_is_read() {
        let text = "\
version: 1
environments: [dev, production]
production: [production]
repos: {https://git.example.com/acme/spokes.git: ../spokes}
clusters: [{name: dev, server: https://dev, labels: {env: dev}}]
argocd: {version: '3.1', new-git-file-globbing: false, namespace: argocd}
fixtures: {previews: [{number: '7'}]}
baseline: .plimsoll-baseline.json
rules: {dangling-source-path: warning}
overrides: [{paths: [demo/**], rules: {dangling-source-path: off}}]
";
        let (config, mistakes) = read(text);
        assert_eq!(mistakes, []);
        assert_eq!(config.environments.len(), 2);
        assert_eq!(config.repos[0].1.value, "../spokes");
        assert_eq!(config.rules[0].severity, Some(Some(Severity::Warning)));
        assert_eq!(config.overrides[0].rules[0].severity, Some(None));
        assert!(config.overrides[0].paths.is_match("demo/a/b.yaml"));
        assert!(!config.overrides[0].paths.is_match("x/demo/b.yaml"));
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let (_, mistakes) = read("enviroments: [dev]\n");
        assert_eq!(mistakes[0].message, "`enviroments` is not a key of the configuration");
        assert_eq!(mistakes[0].help.as_deref(), Some("did you mean `environments`?"));
    }

    #[test]
    fn a_key_of_a_later_version_is_said_to_be_one() {
        assert_eq!(mistakes("layouts: []\n"), ["layouts: `layouts` is not supported in this version"]);
    }

    #[test]
    fn off_counts_quoted_or_not_but_false_does_not() {
        for word in ["off", "'off'", "OFF"] {
            let (config, mistakes) = read(&format!("rules: {{dangling-source-path: {word}}}\n"));
            assert_eq!(mistakes, [], "{word}");
            assert_eq!(config.rules[0].severity, Some(None), "{word}");
        }
        let wrong = mistakes("rules: {dangling-source-path: false}\n");
        assert_eq!(wrong, ["false: expected `error`, `warning`, `info` or `off`, found a boolean"]);
    }

    #[test]
    fn an_unknown_rule_severity_or_option_is_a_mistake() {
        let text = "rules:\n  dangling-source-paht: error\n  dangling-source-path: {severity: eror, depth: 3}\n";
        assert_eq!(
            mistakes(text),
            [
                "dangling-source-paht: no rule is named `dangling-source-paht`",
                "eror: `eror` is not a severity",
                "depth: rule `dangling-source-path` has no option `depth`",
            ]
        );
    }

    #[test]
    fn production_must_be_an_environment() {
        let text = "environments: [dev, production]\nproduction: [prodution]\n";
        assert_eq!(mistakes(text), ["prodution: `prodution` is not one of the environments"]);
    }

    #[test]
    fn a_wrong_type_says_what_was_expected() {
        assert_eq!(mistakes("environments: dev\n"), ["dev: expected a list of texts, found text"]);
        assert_eq!(mistakes("argocd: {version: 3.1}\n"), ["3.1: expected text, found a number"]);
        assert_eq!(mistakes("argocd: {version: latest}\n"), ["latest: `latest` is not a version"]);
        assert_eq!(mistakes("- a\n"), ["- a: expected a map, found a list"]);
        assert_eq!(mistakes("version: 2\n"), ["2: version `2` is not known"]);
    }

    #[test]
    fn a_glob_that_does_not_parse_is_a_mistake() {
        assert_eq!(mistakes("overrides: [{paths: ['a[']}]\n").len(), 1);
    }
}
