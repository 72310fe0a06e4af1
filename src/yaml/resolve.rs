//! What a scalar means: the resolution of sigs.k8s.io/yaml, which reads YAML 1.1 with go-yaml 2.

use super::tree::{Style, TagKind};
use std::borrow::Cow;

/// A scalar's value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar<'t> {
    /// Nothing, `~` or `null`.
    Null,
    /// `true`, `false` and the words of YAML 1.1: `yes`, `no`, `on`, `off`, `y`, `n`.
    Bool(bool),
    /// A whole number: decimal, `0x1F`, `0o17`, `017`, `0b1`, with `_` anywhere.
    Int(i64),
    /// A whole number above `i64::MAX`.
    Uint(u64),
    /// Any other number, `.inf` and `.nan`; also `08`, which is no octal number.
    Float(f64),
    /// Text: quoted, tagged as such, or none of the above. Dates and `12:30` are text.
    Text(&'t str),
}

/// A tag promises a type that the text is not of; go-yaml refuses the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mismatch;

/// The value of a scalar.
pub(super) fn resolve(text: &str, style: Style, tag: Option<TagKind>) -> Result<Scalar<'_>, Mismatch> {
    match tag {
        Some(tag) => tagged(text, tag),
        None if style == Style::Plain => Ok(plain(text)),
        None => Ok(Scalar::Text(text)),
    }
}

fn tagged(text: &str, tag: TagKind) -> Result<Scalar<'_>, Mismatch> {
    match (tag, plain(text)) {
        (TagKind::Bool, value @ Scalar::Bool(_))
        | (TagKind::Int, value @ (Scalar::Int(_) | Scalar::Uint(_)))
        | (TagKind::Float, value @ Scalar::Float(_))
        | (TagKind::Null, value @ Scalar::Null) => Ok(value),
        (TagKind::Float, Scalar::Int(value)) => Ok(Scalar::Float(value as f64)),
        (TagKind::Timestamp, value @ Scalar::Text(_)) if is_timestamp(text) => Ok(value),
        (TagKind::Bool | TagKind::Int | TagKind::Float | TagKind::Null | TagKind::Timestamp, _) => Err(Mismatch),
        (TagKind::NonSpecific | TagKind::Str | TagKind::Binary | TagKind::Merge | TagKind::Other, _) => {
            Ok(Scalar::Text(text))
        }
    }
}

fn plain(text: &str) -> Scalar<'_> {
    let known = match text.as_bytes().first() {
        None => Some(Scalar::Null),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => word(text),
        Some(b'.') => special(text).or_else(|| float(text)).map(Scalar::Float),
        Some(b'+' | b'-' | b'0'..=b'9') => number(text),
        Some(_) => None,
    };
    known.unwrap_or(Scalar::Text(text))
}

fn word(text: &str) -> Option<Scalar<'static>> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(Scalar::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Scalar::Bool(false))
        }
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        _ => None,
    }
}

fn special(text: &str) -> Option<f64> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// The number that starts with a digit or a sign.
fn number(text: &str) -> Option<Scalar<'static>> {
    let digits: Cow<'_, str> = if text.contains('_') { text.replace('_', "").into() } else { text.into() };
    special(text)
        .map(Scalar::Float)
        .or_else(|| integer(&digits))
        .or_else(|| float(&digits).map(Scalar::Float))
        // Reached by a sign behind the prefix only, which go-yaml takes.
        .or_else(|| i64::from_str_radix(digits.strip_prefix("0b")?, 2).ok().map(Scalar::Int))
}

/// Mirrors Go's `strconv.ParseInt` and `ParseUint` with base 0.
fn integer(text: &str) -> Option<Scalar<'static>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let prefix = unsigned.get(..2).filter(|_| unsigned.len() > 2).unwrap_or_default();
    let (radix, digits) = match prefix {
        "0b" | "0B" => (2, &unsigned[2..]),
        "0o" | "0O" => (8, &unsigned[2..]),
        "0x" | "0X" => (16, &unsigned[2..]),
        _ if unsigned.len() > 1 && unsigned.starts_with('0') => (8, &unsigned[1..]),
        _ => (10, unsigned),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()?;
    match i64::try_from(value) {
        Ok(value) if text.starts_with('-') => Some(Scalar::Int(-value)),
        Ok(value) => Some(Scalar::Int(value)),
        Err(_) if text.starts_with('-') => (value == 1 << 63).then_some(Scalar::Int(i64::MIN)),
        Err(_) => (unsigned.len() == text.len()).then_some(Scalar::Uint(value)),
    }
}

/// A decimal number with or without a fraction and an exponent; one that overflows is none.
fn float(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    text.parse::<f64>().ok().filter(|value| is_number && value.is_finite())
}

/// Mirrors go-yaml 2.4, `parseTimestamp`: a date, or a date and a time of these four forms.
fn is_timestamp(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else { return is_date(text) };
    let has_zone = !text[date.len()..].starts_with(' ');
    let (clock, zone) = match time.find(['Z', '+', '-']) {
        Some(at) if has_zone => time.split_at(at),
        _ => (time, ""),
    };
    is_date(date) && is_clock(clock) && (!has_zone || is_zone(zone))
}

/// A number of at most `len` digits below `limit`.
fn field(text: &str, len: usize, limit: u32) -> Option<u32> {
    let is_digits = (1..=len).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&value| is_digits && value < limit)
}

fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let (Some(years), Some(month), Some(day)) = (field(year, 4, 10_000), field(month, 2, 13), field(day, 2, 32)) else {
        return false;
    };
    let is_leap = years % 4 == 0 && (years % 100 != 0 || years % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    year.len() == 4 && month > 0 && (1..=days).contains(&day)
}

