//! Git pathspecs, as `git ls-files -- PATTERN` reads them at the root of a work tree.
//!
//! Mirrors git 2.39, `pathspec.c` and `dir.c`. Not covered: `attr:` (it depends on `.gitattributes`) and `prefix:`,
//! which only git itself writes. Argo CD asks for `.` when its own pattern is empty; git refuses the empty text.

use super::BadPattern;
use super::wildmatch::{self, Mode};

/// A compiled pathspec.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The path, normalised but for `top` magic: no `.`, `..` or empty segment; a `/` at the end asks for what is below
    /// a directory.
    path: String,
    exclude: bool,
    ignore_case: bool,
    /// Bytes of `path` before the first character that has a meaning.
    literal: usize,
    /// The rest of `path`, when there is such a character.
    wild: Option<wildmatch::Pattern>,
}

#[derive(Clone, Copy, Default)]
struct Magic {
    top: bool,
    literal: bool,
    glob: bool,
    ignore_case: bool,
    exclude: bool,
}

impl Pattern {
    /// Compiles `text`.
    ///
    /// # Errors
    /// When git exits with an error: the path is empty, absolute, or leaves the root; the magic before it is not known
    /// or not closed.
    pub fn new(text: &str) -> Result<Pattern, BadPattern> {
        let (magic, at) = if let Some(words) = text.strip_prefix(":(") {
            long_magic(words)?
        } else if text.starts_with(':') {
            short_magic(text)?
        } else if text.is_empty() {
            return Err(BadPattern::new(0, "an empty path selects nothing in git; `.` is the root"));
        } else {
            (Magic::default(), 0)
        };
        let path = if magic.top {
            text[at..].to_owned()
        } else {
            normalise(&text[at..]).map_err(|bad| BadPattern::new(at + bad.offset, bad.message))?
        };
        let wildcard = path.find(['*', '?', '[', '\\']).filter(|_| !magic.literal);
        let mode = Mode { pathname: magic.glob, ignore_case: magic.ignore_case };
        Ok(Pattern {
            literal: wildcard.unwrap_or(path.len()),
            // Git cuts the literal part off first, so that `**` behind it counts as the start of a segment.
            wild: wildcard.map(|wildcard| wildmatch::Pattern::new(&path.as_bytes()[wildcard..], mode)),
            exclude: magic.exclude,
            ignore_case: magic.ignore_case,
            path,
        })
    }

    /// Whether git lists the tracked file `path`, given relative to the root and normalised.
    pub fn matches(&self, path: &str) -> bool {
        self.selects(path.as_bytes()) != self.exclude
    }

    /// Text that every matching path begins with.
    pub fn literal_prefix(&self) -> &str {
        if self.ignore_case || self.exclude { "" } else { &self.path[..self.literal] }
    }

    /// Whether only wildcards could match and git cannot read them, so that at best a file of exactly this name is
    /// selected.
    pub fn is_broken(&self) -> bool {
        self.wild.as_ref().is_some_and(wildmatch::Pattern::is_broken)
    }

    fn selects(&self, path: &[u8]) -> bool {
        let pattern = self.path.as_bytes();
        if pattern.is_empty() {
            return true;
        }
        let (start, wild) = pattern.split_at(self.literal);
        let Some((path_start, rest)) = path.split_at_checked(start.len()) else { return false };
        if !self.equal(path_start, start) {
            return false;
        }
        // Also a path that is the pattern itself, wildcards and all, is selected, and what is below it.
        let is_itself = rest.get(..wild.len()).is_some_and(|it| self.equal(it, wild))
            && (rest.len() == wild.len() || pattern.ends_with(b"/") || rest[wild.len()] == b'/');
        is_itself || self.wild.as_ref().is_some_and(|wild| wild.matches(rest))
    }

    fn equal(&self, left: &[u8], right: &[u8]) -> bool {
        if self.ignore_case { left.eq_ignore_ascii_case(right) } else { left == right }
    }
}

/// The magic of `:(word,…)path`, given from after the bracket, and where the path begins in the whole text.
fn long_magic(words: &str) -> Result<(Magic, usize), BadPattern> {
    const OPEN: usize = 2;
    let Some(close) = words.find(')') else {
        return Err(BadPattern::new(0, "`:(` is not closed"));
    };
    let mut magic = Magic::default();
    let mut at = OPEN;
    for word in words[..close].split(',') {
        match word {
            "" => {}
            "top" => magic.top = true,
            "literal" => magic.literal = true,
            "glob" => magic.glob = true,
            "icase" => magic.ignore_case = true,
            "exclude" => magic.exclude = true,
            _ => return Err(BadPattern::new(at, "not a word that git knows before a path")),
        }
        at += word.len() + 1;
    }
    if magic.literal && magic.glob {
        return Err(BadPattern::new(OPEN, "`literal` and `glob` exclude each other"));
    }
    Ok((magic, OPEN + close + 1))
}

