//! Git's wildmatch, the matcher under pathspecs, `.gitignore` and `.gitattributes`.
//!
//! Mirrors git 2.39, `wildmatch.c`: bytes, not characters. Git walks the pattern recursively, which takes exponential
//! time for some patterns with `**/`; here the pattern is a list of tokens, and all places where a match may stand
//! advance together.

use memchr::memmem;

/// How a pattern is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mode {
    /// `*`, `?` and classes stop at `/`, and `**/` stands for any number of directories (`WM_PATHNAME`).
    pub pathname: bool,
    /// ASCII letters match in either case, with git's exception: an escaped or listed capital matches nothing
    /// (`WM_CASEFOLD`).
    pub ignore_case: bool,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    ignore_case: bool,
    /// None when the pattern is broken.
    tokens: Option<Vec<Token>>,
    /// The bytes that end the pattern, which are compared first.
    end: Vec<u8>,
    /// What stands between runs that all cross everything: it can be looked for from left to right.
    pieces: Option<Vec<Piece>>,
}

/// Tokens that match one byte each.
#[derive(Clone, Debug)]
struct Piece {
    tokens: Vec<Token>,
    /// Looks for the same, when it is plain text.
    finder: Option<memmem::Finder<'static>>,
}

#[derive(Clone, Debug)]
enum Token {
    Byte(u8),
    OneOf(Box<ByteSet>),
    /// Any run of bytes, or of bytes that are no `/`.
    Run {
        crosses: bool,
    },
    /// The next two tokens, or nothing.
    OptionalTwo,
}

impl Pattern {
    /// Compiles `pattern`. One that git cannot read is no error; see [`Pattern::is_broken`].
    pub fn new(pattern: &[u8], mode: Mode) -> Pattern {
        let mut tokens = Reader { pattern, at: 0, mode }.tokens();
        let mut end = Vec::new();
        while let Some(Token::Byte(byte)) = tokens.as_ref().and_then(|tokens| tokens.last()) {
            // The slash of an optional directory may be missing.
            if matches!(tokens.as_deref(), Some([.., Token::OptionalTwo, _, _])) {
                break;
            }
            end.push(*byte);
            tokens.as_mut().map(Vec::pop);
        }
        end.reverse();
        let pieces = tokens.as_deref().and_then(|tokens| pieces(tokens, mode.ignore_case));
        Pattern { ignore_case: mode.ignore_case, tokens, end, pieces }
    }

    /// Whether the pattern matches nothing, because a class in it is not closed or not known, or a backslash ends it.
    pub fn is_broken(&self) -> bool {
        self.tokens.is_none()
    }

    /// Whether the pattern matches the whole `text`.
    pub fn matches(&self, text: &[u8]) -> bool {
        let (Some(tokens), Some(split)) = (&self.tokens, text.len().checked_sub(self.end.len())) else { return false };
        let (text, end) = text.split_at(split);
        if !end.iter().zip(&self.end).all(|(&byte, &expected)| self.read(byte) == expected) {
            return false;
        }
        if let Some(pieces) = &self.pieces {
            return self.matches_pieces(pieces, text);
        }
        let mut here = Places::new(tokens);
        let mut next = Places::new(tokens);
        here.reach(0);
        for &byte in text {
            if here.takes_all {
                return true;
            }
            let byte = self.read(byte);
            for place in here.reached.drain(..) {
                here.marks[place] = false;
                match tokens.get(place) {
                    Some(Token::Byte(expected)) if byte == *expected => next.reach(place + 1),
                    Some(Token::OneOf(set)) if set.contains(byte) => next.reach(place + 1),
                    Some(Token::Run { crosses }) if *crosses || byte != b'/' => next.reach(place),
                    _ => {}
                }
            }
            if next.reached.is_empty() {
                return false;
            }
            std::mem::swap(&mut here, &mut next);
        }
        here.marks[tokens.len()]
    }

    /// The first piece begins the text, the last one ends it, and the others follow each other as early as they can.
    fn matches_pieces(&self, pieces: &[Piece], text: &[u8]) -> bool {
        let (first, rest) = pieces.split_first().expect("a pattern has a piece before its first run");
        let Some((last, between)) = rest.split_last() else {
            return text.len() == first.tokens.len() && self.is_at(first, text);
        };
        let at = first.tokens.len();
        if text.len() < at + last.tokens.len() || !self.is_at(first, text) {
            return false;
        }
        let (text, end) = text[at..].split_at(text.len() - at - last.tokens.len());
        let mut text = text;
        for piece in between {
            let Some(at) = self.find(piece, text) else { return false };
            text = &text[at + piece.tokens.len()..];
        }
        self.is_at(last, end)
    }

    fn find(&self, piece: &Piece, text: &[u8]) -> Option<usize> {
        match &piece.finder {
            Some(finder) => finder.find(text),
            None => (0..(text.len() + 1).checked_sub(piece.tokens.len())?).find(|at| self.is_at(piece, &text[*at..])),
        }
    }

