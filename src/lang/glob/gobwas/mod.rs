//! gobwas/glob 0.2.3, whose mistakes decide what Argo CD permits.
//!
//! The library turns a pattern into a tree of matchers, glues neighbours together, and searches with them. Its
//! shortcuts change what matches: `a*a` takes `a`-overlaps such as `aa*aa` on `aaa`, `{*,a}b` takes exactly two
//! characters, `?` takes the empty text. To be as wrong as the library, `compile` makes the same shortcuts;
//! `matcher` then walks all places of a match at once, so that no pattern takes more time than the product of its
//! length and the text's. Mirrors v0.2.3, which Argo CD uses up to 3.5; v1 is another engine.
//!
//! Where the library searches in a part of the text, what it finds may depend on where that part ends. Such patterns
//! need several braces in a row and are not worth the effort: [`Pattern::is_exact_for`] tells them apart.

mod compile;
mod matcher;
mod parse;

use super::BadPattern;
use matcher::Matcher;
use parse::Node;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    matcher: Matcher,
    is_exact: bool,
    is_exact_for_ascii: bool,
    literal_prefix: String,
}

impl Pattern {
    /// Compiles `text`; `*` and `?` stop at `separators`.
    ///
    /// # Errors
    /// When the library does not compile it: a class is empty, not closed, or mixes a range with other members. An open
    /// brace is no error. Argo CD logs the error, and the pattern matches nothing. Braces nested deeper than
    /// [`crate::text::limits::DEPTH`] are refused here alone.
    pub fn new(text: &str, separators: &[char]) -> Result<Pattern, BadPattern> {
        let nodes = parse::parse(text)?;
        let literal_prefix = match nodes.first() {
            Some(Node::Text(text)) => text.clone(),
            _ => String::new(),
        };
        let matcher = compile::compile(&nodes, separators);
        let (is_exact, is_exact_for_ascii) = (matcher.is_exact(false), matcher.is_exact(true));
        Ok(Pattern { matcher, is_exact, is_exact_for_ascii, literal_prefix })
    }

    /// Whether the pattern matches the whole `text`.
    pub fn matches(&self, text: &str) -> bool {
        self.matcher.matches(text.as_bytes())
    }

    /// Whether the library panics on some texts: a brace that it takes for empty stands beside other texts, as in
    /// `team{-*,}`, on `team`. Such a pattern matches less than it says.
    pub fn may_panic(&self) -> bool {
        self.matcher.may_panic()
    }

    /// Whether [`Pattern::matches`] is sure to answer as the library does. It is not when the library may panic, for a
    /// brace with an alternative such as `a*bb`, whose end overlaps with itself, in front of another brace, for several
    /// separators before a brace, and for negated classes of several characters in a row before a wildcard; nor for
    /// texts that are not ASCII, when single characters stand in front of a wildcard.
    pub fn is_exact_for(&self, text: &str) -> bool {
        self.is_exact || self.is_exact_for_ascii && text.is_ascii()
    }

    /// Text that every matching text begins with.
    pub fn literal_prefix(&self) -> &str {
        &self.literal_prefix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern, &['/']).is_ok_and(|pattern| pattern.matches(text))
    }

    #[test]
    fn a_star_stops_at_separators_and_two_do_not() {
        assert!(matches("https://h/*", "https://h/org"));
        assert!(!matches("https://h/*", "https://h/org/repo"));
        assert!(matches("https://h/**", "https://h/org/repo"));
        assert!(Pattern::new("a*b", &[]).unwrap().matches("a/b"));
    }

    #[test]
    fn braces_hold_alternatives_and_may_stay_open() {
        assert!(matches("{a,b{c,d}}/x", "bd/x"));
        assert!(matches("{,a}b", "b"));
        assert!(matches("a{b", "ab"));
        assert!(matches("a},b", "a},b"));
    }

    #[test]
    fn a_class_is_one_range_or_some_characters() {
        assert!(matches("[a-c]", "b"));
        assert!(matches("[!a-c]", "d"));
        assert!(matches("[^a]", "^"));
        assert!(matches("[ab-d]", "-"));
        assert!(!matches("[ab-d]", "c"));
    }

    #[test]
    fn a_bad_class_does_not_compile() {
        for (pattern, offset) in [("a[", 1), ("[]a]", 0), ("[a-]", 3), ("[c-a]", 1), ("[!]", 0), ("[a-cd]", 4)] {
            assert_eq!(Pattern::new(pattern, &[]).unwrap_err().offset, offset, "{pattern}");
        }
    }

    #[test]
    fn prefix_and_suffix_may_overlap_around_a_double_star() {
        assert!(matches("aa**aa", "aaa"));
        assert!(matches("a/**/b", "a/b"));
        assert!(!matches("aa**aa", "aa/a"));
        assert!(!matches("**/x", "x"));
    }

    #[test]
    fn a_brace_that_begins_with_a_star_counts_as_one_character() {
        assert!(matches("{*,a}b", "xb"));
        assert!(!matches("{*,a}b", "xxb"));
        assert!(matches("{a,*}b", "xxb"));
    }

    #[test]
    fn a_single_wildcard_matches_the_empty_text() {
        assert!(matches("?", ""));
        assert!(!matches("a?", "a"));
    }

    #[test]
    fn a_hostile_pattern_takes_no_time() {
        let text = "a".repeat(10_000);
        for pattern in ["*a".repeat(2_000) + "b", "{a,b}*".repeat(500) + "c", "?*".repeat(2_000) + "b", "{".repeat(150)]
        {
            assert!(!matches(&pattern, &text), "{}", &pattern[..10]);
        }
    }

    #[test]
    fn what_depends_on_where_a_search_ends_is_not_vouched_for() {
        assert!(!Pattern::new("[!ab][!ab]*[!a]*", &[]).unwrap().is_exact_for("bab!"));
        assert!(Pattern::new("[!a][!a]*[!a]*", &[]).unwrap().is_exact_for("bab!"));
        assert!(Pattern::new("[!ab]*", &[]).unwrap().is_exact_for("bab!"));
    }

    #[test]
    fn the_prefix_is_the_text_before_the_first_meaning() {
        assert_eq!(Pattern::new("ab\\*c*", &[]).unwrap().literal_prefix(), "ab*c");
        assert_eq!(Pattern::new("{a,b}c", &[]).unwrap().literal_prefix(), "");
    }
}
