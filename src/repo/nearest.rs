//! The path that somebody probably meant, when nothing is at the one they wrote.

use super::{Child, Found, Repo};
use crate::lang::glob::doublestar::{self, has_meta};
use crate::text::{RepoPath, RootId};
use std::cell::Cell;
use strsim::osa_distance;

/// A path that exists and looks like the wanted one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Near {
    /// How the wanted path differs.
    pub slip: Slip,
    /// The path that exists; for a glob the first one.
    pub path: RepoPath,
}

/// How two paths differ, closest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slip {
    /// In letter case.
    Case,
    /// `.yaml`, `.yml`, `.json` or no extension.
    Extension,
    /// In a plural.
    Plural,
    /// In two names of one environment, such as `prod` and `production`.
    Alias,
    /// In this many typed letters; digits do not count as slips.
    Typing(u8),
    /// In two segments that are swapped.
    Order,
    /// In one segment too many or too few.
    Level,
    /// The existing name goes on: `gateway` and `gateway-edge`.
    Longer,
    /// Only the end of the path is the same.
    Elsewhere,
}

impl Slip {
    /// Whether hardly anybody writes the one and means something other than the other.
    pub fn is_sure(self) -> bool {
        matches!(self, Slip::Case | Slip::Extension | Slip::Plural | Slip::Alias | Slip::Typing(1))
    }
}

/// What a path is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A folder.
    Folder,
    /// A file.
    File,
}

/// Folders that one search lists; wildcards can make it wander through the whole tree.
const FOLDERS: usize = 5_000;

/// The existing path nearest to `wanted`, which may be a glob; `None` when nothing looks like it.
///
/// One segment may be misspelt, or one be missing or too many, or two be swapped. Only folders on the way are looked
/// into.
pub fn nearest(repo: &Repo, root: RootId, wanted: &RepoPath, kind: Wanted) -> Option<Near> {
    let segments: Vec<&str> = wanted.segments().collect();
    let search = Search { repo, root, kind, left: Cell::new(FOLDERS) };
    let mut best = None;
    search.descend(&RepoPath::root(), &segments, &mut best);
    let swapped =
        if best.as_ref().is_none_or(|best| best.slip > Slip::Order) { search.swapped(&segments) } else { None };
    swapped.or(best).or_else(|| search.elsewhere(wanted))
}

struct Search<'a> {
    repo: &'a Repo,
    root: RootId,
    kind: Wanted,
    /// Folders that may still be listed.
    left: Cell<usize>,
}

