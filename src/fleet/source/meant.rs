//! What an entry of `valueFiles` was probably meant to be, when it leads nowhere.

use super::refs::ref_name_of;
use super::values::{Meaning, Place, ValueFile};
use super::{Source, SourcePath};
use crate::lang::glob::doublestar::has_meta;
use crate::repo::{Found, Repo, Slip, Wanted, nearest};
use crate::text::RepoPath;

/// Another text for an entry, which leads to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meant {
    /// What to write instead; for a glob a file that another one could match.
    pub text: String,
    /// The file it leads to.
    pub place: Place,
    /// How the entry is wrong.
    pub mistake: Mistake,
}

/// How an entry is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// It starts at the root of the repository without a leading `/`.
    RelativeToRoot,
    /// It starts in the source's folder in spite of its leading `/`.
    RelativeToFolder,
    /// It starts in the `path` of the source with the `ref`, which does not count.
    RelativeToRefPath,
    /// It is misspelt.
    Slip(Slip),
}

impl Meant {
    /// What an entry of `sources[index]` was meant to be; `None` when it leads somewhere, or nothing comes near.
    pub fn of(sources: &[Source], index: usize, file: &ValueFile, repo: &Repo) -> Option<Meant> {
        let place = match &file.meaning {
            Meaning::Missing(place) => place,
            Meaning::Glob(place, matches) if matches.is_empty() => place,
            _ => return None,
        };
        let search = Search { source: sources.get(index)?, sources, file, place, repo };
        search.other_start().or_else(|| search.misspelt())
    }
}

struct Search<'a> {
    source: &'a Source,
    sources: &'a [Source],
    file: &'a ValueFile,
    place: &'a Place,
    repo: &'a Repo,
}

impl Search<'_> {
    /// The same path from another place.
    fn other_start(&self) -> Option<Meant> {
        let written = self.file.written.as_str()?;
        if has_meta(written) {
            return None;
        }
        if let Some(name) = self.ref_name() {
            let rest = &written[1 + name.len()..];
            let target = self
                .sources
                .iter()
                .find(|source| source.written.reference.as_ref().and_then(|text| text.as_str()) == Some(name))?;
            let SourcePath::Folder { path, .. } = &target.path else { return None };
            return self.existing(path.join(rest).ok()?, Mistake::RelativeToRefPath);
        }
        match written.strip_prefix('/') {
            Some(rest) => self.existing(self.folder()?.join(rest).ok()?, Mistake::RelativeToFolder),
            None => self.existing(RepoPath::new(written).ok()?, Mistake::RelativeToRoot),
        }
    }

    fn misspelt(&self) -> Option<Meant> {
        let near = nearest(self.repo, self.place.root, &self.place.path, Wanted::File)?;
        self.existing(near.path, Mistake::Slip(near.slip))
    }

    fn existing(&self, path: RepoPath, mistake: Mistake) -> Option<Meant> {
        let is_file = matches!(self.repo.find(self.place.root, &path), Found::File(_));
        let place = Place { root: self.place.root, path };
        (is_file && place != *self.place).then(|| Meant { text: self.spelled(&place.path), place, mistake })
    }

    /// A path as this entry would have to spell it.
    fn spelled(&self, path: &RepoPath) -> String {
        if let Some(name) = self.ref_name() {
            return format!("${name}/{}", path.as_str());
        }
        let is_rooted = self.file.written.as_str().is_some_and(|text| text.starts_with('/'));
        match self.folder().and_then(|folder| path.relative_to(folder)).filter(|_| !is_rooted) {
            Some(inside) => inside.to_owned(),
            None => self.climbed(path).unwrap_or_else(|| format!("/{}", path.as_str())),
        }
    }

    /// A path with as many `../` as the entry has itself, when that is where it lies.
    fn climbed(&self, path: &RepoPath) -> Option<String> {
        let written = self.file.written.as_str()?;
        let ups = written.split('/').take_while(|segment| *segment == "..").count();
        let mut folder = self.folder().filter(|_| ups > 0)?.clone();
        for _ in 0..ups {
            folder = folder.parent()?;
        }
        Some(format!("{}{}", "../".repeat(ups), path.relative_to(&folder)?))
    }

    fn ref_name(&self) -> Option<&str> {
        let name = ref_name_of(&self.file.written)?.value;
        let is_ref = |source: &Source| source.written.reference.as_ref().and_then(|text| text.as_str()) == Some(name);
        self.sources.iter().any(is_ref).then_some(name)
    }

    fn folder(&self) -> Option<&RepoPath> {
        match &self.source.path {
            SourcePath::Folder { path, .. } => Some(path),
            _ => None,
        }
    }
}
