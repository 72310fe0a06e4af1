//! The syntax of Go's regular expressions, written out in that of the `regex` crate.
//!
//! Both are of the RE2 family and match alike, but their syntaxes differ at the edges: here a pattern is read by Go's
//! rules, refused with Go's words, and written out so that the crate cannot read it otherwise. Names of groups are kept
//! aside. Mirrors Go 1.26, regexp/syntax.

use regex::Regex;

/// Why a pattern cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadPattern {
    /// Go refuses it, with these words.
    Refused(String),
    /// Go accepts it, this program cannot run it.
    Unsupported,
}

/// A pattern in the crate's syntax, and the name of each group, the whole match first; empty without a name.
///
/// # Errors
/// See [`BadPattern`].
pub(super) fn translate(text: &str) -> Result<(String, Vec<String>), BadPattern> {
    let mut translator = Translator { text, at: 0, out: String::new(), names: vec![String::new()], open: 0 };
    translator.all()?;
    Ok((translator.out, translator.names))
}

struct Translator<'p> {
    text: &'p str,
    at: usize,
    out: String,
    names: Vec<String>,
    open: usize,
}

const MISSING_ARGUMENT: &str = "missing argument to repetition operator";
const NESTED_REPEAT: &str = "invalid nested repetition operator";
const BAD_REPEAT: &str = "invalid repeat count";
const BAD_RANGE: &str = "invalid character class range";
const BAD_ESCAPE: &str = "invalid escape sequence";
const BAD_PERL: &str = "invalid or unsupported Perl syntax";
const BAD_NAME: &str = "invalid named capture";

fn refused<T>(what: &str, part: &str) -> Result<T, BadPattern> {
    Err(BadPattern::Refused(format!("error parsing regexp: {what}: `{part}`")))
}

impl<'p> Translator<'p> {
    fn rest(&self) -> &'p str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn since(&self, start: usize) -> &'p str {
        &self.text[start..self.at]
    }

    fn keep(&mut self, length: usize) {
        self.out.push_str(&self.rest()[..length]);
        self.at += length;
    }

    fn push_literal(&mut self, c: char) {
        if c.is_ascii_alphanumeric() || !c.is_ascii() {
            self.out.push(c);
        } else {
            self.out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
        }
    }

    fn all(&mut self) -> Result<(), BadPattern> {
        // Whether there is something to repeat, and where the repetition just read started.
        let (mut has_atom, mut repeat): (bool, Option<usize>) = (false, None);
        while let Some(c) = self.peek() {
            let last_repeat = repeat.take();
            match c {
                '(' if self.rest().starts_with("(?") => {
                    if self.group()? {
                        has_atom = false;
                    }
                }
                '(' => {
                    self.names.push(String::new());
                    self.open += 1;
                    self.keep(1);
                    has_atom = false;
                }
                '|' => {
                    self.keep(1);
                    has_atom = false;
                }
                ')' => {
                    if self.open == 0 {
                        return refused("unexpected )", self.text);
                    }
                    self.open -= 1;
                    self.keep(1);
                    has_atom = true;
                }
                '^' | '$' | '.' => {
                    self.keep(1);
                    has_atom = true;
                }
                '[' => {
                    self.class()?;
                    has_atom = true;
                }
                '*' | '+' | '?' => {
                    repeat = Some(self.at);
                    self.keep(1);
                    self.repeated(repeat, last_repeat, has_atom)?;
                }
                '{' => match self.counts() {
                    None => {
                        self.push_literal('{');
                        self.at += 1;
                        has_atom = true;
                    }
                    Some((length, min, max)) => {
                        let part = &self.rest()[..length];
                        if min > 1000 || max.is_some_and(|max| max > 1000 || max < min) {
                            return refused(BAD_REPEAT, part);
                        }
                        repeat = Some(self.at);
                        self.keep(length);
                        self.repeated(repeat, last_repeat, has_atom)?;
                    }
                },
                '\\' => {
                    self.escape()?;
                    has_atom = true;
                }
                c => {
                    self.push_literal(c);
                    self.at += c.len_utf8();
                    has_atom = true;
                }
            }
        }
        if self.open > 0 { refused("missing closing )", self.text) } else { Ok(()) }
    }

