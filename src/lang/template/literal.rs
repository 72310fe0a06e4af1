//! Go's literals: reading and writing quoted texts, reading numbers.

use super::unicode;

/// Why a number was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BadNumber {
    /// Not a number in this notation.
    Syntax,
    /// A number, but too large.
    Range,
}

/// Reads a signed integer as `strconv.ParseInt(text, base, 64)`; base 0 looks at the prefix and allows underscores.
pub(super) fn parse_int(text: &str, base: u32) -> Result<i64, BadNumber> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = parse_uint(digits, base)?;
    match (negative, i64::try_from(magnitude)) {
        (true, _) if magnitude == i64::MIN.unsigned_abs() => Ok(i64::MIN),
        (true, Ok(magnitude)) => Ok(-magnitude),
        (false, Ok(magnitude)) => Ok(magnitude),
        (_, Err(_)) => Err(BadNumber::Range),
    }
}

/// Reads an integer without sign as `strconv.ParseUint(text, base, 64)`.
pub(super) fn parse_uint(text: &str, base: u32) -> Result<u64, BadNumber> {
    let (digits, radix) = match (base, text.as_bytes()) {
        (0, [b'0', b'x' | b'X', _, ..]) => (&text[2..], 16),
        (0, [b'0', b'b' | b'B', _, ..]) => (&text[2..], 2),
        (0, [b'0', b'o' | b'O', _, ..]) => (&text[2..], 8),
        (0, [b'0', _, ..]) => (&text[1..], 8),
        (0, _) => (text, 10),
        (base, _) => (text, base),
    };
    let mut value: u64 = 0;
    let mut any = text.starts_with('0') && base == 0 && radix == 8 && !digits.is_empty();
    for c in digits.chars() {
        if c == '_' && base == 0 {
            continue;
        }
        let digit = c.to_digit(radix).ok_or(BadNumber::Syntax)?;
        any = true;
        // Go stops here, whatever follows.
        let next = value.checked_mul(u64::from(radix)).and_then(|value| value.checked_add(u64::from(digit)));
        value = next.ok_or(BadNumber::Range)?;
    }
    if !any || (base == 0 && text.contains('_') && !underscores_fit(text)) {
        return Err(BadNumber::Syntax);
    }
    Ok(value)
}

/// Whether every underscore separates digits, or the prefix from a digit, as Go's literals demand.
fn underscores_fit(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    let prefixed = matches!(bytes, [b'0', b'b' | b'B' | b'o' | b'O' | b'x' | b'X', ..]);
    let hexadecimal = prefixed && matches!(bytes[1], b'x' | b'X');
    // What came before: nothing yet, a digit (the prefix counts as one), an underscore, or anything else.
    let mut before = if prefixed { b'0' } else { b'^' };
    for &byte in &bytes[if prefixed { 2 } else { 0 }..] {
        let is_digit = byte.is_ascii_digit() || (hexadecimal && byte.is_ascii_hexdigit());
        match (byte, before) {
            _ if is_digit => before = b'0',
            (b'_', b'0') => before = b'_',
            (b'_', _) | (_, b'_') => return false,
            _ => before = b'!',
        }
    }
    before != b'_'
}

/// Reads a float as `strconv.ParseFloat(text, 64)`.
pub(super) fn parse_float(text: &str) -> Result<f64, BadNumber> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => return Ok(sign * f64::INFINITY),
        "nan" if unsigned.len() == text.len() => return Ok(f64::NAN),
        _ => {}
    }
    let is_hexadecimal = matches!(unsigned.as_bytes(), [b'0', b'x' | b'X', ..]);
    if text.contains('_') && !underscores_fit(text) {
        return Err(BadNumber::Syntax);
    }
    let plain = unsigned.replace('_', "");
    let value = if is_hexadecimal { hexadecimal_float(&plain[2..])? } else { decimal_float(&plain)? };
    if value.is_infinite() { Err(BadNumber::Range) } else { Ok(sign * value) }
}

