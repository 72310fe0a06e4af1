//! A field must be one that its kind has.

use super::{Check, DocumentContext, Findings};
use crate::formats::{Document, Kind, Kinds, ProblemKind};

pub const CHECK: Check = Check::document(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(document: &Document, _: &DocumentContext<'_>, out: &mut Findings) {
    out.problems(document, ProblemKind::UnknownField);
}
