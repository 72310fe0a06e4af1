//! JSON as Go's `encoding/json` reads and writes it.

use super::datum::Datum;
use super::env::{Env, Fault};
use super::{float, literal};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What reading JSON into an `interface {}` leaves, and the error, which does not undo what was read.
pub(super) struct Decoded {
    pub value: Datum,
    /// Go's words.
    pub error: Option<String>,
}

/// Reads one JSON text.
///
/// # Errors
/// Only limits and unknowns; bad JSON is a [`Decoded::error`].
pub(super) fn read(env: &Env<'_>, text: &str) -> Result<Decoded, Fault> {
    let mut reader = Reader { env, text, at: 0, range_error: None };
    let value = reader.value(0).and_then(|value| {
        reader.space();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.unexpected("after top-level value")),
        }
    });
    match value {
        Ok(value) => Ok(Decoded { value, error: reader.range_error }),
        Err(Fault::Failed(error)) => Ok(Decoded { value: Datum::Nil, error: Some(error) }),
        Err(fault) => Err(fault),
    }
}

struct Reader<'r> {
    env: &'r Env<'r>,
    text: &'r str,
    at: usize,
    range_error: Option<String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn unexpected(&self, context: &str) -> Fault {
        // At the end Go tries a blank, which some places do not take.
        let takes_blank = !context.starts_with("in ") && !context.starts_with("after decimal");
        let byte = match self.peek() {
            None if takes_blank || context == "in string literal" => {
                return Fault::failed("unexpected end of JSON input");
            }
            byte => byte.unwrap_or(b' '),
        };
        // Go names a byte as if it were a character.
        let shown = literal::quote_char(char::from(byte), false);
        let shown = if byte == b'"' { "'\"'".to_owned() } else { shown };
        Fault::Failed(format!("invalid character {shown} {context}"))
    }

    fn value(&mut self, depth: usize) -> Result<Datum, Fault> {
        self.env.visit(depth)?;
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Datum::string(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Datum::Bool(true)),
            Some(b'f') => self.word("false", Datum::Bool(false)),
            Some(b'n') => self.word("null", Datum::Nil),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    fn word(&mut self, word: &str, value: Datum) -> Result<Datum, Fault> {
        for expected in word.chars() {
            if self.peek() != Some(expected as u8) {
                return Err(self.unexpected(&format!("in literal {word} (expecting '{expected}')")));
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Datum, Fault> {
        let mut entries: BTreeMap<Rc<str>, Datum> = BTreeMap::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Datum::map(entries));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("looking for beginning of object key string"));
            }
            let key = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("after object key"));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            entries.insert(Rc::from(key), value);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Datum::map(entries));
                }
                _ => return Err(self.unexpected("after object key:value pair")),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Datum, Fault> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Datum::list(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Datum::list(items));
                }
                _ => return Err(self.unexpected("after array element")),
            }
        }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn digits_after(&mut self, context: &str) -> Result<(), Fault> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.unexpected(context));
        }
        self.digits();
        Ok(())
    }

    fn number(&mut self) -> Result<Datum, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits_after("in numeric literal")?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits_after("after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits_after("in exponent of numeric literal")?;
        }
        let number = &self.text[start..self.at];
        Ok(match literal::parse_float(number) {
            Ok(value) => Datum::Float(value),
            Err(_) => {
                self.range_error.get_or_insert_with(|| {
                    format!("json: cannot unmarshal number {number} into Go value of type float64")
                });
                Datum::Nil
            }
        })
    }

    fn string(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(|c| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(&mut text)?;
                }
                _ => return Err(self.unexpected("in string literal")),
            }
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Fault> {
        let Some(byte) = self.peek() else { return Err(self.unexpected("in string escape code")) };
        text.push(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                self.at += 1;
                let first = self.unit()?;
                text.push(self.completed(first));
                return Ok(());
            }
            _ => return Err(self.unexpected("in string escape code")),
        });
        self.at += 1;
        Ok(())
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u32, Fault> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            unit = unit << 4 | digit.ok_or_else(|| self.unexpected("in \\u hexadecimal character escape"))?;
            self.at += 1;
        }
        Ok(unit)
    }

    /// The character of a unit, with the second half of a pair when it follows.
    fn completed(&mut self, first: u32) -> char {
        if let Some(c) = char::from_u32(first) {
            return c;
        }
        let low = self.text.get(self.at..self.at + 6).and_then(|escape| escape.strip_prefix("\\u"));
        let low = low.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match low {
            Some(low @ 0xdc00..=0xdfff) if first < 0xdc00 => {
                self.at += 6;
                char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00)).unwrap_or('\u{fffd}')
            }
            _ => '\u{fffd}',
        }
    }
}

