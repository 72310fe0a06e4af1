//! What one segment of a path is called: a literal name or a pattern that stays within the segment.

/// A pattern for one segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Name {
    /// Every name.
    Any,
    /// This name.
    Literal(Box<str>),
    /// Names that begin with the first text, end with the second, and have them side by side or further apart.
    Around(Box<str>, Box<str>),
    /// Whatever fits these tokens.
    Tokens(Box<[Token]>),
    /// No name at all.
    Never,
}

/// A part of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// This character.
    Char(char),
    /// Any one character.
    One,
    /// Any number of characters.
    Run,
    /// One character in one of the ranges, or in none of them.
    Class {
        /// In none of them.
        negated: bool,
        /// First and last character of each range; one that ends before it begins is empty.
        ranges: Vec<(char, char)>,
    },
}

impl Name {
    /// The simplest name of these tokens.
    pub fn new(mut tokens: Vec<Token>) -> Name {
        tokens.dedup_by(|second, first| *first == Token::Run && *second == Token::Run);
        let text = |tokens: &[Token]| -> Option<Box<str>> {
            let chars: Option<String> =
                tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None }).collect();
            chars.map(String::into_boxed_str)
        };
        if tokens == [Token::Run] {
            return Name::Any;
        }
        if let Some(literal) = text(&tokens) {
            return Name::Literal(literal);
        }
        if let Some(at) = tokens.iter().position(|token| *token == Token::Run)
            && let (Some(before), Some(after)) = (text(&tokens[..at]), text(&tokens[at + 1..]))
        {
            return Name::Around(before, after);
        }
        Name::Tokens(tokens.into())
    }

    /// Whether the name of a segment fits.
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Name::Any => true,
            Name::Never => false,
            Name::Literal(literal) => **literal == *name,
            Name::Around(before, after) => {
                name.len() >= before.len() + after.len() && name.ends_with(&**after) && name.starts_with(&**before)
            }
            Name::Tokens(tokens) => fits(tokens, name),
        }
    }
}

/// Whether a name fits tokens. After a failure only the last run is tried longer: what came before it fits anyway.
fn fits(tokens: &[Token], name: &str) -> bool {
    let (mut at, mut rest) = (0, name);
    let mut retry: Option<(usize, &str)> = None;
    loop {
        let first = rest.chars().next();
        match tokens.get(at) {
            Some(Token::Run) => {
                at += 1;
                retry = Some((at, rest));
                continue;
            }
            Some(token) => {
                if let Some(c) = first.filter(|c| token.fits(*c)) {
                    at += 1;
                    rest = &rest[c.len_utf8()..];
                    continue;
                }
            }
            None if first.is_none() => return true,
            None => {}
        }
        let Some((after, from)) = retry else { return false };
        let Some(skipped) = from.chars().next() else { return false };
        rest = &from[skipped.len_utf8()..];
        at = after;
        retry = Some((after, rest));
    }
}

impl Token {
    fn fits(&self, character: char) -> bool {
        match self {
            Token::Char(wanted) => *wanted == character,
            Token::One => true,
            Token::Run => false,
            Token::Class { negated, ranges } => {
                ranges.iter().any(|(low, high)| (low..=high).contains(&&character)) != *negated
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        let token = |c| match c {
            '*' => Token::Run,
            '?' => Token::One,
            c => Token::Char(c),
        };
        Name::new(text.chars().map(token).collect())
    }

    #[test]
    fn a_run_may_be_empty_and_is_as_long_as_needed() {
        for (pattern, text, fits) in [
            ("*", "x", true),
            ("a*", "a", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*a*b", "xaxb", true),
            ("*a*b", "ba", false),
            ("*ab", "aab", true),
            ("*a?", "aaé", true),
            ("**", "", true),
            ("é?", "éö", true),
        ] {
            assert_eq!(name(pattern).matches(text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn simple_names_need_no_tokens() {
        assert_eq!(name("a"), Name::Literal("a".into()));
        assert_eq!(name("*.yaml"), Name::Around("".into(), ".yaml".into()));
        assert_eq!(name("***"), Name::Any);
    }
}
