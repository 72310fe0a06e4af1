//! Paths inside a root, always with `/`, never absolute, never leaving.

use std::fmt;
use std::sync::Arc;

/// One of the checkouts a run may read: 0 is the first one given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RootId(pub u16);

impl RootId {
    /// The index this id stands for.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A normalised path relative to a root: no empty, `.` or `..` segment; the empty path is the root itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Arc<str>);

/// A path that `..` led out of its root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutsideRoot;

impl RepoPath {
    /// The root itself.
    pub fn root() -> RepoPath {
        RepoPath(Arc::from(""))
    }

    /// Normalises `text` from the root. A leading `/` is the root as well.
    ///
    /// # Errors
    /// [`OutsideRoot`] when `..` leaves the root, at any point on the way or at the end.
    pub fn new(text: &str) -> Result<RepoPath, OutsideRoot> {
        RepoPath::root().join(text)
    }

    /// `text` seen from this folder. A leading `/` does not restart at the root: use [`RepoPath::new`] for that.
    ///
    /// # Errors
    /// [`OutsideRoot`] when `..` leaves the root.
    pub fn join(&self, text: &str) -> Result<RepoPath, OutsideRoot> {
        // Nearly every path is written as it is meant.
        if text.split('/').all(|segment| !matches!(segment, "" | "." | "..")) {
            return Ok(RepoPath(if self.is_root() { text.into() } else { format!("{self}/{text}").into() }));
        }
        let mut segments: Vec<&str> = self.segments().collect();
        for segment in text.split('/') {
            match segment {
                "" | "." => {}
                ".." => {
                    segments.pop().ok_or(OutsideRoot)?;
                }
                other => segments.push(other),
            }
        }
        Ok(RepoPath(Arc::from(segments.join("/"))))
    }

    /// The path as text, without a leading or trailing `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The segments, from the root down; none for the root.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|segment| !segment.is_empty())
    }

    /// The last segment; empty for the root.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The text after the last dot of the name, if the name has one.
    pub fn extension(&self) -> Option<&str> {
        self.name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// The folder that holds this path; `None` for the root.
    pub fn parent(&self) -> Option<RepoPath> {
        if self.is_root() {
            return None;
        }
        let parent = self.0.rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(RepoPath(Arc::from(parent)))
    }

    /// The folders that hold this path, from the top down, without the root.
    pub fn folders(&self) -> impl Iterator<Item = RepoPath> {
        self.0.match_indices('/').map(|(at, _)| RepoPath(Arc::from(&self.0[..at])))
    }

    /// Whether this path is `folder` or lies below it.
    pub fn is_within(&self, folder: &RepoPath) -> bool {
        folder.is_root() || self.0.strip_prefix(&*folder.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// This path seen from `folder`, when it lies in it.
    pub fn relative_to(&self, folder: &RepoPath) -> Option<&str> {
        if folder.is_root() {
            return Some(&self.0);
        }
        let rest = self.0.strip_prefix(&*folder.0)?;
        if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_root() { "." } else { &self.0 })
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_normalised() {
        assert_eq!(RepoPath::new("./a//b/../c/").unwrap().as_str(), "a/c");
        assert_eq!(RepoPath::new("/a").unwrap().as_str(), "a");
        assert!(RepoPath::new(".").unwrap().is_root());
    }

    #[test]
    fn a_path_cannot_leave_its_root() {
        assert_eq!(RepoPath::new("a/../../b"), Err(OutsideRoot));
        assert_eq!(RepoPath::new("a").unwrap().join("../.."), Err(OutsideRoot));
    }

    #[test]
    fn folders_are_given_from_the_top() {
        let folders =
            |path: &str| RepoPath::new(path).unwrap().folders().map(|path| path.to_string()).collect::<Vec<_>>();
        assert_eq!(folders("apps/web/app.yaml"), ["apps", "apps/web"]);
        assert!(folders("app.yaml").is_empty() && folders(".").is_empty());
    }

    #[test]
    fn within_respects_segment_borders() {
        let path = RepoPath::new("apps/web").unwrap();
        assert!(path.is_within(&RepoPath::new("apps").unwrap()));
        assert!(!path.is_within(&RepoPath::new("app").unwrap()));
        assert_eq!(path.relative_to(&RepoPath::new("apps").unwrap()), Some("web"));
        assert_eq!(path.relative_to(&path), Some(""));
    }
}
