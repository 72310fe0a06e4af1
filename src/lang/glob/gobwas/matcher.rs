//! What a compiled pattern is made of, and how it matches. Mirrors gobwas/glob 0.2.3, `match`.
//!
//! The library asks a matcher two questions: does it match the whole of this text (`Match`), and where in this text
//! does it match first, and up to where (`Index`)? The answers do not always agree. Here both are asked for all places
//! at once: given the places where a match may start, where may it end?

use crate::lang::glob::rune;

/// A matcher. Texts are bytes, since the library cuts between bytes, too.
#[derive(Clone, PartialEq, Debug)]
pub enum Matcher {
    /// Only the empty text.
    Nothing,
    Text(Vec<u8>),
    List {
        characters: Vec<char>,
        negated: bool,
    },
    Range {
        low: char,
        high: char,
        negated: bool,
    },
    /// One character that is none of these.
    Single(Vec<char>),
    /// Any number of characters that are none of these.
    Any(Vec<char>),
    /// At least so many characters, or exactly so many, in which a text (the separators, one after the other) does not
    /// occur.
    Count {
        least: usize,
        exact: bool,
        without: Vec<u8>,
    },
    /// A text, and any number of characters that are none of these.
    Prefix(Vec<u8>, Vec<char>),
    /// Any number of characters that are none of these, and a text.
    Suffix(Vec<char>, Vec<u8>),
    /// Both texts, and they may overlap.
    PrefixSuffix(Vec<u8>, Vec<u8>),
    Contains(Vec<u8>),
    AnyOf(Vec<Matcher>),
    /// Matchers of fixed length in a row; the length is counted in characters.
    Row {
        length: usize,
        parts: Vec<Matcher>,
    },
    /// At least two matchers, one behind the other, among them one that is searched for.
    Tree(Vec<Step>),
}

/// One matcher of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub matcher: Matcher,
    /// Whether the library looks for it in the text, or else lets it match what other matchers left.
    pub searched: bool,
    /// The library searches only in a text that is not empty: when the find is empty, a step before this one must not
    /// be.
    pub deadline: usize,
    /// Whether the library looks for it from the start of the text on, character by character, so that it is not found
    /// within one.
    pub aligned: bool,
}

/// For every offset of a text and its end, whether a match may stand there.
type Places = Vec<bool>;

impl Matcher {
    /// The number of characters of every match, as far as the library knows it. It judges alternatives by those after
    /// the first: `{*,a}` has length 1, and `{a,*}` has none.
    pub fn fixed_length(&self) -> Option<usize> {
        match self {
            Matcher::Nothing => Some(0),
            Matcher::Text(text) => Some(rune::each(text).count()),
            Matcher::List { .. } | Matcher::Range { .. } | Matcher::Single(_) => Some(1),
            Matcher::Row { length, .. } => Some(*length),
            Matcher::AnyOf(matchers) => {
                let mut length = None;
                for matcher in matchers {
                    let own = matcher.fixed_length();
                    if length.is_some() && own != length {
                        return None;
                    }
                    length = own;
                }
                length
            }
            _ => None,
        }
    }

    /// Whether the library may read beyond the end of a text: a row has a part of length 0.
    pub fn may_panic(&self) -> bool {
        match self {
            Matcher::Row { parts, .. } => parts.iter().any(|part| part.fixed_length() == Some(0) || part.may_panic()),
            Matcher::AnyOf(matchers) => matchers.iter().any(Matcher::may_panic),
            Matcher::Tree(steps) => steps.iter().any(|step| step.matcher.may_panic()),
            _ => false,
        }
    }

    /// Whether this answers as the library does for every text, or for every text of ASCII characters.
    pub fn is_exact(&self, ascii: bool) -> bool {
        match self {
            Matcher::AnyOf(matchers) => matchers.iter().all(|matcher| matcher.is_exact(ascii)),
            Matcher::Row { parts, .. } => !self.may_panic() && parts.iter().all(|part| part.is_exact(ascii)),
            Matcher::Tree(steps) => steps
                .iter()
                .all(|step| step.matcher.is_exact(ascii) && (!step.searched || step.matcher.is_found_exactly(ascii))),
            _ => true,
        }
    }

