//! A value must be of the type, and among the values, that its field takes.

use super::{Check, DocumentContext, Findings};
use crate::formats::{Document, Kind, Kinds, ProblemKind};

pub const CHECK: Check = Check::document(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(document: &Document, _: &DocumentContext<'_>, out: &mut Findings) {
    out.problems(document, ProblemKind::WrongType);
}
