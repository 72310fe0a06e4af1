//! What holds for every CODEOWNERS file, whoever makes it up.

use plimsoll::formats::codeowners::{CodeOwners, Entry, Forge, Matcher, comments};
use plimsoll::lang::glob::segments::{Pattern, Set};
use plimsoll::text::{FileId, Span, Spanned};
use plimsoll::yaml::decode;

/// Panics if anything that the readers promise does not hold for these bytes.
pub fn check(bytes: &[u8]) {
    let Ok(text) = decode(bytes) else { return };
    for forge in Forge::ALL {
        let read = CodeOwners::read(forge, FileId(0), &text);
        check_places(&text, &read);
        check_matching(&text, &read);
    }
    for (start, end) in comments(&text) {
        assert!(text[start as usize..end as usize].starts_with('#'));
    }
}

fn check_places(text: &str, read: &CodeOwners) {
    let slice = |span: Span| text.get(span.range()).expect("spans lie on character borders");
    let is_written = |part: &Spanned<String>| slice(part.span) == part.value;
    assert!(read.entries.is_sorted_by(|a, b| a.line < b.line), "entries follow one another");
    assert!(read.problems.is_sorted_by_key(|problem| problem.line));
    for entry in &read.entries {
        assert!(entry.span.contains(entry.pattern.span) && is_written(&entry.pattern));
        assert!(entry.owners.iter().all(is_written));
        assert!(entry.section < read.sections.len() && entry.approvals > 0);
        assert_eq!(text[..entry.span.start as usize].matches('\n').count() as u32 + 1, entry.line);
    }
    for problem in &read.problems {
        let is_line = |words: &String| !words.is_empty() && !words.contains('\n');
        assert!(is_line(&problem.message) && problem.help.as_ref().is_none_or(is_line), "{problem:?}");
        slice(problem.span);
        let is_in_force = read.entries.iter().any(|entry| entry.line == problem.line);
        assert!(!(problem.is_skipped && problem.is_certain && is_in_force), "a skipped line has no entry: {problem:?}");
    }
}

/// Patterns match the same alone and together, and a pattern that covers another matches what that one does.
fn check_matching(text: &str, read: &CodeOwners) {
    let paths: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches('/')).take(20).collect();
    let entries: Vec<(&Entry, &Pattern)> = read
        .entries
        .iter()
        .filter_map(|entry| if let Matcher::Segments(pattern) = &entry.matcher { Some((entry, pattern)) } else { None })
        .take(20)
        .collect();
    let mut together = Vec::new();
    let all = Set::new(entries.iter().map(|(_, pattern)| *pattern));
    all.each(paths.iter().copied(), usize::MAX, |found| together.push(found.to_vec())).expect("there is no limit");
    for (path, together) in paths.iter().zip(together) {
        let alone = |at: &u32| entries[*at as usize].0.matches(path);
        assert!((0..entries.len() as u32).filter(alone).eq(together.iter().copied()), "{path}");
        for &narrow in &together {
            let covering = (0..entries.len()).filter(|at| entries[*at].1.covers(entries[narrow as usize].1));
            covering.for_each(|wide| assert!(entries[wide].1.matches(path), "{path}"));
        }
    }
}
