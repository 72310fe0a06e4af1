//! The annotation `argocd.argoproj.io/manifest-generate-paths`: which paths an app says it is made from.
//!
//! Mirrors Argo CD 3.6, `util/app/path`, `GetSourceRefreshPaths`.

/// The annotation's key.
pub const ANNOTATION: &str = "argocd.argoproj.io/manifest-generate-paths";

/// The paths, from the repository's root, that refresh a source at `source_path`; none means that every change does.
///
/// The source that a hydrator syncs from is refreshed by its own path, whatever the annotation says.
pub fn paths(annotation: Option<&str>, source_path: &str, is_synced_by_hydrator: bool) -> Vec<String> {
    if is_synced_by_hydrator {
        return vec![source_path.to_owned()];
    }
    let entries = annotation.unwrap_or_default().split(';').map(str::trim).filter(|entry| !entry.is_empty());
    entries
        .map(|entry| match entry.strip_prefix('/') {
            Some(from_root) => from_root.to_owned(),
            None => joined(source_path, entry),
        })
        .collect()
}

/// Both paths as one, without `.`, `..` and `//` as far as possible. Mirrors Go, `filepath.Join`.
fn joined(folder: &str, path: &str) -> String {
    let is_absolute = folder.starts_with('/');
    let mut segments: Vec<&str> = Vec::new();
    for segment in folder.split('/').chain(path.split('/')) {
        match segment {
            "" | "." => {}
            ".." if segments.last().is_some_and(|last| *last != "..") => drop(segments.pop()),
            ".." if is_absolute => {}
            segment => segments.push(segment),
        }
    }
    let path = segments.join("/");
    match (is_absolute, path.is_empty()) {
        (true, _) => format!("/{path}"),
        (false, true) => ".".to_owned(),
        (false, false) => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_start_at_the_source_or_at_the_root() {
        assert_eq!(paths(Some(".; ../base ;/shared;;"), "apps/web", false), ["apps/web", "apps/base", "shared"]);
        assert_eq!(paths(Some("../.."), "apps", false), [".."]);
        assert_eq!(paths(Some(".."), "apps", false), ["."]);
    }

    #[test]
    fn without_entries_there_is_no_list() {
        assert!(paths(None, "apps", false).is_empty() && paths(Some(" ; "), "apps", false).is_empty());
    }

    #[test]
    fn a_hydrated_source_is_its_own_path() {
        assert_eq!(paths(Some("x"), "out", true), ["out"]);
    }
}