fn decimal_float(text: &str) -> Result<f64, BadNumber> {
    let mantissa_end = text.find(['e', 'E']).unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(mantissa_end);
    let exponent = exponent.get(1..).map(|exponent| exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).count();
    let points = mantissa.bytes().filter(|byte| *byte == b'.').count();
    let fits = digits > 0
        && points <= 1
        && digits + points == mantissa.len()
        && exponent.is_none_or(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    if fits { text.parse().map_err(|_| BadNumber::Syntax) } else { Err(BadNumber::Syntax) }
}

/// The part after `0x`: digits, a point, and an exponent that must be there. Digits past the 60th bit only round.
fn hexadecimal_float(text: &str) -> Result<f64, BadNumber> {
    let (mantissa, exponent) = text.split_once(['p', 'P']).ok_or(BadNumber::Syntax)?;
    let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadNumber::Syntax);
    }
    let mut exponent: i32 = exponent.parse::<i32>().unwrap_or(if exponent.starts_with('-') { -9999 } else { 9999 });
    exponent = exponent.clamp(-9999, 9999);
    let (mut value, mut any, mut after_point) = (0_u64, false, false);
    for c in mantissa.chars() {
        match c.to_digit(16) {
            None if c == '.' && !after_point => after_point = true,
            None => return Err(BadNumber::Syntax),
            Some(digit) => {
                any = true;
                if value >> 60 == 0 {
                    value = value << 4 | u64::from(digit);
                    exponent -= if after_point { 4 } else { 0 };
                } else {
                    value |= u64::from(digit != 0);
                    exponent += if after_point { 0 } else { 4 };
                }
            }
        }
    }
    if !any {
        return Err(BadNumber::Syntax);
    }
    Ok(scaled(value as f64, exponent))
}

/// `value` times two to the power of `exponent`, in steps that cannot overflow on the way.
pub(super) fn scaled(mut value: f64, mut exponent: i32) -> f64 {
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= 2_f64.powi(step);
        exponent -= step;
    }
    value
}

