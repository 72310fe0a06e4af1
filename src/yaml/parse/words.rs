//! Syntax errors in words: what is wrong, where to look, what to do.
//!
//! go-yaml tells where its scanner stopped. People need the place where the mistake was made, which is often another:
//! the quote that was never closed, the key that lacks its colon, the line that has one space too many.

use super::Parser;
use super::error::{Failure, Problem};
use crate::text::limits::{ALIAS_NODES, DEPTH, KEY_BYTES};
use crate::yaml::tree::{Kind, NONE, NodeData, Style, SyntaxError};

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
        let is_template = has_markup(self.whole_line(start)) || has_markup(self.whole_line(failure.at));
        SyntaxError { start: start as u32, end: end as u32, message, help, related, is_template }
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
                let escape = &self.text[at..at + 2];
                Words::new((at, at + 2), format!("`{escape}` takes {digits} hexadecimal digits"))
            }
            Problem::NoSuchCharacter { digits } => {
                let span = (at, at + 2 + digits);
                let escape = &self.text[at..span.1];
                Words::new(span, format!("`{escape}` is no character")).help("write the character itself")
            }
            Problem::BadBlockHeader { open } => {
                let indicator = &self.text[open..=open];
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
                let tag = &self.text[at..self.word_end(at)];
                Words::new((at, self.word_end(at)), format!("the handle of the tag `{}` is not declared", shorten(tag)))
                    .help("declare it with `%TAG` above `---`, or quote the text")
            }
            Problem::RepeatedProperty => Words::new(here, "a value takes one anchor and one tag"),
            Problem::AliasWithProperties => Words::new((at, self.word_end(at)), "an alias takes no anchor and no tag"),
            Problem::UnknownAnchor => {
                let name = &self.text[at + 1..failure.pos];
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
        let code = self.text[at..].chars().next().map_or(0, u32::from);
        Words::new(self.character(at), format!("the character U+{code:04X} may not stand in YAML"))
            .help(format!("remove it, or write `\\u{code:04x}` in double quotes"))
    }

    fn tab(&self, at: usize) -> Words {
        let start = at - self.text[..at].len() + self.text[..at].trim_end_matches('\t').len();
        let end = self.text.len() - self.text[at..].trim_start_matches('\t').len();
        let before = self.text[self.line_start(at)..at].trim_matches([' ', '\t']);
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
            b'@' | b'`' | b'%' => self.quotable(at, &format!("`{}` cannot start a text", byte as char)),
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

    /// Something without a colon stands where keys stand.
    fn no_colon(&self, at: usize) -> Words {
        let line = self.rest_of_line(at);
        let text = without_comment(line);
        let span = (at, at + text.len());
        if let Some(colon) = lone_colon(text) {
            let (key, value) = (&text[..colon], &text[colon + 1..]);
            return Words::new((at + colon, at + colon + 1), "the space after the colon is missing").help(format!(
                "write `{}: {}`",
                shorten(key),
                shorten(value)
            ));
        }
        if self.colon_is_far(at) {
            return Words::new((at, at + 1), format!("a key has at most {KEY_BYTES} characters"))
                .help("write `? ` before it");
        }
        if let Some(dashed) = text.strip_prefix('-').filter(|rest| !rest.starts_with(['-', ' '])) {
            return Words::new((at, at + 1), "the space after the dash is missing")
                .help(format!("write `- {}`", shorten(dashed)));
        }
        if matches!(self.at(at), b'"' | b'\'' | b'[' | b'{') && self.line_start(at) != self.line {
            return Words::new((at, at + 1), "a key must end on its line, with a colon");
        }
        Words::new(span, format!("the colon after `{}` is missing", shorten(text)))
            .help("write `: ` and a value, or indent the line if it goes on with the text above")
    }

    fn no_dash(&self, at: usize, list: u32) -> Words {
        let list = &self.nodes[list as usize];
        let text = without_comment(self.rest_of_line(at));
        let dash = (list.start as usize, list.start as usize + 1);
        let words = match text.strip_prefix('-') {
            Some(dashed) => Words::new((at, at + 1), "the space after the dash is missing")
                .help(format!("write `- {}`", shorten(dashed))),
            None => Words::new((at, at + text.len()), "only items may stand in the column of a list")
                .help("write `- ` before it, or indent it to belong to the item above"),
        };
        words.related(dash, "the list starts here")
    }

    /// Something stands behind a whole value, or below it with an indentation that fits nothing.
    fn surplus(&self, at: usize, parent: u32, entry: u32) -> Words {
        let value = &self.nodes[entry as usize];
        if self.at(at) == b':' && self.is_blank_or_end(at + 1) {
            return self.second_colon(at, parent, entry);
        }
        let is_same_line = self.line_start(value.end as usize) == self.line_start(at);
        if is_same_line {
            return self.behind_value(at, value);
        }
        let text = without_comment(self.rest_of_line(at));
        let span = (at, at + text.len());
        if value.kind != Kind::Scalar && value.style == Style::Block {
            // It stands left of the value's entries and right of the parent's.
            let words = Words::new(span, format!("the indentation of `{}` fits nothing above", shorten(text)));
            let (inner, outer) = (self.column_of(value), self.column_of(&self.nodes[parent as usize]));
            return words
                .help(format!("indent it by {inner} spaces to go on with the lines above, or by {outer}"))
                .related(self.first_word(value), "the block above starts here");
        }
        let words =
            Words::new(span, format!("`{}` is indented, but what is above it has a value already", shorten(text)));
        match self.key_of(parent, entry) {
            Some(key) => words
                .help(format!("align it with `{}`", shorten(self.slice(key))))
                .related((key.start as usize, key.end as usize), "the key that has a value"),
            None => words.help("align it with the lines above").related(self.first_word(value), "that value"),
        }
    }

    /// `: ` behind a value: the value holds a colon, or an earlier line lacks one.
    fn second_colon(&self, at: usize, parent: u32, entry: u32) -> Words {
        let value = &self.nodes[entry as usize];
        let (start, end) = (value.start as usize, value.end as usize);
        let here = (at, at + 1);
        if value.kind != Kind::Scalar {
            return Words::new(here, "a collection in brackets is no key here").help("write the key as quoted text");
        }
        let key = if parent == NONE { None } else { self.key_of(parent, entry) };
        let is_beside_key = key.is_some_and(|key| self.line_start(key.start as usize) == self.line_start(start));
        let is_long = self.line_start(start) != self.line_start(at);
        match (is_long, is_beside_key) {
            (true, false) if value.style == Style::Plain => self.no_colon(start),
            (true, _) if value.style != Style::Plain => {
                Words::new((start, end), "a key must end on its line").help("write it on one line")
            }
            (true, _) => {
                let from = self.line_start(at);
                let name = self.text[from..at].trim();
                let first = without_comment(self.rest_of_line(start));
                let key = key.map_or("", |key| self.slice(key));
                Words::new(
                    (at - name.len().min(at - from), at),
                    format!("`{key}` has a value already, so no key can stand below it"),
                )
                .help(format!("align `{}` with `{}`, or remove the value", shorten(name), shorten(key)))
                .related((start, start + first.len()), "the value it has")
            }
            (false, _) if self.colon_is_far(start) => {
                Words::new((start, start + 1), format!("a key has at most {KEY_BYTES} characters"))
                    .help("write `? ` before it")
            }
            (false, _) => {
                let line = without_comment(self.rest_of_line(start));
                let words =
                    Words::new(here, "a text that holds `: ` needs quotes").help(format!("write {}", quoted(line)));
                match key {
                    Some(key) => words.related((key.start as usize, key.end as usize), "the key of the text"),
                    None => words,
                }
            }
        }
    }

    /// Something stands on the line of a value that has ended.
    fn behind_value(&self, at: usize, value: &NodeData) -> Words {
        let text = without_comment(self.rest_of_line(at));
        let span = (at, at + text.len());
        let whole = (value.start as usize, value.end as usize);
        match (value.kind, value.style) {
            (Kind::Alias, _) => {
                Words::new(span, "nothing may follow an alias").help("quote the whole text if no alias is meant")
            }
            (Kind::Scalar, Style::SingleQuoted) => Words::new(span, "text behind the closing quote")
                .help("write `''` for a quote inside the text")
                .related((whole.1 - 1, whole.1), "the closing quote"),
            (Kind::Scalar, Style::DoubleQuoted) => Words::new(span, "text behind the closing quote")
                .help("write `\\\"` for a quote inside the text")
                .related((whole.1 - 1, whole.1), "the closing quote"),
            (Kind::Mapping | Kind::Sequence, Style::Flow) => Words::new(span, "text behind the closing bracket")
                .help("quote the whole text if no brackets are meant")
                .related((whole.1 - 1, whole.1), "the closing bracket"),
            _ => Words::new(span, format!("`{}` cannot stand here", shorten(text))).help("quote the text"),
        }
    }

    fn no_document_start(&self, at: usize, root: u32) -> Words {
        let text = without_comment(self.rest_of_line(at));
        let span = (at, at + text.len());
        if root == NONE {
            return Words::new(span, "`---` is missing before this document").help("write `---` on a line before it");
        }
        let node = &self.nodes[root as usize];
        if node.style == Style::Block && node.kind != Kind::Scalar {
            return Words::new(span, format!("`{}` is indented less than the first line", shorten(text)))
                .help(format!("indent it by {} spaces, or write `---` before it", self.column_of(node)))
                .related(self.first_word(node), "the first line");
        }
        if self.line_start(node.end as usize) == self.line_start(at) {
            return self.behind_value(at, node);
        }
        Words::new(span, "a document holds one value, this is a second").help("write `---` on a line before it")
    }

    /// No `,` and no closing bracket: the bracket was never closed when other lines followed.
    fn unclosed_flow(&self, at: usize) -> Words {
        let open = self.bracket;
        let opener = self.at(open) as char;
        let closer = if opener == '[' { ']' } else { '}' };
        if at >= self.src.len() || self.line_start(at) != self.line_start(open) {
            let words = Words::new((open, open + 1), format!("`{opener}` is never closed"))
                .help(format!("write `{closer}` behind the last value"));
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

    fn unclosed_quote(&self, open: usize, at: usize) -> Words {
        let quote = self.at(open) as char;
        let words = Words::new((open, open + 1), format!("`{quote}` is never closed"))
            .help(format!("end the text with `{quote}`"));
        if at < self.src.len() { words.related((at, at + 3), "the document ends here") } else { words }
    }

    fn unknown_escape(&self, at: usize) -> Words {
        let end = self.character(at + 1).1;
        let escape = &self.text[at..end];
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

    /// `{{ … }}` at `start`.
    fn placeholder(&self, start: usize) -> Words {
        let line = without_comment(self.rest_of_line(start));
        let end = line.find("}}").map_or(line.len(), |end| end + 2);
        let span = (start, start + end);
        let is_alone = self.text[self.line_start(start)..start].trim().is_empty();
        let rest = &line[end..];
        let is_key = rest.trim_start().starts_with(':');
        if is_alone && !is_key {
            return Words::new(span, "a template action is not YAML").help("render the template first");
        }
        let is_item = self.text[..start].trim_end().ends_with(['[', ',']);
        let text = if is_item || is_key { &line[..end] } else { line };
        Words::new(span, "template placeholder is not quoted").help(format!("quote it: {}", quoted(text)))
    }

    /// Where the `{{` starts that `at` lies in, if it stands where a value starts.
    fn placeholder_around(&self, at: usize) -> Option<usize> {
        let line = self.line_start(at);
        let before = &self.text[line..self.text.len().min(self.character(at).1)];
        let start =
            line + before.rfind("{{").or_else(|| self.rest_of_line(at).starts_with("{{").then_some(at - line))?;
        let is_closed = self.text[start..at.max(start)].contains("}}");
        let starts_value = self.text[line..start].trim_end().is_empty()
            || self.text[line..start].ends_with([' ', '[', ',', '{', '"', '\'']);
        (starts_value && !is_closed).then_some(start)
    }

    // What the words above are made of.

    fn line_start(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())]
            .rfind(is_break)
            .map_or(0, |at| at + self.text[at..].chars().next().map_or(1, char::len_utf8))
    }

    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find(is_break).map_or(self.text.len(), |len| at + len)
    }

    fn rest_of_line(&self, at: usize) -> &str {
        &self.text[at..self.line_end(at)]
    }

    fn whole_line(&self, at: usize) -> &str {
        self.rest_of_line(self.line_start(at))
    }

    fn word_end(&self, at: usize) -> usize {
        let word = self.rest_of_line(at);
        at + word.find([' ', '\t']).unwrap_or(word.len())
    }

    /// The span of the character at `at`; empty at the end.
    fn character(&self, at: usize) -> (usize, usize) {
        (at, self.text[at..].chars().next().map_or(at, |next| at + next.len_utf8()))
    }

    fn slice(&self, node: &NodeData) -> &str {
        &self.text[node.start as usize..node.end as usize]
    }

    fn column_of(&self, node: &NodeData) -> usize {
        node.start as usize - self.line_start(node.start as usize)
    }

    /// The first word of a node, or its bracket.
    fn first_word(&self, node: &NodeData) -> (usize, usize) {
        let start = node.start as usize;
        (start, self.word_end(start))
    }

    /// The key of the value `entry` of the mapping `parent`.
    fn key_of(&self, parent: u32, entry: u32) -> Option<&NodeData> {
        let parent = &self.nodes[parent as usize];
        if parent.kind != Kind::Mapping {
            return None;
        }
        let mut key = &self.nodes[parent.link as usize];
        while key.next != entry {
            let value = self.nodes.get(key.next as usize)?;
            key = self.nodes.get(value.next as usize)?;
        }
        Some(key)
    }

    fn anchor_span(&self, node: u32) -> (usize, usize) {
        let at = self.anchors.partition_point(|anchor| anchor.0.0 < node);
        self.anchors.get(at).map_or((0, 0), |anchor| (anchor.1 as usize, anchor.2 as usize))
    }

    /// Whether the next `: ` on the line is farther away than a key may reach.
    fn colon_is_far(&self, at: usize) -> bool {
        let line = self.rest_of_line(at);
        let colon = line.find(": ").or_else(|| line.ends_with(':').then(|| line.len() - 1));
        colon.is_some_and(|colon| line[..colon].chars().count() > KEY_BYTES)
    }
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a placeholder may be what is really wrong.
fn may_hide_placeholder(problem: Problem) -> bool {
    matches!(
        problem,
        Problem::NoContent
            | Problem::NoColon
            | Problem::NoDash { .. }
            | Problem::Surplus { .. }
            | Problem::UnclosedFlow
            | Problem::MisplacedEntry
            | Problem::MisplacedValue
            | Problem::NoKey
            | Problem::NoDocumentStart { .. }
            | Problem::BadTag
            | Problem::BadAlias
    )
}

/// Whether a line holds the markup of a template language.
fn has_markup(line: &str) -> bool {
    const MARKS: [&str; 9] = ["{{", "}}", "{%", "<%", "<#", "</#", "[#", "${", "$("];
    MARKS.iter().any(|mark| line.contains(mark)) || has_token(line)
}

/// Whether a line holds a token like `<CLUSTER_NAME>`.
fn has_token(line: &str) -> bool {
    let mut parts = line.split('<').skip(1);
    parts.any(|part| {
        part.split_once('>').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' '))
        })
    })
}

/// Where the first colon is that no space follows, when the text before it looks like a key.
fn lone_colon(text: &str) -> Option<usize> {
    let colon = text.find(':')?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'"' | b'\'');
    let is_key = colon > 0 && text[..colon].bytes().all(is_word);
    let value = &text[colon + 1..];
    (is_key && !value.is_empty() && !value.starts_with([' ', '\t', '/', ':'])).then_some(colon)
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

/// At most 40 characters of a text.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
