//! Cron schedules of five fields: minute, hour, day of month, month, day of week.
//!
//! Mirrors robfig/cron 3.0.1, a parser made of `Minute | Hour | Dom | Month | Dow`, as Argo CD 3.6 makes it: names for
//! months and days, no seconds, no `@daily`. The parser is a port and no crate: which schedules it takes decides, and
//! those of other libraries differ (`7` for Sunday, `L`, `#`, a step without a range).

use super::time_zone;
use std::fmt;

/// A schedule: the values that each field admits, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Minutes, 0 to 59.
    pub minutes: Bits,
    /// Hours, 0 to 23.
    pub hours: Bits,
    /// Days of the month, 1 to 31.
    pub days: Bits,
    /// Months, 1 to 12.
    pub months: Bits,
    /// Days of the week, 0 (Sunday) to 6.
    pub weekdays: Bits,
}

/// The values of one field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// Bit `n` is set when `n` is admitted.
    pub values: u64,
    /// Whether the field says `*` or `?`, which leaves the choice of days to the other field of days.
    pub is_star: bool,
}

/// Why a schedule is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadSchedule {
    /// It is the empty text.
    Empty,
    /// It begins with `@`.
    Descriptor,
    /// It has this many fields.
    Fields(usize),
    /// It begins with a time zone that is none, or with nothing else.
    TimeZone,
    /// A part of this field is not what the field takes.
    Part {
        /// The field, 0 to 4.
        field: usize,
        /// The part as written.
        part: String,
        /// What is wrong with it.
        why: BadPart,
    },
}

/// What is wrong with a part of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadPart {
    /// It is neither a number nor a name of the field.
    NoNumber,
    /// It has more than one hyphen.
    Hyphens,
    /// It has more than one slash.
    Slashes,
    /// It is outside of the values of the field.
    Range,
    /// It ends before it begins.
    Order,
    /// Its step is zero.
    Step,
}

