//! How a path differs from one that a pattern takes, segment by segment.

use super::meant::is_match;
use crate::lang::glob::doublestar::has_meta;
use crate::repo::{Slip, slip};
use strsim::osa_distance;

/// Segments of a pattern that are looked at; longer paths than anybody writes are near to nothing.
const SEGMENTS: usize = 24;

/// The one difference between a path and those that a pattern takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alignment {
    /// What kind of difference.
    pub slip: Slip,
    /// The segment of the path that differs, from 0; of two swapped ones the first; of a missing one where it belongs.
    pub at: usize,
    /// The path without the difference.
    pub corrected: Vec<String>,
}

/// The one difference between a path and those that a pattern takes, both as segments; `None` when there is none, or more
/// than one. Every `*` of the pattern stays in its segment, `**` stands for any number of segments.
pub fn align(pattern: &[&str], path: &[&str], is_folder: bool) -> Option<Alignment> {
    if pattern.len() > SEGMENTS || path.len() > SEGMENTS {
        return None;
    }
    match pattern.iter().position(|segment| *segment == "**") {
        Some(at) => spread(pattern, at, path, is_folder),
        None => plain(pattern, path, is_folder),
    }
}

/// The same where `**` stands at a place: with each number of segments that fits best.
fn spread(pattern: &[&str], at: usize, path: &[&str], is_folder: bool) -> Option<Alignment> {
    let fixed = pattern.len() - 1;
    let tries = (0..=path.len().saturating_sub(fixed)).map(|count| {
        let stars = std::iter::repeat_n("*", count);
        let filled: Vec<&str> =
            pattern[..at].iter().copied().chain(stars).chain(pattern[at + 1..].iter().copied()).collect();
        filled
    });
    let mut best: Option<Alignment> = None;
    for filled in tries {
        if is_match(&filled, path) {
            return None;
        }
        // A level more or less is no difference where any number fits.
        let found = align(&filled, path, is_folder).filter(|found| found.slip != Slip::Level);
        best = match (best, found) {
            (Some(best), Some(found)) if found.slip < best.slip => Some(found),
            (None, found) => found,
            (best, _) => best,
        };
    }
    best
}

fn plain(pattern: &[&str], path: &[&str], is_folder: bool) -> Option<Alignment> {
    // What any name fits is in its place on every level.
    let is_named = pattern.last().is_some_and(|last| !has_meta(last) || last.contains('.'));
    let corrected = |segments: Vec<&str>| segments.into_iter().map(str::to_owned).collect::<Vec<String>>();
    if is_named && path.len() == pattern.len() + 1 {
        // The name of what is wanted stays the last one.
        let without = |at: usize| [&path[..at], &path[at + 1..]].concat();
        let at = (0..path.len() - 1).find(|&at| is_match(pattern, &without(at)))?;
        return Some(Alignment { slip: Slip::Level, at, corrected: corrected(without(at)) });
    }
    if is_named && path.len() + 1 == pattern.len() {
        let without = |at: usize| [&pattern[..at], &pattern[at + 1..]].concat();
        let mut fitting = (0..pattern.len() - 1).filter(|&at| is_match(&without(at), path));
        let at = fitting.next()?;
        // Where a wildcard may be missing too, nobody knows what it would stand for.
        if has_meta(pattern[at]) || fitting.any(|other| has_meta(pattern[other])) {
            return None;
        }
        return Some(Alignment {
            slip: Slip::Level,
            at,
            corrected: corrected([&path[..at], &pattern[at..=at], &path[at..]].concat()),
        });
    }
    if path.len() != pattern.len() {
        return None;
    }
    let mut differing = (0..path.len()).filter(|&at| !is_match(&pattern[at..=at], &path[at..=at]));
    match (differing.next(), differing.next(), differing.next()) {
        (Some(at), None, _) => {
            let is_folder = is_folder || at + 1 < path.len();
            let Some((slip, name)) = one(pattern[at], path[at], is_folder) else { return exchanged(pattern, path, at) };
            let mut segments = corrected(path.to_vec());
            segments[at] = name;
            Some(Alignment { slip, at, corrected: segments })
        }
        (Some(at), Some(other), None) => {
            let mut segments = path.to_vec();
            segments.swap(at, other);
            let is_swapped = is_match(pattern, &segments);
            is_swapped.then(|| Alignment { slip: Slip::Order, at, corrected: corrected(segments) })
        }
        _ => None,
    }
}

/// The path with a segment that no other one explains swapped with a neighbour, which a wildcard takes either way.
fn exchanged(pattern: &[&str], path: &[&str], at: usize) -> Option<Alignment> {
    let neighbours = [at.checked_sub(1), Some(at + 1).filter(|next| *next < path.len())];
    let mut swaps = neighbours.into_iter().flatten().map(|other| {
        let mut segments = path.to_vec();
        segments.swap(at, other);
        (at.min(other), segments)
    });
    let (at, segments) = swaps.find(|(_, segments)| is_match(pattern, segments))?;
    let corrected = segments.into_iter().map(str::to_owned).collect();
    Some(Alignment { slip: Slip::Order, at, corrected })
}

