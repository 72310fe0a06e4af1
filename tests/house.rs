//! The house rules, held to the code: floors, purity, names, messages, pages, sizes.

use plimsoll::rules::{RULES, Run};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The floors, from the ground up. A file may use what is on its own floor's folder and below.
const FLOORS: &[(&str, u32)] = &[
    ("text", 0),
    ("finding", 1),
    ("value", 1),
    ("yaml", 1),
    ("lang", 2),
    ("formats", 2),
    ("repo", 3),
    ("fleet", 4),
    ("layout", 4),
    ("near", 5),
    ("rules", 6),
    ("engine", 7),
    ("report", 8),
    ("views", 8),
    ("cli", 9),
    ("lsp", 9),
    ("main", 9),
];
/// The highest floor that touches nothing of the world.
const PURE: u32 = 6;
/// What a pure file does not name.
const WORLD: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "TcpStream",
    "UdpSocket",
    "ToSocketAddrs",
    "rayon",
    "println!",
    "eprintln!",
    "print!(",
    "dbg!",
];
/// Lines of a source file.
const LINES: usize = 600;
/// The sections of a page, in order.
const SECTIONS: &[&str] = &["Why", "Bad", "Good", "Options", "Notes"];
/// Characters of a message.
const MESSAGE: usize = 100;

/// One file of `src/`.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// The name of its folder in `src/`, or of itself.
    fn floor(&self) -> Option<(&'static str, u32)> {
        let inside = self.path.strip_prefix("src").unwrap();
        let first = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        FLOORS.iter().copied().find(|(name, _)| *name == first)
    }

    /// Its lines with their numbers, without comments and without the tests at its end.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(number, line)| (number + 1, line));
        let end = self.text.find("#[cfg(test)]\nmod tests {").map_or(usize::MAX, |at| self.text[..at].lines().count());
        lines.take(end).filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// Whether a module declares this file as its tests.
    fn is_test(&self) -> bool {
        let declaration = format!("#[cfg(test)]\nmod {};", self.path.file_stem().unwrap().to_str().unwrap());
        let parent = std::fs::read_to_string(self.path.with_file_name("mod.rs")).unwrap_or_default();
        parent.contains(&declaration)
    }

    fn at(&self, number: usize) -> String {
        format!("{}:{number}", self.path.display())
    }
}

fn sources() -> Vec<Source> {
    let read = |path: PathBuf| Source { text: std::fs::read_to_string(&path).unwrap(), path };
    files("src", "rs").into_iter().map(read).filter(|source| !source.is_test()).collect()
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty());
    files
}

fn demand(slips: String) {
    assert!(slips.is_empty(), "\n{slips}");
}

#[test]
fn no_file_uses_a_floor_above_it() {
    let mut slips = String::new();
    for source in sources() {
        let Some((own, floor)) = source.floor() else {
            assert_eq!(source.path, Path::new("src/lib.rs"), "a folder of src/ has a floor");
            continue;
        };
        for (number, line) in source.code() {
            for rest in line.split("crate::").skip(1) {
                let used = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                let Some((name, above)) = FLOORS.iter().find(|(name, _)| *name == used) else { continue };
                if *above > floor {
                    writeln!(slips, "{}: {own} (floor {floor}) uses {name} (floor {above})", source.at(number))
                        .unwrap();
                }
            }
        }
    }
    demand(slips);
}

#[test]
fn formats_do_not_know_each_other() {
    let neighbours = ["argo", "flux", "kustomize", "helm", "manifest", "codeowners"];
    let mut slips = String::new();
    for source in sources() {
        let Ok(inside) = source.path.strip_prefix("src/formats") else { continue };
        let own = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if !neighbours.contains(&own) {
            continue;
        }
        for (number, line) in source.code().filter(|(_, line)| line.trim_start().starts_with("use ")) {
            for other in neighbours.iter().filter(|other| **other != own) {
                if line.contains(&format!("formats::{other}")) || line.contains(&format!("super::{other}")) {
                    writeln!(slips, "{}: {own} uses {other}", source.at(number)).unwrap();
                }
            }
        }
    }
    demand(slips);
}

