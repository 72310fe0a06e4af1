//! Syntax errors in words: what is wrong, where to look, what to do.
//!
//! go-yaml tells where its scanner stopped. People need the place where the mistake was made, which is often another:
//! the quote that was never closed, the key that lacks its colon, the line that has one space too many.

mod layout;
mod template;

use super::Parser;
use super::error::{Failure, Problem};
use crate::text::limits::{ALIAS_NODES, DEPTH};
use crate::yaml::tree::{NodeData, SyntaxError};
use template::may_hide_placeholder;

/// An error in the making: the span, the message, and what may be added.
struct Words {
    start: usize,
    end: usize,
    message: String,
    help: Option<String>,
    related: Option<(u32, u32, &'static str)>,
}

impl Words {
    fn new(span: (usize, usize), message: impl Into<String>) -> Words {
        Words { start: span.0, end: span.1, message: message.into(), help: None, related: None }
    }

    fn help(mut self, help: impl Into<String>) -> Words {
        self.help = Some(help.into());
        self
    }

    fn related(mut self, span: (usize, usize), what: &'static str) -> Words {
        self.related = Some((span.0 as u32, span.1 as u32, what));
        self
    }
}

impl Parser<'_> {
    /// The failure in words.
    pub(super) fn describe(&self, failure: Failure) -> SyntaxError {
        let placeholder = self.placeholder_around(failure.at).filter(|_| may_hide_placeholder(failure.problem));
        let words = match placeholder {
            Some(start) => self.placeholder(start),
            None => self.words(failure),
        };
        let Words { start, end, message, help, related } = words;
        SyntaxError { start: start as u32, end: end as u32, message, help, related }
    }

    fn words(&self, failure: Failure) -> Words {
        let at = failure.at;
        let here = self.character(at);
        match failure.problem {
            Problem::Forbidden => self.forbidden(at),
            Problem::Tab => self.tab(at),
            Problem::NoContent => self.no_content(at),
            Problem::MisplacedEntry => {
                let item = self.rest_of_line(at);
                Words::new((at, at + 1), "a list cannot start on the line of its key")
                    .help(format!("put `{}` on the next line, or quote the text", shorten(item)))
            }
            Problem::MisplacedKey => Words::new(here, "`? ` cannot start a key here").help("quote the text"),
            Problem::MisplacedValue => {
                Words::new(here, "this colon belongs to no key").help("quote the text around it")
            }
            Problem::NoKey if self.at(at) == b'-' => {
                Words::new(here, "a list item cannot stand among keys").help("indent the list, or put a key before it")
            }
            Problem::NoKey => {
                Words::new(here, "this colon has no key").help("write a key before it, or quote the text")
            }
            Problem::NoColon => self.no_colon(at),
            Problem::NoDash { list } => self.no_dash(at, list),
            Problem::Surplus { parent, entry } => self.surplus(at, parent, entry),
            Problem::NoDocumentStart { root } => self.no_document_start(at, root),
            Problem::Placeholder => self.placeholder(at),
            Problem::UnclosedFlow => self.unclosed_flow(at),
            Problem::UnclosedQuote { open } => self.unclosed_quote(open, at),
            Problem::UnknownEscape => self.unknown_escape(at),
            Problem::BadHexEscape { digits } => {
                let escape = self.part(at, at + 2);
                Words::new((at, at + 2), format!("`{escape}` takes {digits} hexadecimal digits"))
            }
            Problem::NoSuchCharacter { digits } => {
                let span = (at, at + 2 + digits);
                let escape = self.part(at, span.1);
                Words::new(span, format!("`{escape}` is no character")).help("write the character itself")
            }
            Problem::BadBlockHeader { open } => {
                let indicator = self.part(open, open + 1);
                Words::new(here, format!("behind `{indicator}` only `+`, `-`, a digit and a comment may stand"))
                    .help("start the text on the next line, or quote it")
            }
            Problem::BadAnchor => {
                Words::new((at, self.word_end(at)), "this is no anchor: its name ends in another character")
                    .help("use letters, digits, `-` and `_`, or quote the text")
            }
            Problem::BadAlias => self.quotable(at, "`*` starts an alias, and this is no name of one"),
            Problem::BadTag => self.quotable(at, "`!` starts a tag, and this is none"),
            Problem::UnknownTagHandle => {
                let tag = self.part(at, self.word_end(at));
                Words::new((at, self.word_end(at)), format!("the handle of the tag `{}` is not declared", shorten(tag)))
                    .help("declare it with `%TAG` above `---`, or quote the text")
            }
            Problem::RepeatedProperty => Words::new(here, "a value takes one anchor and one tag"),
            Problem::AliasWithProperties => Words::new((at, self.word_end(at)), "an alias takes no anchor and no tag"),
            Problem::UnknownAnchor => {
                let name = shorten(self.part(at + 1, failure.pos));
                Words::new((at, failure.pos), format!("no anchor `&{name}` stands before this alias"))
                    .help(format!("define `&{name}` above, or quote the text"))
            }
            Problem::SelfAlias { anchor } => {
                Words::new((at, failure.pos), "this alias stands inside the value it refers to")
                    .related(self.anchor_span(anchor), "the anchor of that value")
            }
            Problem::TooMuchExpansion => {
                let limit = format!("aliases expand to more than {ALIAS_NODES} values or {DEPTH} levels");
                Words::new((at, failure.pos), limit)
            }
            Problem::TooDeep => Words::new(here, format!("this is nested more than {DEPTH} levels deep")),
            Problem::BadDirective => {
                Words::new((at, self.word_end(at)), "`%` at the start of a line starts a directive, and this is none")
                    .help("indent the line, or quote the text")
            }
            Problem::RepeatedDirective => Words::new((at, self.line_end(at)), "this directive stands twice"),
            Problem::YamlVersion => {
                Words::new((at, self.line_end(at)), "Kubernetes tools read YAML 1.1 only and refuse other versions")
                    .help("remove the line")
            }
        }
    }

