//! Semantic versions and constraints as Masterminds' semver reads them.
//!
//! Mirrors github.com/Masterminds/semver/v3 3.4: versions may be short (`v1.2`), constraints join ranges by `||`.

use std::cmp::Ordering;
use std::fmt;

/// A version.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second number, 0 when not written.
    pub minor: u64,
    /// The third number, 0 when not written.
    pub patch: u64,
    /// What follows the dash.
    pub prerelease: String,
    /// What follows the plus.
    pub metadata: String,
    /// As written.
    pub original: String,
}

impl fmt::Display for Version {
    /// The version in full, without a leading `v`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.prerelease.is_empty() {
            write!(f, "-{}", self.prerelease)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

const INVALID: &str = "invalid semantic version";

/// A version or constraint as its grammar splits it, before any number is read.
struct Parts<'t> {
    numbers: [Option<&'t str>; 3],
    prerelease: &'t str,
    metadata: &'t str,
}

impl<'t> Parts<'t> {
    /// Reads the longest version at the start of `text`; `is_number` says what a number is made of.
    fn read(text: &'t str, is_number: fn(char) -> bool) -> Option<(Parts<'t>, &'t str)> {
        let word = |text: &'t str, is_part: fn(char) -> bool| {
            let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
            if end == 0 { None } else { Some(text.split_at(end)) }
        };
        let (first, mut rest) = word(text.strip_prefix('v').unwrap_or(text), is_number)?;
        let mut numbers = [Some(first), None, None];
        for number in &mut numbers[1..] {
            let Some((found, after)) = rest.strip_prefix('.').and_then(|rest| word(rest, is_number)) else { break };
            (*number, rest) = (Some(found), after);
        }
        let (prerelease, rest) = identifiers(rest, '-');
        let (metadata, rest) = identifiers(rest, '+');
        Some((Parts { numbers, prerelease, metadata }, rest))
    }
}

/// Words joined by dots after `sign`; empty when there are none.
fn identifiers(text: &str, sign: char) -> (&str, &str) {
    let Some(inner) = text.strip_prefix(sign) else { return ("", text) };
    let is_part = |c: char| c == '-' || c.is_ascii_alphanumeric();
    let mut end = 0;
    loop {
        let word = inner[end..].find(|c| !is_part(c)).unwrap_or(inner.len() - end);
        if word == 0 {
            // A dot without a word behind it does not belong.
            end = end.saturating_sub(1);
            break;
        }
        end += word;
        if !inner[end..].starts_with('.') {
            break;
        }
        end += 1;
    }
    if end == 0 { ("", text) } else { (&inner[..end], &inner[end..]) }
}

impl Version {
    /// Reads a version.
    ///
    /// # Errors
    /// The library's words.
    pub fn parse(text: &str) -> Result<Version, String> {
        let (parts, rest) = Parts::read(text, |c| c.is_ascii_digit()).ok_or(INVALID)?;
        if !rest.is_empty() {
            return Err(INVALID.to_owned());
        }
        let number = |at: usize| match parts.numbers[at] {
            None => Ok(0),
            Some(digits) => digits.parse::<u64>().map_err(|_| {
                let range = "value out of range";
                format!("error parsing version segment: strconv.ParseUint: parsing \"{digits}\": {range}")
            }),
        };
        let (major, minor, patch) = (number(0)?, number(1)?, number(2)?);
        for part in parts.prerelease.split('.') {
            if part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err("version segment starts with 0".to_owned());
            }
        }
        let (prerelease, metadata) = (parts.prerelease.to_owned(), parts.metadata.to_owned());
        Ok(Version { major, minor, patch, prerelease, metadata, original: text.to_owned() })
    }

    /// The order of versions; metadata does not count.
    pub fn compare(&self, other: &Version) -> Ordering {
        let numbers = |version: &Version| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (self.prerelease.is_empty(), other.prerelease.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_prereleases(&self.prerelease, &other.prerelease),
            }
        })
    }
}

