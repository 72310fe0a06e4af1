//! Schedules, durations and time zones of sync windows against the libraries that read them.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::lang::cron::{Bits, Schedule};
use plimsoll::lang::{duration, time_zone};
use random::Random;
use serde_json::{Value, json};

const CASES: usize = 20_000;

#[test]
fn schedules_agree_with_the_library() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(81);
    let (mut valid, mut differences) = (0, Vec::new());
    for _ in 0..CASES {
        let text = schedule(&mut random);
        let theirs = match oracle.ask("cron", json!({"text": text})) {
            Answer::Ok(value) => Some(value),
            // A time zone that nothing follows makes the library panic.
            Answer::Error(_) | Answer::Panic(_) => None,
        };
        let ours = Schedule::parse(&text).ok().map(|schedule| described(&schedule));
        valid += usize::from(theirs.is_some());
        if ours != theirs {
            differences.push(format!("{text:?}: {ours:?}, not {theirs:?}"));
        }
    }
    println!("cron: {CASES} schedules, {valid} valid, {} differences", differences.len());
    assert!(differences.is_empty(), "{:#?}", &differences[..differences.len().min(20)]);
    assert!(valid > CASES / 20, "too few schedules are valid: {valid}");
}

#[test]
fn durations_agree_with_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(82);
    let parts =
        ["1", "30", "0", "1.5", ".", "h", "m", "s", "ms", "us", "µs", "ns", "d", "-", "+", " ", "9223372036", "H"];
    let mut valid = 0;
    for _ in 0..CASES {
        let text: String = (0..1 + random.below(5)).map(|_| random.pick(&parts)).collect();
        let theirs = match oracle.ask("duration", json!({"text": text})) {
            Answer::Ok(value) => value.as_i64(),
            _ => None,
        };
        valid += usize::from(theirs.is_some());
        assert_eq!(duration::parse(&text), theirs, "{text:?}");
    }
    assert!(valid > CASES / 50, "too few durations are valid: {valid}");
}

#[test]
fn time_zones_agree_with_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let others =
        ["", "Local", "utc", "Europe", "Europe/Berlin ", "europe/berlin", "CEST", "GMT+1", "../UTC", "/UTC", "EST5EDT"];
    for name in time_zone::names().chain(others) {
        let Answer::Ok(Value::Bool(theirs)) = oracle.ask("time_zone", json!({"text": name})) else { panic!("{name}") };
        assert_eq!(time_zone::exists(name), theirs, "{name:?}");
    }
}

fn described(schedule: &Schedule) -> Value {
    let bits = |bits: Bits| bits.values | u64::from(bits.is_star) << 63;
    let fields = [schedule.minutes, schedule.hours, schedule.days, schedule.months, schedule.weekdays].map(bits);
    json!({"fields": fields, "comes": schedule.has_moment()})
}

fn schedule(random: &mut Random) -> String {
    let prefixes = ["TZ=UTC ", "CRON_TZ=Europe/Berlin ", "TZ=Mars ", "TZ=UTC", "TZ= ", "@daily", " "];
    let prefix = if random.once_in(12) { random.pick(&prefixes) } else { "" };
    let count = if random.once_in(15) { 4 + random.below(3) } else { 5 };
    let fields: Vec<String> = (0..count).map(|field| list(random, field)).collect();
    let between = if random.once_in(20) { random.pick(&["  ", "\t", "\n"]) } else { " " };
    format!("{prefix}{}", fields.join(between))
}

fn list(random: &mut Random, field: usize) -> String {
    let parts: Vec<String> = (0..1 + random.below(2)).map(|_| part(random, field)).collect();
    parts.join(if random.once_in(10) { ",," } else { "," })
}

fn part(random: &mut Random, field: usize) -> String {
    if random.once_in(3) {
        return random.pick(&["*", "?", "*/2", "*/1", "*-5", "", "L"]).to_owned();
    }
    let mut text = value(random, field);
    if random.once_in(3) {
        text = format!("{text}-{}", value(random, field));
    }
    if random.once_in(5) {
        text = format!("{text}/{}", random.pick(&["1", "2", "15", "0", "x", "99", "1/2"]));
    }
    text
}

fn value(random: &mut Random, field: usize) -> String {
    let names: &[&str] = match field {
        3 => &["jan", "FEB", "Mar", "dec", "sun"],
        4 => &["sun", "MON", "Fri", "sat", "jan", "7"],
        _ => &["-1", "+3", "x", "60", "03"],
    };
    if random.once_in(6) {
        return random.pick(names).to_owned();
    }
    let greatest = [60, 24, 32, 13, 7][field.min(4)];
    (random.below(greatest)).to_string()
}
