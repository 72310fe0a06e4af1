//! ApplicationSet: generators that yield parameters, and the template they fill.

use super::Metadata;
use crate::formats::read::Fields;
use crate::text::{Span, Spanned};
use crate::value::{Text, Value};

/// One ApplicationSet as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApplicationSet {
    /// `metadata`.
    pub metadata: Metadata,
    /// The whole `spec`; empty when there is none.
    pub span: Span,
    /// `spec.goTemplate`: Go templates instead of `{{name}}` placeholders.
    pub go_template: Option<Spanned<bool>>,
    /// `spec.goTemplateOptions`, in order.
    pub go_template_options: Vec<Text>,
    /// `spec.generators`, in order, undecoded: see [`super::generator::Generator::read`].
    pub generators: Vec<Value>,
    /// `spec.template`, its texts not yet rendered.
    pub template: Option<Value>,
    /// `spec.templatePatch`.
    pub template_patch: Option<Text>,
    /// `spec.syncPolicy.preserveResourcesOnDeletion`.
    pub preserves_resources: bool,
    /// `spec.syncPolicy.applicationsSync`.
    pub applications_sync: Option<Text>,
    /// `spec.strategy`, undecoded.
    pub strategy: Option<Value>,
}

impl ApplicationSet {
    /// Reads a whole document.
    pub fn read(document: &Value) -> ApplicationSet {
        let Some(fields) = Fields::of(document) else { return ApplicationSet::default() };
        let metadata = Metadata::read(fields);
        let Some(spec) = fields.fields("spec") else { return ApplicationSet { metadata, ..Default::default() } };
        let sync = spec.fields("syncPolicy");
        ApplicationSet {
            metadata,
            span: spec.span(),
            go_template: spec.bool("goTemplate"),
            go_template_options: spec.texts("goTemplateOptions"),
            generators: spec.items("generators").to_vec(),
            template: spec.value("template").cloned(),
            template_patch: spec.non_empty("templatePatch"),
            preserves_resources: sync
                .and_then(|sync| sync.bool("preserveResourcesOnDeletion"))
                .is_some_and(|preserve| preserve.value),
            applications_sync: sync.and_then(|sync| sync.non_empty("applicationsSync")),
            strategy: spec.value("strategy").cloned(),
        }
    }
}
