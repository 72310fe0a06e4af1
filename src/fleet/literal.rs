//! Texts that stand for themselves, and texts that another tool fills in before Argo CD sees them.

use crate::text::{Spanned, is_placeholder};
use crate::value::{Text, Unknown, Why};

/// The whole text, when it is known and means itself.
///
/// # Errors
/// Why it is not known: a piece is unknown, or the text holds a placeholder of another tool.
pub fn literal(text: &Text) -> Result<Spanned<&str>, Unknown> {
    match text.known() {
        Some(known) if is_placeholder(known.value) => Err(Unknown { why: Why::Template, span: known.span }),
        Some(known) => Ok(known),
        None => Err(text.unknowns().next().cloned().unwrap_or(Unknown { why: Why::Template, span: text.span() })),
    }
}
