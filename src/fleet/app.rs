//! One unit of delivery, whichever controller delivers it.

use crate::formats::DocId;
use crate::formats::argo::{self, Metadata, application};
use crate::repo::Repo;
use crate::text::{RootId, Span};
use crate::value::{Text, Unknown, Why};

/// An app's index in its fleet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AppId(pub u32);

/// Who delivers an app.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Controller {
    /// Argo CD.
    Argo,
}

/// One app.
#[derive(Clone, Debug)]
pub struct App {
    /// Its id.
    pub id: AppId,
    /// Who delivers it.
    pub controller: Controller,
    /// Name, namespace, labels, annotations.
    pub metadata: Metadata,
    /// The whole spec.
    pub spec: application::Spec,
    /// The sources that count, resolved, in order.
    pub sources: Vec<Source>,
    /// Where the app comes from.
    pub origin: Origin,
}

/// Where an app comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It stands in a file.
    Declared {
        /// The document that declares it.
        document: DocId,
        /// The outermost kustomization that builds it; `None` when it is delivered as written.
        through: Option<DocId>,
    },
}

/// A source of an app, with the root it points into.
#[derive(Clone, Debug)]
pub struct Source {
    /// As written.
    pub written: application::Source,
    /// The root that its repository and revision mean; `None` when that is a chart registry or not known.
    pub root: Option<RootId>,
    /// Why the root is not known, when it is a git repository.
    pub unknown: Option<Unknown>,
}

impl App {
    /// The app that a document declares, as written or as built.
    pub fn declared(id: AppId, application: &argo::Application, origin: Origin, repo: &Repo) -> App {
        App {
            id,
            controller: Controller::Argo,
            metadata: application.metadata.clone(),
            spec: application.spec.clone(),
            sources: application.spec.effective_sources().iter().map(|source| Source::new(source, repo)).collect(),
            origin,
        }
    }

    /// Its name, when it is known.
    pub fn name(&self) -> Option<&str> {
        self.metadata.name.as_ref().and_then(Text::as_str)
    }

    /// Its project: what is written, else `default`, which Argo CD fills in.
    pub fn project(&self) -> Option<&str> {
        match &self.spec.project {
            None => Some("default"),
            Some(text) => text.as_str().map(|name| if name.is_empty() { "default" } else { name }),
        }
    }

    /// The place to look first for findings about the app as a whole: its name, else its spec.
    pub fn span(&self) -> Span {
        self.metadata.name.as_ref().map_or(self.spec.span, Text::span)
    }
}

impl Source {
    /// Resolves the repository of a source as written.
    pub fn new(written: &application::Source, repo: &Repo) -> Source {
        let (root, unknown) = match Source::root_of(written, repo) {
            Ok(root) => (root, None),
            Err(unknown) => (None, Some(unknown)),
        };
        Source { written: written.clone(), root, unknown }
    }

    fn root_of(written: &application::Source, repo: &Repo) -> Result<Option<RootId>, Unknown> {
        let Some(url) = &written.repo_url else { return Ok(None) };
        if written.chart.is_some() {
            return Ok(None);
        }
        let unknown = |why, span| Unknown { why, span };
        let Some(known) = url.known() else {
            return Err(url.unknowns().next().cloned().unwrap_or_else(|| unknown(Why::Template, url.span())));
        };
        let Some(root) = repo.root_of_url(known.value) else {
            return Err(unknown(Why::Repository(known.value.to_owned()), known.span));
        };
        match &written.revision {
            None => Ok(Some(root)),
            Some(revision) => match revision.known() {
                Some(text) if repo.root(root).is_checked_out(text.value) => Ok(Some(root)),
                Some(text) => Err(unknown(Why::Revision(text.value.to_owned()), text.span)),
                None => {
                    Err(revision.unknowns().next().cloned().unwrap_or_else(|| unknown(Why::Template, revision.span())))
                }
            },
        }
    }
}
