//! `toYaml`: values as `sigs.k8s.io/yaml` writes them.
//!
//! Mirrors sigs.k8s.io/yaml 1.6 over go.yaml.in/yaml/v2 2.4: a value goes through JSON (numbers lose their type there),
//! is read back as YAML, and is written in block style with sorted keys.

use super::datum::{Datum, IntKind};
use super::env::{Env, Fault};
use super::literal::{parse_float, parse_int, parse_uint};
use super::{float, json, unicode};
use std::cmp::Ordering;
use std::rc::Rc;

/// Lines longer than this are folded at the next blank.
const WIDTH: usize = 80;

/// Keys longer than this are written after `? `.
const SIMPLE_KEY: usize = 128;

/// The longest key that can be read back.
const READABLE_KEY: usize = 1024;

/// Writes a value, with the final line break.
///
/// # Errors
/// What has no JSON or no YAML, in Go's words.
pub(super) fn write(env: &Env<'_>, datum: &Datum) -> Result<String, Fault> {
    let mut emitter = Emitter { env, out: String::new(), column: 0, indent: None, is_blank: true, is_indention: true };
    emitter.node(datum, 0, false)?;
    emitter.indent = None;
    emitter.line();
    env.spend_bytes(emitter.out.len())?;
    Ok(emitter.out)
}

/// The state of libyaml's emitter, as far as it decides about blanks and breaks.
struct Emitter<'e> {
    env: &'e Env<'e>,
    out: String,
    column: usize,
    /// Indentation of the current collection; none at the root.
    indent: Option<usize>,
    /// Whether the last thing written was white space.
    is_blank: bool,
    /// Whether only indicators stand on the line so far.
    is_indention: bool,
}

