//! Go's `fmt`: verbs, flags, and the plain printing of values.
//!
//! Mirrors Go 1.26, fmt/print.go and fmt/format.go, for the types templates can hold.

use super::datum::{Datum, IntKind, List, Map};
use super::env::{Env, Fault};
use super::{float, literal, unicode};
use crate::text::limits::TEMPLATE_BYTES;

/// `%v` of one value.
pub(super) fn sprint(env: &Env<'_>, datum: &Datum) -> Result<String, Fault> {
    let mut printer = Printer::new(env);
    printer.argument(datum, 'v')?;
    Ok(printer.out)
}

/// `%s` of a value that Go holds as a `reflect.Value`.
pub(super) fn reflected(env: &Env<'_>, datum: &Datum) -> Result<String, Fault> {
    let mut printer = Printer::new(env);
    printer.value(datum, 's', 0)?;
    Ok(printer.out)
}

/// `fmt.Sprint`: a space between operands when neither is a text.
pub(super) fn sprint_all(env: &Env<'_>, operands: &[&Datum]) -> Result<String, Fault> {
    let mut printer = Printer::new(env);
    let mut was_text = true;
    for operand in operands {
        let is_text = matches!(operand, Datum::String(_));
        if !is_text && !was_text {
            printer.out.push(' ');
        }
        was_text = is_text;
        printer.argument(operand, 'v')?;
    }
    Ok(printer.out)
}

/// `fmt.Sprintln`: always a space between operands, and a line break.
pub(super) fn sprintln(env: &Env<'_>, operands: &[&Datum]) -> Result<String, Fault> {
    let mut printer = Printer::new(env);
    for (at, operand) in operands.iter().enumerate() {
        if at > 0 {
            printer.out.push(' ');
        }
        printer.argument(operand, 'v')?;
    }
    printer.out.push('\n');
    Ok(printer.out)
}

/// Flags, width and precision of one verb.
#[derive(Clone, Copy, Default)]
struct Flags {
    sharp: bool,
    zero: bool,
    plus: bool,
    minus: bool,
    space: bool,
    /// `%#v`
    go_syntax: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

struct Printer<'e> {
    env: &'e Env<'e>,
    out: String,
    flags: Flags,
    /// Inside of `%!verb(…)`, methods are not asked.
    is_erroring: bool,
}

/// `fmt.Sprintf`.
pub(super) fn sprintf(env: &Env<'_>, format: &str, operands: &[&Datum]) -> Result<String, Fault> {
    let mut printer = Printer::new(env);
    let mut verbs = Verbs { format, at: 0, operand: 0, is_reordered: false, is_good: true, after_index: false };
    while let Some(percent) = verbs.rest().find('%') {
        printer.push(&verbs.rest()[..percent])?;
        verbs.at += percent + 1;
        if !verbs.one(&mut printer, operands)? {
            return printer.finish(&verbs, operands);
        }
    }
    printer.push(verbs.rest())?;
    printer.finish(&verbs, operands)
}

/// The largest width, precision or operand index, but for a last digit that is not looked at.
const LARGEST: usize = 1_000_000;

/// A number of digits only; none when it is too large.
fn number(digits: &str) -> Option<usize> {
    let step = |number: usize, byte: u8| (number <= LARGEST).then(|| number * 10 + usize::from(byte - b'0'));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.bytes().try_fold(0, step) } else { None }
}

/// The walk through a format.
struct Verbs<'f> {
    format: &'f str,
    at: usize,
    operand: usize,
    is_reordered: bool,
    is_good: bool,
    after_index: bool,
}

