//! The word that was probably meant.

/// The candidate nearest to `word`, when it is near enough to be a slip of the keyboard; the first of equals.
///
/// Near enough is one change in short words, two from six letters on, three from twelve on; letter case is no change.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = word.to_lowercase();
    let length = word.chars().count();
    let limit = if length >= 12 {
        3
    } else if length >= 6 {
        2
    } else {
        1
    };
    let distance = |candidate: &str| strsim::osa_distance(&wanted, &candidate.to_lowercase());
    let is_near = |candidate: &&str| candidate.chars().count().abs_diff(length) <= limit;
    let near = candidates.into_iter().filter(is_near).map(|candidate| (distance(candidate), candidate));
    near.filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised() {
        assert_eq!(nearest("eror", ["error", "warning"]), Some("error"));
        assert_eq!(nearest("Error", ["error", "warning"]), Some("error"));
        assert_eq!(nearest("enviroments", ["environments", "production"]), Some("environments"));
        assert_eq!(nearest("rulse", ["repos", "rules"]), Some("rules"));
    }

    #[test]
    fn another_word_is_not() {
        assert_eq!(nearest("dev", ["prd", "staging"]), None);
        assert_eq!(nearest("layouts", ["rules"]), None);
    }

    #[test]
    fn the_nearest_wins() {
        assert_eq!(
            nearest("unused-suppresion", ["unused-expression", "unused-suppression"]),
            Some("unused-suppression")
        );
    }
}