    /// The end of a repetition: `?`, and whether it may stand here.
    fn repeated(&mut self, start: Option<usize>, last: Option<usize>, has_atom: bool) -> Result<(), BadPattern> {
        if self.peek() == Some('?') {
            self.keep(1);
        }
        match (last, start) {
            (Some(last), _) => refused(NESTED_REPEAT, self.since(last)),
            (None, Some(start)) if !has_atom => refused(MISSING_ARGUMENT, self.since(start)),
            _ => Ok(()),
        }
    }

    /// `{n}`, `{n,}`, `{n,m}`: its length and numbers; too large ones come back as such.
    fn counts(&self) -> Option<(usize, u64, Option<u64>)> {
        let close = self.rest().find('}')?;
        let inner = &self.rest()[1..close];
        let count = |digits: &str| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            let has_zero = digits.len() > 1 && digits.starts_with('0');
            if digits.is_empty() || !is_number || has_zero { None } else { Some(digits.parse().unwrap_or(u64::MAX)) }
        };
        match inner.split_once(',') {
            None => count(inner).map(|count| (close + 1, count, Some(count))),
            Some((min, "")) => count(min).map(|min| (close + 1, min, None)),
            Some((min, max)) => Some((close + 1, count(min)?, Some(count(max)?))),
        }
    }

    /// `(?…`: a group without number, a named one, or flags; whether a group was opened.
    fn group(&mut self) -> Result<bool, BadPattern> {
        let rest = self.rest();
        let name_at = if rest.len() > 4 && rest.starts_with("(?P<") {
            Some(4)
        } else if rest.len() > 3 && rest.starts_with("(?<") {
            Some(3)
        } else {
            None
        };
        if let Some(name_at) = name_at {
            let Some(end) = rest.find('>') else { return refused(BAD_NAME, rest) };
            let name = &rest[name_at..end];
            if name.is_empty() || !name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
                return refused(BAD_NAME, &rest[..=end]);
            }
            self.names.push(name.to_owned());
            self.open += 1;
            self.at += end + 1;
            self.out.push('(');
            return Ok(true);
        }
        let (start, mut is_negative, mut saw_flag) = (self.at, false, false);
        self.at += 2;
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            match c {
                'i' | 'm' | 's' | 'U' => saw_flag = true,
                '-' if !is_negative => (is_negative, saw_flag) = (true, false),
                ':' | ')' if !is_negative || saw_flag => {
                    let flags = self.since(start);
                    // The crate refuses flags that say nothing.
                    if flags != "(?)" {
                        self.out.push_str(flags);
                    }
                    self.open += usize::from(c == ':');
                    return Ok(c == ':');
                }
                _ => break,
            }
        }
        refused(BAD_PERL, self.since(start))
    }

    fn escape(&mut self) -> Result<(), BadPattern> {
        let rest = self.rest();
        match rest[1..].chars().next() {
            Some('A') => {
                self.out.push_str("\\A");
                self.at += 2;
            }
            Some('z') => {
                self.out.push_str("\\z");
                self.at += 2;
            }
            Some('b') => {
                self.out.push_str("(?-u:\\b)");
                self.at += 2;
            }
            Some('B') => return Err(BadPattern::Unsupported),
            Some('C') => return refused(BAD_ESCAPE, &rest[..2]),
            Some('Q') => {
                let (literal, length) = match rest[2..].find("\\E") {
                    Some(end) => (&rest[2..2 + end], end + 4),
                    None => (&rest[2..], rest.len()),
                };
                literal.chars().for_each(|c| self.push_literal(c));
                self.at += length;
            }
            _ => {
                if let Some(class) = self.class_escape()? {
                    self.out.push_str(&class);
                } else {
                    let c = self.char_escape()?;
                    self.push_literal(c);
                }
            }
        }
        Ok(())
    }

    /// `\d`, `\pL` and the like, as a class; none when it is something else.
    fn class_escape(&mut self) -> Result<Option<String>, BadPattern> {
        let rest = self.rest();
        let class = match rest.as_bytes().get(1) {
            Some(b'd') => "[0-9]",
            Some(b'D') => "[^0-9]",
            Some(b's') => "[\\t\\n\\x0c\\r\\x20]",
            Some(b'S') => "[^\\t\\n\\x0c\\r\\x20]",
            Some(b'w') => "[0-9A-Za-z_]",
            Some(b'W') => "[^0-9A-Za-z_]",
            Some(b'p' | b'P') => return self.unicode_class().map(Some),
            _ => return Ok(None),
        };
        self.at += 2;
        Ok(Some(class.to_owned()))
    }

    fn unicode_class(&mut self) -> Result<String, BadPattern> {
        let rest = self.rest();
        let Some(first) = rest[2..].chars().next() else { return refused(BAD_RANGE, rest) };
        let (name, length) = if first == '{' {
            let Some(end) = rest.find('}') else { return refused(BAD_RANGE, rest) };
            (&rest[3..end], end + 1)
        } else {
            (&rest[2..2 + first.len_utf8()], 2 + first.len_utf8())
        };
        let (name, is_inverted) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
        let is_negated = rest.as_bytes()[1] == b'P';
        let letter = if is_negated == is_inverted { 'p' } else { 'P' };
        let class = format!("\\{letter}{{{name}}}");
        let is_category = matches!(name.as_bytes(), [b'C' | b'L' | b'M' | b'N' | b'P' | b'S' | b'Z']);
        let is_subcategory = matches!(name.as_bytes(), [b'A'..=b'Z', b'a'..=b'z']);
        self.at += length;
        match name {
            "Any" => Ok(if letter == 'p' { "[\\x00-\\x{10ffff}]".into() } else { "[^\\x00-\\x{10ffff}]".into() }),
            _ if (is_category || is_subcategory) && Regex::new(&class).is_ok() => Ok(class),
            _ if is_category || is_subcategory || name.len() < 2 => refused(BAD_RANGE, &rest[..length]),
            // Scripts have the same names; what else the crate knows, Go may not.
            "Latin" | "Greek" | "Cyrillic" | "Han" | "Hiragana" | "Katakana" | "Hangul" | "Arabic" | "Hebrew"
            | "Thai" | "Devanagari" | "Armenian" | "Georgian" | "Common" => Ok(class),
            _ => Err(BadPattern::Unsupported),
        }
    }

    /// The character that an escape stands for.
    fn char_escape(&mut self) -> Result<char, BadPattern> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek() else { return refused("trailing backslash at end of expression", "") };
        self.at += c.len_utf8();
        let octal = |translator: &mut Self, first: u32| {
            let mut value = first;
            for _ in 0..2 {
                let Some(digit) = translator.peek().and_then(|c| c.to_digit(8)) else { break };
                value = value * 8 + digit;
                translator.at += 1;
            }
            char::from_u32(value)
        };
        let found = match c {
            '0' => octal(self, 0),
            '1'..='7' if self.peek().is_some_and(|next| next.is_digit(8)) => octal(self, c.to_digit(8).unwrap_or(0)),
            'x' => self.hexadecimal(),
            'a' => Some('\x07'),
            'f' => Some('\x0c'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'v' => Some('\x0b'),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(c),
            _ => None,
        };
        match found {
            Some(c) => Ok(c),
            None => refused(BAD_ESCAPE, self.since(start)),
        }
    }

    fn hexadecimal(&mut self) -> Option<char> {
        if self.peek() == Some('{') {
            self.at += 1;
            let mut value: u32 = 0;
            let mut digits = 0;
            loop {
                let c = self.peek()?;
                self.at += c.len_utf8();
                if c == '}' {
                    return if digits > 0 { char::from_u32(value) } else { None };
                }
                value = value * 16 + c.to_digit(16)?;
                if value > 0x10_ffff {
                    return None;
                }
                digits += 1;
            }
        }
        // Both are read before either is looked at.
        let mut digits = [None; 2];
        for digit in &mut digits {
            let c = self.peek()?;
            self.at += c.len_utf8();
            *digit = c.to_digit(16);
        }
        char::from_u32(digits[0]? * 16 + digits[1]?)
    }

    fn class(&mut self) -> Result<(), BadPattern> {
        let start = self.at;
        self.keep(1);
        if self.peek() == Some('^') {
            self.keep(1);
        }
        let mut is_first = true;
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                None => return refused("missing closing ]", &self.text[start..]),
                Some(']') if !is_first => {
                    self.keep(1);
                    return Ok(());
                }
                _ => {}
            }
            is_first = false;
            if rest.len() > 2
                && rest.starts_with("[:")
                && let Some(end) = rest[2..].find(":]")
            {
                let name = &rest[..end + 4];
                if !is_posix(&name[2..name.len() - 2]) {
                    return refused(BAD_RANGE, name);
                }
                self.keep(name.len());
                continue;
            }
            if rest.starts_with('\\')
                && let Some(class) = self.class_escape()?
            {
                self.out.push_str(&class);
                continue;
            }
            let range_start = self.at;
            let low = self.class_char(start)?;
            let mut high = low;
            let rest = self.rest();
            if rest.len() >= 2 && rest.starts_with('-') && !rest.starts_with("-]") {
                self.at += 1;
                high = self.class_char(start)?;
                if high < low {
                    return refused(BAD_RANGE, self.since(range_start));
                }
            }
            self.out.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(low), u32::from(high)));
        }
    }

    fn class_char(&mut self, class_start: usize) -> Result<char, BadPattern> {
        match self.peek() {
            None => refused("missing closing ]", &self.text[class_start..]),
            Some('\\') => self.char_escape(),
            Some(c) => {
                self.at += c.len_utf8();
                Ok(c)
            }
        }
    }
}

