//! What may be wrong with a document, in words.

use super::{Broken, Parser};
use crate::yaml::tree::SyntaxError;

/// What the reader noticed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Problem {
    BadAnchor,
    BadAlias,
    BadTag,
    UnknownTagHandle,
    NoDocumentStart,
    BadDirective,
    DuplicateDirective,
    YamlVersion,
    Forbidden,
    TooDeep,
    UnknownAnchor,
    SelfAlias { anchor: u32 },
    TooMuchExpansion,
    Tab,
    UnclosedQuote { open: usize },
    UnclosedFlow { open: usize },
    UnknownEscape,
    BadHexEscape { digits: usize },
    NoSuchCharacter { digits: usize },
    BadBlockHeader { open: usize },
    RepeatedProperty,
    MisplacedEntry,
    MisplacedKey,
    MisplacedValue,
    Placeholder,
    AliasWithProperties,
    NoContent,
    UnexpectedContent { parent: u32, entry: u32 },
    NoKey,
    NoColon { key: usize },
    NoDash { list: u32 },
}

impl Parser<'_> {
    /// Gives the document up because of what stands at `at`.
    pub(super) fn fail(&mut self, problem: Problem, at: usize) -> Broken {
        let end = self.text[at..].chars().next().map_or(at, |next| at + next.len_utf8());
        self.error = Some(SyntaxError {
            start: at as u32,
            end: end as u32,
            message: format!("{problem:?}"),
            help: None,
            related: None,
        });
        Broken
    }
}

/// Where the first character stands, at or after `from`, that no YAML text may hold; else the end.
pub(super) fn forbidden_from(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    for chunk in bytes[from..].chunks(64) {
        let mut suspect = false;
        for &byte in chunk {
            suspect |= (byte < 0x20 && byte != b'\n' && byte != b'\t' && byte != b'\r')
                | (byte == 0x7F)
                | (byte == 0xC2)
                | (byte == 0xEF);
        }
        if suspect {
            for i in at..at + chunk.len() {
                let next = |n: usize| bytes.get(i + n).copied().unwrap_or(0);
                let forbidden = match bytes[i] {
                    b'\n' | b'\t' | b'\r' => false,
                    0..0x20 | 0x7F => true,
                    0xC2 => next(1) < 0xA0 && next(1) != 0x85,
                    0xEF => next(1) == 0xBF && next(2) >= 0xBE,
                    _ => false,
                };
                if forbidden {
                    return i;
                }
            }
        }
        at += chunk.len();
    }
    bytes.len()
}