    fn forbidden(&self, at: usize) -> Words {
        let code = self.rest(at).chars().next().map_or(0, u32::from);
        Words::new(self.character(at), format!("the character U+{code:04X} may not stand in YAML"))
            .help(format!("remove it, or write `\\u{code:04x}` in double quotes"))
    }

    fn tab(&self, at: usize) -> Words {
        let start = self.part(0, at).trim_end_matches('\t').len();
        let end = self.text.len() - self.rest(at).trim_start_matches('\t').len();
        let before = self.part(self.line_start(at), at).trim_matches([' ', '\t']);
        let after = self.rest_of_line(at).trim();
        let span = (start, end);
        match before {
            "" if after.is_empty() => Words::new(span, "a tab on an empty line").help("remove it"),
            "" => Words::new(span, "a tab cannot indent").help("indent with spaces"),
            _ => Words::new(span, format!("a tab cannot stand between `{}` and what it starts", shorten(before)))
                .help("write a space"),
        }
    }

    fn no_content(&self, at: usize) -> Words {
        let here = self.character(at);
        let byte = self.at(at);
        match byte {
            b'\t' => self.tab(at),
            0 if self.flow > 0 => self.unclosed_flow(at),
            b'-' if self.flow > 0 && self.line_start(at) == at && self.rest(at).starts_with("---") => {
                self.never_closed().related((at, at + 3), "the document ends here")
            }
            b'@' | b'%' => self.quotable(at, &format!("`{}` cannot start a text", byte as char)),
            b'`' => self.quotable(at, "a backtick cannot start a text"),
            b'|' | b'>' => self.quotable(at, "a block text cannot stand inside brackets"),
            b'-' => Words::new(here, "a list with dashes cannot stand inside brackets"),
            b'?' => Words::new(here, "`?` cannot start a key here").help("quote the text"),
            b':' => Words::new(here, "this colon has no key").help("write a key before it, or quote the text"),
            b',' => Words::new(here, "a comma without a value before it"),
            b']' | b'}' if self.flow > 0 => Words::new(here, format!("`{}` closes another bracket", byte as char))
                .related((self.bracket, self.bracket + 1), "the open bracket"),
            b']' | b'}' => Words::new(here, format!("`{}` closes no bracket", byte as char)).help("quote the text"),
            b'.' => Words::new((at, at + 3), "`...` ends a document that has not started").help("remove the line"),
            _ => Words::new(here, "no value can start here").help("quote the text"),
        }
    }