/// The magic of `:!path` and its kin, and where the path begins.
fn short_magic(text: &str) -> Result<(Magic, usize), BadPattern> {
    let mut magic = Magic::default();
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b':' => return Ok((magic, at + 1)),
            b'/' => magic.top = true,
            b'!' | b'^' => magic.exclude = true,
            b'"' | b'#' | b'%' | b'&' | b'\'' | b',' | b'-' | b';' | b'<' | b'=' | b'>' | b'@' | b'_' | b'`' | b'~' => {
                return Err(BadPattern::new(at, "git reserves this character after the colon"));
            }
            _ => return Ok((magic, at)),
        }
    }
    Ok((magic, text.len()))
}

fn normalise(path: &str) -> Result<String, BadPattern> {
    if path.starts_with('/') {
        return Err(BadPattern::new(0, "a path that begins with `/` lies outside the repository"));
    }
    let mut segments = Vec::new();
    let mut at = 0;
    let mut last = "";
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." if segments.pop().is_none() => return Err(BadPattern::new(at, "the path leaves the repository")),
            ".." => {}
            name => segments.push(name),
        }
        at += segment.len() + 1;
        last = segment;
    }
    let mut normal = segments.join("/");
    if matches!(last, "" | "." | "..") && !normal.is_empty() {
        normal.push('/');
    }
    Ok(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Pattern::new(pattern).unwrap().matches(path)
    }

    #[test]
    fn a_star_crosses_slashes() {
        assert!(matches("apps/*.yaml", "apps/web/base/app.yaml"));
        assert!(!matches("apps/**/app.yaml", "apps/app.yaml"));
    }

    #[test]
    fn a_directory_selects_what_is_below_it() {
        for pattern in ["apps", "apps/", "./apps", "x/../apps/.", ":/apps"] {
            assert!(matches(pattern, "apps/web/app.yaml"), "{pattern}");
        }
        assert!(!matches("app", "apps/web/app.yaml"));
        assert!(!matches("apps/", "apps"));
    }

    #[test]
    fn the_root_selects_everything() {
        for pattern in [".", "./", ":", ":/", "a/.."] {
            assert!(matches(pattern, "apps/app.yaml"), "{pattern}");
        }
    }

    #[test]
    fn a_name_matches_itself_though_it_reads_like_a_pattern() {
        assert!(matches("[x", "[x"));
        assert!(matches("[x]", "[x]/app.yaml"));
        assert!(Pattern::new("[x").unwrap().is_broken());
    }

    #[test]
    fn magic_changes_the_reading() {
        assert!(!matches(":(glob)apps/*", "apps/web/app.yaml"));
        assert!(matches(":(glob)**/app.yaml", "app.yaml"));
        assert!(matches(":(icase)APPS", "apps/app.yaml"));
        assert!(!matches(":/./apps", "apps/app.yaml"));
        assert!(matches(":!apps", "clusters/x"));
        assert!(!matches(":(exclude)apps", "apps/x"));
        assert!(matches(":(literal)a*", "a*"));
        assert!(!matches(":(literal)a*", "ab"));
    }

    #[test]
    fn git_refuses_some_paths() {
        let refused = [
            ("", 0),
            ("/apps", 0),
            ("../x", 0),
            ("a/../../x", 5),
            (":(glob", 0),
            (":(top,word)a", 6),
            (":;a", 1),
            (":(icase)/a", 8),
        ];
        for (pattern, offset) in refused {
            assert_eq!(Pattern::new(pattern).unwrap_err().offset, offset, "{pattern}");
        }
    }

    #[test]
    fn the_prefix_is_literal_and_respects_case() {
        let prefix = |pattern: &str| Pattern::new(pattern).unwrap().literal_prefix().to_owned();
        assert_eq!(prefix("./apps/w*"), "apps/w");
        assert_eq!(prefix("apps/"), "apps/");
        assert_eq!(prefix(":(icase)apps"), "");
        assert_eq!(prefix(":!apps"), "");
    }
}
