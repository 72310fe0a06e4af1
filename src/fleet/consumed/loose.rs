//! Paths that are not wholly known: what they may mean.

use crate::text::is_placeholder;
use crate::value::{Piece, Text};
use aho_corasick::AhoCorasick;

/// Many paths of which only parts are known, so that one pass over a path tells whether any of them may mean it.
#[derive(Debug, Default)]
pub struct Looses {
    loose: Vec<Loose>,
    /// The longest known part of each, in the same order; `None` where there are none, or too many to be compiled.
    parts: Option<AhoCorasick>,
}

impl Looses {
    /// All of them.
    pub fn new(loose: impl IntoIterator<Item = Loose>) -> Looses {
        let loose: Vec<Loose> = loose.into_iter().collect();
        // A fleet of a thousand apps has as many, and a path is compared with each only where its part occurs.
        let parts = (!loose.is_empty()).then(|| AhoCorasick::new(loose.iter().map(Loose::longest)).ok()).flatten();
        Looses { loose, parts }
    }

    /// Whether any may mean a path, or a folder that holds it.
    pub fn may_mean(&self, path: &str) -> bool {
        match &self.parts {
            None => self.loose.iter().any(|loose| loose.may_mean(path)),
            Some(parts) => {
                parts.find_overlapping_iter(path).any(|found| self.loose[found.pattern().as_usize()].may_mean(path))
            }
        }
    }
}

/// Paths of which only parts are known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Loose {
    /// The known parts, in order.
    parts: Vec<String>,
    /// Whether it ends with the last part.
    is_ended: bool,
    /// Whether what lies below is meant too.
    is_folder: bool,
}

impl Loose {
    /// What a text may mean, as a path from any folder; `None` when it may mean everything.
    pub fn new(text: &Text, is_folder: bool) -> Option<Loose> {
        let mut parts: Vec<String> = Vec::new();
        let mut is_ended = false;
        for piece in text.pieces() {
            is_ended = match piece {
                Piece::Unknown(_) => false,
                Piece::Known(known) if is_placeholder(&known.value) => {
                    let start = known.value.split(['$', '{', '<', '%', '[']).next().unwrap_or_default();
                    parts.push(start.to_owned());
                    false
                }
                Piece::Known(known) => {
                    parts.push(known.value.clone());
                    true
                }
            };
        }
        // What comes before the path in its repository says nothing about it.
        if let Some(first) = parts.first_mut() {
            let rest =
                first.strip_prefix('$').and_then(|rest| rest.split_once('/')).map_or(first.as_str(), |(_, rest)| rest);
            *first = rest.trim_start_matches(['.', '/']).to_owned();
        }
        parts.iter_mut().for_each(|part| *part = part.replace("../", "").replace("//", "/"));
        parts.retain(|part| part.chars().any(char::is_alphanumeric));
        (!parts.is_empty()).then_some(Loose { parts, is_ended: is_ended && !is_folder, is_folder })
    }

    /// What each path that it may mean holds.
    fn longest(&self) -> &str {
        self.parts.iter().map(|part| self.trimmed(part)).max_by_key(|part| part.len()).unwrap_or_default()
    }

    fn trimmed<'p>(&self, part: &'p str) -> &'p str {
        if self.is_folder { part.trim_end_matches('/') } else { part }
    }

    /// Whether it may mean a path, or a folder that holds it.
    fn may_mean(&self, path: &str) -> bool {
        let mut rest = path;
        for part in &self.parts {
            let part = self.trimmed(part);
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        !self.is_ended || self.parts.last().is_some_and(|last| path.ends_with(last.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;
    use crate::value::{Unknown, Why};

    fn loose(parts: &[&str], is_folder: bool) -> Option<Loose> {
        let mut text = Text::default();
        for part in parts {
            text.push(match *part {
                "?" => Piece::Unknown(Unknown { why: Why::Cluster, span: Span::default() }),
                known => Text::known_at(known, Span::default()).pieces()[0].clone(),
            });
        }
        Loose::new(&text, is_folder)
    }

    #[test]
    fn known_parts_stand_in_order() {
        let values = loose(&["$values/envs/", "?", "/values.yaml"], false).unwrap();
        assert!(values.may_mean("envs/dev/values.yaml"));
        assert!(!values.may_mean("envs/dev/other.yaml"));
        assert!(!values.may_mean("values.yaml"));
    }

    #[test]
    fn what_lies_in_a_folder_is_meant_with_it() {
        let folder = loose(&["addons/", "?"], true).unwrap();
        assert!(folder.may_mean("addons/dns/kustomization.yaml"));
        assert!(!folder.may_mean("apps/dns/kustomization.yaml"));
    }

    #[test]
    fn many_are_told_apart_in_one_pass() {
        let values = loose(&["envs/", "?", "/values.yaml"], false).unwrap();
        let folder = loose(&["addons/", "?"], true).unwrap();
        let all = Looses::new([values, folder]);
        assert!(all.may_mean("envs/dev/values.yaml"));
        assert!(all.may_mean("addons/dns/kustomization.yaml"));
        assert!(!all.may_mean("other/values.yaml"));
        assert!(!Looses::default().may_mean("envs/dev/values.yaml"));
    }

    #[test]
    fn what_is_wholly_unknown_means_anything() {
        assert_eq!(loose(&["?"], true), None);
        assert_eq!(loose(&["$values/", "?"], true), None);
    }
}
