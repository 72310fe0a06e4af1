//! What the generators of one ApplicationSet looked for, and how much of it they found, summed over all their runs.
//!
//! The second child of a matrix runs once for each set of the first, each time with other patterns; where it is written
//! it stands once. What is kept of the patterns as they ran is bounded.

use super::matching::{Matcher, Matching};
use crate::formats::argo::generator::{ClustersGenerator, GitGenerator, GitItem};
use crate::text::{RootId, Span};
use crate::value::Value;

/// Different patterns or selectors that are kept of one place.
const VARIANTS: usize = 64;

/// What generators looked for, in the order they first ran.
#[derive(Debug, Default)]
pub struct Uses {
    /// Git generators that ran on a known repository.
    pub git: Vec<GitUse>,
    /// Clusters generators.
    pub clusters: Vec<ClustersUse>,
    /// Git generators of which some run could not be done.
    unknown: Vec<Span>,
}

/// What a git generator looked for.
#[derive(Clone, PartialEq, Debug)]
pub struct GitUse {
    /// The generator.
    pub span: Span,
    /// The repository it looked into.
    pub root: RootId,
    /// How its patterns are read.
    pub matching: Matching,
    /// Whether hidden folders are looked at.
    pub sees_hidden: bool,
    /// The items of `directories`, else of `files`, in order.
    pub items: Vec<ItemUse>,
    /// Whether it may have found more: some run is not known, or did not happen because of a failure.
    pub is_open: bool,
}

/// What one item of a git generator did.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemUse {
    /// The place of its pattern.
    pub span: Span,
    /// Whether it excludes.
    pub exclude: bool,
    /// The different patterns that ran here, in order; more than one only inside a matrix.
    pub patterns: Vec<String>,
    /// Whether there were more patterns than are kept.
    pub is_cut: bool,
    /// Paths that it matched, or for an exclude removed, in all runs together.
    pub matched: usize,
}

/// What a clusters generator looked for.
#[derive(Clone, PartialEq, Debug)]
pub struct ClustersUse {
    /// The generator.
    pub span: Span,
    /// The different selectors that ran here, in order, as far as they are kept; more than one only inside a matrix.
    pub selectors: Vec<Value>,
    /// Clusters of the inventory that it took, in all runs together.
    pub taken: usize,
    /// Whether clusters that are not in the inventory may be taken as well.
    pub is_open: bool,
    /// Whether it selects the cluster that Argo CD runs in without a Secret that says so.
    pub takes_local: bool,
}

impl Uses {
    /// Notes a run of a git generator, what each of its items matched, and whether they may match more.
    pub(super) fn git_ran(
        &mut self,
        git: &GitGenerator,
        root: RootId,
        matching: Matching,
        sees_hidden: bool,
        matched: &[usize],
        is_open: bool,
    ) {
        let items = if matching == Matching::Folders { &git.directories } else { &git.files };
        let at = self.git.iter().position(|known| known.span == git.span).unwrap_or_else(|| {
            let items = items.iter().map(ItemUse::new).collect();
            self.git.push(GitUse { span: git.span, root, matching, sees_hidden, items, is_open: false });
            self.git.len() - 1
        });
        let known = &mut self.git[at];
        known.is_open |= is_open;
        if known.root != root || known.items.len() != items.len() {
            known.is_open = true;
            return;
        }
        for ((known, item), matched) in known.items.iter_mut().zip(items).zip(matched) {
            known.matched += matched;
            known.is_cut |= !remember(&mut known.patterns, item.path.as_str().unwrap_or_default());
        }
    }

    /// Notes that a git generator would have to look into something that is not known.
    pub(super) fn git_unknown(&mut self, git: &GitGenerator) {
        if !self.unknown.contains(&git.span) {
            self.unknown.push(git.span);
        }
    }