/// A quoted text (`"…"` or `` `…` ``) without its quotes; `None` when Go calls the syntax invalid. The bytes may be
/// no UTF-8: `\xff` is a byte.
pub(super) fn unquote(quoted: &str) -> Option<Vec<u8>> {
    let inner = quoted.get(1..quoted.len().checked_sub(1)?)?;
    if quoted.starts_with('`') {
        return Some(inner.bytes().filter(|byte| *byte != b'\r').collect());
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while !rest.is_empty() {
        let (unit, tail) = unquote_one(rest, '"')?;
        match unit {
            Unit::Byte(byte) => bytes.push(byte),
            Unit::Char(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        rest = tail;
    }
    Some(bytes)
}

/// The number of a character constant, `'a'`.
///
/// # Errors
/// Go's words.
pub(super) fn unquote_char(quoted: &str) -> Result<i64, String> {
    let (unit, tail) = unquote_one(&quoted[1..], '\'').ok_or("invalid syntax")?;
    if tail != "'" {
        return Err(format!("malformed character constant: {quoted}"));
    }
    Ok(match unit {
        Unit::Byte(byte) => i64::from(byte),
        Unit::Char(c) => i64::from(u32::from(c)),
    })
}

enum Unit {
    Byte(u8),
    Char(char),
}

fn unquote_one(text: &str, quote: char) -> Option<(Unit, &str)> {
    let mut chars = text.chars();
    match chars.next()? {
        c if c == quote || c == '\n' => return None,
        '\\' => {}
        c => return Some((Unit::Char(c), chars.as_str())),
    }
    let escape = chars.next()?;
    let rest = chars.as_str();
    let char = |c| Some((Unit::Char(c), rest));
    match escape {
        'a' => char('\x07'),
        'b' => char('\x08'),
        'f' => char('\x0c'),
        'n' => char('\n'),
        'r' => char('\r'),
        't' => char('\t'),
        'v' => char('\x0b'),
        '\\' => char('\\'),
        '\'' | '"' if escape == quote => char(escape),
        'x' => numbered(rest, 2, 16).and_then(|(number, rest)| Some((Unit::Byte(u8::try_from(number).ok()?), rest))),
        'u' => numbered(rest, 4, 16).and_then(|(number, rest)| Some((Unit::Char(char::from_u32(number)?), rest))),
        'U' => numbered(rest, 8, 16).and_then(|(number, rest)| Some((Unit::Char(char::from_u32(number)?), rest))),
        '0'..='7' => {
            let (number, rest) = numbered(&text[1..], 3, 8)?;
            Some((Unit::Byte(u8::try_from(number).ok()?), rest))
        }
        _ => None,
    }
}

fn numbered(text: &str, digits: usize, radix: u32) -> Option<(u32, &str)> {
    let number = text.get(..digits)?;
    if !number.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some((u32::from_str_radix(number, radix).ok()?, &text[digits..]))
}

/// `text` in double quotes, escaped as `%q` does; with `ascii`, letters beyond ASCII are escaped too.
pub(super) fn quote(text: &str, ascii: bool) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        push_escaped(&mut quoted, c, '"', ascii);
    }
    quoted.push('"');
    quoted
}

/// Whether `text` can stand between backquotes as it is.
pub(super) fn can_backquote(text: &str) -> bool {
    text.chars().all(|c| !matches!(c, '`' | '\u{feff}' | '\x7f') && (c >= ' ' || c == '\t'))
}

/// `c` in single quotes, escaped as `%q` does for a number.
pub(super) fn quote_char(c: char, ascii: bool) -> String {
    let mut quoted = String::from("'");
    push_escaped(&mut quoted, c, '\'', ascii);
    quoted.push('\'');
    quoted
}

fn push_escaped(quoted: &mut String, c: char, quote: char, ascii: bool) {
    match c {
        _ if c == quote || c == '\\' => quoted.extend(['\\', c]),
        _ if unicode::is_print(c) && (c.is_ascii() || !ascii) => quoted.push(c),
        '\x07' => quoted.push_str("\\a"),
        '\x08' => quoted.push_str("\\b"),
        '\x0c' => quoted.push_str("\\f"),
        '\n' => quoted.push_str("\\n"),
        '\r' => quoted.push_str("\\r"),
        '\t' => quoted.push_str("\\t"),
        '\x0b' => quoted.push_str("\\v"),
        _ if c < ' ' || c == '\x7f' => quoted.push_str(&format!("\\x{:02x}", u32::from(c))),
        _ if c <= '\u{ffff}' => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
        _ => quoted.push_str(&format!("\\U{:08x}", u32::from(c))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_follow_their_prefix() {
        for (text, value) in [
            ("0", Ok(0)),
            ("-0", Ok(0)),
            ("0x1F", Ok(31)),
            ("017", Ok(15)),
            ("0b11", Ok(3)),
            ("0o14", Ok(12)),
            ("1_000", Ok(1000)),
            ("1__0", Err(BadNumber::Syntax)),
            ("_1", Err(BadNumber::Syntax)),
            ("0_7", Ok(7)),
            ("08", Err(BadNumber::Syntax)),
            ("0x", Err(BadNumber::Syntax)),
            ("", Err(BadNumber::Syntax)),
            ("-9223372036854775808", Ok(i64::MIN)),
            ("9223372036854775808", Err(BadNumber::Range)),
            ("99999999999999999999a", Err(BadNumber::Range)),
            ("1a99999999999999999999", Err(BadNumber::Syntax)),
        ] {
            assert_eq!(parse_int(text, 0), value, "{text}");
        }
    }

    #[test]
    fn floats_follow_go() {
        for (text, value) in [
            ("1.5", Ok(1.5)),
            (".5", Ok(0.5)),
            ("1.", Ok(1.0)),
            ("1e3", Ok(1000.0)),
            ("-Inf", Ok(f64::NEG_INFINITY)),
            ("0x1p-2", Ok(0.25)),
            ("0x.8p1", Ok(1.0)),
            (".", Err(BadNumber::Syntax)),
            ("1e", Err(BadNumber::Syntax)),
            ("0x1", Err(BadNumber::Syntax)),
            ("1e999", Err(BadNumber::Range)),
            (" 1", Err(BadNumber::Syntax)),
        ] {
            assert_eq!(parse_float(text), value, "{text}");
        }
    }

    #[test]
    fn escapes_are_read_and_written() {
        assert_eq!(unquote(r#""a\n\"\x41\101\u00e9""#), Some("a\n\"AAé".as_bytes().to_vec()));
        assert_eq!(unquote(r#""\'""#), None);
        assert_eq!(unquote("`a\\n\r`"), Some(b"a\\n".to_vec()));
        assert_eq!(quote("a\"\\\n\x01é\u{ad}", false), r#""a\"\\\n\x01é\u00ad""#);
        assert_eq!(quote("é", true), r#""\u00e9""#);
        assert_eq!(unquote_char("'a'"), Ok(97));
        assert_eq!(unquote_char("'ab'"), Err("malformed character constant: 'ab'".into()));
    }
}
