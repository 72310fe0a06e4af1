//! Versions and their ranges, as Helm and Argo CD read them.
//!
//! Mirrors Masterminds/semver 3.4.0, which is looser than the specification: `v1`, `1.2` and `01.2.3` are versions,
//! blanks and commas mean "and", and a release range never admits a pre-release.

use std::cmp::Ordering;
use std::fmt;

/// A version. Equal and ordered by precedence alone: what stands behind a `+` does not count.
#[derive(Clone, Debug, Default)]
pub struct Version {
    numbers: [u64; 3],
    pre: String,
    build: String,
    original: String,
}

/// The form is none of a version.
const INVALID: &str = "invalid semantic version";

impl Version {
    /// Reads a version of one to three numbers, with or without a `v`.
    ///
    /// # Errors
    /// The library's words.
    pub fn parse(text: &str) -> Result<Version, String> {
        let parts = Parts::read(text, |byte| byte.is_ascii_digit()).filter(|parts| parts.rest.is_empty());
        let parts = parts.ok_or(INVALID)?;
        let number = |at: usize| match parts.numbers[at] {
            None => Ok(0),
            Some(digits) => digits.parse::<u64>().map_err(|_| {
                let range = "value out of range";
                format!("error parsing version segment: strconv.ParseUint: parsing \"{digits}\": {range}")
            }),
        };
        let numbers = [number(0)?, number(1)?, number(2)?];
        let has_leading_zero =
            |part: &str| part.len() > 1 && part.starts_with('0') && part.bytes().all(|b| b.is_ascii_digit());
        if parts.pre.split('.').any(has_leading_zero) {
            return Err("version segment starts with 0".to_owned());
        }
        let (pre, build, original) = (parts.pre.to_owned(), parts.build.to_owned(), text.to_owned());
        Ok(Version { numbers, pre, build, original })
    }

    /// Reads a version as the specification has it: three numbers without leading zeros, no `v`. Helm demands this in
    /// places.
    pub fn parse_strict(text: &str) -> Option<Version> {
        let numbers = text.split(['-', '+']).next()?;
        let is_strict = numbers.split('.').count() == 3
            && numbers.split('.').all(|number| {
                number.bytes().all(|byte| byte.is_ascii_digit()) && (number == "0" || !number.starts_with('0'))
            });
        Version::parse(text).ok().filter(|_| is_strict)
    }

    /// The version as it was written.
    pub fn original(&self) -> &str {
        &self.original
    }

    /// Whether this comes before a release.
    pub fn is_prerelease(&self) -> bool {
        !self.pre.is_empty()
    }

    /// The first number.
    pub fn major(&self) -> u64 {
        self.numbers[0]
    }

    /// The second number, 0 when not written.
    pub fn minor(&self) -> u64 {
        self.numbers[1]
    }

    /// The third number, 0 when not written.
    pub fn patch(&self) -> u64 {
        self.numbers[2]
    }

    /// What follows the dash; empty when nothing does.
    pub fn prerelease(&self) -> &str {
        &self.pre
    }

    /// What follows the plus; empty when nothing does.
    pub fn metadata(&self) -> &str {
        &self.build
    }
}

impl fmt::Display for Version {
    /// The version in full, without a leading `v`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        for (sign, words) in [('-', &self.pre), ('+', &self.build)] {
            if !words.is_empty() {
                write!(f, "{sign}{words}")?;
            }
        }
        Ok(())
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Version) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Version) -> Ordering {
        let by_pre = || match (self.is_prerelease(), other.is_prerelease()) {
            (true, true) => compare_pre(&self.pre, &other.pre),
            (own, others) => others.cmp(&own),
        };
        self.numbers.cmp(&other.numbers).then_with(by_pre)
    }
}