    /// Whether what the library finds depends on the text from the start on, and not on where the searched text ends.
    fn is_found_exactly(&self, ascii: bool) -> bool {
        match self {
            Matcher::Any(stops) | Matcher::Prefix(_, stops) => stops.len() < 2,
            // An unwanted text counts only when the searched text holds all of it.
            Matcher::Count { without, .. } => without.len() < 2,
            Matcher::PrefixSuffix(_, suffix) => (1..suffix.len()).all(|at| !suffix.starts_with(&suffix[at..])),
            Matcher::AnyOf(matchers) => matchers.iter().all(|matcher| matcher.is_found_exactly(ascii)),
            Matcher::Row { .. } => ascii,
            _ => true,
        }
    }

    /// Whether this matches all of `text`.
    pub fn matches(&self, text: &[u8]) -> bool {
        match self {
            Matcher::Nothing => text.is_empty(),
            Matcher::Text(expected) => text == expected,
            Matcher::List { .. } | Matcher::Range { .. } | Matcher::Single(_) => {
                // The empty text reads as one broken character.
                let (character, width) = rune::first(text);
                width == text.len() && self.takes(character)
            }
            Matcher::Any(stops) => !has_any(text, stops),
            Matcher::Count { least, exact, without } => {
                let count = rune::each(text).take(least + 1).count();
                let enough = if *exact { count == *least } else { count >= *least };
                enough && (without.is_empty() || find(text, without).is_none())
            }
            Matcher::Prefix(prefix, stops) => text.strip_prefix(&prefix[..]).is_some_and(|rest| !has_any(rest, stops)),
            Matcher::Suffix(stops, suffix) => text.strip_suffix(&suffix[..]).is_some_and(|rest| !has_any(rest, stops)),
            Matcher::PrefixSuffix(prefix, suffix) => text.starts_with(prefix) && text.ends_with(suffix),
            Matcher::Contains(needle) => find(text, needle).is_some(),
            Matcher::AnyOf(matchers) => matchers.iter().any(|matcher| matcher.matches(text)),
            Matcher::Row { length, parts } => {
                rune::each(text).take(length + 1).count() == *length && parts_match(parts, text)
            }
            Matcher::Tree(steps) => {
                // Most texts are told apart by the ends of a pattern.
                let literal = |step: Option<&'_ Step>, is_there: fn(&[u8], &[u8]) -> bool| match step {
                    Some(Step { matcher: Matcher::Text(literal), .. }) => is_there(text, literal),
                    _ => true,
                };
                if !literal(steps.first(), <[u8]>::starts_with) || !literal(steps.last(), <[u8]>::ends_with) {
                    return false;
                }
                let mut starts = vec![false; text.len() + 1];
                starts[0] = true;
                walk(steps, text, &starts)[text.len()]
            }
        }
    }

    /// Whether a single-character matcher takes this one.
    fn takes(&self, character: u32) -> bool {
        match self {
            Matcher::List { characters, negated } => is_one_of(character, characters) != *negated,
            Matcher::Range { low, high, negated } => {
                (u32::from(*low)..=u32::from(*high)).contains(&character) != *negated
            }
            Matcher::Single(stops) => !is_one_of(character, stops),
            _ => false,
        }
    }

    /// Whether a search may find nothing at all, at any place.
    fn finds_empty(&self) -> bool {
        match self {
            Matcher::Nothing | Matcher::Any(_) => true,
            Matcher::AnyOf(matchers) => matchers.iter().any(Matcher::finds_empty),
            _ => false,
        }
    }

    /// Adds the ends of all matches that start at one of `starts` and are not empty: as a whole, or as the library
    /// finds them.
    fn extend(&self, text: &[u8], starts: &Places, searched: bool, ends: &mut Places) {
        let nowhere = || vec![false; text.len() + 1];
        match self {
            Matcher::Nothing => {}
            Matcher::Text(expected) => literal(text, starts, expected, ends),
            Matcher::List { .. } | Matcher::Range { .. } | Matcher::Single(_) => {
                for start in places(starts).filter(|&start| start < text.len()) {
                    let (character, width) = rune::first(&text[start..]);
                    if self.takes(character) {
                        let width = if searched { found_width(character, width) } else { width };
                        ends[text.len().min(start + width)] = true;
                    }
                }
            }
            Matcher::Any(stops) => run(text, starts, stops, ends),
            Matcher::Count { least, exact, without } => {
                let unwanted = Unwanted::new(text, without, searched);
                count(text, starts, (*least, *exact), &unwanted, searched, ends);
            }
            Matcher::Prefix(prefix, stops) => {
                let mut behind = nowhere();
                literal(text, starts, prefix, &mut behind);
                run(text, &behind, stops, ends);
                merge(ends, &behind);
            }
            Matcher::Suffix(stops, suffix) => {
                let mut before = starts.clone();
                run(text, starts, stops, &mut before);
                if searched {
                    // Of each start only the first occurrence counts, and nothing may stop the run to it.
                    let mut found = nowhere();
                    first_occurrences(text, starts, suffix, &mut found);
                    places(&found).filter(|&end| before[end - suffix.len()]).for_each(|end| ends[end] = true);
                } else {
                    literal(text, &before, suffix, ends);
                }
            }
            Matcher::PrefixSuffix(prefix, suffix) => {
                let Some(start) = places(starts).find(|&start| text[start..].starts_with(prefix)) else { return };
                if searched {
                    occurrences_from_the_right(&text[start..], suffix, &mut ends[start..]);
                } else {
                    let least = start + prefix.len().max(suffix.len());
                    (least..=text.len()).filter(|&end| text[..end].ends_with(suffix)).for_each(|end| ends[end] = true);
                }
            }
            Matcher::Contains(needle) => {
                let mut found = nowhere();
                first_occurrences(text, starts, needle, &mut found);
                run(text, &found, &[], ends);
                merge(ends, &found);
            }
            Matcher::AnyOf(matchers) => {
                matchers.iter().for_each(|matcher| matcher.extend(text, starts, searched, ends))
            }
            Matcher::Row { length, parts } => {
                for start in places(starts) {
                    // A find is taken to be as many bytes long as it has characters.
                    let end = if searched { Some(start + length) } else { skip(text, start, *length) };
                    let Some(end) = end.filter(|&end| end <= text.len() && end > start) else { continue };
                    if parts_match(parts, if searched { &text[start..] } else { &text[start..end] }) {
                        ends[end] = true;
                    }
                }
            }
            // The library cannot search for a tree.
            Matcher::Tree(_) if searched => {}
            Matcher::Tree(steps) => merge(ends, &walk(steps, text, starts)),
        }
    }
}

