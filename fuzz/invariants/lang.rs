//! What holds for every template, placeholder and glob, whoever makes it up.

use plimsoll::lang::fasttemplate::{self, Piece as Tag};
use plimsoll::lang::glob::{BadPattern, doublestar, gobwas, path, pathspec};
use plimsoll::lang::template::ast::Bytes;
use plimsoll::lang::template::{Data, Dialect, MissingKey, Options, Source, Template, Value};
use plimsoll::text::{FileId, Span};
use plimsoll::value::{Piece, Why};
use std::collections::BTreeMap;

/// Panics if anything that the small languages promise does not hold for these bytes: all of them are a template, the
/// first line is a pattern, and the others are what it is matched with.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check_placeholders(text);
    for missing_key in [MissingKey::Invalid, MissingKey::Zero, MissingKey::Error] {
        check_template(text, &Options { missing_key });
    }
    let (pattern, names) = text.split_once('\n').unwrap_or((text, ""));
    for name in names.lines().take(4).chain([pattern, ""]) {
        check_globs(pattern, name);
    }
}

/// The pieces cover the text, and a text in which nothing is replaced stays as it is.
fn check_placeholders(text: &str) {
    let Ok(pieces) = fasttemplate::parse(text) else {
        assert!(fasttemplate::is_template(text), "what is no template is text");
        return;
    };
    let mut whole = String::new();
    for piece in &pieces {
        whole.push_str(match piece {
            Tag::Literal(literal) => literal,
            Tag::Tag { range, name } => {
                assert_eq!(range.start, whole.len(), "a placeholder knows its place");
                assert!(text[range.clone()].contains(name));
                &text[range.clone()]
            }
        });
    }
    assert_eq!(whole, text);
    assert_eq!(fasttemplate::render(text, |_| None).as_deref(), Ok(text));
    assert!(fasttemplate::is_template(text) || pieces.len() <= 1);
}

/// A template fails in its own bytes, or each piece of the result comes from them; and twice is like once.
fn check_template(text: &str, options: &Options) {
    let is_inside = |bytes: Bytes| text.get(bytes.start as usize..bytes.end as usize).is_some();
    let template = match Template::parse("base", text, Dialect::ARGO_CD) {
        Ok(template) => template,
        Err(error) => {
            assert!(is_inside(error.bytes), "{error:?}");
            assert!(error.text.starts_with("template: base:") && error.text.ends_with(&error.message), "{error:?}");
            return;
        }
    };
    let place = |_: &Source, bytes: Bytes| Span::new(FileId(0), bytes.start, bytes.end);
    let data = data();
    let rendered = template.render(&data, options, &place);
    match &rendered {
        Ok(rendered) => {
            for piece in rendered.pieces() {
                let span = match piece {
                    Piece::Known(known) => known.span,
                    Piece::Unknown(unknown) => unknown.span,
                };
                assert!(text.get(span.range()).is_some(), "{piece:?}");
            }
            assert!(rendered.unknowns().next().is_none() || data.has_unknowns());
        }
        Err(error) => assert!(is_inside(error.bytes), "{error:?}"),
    }
    assert!(data.take_notices().iter().all(|notice| is_inside(notice.bytes)));
    if !text.contains("rand") && !text.contains("shuffle") {
        assert_eq!(template.render(&self::data(), options, &place), rendered, "the same text gives the same result");
    }
}

fn data() -> Data {
    let text = |text: &str| Value::String(text.into());
    let entries = [
        ("a", text("x")),
        ("list", Value::List(vec![text("x"), Value::Nil])),
        ("map", Value::StringMap(BTreeMap::from([("k".to_owned(), text("v"))]))),
        ("open", Value::Unknown(Why::Cluster)),
    ];
    Data::new(&Value::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}

/// A match begins with the pattern's prefix, and a refusal points into the pattern.
fn check_globs(pattern: &str, name: &str) {
    let is_clean = |path: &str| !path.starts_with('/') && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    let check = |engine: &str, prefix: &str, has_matched: bool| {
        let is_true = !has_matched || !is_clean(name) || name.starts_with(prefix);
        assert!(is_true, "{engine}: {pattern:?} on {name:?}: {prefix:?}");
    };
    match path::Pattern::new(pattern) {
        Ok(own) => check("path", own.literal_prefix(), own.matches(name)),
        Err(bad) => check_refusal(pattern, bad),
    }
    match pathspec::Pattern::new(pattern) {
        Ok(own) => check("pathspec", own.literal_prefix(), own.matches(name)),
        Err(bad) => check_refusal(pattern, bad),
    }
    match doublestar::Pattern::new(pattern) {
        Ok(own) => {
            check("doublestar", own.literal_prefix(), own.matches_file(name));
            check("doublestar", own.literal_prefix(), own.matches_folder(name));
        }
        Err(bad) => check_refusal(pattern, bad),
    }
    if let Err(bad) = doublestar::matches(pattern, name) {
        check_refusal(pattern, bad);
    }
    for separators in [&[][..], &['/']] {
        match gobwas::Pattern::new(pattern, separators) {
            Ok(own) => check("gobwas", own.literal_prefix(), own.matches(name)),
            Err(bad) => check_refusal(pattern, bad),
        }
    }
}

fn check_refusal(pattern: &str, bad: BadPattern) {
    assert!(bad.offset <= pattern.len(), "{pattern:?}: {bad:?}");
    assert!(!bad.message.is_empty() && !bad.message.ends_with('.'), "{bad:?}");
}