/// A field: its name, its least and greatest value, the names of its values.
struct Field {
    name: &'static str,
    least: u64,
    greatest: u64,
    names: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { name: "minute", least: 0, greatest: 59, names: &[] },
    Field { name: "hour", least: 0, greatest: 23, names: &[] },
    Field { name: "day of month", least: 1, greatest: 31, names: &[] },
    Field {
        name: "month",
        least: 1,
        greatest: 12,
        names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
    },
    Field { name: "day of week", least: 0, greatest: 6, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

impl Schedule {
    /// Reads a schedule.
    ///
    /// # Errors
    /// Exactly where the library refuses it, or panics: at a time zone that nothing follows.
    pub fn parse(text: &str) -> Result<Schedule, BadSchedule> {
        if text.is_empty() {
            return Err(BadSchedule::Empty);
        }
        let text = match text.strip_prefix("TZ=").or_else(|| text.strip_prefix("CRON_TZ=")) {
            Some(rest) => {
                let (zone, rest) = rest.split_once(' ').ok_or(BadSchedule::TimeZone)?;
                if !time_zone::exists(zone) {
                    return Err(BadSchedule::TimeZone);
                }
                rest.trim()
            }
            None => text,
        };
        if text.starts_with('@') {
            return Err(BadSchedule::Descriptor);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = words[..] else {
            return Err(BadSchedule::Fields(words.len()));
        };
        Ok(Schedule {
            minutes: field(minutes, 0)?,
            hours: field(hours, 1)?,
            days: field(days, 2)?,
            months: field(months, 3)?,
            weekdays: field(weekdays, 4)?,
        })
    }

    /// Whether some moment fits: a list may be empty, and the 30th of February never comes.
    pub fn has_moment(&self) -> bool {
        let [minutes, hours, days, months, weekdays] =
            [self.minutes, self.hours, self.days, self.months, self.weekdays].map(|bits| bits.values);
        let has_date = (1..=12).filter(|month| months >> month & 1 == 1).any(|month| {
            let length = match month {
                2 => 29,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            days & ((1 << (length + 1)) - 1) != 0
        });
        let has_day = if self.days.is_star || self.weekdays.is_star {
            has_date && weekdays != 0
        } else {
            has_date || (weekdays != 0 && months != 0)
        };
        minutes != 0 && hours != 0 && has_day
    }
}

fn field(text: &str, field: usize) -> Result<Bits, BadSchedule> {
    let mut bits = Bits::default();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let found =
            range(part, &FIELDS[field]).map_err(|why| BadSchedule::Part { field, part: part.to_owned(), why })?;
        bits.values |= found.values;
        bits.is_star |= found.is_star;
    }
    Ok(bits)
}

fn range(part: &str, field: &Field) -> Result<Bits, BadPart> {
    let mut pieces = part.split('/');
    let (range, step, surplus) = (pieces.next().unwrap_or_default(), pieces.next(), pieces.next());
    let ends: Vec<&str> = range.split('-').collect();
    // Whatever follows a star and a hyphen is not looked at.
    let is_star = matches!(ends[0], "*" | "?");
    let (least, mut greatest) = match ends[..] {
        _ if is_star => (field.least, field.greatest),
        [one] => (value(one, field)?, value(one, field)?),
        [least, greatest] => (value(least, field)?, value(greatest, field)?),
        _ => return Err(BadPart::Hyphens),
    };
    let step = match step {
        None => 1,
        Some(_) if surplus.is_some() => return Err(BadPart::Slashes),
        Some(step) => {
            if ends.len() == 1 {
                greatest = field.greatest;
            }
            number(step)?
        }
    };
    if least < field.least || greatest > field.greatest {
        return Err(BadPart::Range);
    }
    if least > greatest {
        return Err(BadPart::Order);
    }
    if step == 0 {
        return Err(BadPart::Step);
    }
    let values =
        (least..=greatest).step_by(usize::try_from(step).unwrap_or(usize::MAX)).fold(0, |bits, at| bits | 1 << at);
    Ok(Bits { values, is_star: is_star && step == 1 })
}

fn value(text: &str, field: &Field) -> Result<u64, BadPart> {
    let named = field.names.iter().zip(field.least..).find(|(name, _)| **name == text.to_lowercase());
    named.map_or_else(|| number(text), |(_, value)| Ok(value))
}

/// A whole number with an optional sign, not negative. Mirrors Go's `strconv.Atoi`.
fn number(text: &str) -> Result<u64, BadPart> {
    let number: i64 = text.parse().map_err(|_| BadPart::NoNumber)?;
    u64::try_from(number).map_err(|_| BadPart::NoNumber)
}

impl fmt::Display for BadSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSchedule::Empty => f.write_str("it is empty"),
            BadSchedule::Descriptor => f.write_str("names that begin with `@` are not accepted here"),
            BadSchedule::Fields(1) => f.write_str("it has 1 field, not 5"),
            BadSchedule::Fields(count) => write!(f, "it has {count} fields, not 5"),
            BadSchedule::TimeZone => f.write_str("its time zone does not exist"),
            BadSchedule::Part { field, part, why } => {
                let Field { name, least, greatest, names } = &FIELDS[*field];
                match why {
                    BadPart::NoNumber if names.is_empty() => write!(f, "`{part}` is no {name}"),
                    BadPart::NoNumber => write!(f, "`{part}` is no {name}, neither a number nor a name"),
                    BadPart::Hyphens => write!(f, "`{part}` has too many hyphens"),
                    BadPart::Slashes => write!(f, "`{part}` has too many slashes"),
                    BadPart::Range => write!(f, "the {name} `{part}` is not within {least} and {greatest}"),
                    BadPart::Order => write!(f, "the {name} `{part}` ends before it begins"),
                    BadPart::Step => write!(f, "the step of `{part}` is 0"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<u64> {
        let bits = Schedule::parse(&format!("{text} * * * *")).unwrap().minutes;
        (0..60).filter(|value| bits.values >> value & 1 == 1).collect()
    }

    fn error(text: &str) -> String {
        Schedule::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn lists_ranges_and_steps_are_joined() {
        assert_eq!(values("1,3-5"), [1, 3, 4, 5]);
        assert_eq!(values("50/5"), [50, 55]);
        assert_eq!(values("10-20/5"), [10, 15, 20]);
        assert_eq!(values("*/20"), [0, 20, 40]);
    }

    #[test]
    fn months_and_days_have_names() {
        let schedule = Schedule::parse("0 0 ? JAN-mar Sun,fri").unwrap();
        assert_eq!((schedule.months.values, schedule.weekdays.values), (0b1110, 0b10_0001));
        assert!(schedule.days.is_star);
    }

    #[test]
    fn what_is_refused_says_why() {
        assert_eq!(error(""), "it is empty");
        assert_eq!(error("@daily"), "names that begin with `@` are not accepted here");
        assert_eq!(error("0 0 * * * *"), "it has 6 fields, not 5");
        assert_eq!(error("0 24 * * *"), "the hour `24` is not within 0 and 23");
        assert_eq!(error("0 0 * * 7"), "the day of week `7` is not within 0 and 6");
        assert_eq!(error("0 0 * * fri-mon"), "the day of week `fri-mon` ends before it begins");
        assert_eq!(error("x 0 * * *"), "`x` is no minute");
        assert_eq!(error("*/0 0 * * *"), "the step of `*/0` is 0");
        assert_eq!(error("1/2/3 0 * * *"), "`1/2/3` has too many slashes");
        assert_eq!(error("TZ=Mars/Base 0 0 * * *"), "its time zone does not exist");
    }

    #[test]
    fn some_days_never_come() {
        assert!(Schedule::parse("0 0 29 2 *").unwrap().has_moment());
        assert!(!Schedule::parse("0 0 30 2 *").unwrap().has_moment());
        assert!(!Schedule::parse("0 0 31 4,6,9,11 *").unwrap().has_moment());
        assert!(!Schedule::parse(", 0 * * *").unwrap().has_moment());
    }

    #[test]
    fn one_of_two_fields_of_days_is_enough() {
        assert!(Schedule::parse("0 0 30 2 mon").unwrap().has_moment());
        assert!(!Schedule::parse("0 0 30 2 ?").unwrap().has_moment());
    }
}