    /// No `,` and no closing bracket: the bracket was never closed when other lines followed.
    fn unclosed_flow(&self, at: usize) -> Words {
        let open = self.bracket;
        let opener = self.at(open) as char;
        let closer = closer(opener);
        if at >= self.src.len() || self.line_start(at) != self.line_start(open) {
            let words = self.never_closed();
            return if at < self.src.len() {
                words.related(self.character(at), "the reader gave up here")
            } else {
                words
            };
        }
        let here = self.character(at);
        let words = match self.at(at) {
            b']' | b'}' => Words::new(here, format!("`{}` does not close `{opener}`", self.at(at) as char)),
            _ => Words::new(here, format!("`,` or `{closer}` is missing before this"))
                .help("quote the text if it is one value"),
        };
        words.related((open, open + 1), "the open bracket")
    }

    fn never_closed(&self) -> Words {
        let opener = self.at(self.bracket) as char;
        Words::new((self.bracket, self.bracket + 1), format!("`{opener}` is never closed"))
            .help(format!("write `{}` behind the last value", closer(opener)))
    }

    fn unclosed_quote(&self, open: usize, at: usize) -> Words {
        let quote = self.at(open) as char;
        let words = Words::new((open, open + 1), format!("`{quote}` is never closed"))
            .help(format!("end the text with `{quote}`"));
        if at < self.src.len() { words.related((at, at + 3), "the document ends here") } else { words }
    }

    fn unknown_escape(&self, at: usize) -> Words {
        let end = self.character(at + 1).1;
        let escape = self.part(at, end);
        let words = Words::new((at, end), format!("`{escape}` is no escape that Kubernetes tools know"));
        match self.at(at + 1) {
            b'/' => words.help("write `/` without a backslash"),
            _ => words.help("write `\\\\` for a backslash, or put the text in single quotes"),
        }
    }

    /// A text that would be fine with quotes around it.
    fn quotable(&self, at: usize, message: &str) -> Words {
        let line = self.rest_of_line(at);
        let text = match self.flow {
            0 => without_comment(line),
            _ => &line[..line.find([',', ']', '}']).unwrap_or(line.len())],
        };
        Words::new((at, at + text.trim_end().len().max(1)), message).help(format!("write {}", quoted(text.trim_end())))
    }

    /// The text between two offsets; empty where they do not fit it.
    fn part(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn line_start(&self, at: usize) -> usize {
        self.part(0, at.min(self.text.len()))
            .rfind(is_break)
            .map_or(0, |at| at + self.rest(at).chars().next().map_or(1, char::len_utf8))
    }

    fn line_end(&self, at: usize) -> usize {
        self.rest(at).find(is_break).map_or(self.text.len(), |len| at + len)
    }

    fn rest_of_line(&self, at: usize) -> &str {
        self.part(at, self.line_end(at))
    }

    fn word_end(&self, at: usize) -> usize {
        let word = self.rest_of_line(at);
        at + word.find([' ', '\t']).unwrap_or(word.len())
    }

    /// The span of the character at `at`; empty at the end.
    fn character(&self, at: usize) -> (usize, usize) {
        (at, self.rest(at).chars().next().map_or(at, |next| at + next.len_utf8()))
    }

    fn slice(&self, node: &NodeData) -> &str {
        self.part(node.start as usize, node.end as usize)
    }

    fn column_of(&self, node: &NodeData) -> usize {
        node.start as usize - self.line_start(node.start as usize)
    }

    /// The first word of a node, or its bracket.
    fn first_word(&self, node: &NodeData) -> (usize, usize) {
        let start = node.start as usize;
        (start, self.word_end(start))
    }

    fn anchor_span(&self, node: u32) -> (usize, usize) {
        let at = self.anchors.partition_point(|anchor| anchor.0.0 < node);
        self.anchors.get(at).map_or((0, 0), |anchor| (anchor.1 as usize, anchor.2 as usize))
    }
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The text before a comment, without trailing white space.
fn without_comment(line: &str) -> &str {
    let end = line.find(" #").or_else(|| line.find("\t#")).unwrap_or(line.len());
    line[..end].trim_end()
}

/// The text in quotes that keep it as it is.
fn quoted(text: &str) -> String {
    let text = shorten(text);
    if text.contains(['"', '\\']) { format!("'{}'", text.replace('\'', "''")) } else { format!("\"{text}\"") }
}

/// At most 40 characters of the first line of a text.
fn shorten(text: &str) -> String {
    let line = text.split(is_break).next().unwrap_or_default();
    let end = line.char_indices().nth(40).map_or(line.len(), |(end, _)| end);
    if end == text.len() { text.to_owned() } else { format!("{}…", &line[..end]) }
}

/// The bracket that closes this one.
fn closer(opener: char) -> char {
    if opener == '[' { ']' } else { '}' }
}
