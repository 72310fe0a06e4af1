//! Words that are nearly other words: what somebody meant who wrote one that does not exist.

/// A known word that is like the one written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Near<'a> {
    /// The known word.
    pub word: &'a str,
    /// Characters to insert, delete, replace or swap; 0 when only letter case or separators differ. A word that begins
    /// or ends with the one written counts as one slip away.
    pub distance: usize,
}

/// The known words that are like `written`, nearest first, otherwise in the order given.
///
/// Short words must be nearer than long ones: a third of the letters may differ, at most three.
pub fn near<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<Near<'a>> {
    let plain = squash(written);
    let letters = plain.chars().count();
    let likeness = |word: &'a str| {
        let known = squash(word);
        let slips = distance(&plain, &known);
        let is_part = letters >= 3 && (known.starts_with(&plain) || known.ends_with(&plain));
        let distance = if is_part { slips.min(1) } else { slips };
        (distance <= (letters / 3).clamp(1, 3)).then_some(Near { word, distance })
    };
    let mut found: Vec<Near<'a>> = known.into_iter().filter_map(likeness).collect();
    found.sort_by_key(|near| near.distance);
    found
}

/// The known word that is most like `written`, when one is like it; the first of equals.
pub fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(written, known).first().map(|near| near.word)
}

/// The one word of `near` that must have been meant: alone at its distance, and so like `written` that nobody doubts.
pub fn certain<'a>(written: &str, near: &[Near<'a>]) -> Option<&'a str> {
    let best = near.first()?;
    let is_alone = near.get(1).is_none_or(|next| next.distance > best.distance);
    let letters = written.chars().count();
    let is_sure = match distance(&squash(written), &squash(best.word)) {
        0 => true,
        1 => letters >= 4,
        2 => letters >= 6,
        _ => false,
    };
    (is_alone && is_sure).then_some(best.word)
}

/// All known words, those first that hold the one written, then the nearest: for telling what was expected.
pub fn by_likeness<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let plain = squash(written);
    let rank = |word: &str| {
        let word = squash(word);
        (plain.is_empty() || !word.contains(&plain), distance(&plain, &word))
    };
    let mut words: Vec<_> = known.into_iter().map(|word| (rank(word), word)).collect();
    words.sort_unstable();
    words.into_iter().map(|(_, word)| word).collect()
}

fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(a, b)
}

/// Lower case, without `-`, `_` and blanks. No known word is longer than what is kept, and the distance is quadratic.
fn squash(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 6] = ["path", "ref", "repoURL", "source", "sources", "targetRevision"];

    fn meant(written: &str) -> Option<&'static str> {
        certain(written, &near(written, FIELDS))
    }

    #[test]
    fn case_and_separators_do_not_make_another_word() {
        assert_eq!(meant("targetrevision"), Some("targetRevision"));
        assert_eq!(meant("target_revision"), Some("targetRevision"));
        assert_eq!(meant("repo-url"), Some("repoURL"));
    }

    #[test]
    fn a_slip_of_the_pen_is_certain_in_long_words() {
        assert_eq!(meant("tragetRevision"), Some("targetRevision"));
        assert_eq!(meant("targetRevison"), Some("targetRevision"));
        assert_eq!(meant("repoURI"), Some("repoURL"));
    }

    #[test]
    fn short_words_are_never_certain() {
        assert_eq!(near("rev", FIELDS), [Near { word: "ref", distance: 1 }]);
        assert_eq!(meant("rev"), None);
    }

    #[test]
    fn two_words_at_one_distance_are_not_certain() {
        assert_eq!(near("sourcex", FIELDS).len(), 2);
        assert_eq!(meant("sourcex"), None);
    }

    #[test]
    fn a_part_of_a_word_is_near_but_not_certain() {
        assert_eq!(near("revision", FIELDS), [Near { word: "targetRevision", distance: 1 }]);
        assert_eq!(near("url", FIELDS), [Near { word: "repoURL", distance: 1 }]);
        assert_eq!(meant("revision"), None);
    }

    #[test]
    fn another_word_is_not_near() {
        assert!(near("chart", FIELDS).is_empty());
    }

    #[test]
    fn expected_words_come_nearest_first() {
        assert_eq!(by_likeness("paths", FIELDS)[0], "path");
        assert_eq!(by_likeness("revision", FIELDS)[0], "targetRevision");
    }
}
