//! Environments: which words name one, which of them are production, and what an app's places say about it.

use super::app::App;
use super::expand::Provenance;
use super::literal::literal;
use super::{Options, destination};
use crate::formats::argo::{AppProject, ClusterSecret, Metadata};
use crate::formats::{Kind, Resource};
use crate::repo::Repo;
use crate::text::{RepoPath, Span};
use crate::value::Text;
use std::collections::BTreeMap;

/// What is known about environments: configured, else the words everybody uses.
#[derive(Debug, Default)]
pub struct Environments {
    /// In promotion order; empty when not configured.
    pub order: Vec<String>,
    /// Configured production names; empty when not configured.
    pub production: Vec<String>,
}

/// A place that says that an app is production.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// What says so: `label`, `name`, `folder`, `cluster`.
    pub kind: &'static str,
    /// The text that says it.
    pub text: String,
    /// Where it is written; `None` for the folder of a file.
    pub span: Option<Span>,
}

/// Words for one environment, the plainest first.
struct Word {
    spellings: &'static [&'static str],
    is_production: bool,
    /// Whether it names an environment also where it is joined with others, as in `shop-prod`: it means nothing else.
    joins: bool,
}

const fn word(spellings: &'static [&'static str], is_production: bool, joins: bool) -> Word {
    Word { spellings, is_production, joins }
}

const WORDS: &[Word] = &[
    word(&["prod", "production", "prd"], true, true),
    word(&["dev", "development", "develop", "devel"], false, true),
    word(&["test", "testing", "tst"], false, true),
    word(&["staging", "stage", "stg"], false, true),
    word(&["qa"], false, true),
    word(&["uat"], false, true),
    word(&["sit"], false, true),
    word(&["preprod", "preproduction"], false, true),
    word(&["nonprod", "nonproduction"], false, true),
    word(&["live"], true, false),
    word(&["int", "integration"], false, false),
    word(&["local"], false, false),
    word(&["lab"], false, false),
    word(&["demo"], false, false),
    word(&["sandbox"], false, false),
    word(&["canary"], false, false),
    word(&["preview"], false, false),
];

/// Labels that hold an environment, whatever stands before their last `/`.
const LABELS: [&str; 4] = ["env", "environment", "stage", "tier"];

/// An environment that a text names.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Named {
    /// As configured, else as written, in lower case.
    name: String,
    /// The same for all spellings.
    key: String,
    is_production: bool,
}

impl Environments {
    /// The environments of a configuration.
    pub fn new(options: &Options) -> Environments {
        Environments { order: options.environments.clone(), production: options.production.clone() }
    }

    /// What says that an app is production; `None` when nothing does, or when its places contradict each other.
    ///
    /// Looked at are its labels, its name, the folders of its file, of its parameters and of its sources, and its
    /// cluster.
    pub fn production(&self, app: &App, repo: &Repo) -> Option<Evidence> {
        let evidence = self.evidence(app, repo);
        let mut named = evidence.iter().flat_map(|(_, named)| named);
        if !named.all(|named| named.is_production) {
            return None;
        }
        evidence.into_iter().find(|(_, named)| !named.is_empty()).map(|(evidence, _)| evidence)
    }

    /// The environment of an app; `None` when nothing names one, or when its places contradict each other.
    pub fn of(&self, app: &App, repo: &Repo) -> Option<String> {
        self.agreed(app, repo).map(|named| named.name)
    }

    /// What all places of an app that name an environment name.
    fn agreed(&self, app: &App, repo: &Repo) -> Option<Named> {
        let evidence = self.evidence(app, repo);
        let mut named = evidence.into_iter().flat_map(|(_, named)| named);
        let first = named.next()?;
        named.all(|other| other.key == first.key).then_some(first)
    }

    /// The environments that apps are in, in order of name, and whether each is production; none when they are configured.
    pub fn inferred(&self, apps: &[App], repo: &Repo) -> BTreeMap<String, bool> {
        let agreed = apps.iter().filter(|_| !self.is_configured()).filter_map(|app| self.agreed(app, repo));
        agreed.map(|named| (named.name, named.is_production)).collect()
    }

    /// Whether an app is certainly in the environment of this name; `production` is every one that is production.
    pub fn is_in(&self, app: &App, name: &str, repo: &Repo) -> bool {
        let evidence = self.evidence(app, repo);
        self.agree(evidence.iter().flat_map(|(_, named)| named), name)
    }

    /// Whether a project is, by its name and labels.
    pub fn is_project_in(&self, project: &AppProject, name: &str) -> bool {
        let known = |text: &Text| literal(text).ok().map(|text| text.value.to_owned());
        let labels = labels(&project.metadata).filter_map(known).filter_map(|label| self.alone(&label));
        let name_of = project.metadata.name.as_ref().and_then(known).unwrap_or_default();
        let named: Vec<Named> = labels.chain(self.joined(&name_of)).collect();
        self.agree(named.iter(), name)
    }

