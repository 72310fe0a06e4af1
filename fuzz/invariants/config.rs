//! What holds for every configuration, whoever makes it up.

use plimsoll::engine::config::{Cluster, Clusters, ConfigFile, Mistake, read, read_clusters};
use plimsoll::text::Spanned;

/// Panics if anything that the reader of the configuration promises does not hold for these bytes.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (config, mistakes) = read(text);
    check_mistakes(&mistakes, text);
    check_config(&config, text);
    if mistakes.is_empty() {
        check_meaning(&config);
    }
    let (clusters, mistakes) = read_clusters(text);
    check_mistakes(&mistakes, text);
    check_clusters(&clusters, text);
}

fn check_mistakes(mistakes: &[Mistake], text: &str) {
    for mistake in mistakes {
        assert!(text.get(mistake.span.range()).is_some(), "{mistake:?}");
        assert!(!mistake.message.is_empty(), "{mistake:?}");
        assert!(mistake.help.as_ref().is_none_or(|help| !help.is_empty()), "{mistake:?}");
    }
}

/// Whatever is kept knows its place.
fn check_config(config: &ConfigFile, text: &str) {
    let pairs = |pairs: &[(Spanned<String>, Spanned<String>)]| {
        pairs.iter().for_each(|(key, value)| [key, value].into_iter().for_each(|word| check_place(word, text)));
    };
    config.environments.iter().chain(&config.production).for_each(|word| check_place(word, text));
    pairs(&config.repos);
    match &config.clusters {
        Clusters::None => {}
        Clusters::Inline(clusters) => check_clusters(clusters, text),
        Clusters::File(file) => check_place(file, text),
    }
    let argocd = [&config.argocd.namespace, &config.baseline];
    argocd.into_iter().flatten().for_each(|word| check_place(word, text));
    for (name, sets) in &config.fixtures {
        check_place(name, text);
        assert!(sets.iter().all(|set| set.as_map().is_some()), "a fixture is a list of maps");
    }
    for entry in config.rules.iter().chain(config.overrides.iter().flat_map(|part| &part.rules)) {
        let is_known = |name: &str| entry.rule.check.options.iter().any(|option| option.name == name);
        assert!(entry.options.iter().all(|(name, _)| is_known(name)), "an option belongs to its rule");
    }
    assert!(config.overrides.iter().flat_map(|part| &part.rules).all(|entry| entry.options.is_empty()));
}

/// What is accepted without a word can be meant.
fn check_meaning(config: &ConfigFile) {
    let environments: Vec<&str> = config.environments.iter().map(|name| name.value.as_str()).collect();
    for (index, name) in environments.iter().enumerate() {
        assert!(!environments[..index].contains(name), "environments differ");
    }
    if !environments.is_empty() {
        assert!(config.production.iter().all(|name| environments.contains(&name.value.as_str())));
    }
    for (url, _) in &config.repos {
        assert!(plimsoll::repo::RepoUrl::new(&url.value).is_some(), "{url:?}");
    }
}

fn check_clusters(clusters: &[Cluster], text: &str) {
    for cluster in clusters {
        let names = [&cluster.name, &cluster.server].into_iter().flatten();
        let entries = cluster.labels.iter().chain(&cluster.annotations).flat_map(|(key, value)| [key, value]);
        names.chain(entries).for_each(|word| check_place(word, text));
    }
}

fn check_place(word: &Spanned<String>, text: &str) {
    assert!(text.get(word.span.range()).is_some(), "{word:?}");
}