/// The places where all steps of a tree may end.
fn walk(steps: &[Step], text: &[u8], starts: &Places) -> Places {
    const NOWHERE: usize = 0;
    const SETTLED: usize = usize::MAX;
    // For every place, the step before which an empty find must be made up for; the latest, since that one asks the
    // least.
    let mut deadlines: Vec<usize> = starts.iter().map(|&start| if start { SETTLED } else { NOWHERE }).collect();
    let mut starts = starts.clone();
    let mut ends = vec![false; text.len() + 1];
    for (index, Step { matcher, searched, deadline, aligned }) in steps.iter().enumerate() {
        if *aligned {
            starts.iter_mut().enumerate().for_each(|(at, start)| *start &= is_border(text, at));
        }
        ends.fill(false);
        matcher.extend(text, &starts, *searched, &mut ends);
        let may_be_empty = if *searched { matcher.finds_empty() } else { matcher.matches(b"") };
        let limit = if !may_be_empty {
            NOWHERE
        } else if *searched {
            *deadline
        } else {
            SETTLED
        };
        let mut is_over = true;
        for ((own, start), &end) in deadlines.iter_mut().zip(&mut starts).zip(&ends) {
            let kept = if *start { (*own).min(limit) } else { NOWHERE };
            *own = match (end, kept > index + 1) {
                (true, _) => SETTLED,
                (false, true) => kept,
                (false, false) => NOWHERE,
            };
            *start = *own != NOWHERE;
            is_over &= !*start;
        }
        if is_over {
            break;
        }
    }
    starts
}

/// Whether the parts of a row match one after the other, each as many characters as its length says.
fn parts_match(parts: &[Matcher], text: &[u8]) -> bool {
    let mut rest = text;
    for part in parts {
        // The library takes the last character for one byte, and all characters where none are asked for.
        let last = match part.fixed_length() {
            None | Some(0) => rune::each(rest).last(),
            Some(length) => rune::each(rest).nth(length - 1),
        };
        let Some((last, _)) = last else { return false };
        let (own, after) = rest.split_at(last + 1);
        if !part.matches(own) {
            return false;
        }
        rest = after;
    }
    true
}

/// The marked places, in order.
fn places(marks: &Places) -> impl Iterator<Item = usize> + '_ {
    marks.iter().enumerate().filter(|(_, marked)| **marked).map(|(place, _)| place)
}

fn merge(ends: &mut Places, more: &Places) {
    places(more).for_each(|place| ends[place] = true);
}

fn literal(text: &[u8], starts: &Places, expected: &[u8], ends: &mut Places) {
    let Some(first) = expected.first() else { return };
    for (start, _) in starts.iter().zip(text).enumerate().filter(|(_, (start, byte))| **start && *byte == first) {
        if text[start..].starts_with(expected) {
            ends[start + expected.len()] = true;
        }
    }
}