    /// Whether all places name one environment, and that is the one of this name.
    fn agree<'n>(&self, mut named: impl Iterator<Item = &'n Named> + Clone, name: &str) -> bool {
        let wanted = self.alone(name).map_or_else(|| name.to_lowercase(), |named| named.key);
        let is_wanted = |named: &Named| named.key == wanted || (name == "production" && named.is_production);
        named.clone().next().is_some() && named.all(is_wanted)
    }

    /// What every place names, strongest first.
    fn evidence(&self, app: &App, repo: &Repo) -> Vec<(Evidence, Vec<Named>)> {
        let mut found = Vec::new();
        let mut add = |kind, text: &str, span, named: Vec<Named>| {
            found.push((Evidence { kind, text: text.to_owned(), span }, named));
        };
        let known = |text: &Text| literal(text).ok().map(|text| (text.value.to_owned(), text.span));
        for text in labels(&app.metadata) {
            if let Some((value, span)) = known(text) {
                add("label", &value, Some(span), self.alone(&value).into_iter().collect());
            }
        }
        for folder in folders(app, repo) {
            add("folder", folder.as_str(), None, self.in_path(folder.as_str()));
        }
        for path in app.sources.iter().filter_map(|source| source.written.path.as_ref()) {
            if let Some((path, span)) = known(path) {
                add("folder", &path, Some(span), self.in_path(&path));
            }
        }
        if let Some((name, span)) = app.metadata.name.as_ref().and_then(known) {
            add("name", &name, Some(span), self.joined(&name));
        }
        let destination = app.spec.destination.as_ref();
        if let Some((name, span)) = destination.and_then(|destination| destination.name.as_ref()).and_then(known) {
            add("cluster", &name, Some(span), self.in_path(&name));
        }
        for text in clusters(app, repo).flat_map(|cluster| labels(&cluster.metadata)) {
            if let Some((value, span)) = known(text) {
                add("cluster", &value, Some(span), self.alone(&value).into_iter().collect());
            }
        }
        found
    }

    /// A path speaks by the segments that are an environment, else by those that are joined with one.
    fn in_path(&self, path: &str) -> Vec<Named> {
        let whole: Vec<Named> = path.split('/').filter_map(|segment| self.alone(segment)).collect();
        if whole.is_empty() { path.split('/').flat_map(|segment| self.joined(segment)).collect() } else { whole }
    }

    /// The environment whose name a text is.
    fn alone(&self, text: &str) -> Option<Named> {
        let text = text.to_lowercase();
        if self.is_configured() {
            return self.configured(&text);
        }
        let key = text.replace(['-', '_', '.'], "");
        usual(key.trim_end_matches(|letter: char| letter.is_ascii_digit()), &text, false)
    }

    /// The environments that words of a text name.
    fn joined(&self, text: &str) -> Vec<Named> {
        let text = text.to_lowercase();
        let words: Vec<&str> =
            text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if self.is_configured() {
            let names = self.order.iter().chain(&self.production).filter(|name| holds(&words, name));
            // `eu-prod` holds `prod`; the longest name is meant.
            let longest = names.max_by_key(|name| name.len());
            return longest.and_then(|name| self.configured(&name.to_lowercase())).into_iter().collect();
        }
        let named = words.iter().enumerate().filter_map(|(at, word)| {
            let word = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let is_negated = at > 0 && matches!(words[at - 1], "non" | "not" | "no" | "pre");
            let named = usual(word, word, true)?;
            if !is_negated || !named.is_production {
                return Some(named);
            }
            let name = format!("{}{word}", words[at - 1]);
            Some(Named { key: name.clone(), name, is_production: false })
        });
        named.collect()
    }

    fn is_configured(&self) -> bool {
        !self.order.is_empty() || !self.production.is_empty()
    }

    /// The configured environment of this name; without configured production names the usual words are production.
    fn configured(&self, text: &str) -> Option<Named> {
        let find = |names: &[String]| names.iter().find(|name| name.eq_ignore_ascii_case(text)).cloned();
        let name = find(&self.order).or_else(|| find(&self.production))?;
        let is_production = if self.production.is_empty() {
            let usual = Environments::default().joined(text);
            !usual.is_empty() && usual.iter().all(|named| named.is_production)
        } else {
            find(&self.production).is_some()
        };
        Some(Named { key: name.to_lowercase(), name, is_production })
    }
}

