//! Random patterns that look like what people write, and texts that they may match.

use crate::random::Random;

/// Parts of a pattern, each with texts that it may stand for.
const PARTS: &[(&str, &[&str])] = &[
    ("a", &["a"]),
    ("b", &["b"]),
    ("ab", &["ab"]),
    ("aa", &["aa"]),
    ("/", &["/"]),
    ("/", &["/"]),
    ("-", &["-"]),
    (".yaml", &[".yaml"]),
    ("apps", &["apps"]),
    ("apps/", &["apps/"]),
    ("é", &["é"]),
    ("*", &["", "a", "ab", "b-a", "a/b", "é"]),
    ("*", &["", "a", "aab", "apps", "a.yaml"]),
    ("**", &["", "a", "a/b", "a/b/ab", "/"]),
    ("**/", &["", "a/", "a/b/", "apps/a/b/"]),
    ("/**", &["", "/a", "/a/b"]),
    ("?", &["a", "b", "/", "", "é"]),
    ("[ab]", &["a", "b", "c"]),
    ("[a-c]", &["a", "c", "d"]),
    ("[!a]", &["b", "a", "!", "/", ""]),
    ("[!ab]", &["b", "a", "c", "ab", ""]),
    ("[^a]", &["b", "a", "^"]),
    ("[a]", &["a"]),
    ("[!a-c]", &["a", "d", ""]),
    ("{a,b}", &["a", "b", "{a,b}"]),
    ("{,a}", &["", "a"]),
    ("{a,}", &["", "a"]),
    ("{*,a}", &["", "a", "b", "ab"]),
    ("{a,*}", &["", "a", "ab"]),
    ("{a*,*b}", &["a", "ab", "bb", "ba"]),
    ("{*a}", &["a", "ba", "aa"]),
    ("{a*}", &["a", "ab", "aa"]),
    ("{a*b,b*a}", &["ab", "aab", "ba", "bba"]),
    ("{a*bb,b*aa}", &["abb", "abbb", "baa", "baaa"]),
    ("{ab,ac}", &["ab", "ac"]),
    ("{ab*,ac*}", &["ab", "aca"]),
    ("{*.yaml,*.json}", &["a.yaml", "b.json"]),
    ("{a,{b,ab}}", &["a", "b", "ab"]),
    ("{a/b,b}", &["a/b", "b"]),
    ("{**/,}", &["", "a/", "a/b/"]),
    ("{?,aa}", &["a", "aa", ""]),
    ("{**}", &["", "a/b"]),
    ("\\*", &["*"]),
    ("\\a", &["a", "\\a"]),
    ("\\[", &["["]),
];

/// Parts that break a pattern, or nearly do.
const BREAKS: &[&str] = &[
    "[", "]", "{", "}", ",", "\\", "!", "^", "[]", "[!]", "[a", "[a-]", "[-a]", "[]a]", "{}", "***", "//", "./", "../",
];

/// A pattern and some texts, each of which may match it.
pub fn case(random: &mut Random, most_parts: usize) -> (String, Vec<String>) {
    let count = 1 + random.below(most_parts);
    let parts: Vec<_> = (0..count).map(|_| PARTS[random.below(PARTS.len())]).collect();
    let mut pattern: String = parts.iter().map(|(part, _)| *part).collect();
    let mut texts: Vec<String> = (0..8)
        .map(|_| {
            let mut text: String = parts.iter().map(|(_, texts)| random.pick(texts)).collect();
            if random.below(3) == 0 {
                mutate(random, &mut text, &["a", "b", "/", "", "é", "-"]);
            }
            text
        })
        .collect();
    texts.push(String::new());
    texts.push(pattern.clone());
    if random.below(4) == 0 {
        mutate(random, &mut pattern, BREAKS);
    }
    (pattern, texts)
}

/// Replaces one character, or inserts before it.
fn mutate(random: &mut Random, text: &mut String, with: &[&str]) {
    let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let at = random.below(borders.len());
    let end = if random.below(2) == 0 { borders[at] } else { borders[(at + 1).min(borders.len() - 1)] };
    text.replace_range(borders[at]..end, random.pick(with));
}
