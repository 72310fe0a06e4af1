//! Argo CD's names: `normalize` and `slugify`.
//!
//! Mirrors Argo CD 3.6, `SanitizeName` and `SlugifyName` over gosimple/slug 1.15. The slug library also transliterates,
//! but never meets anything beyond ASCII: the name is normalised before.

use super::unicode;

/// The longest DNS subdomain.
const NAME_BYTES: usize = 253;

/// Lower case; everything but letters, digits, `-` and `.` becomes `-`; at most 253 bytes; no `-` or `.` at the ends.
pub fn normalize(name: &str) -> String {
    let lower = unicode::lower(name);
    let mut plain = String::with_capacity(lower.len());
    for c in lower.chars() {
        plain.push(if matches!(c, 'a'..='z' | '0'..='9' | '-' | '.') { c } else { '-' });
    }
    plain.truncate(NAME_BYTES);
    plain.trim_matches(['-', '.']).to_owned()
}

/// [`normalize`], then words joined by single dashes, cut to `limit` bytes: after a whole word when `is_smart`, else
/// anywhere. A limit of zero cuts everything, or nothing when smart. `None` where Argo CD panics: a negative limit that
/// is not smart.
pub fn slugify(name: &str, limit: i64, is_smart: bool) -> Option<String> {
    let mut slug = normalize(name);
    if !is_smart && slug.len() as i64 >= limit {
        slug.truncate(usize::try_from(limit).ok()?);
    }
    let words: Vec<&str> = slug.split(['-', '.']).filter(|word| !word.is_empty()).collect();
    let joined = words.join("-");
    let limit = match usize::try_from(limit) {
        Ok(limit) if limit > 0 && is_smart && joined.len() > limit => limit,
        _ => return Some(joined),
    };
    // The character behind the limit may be the dash to cut at.
    let end = joined[..=limit].rfind('-').unwrap_or(limit);
    Some(joined[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised() {
        assert_eq!(normalize("Prod_01/West."), "prod-01-west");
        assert_eq!(normalize(&"a".repeat(300)).len(), 253);
    }

    #[test]
    fn a_smart_slug_ends_with_a_word() {
        assert_eq!(slugify("one-two-three", 9, true).as_deref(), Some("one-two"));
        assert_eq!(slugify("one-two-three", 7, true).as_deref(), Some("one-two"));
        assert_eq!(slugify("onetwothree", 5, true).as_deref(), Some("onetw"));
        assert_eq!(slugify("a.b  c", 0, true).as_deref(), Some("a-b-c"));
    }

    #[test]
    fn a_hard_cut_goes_anywhere() {
        assert_eq!(slugify("one-two-three", 9, false).as_deref(), Some("one-two-t"));
        assert_eq!(slugify("one-two-three", 8, false).as_deref(), Some("one-two"));
        assert_eq!(slugify("one", -1, false), None);
        assert_eq!(slugify("one", -1, true).as_deref(), Some("one"));
    }
}
