//! Dates and durations: what depends on the clock or the zone of the controller is unknown.
//!
//! Mirrors sprig 3.3, date.go.

use super::{Call, Function, Outcome, Type};
use crate::lang::duration;
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
        Datum::String(text) => duration::parse(text).unwrap_or(0),
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