fn is_posix(name: &str) -> bool {
    matches!(
        name.strip_prefix('^').unwrap_or(name),
        "alnum"
            | "alpha"
            | "ascii"
            | "blank"
            | "cntrl"
            | "digit"
            | "graph"
            | "lower"
            | "print"
            | "punct"
            | "space"
            | "upper"
            | "word"
            | "xdigit"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(pattern: &str) -> String {
        match translate(pattern) {
            Err(BadPattern::Refused(message)) => message.trim_start_matches("error parsing regexp: ").to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn bad_patterns_are_refused_in_gos_words() {
        assert_eq!(refusal("(a"), "missing closing ): `(a`");
        assert_eq!(refusal("a)"), "unexpected ): `a)`");
        assert_eq!(refusal("a**"), "invalid nested repetition operator: `**`");
        assert_eq!(refusal("*a"), "missing argument to repetition operator: `*`");
        assert_eq!(refusal("[z-a]"), "invalid character class range: `z-a`");
        assert_eq!(refusal("(?=a)"), "invalid or unsupported Perl syntax: `(?=`");
        assert_eq!(refusal("\\Z"), "invalid escape sequence: `\\Z`");
    }

    #[test]
    fn classes_are_ascii_and_brackets_are_literal() {
        let find = |pattern: &str, text: &str| {
            let (translated, _) = translate(pattern).unwrap();
            Regex::new(&translated).unwrap().find(text).map(|found| found.as_str().to_owned())
        };
        assert_eq!(find(r"\w+", "éa"), Some("a".into()));
        assert_eq!(find("[a&&b]+", "&b"), Some("&b".into()));
        assert_eq!(find("a{,2}", "a{,2}"), Some("a{,2}".into()));
        assert_eq!(find(r"\Q.*\E", "a.*"), Some(".*".into()));
    }
}
