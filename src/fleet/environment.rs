//! Environments: which words name one, which of them are production, and what an app's places say about it.

use super::app::App;
use super::literal::literal;
use super::{Options, destination};
use crate::formats::argo::{ClusterSecret, Metadata};
use crate::formats::{Kind, Resource};
use crate::repo::Repo;
use crate::text::Span;
use crate::value::Text;

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

/// Words that name an environment alone and joined with others, as in `shop-prod`.
const PRODUCTION: [&str; 3] = ["prod", "production", "prd"];
const OTHER: [&str; 17] = [
    "dev",
    "development",
    "develop",
    "devel",
    "test",
    "tst",
    "testing",
    "qa",
    "uat",
    "sit",
    "stage",
    "staging",
    "stg",
    "preprod",
    "preproduction",
    "nonprod",
    "nonproduction",
];

/// Words that name an environment only where they stand alone: they mean other things too.
const PRODUCTION_ALONE: [&str; 1] = ["live"];
const OTHER_ALONE: [&str; 8] = ["int", "integration", "local", "lab", "demo", "sandbox", "canary", "preview"];

/// Labels that hold an environment, whatever stands before their last `/`.
const LABELS: [&str; 4] = ["env", "environment", "stage", "tier"];

/// What one place says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    Nothing,
    Production,
    Other,
    /// Both, or a word whose meaning the configuration leaves open.
    Unclear,
}

impl Said {
    fn and(self, other: Said) -> Said {
        match (self, other) {
            (Said::Nothing, said) | (said, Said::Nothing) => said,
            (one, other) if one == other => one,
            _ => Said::Unclear,
        }
    }
}

impl Environments {
    /// The environments of a configuration.
    pub fn new(options: &Options) -> Environments {
        Environments { order: options.environments.clone(), production: options.production.clone() }
    }

    /// What says that an app is production; `None` when nothing does, or when its places contradict each other.
    ///
    /// Looked at are its labels, its name, the folders of its file and of its sources, and its cluster.
    pub fn production(&self, app: &App, repo: &Repo) -> Option<Evidence> {
        let mut said = Said::Nothing;
        let mut first = None;
        for (evidence, found) in self.evidence(app, repo) {
            said = said.and(found);
            if found == Said::Production && first.is_none() {
                first = Some(evidence);
            }
        }
        first.filter(|_| said == Said::Production)
    }

    /// What every place says, strongest first.
    fn evidence(&self, app: &App, repo: &Repo) -> Vec<(Evidence, Said)> {
        let mut found = Vec::new();
        let mut add = |kind, text: &str, span, said| found.push((Evidence { kind, text: text.to_owned(), span }, said));
        let known = |text: &Text| literal(text).ok().map(|text| (text.value.to_owned(), text.span));
        for text in labels(&app.metadata) {
            if let Some((value, span)) = known(text) {
                add("label", &value, Some(span), self.said_alone(&value));
            }
        }
        let folder = repo.entry(app.document().file).path.parent();
        if let Some(folder) = &folder {
            add("folder", folder.as_str(), None, self.said_by_path(folder.as_str()));
        }
        for path in app.sources.iter().filter_map(|source| source.written.path.as_ref()) {
            if let Some((path, span)) = known(path) {
                add("folder", &path, Some(span), self.said_by_path(&path));
            }
        }
        if let Some((name, span)) = app.metadata.name.as_ref().and_then(known) {
            add("name", &name, Some(span), self.said_joined(&name));
        }
        let destination = app.spec.destination.as_ref();
        if let Some((name, span)) = destination.and_then(|destination| destination.name.as_ref()).and_then(known) {
            add("cluster", &name, Some(span), self.said_by_path(&name));
        }
        for text in clusters(app, repo).flat_map(|cluster| labels(&cluster.metadata)) {
            if let Some((value, span)) = known(text) {
                add("cluster", &value, Some(span), self.said_alone(&value));
            }
        }
        found
    }

    /// A path speaks by the segments that are an environment, else by those that are joined with one.
    fn said_by_path(&self, path: &str) -> Said {
        let fold = |said: fn(&Environments, &str) -> Said| {
            path.split('/').map(|segment| said(self, segment)).fold(Said::Nothing, Said::and)
        };
        match fold(Environments::said_alone) {
            Said::Nothing => fold(Environments::said_joined),
            said => said,
        }
    }

