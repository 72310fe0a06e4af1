//! Which paths other texts of the roots name: workflows, scripts in manifests, comments.

use crate::repo::Repo;
use crate::text::FileId;
use std::collections::{BTreeSet, HashMap};

/// Those of these files that a text of another file names, by its name; a name that several files have counts only with
/// the folder before it. One pass over all texts, however many files are asked for.
pub fn mentioned(files: &BTreeSet<FileId>, repo: &Repo) -> BTreeSet<FileId> {
    let mut by_name: HashMap<&str, Vec<FileId>> = HashMap::new();
    for file in files {
        by_name.entry(repo.entry(*file).path.name()).or_default().push(*file);
    }
    let mut found = BTreeSet::new();
    if by_name.is_empty() {
        return found;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '/');
    for text in repo.files() {
        for word in text.source.text.split(|letter| !is_part(letter)).filter(|word| word.contains('.')) {
            let word = word.trim_end_matches('.');
            let Some(named) = by_name.get(word.rsplit('/').next().unwrap_or(word)) else { continue };
            let is_named = |file: &&FileId| {
                let entry = repo.entry(**file);
                let is_alone = repo.files_named(entry.root, entry.path.name()).len() == 1;
                **file != text.source.id
                    && (is_alone || end_of(entry.path.as_str()).is_some_and(|end| word.ends_with(end)))
            };
            found.extend(named.iter().filter(is_named));
        }
    }
    found
}

/// The last two segments of a path.
fn end_of(path: &str) -> Option<&str> {
    let (folder, _) = path.rsplit_once('/')?;
    Some(folder.rsplit_once('/').map_or(path, |(before, _)| &path[before.len() + 1..]))
}