impl Emitter<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Starts the next line, unless this one is still at the indentation.
    fn line(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.is_indention || self.column > indent || (self.column == indent && !self.is_blank) {
            self.line_break();
        }
        while self.column < indent {
            self.push(" ");
        }
        (self.is_blank, self.is_indention) = (true, true);
    }

    fn indicator(&mut self, indicator: &str, needs_blank: bool, is_indention: bool) {
        if needs_blank && !self.is_blank {
            self.push(" ");
        }
        self.push(indicator);
        self.is_blank = false;
        self.is_indention &= is_indention;
    }

    fn node(&mut self, datum: &Datum, depth: usize, in_mapping: bool) -> Result<(), Fault> {
        self.env.visit(depth)?;
        self.env.spend_bytes(self.out.len() / 1024)?;
        match datum {
            Datum::Nil => self.plain("null"),
            Datum::Bool(value) => self.plain(if *value { "true" } else { "false" }),
            Datum::Int(IntKind::Uint64, value) => self.plain(&(*value as u64).to_string()),
            Datum::Int(_, value) => self.plain(&value.to_string()),
            Datum::Float(value) => self.plain(&number(*value)?),
            Datum::Complex(..) => {
                return Err(Fault::failed("error marshaling into JSON: json: unsupported type: complex128"));
            }
            Datum::String(text) => self.string(text, false)?,
            Datum::Version(version) => self.string(&version.to_string(), false)?,
            Datum::List(list) if list.is_nil => self.plain("null"),
            Datum::Map(map) if map.is_nil => self.plain("null"),
            Datum::List(list) if list.is_unordered() => return Err(Fault::Unknown(super::env::random_order())),
            Datum::List(list) if list.items().is_empty() => self.empty("[", "]"),
            Datum::List(list) => {
                let outer = self.indent;
                self.deepen(in_mapping && !self.is_indention);
                for item in list.items() {
                    self.line();
                    self.indicator("-", true, true);
                    self.node(item, depth + 1, false)?;
                }
                self.indent = outer;
            }
            Datum::Map(map) => {
                let entries = map.entries.borrow();
                if entries.is_empty() {
                    self.empty("{", "}");
                    return Ok(());
                }
                let sorted = in_key_order(entries.iter().collect());
                let outer = self.indent;
                self.deepen(false);
                for (key, value) in sorted {
                    self.entry(key, value, depth)?;
                }
                self.indent = outer;
            }
            Datum::Unknown(why) | Datum::Partial(_, why) => return Err(Fault::Unknown(why.clone())),
        }
        Ok(())
    }

    fn entry(&mut self, key: &str, value: &Datum, depth: usize) -> Result<(), Fault> {
        if key.len() + 2 > READABLE_KEY {
            return Err(Fault::runtime("a key too long for the YAML reader"));
        }
        self.line();
        if key.len() <= SIMPLE_KEY && !key.contains('\n') {
            self.string(key, true)?;
            self.indicator(":", false, false);
        } else {
            self.indicator("?", true, true);
            self.string(key, false)?;
            self.line();
            self.indicator(":", true, true);
        }
        self.node(value, depth + 1, true)
    }

    fn deepen(&mut self, is_indentless: bool) {
        self.indent = Some(match self.indent {
            None => 0,
            Some(indent) if is_indentless => indent,
            Some(indent) => indent + 2,
        });
    }

    fn empty(&mut self, open: &str, close: &str) {
        self.indicator(open, true, false);
        self.indicator(close, false, false);
    }

    fn plain(&mut self, text: &str) {
        self.scalar_blank();
        self.push(text);
        (self.is_blank, self.is_indention) = (false, false);
    }

    fn scalar_blank(&mut self) {
        if !self.is_blank {
            self.push(" ");
        }
    }

    fn string(&mut self, text: &str, is_simple_key: bool) -> Result<(), Fault> {
        check(text)?;
        self.env.spend_bytes(text.len())?;
        let shape = Shape::of(text);
        let resolves = resolves_otherwise(text) || is_base_60(text);
        if text.contains('\n') {
            if shape.block && !is_simple_key {
                self.literal(text);
                return Ok(());
            }
        } else if !resolves && shape.plain {
            self.folded(text, Quotes::None, is_simple_key);
            return Ok(());
        } else if !resolves && shape.single {
            self.folded(text, Quotes::Single, is_simple_key);
            return Ok(());
        }
        self.folded(text, Quotes::Double, is_simple_key);
        Ok(())
    }

    /// A scalar on as many lines as its width asks for; a simple key has only one.
    fn folded(&mut self, text: &str, quotes: Quotes, is_simple_key: bool) {
        self.scalar_blank();
        let outer = self.indent;
        self.indent = Some(outer.map_or(2, |indent| indent + 2));
        self.push(quotes.mark());
        let escapes_all = text.starts_with('\u{feff}');
        let mut after_blank = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c != ' ' || (escapes_all && quotes == Quotes::Double) {
                after_blank = false;
                match quotes {
                    Quotes::None => self.push_char(c),
                    Quotes::Single if c == '\'' => self.push("''"),
                    Quotes::Single => self.push_char(c),
                    Quotes::Double => self.push(&escaped(c, escapes_all)),
                }
                continue;
            }
            let next_is_blank = matches!(chars.peek(), Some((_, ' ')));
            let is_inside = quotes == Quotes::None || (at > 0 && at + 1 < text.len());
            let folds = !is_simple_key && !after_blank && self.column > WIDTH && is_inside;
            after_blank = true;
            if folds && (!next_is_blank || quotes == Quotes::Double) {
                // The break stands for the blank.
                self.is_indention = false;
                self.line();
                self.push(if next_is_blank { "\\" } else { "" });
            } else {
                self.push(" ");
            }
        }
        self.push(quotes.mark());
        self.indent = outer;
        (self.is_blank, self.is_indention) = (false, false);
    }

    fn push_char(&mut self, c: char) {
        self.push(c.encode_utf8(&mut [0; 4]));
    }

    fn literal(&mut self, text: &str) {
        let indent = self.indent.map_or(2, |indent| indent + 2);
        let hint = if text.starts_with([' ', '\n']) { "2" } else { "" };
        let chomp = match text.strip_suffix('\n') {
            None => "-",
            Some(rest) if rest.is_empty() || rest.ends_with('\n') => "+",
            Some(_) => "",
        };
        self.indicator("|", true, false);
        self.push(hint);
        self.push(chomp);
        self.line_break();
        let lines = text.strip_suffix('\n').unwrap_or(text);
        for (at, line) in lines.split('\n').enumerate() {
            if at > 0 {
                self.line_break();
            }
            if !line.is_empty() {
                self.push(&" ".repeat(indent));
                self.push(line);
            }
        }
        let is_open = text.ends_with('\n');
        if is_open {
            self.line_break();
        }
        (self.is_blank, self.is_indention) = (true, is_open);
    }
}

