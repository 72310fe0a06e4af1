//! Selectors written as text: `env in (dev, test), !old, tier=web, cores > 4`.
//!
//! Mirrors apimachinery 0.36, `labels.Parse`, which kubectl and kustomize use.

use super::{Operator, Problem, Requirement, Selector, Values};
use std::collections::BTreeSet;
use std::fmt;

/// A selector text that Kubernetes refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadSelector {
    /// Where the mistake starts, in bytes of the text.
    pub offset: usize,
    /// What is wrong there.
    pub mistake: Mistake,
}

/// What is wrong with a selector text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// Something else is expected here; lower case, no final stop.
    Expected(&'static str),
    /// The requirement that starts here cannot be used.
    Requirement(Problem),
}

impl fmt::Display for BadSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mistake {
            Mistake::Expected(what) => write!(f, "expected {what}"),
            Mistake::Requirement(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for BadSelector {}

impl Selector {
    /// Reads a selector text; the empty one selects everything.
    ///
    /// # Errors
    /// The first mistake, as Kubernetes meets it.
    pub fn parse(text: &str) -> Result<Selector, BadSelector> {
        let mut parser = Parser { tokens: tokens(text), at: 0 };
        let mut requirements = Vec::new();
        while parser.peek().kind != Kind::End {
            requirements.push(parser.requirement()?);
            let separator = parser.next();
            match separator.kind {
                Kind::End => break,
                Kind::Symbol(",") if matches!(parser.peek().kind, Kind::Word(_) | Kind::Symbol("!")) => {}
                Kind::Symbol(",") => return Err(parser.peek().expected("a label behind the comma")),
                _ => return Err(separator.expected("a comma")),
            }
        }
        Ok(Selector::new(requirements))
    }
}

#[derive(Clone, Copy)]
struct Token<'t> {
    offset: usize,
    kind: Kind<'t>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind<'t> {
    Word(&'t str),
    Symbol(&'t str),
    End,
}

impl Token<'_> {
    fn expected(self, what: &'static str) -> BadSelector {
        BadSelector { offset: self.offset, mistake: Mistake::Expected(what) }
    }
}

/// The words and operators of a text; the last token is its end.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let is_blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let is_symbol = |byte: u8| matches!(byte, b'=' | b'!' | b'(' | b')' | b',' | b'>' | b'<');
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        if is_blank(byte) {
            continue;
        }
        let kind = if is_symbol(byte) {
            at += usize::from(matches!(byte, b'=' | b'!') && bytes.get(at) == Some(&b'='));
            Kind::Symbol(&text[start..at])
        } else {
            while bytes.get(at).is_some_and(|&byte| !is_blank(byte) && !is_symbol(byte)) {
                at += 1;
            }
            Kind::Word(&text[start..at])
        };
        tokens.push(Token { offset: start, kind });
    }
    tokens.push(Token { offset: text.len(), kind: Kind::End });
    tokens
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn requirement(&mut self) -> Result<Requirement, BadSelector> {
        let mut token = self.next();
        let is_denied = token.kind == Kind::Symbol("!");
        if is_denied {
            token = self.next();
        }
        let Kind::Word(key) = token.kind else { return Err(token.expected("a label")) };
        let is_alone = matches!(self.peek().kind, Kind::End | Kind::Symbol(","));
        let (operator, values) = match (is_denied, is_alone) {
            (true, _) => (Operator::DoesNotExist, BTreeSet::new()),
            (false, true) => (Operator::Exists, BTreeSet::new()),
            (false, false) => self.comparison()?,
        };
        let values = values.into_iter().map(str::to_owned).collect();
        Requirement::new(key.to_owned(), operator, values, Values::OfLabels)
            .map_err(|problems| BadSelector { offset: token.offset, mistake: Mistake::Requirement(problems[0]) })
    }

    fn comparison(&mut self) -> Result<(Operator, BTreeSet<&'t str>), BadSelector> {
        let token = self.next();
        let operator = match token.kind {
            Kind::Word("in") | Kind::Symbol("=" | "==") => Operator::In,
            Kind::Word("notin") | Kind::Symbol("!=") => Operator::NotIn,
            Kind::Symbol(">") => Operator::GreaterThan,
            Kind::Symbol("<") => Operator::LessThan,
            _ => return Err(token.expected("one of `in`, `notin`, `=`, `==`, `!=`, `>`, `<`")),
        };
        let values = if matches!(token.kind, Kind::Word(_)) { self.values()? } else { BTreeSet::from([self.value()?]) };
        Ok((operator, values))
    }

    /// One value; none at all is the empty text.
    fn value(&mut self) -> Result<&'t str, BadSelector> {
        if matches!(self.peek().kind, Kind::End | Kind::Symbol(",")) {
            return Ok("");
        }
        match self.next() {
            Token { kind: Kind::Word(value), .. } => Ok(value),
            other => Err(other.expected("a value")),
        }
    }

    /// The values between parentheses; where one is missing it is the empty text.
    fn values(&mut self) -> Result<BTreeSet<&'t str>, BadSelector> {
        let open = self.next();
        if open.kind != Kind::Symbol("(") {
            return Err(open.expected("an opening parenthesis"));
        }
        let mut values = BTreeSet::new();
        loop {
            match self.peek().kind {
                Kind::Word(value) => {
                    values.insert(value);
                    self.at += 1;
                }
                _ => drop(values.insert("")),
            }
            match self.next() {
                Token { kind: Kind::Symbol(","), .. } => {}
                Token { kind: Kind::Symbol(")"), .. } => return Ok(values),
                other => return Err(other.expected("a comma or a closing parenthesis")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirements(text: &str) -> Vec<(String, Operator, Vec<String>)> {
        let selector = Selector::parse(text).unwrap();
        let parts =
            selector.requirements().iter().map(|own| (own.key().to_owned(), own.operator(), own.values().to_vec()));
        parts.collect()
    }

    #[test]
    fn every_form_is_read() {
        let read = requirements("a, !b,c=1 ,d == 2,e!=3,f in (y,x),g notin (),h>4,i<5,j=");
        let expected = [
            ("a", Operator::Exists, &[][..]),
            ("b", Operator::DoesNotExist, &[]),
            ("c", Operator::In, &["1"]),
            ("d", Operator::In, &["2"]),
            ("e", Operator::NotIn, &["3"]),
            ("f", Operator::In, &["x", "y"]),
            ("g", Operator::NotIn, &[""]),
            ("h", Operator::GreaterThan, &["4"]),
            ("i", Operator::LessThan, &["5"]),
            ("j", Operator::In, &[""]),
        ];
        let expected = expected.map(|(key, operator, values)| {
            (key.to_owned(), operator, values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>())
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn the_empty_text_selects_everything() {
        assert!(Selector::parse(" ").unwrap().is_empty());
    }

    #[test]
    fn words_of_the_language_may_be_labels_and_values() {
        assert_eq!(requirements("in in (in,notin)")[0].2, ["in", "notin"]);
    }

    #[test]
    fn a_mistake_knows_its_place() {
        for (text, offset) in [
            ("a,", 2),
            (",a", 0),
            ("a b", 2),
            ("a in b", 5),
            ("a in (b", 7),
            ("!a=b", 2),
            ("a=(", 2),
            ("x,-a", 2),
            ("a>b", 0),
        ] {
            assert_eq!(Selector::parse(text).unwrap_err().offset, offset, "{text}");
        }
    }
}
