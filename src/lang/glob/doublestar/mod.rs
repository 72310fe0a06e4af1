//! bmatcuk/doublestar: what `FilepathGlob` finds in a tree, and what `Match` says of a name.
//!
//! Mirrors doublestar 4.10.0, which Argo CD 3.4 and 3.5 use without options: `match.go`, `validate.go`, `glob.go`. The
//! two functions differ: `FilepathGlob` cleans the path, expands braces first and then walks segment by segment;
//! `Match` reads the whole text at once.

mod expand;
mod matching;
mod syntax;

pub use matching::matches;

use super::BadPattern;
use expand::expand;
use matching::wild_matches;
use syntax::{first_meta, unescape, validate};

const TOO_MANY: &str = "the braces stand for too many alternatives";
const UNCLOSED_BRACE: &str = "this brace is not closed";
const UNCLOSED_CLASS: &str = "this class is not closed";
const EMPTY_CLASS: &str = "this class is empty";
const NO_ESCAPED: &str = "nothing follows the backslash";

/// A pattern for `FilepathGlob` below a root.
#[derive(Clone, Debug)]
pub struct Pattern {
    alternatives: Vec<Alternative>,
    literal_prefix: String,
}

/// The pattern with one choice made in every brace.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Alternative {
    segments: Vec<Segment>,
    folders_only: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Segment {
    Name(String),
    Wild(String),
    /// `**`: any number of folders; as the last segment also what lies in them.
    Folders,
}

impl Pattern {
    /// Compiles `text`, a path from the root: a leading `/` is the root as well, `.`, `..` and `//` are resolved before
    /// anything else. A pattern that leaves the root matches nothing.
    ///
    /// # Errors
    /// When the library reports a bad pattern, whether or not a file comes near it.
    pub fn new(text: &str) -> Result<Pattern, BadPattern> {
        let Some(path) = clean(text) else {
            validate(text.as_bytes())?;
            return Ok(Pattern { alternatives: Vec::new(), literal_prefix: String::new() });
        };
        let (base, below) = split(&path);
        // What cleaning moved is looked for again in the text as written.
        let written = |bad: BadPattern| validate(text.as_bytes()).err().unwrap_or(BadPattern::new(0, bad.message));
        validate(below.as_bytes()).map_err(written)?;
        let base: Vec<Segment> =
            base.split('/').filter(|name| !name.is_empty()).map(|name| Segment::Name(unescape(name))).collect();
        let mut alternatives = expand(below).map_err(written)?;
        for alternative in &mut alternatives {
            alternative.segments.splice(..0, base.iter().cloned());
        }
        let literal_prefix = common_prefix(&alternatives);
        Ok(Pattern { alternatives, literal_prefix })
    }

    /// Whether `FilepathGlob` returns the existing file `path`, given relative to the root and normalised.
    pub fn matches_file(&self, path: &str) -> bool {
        self.alternatives.iter().any(|alternative| alternative.matches(path, false))
    }

    /// Whether `FilepathGlob` returns the existing folder `path`; the empty path is the root. Argo CD's git generator
    /// then fails, because it reads every match as a file.
    pub fn matches_folder(&self, path: &str) -> bool {
        self.alternatives.iter().any(|alternative| alternative.matches(path, true))
    }

    /// Text that every matching path begins with.
    pub fn literal_prefix(&self) -> &str {
        &self.literal_prefix
    }
}