/// Compares part by part; a missing part comes first, then numbers, then words.
fn compare_pre(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.split('.'), right.split('.'));
    loop {
        let (own, other) = match (left.next(), right.next()) {
            (Some(own), Some(other)) => (own, other),
            (own, other) => return own.is_some().cmp(&other.is_some()),
        };
        let order = match (own.parse::<u64>(), other.parse::<u64>()) {
            (Ok(own), Ok(other)) => own.cmp(&other),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => own.cmp(other),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// A range of versions: alternatives, each a list of conditions that all must hold.
#[derive(Clone, Debug)]
pub struct Constraint {
    alternatives: Vec<Vec<Condition>>,
}

#[derive(Clone, Debug)]
struct Condition {
    operator: Operator,
    version: Version,
    /// The first number that is missing or a wildcard: 1 for `1.x`; 3 when the version is complete.
    given: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Tilde,
    Caret,
}

/// The longer ones first.
const OPERATORS: [(&str, Operator); 12] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterOrEqual),
    ("=>", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("=<", Operator::LessOrEqual),
    ("~>", Operator::Tilde),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("~", Operator::Tilde),
    ("^", Operator::Caret),
    ("", Operator::Equal),
];

impl Constraint {
    /// Reads a range such as `^1.2`, `>=1.0, <2.0 || 3.x` or `1.2 - 1.4`. A version is a range, too; the empty text is
    /// none.
    ///
    /// # Errors
    /// The library's words.
    pub fn parse(text: &str) -> Result<Constraint, String> {
        let alternatives = spell_out_spans(text).split("||").map(conditions).collect::<Result<_, _>>()?;
        Ok(Constraint { alternatives })
    }

    /// Whether the version lies in the range. A pre-release does only where a condition of the same alternative names
    /// one.
    pub fn allows(&self, version: &Version) -> bool {
        self.alternatives.iter().any(|conditions| {
            let takes_pre = conditions.iter().any(|condition| condition.version.is_prerelease());
            (takes_pre || !version.is_prerelease()) && conditions.iter().all(|condition| condition.allows(version))
        })
    }
}

impl Condition {
    fn allows(&self, version: &Version) -> bool {
        let own = &self.version;
        let is_whole = self.given == 3;
        match self.operator {
            Operator::Equal if is_whole => version == own,
            Operator::Equal | Operator::Tilde => self.allows_tilde(version),
            Operator::NotEqual if is_whole => version != own,
            Operator::NotEqual => self.allows_not_equal(version),
            Operator::Greater if is_whole => version > own,
            Operator::Greater => match self.given {
                1 => version.major() > own.major(),
                2 => version.numbers[..2] > own.numbers[..2],
                _ => version > own,
            },
            Operator::GreaterOrEqual => version >= own,
            Operator::Less => version < own,
            Operator::LessOrEqual if is_whole => version <= own,
            Operator::LessOrEqual if self.given == 1 => version.major() <= own.major(),
            Operator::LessOrEqual => version.numbers[..2] <= own.numbers[..2],
            Operator::Caret => self.allows_caret(version),
        }
    }

    fn allows_tilde(&self, version: &Version) -> bool {
        let own = &self.version;
        let is_anything = own.numbers == [0, 0, 0] && !matches!(self.given, 1 | 2);
        version >= own
            && (is_anything || version.major() == own.major() && (version.minor() == own.minor() || self.given == 1))
    }

    fn allows_caret(&self, version: &Version) -> bool {
        let own = &self.version;
        if version < own {
            return false;
        }
        if own.major() > 0 || self.given == 1 {
            return version.major() == own.major();
        }
        if own.minor() > 0 || self.given == 2 {
            return version.numbers[..2] == own.numbers[..2];
        }
        version.numbers == own.numbers
    }

    fn allows_not_equal(&self, version: &Version) -> bool {
        let own = &self.version;
        match self.given {
            1 => version.major() != own.major(),
            2 if version.numbers[..2] != own.numbers[..2] => true,
            // Of versions with the same first two numbers only the pre-release counts.
            2 => compare_pre(&version.pre, &own.pre).is_ne(),
            _ => version != own,
        }
    }
}

/// The conditions between two `||`, set apart by blanks or single commas.
fn conditions(text: &str) -> Result<Vec<Condition>, String> {
    // The numbers are looked at once all conditions have the right form.
    let written = written(text).ok_or_else(|| format!("improper constraint: {text}"))?;
    let read = |(operator, text)| condition(operator, text).ok_or_else(|| "constraint parser error".to_owned());
    written.into_iter().map(read).collect()
}

/// The operators of the conditions, each with the text that its version starts.
fn written(text: &str) -> Option<Vec<(Operator, &str)>> {
    let mut written = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    loop {
        let (operator, version) =
            OPERATORS.iter().find_map(|&(word, operator)| rest.strip_prefix(word).map(|rest| (operator, rest)))?;
        let version = version.trim_start_matches(is_blank);
        let after = Parts::read(version, is_number_or_wildcard)?.rest;
        written.push((operator, version));
        rest = after.trim_start_matches(is_blank);
        if rest.is_empty() {
            return Some(written);
        }
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start_matches(is_blank),
            None if rest.len() == after.len() => return None,
            None => {}
        }
    }
}

