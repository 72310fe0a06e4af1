//! `Match`: a pattern against a whole name, braces chosen on the way. Mirrors doublestar 4.10.0, `match.go`.

use super::syntax::{closing, find_unescaped, split_choices, validate};
use super::{EMPTY_CLASS, NO_ESCAPED, TOO_MANY, UNCLOSED_BRACE, UNCLOSED_CLASS};
use crate::lang::glob::{BadPattern, rune};
use crate::text::limits::BRACE_ALTERNATIVES;

/// What `doublestar.Match` answers for a pattern and a name.
///
/// # Errors
/// When the library reports a bad pattern, which depends on the name: what is never reached may be wrong.
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let mut waiting = vec![(pattern.to_owned(), Walk::default())];
    let mut chosen = 0;
    while let Some((pattern, mut walk)) = waiting.pop() {
        let stop = walk.run(pattern.as_bytes(), name.as_bytes());
        let open = walk.pattern;
        let rest = &pattern.as_bytes()[open..];
        match stop {
            Stop::Match => return Ok(true),
            Stop::End if is_zero_length(rest) => return Ok(true),
            Stop::Bad(message) => return Err(BadPattern::new(open, message)),
            Stop::Brace => {}
            Stop::End if rest[0] == b'{' => {}
            Stop::End | Stop::Mismatch => {
                validate(rest).map_err(|bad| BadPattern::new(open + bad.offset, bad.message))?;
                continue;
            }
        }
        let close = closing(&pattern, open).ok_or(BadPattern::new(open, UNCLOSED_BRACE))?;
        let choices = split_choices(&pattern[open + 1..close]);
        chosen += choices.len();
        if chosen > BRACE_ALTERNATIVES {
            return Err(BadPattern::new(open, TOO_MANY));
        }
        let chosen = choices.iter().rev().map(|choice| [&pattern[..open], choice, &pattern[close + 1..]].concat());
        waiting.extend(chosen.map(|pattern| (pattern, walk)));
    }
    Ok(false)
}

/// Whether a segment matches a name without slashes.
pub fn wild_matches(pattern: &str, name: &str) -> bool {
    let mut walk = Walk::default();
    match walk.run(pattern.as_bytes(), name.as_bytes()) {
        Stop::Match => true,
        Stop::End => is_zero_length(&pattern.as_bytes()[walk.pattern..]),
        Stop::Brace => matches(pattern, name) == Ok(true),
        Stop::Mismatch | Stop::Bad(_) => false,
    }
}

/// Where `Match` stands in the pattern and the name, and where it can take up again: behind the last `*`, or the last
/// `**/`.
#[derive(Clone, Copy, Default)]
struct Walk {
    pattern: usize,
    name: usize,
    star: Option<(usize, usize)>,
    double_star: Option<(usize, usize)>,
}

enum Stop {
    Match,
    /// The name is used up; the rest of the pattern decides.
    End,
    Mismatch,
    /// An alternative must be chosen first.
    Brace,
    Bad(&'static str),
}

enum Class {
    Takes { end: usize },
    Refuses { at: usize },
    Bad(&'static str),
}

impl Walk {
    fn run(&mut self, pattern: &[u8], name: &[u8]) -> Stop {
        // True behind an opening brace, too, though a segment may have begun before it: fixed in doublestar 4.10.4.
        let mut starts_segment = true;
        while self.name < name.len() {
            let (character, width) = rune::first(&name[self.name..]);
            match pattern.get(self.pattern) {
                Some(b'*') => {
                    self.pattern += 1;
                    if pattern.get(self.pattern) == Some(&b'*') {
                        self.pattern += 1;
                        if starts_segment && self.pattern == pattern.len() {
                            return Stop::Match;
                        }
                        if starts_segment && pattern[self.pattern] == b'/' {
                            self.pattern += 1;
                            self.double_star = Some((self.pattern, self.name));
                            self.star = None;
                            continue;
                        }
                    }
                    starts_segment = false;
                    self.star = Some((self.pattern, self.name));
                    continue;
                }
                Some(b'?') => {
                    starts_segment = false;
                    if name[self.name] != b'/' {
                        self.pattern += 1;
                        self.name += width;
                        continue;
                    }
                }
                Some(b'[') => {
                    starts_segment = false;
                    match class(pattern, self.pattern, character) {
                        Class::Takes { end } => {
                            self.pattern = end;
                            self.name += width;
                            continue;
                        }
                        Class::Refuses { at } => self.pattern = at,
                        Class::Bad(message) => return Stop::Bad(message),
                    }
                }
                Some(b'{') => return Stop::Brace,
                Some(&byte) => {
                    let at = self.pattern + usize::from(byte == b'\\');
                    if at == pattern.len() {
                        return Stop::Bad(NO_ESCAPED);
                    }
                    let (expected, expected_width) = rune::first(&pattern[at..]);
                    if expected == character {
                        self.pattern = at + expected_width;
                        self.name += width;
                        starts_segment = expected == u32::from('/');
                        continue;
                    }
                    // Back to the backslash, even to one that was escaped itself.
                    self.pattern = at - usize::from(at > 0 && pattern[at - 1] == b'\\');
                }
                None => {}
            }
            match self.take_up(name) {
                Some(segment) => starts_segment = segment,
                None => return Stop::Mismatch,
            }
        }
        Stop::End
    }

    /// Gives one more character to the last star, or one more segment to the last double star; then, whether a segment
    /// begins.
    fn take_up(&mut self, name: &[u8]) -> Option<bool> {
        if let Some((pattern, from)) = self.star
            && name[from] != b'/'
        {
            self.name = from + rune::first(&name[from..]).1;
            self.pattern = pattern;
            self.star = Some((pattern, self.name));
            return Some(false);
        }
        let (pattern, from) = self.double_star?;
        self.name = from + name[from..].iter().position(|&byte| byte == b'/')? + 1;
        self.pattern = pattern;
        self.double_star = Some((pattern, self.name));
        Some(true)
    }
}

/// Tries the class that opens at `open` on a character. The library stops reading at the first member that decides.
fn class(pattern: &[u8], open: usize, character: u32) -> Class {
    let mut at = open + 1;
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    at += usize::from(negated);
    match pattern.get(at) {
        None => return Class::Bad(UNCLOSED_CLASS),
        Some(b']') => return Class::Bad(EMPTY_CLASS),
        Some(_) => {}
    }
    let mut takes = false;
    let mut low = None;
    while let Some(&byte) = pattern.get(at).filter(|&&byte| byte != b']') {
        let is_range = byte == b'-' && low.is_some() && pattern.get(at + 1).is_some_and(|&next| next != b']');
        at += usize::from(is_range);
        at += usize::from(pattern.get(at) == Some(&b'\\'));
        let (member, width) = rune::first(&pattern[at.min(pattern.len())..]);
        at += width;
        takes = match low.take() {
            Some(low) if is_range => (low..=member).contains(&character),
            _ => {
                low = Some(member);
                member == character
            }
        };
        if takes {
            break;
        }
    }
    if takes == negated {
        return if at < pattern.len() { Class::Refuses { at } } else { Class::Bad(UNCLOSED_CLASS) };
    }
    match find_unescaped(&pattern[at.min(pattern.len())..], b']') {
        Some(close) => Class::Takes { end: at + close + 1 },
        None => Class::Bad(UNCLOSED_CLASS),
    }
}

/// Whether the rest of a pattern, without a brace at its start, is one of the forms that the library lets match
/// nothing.
fn is_zero_length(rest: &[u8]) -> bool {
    matches!(rest, b"" | b"*" | b"**" | b"/**" | b"**/" | b"/**/")
}
