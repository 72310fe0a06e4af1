//! Paths that are in the work tree, are looked for, and that git ignores.
//!
//! Only what is looked for and not found is asked of the system, segment by segment: nothing is walked.

use super::snapshot::{Contents, Reader};
use crate::fleet::Fleet;
use crate::lang::glob::doublestar::{self, has_meta};
use crate::repo::{Found, Ignored, Repo};
use crate::text::{RepoPath, RootId};
use ignore::Match;
use ignore::gitignore::GitignoreBuilder;

/// Names that are read in one run: wildcards may stand where folders are large.
const NAMES: usize = 50_000;

/// The paths that the fleet looks for in vain because of a line in a `.gitignore` of the roots, sorted.
pub fn find(repo: &Repo, fleet: &Fleet, contents: &[Contents]) -> Vec<Ignored> {
    let mut search = Search { contents, left: NAMES };
    let mut ignored = Vec::new();
    // A pinned revision lies nowhere on disk, and git ignores nothing in it.
    let sought = fleet.sought().into_iter().filter(|sought| repo.root(sought.root).pin.is_none());
    for sought in sought {
        let segments: Vec<&str> = sought.path.segments().collect();
        let mut existing = Vec::new();
        search.descend(sought.root, RepoPath::root(), &segments, &mut existing);
        for (path, is_folder) in existing {
            if repo.find(sought.root, &path) == Found::Missing {
                ignored.extend(line_of(repo, contents, sought.root, &path, is_folder));
            }
        }
    }
    ignored.sort();
    ignored.dedup();
    ignored
}

struct Search<'a> {
    contents: &'a [Contents],
    left: usize,
}

impl Search<'_> {
    /// Adds the paths below a folder that the segments match, and whether each is a folder.
    fn descend(&mut self, root: RootId, folder: RepoPath, segments: &[&str], found: &mut Vec<(RepoPath, bool)>) {
        let Some((first, rest)) = segments.split_first() else { return };
        let names = if has_meta(first) { self.names(root, &folder) } else { vec![(*first).to_owned()] };
        for name in names.iter().filter(|name| doublestar::matches(first, name).unwrap_or(false)) {
            let Ok(path) = folder.join(name) else { continue };
            match self.is_folder(root, &path) {
                Some(is_folder) if rest.is_empty() => found.push((path, is_folder)),
                Some(true) => self.descend(root, path, rest, found),
                _ => {}
            }
        }
    }

    /// The names in a folder, sorted.
    fn names(&mut self, root: RootId, folder: &RepoPath) -> Vec<String> {
        let mut names: Vec<String> = match &self.contents[root.index()] {
            Contents::Memory(files) => {
                let inside = files.keys().filter_map(|path| path.relative_to(folder));
                inside.filter_map(|rest| rest.split('/').next()).map(str::to_owned).collect()
            }
            Contents::Disk(disk) | Contents::Objects(disk, _) => {
                let entries = std::fs::read_dir(disk.join(folder.as_str())).into_iter().flatten().take(self.left);
                entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
            }
        };
        self.left = self.left.saturating_sub(names.len());
        names.retain(|name| name != ".git");
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether a path is a folder; nothing when it is not there, or a link.
    fn is_folder(&self, root: RootId, path: &RepoPath) -> Option<bool> {
        match &self.contents[root.index()] {
            Contents::Memory(files) if files.contains_key(path) => Some(false),
            Contents::Memory(files) => files.keys().any(|file| file.is_within(path)).then_some(true),
            Contents::Disk(disk) | Contents::Objects(disk, _) => {
                let kind = disk.join(path.as_str()).symlink_metadata().ok()?.file_type();
                (kind.is_file() || kind.is_dir()).then(|| kind.is_dir())
            }
        }
    }
}

/// Whether a path is a folder of the work tree, listed or not; nothing when it is not there, or a link.
pub fn is_folder(contents: &[Contents], root: RootId, path: &RepoPath) -> Option<bool> {
    Search { contents, left: 0 }.is_folder(root, path)
}

/// The path with the line that ignores it: that of the deepest `.gitignore` that says anything about it.
pub fn line_of(repo: &Repo, contents: &[Contents], root: RootId, path: &RepoPath, is_folder: bool) -> Option<Ignored> {
    let mut folder = path.parent();
    while let Some(here) = folder {
        let file = here.join(".gitignore").ok()?;
        if let Some(id) = repo.listed(root, &file) {
            let mut reader = Reader::new(contents);
            let text = std::str::from_utf8(reader.read(root, &file).ok()?).ok()?;
            match decisive_line(text, path.relative_to(&here)?, is_folder) {
                Some((line, pattern, true)) => {
                    return Some(Ignored { root, path: path.clone(), by: id, line, pattern });
                }
                Some((_, _, false)) => return None,
                None => {}
            }
        }
        folder = here.parent();
    }
    None
}

/// The last line that decides about a path, counted from 1, its text, and whether it ignores.
fn decisive_line(text: &str, path: &str, is_folder: bool) -> Option<(u32, String, bool)> {
    let decide = |line: &str| {
        let mut builder = GitignoreBuilder::new("");
        builder.add_line(None, line).ok()?;
        match builder.build().ok()?.matched_path_or_any_parents(path, is_folder) {
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
            Match::None => None,
        }
    };
    let lines: Vec<&str> = text.lines().collect();
    let decisive = |(at, line): (usize, &&str)| Some((at as u32 + 1, line.trim_end().to_owned(), decide(line)?));
    lines.iter().enumerate().rev().find_map(decisive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_decides() {
        let text = "# local\n*.yaml\n!a.yaml\n";
        assert_eq!(decisive_line(text, "b.yaml", false), Some((2, "*.yaml".into(), true)));
        assert_eq!(decisive_line(text, "x/a.yaml", false), Some((3, "!a.yaml".into(), false)));
        assert_eq!(decisive_line(text, "b.json", false), None);
    }

    #[test]
    fn only_what_is_sought_is_found_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let set = "{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, metadata: {name: a}, spec: {generators: [
            {git: {repoURL: 'https://git.example.com/acme/fleet.git', files: [{path: 'apps/*/config.yaml'}]}}],
            template: {metadata: {name: a}, spec: {project: default, destination: {name: in-cluster}}}}}";
        for (path, text) in [
            (".plimsoll.yaml", "version: 1\nrepos: {'https://git.example.com/acme/fleet.git': .}\n"),
            (".gitignore", "*/web/*.yaml\nout\n"),
            ("set.yaml", set),
            ("apps/web/config.yaml", ""),
            ("apps/web/other.yaml", ""),
            ("apps/jobs/README.md", ""),
            ("out/config.yaml", ""),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let request = crate::engine::Request { folder: folder.path().to_owned(), ..Default::default() };
        let opened = crate::engine::open(&request).unwrap();
        let report = crate::engine::check(opened.snapshot, &opened.settings);
        let found = |ignored: &Ignored| (ignored.path.to_string(), ignored.line);
        assert_eq!(report.repo.ignored().iter().map(found).collect::<Vec<_>>(), [("apps/web/config.yaml".into(), 1)]);
    }

    #[test]
    fn what_lies_in_an_ignored_folder_is_ignored() {
        assert_eq!(decisive_line("build/\n", "x/build/a", false), Some((1, "build/".into(), true)));
        assert_eq!(decisive_line("/build\n", "x/build/a", false), None);
        assert_eq!(decisive_line("build/\n", "build", false), None);
    }
}