    /// Notes a run of a clusters generator.
    pub(super) fn clusters_ran(
        &mut self,
        generator: &ClustersGenerator,
        taken: usize,
        is_open: bool,
        takes_local: bool,
    ) {
        let span = generator.span;
        let at = self.clusters.iter().position(|known| known.span == span).unwrap_or_else(|| {
            let new = ClustersUse { span, selectors: Vec::new(), taken: 0, is_open: false, takes_local: false };
            self.clusters.push(new);
            self.clusters.len() - 1
        });
        let known = &mut self.clusters[at];
        known.taken += taken;
        known.is_open |= is_open;
        known.takes_local |= takes_local;
        if let Some(selector) = &generator.selector
            && !known.selectors.contains(selector)
            && known.selectors.len() < VARIANTS
        {
            known.selectors.push(selector.clone());
        }
    }

    /// How many generators ran so far.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.git.len(), self.clusters.len())
    }

    /// Notes that the generators that ran since `mark` would have run again, had nothing failed.
    pub(super) fn interrupted_since(&mut self, mark: (usize, usize)) {
        self.git[mark.0..].iter_mut().for_each(|git| git.is_open = true);
        self.clusters[mark.1..].iter_mut().for_each(|clusters| clusters.is_open = true);
    }

    /// Ends the expansion.
    pub(super) fn finish(mut self) -> Uses {
        for git in self.git.iter_mut().filter(|git| self.unknown.contains(&git.span)) {
            git.is_open = true;
        }
        self
    }
}

/// Which paths a git generator takes, in any of its runs.
pub struct Taken {
    includes: Vec<Matcher>,
    excludes: Vec<Matcher>,
}

impl GitUse {
    /// The items that took nothing and of which every pattern is known. A placeholder that nothing filled is another
    /// mistake.
    pub fn idle(&self) -> impl Iterator<Item = &ItemUse> {
        let is_filled = |item: &&ItemUse| !item.patterns.iter().any(|pattern| pattern.contains("{{"));
        self.items.iter().filter(|item| item.matched == 0 && !item.exclude && !item.is_cut).filter(is_filled)
    }

    /// What the generator takes.
    pub fn taken(&self) -> Taken {
        let compiled = |exclude: bool| {
            let items = self.items.iter().filter(|item| item.exclude == exclude);
            let patterns = items.flat_map(|item| &item.patterns);
            patterns.filter_map(|pattern| self.matching.compile(pattern).ok()).collect()
        };
        Taken { includes: compiled(false), excludes: compiled(true) }
    }
}

impl Taken {
    /// Whether this path is taken.
    pub fn contains(&self, path: &str) -> bool {
        let matches = |matcher: &Matcher| matcher.matches(path);
        self.includes.iter().any(matches) && !self.excludes.iter().any(matches)
    }
}

impl ItemUse {
    fn new(item: &GitItem) -> ItemUse {
        // A text that was filled with nothing has no place.
        let span = item.path.span();
        let is_inside = span.file == item.span.file && item.span.start <= span.start && span.end <= item.span.end;
        ItemUse {
            span: if is_inside { span } else { item.span },
            exclude: item.exclude,
            patterns: Vec::new(),
            is_cut: false,
            matched: 0,
        }
    }
}