    /// Whether a piece matches the first bytes of a text that is long enough.
    fn is_at(&self, piece: &Piece, text: &[u8]) -> bool {
        piece.tokens.iter().zip(text).all(|(token, &byte)| match token {
            Token::Byte(expected) => self.read(byte) == *expected,
            Token::OneOf(set) => set.contains(self.read(byte)),
            Token::Run { .. } | Token::OptionalTwo => false,
        })
    }

    /// A byte of the text as it is compared.
    fn read(&self, byte: u8) -> u8 {
        if self.ignore_case { byte.to_ascii_lowercase() } else { byte }
    }
}

/// The pieces of a pattern whose runs all cross everything.
fn pieces(tokens: &[Token], ignore_case: bool) -> Option<Vec<Piece>> {
    if tokens.iter().any(|token| matches!(token, Token::Run { crosses: false } | Token::OptionalTwo)) {
        return None;
    }
    let piece = |tokens: &[Token]| {
        let byte = |token: &Token| if let Token::Byte(byte) = token { Some(*byte) } else { None };
        let plain: Option<Vec<u8>> = tokens.iter().map(byte).collect();
        let plain = plain.filter(|_| !ignore_case);
        Piece { tokens: tokens.to_vec(), finder: plain.map(|plain| memmem::Finder::new(&plain).into_owned()) }
    };
    Some(tokens.split(|token| matches!(token, Token::Run { .. })).map(piece).collect())
}

/// The tokens that may have to match what follows.
struct Places<'p> {
    tokens: &'p [Token],
    reached: Vec<usize>,
    marks: Vec<bool>,
    /// Whether a last `*` is reached that takes anything.
    takes_all: bool,
}

impl<'p> Places<'p> {
    fn new(tokens: &'p [Token]) -> Places<'p> {
        Places { tokens, reached: Vec::new(), marks: vec![false; tokens.len() + 1], takes_all: false }
    }

    /// Adds a place, and those behind tokens that may match nothing.
    fn reach(&mut self, mut place: usize) {
        while !self.marks[place] {
            self.marks[place] = true;
            self.reached.push(place);
            match self.tokens.get(place) {
                Some(Token::Run { crosses }) => {
                    self.takes_all |= *crosses && place + 1 == self.tokens.len();
                    place += 1;
                }
                Some(Token::OptionalTwo) => {
                    self.reach(place + 1);
                    place += 3;
                }
                _ => return,
            }
        }
    }
}

/// A set of bytes.
#[derive(Clone, Debug)]
struct ByteSet([bool; 256]);

impl ByteSet {
    fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte)] = true;
    }

    fn insert_all(&mut self, accept: impl Fn(u8) -> bool) {
        (0..=u8::MAX).filter(|&byte| accept(byte)).for_each(|byte| self.insert(byte));
    }
}

type Accept = fn(u8) -> bool;

struct Reader<'p> {
    pattern: &'p [u8],
    at: usize,
    mode: Mode,
}

