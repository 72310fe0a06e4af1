//! The lexer: template text in, tokens out, one at a time.
//!
//! Mirrors Go 1.26, text/template/parse, down to which word an error is made of. Comments yield no token, trim markers
//! shorten the text beside them.

use super::ast::Bytes;
use super::literal;
use super::unicode;

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub bytes: Bytes,
    /// Line of the first byte, from 1.
    pub line: u32,
}

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// The lexer gave up; the text says why in Go's words. The last token of its input.
    Error(String),
    Bool,
    /// Any other printable ASCII character.
    Char(char),
    CharConstant,
    Complex,
    Assign,
    Declare,
    /// The end of the input.
    Eof,
    Field,
    Identifier,
    LeftDelimiter,
    LeftParen,
    Number,
    Pipe,
    RawString,
    RightDelimiter,
    RightParen,
    Space,
    String,
    Text,
    Variable,
    Word(Word),
}

/// A keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Dot,
    Block,
    Break,
    Continue,
    Define,
    Else,
    End,
    If,
    Range,
    Nil,
    Template,
    With,
}

const WORDS: &[(&str, Word)] = &[
    (".", Word::Dot),
    ("block", Word::Block),
    ("break", Word::Break),
    ("continue", Word::Continue),
    ("define", Word::Define),
    ("else", Word::Else),
    ("end", Word::End),
    ("if", Word::If),
    ("range", Word::Range),
    ("nil", Word::Nil),
    ("template", Word::Template),
    ("with", Word::With),
];

const OPEN: &str = "{{";
const CLOSE: &str = "}}";
const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

/// The scanner over one template text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    /// Where the next token starts.
    at: usize,
    in_action: bool,
    paren_depth: usize,
    /// The line of `counted`, which trails the tokens.
    line: u32,
    counted: usize,
}