/// How JSON is written.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Two blanks per level, and line breaks.
    pub is_pretty: bool,
    /// `<`, `>` and `&` as escapes.
    pub escapes_html: bool,
}

/// Writes a value as JSON.
///
/// # Errors
/// What has no JSON, in Go's words.
pub(super) fn write(env: &Env<'_>, datum: &Datum, layout: Layout) -> Result<String, Fault> {
    let mut writer = Writer { env, layout, out: String::new() };
    writer.value(datum, 0)?;
    env.spend_bytes(writer.out.len())?;
    Ok(writer.out)
}

/// A number as JSON.
pub(super) fn number(value: f64) -> Result<String, Fault> {
    if !value.is_finite() {
        return Err(Fault::Failed(format!("json: unsupported value: {}", float::shown(value))));
    }
    let size = value.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return Ok(float::format(value, 'f', None));
    }
    let text = float::format(value, 'e', None);
    let is_padded = text[..text.len() - 1].ends_with("e-0");
    Ok(if is_padded { text.replace("e-0", "e-") } else { text })
}

struct Writer<'w> {
    env: &'w Env<'w>,
    layout: Layout,
    out: String,
}

impl Writer<'_> {
    fn value(&mut self, datum: &Datum, depth: usize) -> Result<(), Fault> {
        self.env.visit(depth)?;
        self.env.spend_bytes(self.out.len() / 1024)?;
        match datum {
            Datum::Nil => self.out.push_str("null"),
            Datum::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Datum::Int(super::datum::IntKind::Uint64, value) => self.out.push_str(&(*value as u64).to_string()),
            Datum::Int(_, value) => self.out.push_str(&value.to_string()),
            Datum::Float(value) => self.out.push_str(&number(*value)?),
            Datum::Complex(..) => return Err(Fault::failed("json: unsupported type: complex128")),
            Datum::String(text) => self.string(text),
            Datum::Version(version) => self.string(&version.to_string()),
            Datum::List(list) if list.is_nil => self.out.push_str("null"),
            Datum::List(list) if list.is_unordered() => return Err(Fault::Unknown(super::env::random_order())),
            Datum::List(list) => {
                self.out.push('[');
                for (at, item) in list.items().iter().enumerate() {
                    self.separate(at, depth + 1);
                    self.value(item, depth + 1)?;
                }
                self.close(']', list.items().is_empty(), depth);
            }
            Datum::Map(map) if map.is_nil => self.out.push_str("null"),
            Datum::Map(map) => {
                self.out.push('{');
                let entries = map.entries.borrow();
                for (at, (key, value)) in entries.iter().enumerate() {
                    self.separate(at, depth + 1);
                    self.string(key);
                    self.out.push_str(if self.layout.is_pretty { ": " } else { ":" });
                    self.value(value, depth + 1)?;
                }
                self.close('}', entries.is_empty(), depth);
            }
            Datum::Unknown(why) | Datum::Partial(_, why) => return Err(Fault::Unknown(why.clone())),
        }
        Ok(())
    }

    fn separate(&mut self, at: usize, depth: usize) {
        if at > 0 {
            self.out.push(',');
        }
        self.line(depth);
    }

    fn close(&mut self, bracket: char, is_empty: bool, depth: usize) {
        if !is_empty {
            self.line(depth);
        }
        self.out.push(bracket);
    }

    fn line(&mut self, depth: usize) {
        if self.layout.is_pretty {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", depth));
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.out.extend(['\\', c]),
                '\x08' => self.out.push_str("\\b"),
                '\x0c' => self.out.push_str("\\f"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '<' | '>' | '&' if self.layout.escapes_html => self.escape(c),
                '\u{2028}' | '\u{2029}' => self.escape(c),
                c if c < ' ' => self.escape(c),
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    fn escape(&mut self, c: char) {
        self.out.push_str(&format!("\\u{:04x}", u32::from(c)));
    }
}