/// What the YAML reader refuses, or reads otherwise than it was written.
fn check(text: &str) -> Result<(), Fault> {
    for c in text.chars() {
        match c {
            '\u{85}' | '\u{2028}' | '\u{2029}' => return Err(Fault::runtime("a line break of Unicode in YAML")),
            '\x7f'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                return Err(Fault::failed("yaml: control characters are not allowed"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A float after its way through JSON: a whole number that fits is an integer.
fn number(value: f64) -> Result<String, Fault> {
    let text = json::number(value).map_err(|fault| match fault {
        Fault::Failed(message) => Fault::Failed(format!("error marshaling into JSON: {message}")),
        other => other,
    })?;
    if let Ok(int) = parse_int(&text, 0) {
        return Ok(int.to_string());
    }
    Ok(match parse_uint(&text, 0) {
        Ok(uint) => uint.to_string(),
        Err(_) => float::shown(value),
    })
}

/// The styles a text allows.
struct Shape {
    plain: bool,
    single: bool,
    block: bool,
}

impl Shape {
    fn of(text: &str) -> Shape {
        let mut shape = Shape { plain: true, single: true, block: true };
        let is_blank = |c: Option<char>| matches!(c, None | Some(' ' | '\t' | '\n'));
        if text.starts_with("---") || text.starts_with("...") {
            shape.plain = false;
        }
        let chars: Vec<char> = text.chars().collect();
        for (at, &c) in chars.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| chars[at]);
            let follows_blank = at + 1 == chars.len() || matches!(chars[at + 1], ' ' | '\t');
            let is_special = !is_printable(c);
            shape.plain &= match c {
                '#' => at != 0 && !is_blank(before),
                ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => at != 0,
                ':' => !follows_blank,
                '?' | '-' => at != 0 || !follows_blank,
                ' ' => at != 0 && at + 1 != chars.len() && before != Some('\n'),
                '\n' => false,
                _ => true,
            };
            shape.plain &= !is_special;
            shape.single &= !(is_special || c == ' ' && before == Some('\n'));
            shape.block &= !(is_special || c == ' ' && at + 1 == chars.len());
            if c == '\n' && before == Some(' ') {
                (shape.single, shape.block) = (false, false);
            }
        }
        shape
    }
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// The marks around a scalar.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Single,
    Double,
}

impl Quotes {
    fn mark(self) -> &'static str {
        match self {
            Quotes::None => "",
            Quotes::Single => "'",
            Quotes::Double => "\"",
        }
    }
}

/// A character between double quotes. The library looks for the byte-order mark at the start of the text, not at the
/// character it is about to write, so there is a case in which it escapes everything.
fn escaped(c: char, always: bool) -> String {
    match c {
        _ if is_printable(c) && !matches!(c, '\n' | '"' | '\\') && !always => c.to_string(),
        '\0' => "\\0".to_owned(),
        '\x07' => "\\a".to_owned(),
        '\x08' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\x0b' => "\\v".to_owned(),
        '\x0c' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        '\x1b' => "\\e".to_owned(),
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\u{a0}' => "\\_".to_owned(),
        c if c <= '\u{ff}' => format!("\\x{:02X}", u32::from(c)),
        c if c <= '\u{ffff}' => format!("\\u{:04X}", u32::from(c)),
        c => format!("\\U{:08X}", u32::from(c)),
    }
}

/// Whether YAML would read the bare text as something else than a text.
fn resolves_otherwise(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON", "n", "N", "no", "No", "NO", "false",
        "False", "FALSE", "off", "Off", "OFF", "", "~", "null", "Null", "NULL", ".nan", ".NaN", ".NAN", ".inf", ".Inf",
        ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF",
    ];
    if WORDS.contains(&text) {
        return true;
    }
    match text.as_bytes().first() {
        Some(b'.') => parse_float(text).is_ok(),
        Some(b'+' | b'-' | b'0'..=b'9') => is_timestamp(text) || is_number(&text.replace('_', "")),
        _ => false,
    }
}

fn is_number(text: &str) -> bool {
    let is_float = || {
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let is_decimal = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        is_decimal && !unsigned.starts_with("0x") && !unsigned.starts_with("0X") && parse_float(text).is_ok()
    };
    let binary = |digits: &str| parse_int(digits, 2).is_ok() || parse_uint(digits, 2).is_ok();
    parse_int(text, 0).is_ok()
        || parse_uint(text, 0).is_ok()
        || is_float()
        || text.strip_prefix("0b").is_some_and(binary)
        || text.strip_prefix("-0b").is_some_and(|digits| parse_int(&format!("-{digits}"), 2).is_ok())
}

/// Numbers in base 60, such as `1:30`: texts here, but quoted for readers that take them for numbers.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let mut parts = unsigned.split(':');
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    if !parts.next().is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit()) && is_digits(first)) {
        return false;
    }
    let rest: Vec<&str> = parts.collect();
    let Some((last, middle)) = rest.split_last() else { return false };
    let (last, fraction) = last.split_once('.').unwrap_or((last, ""));
    let is_sixtieth = |part: &str| match part.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [b'0'..=b'5', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    middle.iter().all(|part| is_sixtieth(part)) && is_sixtieth(last) && is_digits(fraction)
}

