//! Completions and the manual page, read by the real shells and by a real formatter, where they are installed.

#![cfg(unix)]

use std::process::Command;

/// What a program prints, run in a folder where `_plimsoll` holds what ours prints; nothing when it is not installed.
fn answer(shell: &str, what: &[&str], arguments: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let printed = Command::new(env!("CARGO_BIN_EXE_plimsoll")).args(what).output().expect("the program was built");
    assert!(printed.status.success());
    std::fs::write(folder.path().join("_plimsoll"), printed.stdout).expect("a file can be written");
    let Ok(output) = Command::new(shell).args(arguments).current_dir(folder.path()).output() else {
        println!("skipped: {shell} cannot be run");
        return None;
    };
    assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn bash_completes_formats() {
    let script = "source ./_plimsoll; COMP_WORDS=(plimsoll check --format sa); COMP_CWORD=3; \
                  _plimsoll plimsoll sa --format; echo \"${COMPREPLY[@]}\"";
    if let Some(text) = answer("bash", &["completions", "bash"], &["--norc", "-c", script]) {
        assert_eq!(text.trim(), "sarif");
    }
}

#[test]
fn zsh_loads_the_completions() {
    let script = "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; autoload +X _plimsoll; \
                  echo $_comps[plimsoll]";
    if let Some(text) = answer("zsh", &["completions", "zsh"], &["-f", "-c", script]) {
        assert_eq!(text.trim(), "_plimsoll");
    }
}

#[test]
fn fish_completes_formats() {
    let script = "source ./_plimsoll; complete -C 'plimsoll check --format sar'";
    if let Some(text) = answer("fish", &["completions", "fish"], &["--no-config", "-c", script]) {
        assert!(text.starts_with("sarif\t"), "{text}");
    }
}

#[test]
fn the_manual_is_a_page() {
    if let Some(text) = answer("mandoc", &["man"], &["-T", "utf8", "-W", "error,stop", "_plimsoll"]) {
        // Bold is a letter, a backspace and the letter again.
        let parts: Vec<&str> = text.split('\u{8}').collect();
        let (last, bold) = parts.split_last().expect("a split has a piece");
        let mut text: String =
            bold.iter().map(|part| &part[..part.len() - part.chars().last().map_or(0, char::len_utf8)]).collect();
        text += last;
        assert!(text.contains("PLIMSOLL CHECK") && text.contains("checkstyle"), "{text}");
    }
}
