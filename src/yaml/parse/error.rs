//! What may be wrong with a document; [`super::words`] says it.

use super::{Broken, Parsed, Parser};

/// What the reader noticed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Problem {
    /// A character that no YAML text may hold.
    Forbidden,
    /// A tab where only spaces may indent.
    Tab,
    /// Something that starts no value.
    NoContent,
    /// `- ` where no list may start.
    MisplacedEntry,
    /// `? ` where no mapping may start.
    MisplacedKey,
    /// `: ` behind something that is no key.
    MisplacedValue,
    /// `: ` or `- ` where a key must stand.
    NoKey,
    /// What starts here is no key, though it stands where keys stand.
    NoColon,
    /// A key among the items of a list.
    NoDash {
        list: u32,
    },
    /// Something behind, or oddly below, the whole value `entry` of the collection `parent`.
    Surplus {
        parent: u32,
        entry: u32,
    },
    /// Something behind the whole document `root`.
    NoDocumentStart {
        root: u32,
    },
    /// `{{ … }}` without quotes.
    Placeholder,
    /// No `,` and no closing bracket where one must stand.
    UnclosedFlow,
    UnclosedQuote {
        open: usize,
    },
    UnknownEscape,
    BadHexEscape {
        digits: usize,
    },
    NoSuchCharacter {
        digits: usize,
    },
    BadBlockHeader {
        open: usize,
    },
    BadAnchor,
    BadAlias,
    BadTag,
    UnknownTagHandle,
    RepeatedProperty,
    AliasWithProperties,
    UnknownAnchor,
    SelfAlias {
        anchor: u32,
    },
    TooMuchExpansion,
    TooDeep,
    BadDirective,
    RepeatedDirective,
    YamlVersion,
}

/// A problem at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub problem: Problem,
    /// Where it is.
    pub at: usize,
    /// How far the reader had come.
    pub pos: usize,
}

impl Parser<'_> {
    /// Gives the document up because of what stands at `at`.
    #[cold]
    pub(super) fn fail<T>(&mut self, problem: Problem, at: usize) -> Parsed<T> {
        self.failure = Some(Failure { problem, at, pos: self.pos });
        Err(Broken)
    }
}
