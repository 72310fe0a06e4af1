//! The name of an Application must be one that the API server accepts.

use super::{App, Check, Context, Findings};
use crate::fleet::expand::Provenance;
use crate::lang::template::normalize;
use crate::text::is_placeholder;
use crate::value::{Piece, Text};

pub const CHECK: Check = Check::app(check);

/// Characters of an object's name.
const MOST: usize = 253;

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let Some(name) = &app.metadata.name else { return };
    let Some(what) = slip(name) else { return };
    let written = cx.repo.file(name.span().file).map_or("", |file| file.source.slice(name.span()));
    let folder = app.parameters_from().iter().rev().find_map(|from| match from {
        Provenance::Folder(root, path) => Some(cx.repo.path_seen_from(name.span(), *root, path)),
        Provenance::File(id) => cx.repo.entry(*id).path.parent().map(|folder| folder.to_string()),
        _ => None,
    });
    let normal = normalize(name.as_str().unwrap_or_default());
    let help = match folder {
        Some(folder) if written.contains("path.basename") && !written.contains("basenameNormalized") => {
            format!("use `path.basenameNormalized`, or rename folder `{folder}`")
        }
        _ if app.is_generated() => "write lower-case letters, digits and `-`, or normalize the parameter".to_owned(),
        _ if normal.is_empty() => "use lower-case letters, digits and `-`".to_owned(),
        _ => format!("write `{normal}`"),
    };
    out.at(name.span(), format!("an Application cannot have this name: {what}")).help(help);
}

/// Why no Application can be called so, whatever the parts are that are not known.
fn slip(name: &Text) -> Option<String> {
    let known = |piece: &Piece| match piece {
        Piece::Known(text) => Some(text.value.clone()),
        Piece::Unknown(_) => None,
    };
    let parts: Vec<String> = name.pieces().iter().filter_map(known).collect();
    // What is not filled in has rules of its own.
    if parts.iter().any(|part| is_placeholder(part) || part.contains(['{', '}', '<', '>', '$'])) {
        return None;
    }
    let is_allowed = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    if let Some(bad) = parts.iter().flat_map(|part| part.chars()).find(|c| !is_allowed(c)) {
        return Some(match bad {
            ' ' => "it holds a blank".to_owned(),
            bad if bad.is_uppercase() => format!("it holds the capital letter `{bad}`"),
            bad => format!("it holds `{bad}`"),
        });
    }
    if parts.iter().map(String::len).sum::<usize>() > MOST {
        return Some(format!("it has more than {MOST} characters"));
    }
    let first = name.pieces().first().and_then(known).and_then(|part| part.chars().next());
    let last = name.pieces().last().and_then(known).and_then(|part| part.chars().last());
    let is_edge = |c: Option<char>| c.is_some_and(|c| matches!(c, '-' | '.'));
    match name.as_str() {
        Some("") => Some("it is empty".to_owned()),
        _ if is_edge(first) => Some("it begins with no letter or digit".to_owned()),
        _ if is_edge(last) => Some("it ends with no letter or digit".to_owned()),
        Some(name)
            if name.split('.').any(|label| label.is_empty() || label.starts_with('-') || label.ends_with('-')) =>
        {
            Some("letters or digits stand around each `.`".to_owned())
        }
        _ => None,
    }
}
