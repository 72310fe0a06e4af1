//! `plimsoll check`.

use super::args::{Check, Format};
use super::{CLEAN, FOUND, UNREAD, USAGE};
use crate::engine::{self, Opened, Report, Request, State};
use crate::finding::{RuleId, Severity};
use crate::report::{View, checkstyle, concise, escape, github, gitlab, human, json, junit, markdown, sarif, summary};
use anyhow::{Context as _, Result};
use std::io::Write;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Checks what is asked for, and reports.
pub fn run(args: &Check) -> Result<u8> {
    if let Some(threads) = args.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global();
        pool.context("cannot start the threads")?;
    }
    let start = Instant::now();
    let opened = open(args)?;
    let listed = start.elapsed();
    let Opened { snapshot, settings, base, notes } = opened;
    let report = match base {
        Some(base) => engine::check_since(snapshot, base, &settings),
        None => engine::check(snapshot, &settings),
    };
    let start = Instant::now();
    let view = View {
        show: args.show,
        verbose: args.verbose,
        color: args.output_file.is_none() && args.color.is_on() && args.format == Format::Human,
    };
    write_report(args, &report, &notes, view)?;
    if args.timings {
        let steps = [("list", listed)].into_iter().chain(report.timings.iter().copied());
        let lines = steps.chain([("report", start.elapsed())]);
        let lines = lines.map(|(step, time)| format!("{:>8.1} ms {step}", time.as_secs_f64() * 1000.0));
        super::to_stderr(&lines.collect::<Vec<_>>());
    }
    let code = exit_code(args, &report);
    // The process ends here: taking a large model apart piece by piece would only cost time.
    std::mem::forget(report);
    Ok(code)
}

fn open(args: &Check) -> Result<Opened> {
    let state = match &args.rev {
        Some(revision) => State::Commit(revision.clone()),
        None if args.staged => State::Index,
        None => State::WorkTree,
    };
    let request = Request { state, since: args.since.clone(), ..args.roots.request()? };
    let mut opened = engine::open(&request)?;
    if !args.select.is_empty() {
        opened.settings.selected = Some(args.select.iter().map(|rule| rule.id).collect());
    }
    opened.settings.ignored = args.ignore.iter().map(|rule| rule.id).collect();
    opened.settings.today = today();
    Ok(opened)
}

/// Wrong configuration outweighs what could not be read, and that outweighs what was found.
fn exit_code(args: &Check, report: &Report) -> u8 {
    let is_misconfigured = |judged: &engine::Judged| {
        judged.finding.rule == RuleId("bad-configuration") && judged.severity == Severity::Error
    };
    if report.findings.iter().any(is_misconfigured) {
        USAGE
    } else if report.is_incomplete {
        UNREAD
    } else if report.findings.iter().any(|judged| args.fail_on.fails(judged.severity)) {
        FOUND
    } else {
        CLEAN
    }
}

/// The findings go where the report goes; for people the summary follows them, else it goes to standard error.
fn write_report(args: &Check, report: &Report, notes: &[String], view: View) -> Result<()> {
    let mut text: Vec<u8> = Vec::new();
    match args.format {
        Format::Human => human::write(report, view, &mut text)?,
        Format::Concise => concise::write(report, view, &mut text)?,
        Format::Json => json::write(report, &mut text)?,
        Format::Sarif => sarif::write(report, &mut text)?,
        Format::Gitlab => gitlab::write(report, &mut text)?,
        Format::Github => github::write(report, &mut text)?,
        Format::Junit => junit::write(report, &mut text)?,
        Format::Checkstyle => checkstyle::write(report, &mut text)?,
        Format::Markdown => markdown::write(report, &mut text)?,
    }
    let mut lines: Vec<String> = Vec::new();
    if args.statistics {
        lines.extend(summary::statistics(report));
    }
    if !args.quiet {
        match args.format {
            Format::Human => lines.extend(summary::lines(report, notes, view)),
            Format::Concise => {
                lines.push(summary::counts(&report.summary, view));
                lines.extend(summary::nothing_found(report));
            }
            _ => {}
        }
        if args.format != Format::Human {
            lines.extend(notes.iter().map(|note| format!("note: {}", escape(note))));
        }
    }
    if let Some(file) = &args.output_file {
        let written = std::fs::write(file, &text);
        written.with_context(|| format!("cannot write the report to `{}`", file.display()))?;
        super::to_stderr(&lines);
        return Ok(());
    }
    if args.format == Format::Human {
        lines.iter().try_for_each(|line| writeln!(text, "{line}"))?;
        lines.clear();
    }
    super::print(|out| out.write_all(&text))?;
    super::to_stderr(&lines);
    Ok(())
}

/// The day of the run in UTC, as `2026-01-31`.
fn today() -> Option<String> {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs() / 86_400;
    Some(date(days))
}

/// The day that is so many days after 1970-01-01, in the calendar of today: years begin in March, so that the day
/// that leap years add is the last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(59), "1970-03-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_484), "2026-01-31");
    }
}
