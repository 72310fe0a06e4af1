//! Text edits: the only way anything changes a file.

use super::Span;

/// Replaces the bytes of `span` by `text`; an empty text deletes, an empty span inserts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// The bytes that come.
    pub text: String,
}

/// Why a list of edits was refused as a whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Two edits touch the same bytes, or insert at the same place.
    Overlap(Span, Span),
    /// An edit lies outside the text or cuts a character.
    OutOfBounds(Span),
}

/// Applies edits of one file to its text. All edits speak of the text as it was; their order does not matter.
///
/// # Errors
/// [`Refused`] when two edits overlap or one does not fit the text; nothing is applied then.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Refused> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    for pair in sorted.windows(2) {
        let (first, second) = (pair[0].span, pair[1].span);
        if second.start < first.end || (first.start == second.start) {
            return Err(Refused::Overlap(first, second));
        }
    }
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for edit in sorted {
        let range = edit.span.range();
        let kept = text.get(done..range.start).ok_or(Refused::OutOfBounds(edit.span))?;
        if text.get(range.clone()).is_none() {
            return Err(Refused::OutOfBounds(edit.span));
        }
        result.push_str(kept);
        result.push_str(&edit.text);
        done = range.end;
    }
    result.push_str(&text[done..]);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit { span: Span::new(FileId(0), start, end), text: text.into() }
    }

    #[test]
    fn edits_speak_of_the_original_text() {
        assert_eq!(apply("abcdef", &[edit(4, 5, "E"), edit(0, 2, ""), edit(3, 3, "-")]).unwrap(), "c-dEf");
    }

    #[test]
    fn overlapping_edits_are_refused() {
        assert!(matches!(apply("abc", &[edit(0, 2, "x"), edit(1, 3, "y")]), Err(Refused::Overlap(..))));
        assert!(matches!(apply("abc", &[edit(1, 1, "x"), edit(1, 1, "y")]), Err(Refused::Overlap(..))));
    }

    #[test]
    fn an_edit_outside_the_text_is_refused() {
        assert!(matches!(apply("é", &[edit(1, 2, "x")]), Err(Refused::OutOfBounds(_))));
        assert!(matches!(apply("a", &[edit(5, 9, "x")]), Err(Refused::OutOfBounds(_))));
    }
}