impl<'f> Verbs<'f> {
    fn rest(&self) -> &'f str {
        &self.format[self.at..]
    }

    fn next_is(&self, byte: u8) -> bool {
        self.format.as_bytes().get(self.at) == Some(&byte)
    }

    /// One verb, after its `%`; false when the format ends in it.
    fn one(&mut self, printer: &mut Printer<'_>, operands: &[&Datum]) -> Result<bool, Fault> {
        printer.flags = Flags::default();
        self.is_good = true;
        self.after_index = false;
        while let Some(byte) = self.format.as_bytes().get(self.at) {
            match byte {
                b'#' => printer.flags.sharp = true,
                b'0' => printer.flags.zero = true,
                b'+' => printer.flags.plus = true,
                b'-' => printer.flags.minus = true,
                b' ' => printer.flags.space = true,
                _ => break,
            }
            self.at += 1;
        }
        self.index(operands.len());
        self.width(printer, operands)?;
        self.precision(printer, operands)?;
        if !self.after_index {
            self.index(operands.len());
        }
        let Some(verb) = self.rest().chars().next() else {
            printer.push("%!(NOVERB)")?;
            return Ok(false);
        };
        self.at += verb.len_utf8();
        if verb == '%' {
            printer.out.push('%');
        } else if !self.is_good {
            printer.push(&format!("%!{verb}(BADINDEX)"))?;
        } else if let Some(operand) = operands.get(self.operand) {
            if verb == 'v' || verb == 'w' {
                printer.flags.go_syntax = std::mem::take(&mut printer.flags.sharp);
                printer.flags.plus = false;
            }
            printer.argument(operand, verb)?;
            self.operand += 1;
        } else {
            printer.push(&format!("%!{verb}(MISSING)"))?;
        }
        Ok(true)
    }

    fn width(&mut self, printer: &mut Printer<'_>, operands: &[&Datum]) -> Result<(), Fault> {
        if !self.next_is(b'*') {
            printer.flags.width = self.number();
            if self.after_index && printer.flags.width.is_some() {
                self.is_good = false;
            }
            return Ok(());
        }
        self.at += 1;
        match self.int_operand(operands) {
            None => printer.push("%!(BADWIDTH)")?,
            Some(width) => {
                if width < 0 {
                    (printer.flags.minus, printer.flags.zero) = (true, false);
                }
                printer.flags.width = Some(width.unsigned_abs() as usize);
            }
        }
        self.after_index = false;
        Ok(())
    }

    fn precision(&mut self, printer: &mut Printer<'_>, operands: &[&Datum]) -> Result<(), Fault> {
        // A dot at the very end is no precision but a verb.
        if !self.next_is(b'.') || self.at + 1 >= self.format.len() {
            return Ok(());
        }
        self.at += 1;
        if self.after_index {
            self.is_good = false;
        }
        self.after_index = false;
        self.index(operands.len());
        if self.next_is(b'*') {
            self.at += 1;
            printer.flags.precision = self.int_operand(operands).and_then(|value| usize::try_from(value).ok());
            if printer.flags.precision.is_none() {
                printer.push("%!(BADPREC)")?;
            }
            self.after_index = false;
        } else {
            printer.flags.precision = Some(self.number().unwrap_or(0));
        }
        Ok(())
    }

    /// An explicit operand index, `[3]`, if one is next.
    fn index(&mut self, operands: usize) {
        if !self.next_is(b'[') {
            return;
        }
        self.is_reordered = true;
        let rest = self.rest();
        let close = if rest.len() < 3 { None } else { rest.find(']') };
        let Some(close) = close else {
            (self.is_good, self.at) = (false, self.at + 1);
            return;
        };
        self.at += close + 1;
        let inner = &rest[1..close];
        match number(inner) {
            Some(number) => {
                self.after_index = true;
                if (1..=operands).contains(&number) {
                    self.operand = number - 1;
                } else {
                    self.is_good = false;
                }
            }
            None => self.is_good = false,
        }
    }

    /// A number; none when there is no digit, or it is too large to mean anything.
    fn number(&mut self) -> Option<usize> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = number(&self.rest()[..digits]);
        // Of a number too large, Go gives up on the whole rest of the format.
        self.at = if digits > 0 && number.is_none() { self.format.len() } else { self.at + digits };
        number
    }

    fn int_operand(&mut self, operands: &[&Datum]) -> Option<i64> {
        let operand = operands.get(self.operand)?;
        self.operand += 1;
        match operand {
            Datum::Int(kind, value) if *kind != IntKind::Uint64 || *value >= 0 => {
                (value.unsigned_abs() <= LARGEST as u64).then_some(*value)
            }
            _ => None,
        }
    }
}