#[test]
fn the_lower_floors_touch_nothing_of_the_world() {
    let mut slips = String::new();
    for source in sources() {
        if source.floor().is_none_or(|(_, floor)| floor > PURE) {
            continue;
        }
        for (number, line) in source.code() {
            for word in WORLD.iter().filter(|word| line.contains(**word)) {
                writeln!(slips, "{}: `{word}`", source.at(number)).unwrap();
            }
        }
    }
    demand(slips);
}

#[test]
fn no_code_unwraps_or_is_left_unfinished() {
    let mut slips = String::new();
    for source in sources() {
        for (number, line) in source.code() {
            for word in [".unwrap()", "todo!(", "unimplemented!(", "unsafe ", "#[allow("] {
                if line.contains(word) {
                    writeln!(slips, "{}: `{word}`", source.at(number)).unwrap();
                }
            }
        }
        for (number, line) in source.text.lines().enumerate() {
            let marks = ["TODO", "FIXME", "XXX", "HACK"];
            let is_named =
                line.split("TODO(#").nth(1).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let mut words = line.split(|c: char| !c.is_alphanumeric());
            if words.any(|word| marks.contains(&word)) && !is_named {
                writeln!(slips, "{}: a mark without an issue", source.at(number + 1)).unwrap();
            }
            if line.contains("#[ignore") {
                writeln!(slips, "{}: an ignored test", source.at(number + 1)).unwrap();
            }
        }
    }
    demand(slips);
}

#[test]
fn every_file_is_short_and_says_what_it_is() {
    let mut slips = String::new();
    for source in sources() {
        let count = source.text.lines().count();
        if count > LINES {
            writeln!(slips, "{}: {count} lines, {LINES} are allowed", source.path.display()).unwrap();
        }
        let first = source.text.lines().next().unwrap_or_default();
        if !first.starts_with("//! ") {
            writeln!(slips, "{}: the first line is no `//!` sentence", source.path.display()).unwrap();
        }
        for word in ["utils", "common", "helpers", "misc"] {
            if source.path.iter().any(|part| Path::new(part).file_stem().is_some_and(|stem| stem == word)) {
                writeln!(slips, "{}: `{word}` is no home", source.path.display()).unwrap();
            }
        }
    }
    demand(slips);
}

#[test]
fn ids_name_what_is_bad() {
    let forbidden = ["no-", "use-", "check-", "valid-", "require-"];
    let mut slips = String::new();
    for rule in RULES {
        let id = rule.id.0;
        let is_kebab = id.split('-').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase()));
        if !is_kebab || forbidden.iter().any(|prefix| id.starts_with(prefix)) {
            writeln!(slips, "{id}").unwrap();
        }
    }
    demand(slips);
    assert!(RULES.is_sorted_by(|a, b| a.id < b.id), "the table is sorted by id");
}

#[test]
fn pages_have_their_sections_in_order() {
    let mut slips = String::new();
    for rule in RULES {
        let mut summary = rule.page.lines();
        let first = summary.next().unwrap_or_default();
        let is_sentence = first.starts_with("Reports ") && first.ends_with('.');
        if !is_sentence || summary.next() != Some("") {
            writeln!(slips, "{}: the page starts with one line `Reports … .` and an empty one", rule.id).unwrap();
        }
        let mut is_code = false;
        let mut last = None;
        let mut sections = BTreeSet::new();
        for line in rule.page.lines() {
            is_code ^= line.starts_with("```");
            let Some(section) = line.strip_prefix("## ").filter(|_| !is_code) else { continue };
            let at = SECTIONS.iter().position(|known| *known == section);
            if at.is_none() || at <= last {
                writeln!(slips, "{}: section `{section}` is unknown or out of order", rule.id).unwrap();
            }
            last = at.max(last);
            sections.insert(section);
        }
        if !sections.contains("Why") {
            writeln!(slips, "{}: says not why", rule.id).unwrap();
        }
        if sections.contains("Options") == rule.check.options.is_empty() {
            writeln!(slips, "{}: section Options, and options of the rule, belong together", rule.id).unwrap();
        }
        for option in rule.check.options {
            if !rule.page.contains(&format!("`{}`", option.name)) {
                writeln!(slips, "{}: option `{}` is not on the page", rule.id, option.name).unwrap();
            }
        }
        if rule.title.ends_with('.') || rule.title.starts_with(char::is_uppercase) {
            writeln!(slips, "{}: title `{}`", rule.id, rule.title).unwrap();
        }
    }
    demand(slips);
}

