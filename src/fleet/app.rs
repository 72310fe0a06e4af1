//! One unit of delivery, whichever controller delivers it.

use super::Fleet;
use super::expand::Provenance;
use super::literal::literal;
use super::source::{self, Source};
use crate::formats::argo::{self, Metadata, application};
use crate::formats::{DocId, Kind, read};
use crate::repo::Repo;
use crate::text::Span;
use crate::value::{Text, Value};
use std::sync::Arc;

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
    /// The whole spec; apart, because apps move while they are collected.
    pub spec: Box<application::Spec>,
    /// The sources that count, resolved, in order.
    pub sources: Vec<Source>,
    /// Where the app comes from.
    pub origin: Origin,
}

/// Where an app comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// It stands in a file.
    Declared {
        /// The document that declares it.
        document: DocId,
        /// The outermost kustomization that builds it; `None` when it is delivered as written.
        through: Option<DocId>,
    },
    /// An ApplicationSet generates it. Its texts stand where the template has them, parameters where they are used.
    Generated {
        /// The document that declares the ApplicationSet.
        set: DocId,
        /// The outermost kustomization that builds the ApplicationSet; `None` when it is delivered as written.
        through: Option<DocId>,
        /// What its parameters were made from, outermost generator first.
        from: Arc<[Provenance]>,
        /// The whole Application.
        manifest: Arc<Value>,
        /// Whether it stands for any number of apps, also none.
        is_symbolic: bool,
    },
}

impl App {
    /// The app that a document declares, as written or as built.
    pub fn declared(id: AppId, application: &argo::Application, origin: Origin, repo: &Repo) -> App {
        App::new(id, application.metadata.clone(), application.spec.clone(), origin, repo)
    }

    /// An Argo CD app with its sources resolved.
    pub fn new(id: AppId, metadata: Metadata, spec: application::Spec, origin: Origin, repo: &Repo) -> App {
        let sources = source::resolve(&metadata, &spec, repo);
        App { id, controller: Controller::Argo, metadata, spec: Box::new(spec), sources, origin }
    }

    /// The document it comes from: the Application's, or that of the ApplicationSet that generates it.
    pub fn document(&self) -> DocId {
        match self.origin {
            Origin::Declared { document, .. } => document,
            Origin::Generated { set, .. } => set,
        }
    }

    /// Where that document stands.
    pub fn document_span(&self, repo: &Repo) -> Span {
        repo.document(self.document()).1.span
    }

    /// Whether an ApplicationSet generates it.
    pub fn is_generated(&self) -> bool {
        matches!(self.origin, Origin::Generated { .. })
    }

    /// Whether it stands for any number of apps, also none: what its set's generators yield is not known.
    pub fn is_symbolic(&self) -> bool {
        matches!(self.origin, Origin::Generated { is_symbolic: true, .. })
    }

    /// What its parameters were made from; nothing when it is declared.
    pub fn parameters_from(&self) -> &[Provenance] {
        match &self.origin {
            Origin::Declared { .. } => &[],
            Origin::Generated { from, .. } => from,
        }
    }

    /// The whole Application, as declared, as built, or as generated.
    pub fn manifest(&self, fleet: &Fleet, repo: &Repo) -> Arc<Value> {
        match &self.origin {
            Origin::Generated { manifest, .. } => manifest.clone(),
            Origin::Declared { document, through } => {
                match fleet.built.object(Kind::Application, *document, *through) {
                    Some(object) => object.value(repo),
                    None => {
                        let (file, document) = repo.document(*document);
                        Arc::new(read::value(document.node(&file.tree)))
                    }
                }
            }
        }
    }

    /// Its name, when it is known.
    pub fn name(&self) -> Option<&str> {
        self.metadata.name.as_ref().and_then(Text::as_str)
    }

    /// Whether a kustomization builds it or its set, so that it may differ from what is written.
    pub fn is_built(&self) -> bool {
        let (Origin::Declared { through, .. } | Origin::Generated { through, .. }) = &self.origin;
        through.is_some()
    }

    /// Its project: what is written, else `default`, which Argo CD fills in; `None` when it is not known.
    pub fn project(&self) -> Option<&str> {
        let Some(text) = &self.spec.project else { return Some("default") };
        let name = literal(text).ok()?.value;
        Some(if name.is_empty() { "default" } else { name })
    }

    /// The place to look first for findings about the app as a whole: its name, else its spec.
    pub fn span(&self) -> Span {
        self.metadata.name.as_ref().map_or(self.spec.span, Text::span)
    }
}
