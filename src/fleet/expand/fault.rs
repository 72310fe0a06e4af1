//! Patterns that do not do what they say, by their form alone.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/git.go`, `filterApps`, and `reposerver/repository/repository.go`,
//! `GetGitDirectories`: the path of a folder has no `/` at either end and no `.`, and hidden folders are not listed.

use super::matching::Matching;
use super::uses::{GitUse, ItemUse};
use crate::text::RepoPath;

/// What is wrong with a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is empty, or names the root.
    Root,
    /// It begins with `/`.
    LeadingSlash,
    /// It ends with `/`.
    TrailingSlash,
    /// A segment is empty, `.` or `..`.
    Dots,
    /// A segment begins with a dot, and hidden folders are left out.
    Hidden,
    /// The engine cannot read it, and skips it; why.
    Broken(&'static str),
    /// `[!…]`, which only negates in other engines.
    Negation,
    /// `{…,…}`, which are plain letters here.
    Braces,
}

impl Matching {
    /// What is wrong with a pattern in this engine. Braces may stand in a name; all else is certain.
    pub fn fault(self, pattern: &str, sees_hidden: bool) -> Option<Fault> {
        let has_braces = pattern
            .split_once('{')
            .is_some_and(|(_, rest)| rest.split_once('}').is_some_and(|(inside, _)| inside.contains(',')));
        match self {
            Matching::Doublestar => None,
            Matching::Pathspec => has_braces.then_some(Fault::Braces),
            Matching::Folders => {
                let is_hidden = |name: &str| name.starts_with('.') && !matches!(name, "." | "..");
                let broken = self.compile(pattern).err();
                match pattern {
                    "" | "." | "/" | "./" => Some(Fault::Root),
                    _ if broken.is_some() => broken.map(|bad| Fault::Broken(bad.message)),
                    _ if pattern.starts_with('/') => Some(Fault::LeadingSlash),
                    _ if pattern.ends_with('/') => Some(Fault::TrailingSlash),
                    _ if pattern.split('/').any(|name| matches!(name, "" | "." | "..")) => Some(Fault::Dots),
                    _ if !sees_hidden && pattern.split('/').any(is_hidden) => Some(Fault::Hidden),
                    _ if pattern.contains("[!") => Some(Fault::Negation),
                    _ => has_braces.then_some(Fault::Braces),
                }
            }
        }
    }
}

impl Fault {
    /// The patterns that do what the faulty one was meant to do; none when that is not clear.
    pub fn mended(self, pattern: &str) -> Vec<String> {
        match self {
            Fault::LeadingSlash | Fault::TrailingSlash | Fault::Dots => RepoPath::new(pattern)
                .ok()
                .filter(|path| !path.is_root())
                .map(|path| path.to_string())
                .into_iter()
                .collect(),
            Fault::Negation => vec![pattern.replace("[!", "[^")],
            Fault::Braces => {
                let Some((before, rest)) = pattern.split_once('{') else { return Vec::new() };
                let Some((choices, after)) = rest.split_once('}') else { return Vec::new() };
                let is_nested = choices.contains('{') || after.contains('{');
                if is_nested {
                    return Vec::new();
                }
                choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
            }
            Fault::Root | Fault::Hidden | Fault::Broken(_) => Vec::new(),
        }
    }
}

impl ItemUse {
    /// What is wrong with the form of the item's pattern, however it was filled, and the first pattern that ran.
    pub fn fault(&self, git: &GitUse) -> Option<(&str, Fault)> {
        let mut faults = self.patterns.iter().map(|pattern| git.matching.fault(pattern, git.sees_hidden));
        let first = faults.next()??;
        let is_certain = first != Fault::Braces || self.matched == 0;
        (is_certain && !self.is_cut && faults.all(|fault| fault.is_some())).then_some((&self.patterns[0], first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_folders_is_a_plain_path() {
        for (pattern, fault) in [
            ("", Fault::Root),
            (".", Fault::Root),
            ("/apps/*", Fault::LeadingSlash),
            ("apps/*/", Fault::TrailingSlash),
            ("./apps/*", Fault::Dots),
            ("apps//x", Fault::Dots),
            ("apps/../x", Fault::Dots),
            (".apps/*", Fault::Hidden),
            ("apps/.x", Fault::Hidden),
            ("apps/[", Fault::Broken("this class is not closed")),
            ("apps/[!x]*", Fault::Negation),
            ("apps/{a,b}", Fault::Braces),
        ] {
            assert_eq!(Matching::Folders.fault(pattern, false), Some(fault), "{pattern}");
        }
        for pattern in ["apps/*", "apps/**", "apps/[^x]*", "apps/{a}", "apps/x.y"] {
            assert_eq!(Matching::Folders.fault(pattern, false), None, "{pattern}");
        }
        assert_eq!(Matching::Folders.fault(".apps/*", true), None);
    }

    #[test]
    fn files_are_more_liberal() {
        for pattern in ["./apps/*", "apps/", "apps/.x", "apps/[!x]*", ""] {
            assert_eq!(Matching::Pathspec.fault(pattern, false), None, "{pattern}");
        }
        assert_eq!(Matching::Pathspec.fault("apps/{a,b}/x", false), Some(Fault::Braces));
        assert_eq!(Matching::Doublestar.fault("apps/{a,b}/x", false), None);
    }

    #[test]
    fn the_meant_pattern_is_known_where_it_is_clear() {
        assert_eq!(Fault::LeadingSlash.mended("/apps/*/"), ["apps/*"]);
        assert_eq!(Fault::Dots.mended("./apps//*"), ["apps/*"]);
        assert_eq!(Fault::Braces.mended("apps/{a,b}/x"), ["apps/a/x", "apps/b/x"]);
        assert!(Fault::Braces.mended("{a,b}/{c,d}").is_empty());
        assert!(Fault::Dots.mended("../x").is_empty());
    }
}
