//! Letters as Go's `unicode` package sees them: general categories and one-to-one case mappings.
//!
//! Rust's own predicates follow derived properties and its case mappings may yield several letters; Go's do neither.

use regex::Regex;
use std::sync::OnceLock;

/// Category L.
pub(super) fn is_letter(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    if c.is_ascii() { c.is_ascii_alphabetic() } else { belongs(c, &CLASS, r"\p{L}") }
}

/// Category Nd.
pub(super) fn is_digit(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    if c.is_ascii() { c.is_ascii_digit() } else { belongs(c, &CLASS, r"\p{Nd}") }
}

/// Category N.
pub(super) fn is_number(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    if c.is_ascii() { c.is_ascii_digit() } else { belongs(c, &CLASS, r"\p{N}") }
}

/// Category Lu.
pub(super) fn is_upper(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    if c.is_ascii() { c.is_ascii_uppercase() } else { belongs(c, &CLASS, r"\p{Lu}") }
}

/// Category Ll.
pub(super) fn is_lower(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    if c.is_ascii() { c.is_ascii_lowercase() } else { belongs(c, &CLASS, r"\p{Ll}") }
}

/// Category Lt.
pub(super) fn is_title(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    !c.is_ascii() && belongs(c, &CLASS, r"\p{Lt}")
}

/// Category P.
pub(super) fn is_punctuation(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    belongs(c, &CLASS, r"\p{P}")
}

/// What `%q` shows as it is: letters, marks, numbers, punctuation, symbols and the ASCII space.
pub(super) fn is_print(c: char) -> bool {
    static CLASS: OnceLock<Regex> = OnceLock::new();
    if c.is_ascii() { (' '..='~').contains(&c) } else { belongs(c, &CLASS, r"[\p{L}\p{M}\p{N}\p{P}\p{S}]") }
}

fn belongs(c: char, class: &OnceLock<Regex>, pattern: &str) -> bool {
    let class = class.get_or_init(|| Regex::new(pattern).expect("a constant class is a valid pattern"));
    class.is_match(c.encode_utf8(&mut [0; 4]))
}

/// One letter, upper case.
pub(super) fn to_upper(c: char) -> char {
    only(c.to_uppercase()).unwrap_or(match c {
        // Greek letters with iota subscript: several letters in full, one in the simple mapping.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => shifted(c, 8),
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => shifted(c, 9),
        _ => c,
    })
}

/// One letter, lower case.
pub(super) fn to_lower(c: char) -> char {
    only(c.to_lowercase()).unwrap_or(if c == 'İ' { 'i' } else { c })
}

/// One letter, title case: differs from upper case for digraphs and Georgian.
pub(super) fn to_title(c: char) -> char {
    match c {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => c,
        _ => to_upper(c),
    }
}

/// Every letter of `text`, upper case.
pub(super) fn upper(text: &str) -> String {
    text.chars().map(to_upper).collect()
}

/// Every letter of `text`, lower case.
pub(super) fn lower(text: &str) -> String {
    text.chars().map(to_lower).collect()
}

fn only(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next()?;
    mapped.next().is_none().then_some(first)
}

fn shifted(c: char, by: u32) -> char {
    char::from_u32(c as u32 + by).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_stays_one_letter() {
        assert_eq!(upper("straße ŉ"), "STRAßE ŉ");
        assert_eq!(lower("İΣ"), "iσ");
    }

    #[test]
    fn digraphs_have_a_title_case_of_their_own() {
        assert_eq!((to_upper('ǆ'), to_title('ǆ')), ('Ǆ', 'ǅ'));
    }

    #[test]
    fn categories_are_exact() {
        assert!(is_letter('ª') && !is_letter('Ⅷ') && is_number('Ⅷ') && !is_digit('²'));
        assert!(is_print('é') && !is_print('\u{ad}') && !is_print('\u{3000}'));
    }
}
