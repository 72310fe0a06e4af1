//! Reads a pattern into nodes. Mirrors gobwas/glob 0.2.3, `syntax/lexer` and `syntax/ast`.

use super::BadPattern;
use crate::text::limits::DEPTH;

/// One part of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    Text(String),
    /// `*`
    Any,
    /// `**`
    Super,
    /// `?`
    Single,
    List {
        characters: Vec<char>,
        negated: bool,
    },
    Range {
        low: char,
        high: char,
        negated: bool,
    },
    /// What a brace holds; each alternative is a sequence.
    AnyOf(Vec<Node>),
    Sequence(Vec<Node>),
    /// Only the empty text; written by the compiler alone.
    Nothing,
}

/// The parts of `pattern`, in order. A brace that is not closed ends with the pattern.
pub fn parse(pattern: &str) -> Result<Vec<Node>, BadPattern> {
    let mut lexer = Lexer { pattern, at: 0 };
    let mut open: Vec<(Vec<Node>, Vec<Node>)> = Vec::new();
    let mut sequence = Vec::new();
    while let Some(character) = lexer.read()? {
        match character {
            '{' if open.len() == DEPTH => return Err(BadPattern::new(lexer.at - 1, "braces are nested too deeply")),
            '{' => open.push((std::mem::take(&mut sequence), Vec::new())),
            ',' | '}' if !open.is_empty() => {
                if let Some((_, alternatives)) = open.last_mut() {
                    alternatives.push(Node::Sequence(std::mem::take(&mut sequence)));
                }
                if character == '}' {
                    close(&mut open, &mut sequence);
                }
            }
            '[' => sequence.push(lexer.class()?),
            '?' => sequence.push(Node::Single),
            '*' if lexer.peek()? == Some('*') => {
                lexer.at += 1;
                sequence.push(Node::Super);
            }
            '*' => sequence.push(Node::Any),
            _ => {
                lexer.at -= character.len_utf8();
                let text = lexer.text(if open.is_empty() {
                    &['?', '*', '[', '{']
                } else {
                    &['?', '*', '[', '{', '}', ',']
                })?;
                if !text.is_empty() {
                    sequence.push(Node::Text(text));
                }
            }
        }
    }
    while let Some((_, alternatives)) = open.last_mut() {
        alternatives.push(Node::Sequence(std::mem::take(&mut sequence)));
        close(&mut open, &mut sequence);
    }
    Ok(sequence)
}

/// Ends the innermost brace: what stood before it goes on behind it.
fn close(open: &mut Vec<(Vec<Node>, Vec<Node>)>, sequence: &mut Vec<Node>) {
    if let Some((before, alternatives)) = open.pop() {
        *sequence = before;
        sequence.push(Node::AnyOf(alternatives));
    }
}

struct Lexer<'p> {
    pattern: &'p str,
    at: usize,
}

impl Lexer<'_> {
    /// The next character; `None` at the end, and at NUL, which the library takes for the end.
    fn read(&mut self) -> Result<Option<char>, BadPattern> {
        let character = self.pattern[self.at..].chars().next();
        match character {
            Some('\u{FFFD}') => return Err(BadPattern::new(self.at, "the library cannot read U+FFFD")),
            Some(character) => self.at += character.len_utf8(),
            None => {}
        }
        Ok(character.filter(|&character| character != '\0'))
    }

    fn peek(&self) -> Result<Option<char>, BadPattern> {
        Lexer { pattern: self.pattern, at: self.at }.read()
    }

    /// Text up to one of `breakers`, without the backslashes; one at the very end is forgotten.
    fn text(&mut self, breakers: &[char]) -> Result<String, BadPattern> {
        let mut text = String::new();
        while let Some(character) = self.read()? {
            match character {
                '\\' => match self.read()? {
                    Some(escaped) => text.push(escaped),
                    None => break,
                },
                breaker if breakers.contains(&breaker) => {
                    self.at -= breaker.len_utf8();
                    break;
                }
                other => text.push(other),
            }
        }
        Ok(text)
    }

    /// The class whose `[` was just read: either one range or a list, never both.
    fn class(&mut self) -> Result<Node, BadPattern> {
        let open = self.at - 1;
        let unclosed = BadPattern::new(open, "this class is not closed");
        let mut first = self.read()?.ok_or(unclosed)?;
        let negated = first == '!';
        if negated {
            first = self.read()?.ok_or(unclosed)?;
        }
        let start = self.at - first.len_utf8();
        if self.peek()? == Some('-') {
            self.at += 1;
            let end = self.at;
            let high = self.read()?.ok_or(unclosed)?;
            match self.read()? {
                Some(']') if high < first => Err(BadPattern::new(start, "this range runs backwards")),
                Some(']') => Ok(Node::Range { low: first, high, negated }),
                _ if high == ']' => Err(BadPattern::new(end, "this range has no end")),
                Some(other) => {
                    Err(BadPattern::new(self.at - other.len_utf8(), "a range must stand alone in its class"))
                }
                None => Err(unclosed),
            }
        } else {
            self.at = start;
            let characters: Vec<char> = self.text(&[']'])?.chars().collect();
            self.read()?.ok_or(unclosed)?;
            if characters.is_empty() {
                return Err(BadPattern::new(open, "this class is empty"));
            }
            Ok(Node::List { characters, negated })
        }
    }
}