/// The usual environment that a word names.
fn usual(key: &str, written: &str, is_joined: bool) -> Option<Named> {
    let word = WORDS.iter().find(|word| word.spellings.contains(&key) && (word.joins || !is_joined))?;
    let number = &written[written.trim_end_matches(|letter: char| letter.is_ascii_digit()).len()..];
    let key = format!("{}{number}", word.spellings[0]);
    Some(Named { name: written.to_owned(), key, is_production: word.is_production })
}

/// The folders of the file that an app comes from, and of its parameters.
fn folders(app: &App, repo: &Repo) -> Vec<RepoPath> {
    let parameters = app.parameters_from().iter().filter_map(|from| match from {
        Provenance::File(file) => repo.entry(*file).path.parent(),
        Provenance::Folder(_, folder) => Some(folder.clone()),
        _ => None,
    });
    repo.entry(app.document().file).path.parent().into_iter().chain(parameters).collect()
}

/// Whether the words of a name stand in a row.
fn holds(words: &[&str], name: &str) -> bool {
    let name = name.to_lowercase();
    let name: Vec<&str> =
        name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    !name.is_empty() && words.windows(name.len()).any(|window| window == name)
}

fn labels(metadata: &Metadata) -> impl Iterator<Item = &Text> {
    let is_environment = |key: &str| LABELS.contains(&key.rsplit('/').next().unwrap_or(key));
    metadata.labels.iter().filter(move |(key, _)| is_environment(&key.value)).map(|(_, value)| value)
}

/// The declared clusters that an app's destination names.
fn clusters<'r>(app: &App, repo: &'r Repo) -> impl Iterator<Item = &'r ClusterSecret> {
    let wanted = |field: fn(&crate::formats::argo::application::Destination) -> &Option<Text>| {
        let text = field(app.spec.destination.as_ref()?).as_ref()?;
        Some(literal(text).ok()?.value.trim_end_matches('/').to_owned())
    };
    let name = wanted(|destination| &destination.name);
    let server = wanted(|destination| &destination.server).filter(|server| server != destination::LOCAL_SERVER);
    let is_same = |text: &Option<Text>, wanted: &Option<String>| {
        let text = text.as_ref().and_then(Text::as_str).map(|text| text.trim_end_matches('/'));
        wanted.is_some() && text == wanted.as_deref()
    };
    repo.documents(Kind::ClusterSecret)
        .filter_map(|(_, document)| match &document.resource {
            Resource::ClusterSecret(cluster) => Some(&**cluster),
            _ => None,
        })
        .filter(move |cluster| is_same(&cluster.name, &name) || is_same(&cluster.server, &server))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(named: &[Named]) -> Vec<(&str, bool)> {
        named.iter().map(|named| (named.key.as_str(), named.is_production)).collect()
    }

    #[test]
    fn the_usual_words_are_known_alone_and_joined() {
        let usual = Environments::default();
        for text in ["prod", "production", "PRD", "prod-us", "stone-prod-p01", "shop_prod"] {
            assert_eq!(says(&usual.joined(text)), [("prod", true)], "{text}");
        }
        for (text, key) in [("shop-staging", "staging"), ("nonprod", "nonprod"), ("non-prod", "nonprod")] {
            assert_eq!(says(&usual.joined(text)), [(key, false)], "{text}");
        }
        for text in ["product", "reproduction", "live-migration", "devices", "demo-app", "shop"] {
            assert_eq!(says(&usual.joined(text)), [], "{text}");
        }
        assert!(usual.alone("live").is_some_and(|named| named.is_production));
        assert_eq!(says(&usual.joined("dev-to-prod")), [("dev", false), ("prod", true)]);
    }

    #[test]
    fn whole_segments_of_a_path_come_first() {
        let usual = Environments::default();
        assert_eq!(says(&usual.in_path("clusters/prod/dev-portal")), [("prod", true)]);
        assert_eq!(says(&usual.in_path("clusters/stone-prod-p01/apps")), [("prod", true)]);
        assert_eq!(says(&usual.in_path("prod/dev")), [("prod", true), ("dev", false)]);
    }

    #[test]
    fn configured_names_replace_the_usual_words() {
        let configured = Environments { order: vec!["blue".into(), "green".into()], production: vec!["green".into()] };
        assert_eq!(says(&configured.joined("shop-green")), [("green", true)]);
        assert_eq!(says(&configured.in_path("clusters/blue")), [("blue", false)]);
        assert_eq!(says(&configured.joined("shop-prod")), []);
    }

    #[test]
    fn without_configured_production_the_usual_words_decide() {
        let configured = Environments { order: vec!["dev".into(), "eu-prod".into()], production: Vec::new() };
        assert_eq!(says(&configured.joined("shop-eu-prod")), [("eu-prod", true)]);
        assert!(configured.alone("dev").is_some_and(|named| !named.is_production));
    }
}
