//! GitHub's patterns. Mirrors its documentation and hmarr/codeowners, the reference for what that leaves open.

use super::name::{Name, Token};
use super::{Part, Pattern};

/// Compiles a pattern of GitHub. What GitHub refuses (`!`, `***`) is for the reader of the file to say.
pub fn pattern(text: &str) -> Pattern {
    let mut segments: Vec<&str> = text.split('/').collect();
    if text == "/" {
        return Pattern::new(vec![Part::Segment(Name::Never)], false);
    }
    let mut parts = Vec::with_capacity(segments.len() + 2);
    if segments.first() == Some(&"") && segments.len() > 1 {
        segments.remove(0);
    } else if segments.len() == 1 || (segments.len() == 2 && segments[1].is_empty()) {
        parts.push(Part::Folders);
    }
    let last = segments.len() - 1;
    let is_folder = last > 0 && segments[last].is_empty();
    for (index, segment) in segments.iter().enumerate() {
        match *segment {
            "" if is_folder && index == last => parts.push(Part::Folders),
            "**" => parts.push(Part::Folders),
            segment => parts.push(Part::Segment(name(segment))),
        }
    }
    let descends = !is_folder && !matches!(segments[last], "*" | "**");
    Pattern::new(parts, descends)
}

fn name(segment: &str) -> Name {
    let mut tokens = Vec::with_capacity(segment.len());
    let mut chars = segment.chars();
    while let Some(c) = chars.next() {
        match c {
            // A backslash at the end stands for nothing.
            '\\' => tokens.extend(chars.next().map(Token::Char)),
            '*' => tokens.push(Token::Run),
            '?' => tokens.push(Token::One),
            c => tokens.push(Token::Char(c)),
        }
    }
    Name::new(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_pattern_reaches_depends_on_its_slashes() {
        for (text, path, is_match) in [
            ("apps", "x/apps/y/z", true),
            ("apps/", "x/apps/y", true),
            ("apps/", "apps", false),
            ("apps/web", "x/apps/web", false),
            ("/apps", "apps/y", true),
            ("*", "a/b/c", true),
            ("/*", "a/b", false),
            ("apps/*", "apps/a/b", false),
            ("apps/*.yaml", "apps/a.yaml", true),
            ("apps/**", "apps", false),
            ("**/x", "a/b/x/y", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("/", "a", false),
            ("a\\*b", "axb", false),
            ("[ab]", "a", false),
            ("", "a", false),
        ] {
            assert_eq!(pattern(text).matches(path), is_match, "{text} {path}");
        }
    }

    #[test]
    fn a_folder_covers_what_cannot_leave_it() {
        for (wide, narrow, covers) in [
            ("*", "/a/", true),
            ("/a/", "/a/", true),
            ("/a/", "/a/b/", true),
            ("/a", "/a/*.md", true),
            ("/a/**", "/a/b", true),
            ("/a/", "/a", false),
            ("/a/*", "/a/b", false),
            ("/a/b/", "/a/", false),
            ("a/", "/a/", false),
        ] {
            assert_eq!(pattern(wide).covers(&pattern(narrow)), covers, "{wide} {narrow}");
        }
    }
}
