//! What the apps of an environment may track.

use super::Breach;
use crate::fleet::App;
use crate::fleet::literal::literal;
use crate::fleet::source::Source;
use crate::fleet::source::revision::is_range;
use crate::lang::glob::path;
use crate::lang::semver::Version;
use crate::text::{Span, Spanned};

/// An entry of `policies.revision`.
#[derive(Clone, Debug)]
pub struct Tracking {
    /// The environment; `production` is every environment that is production.
    pub environment: Spanned<String>,
    /// What may be tracked: the words `commit`, `version` and `range`, or patterns of revisions.
    pub allowed: Vec<String>,
}

impl Tracking {
    /// The sources of an app that track something else.
    pub fn breaches(&self, app: &App) -> Vec<Breach> {
        app.sources.iter().filter_map(|source| self.breach(source)).collect()
    }

    fn breach(&self, source: &Source) -> Option<Breach> {
        source.written.repo_url.as_ref()?;
        let (revision, span): (&str, Span) = match &source.written.revision {
            Some(text) => literal(text).ok().map(|text| (text.value, text.span))?,
            // A chart without a version is refused, whatever is allowed.
            None if source.written.chart.is_some() => return None,
            None => ("HEAD", source.written.key),
        };
        if self.allowed.iter().any(|allowed| is_allowed(revision, allowed)) {
            return None;
        }
        let words: Vec<String> = self.allowed.iter().map(|allowed| format!("`{allowed}`")).collect();
        let help = match words.split_last() {
            None => "the policy allows nothing here".to_owned(),
            Some((only, [])) => format!("track {only}, as the policy says"),
            Some((last, first)) => format!("track {} or {last}, as the policy says", first.join(", ")),
        };
        let environment = &self.environment.value;
        let message = format!("`{environment}` tracks `{revision}`, which the policy does not allow");
        Some(Breach { span, message, demand: self.environment.span, help })
    }
}

fn is_allowed(revision: &str, allowed: &str) -> bool {
    match allowed {
        "commit" => {
            let is_digest = revision.strip_prefix("sha256:").is_some_and(|digest| digest.len() == 64);
            is_digest || (revision.len() == 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit()))
        }
        "version" => Version::parse(revision).is_ok(),
        "range" => is_range(revision),
        pattern => {
            let name = revision.strip_prefix("refs/tags/").or_else(|| revision.strip_prefix("refs/heads/"));
            path::Pattern::new(pattern)
                .is_ok_and(|pattern| pattern.matches(revision) || name.is_some_and(|name| pattern.matches(name)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_forms_and_others_are_patterns() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        for (revision, allowed, wanted) in [
            (commit, "commit", true),
            ("0123456", "commit", false),
            ("v1.2.3", "version", true),
            ("main", "version", false),
            ("1.x", "range", true),
            ("1.2.3", "range", false),
            ("release-7", "release-*", true),
            ("refs/heads/release-7", "release-*", true),
            ("main", "release-*", false),
            ("HEAD", "HEAD", true),
        ] {
            assert_eq!(is_allowed(revision, allowed), wanted, "{revision} by {allowed}");
        }
    }
}
