//! Directory sources: which files are taken for manifests.
//!
//! Mirrors Argo CD 3.6, `reposerver/repository`, `getPotentiallyValidManifests`.

use crate::formats::argo::application::Source;
use crate::lang::glob::gobwas::Pattern;
use crate::value::Text;

/// The filter of a directory source. `exclude` wins over `include`; a broken `include` selects nothing, a broken `exclude`
/// excludes nothing.
#[derive(Clone, Debug)]
pub struct Filter {
    recurse: bool,
    include: Option<Option<Pattern>>,
    exclude: Option<Option<Pattern>>,
}

impl Filter {
    /// The filter with these settings; an empty glob is none.
    pub fn new(recurse: bool, include: &str, exclude: &str) -> Filter {
        let compile = |glob: &str| (!glob.is_empty()).then(|| Pattern::new(glob, &[]).ok());
        Filter { recurse, include: compile(include), exclude: compile(exclude) }
    }

    /// The filter of a source; a source without `directory` takes every manifest of its folder.
    pub fn of(source: &Source) -> Filter {
        let text = |glob: &Option<Text>| glob.as_ref().and_then(Text::as_str).unwrap_or_default().to_owned();
        match &source.directory {
            Some(directory) => Filter::new(directory.recurse, &text(&directory.include), &text(&directory.exclude)),
            None => Filter::new(false, "", ""),
        }
    }

    /// Whether a file, given relative to the source's folder, is read.
    pub fn selects(&self, path: &str) -> bool {
        let matches = |glob: &Option<Pattern>| glob.as_ref().is_some_and(|glob| glob.matches(path));
        (self.recurse || !path.contains('/'))
            && has_manifest_extension(path)
            && !self.exclude.as_ref().is_some_and(matches)
            && self.include.as_ref().is_none_or(matches)
    }
}

fn has_manifest_extension(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "yaml" | "yml" | "json" | "jsonnet")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_folder_itself_is_read_unless_told() {
        assert!(Filter::new(false, "", "").selects("a.yaml"));
        assert!(!Filter::new(false, "", "").selects("sub/a.yaml"));
        assert!(Filter::new(true, "", "").selects("sub/a.yaml"));
    }

    #[test]
    fn names_decide_case_included() {
        let filter = Filter::new(false, "", "");
        assert!(filter.selects(".a.yml") && filter.selects("a.jsonnet") && filter.selects("b.json"));
        assert!(!filter.selects("a.YAML") && !filter.selects("a.txt") && !filter.selects("yaml"));
    }

    #[test]
    fn a_star_crosses_folders_and_exclude_wins() {
        assert!(Filter::new(true, "sub/*.yaml", "").selects("sub/deep/a.yaml"));
        assert!(!Filter::new(true, "*.yaml", "sub/*").selects("sub/a.yaml"));
    }

    #[test]
    fn broken_globs_match_nothing() {
        assert!(!Filter::new(false, "[", "").selects("a.yaml"));
        assert!(Filter::new(false, "", "[").selects("a.yaml"));
    }
}