impl<'e> Printer<'e> {
    fn new(env: &'e Env<'e>) -> Printer<'e> {
        Printer { env, out: String::new(), flags: Flags::default(), is_erroring: false }
    }

    fn finish(mut self, verbs: &Verbs<'_>, operands: &[&Datum]) -> Result<String, Fault> {
        if !verbs.is_reordered && verbs.operand < operands.len() {
            self.flags = Flags::default();
            self.push("%!(EXTRA ")?;
            for (at, operand) in operands[verbs.operand..].iter().enumerate() {
                self.push(if at > 0 { ", " } else { "" })?;
                match operand {
                    Datum::Nil => self.push("<nil>")?,
                    _ => {
                        self.push(&format!("{}=", operand.type_name()))?;
                        self.argument(operand, 'v')?;
                    }
                }
            }
            self.push(")")?;
        }
        Ok(self.out)
    }

    fn push(&mut self, text: &str) -> Result<(), Fault> {
        if self.out.len() + text.len() > TEMPLATE_BYTES {
            return Err(Fault::Limit(format!("makes a text of more than {TEMPLATE_BYTES} bytes")));
        }
        self.out.push_str(text);
        Ok(())
    }

    /// Writes `text` filled up to the width with spaces, or with zeros on its left.
    fn pad(&mut self, text: &str, zero: bool) -> Result<(), Fault> {
        let missing = self.flags.width.unwrap_or(0).saturating_sub(text.chars().count());
        let filling = if zero && !self.flags.minus { "0" } else { " " }.repeat(missing);
        let (before, after) = if self.flags.minus { ("", filling.as_str()) } else { (filling.as_str(), "") };
        self.push(before)?;
        self.push(text)?;
        self.push(after)
    }

    fn argument(&mut self, datum: &Datum, verb: char) -> Result<(), Fault> {
        match (datum, verb) {
            (Datum::Nil, 'T' | 'v') => self.pad("<nil>", self.flags.zero),
            (Datum::Nil, _) => self.bad_verb(datum, verb),
            (_, 'T') => {
                let text = self.truncated(datum.type_name());
                self.pad(text, self.flags.zero)
            }
            (Datum::Unknown(why) | Datum::Partial(_, why), _) => Err(Fault::Unknown(why.clone())),
            (Datum::List(_) | Datum::Map(_) | Datum::Version(_), 'p') => Err(Fault::runtime("a memory address")),
            _ => self.value(datum, verb, 0),
        }
    }

    fn bad_verb(&mut self, datum: &Datum, verb: char) -> Result<(), Fault> {
        let outer = std::mem::replace(&mut self.is_erroring, true);
        self.push(&format!("%!{verb}("))?;
        match datum {
            Datum::Nil => self.push("<nil>")?,
            _ => {
                self.push(&format!("{}=", datum.type_name()))?;
                self.value(datum, 'v', 0)?;
            }
        }
        self.is_erroring = outer;
        self.push(")")
    }

    fn value(&mut self, datum: &Datum, verb: char, depth: usize) -> Result<(), Fault> {
        self.env.visit(depth)?;
        match datum {
            Datum::Nil if self.flags.go_syntax => self.push("interface {}(nil)"),
            Datum::Nil => self.push("<nil>"),
            Datum::Unknown(why) | Datum::Partial(_, why) => Err(Fault::Unknown(why.clone())),
            _ if verb == 'w' => self.bad_verb(datum, verb),
            Datum::Bool(value) if matches!(verb, 't' | 'v') => {
                self.pad(if *value { "true" } else { "false" }, self.flags.zero)
            }
            Datum::Int(kind, value) => self.integer(datum, *kind, *value, verb),
            Datum::Float(value) => self.float(datum, *value, verb),
            Datum::Complex(real, imaginary) if "vbgGxXeEfF".contains(verb) => {
                self.complex(datum, *real, *imaginary, verb)
            }
            Datum::String(text) => self.string(datum, text, verb),
            Datum::Map(map) => self.map(datum, map, verb, depth),
            Datum::List(list) if list.is_unordered() => Err(Fault::Unknown(super::env::random_order())),
            Datum::List(list) => self.list(datum, list, verb, depth),
            Datum::Version(version) if "vsxXq".contains(verb) && !self.is_erroring && !self.flags.go_syntax => {
                self.string(datum, &version.to_string(), verb)
            }
            Datum::Version(_) => Err(Fault::runtime("the inside of a version")),
            Datum::Bool(_) | Datum::Complex(..) => self.bad_verb(datum, verb),
        }
    }

    fn complex(&mut self, datum: &Datum, real: f64, imaginary: f64, verb: char) -> Result<(), Fault> {
        let plus = self.flags.plus;
        self.push("(")?;
        self.float(datum, real, verb)?;
        self.flags.plus = true;
        self.float(datum, imaginary, verb)?;
        self.flags.plus = plus;
        self.push("i)")
    }

    // An item that is nil is no argument, so no verb is bad for it. Values nest deep, so what is printed around the items
    // is kept out of these two.
    fn list(&mut self, datum: &Datum, list: &List, verb: char, depth: usize) -> Result<(), Fault> {
        let (between, close) = self.open("[", datum, list.is_nil)?;
        for (at, item) in list.items().iter().enumerate() {
            self.push(if at > 0 { between } else { "" })?;
            self.value(item, verb, depth + 1)?;
        }
        self.push(close)
    }

    fn map(&mut self, datum: &Datum, map: &Map, verb: char, depth: usize) -> Result<(), Fault> {
        let (between, close) = self.open("map[", datum, map.is_nil)?;
        for (at, (key, value)) in map.entries.borrow().iter().enumerate() {
            self.push(if at > 0 { between } else { "" })?;
            self.string(&Datum::String(key.clone()), key, verb)?;
            self.push(":")?;
            self.value(value, verb, depth + 1)?;
        }
        self.push(close)
    }

    /// Writes what stands before the items; what goes between and behind them.
    fn open(&mut self, bracket: &str, datum: &Datum, is_nil: bool) -> Result<(&'static str, &'static str), Fault> {
        if !self.flags.go_syntax {
            self.push(bracket)?;
            return Ok((" ", "]"));
        }
        self.push(datum.type_name())?;
        self.push(if is_nil { "(nil)" } else { "{" })?;
        Ok((", ", if is_nil { "" } else { "}" }))
    }

    fn truncated<'t>(&self, text: &'t str) -> &'t str {
        let end = self.flags.precision.and_then(|precision| text.char_indices().nth(precision));
        end.map_or(text, |(end, _)| &text[..end])
    }

    fn string(&mut self, datum: &Datum, text: &str, verb: char) -> Result<(), Fault> {
        let zero = self.flags.zero;
        match verb {
            'v' if self.flags.go_syntax => self.quoted(text),
            'q' => self.quoted(text),
            'v' | 's' => self.pad(self.truncated(text), zero),
            'x' => self.hexadecimal(text.as_bytes(), false),
            'X' => self.hexadecimal(text.as_bytes(), true),
            _ => self.bad_verb(datum, verb),
        }
    }

    fn quoted(&mut self, text: &str) -> Result<(), Fault> {
        let text = self.truncated(text);
        let quoted = match self.flags {
            Flags { sharp: true, .. } if literal::can_backquote(text) => format!("`{text}`"),
            flags => literal::quote(text, flags.plus),
        };
        self.pad(&quoted, self.flags.zero)
    }

    /// Two digits per byte; the width counts bytes here.
    fn hexadecimal(&mut self, bytes: &[u8], upper: bool) -> Result<(), Fault> {
        let bytes = &bytes[..self.flags.precision.unwrap_or(bytes.len()).min(bytes.len())];
        self.env.spend_bytes(5 * bytes.len())?;
        let (sharp, space) = (self.flags.sharp, self.flags.space);
        let prefix = if upper { "0X" } else { "0x" };
        let mut text = String::new();
        for (at, byte) in bytes.iter().enumerate() {
            if space && at > 0 {
                text.push(' ');
            }
            if sharp && (at == 0 || space) {
                text.push_str(prefix);
            }
            text.push_str(&if upper { format!("{byte:02X}") } else { format!("{byte:02x}") });
        }
        let zero = self.flags.zero;
        self.pad(&text, zero)
    }

    fn integer(&mut self, datum: &Datum, kind: IntKind, value: i64, verb: char) -> Result<(), Fault> {
        let is_signed = matches!(kind, IntKind::Int | IntKind::Int64);
        let (negative, magnitude) =
            (is_signed && value < 0, if is_signed { value.unsigned_abs() } else { value as u64 });
        let character = |bits: u64| u32::try_from(bits).ok().and_then(char::from_u32).unwrap_or('\u{fffd}');
        match verb {
            'v' if self.flags.go_syntax && !is_signed => {
                let text = format!("0x{magnitude:x}");
                self.pad(&text, false)
            }
            'v' | 'd' => self.digits(negative, &magnitude.to_string(), "", verb),
            'b' => self.digits(negative, &format!("{magnitude:b}"), "0b", verb),
            'o' | 'O' => self.digits(negative, &format!("{magnitude:o}"), "0", verb),
            'x' => self.digits(negative, &format!("{magnitude:x}"), "0x", verb),
            'X' => self.digits(negative, &format!("{magnitude:X}"), "0X", verb),
            'c' => self.pad(&character(value as u64).to_string(), self.flags.zero),
            'q' => self.pad(&literal::quote_char(character(value as u64), self.flags.plus), self.flags.zero),
            'U' => {
                let digits = self.flags.precision.unwrap_or(4).max(4);
                let mut text = format!("U+{:0digits$X}", value as u64);
                if let (true, Some(c)) = (self.flags.sharp, u32::try_from(value).ok().and_then(char::from_u32))
                    && unicode::is_print(c)
                {
                    text.push_str(&format!(" '{c}'"));
                }
                self.pad(&text, false)
            }
            _ => self.bad_verb(datum, verb),
        }
    }

    fn digits(&mut self, negative: bool, digits: &str, prefix: &str, verb: char) -> Result<(), Fault> {
        let flags = self.flags;
        let is_signed = negative || flags.plus || flags.space;
        if flags.precision == Some(0) && digits == "0" {
            return self.pad("", false);
        }
        let least = match flags.precision {
            Some(precision) => precision,
            None if flags.zero && !flags.minus => flags.width.unwrap_or(0).saturating_sub(usize::from(is_signed)),
            None => 0,
        };
        let mut number = "0".repeat(least.saturating_sub(digits.len()));
        number.push_str(digits);
        let prefix = match prefix {
            _ if !flags.sharp => "",
            "0" if number.starts_with('0') => "",
            prefix => prefix,
        };
        let octal = if verb == 'O' { "0o" } else { "" };
        let sign = match flags {
            _ if negative => "-",
            Flags { plus: true, .. } => "+",
            Flags { space: true, .. } => " ",
            _ => "",
        };
        self.pad(&format!("{sign}{octal}{prefix}{number}"), false)
    }

    fn float(&mut self, datum: &Datum, value: f64, verb: char) -> Result<(), Fault> {
        let flags = self.flags;
        let (letter, precision) = match verb {
            'v' | 'g' => ('g', flags.precision),
            'G' => ('G', flags.precision),
            'e' | 'E' => (verb, Some(flags.precision.unwrap_or(6))),
            'f' | 'F' => ('f', Some(flags.precision.unwrap_or(6))),
            'x' | 'X' | 'b' => return Err(Fault::runtime("a float in base two")),
            _ => return self.bad_verb(datum, verb),
        };
        self.env.spend_bytes(precision.unwrap_or(0) + 400)?;
        let text = float::format(value, letter, precision);
        let unsigned = text.trim_start_matches(['+', '-']);
        let sign = match flags {
            _ if text.starts_with('-') => "-",
            Flags { plus: true, .. } => "+",
            Flags { space: true, .. } => " ",
            _ if value == f64::INFINITY => "+",
            _ => "",
        };
        if !value.is_finite() {
            return self.pad(&format!("{sign}{unsigned}"), false);
        }
        let number = if flags.sharp { with_point(unsigned, letter, precision) } else { unsigned.to_owned() };
        let missing = flags.width.unwrap_or(0).saturating_sub(sign.len() + number.len());
        if flags.zero && !flags.minus && !sign.is_empty() {
            return self.push(&format!("{sign}{}{number}", "0".repeat(missing)));
        }
        self.pad(&format!("{sign}{number}"), flags.zero)
    }
}

/// `%#g` and its kin: always a point, and the zeros at the end that `%g` drops.
fn with_point(number: &str, letter: char, precision: Option<usize>) -> String {
    let (mantissa, tail) = match number.find(['e', 'E']) {
        Some(at) => number.split_at(at),
        None => (number, ""),
    };
    let mut text = mantissa.to_owned();
    let shown = mantissa.trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
    let shown = if mantissa == "0" { 1 } else { shown };
    if !mantissa.contains('.') {
        text.push('.');
    }
    if matches!(letter, 'g' | 'G') {
        text.push_str(&"0".repeat(precision.unwrap_or(6).saturating_sub(shown)));
    }
    text + tail
}
