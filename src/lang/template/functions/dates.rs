//! Dates and durations: what depends on the clock or the zone of the controller is unknown.
//!
//! Mirrors sprig 3.3, date.go.

use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::{Datum, IntKind};
use crate::lang::template::literal::{BadNumber, parse_int};

use Type::{Any, String as Text};

const TIME: Type = Type::Opaque("time.Time");
const CLOCK: &str = "the clock";
const ZONE: &str = "a date in the controller's time zone";

pub(super) const TABLE: &[Function] = &[
    Function::undecidable("ago", &[Any], CLOCK),
    Function::undecidable("date", &[Text, Any], ZONE),
    Function::undecidable("dateInZone", &[Text, Any, Text], ZONE),
    Function::undecidable("dateModify", &[Text, TIME], ZONE),
    Function::undecidable("date_in_zone", &[Text, Any, Text], ZONE),
    Function::undecidable("date_modify", &[Text, TIME], ZONE),
    Function::new("duration", &[Any], |call| {
        let seconds = match call.any(0) {
            Datum::String(text) => saturating(text),
            Datum::Int(IntKind::Int64, value) => *value,
            _ => 0,
        };
        call.env.text(shown(seconds.wrapping_mul(SECOND)))
    }),
    Function::new("durationRound", &[Any], rounded),
    Function::undecidable("htmlDate", &[Any], ZONE),
    Function::undecidable("htmlDateInZone", &[Any, Text], ZONE),
    Function::undecidable("mustDateModify", &[Text, TIME], ZONE),
    Function::undecidable("mustToDate", &[Text, Text], ZONE),
    Function::undecidable("must_date_modify", &[Text, TIME], ZONE),
    Function::undecidable("now", &[], CLOCK),
    Function::undecidable("toDate", &[Text, Text], ZONE),
    Function::undecidable("unixEpoch", &[TIME], ZONE),
];

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// `strconv.ParseInt` with its error dropped: a number too large is the largest one.
fn saturating(text: &str) -> i64 {
    match parse_int(text, 10) {
        Ok(value) => value,
        Err(BadNumber::Range) if text.starts_with('-') => i64::MIN,
        Err(BadNumber::Range) => i64::MAX,
        Err(BadNumber::Syntax) => 0,
    }
}

/// `1h2m3.5s`, as Go prints a duration of so many nanoseconds.
fn shown(nanoseconds: i64) -> String {
    let (sign, left) = (if nanoseconds < 0 { "-" } else { "" }, nanoseconds.unsigned_abs());
    let second = SECOND as u64;
    if left < second {
        return match left {
            0 => "0s".into(),
            1..1_000 => format!("{sign}{left}ns"),
            1_000..1_000_000 => format!("{sign}{}µs", decimal(left, 1_000)),
            _ => format!("{sign}{}ms", decimal(left, 1_000_000)),
        };
    }
    let seconds = decimal(left % (60 * second), second);
    let minutes = left / (60 * second);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

/// `value / unit` without zeros at the end.
fn decimal(value: u64, unit: u64) -> String {
    let digits = unit.to_string().len() - 1;
    let text = format!("{}.{:0digits$}", value / unit, value % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The largest unit of a duration that fits more than once, and how often.
fn rounded(call: &Call<'_>) -> Outcome {
    let duration = match call.any(0) {
        Datum::String(text) => parse(text).unwrap_or(0),
        Datum::Int(IntKind::Int64, value) => *value,
        _ => 0,
    };
    let duration = duration.unsigned_abs();
    let day = 24 * HOUR as u64;
    let units = [
        (365 * day, "y"),
        (30 * day, "mo"),
        (day, "d"),
        (HOUR as u64, "h"),
        (MINUTE as u64, "m"),
        (SECOND as u64, "s"),
    ];
    let fitting = units.iter().find(|(unit, _)| duration > *unit);
    call.env.text(fitting.map_or("0s".to_owned(), |(unit, name)| format!("{}{name}", duration / unit)))
}

/// `time.ParseDuration`; none where it fails.
fn parse(text: &str) -> Option<i64> {
    let (is_negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let whole = rest.bytes().take_while(is_digit).count();
        let value: u64 = if whole == 0 { 0 } else { rest[..whole].parse().ok().filter(|value| *value <= 1 << 63)? };
        let mut after = &rest[whole..];
        let mut fraction = "";
        if let Some(digits) = after.strip_prefix('.') {
            let count = digits.bytes().take_while(is_digit).count();
            (fraction, after) = digits.split_at(count);
        }
        if whole == 0 && fraction.is_empty() {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let unit: u64 = match &after[..end] {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => SECOND as u64,
            "m" => MINUTE as u64,
            "h" => HOUR as u64,
            _ => return None,
        };
        rest = &after[end..];
        // Digits that cannot matter any more are cut, as in Go.
        let kept = &fraction[..fraction.len().min(18)];
        let part =
            kept.parse::<u64>().map_or(0.0, |digits| digits as f64 * (unit as f64 / 10_f64.powi(kept.len() as i32)));
        total = total.checked_add(value.checked_mul(unit)?)?.checked_add(part as u64)?;
        if total > 1 << 63 {
            return None;
        }
    }
    if is_negative {
        return Some((total as i64).wrapping_neg());
    }
    i64::try_from(total).ok()
}