/// The dates that go-yaml reads as such.
fn is_timestamp(text: &str) -> bool {
    let Some((year, rest)) = text.split_once('-') else { return false };
    let Some((month, rest)) = rest.split_once('-') else { return false };
    let day_end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (day, time) = rest.split_at(day_end);
    let small = |text: &str| if text.len() <= 2 { text.parse::<u32>().ok() } else { None };
    let (true, Ok(year), Some(month), Some(day)) = (
        year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()),
        year.parse::<u32>(),
        small(month),
        small(day),
    ) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    if day == 0 || day > days {
        return false;
    }
    match time.as_bytes().first() {
        None => true,
        Some(b'T' | b't') => is_time(&time[1..], true),
        Some(b' ') => is_time(&time[1..], false),
        _ => false,
    }
}

/// `15:4:5.999` and, when asked for, a zone.
fn is_time(text: &str, has_zone: bool) -> bool {
    let (clock, zone) = match text.find(['Z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let is_zone = match zone.as_bytes() {
        b"Z" => true,
        [b'+' | b'-', a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()) => {
            let (hours, minutes) = (zone[1..3].parse::<u32>(), zone[4..6].parse::<u32>());
            hours.is_ok_and(|hours| hours <= 24) && minutes.is_ok_and(|minutes| minutes <= 60)
        }
        _ => false,
    };
    if is_zone != has_zone || (!has_zone && !zone.is_empty()) {
        return false;
    }
    let (clock, fraction) = match clock.find(['.', ',']) {
        Some(at) => (&clock[..at], Some(&clock[at + 1..])),
        None => (clock, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return false };
    let below =
        |part: &str, limit: u32| digits(part) && part.len() <= 2 && part.parse::<u32>().is_ok_and(|n| n < limit);
    below(hour, 24) && below(minute, 60) && below(second, 60) && fraction.is_none_or(digits)
}

/// Sorts by merging: the order is go-yaml's, not always a consistent one, and the standard sort may panic on those.
fn in_key_order<'d>(entries: Vec<(&'d Rc<str>, &'d Datum)>) -> Vec<(&'d Rc<str>, &'d Datum)> {
    if entries.len() < 2 {
        return entries;
    }
    let mut first = entries;
    let second = first.split_off(first.len() / 2);
    let (mut first, mut second) =
        (in_key_order(first).into_iter().peekable(), in_key_order(second).into_iter().peekable());
    let mut merged = Vec::with_capacity(first.len() + second.len());
    while let (Some((a, _)), Some((b, _))) = (first.peek(), second.peek()) {
        let takes_second = key_order(b, a) == Ordering::Less;
        merged.extend(if takes_second { second.next() } else { first.next() });
    }
    merged.extend(first);
    merged.extend(second);
    merged
}

/// go-yaml's order of keys: letters after everything else, digits by the number they stand for.
fn key_order(first: &str, second: &str) -> Ordering {
    let (first, second): (Vec<char>, Vec<char>) = (first.chars().collect(), second.chars().collect());
    let Some(at) = (0..first.len().min(second.len())).find(|at| first[*at] != second[*at]) else {
        return first.len().cmp(&second.len());
    };
    let (a, b) = (first[at], second[at]);
    match (unicode::is_letter(a), unicode::is_letter(b)) {
        (true, true) => return a.cmp(&b),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // A zero that follows other digits makes this place count from one.
    let is_inside =
        (a == '0' || b == '0') && first[..at].iter().rev().take_while(|c| unicode::is_digit(**c)).any(|c| *c != '0');
    let start = i64::from(is_inside);
    let run = |text: &[char]| {
        let digits = text[at..].iter().take_while(|c| unicode::is_digit(**c));
        digits.fold((start, 0_usize), |(number, length), c| {
            let digit = i64::from(u32::from(*c)) - i64::from(u32::from('0'));
            (number.wrapping_mul(10).wrapping_add(digit), length + 1)
        })
    };
    let (x, y) = (run(&first), run(&second));
    x.cmp(&y).then(a.cmp(&b))
}
