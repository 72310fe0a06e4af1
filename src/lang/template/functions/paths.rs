//! Paths with slashes.
//!
//! Mirrors Go's `path`; `path/filepath` is the same on the systems controllers run on, but for a few texts.

use super::{Call, Function, Outcome, Type};

use Type::String as Text;

pub(super) const TABLE: &[Function] = &[
    Function::new("base", &[Text], |call| on(call, base)),
    Function::new("clean", &[Text], |call| on(call, clean)),
    Function::new("dir", &[Text], |call| on(call, dir)),
    Function::new("ext", &[Text], |call| on(call, ext)),
    Function::new("isAbs", &[Text], is_abs),
    Function::new("osBase", &[Text], |call| on(call, base)),
    Function::new("osClean", &[Text], |call| on(call, clean)),
    Function::new("osDir", &[Text], |call| on(call, dir)),
    Function::new("osExt", &[Text], |call| on(call, ext)),
    Function::new("osIsAbs", &[Text], is_abs),
];

fn on(call: &Call<'_>, change: fn(&str) -> String) -> Outcome {
    call.env.text(change(call.string(0)?))
}

fn is_abs(call: &Call<'_>) -> Outcome {
    Ok(crate::lang::template::datum::Datum::Bool(call.string(0)?.starts_with('/')))
}

fn base(path: &str) -> String {
    if path.is_empty() {
        return ".".into();
    }
    let trimmed = path.trim_end_matches('/');
    let name = trimmed.rsplit('/').next().unwrap_or(trimmed);
    if name.is_empty() { "/".into() } else { name.into() }
}

fn dir(path: &str) -> String {
    clean(path.rfind('/').map_or("", |at| &path[..=at]))
}

fn ext(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rfind('.').map_or(String::new(), |at| name[at..].to_owned())
}

fn clean(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => match segments.last() {
                Some(&last) if last != ".." => {
                    segments.pop();
                }
                _ if is_rooted => {}
                _ => segments.push(".."),
            },
            other => segments.push(other),
        }
    }
    let joined = segments.join("/");
    match (is_rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}
