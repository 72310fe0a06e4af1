//! How Argo CD uses [`gobwas`]: entries that deny, and lists whose entries are of three kinds.
//!
//! Both answer `None` where the answer cannot be known here: a regular expression gives up, or a pattern meets a text that
//! [`gobwas::Pattern::is_exact_for`] does not vouch for.

use super::gobwas;

/// An entry of a project's `sourceRepos`, or a part of one of its destinations or sync windows.
#[derive(Clone, Debug)]
pub struct Entry {
    denies: bool,
    is_star: bool,
    pattern: Option<gobwas::Pattern>,
}

impl Entry {
    /// Reads an entry; a leading `!` turns it around. A pattern that does not compile matches nothing. Mirrors Argo CD 3.5, `globMatch`.
    pub fn new(text: &str, separators: &[char]) -> Entry {
        match text.strip_prefix('!') {
            Some(pattern) => Entry { denies: true, is_star: false, ..Entry::without_denial(pattern, separators) },
            None => Entry::without_denial(text, separators),
        }
    }

    /// Reads an entry that cannot deny, such as one of a sync window: a leading `!` is a character like others.
    pub fn without_denial(text: &str, separators: &[char]) -> Entry {
        Entry { denies: false, is_star: text == "*", pattern: gobwas::Pattern::new(text, separators).ok() }
    }

    /// Whether the entry denies what its pattern matches.
    pub fn denies(&self) -> bool {
        self.denies
    }

    /// Whether the entry is met: its pattern matches, or does not match if the entry denies. A lone `*` crosses separators.
    pub fn matches(&self, text: &str) -> Option<bool> {
        if self.is_star {
            return Some(true);
        }
        Some(pattern_matches(self.pattern.as_ref(), text)? != self.denies)
    }
}

fn pattern_matches(pattern: Option<&gobwas::Pattern>, text: &str) -> Option<bool> {
    match pattern {
        Some(pattern) => pattern.is_exact_for(text).then(|| pattern.matches(text)),
        None => Some(false),
    }
}

/// How the entries of a list are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every entry is a text.
    Exact,
    /// Every entry is a pattern without separators.
    Glob,
    /// An entry between slashes is a regular expression, and a pattern as well; every other is a pattern.
    Regexp,
}

/// A list of texts, patterns or regular expressions.
#[derive(Clone, Debug)]
pub struct List {
    entries: Vec<ListEntry>,
}

#[derive(Clone, Debug)]
enum ListEntry {
    Exact(String),
    Glob(gobwas::Pattern),
    /// Argo CD's expressions may look around, so the engine must.
    Regexp(Box<fancy_regex::Regex>),
}

impl List {
    /// Reads a list; an entry that does not compile matches nothing. Mirrors Argo CD 3.5, `MatchStringInList`.
    pub fn new<'e>(entries: impl IntoIterator<Item = &'e str>, mode: Mode) -> List {
        let mut list = List { entries: Vec::new() };
        for entry in entries {
            if mode == Mode::Exact {
                list.entries.push(ListEntry::Exact(entry.to_owned()));
                continue;
            }
            if mode == Mode::Regexp
                && let Some(expression) = entry.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'))
            {
                list.entries
                    .extend(fancy_regex::Regex::new(expression).map(|regex| ListEntry::Regexp(Box::new(regex))));
            }
            list.entries.extend(gobwas::Pattern::new(entry, &[]).map(ListEntry::Glob));
        }
        list
    }

    /// Whether one of the entries matches; not known where an expression gives up after too many steps.
    pub fn matches(&self, text: &str) -> Option<bool> {
        let mut is_known = true;
        for entry in &self.entries {
            let matched = match entry {
                ListEntry::Exact(exact) => Some(exact == text),
                ListEntry::Glob(pattern) => pattern_matches(Some(pattern), text),
                ListEntry::Regexp(expression) => expression.is_match(text).ok(),
            };
            match matched {
                Some(true) => return matched,
                Some(false) => {}
                None => is_known = false,
            }
        }
        is_known.then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_denies_is_met_by_everything_else() {
        let entry = Entry::new("!https://h/bad/*", &['/']);
        assert_eq!(entry.matches("https://h/bad/x"), Some(false));
        assert_eq!(entry.matches("https://h/good/x"), Some(true));
        assert_eq!(Entry::without_denial("!foo", &[]).matches("!foo"), Some(true));
    }

    #[test]
    fn a_lone_star_crosses_separators() {
        assert_eq!(Entry::new("*", &['/']).matches("a/b"), Some(true));
        assert_eq!(Entry::new("!*", &['/']).matches("a/b"), Some(true));
    }

    #[test]
    fn a_broken_entry_permits_nothing_and_denies_nothing() {
        assert_eq!(Entry::new("[", &[]).matches("["), Some(false));
        assert_eq!(Entry::new("![", &[]).matches("["), Some(true));
    }

    #[test]
    fn an_entry_on_which_the_library_panics_is_not_judged() {
        assert_eq!(Entry::new("team{-*,}", &[]).matches("team"), None);
    }

    #[test]
    fn a_list_reads_its_entries_by_mode() {
        assert_eq!(List::new(["*"], Mode::Exact).matches("test"), Some(false));
        assert_eq!(List::new(["other", "te*"], Mode::Glob).matches("test"), Some(true));
        assert_eq!(List::new(["/^t/", "te*"], Mode::Regexp).matches("test"), Some(true));
        assert_eq!(List::new(["/^t/"], Mode::Regexp).matches("test"), Some(true));
        assert_eq!(List::new(["/^(?!te)/"], Mode::Regexp).matches("test"), Some(false));
        assert_eq!(List::new(["te"], Mode::Regexp).matches("test"), Some(false));
    }
}