/// Marks what a run of at least one character that is none of `stops` reaches. A start inside a character goes on byte
/// by byte.
fn run(text: &[u8], starts: &Places, stops: &[char], ends: &mut Places) {
    let (mut active, mut inside) = (false, false);
    for at in 0..text.len() {
        if is_border(text, at) {
            active |= inside;
            inside = false;
            ends[at] |= active;
            active = (active || starts[at]) && !is_one_of(rune::first(&text[at..]).0, stops);
        } else {
            ends[at] |= inside;
            inside |= starts[at];
        }
    }
    ends[text.len()] |= active || inside;
}

fn is_border(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
}

/// Where a text that must not occur begins next.
struct Unwanted {
    next: Vec<Option<usize>>,
    /// A match may end inside the unwanted text, a find only before it.
    inside: usize,
}

impl Unwanted {
    fn new(text: &[u8], unwanted: &[u8], searched: bool) -> Unwanted {
        let mut next = vec![None; text.len() + 1];
        if !unwanted.is_empty() {
            for at in (0..text.len()).rev() {
                next[at] = if text[at..].starts_with(unwanted) { Some(at) } else { next[at + 1] };
            }
        }
        Unwanted { next, inside: if searched { 0 } else { unwanted.len().saturating_sub(1) } }
    }

    /// The last place where a match that begins at `start` may end.
    fn limit(&self, start: usize) -> usize {
        let end = self.next.len() - 1;
        self.next[start].map_or(end, |unwanted| end.min(unwanted + self.inside))
    }
}

fn count(
    text: &[u8],
    starts: &Places,
    (least, exact): (usize, bool),
    unwanted: &Unwanted,
    searched: bool,
    ends: &mut Places,
) {
    // Places behind enough characters, each with the latest limit of the starts that reach it.
    let mut limits: Vec<Option<usize>> = vec![None; text.len() + 1];
    for start in places(starts) {
        let Some(last) = skip(text, start, least - 1).filter(|&last| last < text.len()) else { continue };
        let (character, width) = rune::first(&text[last..]);
        let limit = unwanted.limit(start);
        let end = text.len().min(last + if searched { found_width(character, width) } else { width });
        if end <= limit {
            ends[end] = true;
        }
        limits[last + width] = limits[last + width].max(Some(limit));
    }
    if exact {
        return;
    }
    let mut limit = None;
    let mut at = 0;
    while at < text.len() {
        limit = limit.max(limits[at]).filter(|&limit| limit > at);
        let (character, width) = rune::first(&text[at..]);
        let end = text.len().min(at + if searched { found_width(character, width) } else { width });
        if limit.is_some_and(|limit| end <= limit) {
            ends[end] = true;
        }
        // One step at a time, where a start inside a character may go on.
        at += if limits[at + 1..at + width].iter().any(Option::is_some) { 1 } else { width };
    }
}

/// How many bytes the library adds for a character that it found: a broken one is as long as U+FFFD.
fn found_width(character: u32, width: usize) -> usize {
    if character == rune::ERROR { 3 } else { width }
}

/// The place `count` characters behind `start`.
fn skip(text: &[u8], start: usize, count: usize) -> Option<usize> {
    let mut at = start;
    for _ in 0..count {
        let (_, width) = rune::first(&text[at..]);
        if width == 0 {
            return None;
        }
        at += width;
    }
    Some(at)
}

/// Marks, for every start, where the first `needle` behind it ends.
fn first_occurrences(text: &[u8], starts: &Places, needle: &[u8], ends: &mut Places) {
    let mut wanted = false;
    for at in 0..text.len() {
        wanted |= starts[at];
        if wanted && text[at..].starts_with(needle) {
            ends[at + needle.len()] = true;
            wanted = false;
        }
    }
}

/// Marks the ends of `needle` as a search from the right finds them, without overlaps.
fn occurrences_from_the_right(text: &[u8], needle: &[u8], ends: &mut [bool]) {
    let mut end = text.len();
    while end > 0 && end >= needle.len() {
        if text[..end].ends_with(needle) {
            ends[end] = true;
            end -= needle.len().max(1);
        } else {
            end -= 1;
        }
    }
}

fn has_any(text: &[u8], stops: &[char]) -> bool {
    !stops.is_empty() && rune::each(text).any(|(_, character)| is_one_of(character, stops))
}

fn is_one_of(character: u32, list: &[char]) -> bool {
    list.iter().any(|&member| u32::from(member) == character)
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, needle)
}
