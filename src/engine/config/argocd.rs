//! `argocd`: which version of it there is, and how it is set up.

use super::{Keys, Reader};
use crate::formats::argo::since::Version;
use crate::formats::read::Fields;
use crate::text::Spanned;

const ARGOCD: Keys = Keys {
    owner: "`argocd`",
    known: &["version", "new-git-file-globbing", "include-hidden-directories", "namespace"],
    later: &[],
};

/// `argocd`: what kind of Argo CD reads the roots.
#[derive(Clone, Debug, Default)]
pub struct Argocd {
    /// `version`.
    pub version: Option<Version>,
    /// `new-git-file-globbing`.
    pub new_git_file_globbing: Option<bool>,
    /// `include-hidden-directories`.
    pub include_hidden_directories: Option<bool>,
    /// `namespace`.
    pub namespace: Option<Spanned<String>>,
}

impl Reader<'_> {
    /// Reads `argocd`.
    pub(super) fn argocd(&mut self, fields: Fields<'_>) -> Argocd {
        let Some(value) = fields.value("argocd") else { return Argocd::default() };
        let Some(fields) = self.fields(value, "a map") else { return Argocd::default() };
        self.keys(fields, &ARGOCD);
        Argocd {
            version: self.argocd_version(fields),
            new_git_file_globbing: self.bool(fields, "new-git-file-globbing"),
            include_hidden_directories: self.bool(fields, "include-hidden-directories"),
            namespace: self.text(fields, "namespace"),
        }
    }

    fn argocd_version(&mut self, fields: Fields<'_>) -> Option<Version> {
        let text = self.text(fields, "version")?;
        let version = Version::parse(&text.value);
        if version.is_none() {
            self.wrong(text.span, format!("`{}` is not a version", text.value), Some("write it as `'3.1'`".into()));
        }
        version
    }
}