/// How one name differs from a segment, and the name that it takes instead.
fn one(segment: &str, name: &str, is_folder: bool) -> Option<(Slip, String)> {
    if !has_meta(segment) {
        let slip =
            slip(segment, name, is_folder).filter(|slip| *slip != Slip::Longer).or_else(|| letter(segment, name));
        return Some((slip?, segment.to_owned()));
    }
    // A folder has no extension that could be wrong.
    let (_, extension) = segment.rsplit_once('.').filter(|(_, extension)| !is_folder && !has_meta(extension))?;
    let (stem, _) = name.rsplit_once('.')?;
    let name_of_kind = format!("{stem}.{extension}");
    let is_slip = slip(segment, name, false) == Some(Slip::Extension) && is_match(&[segment], &[&name_of_kind]);
    is_slip.then_some((Slip::Extension, name_of_kind))
}

/// One wrong letter in names that are too short to be near by themselves, or whose extension has it. Words of one or two
/// letters differ on purpose, and so do those of three in which another letter stands: they are codes.
pub(super) fn letter(segment: &str, name: &str) -> Option<Slip> {
    let words = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_owned).collect()
    };
    let (words, others) = (words(segment), words(name));
    if words.len() != others.len() {
        let is_long = |text: &str| text.chars().count() >= 3;
        let is_one = is_long(segment) && is_long(name) && osa_distance(segment, name) == 1;
        return is_one.then_some(Slip::Typing(1));
    }
    let mut pairs = words.iter().zip(&others).filter(|(word, other)| word != other);
    let (Some((word, other)), None) = (pairs.next(), pairs.next()) else { return None };
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<Vec<char>>();
    let sorted = |text: &str| {
        let mut letters = letters(text);
        letters.sort_unstable();
        letters
    };
    let (one, two) = (word.chars().count(), other.chars().count());
    let is_code = one.max(two) <= 3 && one == two && sorted(word) != sorted(other);
    let is_one = one.min(two) >= 2 && one.max(two) >= 3 && !is_code && osa_distance(word, other) == 1;
    (is_one && letters(word) != letters(other)).then_some(Slip::Typing(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, path: &str) -> Option<(Slip, String)> {
        let split = |text| str::split(text, '/').collect::<Vec<&str>>();
        let found = align(&split(pattern), &split(path), false)?;
        Some((found.slip, found.corrected.join("/")))
    }

    #[test]
    fn one_segment_differs() {
        for (path, slip) in [
            ("apps/shop/envs/dev/app.yml", Slip::Extension),
            ("apps/shop/envs/dev/App.yaml", Slip::Case),
            ("apps/shop/env/dev/app.yaml", Slip::Plural),
            ("apps/shop/envs/development/app.yaml", Slip::Alias),
            ("apps/shop/envs/dve/app.yaml", Slip::Typing(1)),
            ("apps/shop/envs/dev/ap.yaml", Slip::Typing(1)),
            ("apps/shop/envs/dev/app.yam", Slip::Typing(1)),
        ] {
            let wanted = Some((slip, "apps/shop/envs/dev/app.yaml".to_owned()));
            assert_eq!(found("apps/*/envs/dev/app.yaml", path), wanted, "{path}");
        }
    }

    #[test]
    fn segments_are_swapped_missing_or_too_many() {
        for (path, slip) in [
            ("apps/shop/dev/envs/app.yaml", Slip::Order),
            ("shop/apps/envs/dev/app.yaml", Slip::Order),
            ("apps/shop/envs/app.yaml", Slip::Level),
            ("apps/shop/envs/old/dev/app.yaml", Slip::Level),
        ] {
            let wanted = Some((slip, "apps/shop/envs/dev/app.yaml".to_owned()));
            assert_eq!(found("apps/*/envs/dev/app.yaml", path), wanted, "{path}");
        }
    }

    #[test]
    fn stars_stand_for_any_number_of_segments() {
        let wanted = |path: &str| Some((Slip::Extension, path.to_owned()));
        assert_eq!(found("apps/**/app.yaml", "apps/a/b/app.yml"), wanted("apps/a/b/app.yaml"));
        assert_eq!(found("apps/**/app.yaml", "apps/app.yml"), wanted("apps/app.yaml"));
        assert_eq!(found("apps/**/app.yaml", "other/a/b/app.yaml"), None);
    }

    #[test]
    fn short_words_differ_on_purpose() {
        for (one, other) in [("team-a", "team-b"), ("prod-eu", "prod-us"), ("fra", "fre"), ("app-dev", "app-deb")] {
            assert_eq!(letter(one, other), None, "{one} {other}");
        }
        for (one, other) in [("dev", "dve"), ("dev", "de"), ("app-dev", "app-deev"), ("core", "cora")] {
            assert_eq!(letter(one, other), Some(Slip::Typing(1)), "{one} {other}");
        }
    }

    #[test]
    fn other_names_are_not_near() {
        for path in [
            "apps/shop/envs/qa/app.yaml",
            "apps/shop/envs/dev/values.yaml",
            "apps/shop/envs/dev2/app.yaml",
            "apps/shop/envs/deb/app.yaml",
            "apps/app.yaml",
            "apps/shop/env/dev/app.yml",
        ] {
            assert_eq!(found("apps/*/envs/dev/app.yaml", path), None, "{path}");
        }
        assert_eq!(found("clusters/*.yaml", "clusters/eu.yml"), Some((Slip::Extension, "clusters/eu.yaml".into())));
        assert_eq!(found("apps/*/app.yaml", "apps/app.yaml"), None);
    }
}
