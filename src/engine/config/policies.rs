//! `policies`: bounds that hold for the roots, and that rules check.

use super::{Keys, Reader, did_you_mean, list};
use crate::fleet::owners;
use crate::fleet::policies::{Bounds, Bucket, Tracking};
use crate::formats::codeowners::Forge;
use crate::formats::read::Fields;
use crate::text::Spanned;
use crate::value::Value;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

const POLICIES: Keys =
    Keys { owner: "`policies`", known: &["appproject", "sync", "revision", "codeowners"], later: &[] };
const CODEOWNERS: Keys = Keys { owner: "`codeowners`", known: &["forge", "require", "coverage"], later: &[] };
const COVERAGE: Keys = Keys { owner: "`coverage`", known: &["paths", "except"], later: &[] };
const REQUIREMENT: Keys = Keys { owner: "a requirement", known: &["paths", "owners"], later: &[] };

/// `policies` as written; globs are compiled.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// `codeowners`.
    pub codeowners: owners::Policy,
    /// `appproject`.
    pub projects: Bounds,
    /// `sync`.
    pub sync: Vec<Bucket>,
    /// `revision`.
    pub revisions: Vec<Tracking>,
}

impl Reader<'_> {
    /// `policies` of the configuration, whose environments these are.
    pub(super) fn policies(&mut self, fields: Fields<'_>, environments: &[Spanned<String>]) -> Policies {
        let Some(value) = fields.value("policies") else { return Policies::default() };
        let Some(fields) = self.fields(value, "a map of policies") else { return Policies::default() };
        self.keys(fields, &POLICIES);
        Policies {
            codeowners: self.codeowners(fields),
            projects: self.project_bounds(fields, environments),
            sync: self.sync_buckets(fields, environments),
            revisions: self.tracking(fields, environments),
        }
    }

    fn codeowners(&mut self, fields: Fields<'_>) -> owners::Policy {
        let Some(value) = fields.value("codeowners") else { return owners::Policy::default() };
        let Some(fields) = self.fields(value, "a map with `forge`, `require` and `coverage`") else {
            return owners::Policy::default();
        };
        self.keys(fields, &CODEOWNERS);
        owners::Policy {
            is_configured: true,
            forge: self.forge(fields),
            require: self.requirements(fields),
            coverage: self.coverage(fields),
            folder: None,
        }
    }

    fn forge(&mut self, fields: Fields<'_>) -> Option<Forge> {
        let word = self.text(fields, "forge")?;
        let forge = Forge::from_word(word.as_str());
        if forge.is_none() {
            let help = did_you_mean(word.as_str(), Forge::WORDS, || format!("the forges are {}", list(&Forge::WORDS)));
            self.wrong(word.span, format!("`{}` is not a forge", word.value), Some(help));
        }
        forge
    }

    fn requirements(&mut self, fields: Fields<'_>) -> Vec<owners::Requirement> {
        let Some(value) = fields.value("require") else { return Vec::new() };
        if !matches!(value, Value::List(_)) {
            self.wrong_type(value, "a list of maps with `paths` and `owners`");
        }
        let mut requirements = Vec::new();
        for item in value.items() {
            let Some(fields) = self.fields(item, "a map with `paths` and `owners`") else { continue };
            self.keys(fields, &REQUIREMENT);
            for key in ["paths", "owners"] {
                if fields.value(key).is_none() {
                    self.wrong(item.span(), format!("a requirement needs `{key}`"), None);
                }
            }
            let owners = self.texts(fields, "owners").into_iter().map(|owner| owner.value).collect();
            requirements.push(owners::Requirement { paths: self.globs(fields, "paths"), owners });
        }
        requirements
    }

    fn coverage(&mut self, fields: Fields<'_>) -> Option<owners::Coverage> {
        let value = fields.value("coverage")?;
        let fields = self.fields(value, "a map with `paths` and `except`")?;
        self.keys(fields, &COVERAGE);
        let all = || GlobSet::new([globset::Glob::new("**").ok()?]).ok();
        let paths = if fields.value("paths").is_some() { self.globs(fields, "paths") } else { all()? };
        Some(owners::Coverage { paths, except: self.globs(fields, "except") })
    }

    /// A list of globs, compiled; `*` stays in one folder.
    pub(super) fn globs(&mut self, fields: Fields<'_>, key: &str) -> GlobSet {
        let mut globs = GlobSetBuilder::new();
        for glob in self.texts(fields, key) {
            match GlobBuilder::new(&glob.value).literal_separator(true).build() {
                Ok(glob) => drop(globs.add(glob)),
                Err(error) => {
                    let message = format!("glob `{}` does not parse: {}", glob.value, error.kind());
                    self.wrong(glob.span, message, None);
                }
            }
        }
        globs.build().unwrap_or_else(|error| {
            let span = fields.value(key).map_or(fields.span(), Value::span);
            self.wrong(span, format!("the globs are too large together: {error}"), None);
            GlobSet::empty()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::formats::codeowners::Forge;

    fn mistakes(text: &str) -> Vec<String> {
        let help = |help: Option<String>| help.map(|help| format!(" ({help})")).unwrap_or_default();
        read(text).1.into_iter().map(|mistake| format!("{}{}", mistake.message, help(mistake.help))).collect()
    }

    #[test]
    fn a_whole_policy_is_read() {
        let (config, mistakes) = read(
            "policies:\n  codeowners:\n    forge: forgejo\n    require: [{paths: [a/**], owners: ['@b']}]\n    coverage: {except: [docs/**]}\n",
        );
        assert_eq!(mistakes, []);
        let policy = config.policies.codeowners;
        assert!(policy.is_configured);
        assert_eq!(policy.forge, Some(Forge::Gitea));
        assert!(policy.require[0].paths.is_match("a/b/c") && !policy.require[0].paths.is_match("b/a/c"));
        let coverage = policy.coverage.unwrap();
        assert!(coverage.has("a/b") && !coverage.has("docs/a"));
    }

    #[test]
    fn slips_are_named_with_what_was_meant() {
        assert_eq!(
            mistakes("policies: {codeowner: {}}"),
            ["`codeowner` is not a key of `policies` (did you mean `codeowners`?)"]
        );
        assert_eq!(
            mistakes("policies: {codeowners: {requires: []}}"),
            ["`requires` is not a key of `codeowners` (did you mean `require`?)"]
        );
        assert_eq!(
            mistakes("policies: {codeowners: {forge: gitlub}}"),
            ["`gitlub` is not a forge (did you mean `github`?)"]
        );
        assert_eq!(mistakes("policies: {codeowners: {require: [{path: [a]}]}}").len(), 3);
        assert_eq!(mistakes("policies: {codeowners: {coverage: {paths: ['a[']}}}").len(), 1);
    }
}
