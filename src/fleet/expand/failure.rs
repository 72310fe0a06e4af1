//! Why a controller would generate nothing, or hold an Application back.

use crate::text::Span;

/// One failure of an ApplicationSet.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    /// Which cause it has.
    pub class: Class,
    /// The place to look first.
    pub span: Span,
    /// What is wrong, in the style of finding messages.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Another place, and what it is.
    pub label: Option<(Span, String)>,
}

impl Failure {
    /// A failure without help and label.
    pub fn new(class: Class, span: Span, message: impl Into<String>) -> Failure {
        Failure { class, span, message: message.into(), help: None, label: None }
    }

    /// The same with advice.
    pub fn help(mut self, text: impl Into<String>) -> Failure {
        self.help = Some(text.into());
        self
    }

    /// The same with another place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Failure {
        self.label = Some((span, text.into()));
        self
    }
}

/// The causes, by their names in the conformance vectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "`name` says what each is called; the message says what it means")]
pub enum Class {
    ParseFile,
    GitLsFailed,
    BadPattern,
    ReadFailed,
    ListValueType,
    ElementsYaml,
    MatrixTooFew,
    MatrixTooMany,
    MatrixConflict,
    ChildHasSeveralKinds,
    ChildWithoutKind,
    MergeTooFew,
    MergeNoKeys,
    MergeDuplicateKey,
    SelectorKey,
    SelectorValues,
    TemplateParse,
    TemplateExec,
    MissingKey,
    ControllerPanic,
    /// A panic as well, over an option of Go templates.
    TemplateOption,
    TemplatePatch,
    /// A limit of ours.
    TooMany,
}

impl Class {
    /// The name of the class in vectors and in JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Class::ParseFile => "parse_file",
            Class::GitLsFailed => "git_ls_failed",
            Class::BadPattern => "bad_pattern",
            Class::ReadFailed => "read_failed",
            Class::ListValueType => "list_value_type",
            Class::ElementsYaml => "elements_yaml",
            Class::MatrixTooFew => "matrix_too_few",
            Class::MatrixTooMany => "matrix_too_many",
            Class::MatrixConflict => "matrix_conflict",
            Class::ChildHasSeveralKinds => "child_has_several_kinds",
            Class::ChildWithoutKind => "child_without_kind",
            Class::MergeTooFew => "merge_too_few",
            Class::MergeNoKeys => "merge_no_keys",
            Class::MergeDuplicateKey => "merge_duplicate_key",
            Class::SelectorKey => "selector_key",
            Class::SelectorValues => "selector_values",
            Class::TemplateParse => "template_parse",
            Class::TemplateExec => "template_exec",
            Class::MissingKey => "missing_key",
            Class::ControllerPanic | Class::TemplateOption => "controller_panic",
            Class::TemplatePatch => "template_patch",
            Class::TooMany => "too_many",
        }
    }
}