    /// What a text says that is nothing but the name of an environment.
    fn said_alone(&self, text: &str) -> Said {
        let text = text.to_lowercase();
        if self.is_configured() {
            return self.configured(&text);
        }
        let text = text.replace(['-', '_', '.'], "");
        let text = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
        if PRODUCTION.contains(&text) || PRODUCTION_ALONE.contains(&text) {
            Said::Production
        } else if OTHER.contains(&text) || OTHER_ALONE.contains(&text) {
            Said::Other
        } else {
            Said::Nothing
        }
    }

    /// What the words of a text say together.
    fn said_joined(&self, text: &str) -> Said {
        let text = text.to_lowercase();
        let words: Vec<&str> =
            text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if self.is_configured() {
            let names = self.order.iter().chain(&self.production).filter(|name| holds(&words, name));
            // `eu-prod` holds `prod`; the longest name is meant.
            let longest = names.max_by_key(|name| name.len());
            return longest.map_or(Said::Nothing, |name| self.configured(&name.to_lowercase()));
        }
        let mut said = Said::Nothing;
        for (at, word) in words.iter().enumerate() {
            let word = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let is_negated = at > 0 && matches!(words[at - 1], "non" | "not" | "no" | "pre");
            if OTHER.contains(&word) || (is_negated && PRODUCTION.contains(&word)) {
                said = said.and(Said::Other);
            } else if PRODUCTION.contains(&word) {
                said = said.and(Said::Production);
            }
        }
        said
    }

    fn is_configured(&self) -> bool {
        !self.order.is_empty() || !self.production.is_empty()
    }

    /// What a configured name says; without configured production names the usual words are production.
    fn configured(&self, text: &str) -> Said {
        let is_in = |names: &[String]| names.iter().any(|name| name.eq_ignore_ascii_case(text));
        let is_production = if self.production.is_empty() {
            is_in(&self.order) && Environments::default().said_joined(text) == Said::Production
        } else {
            is_in(&self.production)
        };
        match (is_production, is_in(&self.order)) {
            (true, _) => Said::Production,
            (false, true) => Said::Other,
            (false, false) => Said::Nothing,
        }
    }
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

    #[test]
    fn the_usual_words_are_known_alone_and_joined() {
        let usual = Environments::default();
        for text in ["prod", "production", "PRD", "prod-us", "stone-prod-p01", "shop_prod", "prod2"] {
            assert_eq!(usual.said_joined(text), Said::Production, "{text}");
        }
        for text in ["dev", "shop-staging", "nonprod", "non-prod", "pre-production", "qa1"] {
            assert_eq!(usual.said_joined(text), Said::Other, "{text}");
        }
        for text in ["product", "reproduction", "live-migration", "devices", "demo-app", "shop"] {
            assert_eq!(usual.said_joined(text), Said::Nothing, "{text}");
        }
        assert_eq!(usual.said_alone("live"), Said::Production);
        assert_eq!(usual.said_joined("dev-to-prod"), Said::Unclear);
    }

    #[test]
    fn whole_segments_of_a_path_come_first() {
        let usual = Environments::default();
        assert_eq!(usual.said_by_path("clusters/prod/dev-portal"), Said::Production);
        assert_eq!(usual.said_by_path("clusters/stone-prod-p01/apps"), Said::Production);
        assert_eq!(usual.said_by_path("prod/dev"), Said::Unclear);
    }

    #[test]
    fn configured_names_replace_the_usual_words() {
        let configured = Environments { order: vec!["blue".into(), "green".into()], production: vec!["green".into()] };
        assert_eq!(configured.said_joined("shop-green"), Said::Production);
        assert_eq!(configured.said_by_path("clusters/blue"), Said::Other);
        assert_eq!(configured.said_joined("shop-prod"), Said::Nothing);
    }

    #[test]
    fn without_configured_production_the_usual_words_decide() {
        let configured = Environments { order: vec!["dev".into(), "eu-prod".into()], production: Vec::new() };
        assert_eq!(configured.said_joined("shop-eu-prod"), Said::Production);
        assert_eq!(configured.said_alone("dev"), Said::Other);
    }
}
