//! Syntax errors in words: `testdata/yaml/errors.md` holds broken texts and what is said about them.

use plimsoll::text::{FileId, LineIndex};
use plimsoll::yaml::parse;
use std::fmt::Write as _;
use std::fs;

const PAGE: &str = "testdata/yaml/errors.md";

/// All that is said about a text.
fn errors_of(text: &str) -> String {
    let tree = parse(FileId(0), text.into());
    let lines = LineIndex::new(text);
    let place = |start: u32, end: u32| {
        let at = lines.position(text, start);
        format!("{}:{} `{}`", at.line, at.column, text[start as usize..end as usize].escape_debug())
    };
    let mut said = String::new();
    for error in tree.errors() {
        writeln!(said, "{}: {}", place(error.start, error.end), error.message).unwrap();
        if let Some(help) = &error.help {
            writeln!(said, "  help: {help}").unwrap();
        }
        if let Some((start, end, what)) = error.related {
            writeln!(said, "  {}: {what}", place(start, end)).unwrap();
        }
    }
    said
}

/// The page with its `error` blocks written anew, and how many there are.
fn renew(page: &str) -> (String, usize) {
    let mut renewed = String::new();
    let mut rest = page;
    let mut count = 0;
    while let Some((before, from)) = rest.split_once("```yaml\n") {
        let (text, after) = from.split_once("```\n```error\n").expect("an error block follows");
        let (_, after) = after.split_once("```\n").expect("the error block ends");
        write!(renewed, "{before}```yaml\n{text}```\n```error\n{}```\n", errors_of(text)).unwrap();
        (rest, count) = (after, count + 1);
    }
    renewed.push_str(rest);
    (renewed, count)
}

#[test]
fn errors_point_at_the_mistake_and_say_what_to_do() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (renewed, count) = renew(&page);
    if std::env::var_os("BLESS").is_some() {
        fs::write(PAGE, &renewed).unwrap();
        return;
    }
    assert!(count > 50);
    for (old, new) in page.split("```yaml\n").zip(renewed.split("```yaml\n")) {
        assert_eq!(old, new);
    }
}

#[test]
fn messages_keep_the_style_of_the_house() {
    let page = fs::read_to_string(PAGE).unwrap();
    for text in page.split("```yaml\n").skip(1) {
        let text = text.split("```\n").next().unwrap();
        let tree = parse(FileId(0), text.into());
        assert!(!tree.errors().is_empty(), "{text}");
        for error in tree.errors() {
            for words in std::iter::once(&error.message).chain(&error.help) {
                let is_plain = !words.contains('\n') && !words.ends_with('.') && !words.is_empty();
                let starts_small = !words.starts_with(char::is_uppercase) || words.starts_with("Kubernetes");
                assert!(is_plain && starts_small && words.chars().count() <= 100, "{words}");
            }
        }
    }
}