impl Search<'_> {
    /// Looks for a slip in each segment, as long as those before it lead somewhere.
    fn descend(&self, folder: &RepoPath, segments: &[&str], best: &mut Option<Near>) {
        let Some((first, rest)) = segments.split_first() else { return };
        let mut keep = |near: Near| {
            if best.as_ref().is_none_or(|best| near < *best) {
                *best = Some(near);
            }
        };
        self.misspelt(folder, segments).into_iter().for_each(&mut keep);
        if has_meta(first) {
            self.other_level(folder, segments).into_iter().for_each(keep);
            for child in self.children(folder).iter().filter(|child| child.is_folder && is_match(first, child.name)) {
                self.descend(&self.child(folder, child.name), rest, best);
            }
            return;
        }
        match self.repo.find(self.root, &self.child(folder, first)) {
            Found::Folder(_) => self.descend(&self.child(folder, first), rest, best),
            _ => self.other_level(folder, segments).into_iter().for_each(keep),
        }
    }

    fn children(&self, folder: &RepoPath) -> Vec<Child<'_>> {
        let Some(left) = self.left.get().checked_sub(1) else { return Vec::new() };
        self.left.set(left);
        self.repo.children(self.root, folder)
    }

    /// The nearest path below a folder that misspells the first segment only.
    fn misspelt(&self, folder: &RepoPath, segments: &[&str]) -> Option<Near> {
        let (first, rest) = segments.split_first()?;
        let is_name_of_folder = !rest.is_empty() || self.kind == Wanted::Folder;
        let near = |name: &str| {
            let slip = slip(first, name, is_name_of_folder)?;
            Some(Near { slip, path: self.follow(&self.child(folder, name), rest)? })
        };
        self.children(folder).iter().filter_map(|child| near(child.name)).min()
    }

    /// The path below a folder with one segment more or less; if there are several, only where wildcards expect them.
    fn other_level(&self, folder: &RepoPath, segments: &[&str]) -> Option<Near> {
        let children = self.children(folder);
        let deeper =
            children.iter().filter(|child| child.is_folder).map(|child| (self.child(folder, child.name), segments));
        // Wildcards alone are like everything once the name before them is dropped.
        let is_telling =
            segments.len() > 1 && (has_meta(segments[0]) || !segments[1..].iter().all(|rest| has_meta(rest)));
        let higher = is_telling.then(|| (folder.clone(), &segments[1..]));
        let mut found = deeper.chain(higher).filter_map(|(folder, rest)| self.follow(&folder, rest));
        let first = found.next()?;
        let is_clear = segments.iter().any(|segment| has_meta(segment)) || found.next().is_none();
        is_clear.then_some(Near { slip: Slip::Level, path: first })
    }

    /// The path with two of its segments swapped.
    fn swapped(&self, segments: &[&str]) -> Option<Near> {
        // Longer paths than anybody writes are not worth the square.
        let count = segments.len().min(12);
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
        let mut found = pairs.filter(|&(one, other)| segments[one] != segments[other]).filter_map(|(one, other)| {
            let mut swapped = segments.to_vec();
            swapped.swap(one, other);
            self.follow(&RepoPath::root(), &swapped)
        });
        found.next().map(|path| Near { slip: Slip::Order, path })
    }

    /// The path that `segments` lead to from a folder, if it is of the wanted kind.
    fn follow(&self, path: &RepoPath, segments: &[&str]) -> Option<RepoPath> {
        let Some((first, rest)) = segments.split_first() else {
            let is_wanted = match self.repo.find(self.root, path) {
                Found::Folder(_) => self.kind == Wanted::Folder,
                Found::File(_) => self.kind == Wanted::File,
                _ => false,
            };
            return is_wanted.then(|| path.clone());
        };
        if !has_meta(first) {
            return self.follow(&self.child(path, first), rest);
        }
        let children = self.children(path);
        let mut names = children.iter().map(|child| child.name).filter(|name| is_match(first, name));
        names.find_map(|name| self.follow(&self.child(path, name), rest))
    }

    /// The path elsewhere that the wanted one is the end of, or that is its end; else the only file of this name.
    fn elsewhere(&self, wanted: &RepoPath) -> Option<Near> {
        // Folders behind wildcards share their names with many others.
        if self.kind == Wanted::Folder && has_meta(wanted.as_str()) {
            return None;
        }
        let named = match self.kind {
            Wanted::Folder => self.repo.folders_named(self.root, wanted.name()),
            Wanted::File => self.repo.files_named(self.root, wanted.name()),
        };
        let mut moved = named.iter().filter(|path| ends_with(path, wanted) || ends_with(wanted, path));
        let found = match (moved.next(), moved.next(), named) {
            (Some(path), None, _) => path,
            (None, None, [only]) if self.kind == Wanted::File => only,
            _ => return None,
        };
        Some(Near { slip: Slip::Elsewhere, path: found.clone() })
    }

    fn child(&self, folder: &RepoPath, name: &str) -> RepoPath {
        folder.join(name).unwrap_or_else(|_| folder.clone())
    }
}

/// Whether a segment with wildcards matches a name.
fn is_match(pattern: &str, name: &str) -> bool {
    doublestar::matches(pattern, name).unwrap_or(false)
}