/// Adds a pattern that is new; false when there is no room for it.
fn remember(patterns: &mut Vec<String>, pattern: &str) -> bool {
    let is_known = patterns.iter().any(|known| known == pattern);
    if !is_known && patterns.len() < VARIANTS {
        patterns.push(pattern.to_owned());
        return true;
    }
    is_known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::clusters::Clusters;
    use crate::fleet::expand::{Folders, Settings, expand};
    use crate::formats::argo::ApplicationSet;
    use crate::formats::read;
    use crate::repo::{Entry, EntryKind, Repo, RepoUrl, Root};
    use crate::text::{FileId, RepoPath};
    use crate::yaml;

    fn uses(generators: &str, listing: &[&str]) -> Uses {
        let tree = yaml::parse(FileId(0), format!("spec: {{generators: [{generators}]}}").into());
        let set = ApplicationSet::read(&read::value(tree.root(&tree.documents()[0]).unwrap()));
        let urls = vec![RepoUrl::new("https://git.example.com/acme/fleet.git").unwrap()];
        let entry = |path: &&str| Entry {
            root: RootId(0),
            path: RepoPath::new(path.trim_end_matches('@')).unwrap(),
            kind: if path.ends_with('@') { EntryKind::Submodule } else { EntryKind::File },
            file: None,
        };
        let repo = Repo::new(vec![Root { urls, ..Root::default() }], listing.iter().map(entry).collect());
        let settings = Settings::default();
        expand(&set, &repo, &Clusters::default(), &Folders::new(&repo, &settings), &settings).uses
    }

    fn git(items: &str) -> String {
        format!("{{git: {{repoURL: 'https://git.example.com/acme/fleet.git', {items}}}}}")
    }

    fn matched(uses: &Uses) -> Vec<usize> {
        uses.git.iter().flat_map(|git| &git.items).map(|item| item.matched).collect()
    }

    #[test]
    fn every_item_counts_what_it_matched_or_removed() {
        let items = "directories: [{path: a/*}, {path: b/*}, {path: c/*}, {path: a/x, exclude: true}, {path: c, exclude: true}]";
        let uses = uses(&git(items), &["a/x/1", "a/y/1", "b/x/1"]);
        assert_eq!(matched(&uses), [2, 1, 0, 1, 0]);
    }

    #[test]
    fn the_runs_of_a_second_child_are_one_use() {
        let list = "{list: {elements: [{env: dev}, {env: qa}, {env: dev}]}}";
        let child = git("directories: [{path: '{{env}}/*'}]");
        let uses = uses(&format!("{{matrix: {{generators: [{list}, {child}]}}}}"), &["dev/x/1"]);
        assert_eq!(matched(&uses), [2]);
        assert_eq!(uses.git[0].items[0].patterns, ["dev/*", "qa/*"]);
        assert!(!uses.git[0].is_open);
    }

    #[test]
    fn what_is_kept_of_many_patterns_is_bounded() {
        let elements: Vec<String> = (0..VARIANTS + 1).map(|at| format!("{{env: 'e{at}'}}")).collect();
        let list = format!("{{list: {{elements: [{}]}}}}", elements.join(", "));
        let child = git("directories: [{path: '{{env}}/*'}]");
        let uses = uses(&format!("{{matrix: {{generators: [{list}, {child}]}}}}"), &["e0/x/1"]);
        assert_eq!(uses.git[0].items[0].patterns.len(), VARIANTS);
        assert!(uses.git[0].items[0].is_cut);
    }

    #[test]
    fn a_run_that_a_failure_prevents_leaves_the_use_open() {
        let list = "{list: {elements: [{env: dev}, {env: qb}]}}";
        let child = git("files: [{path: '{{env}}/*'}]");
        let matrix = format!("{{matrix: {{generators: [{list}, {child}]}}}}");
        assert!(!uses(&matrix, &["qa/x"]).git[0].is_open);
        let refused = "{list: {elements: [{env: dev}, {env: ../x}]}}";
        assert!(uses(&format!("{{matrix: {{generators: [{refused}, {child}]}}}}"), &["qa/x"]).git[0].is_open);
    }

    #[test]
    fn a_submodule_may_hold_what_is_looked_for() {
        let is_open =
            |path| uses(&git(&format!("directories: [{{path: '{path}'}}]")), &["a/x/1", "sub@"]).git[0].is_open;
        assert!(is_open("sub/*"));
        assert!(is_open("*/x"));
        assert!(!is_open("a/*"));
        assert!(!is_open("subs/*"));
    }

    #[test]
    fn another_repository_is_no_use() {
        let foreign = "{git: {repoURL: 'https://git.example.com/acme/other.git', directories: [{path: a/*}]}}";
        assert!(uses(foreign, &["a/x/1"]).git.is_empty());
    }
}
