//! The command line, as console sessions: `tests/cli/*.md`.
//!
//! Each page is played in an empty folder. A fenced block with a path is a file that is written; a `console` block
//! holds commands after `$` with what they print (standard output, then standard error) and, unless it is 0, their exit
//! code. Commands are lines for `sh`, with `plimsoll` on the path. `BLESS=1 cargo test` writes what they print.

#![cfg(unix)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

#[test]
fn every_session_prints_what_its_page_shows() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    let mut played = 0;
    for entry in std::fs::read_dir("tests/cli").expect("the folder of the pages is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path).expect("a page is text");
        let shown = play(&page);
        played += 1;
        if shown == page {
            continue;
        }
        if bless {
            std::fs::write(&path, shown).expect("a page can be written");
        } else {
            writeln!(failures, "{}:\n{}", path.display(), difference(&page, &shown)).unwrap();
        }
    }
    assert!(played > 0, "no session was found");
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn the_readme_shows_real_screens() {
    let page = std::fs::read_to_string("README.md").expect("it is there");
    let shown = play_in(&page, Path::new("."));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write("README.md", &shown).expect("it can be written");
    } else {
        assert!(shown == page, "README.md, {}", difference(&page, &shown));
    }
}

/// The page with what its commands print now.
fn play(page: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    play_in(page, folder.path())
}

fn play_in(page: &str, folder: &Path) -> String {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    let mut shown = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        writeln!(shown, "{line}").unwrap();
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if info == "console" {
            for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                writeln!(shown, "$ {command}\n{}", run(command, folder, home.path())).unwrap();
            }
            if shown.ends_with("\n\n") {
                shown.pop();
            }
        } else {
            block.iter().for_each(|line| writeln!(shown, "{line}").unwrap());
            if let Some((_, path)) = info.split_once(' ') {
                let path = folder.join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, block.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
            }
        }
        shown.push_str("```\n");
    }
    shown
}

fn run(command: &str, folder: &Path, home: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_plimsoll"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .arg("-c")
        .arg(command)
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "a")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "a@example.com")))
        .env_remove("RUST_BACKTRACE")
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "100")
        .output()
        .expect("a shell is there");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    let real = folder.canonicalize().expect("the folder is there");
    text = text.replace(&*real.to_string_lossy(), "[FOLDER]");
    text = text.replace(concat!("\"", env!("CARGO_PKG_VERSION"), "\""), "\"[VERSION]\"");
    let mut text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    match output.status.code() {
        Some(0) => {}
        Some(code) => writeln!(text, "[exit {code}]").unwrap(),
        None => writeln!(text, "[killed]").unwrap(),
    }
    text
}

/// The lines from the first that differs on, of both.
fn difference(page: &str, shown: &str) -> String {
    let same = page.lines().zip(shown.lines()).take_while(|(a, b)| a == b).count();
    let rest =
        |text: &str| text.lines().skip(same.saturating_sub(2)).take(24).map(|line| format!("  {line}\n")).collect();
    let (wanted, found): (String, String) = (rest(page), rest(shown));
    format!("from line {}\n--- page\n{wanted}--- printed\n{found}", same + 1)
}
