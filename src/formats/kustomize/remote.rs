//! Which paths of a kustomization are fetched from elsewhere.
//!
//! Mirrors kustomize 5.8, `api/internal/git/repospec.go` and `api/internal/loader`.

/// Whether kustomize fetches `path` instead of looking for it beside the kustomization.
pub fn is_remote(path: &str) -> bool {
    // Older releases knew `gh:`, and no local path has a scheme: not judging those is never wrong.
    if path.contains("://") || without_prefix(path, "gh:").is_some() {
        return true;
    }
    let text = path.split_once('?').map_or(path, |(path, _)| path);
    !path.starts_with('/') && repository(text).is_some_and(names_repository)
}

/// What follows the host of a git address without a scheme; `None` when the text names no host.
fn repository(text: &str) -> Option<&str> {
    let text = without_prefix(text, "git::").unwrap_or(text);
    let (has_user, text) = without_user(text).map_or((false, text), |rest| (true, rest));
    let is_github = without_prefix(text, "github.com/").or_else(|| without_prefix(text, "github.com:")).is_some();
    if !has_user && !is_github {
        return None;
    }
    let end = match (text.find('/'), text.find(':')) {
        (Some(slash), Some(colon)) if colon > 0 && colon < slash => colon,
        (Some(slash), _) => slash,
        (None, colon) => colon?,
    };
    Some(&text[end + 1..])
}

/// `user@` cut off, when the text starts so.
fn without_user(text: &str) -> Option<&str> {
    let (user, rest) = text.split_once('@')?;
    let is_name = user.starts_with(|first: char| first.is_ascii_alphabetic())
        && user.chars().all(|character| character.is_ascii_alphanumeric() || character == '-');
    is_name.then_some(rest)
}

/// Whether the part after the host is long enough for a repository, or marks where it ends.
fn names_repository(path: &str) -> bool {
    path.contains("_git/") || path.contains(".git") || path.find('/').is_some_and(|at| at > 0)
}

fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::is_remote;

    #[test]
    fn addresses_are_remote() {
        for path in [
            "https://raw.example.com/acme/fleet/main/app.yaml",
            "HTTP://example.com/app.yaml",
            "https://github.com/acme/fleet//base?ref=v1",
            "github.com/acme/fleet/base?ref=v1",
            "github.com:acme/fleet",
            "git@github.com:acme/fleet.git",
            "git@git.example.com:acme/fleet.git//base",
            "ssh://git@git.example.com/acme/fleet",
            "git::https://git.example.com/acme/fleet.git",
            "acme@vs-ssh.example.com:v3/acme/fleet",
            "file:///srv/git/fleet.git",
            "gh:acme/fleet",
        ] {
            assert!(is_remote(path), "{path}");
        }
    }

    #[test]
    fn everything_else_is_local() {
        for path in [
            "app.yaml",
            "../base",
            "./a/b/c",
            "/absolute/path",
            "github.com",
            "github.com/acme",
            "example.com/acme/fleet",
            "user@host",
            "a:b/c",
            "",
            "..",
        ] {
            assert!(!is_remote(path), "{path}");
        }
    }
}
