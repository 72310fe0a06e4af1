//! The command line: it reads what is asked for, calls the floors below, and writes what they say.
//!
//! No judgement lives here. Every error is a sentence that says what is wrong, where, and what to do; the exit code
//! is 0 without findings at or above `--fail-on`, 1 with, 2 for wrong usage or configuration, 3 when something could
//! not be read.

mod apps;
mod args;
mod check;
mod explain;
mod markdown;
mod owners;
mod schema;
mod why;

use crate::engine::{Model, Settings};
use crate::report::{Location, escape};
use crate::text::Span;
use args::{Args, Command};
use clap::{CommandFactory as _, Parser as _};
use clap_mangen::Man;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Nothing at or above `--fail-on`.
const CLEAN: u8 = 0;
/// Findings at or above `--fail-on`.
const FOUND: u8 = 1;
/// Wrong usage or configuration.
const USAGE: u8 = 2;
/// Something could not be read.
const UNREAD: u8 = 3;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        // A rule that panics is reported as a finding; the default message would come on top of it.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let code = catch_unwind(AssertUnwindSafe(|| run(Args::parse()))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it said nothing");
        complain(&format!("plimsoll failed: {said}; report this as a bug, with RUST_BACKTRACE=1 set"));
        UNREAD
    });
    ExitCode::from(code)
}

fn run(args: Args) -> u8 {
    let result = match args.command {
        Command::Check(check) => check::run(&check),
        Command::Apps(apps) => apps::run(&apps),
        Command::Owners(owners) => owners::run(&owners),
        Command::Why(why) => why::run(&why),
        Command::Explain(explain) => explain::run(&explain),
        Command::Rules(rules) => explain::list(rules.format),
        Command::Schema { which } => print(|out| out.write_all(schema::text(which).as_bytes())),
        Command::Completions { shell } => print(|out| {
            clap_complete::generate(shell, &mut Args::command(), "plimsoll", out);
            Ok(())
        }),
        Command::Man => print(manual),
    };
    result.unwrap_or_else(|error| {
        complain(&format!("{error:#}"));
        USAGE
    })
}

/// Writes the manual page: the program, then each command as a section of its own.
fn manual(out: &mut dyn Write) -> io::Result<()> {
    let mut program = Args::command();
    program.build();
    let page = Man::new(program.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        writeln!(out, ".SH \"PLIMSOLL {}\"", command.get_name().to_uppercase())?;
        let page = Man::new(command.clone());
        let mut sections = Vec::new();
        page.render_description_section(&mut sections)?;
        page.render_synopsis_section(&mut sections)?;
        page.render_options_section(&mut sections)?;
        // The page has defined its quotes above.
        let is_setup = |line: &&str| line.starts_with(".ie ") || line.starts_with(".el ");
        for line in String::from_utf8_lossy(&sections).lines().filter(|line| !is_setup(line)) {
            match line.strip_prefix(".SH ") {
                // The heading above says what it is.
                Some("DESCRIPTION") => {}
                Some(section) => writeln!(out, ".SS {section}")?,
                None => writeln!(out, "{line}")?,
            }
        }
    }
    page.render_version_section(out)
}

/// Writes to standard output. A reader that went away is no error: it has seen enough.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    write(&mut text)?;
    let mut out = io::stdout().lock();
    match out.write_all(&text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to standard output"))
        }
        _ => Ok(CLEAN),
    }
}

/// Lines beside the report; when standard error is closed there is nobody to tell.
fn to_stderr(lines: &[String]) {
    let mut out = io::stderr().lock();
    for line in lines {
        let _ = writeln!(out, "{line}");
    }
}

/// Adds what went wrong while a model was built, writes the lines, and gives the exit code.
fn conclude(model: &Model, settings: &Settings, mut lines: Vec<String>) -> u8 {
    for (place, mistake) in &settings.mistakes {
        let file = model.repo.listed(place.root, &place.path);
        let line = file.map_or(1, |file| Location::of(&model.repo, Span { file, ..mistake.span }).start.line);
        let help = mistake.help.iter().map(|help| format!("; {}", escape(help)));
        let help: String = help.collect();
        lines.push(format!("error: {}:{line}: {}{help}", escape(place.path.as_str()), escape(&mistake.message)));
    }
    for file in &model.refused {
        lines.push(format!("error: `{}` could not be read", escape(&model.repo.display_path(model.repo.entry(*file)))));
    }
    to_stderr(&lines);
    if !settings.mistakes.is_empty() {
        USAGE
    } else if !model.refused.is_empty() || !model.failures.is_empty() {
        UNREAD
    } else {
        CLEAN
    }
}

/// Writes a sentence to standard error; when that is closed there is nobody to tell.
fn complain(sentence: &str) {
    let _ = writeln!(io::stderr(), "error: {}", escape(sentence));
}
