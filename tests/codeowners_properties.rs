//! What holds for all CODEOWNERS files and patterns: the promises of the reader, and matching as the forges' own tools do it.

#[path = "../fuzz/invariants/codeowners.rs"]
mod invariants;
#[path = "support/random.rs"]
mod random;

use plimsoll::lang::glob::segments::{github, gitlab};
use random::Random;

/// Files of each random test.
const FILES: usize = 3_000;
/// Pairs of a pattern and a path.
const PAIRS: usize = 60_000;

#[test]
fn no_file_breaks_a_promise() {
    let words = [
        "/", "a", "b/", "**", "*", "?", "[", "]", "[ab]", "^", "!", "#", "\\", " ", "\t", "\r\n", "\n", "@a", "@a/b",
        ",", "@", "é", "x@y.z", "@@owner", "[2]", ".*", "(", ")", "|", "+", "\u{feff}", "***", "\\#", "\\ ",
    ];
    let mut random = Random::new(7);
    for _ in 0..FILES {
        let count = random.below(40);
        let text: String = (0..count).map(|_| random.pick(&words)).collect();
        invariants::check(text.as_bytes());
    }
}

#[test]
fn patterns_of_github_match_as_its_documentation_says() {
    each_pair(11, &["a", "b", "*", "**", "?", "/", "\\*", "a*"], |pattern, path| {
        if pattern.contains("***") || pattern.starts_with("**/**") || matches!(pattern, "**/" | "/**/") {
            return;
        }
        let expected = by_documentation(pattern, path);
        assert_eq!(github::pattern(pattern).matches(path), expected, "`{pattern}` and `{path}`");
    });
}

#[test]
fn patterns_of_gitlab_match_as_ruby_does() {
    let parts = ["a", "b", "*", "**", "**/", "?", "/", "[ab]", "[!a]", "[a-", "]", "\\", "\\*", "[]"];
    each_pair(13, &parts, |pattern, path| {
        let expected = by_ruby(pattern, path);
        assert_eq!(gitlab::pattern(pattern).matches(path), expected, "`{pattern}` and `{path}`");
    });
}

fn each_pair(seed: u64, parts: &[&str], check: impl Fn(&str, &str)) {
    let mut random = Random::new(seed);
    for _ in 0..PAIRS {
        let count = 1 + random.below(6);
        let pattern: String = (0..count).map(|_| random.pick(parts)).collect();
        let depth = 1 + random.below(4);
        let segments: Vec<&str> = (0..depth).map(|_| random.pick(&["a", "b", "ab", "ba", "*", "]", "-"])).collect();
        if !pattern.is_empty() && !pattern.contains("//") {
            check(&pattern, &segments.join("/"));
        }
    }
}

/// GitHub's rules, one after the other, for a pattern without doubled slashes.
fn by_documentation(pattern: &str, path: &str) -> bool {
    if pattern == "/" {
        return false;
    }
    let inside = pattern.strip_prefix('/');
    let mut wanted: Vec<&str> = inside.unwrap_or(pattern).split('/').collect();
    let is_anchored = inside.is_some() || wanted.len() > 2 || (wanted.len() == 2 && !wanted[1].is_empty());
    let last = wanted.len() - 1;
    let is_folder = last > 0 && wanted[last].is_empty();
    if is_folder {
        wanted[last] = "**";
    }
    let found: Vec<&str> = path.split('/').collect();
    let starts = if is_anchored { 0..1 } else { 0..found.len() };
    starts.into_iter().any(|start| segments_match(&wanted, &found[start..]))
}

fn segments_match(wanted: &[&str], found: &[&str]) -> bool {
    match (wanted, found) {
        ([], []) => true,
        ([], _) | (_, []) => false,
        (["**"], _) => true,
        (["**", rest @ ..], _) => (0..found.len()).any(|skip| segments_match(rest, &found[skip..])),
        (["*"], _) => found.len() == 1,
        ([last], [name, ..]) => name_matches(&chars(last), &chars(name)),
        ([first, rest @ ..], [name, below @ ..]) => {
            name_matches(&chars(first), &chars(name)) && segments_match(rest, below)
        }
    }
}

fn name_matches(wanted: &[char], name: &[char]) -> bool {
    match (wanted, name) {
        ([], []) => true,
        (['\\'], []) => true,
        (['*', rest @ ..], _) => (0..=name.len()).any(|skip| name_matches(rest, &name[skip..])),
        (['?', rest @ ..], [_, below @ ..]) => name_matches(rest, below),
        (['\\', literal, rest @ ..] | [literal, rest @ ..], [c, below @ ..]) => {
            literal == c && name_matches(rest, below)
        }
        _ => false,
    }
}

/// GitLab's normalisation, then `File.fnmatch` by trying everything.
fn by_ruby(pattern: &str, path: &str) -> bool {
    let pattern = if pattern == "*" { "/**/*".to_owned() } else { pattern.to_owned() };
    let start = if pattern.starts_with('/') { "" } else { "/**/" };
    let end = if pattern.ends_with('/') { "**/*" } else { "" };
    fnmatch(&chars(&format!("{start}{pattern}{end}")), &chars(&format!("/{path}")), true)
}

fn fnmatch(wanted: &[char], text: &[char], is_start: bool) -> bool {
    match (wanted, text) {
        ([], []) => true,
        (['*', '*', '/', rest @ ..], _) if is_start => {
            let starts = (0..text.len()).filter(|at| *at == 0 || text[at - 1] == '/');
            starts.into_iter().any(|at| fnmatch(rest, &text[at..], true))
        }
        (['*', rest @ ..], _) => {
            let end = text.iter().position(|c| *c == '/').unwrap_or(text.len());
            (0..=end).any(|skip| fnmatch(rest, &text[skip..], false))
        }
        (['[', rest @ ..], [c, below @ ..]) if *c != '/' => {
            class(rest, *c).is_some_and(|rest| fnmatch(rest, below, false))
        }
        (['[', ..], _) => false,
        (['?', rest @ ..], [c, below @ ..]) => *c != '/' && fnmatch(rest, below, false),
        (['\\', literal, rest @ ..] | [literal, rest @ ..], [c, below @ ..]) => {
            literal == c && fnmatch(rest, below, *c == '/')
        }
        _ => false,
    }
}

/// What follows a class that a character is in.
fn class(mut wanted: &[char], c: char) -> Option<&[char]> {
    let negated = matches!(wanted.first(), Some('!' | '^'));
    wanted = &wanted[usize::from(negated)..];
    let mut is_in = false;
    loop {
        let (low, rest) = match wanted {
            [']', rest @ ..] => return (is_in != negated).then_some(rest),
            ['\\', low, rest @ ..] | [low, rest @ ..] => (*low, rest),
            [] => return None,
        };
        (is_in, wanted) = match rest {
            ['-', '\\', high, rest @ ..] => (is_in || (low..=*high).contains(&c) || [low, *high].contains(&c), rest),
            ['-', high, rest @ ..] if *high != ']' => {
                (is_in || (low..=*high).contains(&c) || [low, *high].contains(&c), rest)
            }
            _ => (is_in || low == c, rest),
        };
    }
}

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}