impl Reader<'_> {
    fn tokens(&mut self) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'*' => self.stars(&mut tokens),
                b'?' => tokens.push(self.one_of([true; 256])),
                b'[' => tokens.push(self.class()?),
                b'\\' => tokens.push(Token::Byte(self.next()?)),
                byte if self.mode.ignore_case => tokens.push(Token::Byte(byte.to_ascii_lowercase())),
                byte => tokens.push(Token::Byte(byte)),
            }
        }
        Some(tokens)
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.pattern.get(self.at).copied()
    }

    /// The stars whose first was just read.
    fn stars(&mut self, tokens: &mut Vec<Token>) {
        let first = self.at - 1;
        while self.peek() == Some(b'*') {
            self.at += 1;
        }
        let rest = &self.pattern[self.at..];
        let starts_segment = first == 0 || self.pattern[first - 1] == b'/';
        let ends_segment = rest.is_empty() || rest.starts_with(b"/") || rest.starts_with(b"\\/");
        if !self.mode.pathname {
            tokens.push(Token::Run { crosses: true });
        } else if self.at - first == 1 || !(starts_segment && ends_segment) {
            tokens.push(Token::Run { crosses: false });
        } else if rest.starts_with(b"/") {
            self.at += 1;
            tokens.extend([Token::OptionalTwo, Token::Run { crosses: true }, Token::Byte(b'/')]);
        } else {
            tokens.push(Token::Run { crosses: true });
        }
    }

    fn one_of(&self, mut bytes: [bool; 256]) -> Token {
        bytes[usize::from(b'/')] &= !self.mode.pathname;
        Token::OneOf(Box::new(ByteSet(bytes)))
    }

    /// The class whose `[` was just read. The first character is a member even if it is `]`.
    fn class(&mut self) -> Option<Token> {
        let negated = matches!(self.peek(), Some(b'!' | b'^'));
        self.at += usize::from(negated);
        let mut set = ByteSet([false; 256]);
        let mut low = None;
        let mut byte = self.next()?;
        loop {
            low = match byte {
                b'\\' => {
                    let escaped = self.next()?;
                    set.insert(escaped);
                    Some(escaped)
                }
                b'-' if low.is_some() && self.peek().is_some_and(|next| next != b']') => {
                    let mut high = self.next()?;
                    if high == b'\\' {
                        high = self.next()?;
                    }
                    let range = low.unwrap_or(high)..=high;
                    set.insert_all(|byte| {
                        let upper = byte.to_ascii_uppercase();
                        range.contains(&byte)
                            || self.mode.ignore_case && byte.is_ascii_lowercase() && range.contains(&upper)
                    });
                    None
                }
                b'[' if self.peek() == Some(b':') => match self.named_class()? {
                    Some(accept) => {
                        set.insert_all(accept);
                        None
                    }
                    None => {
                        set.insert(b'[');
                        Some(b'[')
                    }
                },
                member => {
                    set.insert(member);
                    Some(member)
                }
            };
            byte = self.next()?;
            if byte == b']' {
                break;
            }
        }
        if negated {
            set.0.iter_mut().for_each(|member| *member = !*member);
        }
        Some(self.one_of(set.0))
    }

    /// The class named at `[:…:]`, whose `[` was just read; `Some(None)` when it is no such name after all.
    fn named_class(&mut self) -> Option<Option<Accept>> {
        let body = &self.pattern[self.at + 1..];
        let close = body.iter().position(|&byte| byte == b']')?;
        let Some(name) = body[..close].strip_suffix(b":") else { return Some(None) };
        let accept: Accept = match name {
            b"alnum" => |byte| byte.is_ascii_alphanumeric(),
            b"alpha" => |byte| byte.is_ascii_alphabetic(),
            b"blank" => |byte| matches!(byte, b' ' | b'\t'),
            b"cntrl" => |byte| byte.is_ascii_control(),
            b"digit" => |byte| byte.is_ascii_digit(),
            b"graph" => |byte| byte.is_ascii_graphic(),
            b"lower" => |byte| byte.is_ascii_lowercase(),
            b"print" => |byte| byte == b' ' || byte.is_ascii_graphic(),
            b"punct" => |byte| byte.is_ascii_punctuation(),
            b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
            b"upper" if self.mode.ignore_case => |byte| byte.is_ascii_alphabetic(),
            b"upper" => |byte| byte.is_ascii_uppercase(),
            b"xdigit" => |byte| byte.is_ascii_hexdigit(),
            _ => return None,
        };
        self.at += 1 + close + 1;
        Some(Some(accept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHNAME: Mode = Mode { pathname: true, ignore_case: false };

    fn matches(pattern: &str, text: &str, mode: Mode) -> bool {
        Pattern::new(pattern.as_bytes(), mode).matches(text.as_bytes())
    }

    #[test]
    fn without_path_mode_everything_crosses_slashes() {
        for pattern in ["a*c", "a**c", "a?b?c", "a[/]b[!x]c"] {
            assert!(matches(pattern, "a/b/c", Mode::default()), "{pattern}");
        }
        assert!(!matches("a/**/c", "a/c", Mode::default()));
    }

    #[test]
    fn in_path_mode_only_whole_double_stars_cross() {
        assert!(matches("a/**/c", "a/c", PATHNAME));
        assert!(matches("a/**/c", "a/b/b/c", PATHNAME));
        assert!(matches("**", "a/b", PATHNAME));
        for pattern in ["a*c", "a**c", "a/b?c", "a/b[/]c", "a/**c"] {
            assert!(!matches(pattern, "a/b/c", PATHNAME), "{pattern}");
        }
    }

    #[test]
    fn directories_may_be_absent_several_times() {
        assert!(matches("**/**/a", "a", PATHNAME));
        assert!(matches("**/a/**/b", "x/a/a/y/b", PATHNAME));
        assert!(!matches("**/a/**/b", "x/b/a", PATHNAME));
    }

    #[test]
    fn a_class_may_begin_with_its_bracket() {
        assert!(matches("[]a]", "]", Mode::default()));
        assert!(matches("[[:digit:]x]", "7", Mode::default()));
        assert!(matches("[[:x]", ":", Mode::default()));
    }

    #[test]
    fn a_broken_pattern_matches_nothing() {
        for pattern in ["[", "[a", "[[:word:]]", "a\\"] {
            assert!(Pattern::new(pattern.as_bytes(), Mode::default()).is_broken(), "{pattern}");
        }
        assert!(!matches("[", "[", Mode::default()));
    }

    #[test]
    fn case_is_folded_but_not_for_listed_capitals() {
        let mode = Mode { pathname: false, ignore_case: true };
        assert!(matches("aB[a-c][A-C]", "AbCb", mode));
        assert!(!matches("[A]", "A", mode));
        assert!(!matches("\\A", "A", mode));
    }
}