/// Whether the segments of a path end with those of another.
fn ends_with(path: &RepoPath, end: &RepoPath) -> bool {
    path.as_str().strip_suffix(end.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// How a name that exists differs from the wanted one, if it is near; a wanted glob is compared with what it could match.
/// Only the name of a folder may be a longer one.
pub fn slip(wanted: &str, found: &str, is_folder: bool) -> Option<Slip> {
    if has_meta(wanted) {
        return glob_slip(wanted, found);
    }
    if wanted == found {
        return None;
    }
    if wanted.eq_ignore_ascii_case(found) {
        return Some(Slip::Case);
    }
    let ((stem, extension), (other, other_extension)) = (split_extension(wanted), split_extension(found));
    if stem == other {
        return Some(Slip::Extension);
    }
    if extension != other_extension {
        return None;
    }
    let (words, others) = (words(stem), words(other));
    if words.concat() == others.concat() {
        return Some(Slip::Typing(1));
    }
    if words.len() == others.len() {
        let mut pairs = words.iter().zip(&others).filter(|(word, other)| word != other);
        return match (pairs.next(), pairs.next()) {
            (Some((word, other)), None) => word_slip(word, other),
            _ => None,
        };
    }
    let goes_on = others.len() > words.len() && (others.starts_with(&words) || others.ends_with(&words));
    (is_folder && goes_on).then_some(Slip::Longer)
}

/// How one word of a name differs from another.
fn word_slip(wanted: &str, found: &str) -> Option<Slip> {
    if is_plural(wanted, found) || is_plural(found, wanted) {
        return Some(Slip::Plural);
    }
    if aliases(wanted).is_some_and(|names| names.contains(&found)) {
        return Some(Slip::Alias);
    }
    let letters = |word: &str| word.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    let distance = osa_distance(wanted, found);
    let is_slip = letters(wanted) != letters(found) && distance <= allowed(wanted).min(allowed(found));
    is_slip.then_some(Slip::Typing(distance as u8))
}

/// How a glob differs from one that matches the name.
fn glob_slip(pattern: &str, found: &str) -> Option<Slip> {
    let matches = |pattern: &str| is_match(pattern, found);
    if matches(pattern) {
        return None;
    }
    if is_match(&pattern.to_ascii_lowercase(), &found.to_ascii_lowercase()) {
        return Some(Slip::Case);
    }
    let (stem, extension) = split_extension(pattern);
    if !extension.is_empty() && EXTENSIONS.iter().any(|other| matches(&format!("{stem}.{other}"))) {
        return Some(Slip::Extension);
    }
    let renamed = |word: &String| {
        let names = aliases(word)?;
        names.iter().find(|name| matches(&pattern.replace(word.as_str(), name)))
    };
    if words(pattern).iter().find_map(renamed).is_some() {
        return Some(Slip::Alias);
    }
    let literal: String = pattern.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let distance = glob_distance(pattern, found);
    (!pattern.contains('[') && distance <= allowed(&literal)).then_some(Slip::Typing(distance as u8))
}

/// Letters that must change until a pattern of `*` and `?` matches.
fn glob_distance(pattern: &str, found: &str) -> usize {
    let found: Vec<char> = found.chars().collect();
    let mut row: Vec<usize> = (0..=found.len()).collect();
    for letter in pattern.chars() {
        let previous = row.clone();
        row[0] = if letter == '*' { previous[0] } else { previous[0] + 1 };
        for (at, other) in found.iter().enumerate() {
            row[at + 1] = if letter == '*' {
                previous[at + 1].min(row[at])
            } else {
                let change = usize::from(letter != '?' && letter != *other);
                (previous[at] + change).min(previous[at + 1] + 1).min(row[at] + 1)
            };
        }
    }
    row[found.len()]
}

/// How many letters may be wrong in a word: short words differ by one letter on purpose.
fn allowed(word: &str) -> usize {
    match word.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// A name without and with one of the extensions that are mixed up.
fn split_extension(name: &str) -> (&str, &str) {
    name.rsplit_once('.')
        .filter(|(stem, extension)| !stem.is_empty() && EXTENSIONS.contains(extension))
        .unwrap_or((name, ""))
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn is_plural(one: &str, many: &str) -> bool {
    let ending = many.strip_prefix(one).unwrap_or("");
    matches!(ending, "s" | "es") || one.strip_suffix('y').is_some_and(|stem| many.strip_prefix(stem) == Some("ies"))
}

/// All names of the environment that a word names.
fn aliases(word: &str) -> Option<&'static [&'static str]> {
    const ALIASES: [&[&str]; 7] = [
        &["prod", "production", "prd"],
        &["stage", "staging", "stg", "stag"],
        &["dev", "development", "develop", "devel"],
        &["test", "testing", "tst"],
        &["preprod", "preproduction"],
        &["nonprod", "nonproduction"],
        &["int", "integration"],
    ];
    ALIASES.into_iter().find(|names| names.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::{Entry, EntryKind, Root};

    fn near(listing: &[&str], wanted: &str, kind: Wanted) -> Option<(Slip, String)> {
        let mut paths: Vec<RepoPath> = listing.iter().map(|path| RepoPath::new(path).unwrap()).collect();
        paths.sort_by(|one, other| one.as_str().cmp(other.as_str()));
        let entry = |path| Entry { root: RootId(0), path, kind: EntryKind::File, file: None };
        let repo = Repo::new(vec![Root::default()], paths.into_iter().map(entry).collect());
        let near = nearest(&repo, RootId(0), &RepoPath::new(wanted).unwrap(), kind)?;
        Some((near.slip, near.path.as_str().to_owned()))
    }

    #[test]
    fn a_name_is_near_by_its_slip() {
        for (wanted, found, slip) in [
            ("Web.yaml", "web.yaml", Slip::Case),
            ("web.yml", "web.yaml", Slip::Extension),
            ("web", "web.yaml", Slip::Extension),
            ("value.yaml", "values.yaml", Slip::Plural),
            ("values-prod.yaml", "values-production.yaml", Slip::Alias),
            ("valeus.yaml", "values.yaml", Slip::Typing(1)),
            ("my_app.yaml", "my-app.yaml", Slip::Typing(1)),
        ] {
            assert_eq!(near(&[found], wanted, Wanted::File), Some((slip, found.into())), "{wanted}");
        }
    }

    #[test]
    fn names_that_differ_on_purpose_are_not_near() {
        for (wanted, other) in [
            ("v1.yaml", "v2.yaml"),
            ("eu-1.yaml", "eu-2.yaml"),
            ("cluster-a.yaml", "cluster-b.yaml"),
            ("dev.yaml", "prod.yaml"),
        ] {
            assert_eq!(near(&[other], wanted, Wanted::File), None, "{wanted}");
        }
    }

    #[test]
    fn any_segment_may_be_misspelt() {
        let tree = ["workloads/backend/charts/dev/Chart.yaml"];
        let expected = Some((Slip::Plural, "workloads/backend/charts/dev".to_owned()));
        assert_eq!(near(&tree, "workloads/backend/chart/dev", Wanted::Folder), expected);
        assert_eq!(near(&tree, "workload/backend/charts/dev", Wanted::Folder), expected);
    }

    #[test]
    fn what_follows_must_exist() {
        assert_eq!(near(&["apps/webs/a.yaml"], "apps/web/b.yaml", Wanted::File), None);
    }

    #[test]
    fn one_level_may_be_missing_or_too_many() {
        assert_eq!(near(&["a/b/c/x.yaml"], "a/c/x.yaml", Wanted::File), Some((Slip::Level, "a/b/c/x.yaml".into())));
        assert_eq!(near(&["a/c/x.yaml"], "a/b/c/x.yaml", Wanted::File), Some((Slip::Level, "a/c/x.yaml".into())));
    }

    #[test]
    fn two_segments_may_be_swapped() {
        let expected = Some((Slip::Order, "apps/charts/dev".to_owned()));
        assert_eq!(near(&["apps/charts/dev/Chart.yaml"], "apps/dev/charts", Wanted::Folder), expected);
        assert_eq!(near(&["apps/charts/dev/Chart.yaml"], "qa/*/apps", Wanted::Folder), None);
    }

    #[test]
    fn a_folder_may_have_a_longer_name() {
        let expected = Some((Slip::Longer, "apps/gateway-edge".to_owned()));
        assert_eq!(near(&["apps/gateway-edge/a"], "apps/gateway", Wanted::Folder), expected);
        assert_eq!(near(&["values-dev.yaml"], "values.yaml", Wanted::File), None);
    }

    #[test]
    fn a_name_that_is_there_once_is_found_anywhere() {
        let tree = ["x/y/release.yaml", "x/values.yaml", "y/values.yaml"];
        let expected = Some((Slip::Elsewhere, "x/y/release.yaml".to_owned()));
        assert_eq!(near(&tree, "a/b/c/release.yaml", Wanted::File), expected);
        assert_eq!(near(&tree, "a/b/c/values.yaml", Wanted::File), None);
    }

    #[test]
    fn a_folder_may_have_moved_with_its_whole_path() {
        let tree = ["demos/old/clusters/hub/a.yaml", "apps/overlays/prod/b.yaml"];
        let expected = Some((Slip::Elsewhere, "demos/old/clusters/hub".to_owned()));
        assert_eq!(near(&tree, "clusters/hub", Wanted::Folder), expected);
        assert_eq!(near(&tree, "rbac/overlays/prod", Wanted::Folder), None);
    }

    #[test]
    fn a_glob_is_near_to_what_it_could_match() {
        let tree = ["values/stage-eu.yaml"];
        let expected = |slip| Some((slip, "values/stage-eu.yaml".to_owned()));
        assert_eq!(near(&tree, "values/staging-*.yaml", Wanted::File), expected(Slip::Alias));
        assert_eq!(near(&tree, "values/stage-*.yml", Wanted::File), expected(Slip::Extension));
        assert_eq!(near(&tree, "value/stage-*.yaml", Wanted::File), expected(Slip::Plural));
        assert_eq!(near(&tree, "values/stgae-*.yaml", Wanted::File), expected(Slip::Typing(2)));
        assert_eq!(near(&tree, "values/prod-*.yaml", Wanted::File), None);
    }

    #[test]
    fn a_slip_may_stand_behind_a_wildcard() {
        let tree = ["apps/shop/envs/dev/app.yaml", "other/app.yaml"];
        let expected = |slip| Some((slip, "apps/shop/envs/dev/app.yaml".to_owned()));
        assert_eq!(near(&tree, "apps/*/env/dev/app.yaml", Wanted::File), expected(Slip::Plural));
        assert_eq!(near(&tree, "apps/*/*/dev/app.yml", Wanted::File), expected(Slip::Extension));
        assert_eq!(near(&tree, "apps/*/dev/app.yaml", Wanted::File), expected(Slip::Level));
        assert_eq!(near(&tree, "apps/*/envs/qa/app.yaml", Wanted::File), None);
    }

    #[test]
    fn wildcards_expect_several_paths_one_level_deeper() {
        let tree = ["apps/a/shop/app.yaml", "apps/b/shop/app.yaml"];
        let expected = Some((Slip::Level, "apps/a/shop/app.yaml".to_owned()));
        assert_eq!(near(&tree, "apps/*/app.yaml", Wanted::File), expected);
        assert_eq!(near(&tree, "apps/shop/app.yaml", Wanted::File), None);
    }

    #[test]
    fn wildcards_alone_are_near_to_nothing() {
        assert_eq!(near(&["apps/web/x"], "teams/*", Wanted::Folder), None);
        assert_eq!(near(&["apps/web/x"], "apps/teams/*", Wanted::Folder), None);
        assert_eq!(near(&["apps/web/x"], "apps/*/*", Wanted::Folder), Some((Slip::Level, "apps/web".into())));
    }
}