/// What is wrong with the style of a message, label or help.
fn style(text: &str) -> Option<&'static str> {
    // What stands in backticks is the user's.
    let own: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let is_word = |word: &str| own.split(|c: char| !c.is_alphanumeric()).any(|part| part.eq_ignore_ascii_case(word));
    let first: String = own.chars().take_while(|c| c.is_alphanumeric()).collect();
    let is_name = first.chars().skip(1).any(char::is_uppercase)
        || ["Argo", "Helm", "Kustomize", "Flux", "Git", "Kubernetes"].contains(&first.as_str());
    if first.starts_with(char::is_uppercase) && !is_name {
        Some("starts with a capital")
    } else if text.ends_with('.') && !text.ends_with("..") {
        Some("ends with a stop")
    } else if text.contains('\n') {
        Some("has several lines")
    } else if is_word("should") || is_word("please") {
        Some("begs")
    } else {
        None
    }
}

#[test]
fn messages_on_pages_keep_the_style() {
    let mut slips = String::new();
    let mut seen = 0;
    for rule in RULES {
        let mut is_findings = false;
        for line in rule.page.lines() {
            if line.starts_with("```") {
                is_findings = line == "```findings";
            } else if is_findings {
                seen += 1;
                let help = line.strip_prefix("  help: ");
                let label = line.strip_prefix("  label: ").and_then(|rest| rest.split_once(": ")).map(|(_, text)| text);
                let message = line.splitn(3, ": ").nth(2);
                let text = help.or(label).or(message).unwrap_or(line);
                if let Some(slip) = style(text) {
                    writeln!(slips, "{}: {slip}: {text}", rule.id).unwrap();
                }
                if help.or(label).is_none() && text.chars().count() > MESSAGE {
                    writeln!(slips, "{}: more than {MESSAGE} characters: {text}", rule.id).unwrap();
                }
            }
        }
    }
    assert!(seen > 0);
    demand(slips);
}

#[test]
fn messages_in_rules_keep_the_style() {
    let mut slips = String::new();
    for source in sources() {
        if !source.path.starts_with("src/rules") {
            continue;
        }
        for (number, line) in source.code() {
            for text in literals(line).filter(|text| text.contains(' ')) {
                if let Some(slip) = style(text) {
                    writeln!(slips, "{}: {slip}: {text}", source.at(number)).unwrap();
                }
            }
        }
    }
    demand(slips);
}

/// The string literals of a line; good enough for lines that `rustfmt` wrote.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.find('"')? + 1;
        let bytes = rest.as_bytes();
        let mut end = start;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let literal = rest.get(start..end)?;
        rest = rest.get(end + 1..).unwrap_or_default();
        Some(literal)
    })
}

#[test]
fn engine_rules_are_few_and_the_others_check_something() {
    let engine: Vec<&str> =
        RULES.iter().filter(|rule| matches!(rule.check.run, Run::Engine)).map(|rule| rule.id.0).collect();
    let wanted = ["bad-configuration", "internal-error", "stale-baseline", "unread-file", "unused-suppression"];
    assert_eq!(engine, wanted);
}

#[test]
fn the_pure_floors_do_not_iterate_over_hash_maps() {
    let mut slips = String::new();
    for source in sources() {
        if source.floor().is_none_or(|(_, floor)| floor > PURE) {
            continue;
        }
        let maps: BTreeSet<&str> = source.code().filter_map(|(_, line)| declared_map(line)).collect();
        for (number, line) in source.code() {
            for name in &maps {
                let loops = [".iter()", ".keys()", ".values()", ".into_iter()", ".drain(", ".values_mut()"];
                let is_loop = loops.iter().any(|call| line.contains(&format!("{name}{call}")))
                    || line.contains(&format!("in &{name} "))
                    || line.contains(&format!("in {name} "));
                if is_loop {
                    writeln!(slips, "{}: the order of `{name}` is not fixed", source.at(number)).unwrap();
                }
            }
        }
    }
    demand(slips);
}

/// The name that a line gives to a hash map or hash set: a field, an argument or a variable.
fn declared_map(line: &str) -> Option<&str> {
    let at = ["HashMap", "HashSet"].iter().filter_map(|kind| line.find(kind)).min()?;
    let name = line[..at].split([':', '=']).next()?.trim();
    let name = name.rsplit([' ', '(']).next()?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (is_name && !line.trim_start().starts_with("use ")).then_some(name)
}