impl<'t> Lexer<'t> {
    /// A lexer at the start of `text`.
    pub fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0, in_action: false, paren_depth: 0, line: 1, counted: 0 }
    }

    /// The next token; after the end, or after an error, the end again.
    pub fn next(&mut self) -> Token {
        if self.in_action { self.action() } else { self.text() }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn token(&mut self, kind: TokenKind, start: usize, end: usize) -> Token {
        self.line += memchr::memchr_iter(b'\n', &self.text.as_bytes()[self.counted..start]).count() as u32;
        self.counted = start;
        Token { kind, bytes: Bytes::new(start, end), line: self.line }
    }

    /// An error whose line is that of `start`, as in Go, and whose bytes are the ones to look at.
    fn error(&mut self, message: impl Into<String>, start: usize, bytes: std::ops::Range<usize>) -> Token {
        let mut token = self.token(TokenKind::Error(message.into()), start, start);
        token.bytes = Bytes::new(bytes.start, bytes.end);
        (self.at, self.in_action) = (self.text.len(), false);
        token
    }

    fn emit(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.at;
        self.at += length;
        self.token(kind, start, start + length)
    }

    fn text(&mut self) -> Token {
        loop {
            let rest = self.rest();
            let Some(open) = rest.find(OPEN) else {
                let kind = if rest.is_empty() { TokenKind::Eof } else { TokenKind::Text };
                return self.emit(kind, rest.len());
            };
            let inner = &rest[open + OPEN.len()..];
            let marker = if matches!(inner.as_bytes(), [b'-', next, ..] if is_space(*next)) { 2 } else { 0 };
            let shown = if marker > 0 { rest[..open].trim_end_matches(SPACES).len() } else { open };
            if shown > 0 {
                let token = self.token(TokenKind::Text, self.at, self.at + shown);
                self.at += open;
                return token;
            }
            let start = self.at + open;
            self.at = start + OPEN.len() + marker;
            if !self.rest().starts_with("/*") {
                (self.in_action, self.paren_depth) = (true, 0);
                return self.token(TokenKind::LeftDelimiter, start, start + OPEN.len());
            }
            if let Some(error) = self.comment() {
                return error;
            }
        }
    }

    /// Skips a comment and what its trim marker takes.
    fn comment(&mut self) -> Option<Token> {
        let start = self.at;
        let Some(length) = self.rest()[2..].find("*/") else {
            return Some(self.error("unclosed comment", start, start..start + 2));
        };
        self.at += length + 4;
        let Some(marker) = self.right_delimiter() else {
            let end = self.at;
            return Some(self.error("comment ends before closing delimiter", start, end - 2..end));
        };
        self.at += marker + CLOSE.len();
        self.skip_trimmed(marker);
        None
    }

    /// The length of the trim marker, when a right delimiter is next.
    fn right_delimiter(&self) -> Option<usize> {
        let rest = self.rest();
        match rest.as_bytes() {
            [space, b'-', ..] if is_space(*space) && rest[2..].starts_with(CLOSE) => Some(2),
            _ if rest.starts_with(CLOSE) => Some(0),
            _ => None,
        }
    }

    fn skip_trimmed(&mut self, marker: usize) {
        if marker > 0 {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(SPACES).len();
        }
    }

    fn close(&mut self, marker: usize) -> Token {
        self.at += marker;
        let token = self.emit(TokenKind::RightDelimiter, CLOSE.len());
        self.skip_trimmed(marker);
        self.in_action = false;
        token
    }

    fn action(&mut self) -> Token {
        let start = self.at;
        if let Some(marker) = self.right_delimiter() {
            if self.paren_depth == 0 {
                return self.close(marker);
            }
            return self.error("unclosed left paren", start, start..start + marker + CLOSE.len());
        }
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return self.error("unclosed action", start, start..start);
        };
        match first {
            ' ' | '\t' | '\r' | '\n' => self.space(),
            '=' => self.emit(TokenKind::Assign, 1),
            ':' if rest.starts_with(":=") => self.emit(TokenKind::Declare, 2),
            ':' => self.error("expected :=", start, start..start + 1),
            '|' => self.emit(TokenKind::Pipe, 1),
            '"' => self.quoted('"', TokenKind::String, "unterminated quoted string"),
            '\'' => self.quoted('\'', TokenKind::CharConstant, "unterminated character constant"),
            '`' => match rest[1..].find('`') {
                Some(length) => self.emit(TokenKind::RawString, length + 2),
                None => self.error("unterminated raw quoted string", start, start..start + 1),
            },
            '$' => self.dotted(TokenKind::Variable, TokenKind::Variable),
            // A point that ends the text is taken for a number.
            '.' if rest.as_bytes().get(1).is_some_and(|next| !next.is_ascii_digit()) => {
                self.dotted(TokenKind::Field, TokenKind::Word(Word::Dot))
            }
            '.' | '+' | '-' | '0'..='9' => self.number(),
            _ if is_alphanumeric(first) => self.identifier(),
            '(' => {
                self.paren_depth += 1;
                self.emit(TokenKind::LeftParen, 1)
            }
            ')' if self.paren_depth == 0 => self.error("unexpected right paren", start, start..start + 1),
            ')' => {
                self.paren_depth -= 1;
                self.emit(TokenKind::RightParen, 1)
            }
            ' '..='~' => self.emit(TokenKind::Char(first), 1),
            _ => {
                let message = format!("unrecognized character in action: {}", unicode_name(first));
                self.error(message, start, start..start + first.len_utf8())
            }
        }
    }

    /// A run of spaces, without the last one when that belongs to a trim marker.
    fn space(&mut self) -> Token {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(SPACES).len();
        let last = &rest[length - 1..];
        if !(last[1..].starts_with('-') && last[2..].starts_with(CLOSE)) {
            return self.emit(TokenKind::Space, length);
        }
        if length == 1 { self.close(2) } else { self.emit(TokenKind::Space, length - 1) }
    }

    fn quoted(&mut self, quote: char, kind: TokenKind, unterminated: &str) -> Token {
        let (start, rest) = (self.at, self.rest());
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == quote => return self.emit(kind, at + 1),
                _ => {}
            }
        }
        let line = rest.find('\n').unwrap_or(rest.len());
        self.error(unterminated, start, start..start + line)
    }

    /// `.name`, `$name`, or the sign alone.
    fn dotted(&mut self, named: TokenKind, alone: TokenKind) -> Token {
        let rest = self.rest();
        let length = 1 + word_length(&rest[1..]);
        if let Some(bad) = self.bad_end(length) {
            return bad;
        }
        self.emit(if length == 1 { alone } else { named }, length)
    }

    fn identifier(&mut self) -> Token {
        let length = word_length(self.rest());
        if let Some(bad) = self.bad_end(length) {
            return bad;
        }
        let word = &self.rest()[..length];
        let kind = match WORDS.iter().find(|(name, _)| *name == word) {
            Some((_, keyword)) => TokenKind::Word(*keyword),
            None if word == "true" || word == "false" => TokenKind::Bool,
            None => TokenKind::Identifier,
        };
        self.emit(kind, length)
    }

    /// What may not stand right after a name of this length.
    fn bad_end(&mut self, length: usize) -> Option<Token> {
        let rest = &self.rest()[length..];
        let next = rest.chars().next()?;
        if SPACES.contains(&next) || ".,|:)(".contains(next) || rest.starts_with(CLOSE) {
            return None;
        }
        let (start, at) = (self.at, self.at + length);
        Some(self.error(format!("bad character {}", unicode_name(next)), start, at..at + next.len_utf8()))
    }

    /// Anything that starts like a number; the parser checks the digits.
    fn number(&mut self) -> Token {
        let (start, rest) = (self.at, self.rest());
        let first = scan_number(rest);
        let (kind, length) = match first {
            Ok(length) if rest[length..].starts_with(['+', '-']) => match scan_number(&rest[length..]) {
                Ok(second) if rest[..length + second].ends_with('i') => (TokenKind::Complex, Ok(length + second)),
                Ok(second) | Err(second) => (TokenKind::Complex, Err(length + second)),
            },
            length => (TokenKind::Number, length),
        };
        match length {
            Ok(length) => self.emit(kind, length),
            Err(length) => {
                let message = format!("bad number syntax: {}", literal::quote(&rest[..length], false));
                self.error(message, start, start..start + length)
            }
        }
    }
}