fn is_clock(text: &str) -> bool {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let mut parts = whole.splitn(3, ':');
    let mut next = |limit| parts.next().and_then(|part| field(part, 2, limit)).is_some();
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    next(24) && next(60) && next(60) && is_fraction
}

fn is_zone(text: &str) -> bool {
    let offset = text.strip_prefix(['+', '-']).and_then(|offset| offset.split_once(':'));
    text == "Z"
        || offset.is_some_and(|(hours, minutes)| {
            hours.len() == 2 && minutes.len() == 2 && field(hours, 2, 25).is_some() && field(minutes, 2, 60).is_some()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Scalar<'_> {
        resolve(text, Style::Plain, None).unwrap()
    }

    #[test]
    fn words_of_yaml_1_1_are_booleans_and_null() {
        for text in ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"] {
            assert_eq!(value(text), Scalar::Bool(true), "{text}");
        }
        for text in ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"] {
            assert_eq!(value(text), Scalar::Bool(false), "{text}");
        }
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(value(text), Scalar::Null, "{text:?}");
        }
        for text in ["oN", "yEs", "nUll", "nil", "truE", "ye", "~~", "none"] {
            assert_eq!(value(text), Scalar::Text(text));
        }
    }

    #[test]
    fn whole_numbers_have_go_prefixes() {
        let table = [
            ("0", 0),
            ("-0", 0),
            ("+12", 12),
            ("0755", 493),
            ("0o755", 493),
            ("0O17", 15),
            ("-0o7", -7),
            ("0x1F", 31),
            ("0Xff", 255),
            ("+0x1F", 31),
            ("0b101", 5),
            ("-0b11", -3),
            ("0b-101", -5),
            ("1_000", 1000),
            ("0_", 0),
            ("0x_1_F", 31),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ];
        for (text, expected) in table {
            assert_eq!(value(text), Scalar::Int(expected), "{text}");
        }
        assert_eq!(value("9223372036854775808"), Scalar::Uint(1 << 63));
        assert_eq!(value("0xFFFFFFFFFFFFFFFF"), Scalar::Uint(u64::MAX));
    }

    #[test]
    fn other_numbers_are_floats() {
        let table = [
            ("08", 8.0),
            ("012.5", 12.5),
            ("1.", 1.0),
            (".5", 0.5),
            ("-.5", -0.5),
            ("1e3", 1000.0),
            ("1e+3", 1000.0),
            ("12e03", 12000.0),
            ("1_000.5", 1000.5),
            ("685.230_15e+03", 685_230.15),
            ("18446744073709551616", 18_446_744_073_709_551_616.0),
            ("+9223372036854775808", 9_223_372_036_854_775_808.0),
            (".inf", f64::INFINITY),
            ("-.INF", f64::NEG_INFINITY),
        ];
        for (text, expected) in table {
            assert_eq!(value(text), Scalar::Float(expected), "{text}");
        }
        assert!(matches!(value(".nan"), Scalar::Float(nan) if nan.is_nan()));
    }

    #[test]
    fn what_only_looks_like_a_number_is_text() {
        let texts = [
            "0xZZ",
            "0x",
            "0b",
            "1e",
            "e3",
            ".",
            "..",
            "-",
            "+",
            "--1",
            "1-2",
            "1e999",
            ".5_5",
            ".e5",
            "12:30",
            "190:20:30",
            "2001-12-14",
            "3.10.0",
            "1.2.3",
            "0x1.8p3",
            "inf",
            "nan",
            "+inf",
            "infinity",
            "0xFFFFFFFFFFFFFFFFF",
        ];
        for text in texts {
            assert_eq!(value(text), Scalar::Text(text));
        }
    }

    #[test]
    fn quoted_scalars_are_text() {
        assert_eq!(resolve("1", Style::DoubleQuoted, None), Ok(Scalar::Text("1")));
        assert_eq!(resolve("", Style::SingleQuoted, None), Ok(Scalar::Text("")));
        assert_eq!(resolve("no", Style::Literal, None), Ok(Scalar::Text("no")));
    }

    #[test]
    fn a_tag_decides_the_type() {
        let table = [
            (TagKind::Str, "123", Ok(Scalar::Text("123"))),
            (TagKind::NonSpecific, "12", Ok(Scalar::Text("12"))),
            (TagKind::Int, "7", Ok(Scalar::Int(7))),
            (TagKind::Int, "7.5", Err(Mismatch)),
            (TagKind::Bool, "yes", Ok(Scalar::Bool(true))),
            (TagKind::Bool, "1", Err(Mismatch)),
            (TagKind::Float, "3", Ok(Scalar::Float(3.0))),
            (TagKind::Float, "x", Err(Mismatch)),
            (TagKind::Null, "", Ok(Scalar::Null)),
            (TagKind::Null, "x", Err(Mismatch)),
            (TagKind::Other, "12", Ok(Scalar::Text("12"))),
        ];
        for (tag, text, expected) in table {
            assert_eq!(resolve(text, Style::DoubleQuoted, Some(tag)), expected, "{tag:?} {text}");
        }
    }

    #[test]
    fn a_timestamp_tag_wants_a_timestamp() {
        for text in
            ["2001-1-2", "2001-12-14t21:59:43.10-05:00", "2001-12-14T1:5:9Z", "2001-12-14 21:59:43.1", "2000-02-29"]
        {
            assert!(is_timestamp(text), "{text}");
        }
        for text in ["", "2001", "2001-13-01", "2001-02-29", "2001-12-14 21:59:43 -5", "2001-12-14T21:59:43", "01-1-2"]
        {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
