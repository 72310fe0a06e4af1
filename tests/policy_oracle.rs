//! What decides permissions against Go: lines of RBAC policies against its CSV reader, URLs of repositories against its URLs.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::formats::argo::policy::{self, Line};
use plimsoll::repo::url;
use random::Random;
use serde_json::json;

const CASES: usize = 30_000;

#[test]
fn urls_of_repositories_agree_with_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(92);
    let (mut valid, mut differences) = (0, Vec::new());
    for _ in 0..CASES {
        let text = address(&mut random);
        let Answer::Ok(theirs) = oracle.ask("git_url", json!({"text": text})) else { panic!("{text:?} is answered") };
        let theirs = theirs.as_str().expect("a text").to_owned();
        valid += usize::from(!theirs.is_empty());
        let ours = url::normalize(&text);
        if ours != theirs {
            differences.push(format!("{text:?}: {ours:?}, not {theirs:?}"));
        }
    }
    println!("git_url: {CASES} URLs, {valid} valid, {} differences", differences.len());
    assert!(differences.is_empty(), "{}", differences[..differences.len().min(40)].join("\n"));
    assert!(valid > CASES / 4, "too few URLs are valid: {valid}");
}

fn address(random: &mut Random) -> String {
    let mut text = String::new();
    text.push_str(random.pick(&["", "", "", " ", "\t"]));
    text.push_str(random.pick(&[
        "https://", "https://", "ssh://", "HTTP://", "oci://", "", "", "*://", "a1+b://", "1://", "://", "file:///",
    ]));
    text.push_str(random.pick(&["", "", "", "git@", "git@", "user:token@", "a@b@", "@", "gi/t@", "%61@", "ü@"]));
    text.push_str(random.pick(&[
        "github.com",
        "GitHub.com",
        "host",
        "*.example.com",
        "[::1]",
        "[::1",
        "h ost",
        "hé",
        "%68ost",
        "",
        "{a,b}",
        "h*",
        "-",
    ]));
    text.push_str(random.pick(&["", "", "", ":22", ":", ":*", ":org", ":8x", "::"]));
    for _ in 0..random.below(5) {
        text.push_str(random.pick(&["/", "/", "/", ":", "//", "?", "#", ";", "&"]));
        text.push_str(random.pick(&[
            "acme", "Fleet", "*", "**", "{a,b}", "a b", "é", "İ", "%2a", "%2", "%zz", "..", ".git", "x.git", "[a]",
            "<x>", "a@b", "!", "~u", "$x", "a=b", "\"", "^", "|", "\\", "`", "\u{7f}",
        ]));
    }
    text.push_str(random.pick(&["", "", ".git", "/", ".git/", ".GIT", " ", "\n"]));
    text
}

#[test]
fn lines_agree_with_go() {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(91);
    let mut valid = 0;
    for _ in 0..CASES {
        let text = line(&mut random);
        let read = policy::lines(&text);
        let [(place, ours)] = &read[..] else { panic!("{text:?} is one line: {read:?}") };
        let theirs = match oracle.ask("csv_line", json!({"text": &text[place.clone()]})) {
            Answer::Ok(fields) => serde_json::from_value::<Vec<String>>(fields).ok(),
            _ => None,
        };
        let accepted = theirs.filter(|fields| matches!((fields[0].as_str(), fields.len()), ("p", 6) | ("g", 3)));
        valid += usize::from(accepted.is_some());
        assert_eq!(ours.as_ref().ok().map(fields), accepted, "{text:?}");
    }
    assert!(valid > CASES / 20, "too few lines are valid: {valid}");
}

fn fields(line: &Line) -> Vec<String> {
    let (kind, fields) = match line {
        Line::Permission(line) => ("p", vec![&line.subject, &line.resource, &line.action, &line.object, &line.effect]),
        Line::Grant { member, role } => ("g", vec![member, role]),
    };
    std::iter::once(kind).chain(fields.into_iter().map(|field| field.text.as_str())).map(str::to_owned).collect()
}

fn line(random: &mut Random) -> String {
    let (kind, count) = if random.once_in(2) { ("p", 5) } else { ("g", 2) };
    let count = if random.once_in(12) { random.below(8) } else { count };
    let mut text = random.pick(&[kind, kind, kind, kind, "\"p\"", "p2", "x"]).to_owned();
    for _ in 0..count {
        text.push_str(random.pick(&[",", ", ", ", ", ",\t", " ,"]));
        let field =
            ["a", "role:x", "web/*", "é", "", "\"a, b\"", "\"a\"\"b\"", "\"\"", "a b ", "#", "a\"b", "\"a", "\"a\" "];
        let known = if random.once_in(8) { field.len() } else { 8 };
        text.push_str(random.pick(&field[..known]));
    }
    text
}