/// The length of a number, or of what was read until it went wrong.
fn scan_number(text: &str) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let accept = |at: &mut usize, set: &[u8]| {
        let found = bytes.get(*at).is_some_and(|byte| set.contains(byte));
        *at += usize::from(found);
        found
    };
    accept(&mut at, b"+-");
    let mut digits: &[u8] = b"0123456789_";
    let mut exponent: &[u8] = b"eE";
    if accept(&mut at, b"0") {
        if accept(&mut at, b"xX") {
            (digits, exponent) = (b"0123456789abcdefABCDEF_", b"pP");
        } else if accept(&mut at, b"oO") {
            (digits, exponent) = (b"01234567_", b"");
        } else if accept(&mut at, b"bB") {
            (digits, exponent) = (b"01_", b"");
        }
    }
    while accept(&mut at, digits) {}
    if accept(&mut at, b".") {
        while accept(&mut at, digits) {}
    }
    if accept(&mut at, exponent) {
        accept(&mut at, b"+-");
        while accept(&mut at, b"0123456789_") {}
    }
    accept(&mut at, b"i");
    match text[at..].chars().next() {
        Some(next) if is_alphanumeric(next) => Err(at + next.len_utf8()),
        _ => Ok(at),
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_alphanumeric(c)).unwrap_or(text.len())
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || unicode::is_letter(c) || unicode::is_digit(c)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// `U+002D '-'`, as Go's `%#U`.
fn unicode_name(c: char) -> String {
    let code = u32::from(c);
    if unicode::is_print(c) { format!("U+{code:04X} '{c}'") } else { format!("U+{code:04X}") }
}

impl Token {
    /// The token as Go's messages show it.
    pub fn shown(&self, text: &str) -> String {
        let word = self.bytes.of(text);
        match &self.kind {
            TokenKind::Eof => "EOF".into(),
            TokenKind::Error(message) => message.clone(),
            TokenKind::Word(_) => format!("<{word}>"),
            _ if word.len() > 10 => {
                format!("{}...", literal::quote(&word.chars().take(10).collect::<String>(), false))
            }
            _ => literal::quote(word, false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> String {
        let mut lexer = Lexer::new(text);
        let mut shown = Vec::new();
        loop {
            let token = lexer.next();
            let last = matches!(token.kind, TokenKind::Eof | TokenKind::Error(_));
            if token.kind != TokenKind::Space {
                shown.push(token.shown(text));
            }
            if last {
                return shown.join(" ");
            }
        }
    }

    #[test]
    fn text_and_actions_alternate() {
        assert_eq!(tokens("a{{.b}}c"), r#""a" "{{" ".b" "}}" "c" EOF"#);
    }

    #[test]
    fn trim_markers_shorten_the_text() {
        assert_eq!(tokens("a \n{{- 1 -}}\n b"), r#""a" "{{" "1" "}}" "b" EOF"#);
        assert_eq!(tokens("{{-1}}"), r#""{{" "-1" "}}" EOF"#);
    }

    #[test]
    fn comments_vanish() {
        assert_eq!(tokens("a {{- /* }} */ -}} b"), r#""a" "b" EOF"#);
        assert_eq!(tokens("{{/* a */ }}"), "comment ends before closing delimiter");
    }

    #[test]
    fn names_end_at_a_terminator() {
        assert_eq!(tokens("{{ .a.b-c }}"), r#""{{" ".a" bad character U+002D '-'"#);
        assert_eq!(tokens("{{ $ . .x$ }}"), r#""{{" "$" <.> bad character U+0024 '$'"#);
    }

    #[test]
    fn numbers_of_all_forms_are_one_token() {
        assert_eq!(
            tokens("{{ 0x1F 1_0 .5e-3 1i 1+2i 'a' }}"),
            r#""{{" "0x1F" "1_0" ".5e-3" "1i" "1+2i" "'a'" "}}" EOF"#
        );
        assert_eq!(tokens("{{ 3k }}"), r#""{{" bad number syntax: "3k""#);
    }

    #[test]
    fn lines_count_from_one() {
        let mut lexer = Lexer::new("a\n\n{{ b");
        assert_eq!((lexer.next().line, lexer.next().line), (1, 3));
    }
}