fn compare_prereleases(first: &str, second: &str) -> Ordering {
    let (first, second): (Vec<&str>, Vec<&str>) = (first.split('.').collect(), second.split('.').collect());
    for at in 0..first.len().max(second.len()) {
        let (a, b) = (first.get(at).copied().unwrap_or(""), second.get(at).copied().unwrap_or(""));
        let order = match (a.parse::<u64>(), b.parse::<u64>()) {
            _ if a == b => Ordering::Equal,
            _ if a.is_empty() => Ordering::Less,
            _ if b.is_empty() => Ordering::Greater,
            (Ok(a), Ok(b)) if a > b => Ordering::Greater,
            (Ok(_), Ok(_)) => Ordering::Less,
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => a.cmp(b),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Ranges of versions, one of which must hold.
#[derive(Clone, Debug)]
pub struct Constraints {
    groups: Vec<Vec<Constraint>>,
}

#[derive(Clone, Debug)]
struct Constraint {
    operator: &'static str,
    version: Version,
    /// How many of the numbers are written, and not as a wildcard.
    given: usize,
}

/// Longest first, so that the first fit is the right one where one starts with another.
const OPERATORS: &[&str] = &["!=", ">=", "=>", "<=", "=<", "~>", "=", ">", "<", "~", "^"];

impl Constraints {
    /// Reads constraints.
    ///
    /// # Errors
    /// The library's words.
    pub fn parse(text: &str) -> Result<Constraints, String> {
        let text = rewrite_ranges(text);
        let groups = text.split("||").map(group).collect::<Result<_, _>>()?;
        Ok(Constraints { groups })
    }

    /// Whether a version satisfies them. A pre-release does only where a constraint names one.
    pub fn check(&self, version: &Version) -> bool {
        self.groups.iter().any(|group| {
            let takes_prereleases = group.iter().any(|constraint| !constraint.version.prerelease.is_empty());
            (version.prerelease.is_empty() || takes_prereleases)
                && group.iter().all(|constraint| constraint.check(version))
        })
    }
}

fn is_wildcard_number(c: char) -> bool {
    matches!(c, '0'..='9' | '|' | 'x' | 'X' | '*')
}

/// Constraints that must all hold, separated by blanks or commas.
fn group(text: &str) -> Result<Vec<Constraint>, String> {
    let improper = || format!("improper constraint: {text}");
    let mut written = Vec::new();
    let mut rest = text.trim_start_matches(is_go_space);
    loop {
        let (operator, after) = OPERATORS
            .iter()
            .find_map(|operator| rest.strip_prefix(operator).map(|after| (*operator, after)))
            .unwrap_or(("", rest));
        let after = after.trim_start_matches(is_go_space);
        let (parts, after) = Parts::read(after, is_wildcard_number).ok_or_else(improper)?;
        written.push((operator, parts));
        let trimmed = after.trim_start_matches(is_go_space);
        if trimmed.is_empty() {
            break;
        }
        rest = match trimmed.strip_prefix(',') {
            Some(next) => next.trim_start_matches(is_go_space),
            None if trimmed.len() < after.len() => trimmed,
            None => return Err(improper()),
        };
    }
    // The numbers are looked at once the whole group has the right form.
    written.iter().map(|(operator, parts)| Constraint::new(operator, parts)).collect()
}

fn is_go_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ')
}

impl Constraint {
    fn new(operator: &'static str, parts: &Parts<'_>) -> Result<Constraint, String> {
        let is_given = |part: &Option<&str>| part.is_some_and(|part| !matches!(part, "x" | "X" | "*"));
        let given = parts.numbers.iter().take_while(|part| is_given(part)).count();
        let number = |at: usize| if at < given { parts.numbers[at].unwrap_or("0") } else { "0" };
        let mut text = format!("{}.{}.{}", number(0), number(1), number(2));
        if !parts.prerelease.is_empty() {
            text = format!("{text}-{}", parts.prerelease);
        }
        // The metadata of a short version is dropped, and of no consequence anyway.
        let version = Version::parse(&text).map_err(|_| "constraint parser error".to_owned())?;
        Ok(Constraint { operator, version, given })
    }

    fn check(&self, version: &Version) -> bool {
        let (wanted, order) = (&self.version, version.compare(&self.version));
        let same_major = version.major == wanted.major;
        let same_minor = version.minor == wanted.minor;
        match self.operator {
            "" | "=" if self.given == 3 => order == Ordering::Equal,
            "" | "=" | "~" | "~>" => {
                // `~0.0.0` and a lone wildcard take everything from there on.
                let is_origin = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
                let takes_all = is_origin && (self.given == 0 || self.given == 3);
                order != Ordering::Less && (takes_all || (same_major && (same_minor || self.given == 1)))
            }
            "!=" => match self.given {
                0 if same_major => !same_minor || version.patch != wanted.patch || order != Ordering::Equal,
                0 => true,
                1 => !same_major,
                2 => !same_major || !same_minor || self.prereleases_differ(version),
                _ => order != Ordering::Equal,
            },
            ">" => match self.given {
                1 => version.major > wanted.major,
                2 => version.major > wanted.major || (same_major && version.minor > wanted.minor),
                _ => order == Ordering::Greater,
            },
            "<" => order == Ordering::Less,
            ">=" | "=>" => order != Ordering::Less,
            "<=" | "=<" => match self.given {
                3 => order != Ordering::Greater,
                1 => version.major <= wanted.major,
                _ => version.major < wanted.major || (same_major && version.minor <= wanted.minor),
            },
            _ => self.check_caret(version, order),
        }
    }

    fn prereleases_differ(&self, version: &Version) -> bool {
        let (found, wanted) = (&version.prerelease, &self.version.prerelease);
        (!found.is_empty() || !wanted.is_empty()) && compare_prereleases(found, wanted) != Ordering::Equal
    }

    /// `^`: nothing left of and including the first number that is not zero may change.
    fn check_caret(&self, version: &Version, order: Ordering) -> bool {
        let wanted = &self.version;
        if order == Ordering::Less {
            return false;
        }
        if wanted.major > 0 || self.given == 1 {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.given == 2 {
            return version.minor == wanted.minor;
        }
        version.minor == 0 && version.patch == wanted.patch
    }
}

/// `1.2 - 3.4` is `>= 1.2, <= 3.4 `.
fn rewrite_ranges(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    'next: while !rest.is_empty() {
        let starts = rest.char_indices().map(|(at, _)| at);
        for start in starts {
            let blanks = rest[start..].len() - rest[start..].trim_start_matches(is_go_space).len();
            let Some((low, after_low)) = written(&rest[start + blanks..]) else { continue };
            let Some(dash) = after_low.trim_start_matches(is_go_space).strip_prefix('-') else { continue };
            if !after_low.starts_with(is_go_space) || !dash.starts_with(is_go_space) {
                continue;
            }
            let Some((high, after)) = written(dash.trim_start_matches(is_go_space)) else { continue };
            out.push_str(&rest[..start]);
            out.push_str(&format!(">= {low}, <= {high} "));
            rest = after.trim_start_matches(is_go_space);
            continue 'next;
        }
        break;
    }
    out + rest
}

/// The version written at the start of `text`, and what follows.
fn written(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = Parts::read(text, is_wildcard_number)?;
    Some((&text[..text.len() - rest.len()], rest))
}
