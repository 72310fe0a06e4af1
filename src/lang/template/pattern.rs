//! Regular expressions of Go, run by the `regex` crate: matching, splitting, replacing as Go's `regexp` does.

pub use super::pattern_syntax::BadPattern;

use super::pattern_syntax::translate;
use crate::text::limits::{PATTERN_BYTES, PATTERN_SET_BYTES};
use regex::{Captures, Regex, RegexBuilder, RegexSet, RegexSetBuilder};

/// A compiled pattern.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
    /// The name of each group, the whole match first; empty without a name.
    names: Vec<String>,
    is_empty: bool,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// See [`BadPattern`].
    pub fn compile(text: &str) -> Result<Pattern, BadPattern> {
        let (translated, names) = translate(text)?;
        let mut builder = RegexBuilder::new(&translated);
        let limited = builder.size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
        let regex = limited.build().map_err(|_| BadPattern::Unsupported)?;
        Ok(Pattern { regex, names, is_empty: text.is_empty() })
    }

    /// Whether it matches anywhere.
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The leftmost match.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.regex.find(text).map(|found| found.as_str())
    }

    /// Up to `limit` matches that do not overlap (all when negative), as byte ranges.
    ///
    /// # Errors
    /// Those of `pay`, which is told the bytes that are left before each search: some patterns look at all of them.
    pub fn find_all<E>(
        &self,
        text: &str,
        limit: i64,
        mut pay: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<(usize, usize)>, E> {
        let (mut found, mut at, mut previous) = (Vec::new(), 0, None);
        while at <= text.len() && (limit < 0 || (found.len() as i64) < limit) {
            pay(text.len() - at)?;
            let Some(matched) = self.regex.find_at(text, at) else { break };
            let (start, end) = (matched.start(), matched.end());
            let is_accepted = end != at || Some(start) != previous;
            at = if end == at { at + width(text, at) } else { end };
            previous = Some(end);
            if is_accepted {
                found.push((start, end));
            }
        }
        Ok(found)
    }

    /// The parts between matches, as `Split`; nothing when `limit` is zero.
    ///
    /// # Errors
    /// As [`Pattern::find_all`].
    pub fn split<'t, E>(
        &self,
        text: &'t str,
        limit: i64,
        pay: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<Vec<&'t str>>, E> {
        if limit == 0 {
            return Ok(None);
        }
        if !self.is_empty && text.is_empty() {
            return Ok(Some(vec![""]));
        }
        let (mut parts, mut begin, mut end) = (Vec::new(), 0, 0);
        for (start, stop) in self.find_all(text, limit, pay)? {
            if limit > 0 && parts.len() as i64 == limit - 1 {
                break;
            }
            end = start;
            if stop != 0 {
                parts.push(&text[begin..end]);
            }
            begin = stop;
        }
        if end != text.len() {
            parts.push(&text[begin..]);
        }
        Ok(Some(parts))
    }

    /// Replaces every match. `write` gets the text so far and the groups of one match.
    ///
    /// # Errors
    /// Those of `write`, and of `pay` as in [`Pattern::find_all`].
    pub fn replace_all<E>(
        &self,
        text: &str,
        mut pay: impl FnMut(usize) -> Result<(), E>,
        mut write: impl FnMut(&mut String, &Captures<'_>) -> Result<(), E>,
    ) -> Result<String, E> {
        let (mut out, mut last, mut at) = (String::new(), 0, 0);
        while at <= text.len() {
            pay(text.len() - at)?;
            let Some(captures) = self.regex.captures_at(text, at) else { break };
            let Some(whole) = captures.get(0) else { break };
            out.push_str(&text[last..whole.start()]);
            // An empty match right behind a match is no match.
            if whole.end() > last || whole.start() == 0 {
                write(&mut out, &captures)?;
            }
            last = whole.end();
            at = (at + width(text, at)).max(whole.end());
        }
        out.push_str(&text[last..]);
        Ok(out)
    }

    /// Writes a replacement with `$1`, `${name}` and `$$` filled in.
    pub fn expand(&self, out: &mut String, template: &str, captures: &Captures<'_>) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            rest = after;
            if let Some(after) = rest.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            let Some((name, after)) = reference(rest) else {
                out.push('$');
                continue;
            };
            rest = after;
            let group = match number(name) {
                Some(number) => captures.get(number),
                None => {
                    let named = self.names.iter().enumerate().filter(|(_, known)| *known == name);
                    named.filter_map(|(at, _)| captures.get(at)).next()
                }
            };
            out.push_str(group.map_or("", |group| group.as_str()));
        }
        out.push_str(rest);
    }
}

/// Patterns that are matched together, known by their index.
#[derive(Debug)]
pub struct PatternSet {
    set: RegexSet,
}

impl PatternSet {
    /// Compiles patterns; `None` when one of them cannot be used, or all together are too large.
    pub fn compile<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<PatternSet> {
        let translated: Option<Vec<String>> = texts.into_iter().map(|text| Some(translate(text).ok()?.0)).collect();
        let mut builder = RegexSetBuilder::new(translated?);
        builder.size_limit(PATTERN_SET_BYTES).dfa_size_limit(PATTERN_SET_BYTES);
        Some(PatternSet { set: builder.build().ok()? })
    }

    /// The patterns that match anywhere, in order.
    pub fn matches(&self, text: &str) -> impl Iterator<Item = usize> {
        self.set.matches(text).into_iter()
    }
}

/// Bytes of the character at `at`; one past the end.
fn width(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(1, char::len_utf8)
}

/// The name at the start of `text`, in braces or bare, and what follows.
fn reference(text: &str) -> Option<(&str, &str)> {
    let (inner, is_braced) = text.strip_prefix('{').map_or((text, false), |inner| (inner, true));
    let is_word = |c: char| c == '_' || super::unicode::is_letter(c) || super::unicode::is_digit(c);
    let (name, rest) = inner.split_at(inner.find(|c| !is_word(c)).unwrap_or(inner.len()));
    if name.is_empty() {
        return None;
    }
    if is_braced { rest.strip_prefix('}').map(|rest| (name, rest)) } else { Some((name, rest)) }
}

fn number(name: &str) -> Option<usize> {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    if is_number && name.len() <= 9 { name.parse().ok() } else { None }
}

/// `text` with everything escaped that means something in a pattern.
pub(super) fn quote_meta(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_name_groups() {
        let pattern = Pattern::compile("(?P<first>a)(b)?").unwrap();
        let replace = |text: &str, with: &str| {
            let write = |out: &mut String, captures: &Captures<'_>| {
                pattern.expand(out, with, captures);
                Ok::<(), ()>(())
            };
            pattern.replace_all(text, |_| Ok(()), write).unwrap()
        };
        assert_eq!(replace("ab a", "[${first}|$2|$$|$1x|${1}x|$]"), "[a|b|$||ax|$] [a||$||ax|$]");
    }

    #[test]
    fn empty_matches_do_not_follow_matches() {
        let pattern = Pattern::compile("a*").unwrap();
        let free = |_| Ok::<(), ()>(());
        assert_eq!(pattern.find_all("baac", -1, free), Ok(vec![(0, 0), (1, 3), (4, 4)]));
        assert_eq!(pattern.split("baac", -1, free), Ok(Some(vec!["b", "c"])));
    }
}
