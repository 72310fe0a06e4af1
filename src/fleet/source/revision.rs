//! `targetRevision`: the tag that a range of versions means.
//!
//! Mirrors Argo CD 3.6, `util/versions/tags.go` and `util/git/client.go`, `lsRemote`.

use crate::lang::semver::{Constraint, Version};

/// No tag satisfies the revision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoVersion;

/// Whether a revision is a range of versions, such as `1.x`, and not one version or another name.
pub fn is_range(revision: &str) -> bool {
    Version::parse(revision).is_err() && Constraint::parse(revision).is_ok()
}

/// The revision that `revision` means among these tags: a version as it is, for a range the highest tag in it, else the
/// tag of that name. With a prefix only tags that begin with it count, and nothing but a version or a range is allowed.
///
/// # Errors
/// [`NoVersion`] when there is no such tag; also when a tag looks like a version and is refused for one of its parts.
pub fn max_version(revision: &str, tags: &[&str], prefix: &str) -> Result<String, NoVersion> {
    if Version::parse(revision).is_ok() {
        return Ok(format!("{prefix}{revision}"));
    }
    let mut tags = tags.iter().filter_map(|tag| tag.strip_prefix(prefix));
    let Ok(range) = Constraint::parse(revision) else {
        let is_tag = prefix.is_empty() && tags.any(|tag| tag == revision);
        return if is_tag { Ok(revision.to_owned()) } else { Err(NoVersion) };
    };
    let mut highest: Option<Version> = None;
    for tag in tags {
        match Version::parse(tag) {
            Ok(version) if range.allows(&version) && highest.as_ref().is_none_or(|highest| version > *highest) => {
                highest = Some(version);
            }
            Err(_) if looks_like_version(tag) => return Err(NoVersion),
            _ => {}
        }
    }
    highest.map(|version| format!("{prefix}{}", version.original())).ok_or(NoVersion)
}

/// Whether a text has the form of a version, whatever its numbers are: one that is too large or padded is an error.
fn looks_like_version(text: &str) -> bool {
    let text = text.strip_prefix('v').unwrap_or(text);
    let numbers = text.split(['-', '+']).next().unwrap_or("");
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (words, build) = text[numbers.len()..]
        .split_once('+')
        .map_or((&text[numbers.len()..], None), |(words, build)| (words, Some(build)));
    numbers.split('.').count() <= 3
        && numbers.split('.').all(is_number)
        && (words.is_empty() || words[1..].split('.').all(is_word))
        && build.is_none_or(|build| build.split('.').all(is_word))
}

/// The tag that `revision` means in a repository that has these tags and nothing else; a commit stays as it is.
///
/// # Errors
/// [`NoVersion`] when the repository has no such tag.
pub fn resolve(revision: &str, tags: &[&str]) -> Result<String, NoVersion> {
    let is_hex = revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex && revision.len() == 40 {
        return Ok(revision.to_owned());
    }
    let name = max_version(revision, tags, "").unwrap_or_else(|NoVersion| revision.to_owned());
    let short = name.strip_prefix("refs/tags/").unwrap_or(&name);
    if tags.contains(&short) {
        return Ok(short.to_owned());
    }
    // A shortened commit is believed.
    let is_commit = name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_commit { Ok(name) } else { Err(NoVersion) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_names_are_no_ranges() {
        for (revision, expected) in [("1.x", true), ("*", true), (">=1", true), ("1.0", false), ("release-1.x", false)]
        {
            assert_eq!(is_range(revision), expected, "{revision}");
        }
    }

    #[test]
    fn a_range_means_the_highest_tag_in_it() {
        assert_eq!(max_version("1.*", &["1.0", "v1.2.0", "1.10.0-rc1", "2.0", "x"], "").as_deref(), Ok("v1.2.0"));
        assert_eq!(max_version("1.*", &["app/1.0", "1.5"], "app/").as_deref(), Ok("app/1.0"));
        assert_eq!(max_version("3.*", &["1.0"], ""), Err(NoVersion));
        assert_eq!(max_version("1.*", &["1.0", "1.0-01"], ""), Err(NoVersion));
    }

    #[test]
    fn a_version_is_taken_as_it_is() {
        assert_eq!(max_version("9.9", &[], "").as_deref(), Ok("9.9"));
        assert_eq!(resolve("9.9", &["1.0"]), Err(NoVersion));
    }

    #[test]
    fn commits_need_no_tag() {
        assert_eq!(resolve("1234abcd", &[]).as_deref(), Ok("1234abcd"));
    }
}
