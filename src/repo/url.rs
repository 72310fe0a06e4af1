//! Repository URLs: when two spellings mean one repository.

/// The identity of a repository: host and path, whatever the way there.
///
/// Looser than Argo CD's own comparison ([`same`]): https and ssh, user, port of ssh, `.git`, letter case and a
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
    fn other_repositories_differ() {
        assert_ne!(RepoUrl::new("https://github.com/acme/fleet"), RepoUrl::new("https://github.com/acme/fleet2"));
        assert_eq!(RepoUrl::new("fleet"), None);
    }
}
