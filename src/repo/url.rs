//! Repository URLs: when two spellings mean one repository, to us and to Argo CD.

use crate::lang::url::Url;

/// The text by which Argo CD compares repositories; empty when it cannot parse the URL.
///
/// Mirrors Argo CD 3.6, `util/git`, `NormalizeGitURL`. Permissions are decided on these texts: two URLs of one
/// repository may differ here (https and ssh, a trailing slash), and all that cannot be parsed are equal.
pub fn normalize(url: &str) -> String {
    let mut url: String = url.trim().chars().flat_map(|letter| letter.to_lowercase().next()).collect();
    if is_ssh(&url) && !url.starts_with("ssh://") {
        url = format!("ssh://{}", url.replacen(':', "/", 1));
    }
    let parsed = Url::parse(url.strip_suffix(".git").unwrap_or(&url)).map(|url| url.to_string()).unwrap_or_default();
    parsed.strip_prefix("ssh://").map(str::to_owned).unwrap_or(parsed)
}

/// Whether Argo CD takes two URLs for one repository. Mirrors Argo CD 3.6, `util/git`, `SameURL`.
pub fn same_url(one: &str, other: &str) -> bool {
    let normal = |url: &str| Some(normalize(url)).filter(|normal| !normal.is_empty()).unwrap_or(url.to_owned());
    let one = normal(one);
    !one.is_empty() && one == normal(other)
}

/// Whether Argo CD reaches a repository by ssh: a user in front of the last `@`, with or without the scheme.
pub fn is_ssh(url: &str) -> bool {
    let address = url.strip_prefix("ssh://").unwrap_or(url);
    address.rsplit_once('@').is_some_and(|(user, host)| !user.contains(['/', ':']) && !host.is_empty())
}

/// The identity of a repository: host and path, whatever the way there.
///
/// Looser than Argo CD's own comparison ([`same_url`]): https and ssh, user, port of ssh, `.git`, letter case and a
/// trailing slash do not matter, because they do not change which checkout is meant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RepoUrl(String);

impl RepoUrl {
    /// The identity of the repository at `text`; `None` when it names no host and path.
    pub fn new(text: &str) -> Option<RepoUrl> {
        let text = text.trim();
        let (is_scp, rest) = match text.split_once("://") {
            Some((_, rest)) => (false, rest),
            None => (true, text),
        };
        let rest = rest.rsplit_once('@').map_or(rest, |(user, host)| if user.contains('/') { rest } else { host });
        let (host, path) = match rest.split_once([':', '/']) {
            Some((host, path)) if rest[host.len()..].starts_with(':') && !is_scp => {
                (host, path.split_once('/').map_or("", |(_, path)| path))
            }
            Some((host, path)) => (host, path),
            None => return None,
        };
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path).trim_end_matches('/');
        (!host.is_empty() && !path.is_empty()).then(|| RepoUrl(format!("{host}/{path}").to_lowercase()))
    }

    /// Host and path, lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_repository_are_equal() {
        let wanted = RepoUrl::new("https://github.com/acme/fleet").unwrap();
        for text in [
            "https://github.com/Acme/fleet.git",
            "https://github.com/acme/fleet/",
            "https://user:token@github.com/acme/fleet.git",
            "git@github.com:acme/fleet.git",
            "ssh://git@github.com/acme/fleet",
            "ssh://git@github.com:22/acme/fleet.git",
            "github.com/acme/fleet",
        ] {
            assert_eq!(RepoUrl::new(text), Some(wanted.clone()), "{text}");
        }
    }

    #[test]
    fn argo_cd_ignores_case_and_the_git_suffix_only() {
        assert!(same_url("https://github.com/Acme/fleet.git", " https://GITHUB.com/acme/fleet"));
        assert!(same_url("git@github.com:acme/fleet.git", "ssh://git@github.com/acme/fleet"));
        assert!(!same_url("git@github.com:acme/fleet", "https://github.com/acme/fleet"));
        assert!(!same_url("https://github.com/acme/fleet/", "https://github.com/acme/fleet"));
    }

    #[test]
    fn what_argo_cd_cannot_parse_is_the_same_only_as_written() {
        assert_eq!(normalize("https://h:*/x"), "");
        assert!(same_url("https://h:*/x", "https://h:*/x") && !same_url("https://h:*/x", "https://h:*/y"));
        assert!(!same_url("", ""));
    }

    #[test]
    fn an_ssh_url_has_a_user() {
        assert!(is_ssh("git@h:o/r") && is_ssh("ssh://git@h/o/r"));
        assert!(!is_ssh("https://user@h/o/r") && !is_ssh("git@") && !is_ssh("h/o/r"));
    }

    #[test]
    fn other_repositories_differ() {
        assert_ne!(RepoUrl::new("https://github.com/acme/fleet"), RepoUrl::new("https://github.com/acme/fleet2"));
        assert_eq!(RepoUrl::new("fleet"), None);
    }
}
