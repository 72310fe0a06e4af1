//! Texts that stand for themselves, and texts that another tool fills in before Argo CD sees them.

use crate::text::Spanned;
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

/// Whether a text holds a placeholder in a form that tools replace: `{{ x }}`, `${x}`, `$(x)`, `<x>`, `__X__`.
pub fn is_placeholder(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_. ".contains(&byte);
    let is_constant = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let is_angled =
        |rest: &str| rest.split_once('>').is_some_and(|(word, _)| !word.is_empty() && word.bytes().all(is_word));
    ["{{", "${", "$("].iter().any(|open| text.contains(open))
        || text.split('<').skip(1).any(is_angled)
        || text.split("__").skip(1).any(|word| !word.is_empty() && word.bytes().all(is_constant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_and_addresses_are_literal() {
        for text in ["apps/web", "git@h:o/r.git", "a__b/_c", "values/*.yaml", "$values/a.yaml", "<", "a<b"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn what_other_tools_fill_in_is_not() {
        for text in ["apps/{{ .name }}", "${ENV}/x", "$(ENV)", "<your-org>/x", "x/__APP_NAME__/y"] {
            assert!(is_placeholder(text), "{text}");
        }
    }
}
