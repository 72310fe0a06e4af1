//! What the fleet looks for in the roots and does not find.

use super::source::{Meaning, SourcePath};
use super::{App, Fleet};
use crate::text::{RepoPath, RootId, Span};

/// A path that something reads and that is not there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sought {
    /// Where it is written.
    pub span: Span,
    /// The root that was looked into.
    pub root: RootId,
    /// The path, or a pattern of such paths in which `*` stays in its segment.
    pub path: RepoPath,
    /// What it is: `source path`.
    pub what: &'static str,
}

impl Fleet {
    /// The paths of sources and value files that are not there, and the patterns of generators that match nothing;
    /// sorted, each once. Left out is what may be missing: files that are skipped then, paths that are not known.
    pub fn sought(&self) -> Vec<Sought> {
        let mut sought: Vec<Sought> = self.apps.iter().flat_map(of_app).collect();
        for git in self.sets.iter().flat_map(|set| &set.uses.git) {
            for item in git.items.iter().filter(|item| item.matched == 0 && !item.exclude) {
                let paths = item.patterns.iter().filter(|pattern| !pattern.starts_with(':'));
                sought.extend(paths.filter_map(|pattern| RepoPath::new(pattern).ok()).map(|path| Sought {
                    span: item.span,
                    root: git.root,
                    path,
                    what: "pattern",
                }));
            }
        }
        sought.retain(|sought| !sought.path.is_root());
        sought.sort();
        sought.dedup();
        sought
    }
}

fn of_app(app: &App) -> Vec<Sought> {
    let mut sought = Vec::new();
    for source in &app.sources {
        let written = source.written.path.as_ref().and_then(|path| path.known());
        if let (SourcePath::Missing(path), Some(root), Some(written)) = (&source.path, source.root, written) {
            sought.push(Sought { span: written.span, root, path: path.clone(), what: "source path" });
        }
        let value_files = source.value_files.iter().filter(|_| !source.ignores_missing());
        for file in value_files.chain(&source.file_parameters).filter(|file| file.foreign.is_none()) {
            if let (Meaning::Missing(place), Some(written)) = (&file.meaning, file.written.known()) {
                let (root, path) = (place.root, place.path.clone());
                sought.push(Sought { span: written.span, root, path, what: "value file" });
            }
        }
    }
    sought
}