/// Whether Argo CD takes a path in `valueFiles` for a pattern. Braces alone do not make one.
pub fn has_meta(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

impl Alternative {
    fn matches(&self, path: &str, is_folder: bool) -> bool {
        let mut names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        if !is_folder {
            if self.folders_only {
                return false;
            }
            // A file is never the folder that a last `**` starts from.
            if self.segments.last() == Some(&Segment::Folders) && names.pop().is_none() {
                return false;
            }
        }
        let (mut segment, mut name) = (0, 0);
        let mut retry = None;
        loop {
            match self.segments.get(segment) {
                Some(Segment::Folders) => {
                    segment += 1;
                    retry = Some((segment, name));
                    continue;
                }
                Some(Segment::Name(expected)) if names.get(name) == Some(&expected.as_str()) => {}
                Some(Segment::Wild(pattern)) if names.get(name).is_some_and(|name| wild_matches(pattern, name)) => {}
                None if name == names.len() => return true,
                _ => {
                    let Some((after, from)) = retry.filter(|&(_, from)| from < names.len()) else { return false };
                    (segment, name) = (after, from + 1);
                    retry = Some((after, name));
                    continue;
                }
            }
            segment += 1;
            name += 1;
        }
    }

    fn literal_prefix(&self) -> String {
        let mut prefix = String::new();
        for (index, segment) in self.segments.iter().enumerate() {
            let slash = if index == 0 { "" } else { "/" };
            match segment {
                Segment::Name(name) => prefix.extend([slash, name]),
                Segment::Wild(pattern) => {
                    let literal = pattern.find(['*', '?', '[', '{', '\\']).unwrap_or(pattern.len());
                    prefix.extend([slash, &pattern[..literal]]);
                    break;
                }
                // What follows may be missing, and the slash with it.
                Segment::Folders => break,
            }
        }
        prefix
    }
}

/// Resolves `.`, `..` and empty segments from the root; `None` when the path leaves it.
fn clean(path: &str) -> Option<String> {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// The folders before the first segment with a meaning, and the rest; or all but the last segment, when nothing has
/// one.
fn split(path: &str) -> (&str, &str) {
    let meta = first_meta(path).unwrap_or(path.len());
    match path[..meta].rfind('/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => ("", if path.is_empty() { "." } else { path }),
    }
}

fn common_prefix(alternatives: &[Alternative]) -> String {
    let mut prefixes = alternatives.iter().map(Alternative::literal_prefix);
    let mut common = prefixes.next().unwrap_or_default();
    for prefix in prefixes {
        let shared = common.char_indices().zip(prefix.chars()).find(|((_, ours), theirs)| ours != theirs);
        common.truncate(shared.map_or(common.len().min(prefix.len()), |((at, _), _)| at));
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(pattern: &str, path: &str) -> bool {
        Pattern::new(pattern).unwrap().matches_file(path)
    }

    fn folder(pattern: &str, path: &str) -> bool {
        Pattern::new(pattern).unwrap().matches_folder(path)
    }

    #[test]
    fn a_star_stays_in_its_segment_and_two_reach_any_depth() {
        assert!(file("apps/*/app.yaml", "apps/web/app.yaml"));
        assert!(!file("apps/*.yaml", "apps/web/app.yaml"));
        assert!(file("apps/**/app.yaml", "apps/app.yaml"));
        assert!(file("apps/**/app.yaml", "apps/web/base/app.yaml"));
        assert!(!file("apps/**app.yaml", "apps/web/app.yaml"));
    }

    #[test]
    fn a_pattern_may_match_folders() {
        assert!(folder("apps/w*", "apps/web"));
        assert!(folder("apps/**", "apps"));
        assert!(!file("apps/**", "apps"));
        assert!(folder(".", "") && folder("", "") && folder("**", ""));
        assert!(folder("{./,x}", "") && folder("{x,.}", ""));
    }

    #[test]
    fn a_path_is_cleaned_before_it_is_read() {
        for pattern in ["/apps/app.yaml", "./apps//app.yaml", "x/../apps/app.yaml"] {
            assert!(file(pattern, "apps/app.yaml"), "{pattern}");
        }
        assert!(!file("../apps/app.yaml", "apps/app.yaml"));
    }

    #[test]
    fn braces_hold_alternatives_and_forget_an_empty_one_at_the_end() {
        assert!(file("apps/{web,a{pi,b}}/app.{yaml,yml}", "apps/api/app.yml"));
        assert!(file("app{,s}.yaml", "app.yaml"));
        assert!(!file("app{s,}.yaml", "app.yaml"));
        assert_eq!(matches("app{s,}.yaml", "app.yaml"), Ok(true));
    }

    #[test]
    fn an_empty_choice_between_slashes_finds_nothing() {
        assert!(file("apps/{,x/}app.yaml", "apps/app.yaml"));
        assert!(!file("apps/{,x}/app.yaml", "apps/app.yaml"));
    }

    #[test]
    fn a_bad_pattern_is_an_error_where_it_goes_wrong() {
        for (pattern, offset) in [("apps/[", 5), ("a}b", 1), ("{a", 0), ("x/*[]a]", 3), ("*\\", 1), ("a/{b", 2)] {
            assert_eq!(Pattern::new(pattern).unwrap_err().offset, offset, "{pattern}");
        }
        assert_eq!(matches("a{b", "x").unwrap_err().offset, 1);
        assert_eq!(matches("a}b", "a}b"), Ok(true));
    }

    #[test]
    fn too_many_alternatives_are_refused() {
        assert!(Pattern::new(&"{a,b}".repeat(40)).is_err());
        assert!(matches(&"{a,aa}".repeat(40), &("a".repeat(60) + "b")).is_err());
    }

    #[test]
    fn the_prefix_is_common_to_all_alternatives() {
        let prefix = |pattern: &str| Pattern::new(pattern).unwrap().literal_prefix().to_owned();
        assert_eq!(prefix("./apps/w*/x"), "apps/w");
        assert_eq!(prefix("apps/{web,worker}/*"), "apps/w");
        assert_eq!(prefix("apps/**/x"), "apps");
        assert_eq!(prefix("**"), "");
    }
}