/// The condition whose version `text` starts with.
fn condition(operator: Operator, text: &str) -> Option<Condition> {
    let parts = Parts::read(text, is_number_or_wildcard)?;
    let is_given = |number: &Option<&str>| number.is_some_and(|number| !matches!(number, "x" | "X" | "*"));
    let given = parts.numbers.iter().take_while(|number| is_given(number)).count();
    let version = if given == 3 {
        Version::parse(&text[..text.len() - parts.rest.len()])
    } else {
        let number = |at: usize| parts.numbers[at].filter(|_| at < given).unwrap_or("0");
        let dash = if parts.pre.is_empty() { "" } else { "-" };
        Version::parse(&format!("{}.{}.0{dash}{}", number(0), number(1), parts.pre))
    };
    Some(Condition { operator, version: version.ok()?, given })
}

fn is_number_or_wildcard(byte: u8) -> bool {
    // The library's pattern means alternatives but lists the bar as a member.
    byte.is_ascii_digit() || matches!(byte, b'x' | b'X' | b'*' | b'|')
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

/// Writes every `1.2 - 1.4` as two conditions.
fn spell_out_spans(text: &str) -> String {
    let mut spelled = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let start = rest.trim_start_matches(is_blank);
        match span(start) {
            Some((low, high, after)) => {
                spelled.extend([">= ", low, ", <= ", high, " "]);
                rest = after.trim_start_matches(is_blank);
            }
            None => {
                spelled.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
    }
    spelled
}

/// The two ends of a span at the start of `text`, and what follows it.
fn span(text: &str) -> Option<(&str, &str, &str)> {
    let version = |text| Parts::read(text, is_number_or_wildcard).map(|parts| parts.rest);
    let blanks = |text: &'_ str| text.starts_with(is_blank).then(|| text.trim_start_matches(is_blank).len());
    let after_low = version(text)?;
    let low = &text[..text.len() - after_low.len()];
    let dash = &text[text.len() - blanks(after_low)?..];
    let after_dash = dash.strip_prefix('-')?;
    let high = &text[text.len() - blanks(after_dash)?..];
    let after_high = version(high)?;
    Some((low, &high[..high.len() - after_high.len()], after_high))
}

/// A text as far as it looks like a version.
struct Parts<'t> {
    numbers: [Option<&'t str>; 3],
    pre: &'t str,
    build: &'t str,
    rest: &'t str,
}

impl<'t> Parts<'t> {
    fn read(text: &'t str, is_number: impl Fn(u8) -> bool) -> Option<Parts<'t>> {
        let (first, mut rest) = cut(text.strip_prefix('v').unwrap_or(text), &is_number)?;
        let mut numbers = [Some(first), None, None];
        for number in &mut numbers[1..] {
            let Some((next, after)) = rest.strip_prefix('.').and_then(|rest| cut(rest, &is_number)) else { break };
            (*number, rest) = (Some(next), after);
        }
        let (pre, rest) = rest.strip_prefix('-').and_then(identifiers).unwrap_or(("", rest));
        let (build, rest) = rest.strip_prefix('+').and_then(identifiers).unwrap_or(("", rest));
        Some(Parts { numbers, pre, build, rest })
    }
}

/// Identifiers with dots between them, and what follows.
fn identifiers(text: &str) -> Option<(&str, &str)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let (_, mut rest) = cut(text, is_part)?;
    while let Some((_, after)) = rest.strip_prefix('.').and_then(|rest| cut(rest, is_part)) {
        rest = after;
    }
    Some(text.split_at(text.len() - rest.len()))
}

/// At least one byte of a kind, and what follows.
fn cut(text: &str, is_part: impl Fn(u8) -> bool) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(constraint: &str, version: &str) -> bool {
        Constraint::parse(constraint).unwrap().allows(&Version::parse(version).unwrap())
    }

    #[test]
    fn a_version_may_be_short_and_begin_with_v() {
        for text in ["1", "v1.2", "1.2.3", "01.2.3", "1.2.3-rc.1+build.5", "2024-apple"] {
            assert_eq!(Version::parse(text).unwrap().original(), text);
        }
        for text in ["", "v", "latest", "1.2.3.4", "1.0.0-beta_1", "1.2.3-01", "1.", "1-", "99999999999999999999"] {
            assert!(Version::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_strict_version_has_three_numbers() {
        assert!(Version::parse_strict("1.2.3-rc.1+b").is_some());
        for text in ["1.2", "v1.2.3", "1.02.3", "1.2.3.4"] {
            assert!(Version::parse_strict(text).is_none(), "{text}");
        }
    }

    #[test]
    fn versions_are_ordered_by_precedence() {
        let ordered =
            ["1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.1", "1.0.0-b", "1.0.0", "1.0.1", "1.1", "2"];
        let versions: Vec<_> = ordered.iter().map(|text| Version::parse(text).unwrap()).collect();
        assert!(versions.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(Version::parse("1.0+a"), Version::parse("v1.0.0+b"));
    }

    #[test]
    fn a_range_takes_what_it_says() {
        for (constraint, inside, outside) in [
            ("1.2.3", "1.2.3", "1.2.4"),
            ("1.2", "1.2.9", "1.3.0"),
            ("^1.2.3", "1.9.0", "2.0.0"),
            ("^0.2.3", "0.2.9", "0.3.0"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            ("~>1", "1.9.9", "2.0.0"),
            (">1.2", "1.3.0", "1.2.5"),
            (">=1.2 <2 || 3.x", "3.5.0", "2.0.0"),
            (">=1.2,<2", "1.2.0", "2.0.0"),
            ("1.2 - 1.4", "1.4.9", "1.5.0"),
            ("!=1.2", "1.3.0", "1.2.5"),
            ("*", "0.0.1", "1.0.0-rc.1"),
        ] {
            assert!(allows(constraint, inside), "{constraint}: {inside}");
            assert!(!allows(constraint, outside), "{constraint}: {outside}");
        }
    }

    #[test]
    fn a_prerelease_is_taken_only_where_one_is_named() {
        assert!(!allows(">=1.0.0", "1.1.0-rc.1"));
        assert!(allows(">=1.0.0-0", "1.1.0-rc.1"));
        assert!(!allows(">=1.0.0-0 || >=2", "0.1.0-rc.1"));
    }

    #[test]
    fn other_texts_are_no_ranges() {
        for text in ["", "latest", "1.2.3.4", "1,,2", ",1", "1,", "==1", "1|2", "> = 1", "1.x.y"] {
            assert!(Constraint::parse(text).is_err(), "{text}");
        }
    }
}
