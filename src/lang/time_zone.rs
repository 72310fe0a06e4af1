//! The names of time zones in the IANA database.
//!
//! Mirrors Go 1.26, `time.LoadLocation`, on the list of 2025b; `Local` and the empty text are Go's own.

/// Whether Go finds a time zone of this name. Letter case counts.
pub fn exists(name: &str) -> bool {
    // Beside the zones a system may have them once more, with and without leap seconds.
    let zone = ["posix/", "right/"].iter().find_map(|copy| name.strip_prefix(copy)).unwrap_or(name);
    matches!(name, "" | "UTC" | "Local") || names().any(|known| known == zone)
}

/// The names, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.lines()
}

const NAMES: &str = include_str!("../../schemas/time-zones.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_counts_with_its_case() {
        assert!(exists("Europe/Berlin") && exists("UTC") && exists(""));
        assert!(!exists("europe/berlin") && !exists("Europe") && !exists("CEST"));
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(names().is_sorted() && names().count() > 500);
    }
}
