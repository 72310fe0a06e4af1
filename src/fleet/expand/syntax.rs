//! Templates that do not parse, and texts of the other mode: what can be said before any parameter is known.

use super::Expander;
use super::params::Mode;
use super::problem::{Problem, ProblemKind};
use crate::formats::argo::ApplicationSet;
use crate::formats::argo::generator::{Combination, Generator, GeneratorKind};
use crate::lang::fasttemplate::{self, Piece};
use crate::lang::template::ast::Bytes;
use crate::lang::template::{Dialect, Error};
use crate::text::{Span, Spanned, similar};
use crate::value::{Text, Value};

/// Functions that Helm adds to Go templates.
const OF_HELM: [&str; 6] = ["include", "lookup", "required", "toToml", "fromJsonArray", "getHostByName"];
/// Functions of sprig that read the surroundings of the controller.
const REMOVED: [&str; 3] = ["env", "expandenv", "getHostByName"];
/// Words that begin a statement.
const KEYWORDS: [&str; 10] = ["if", "else", "end", "range", "with", "template", "define", "block", "break", "continue"];
/// Objects that Helm gives its templates.
const HELM_OBJECTS: [&str; 7] = ["Values", "Release", "Chart", "Capabilities", "Files", "Template", "Subcharts"];

/// Notes what is wrong with the texts of a set that are templates.
pub fn check(set: &ApplicationSet, cx: &mut Expander<'_>) {
    each(set.template.as_ref(), cx);
    if let Some(patch) = &set.template_patch {
        text(patch, cx);
    }
    for entry in &set.generators {
        for kind in &Generator::read(entry).kinds {
            each(kind.template(), cx);
            generator(kind, cx);
        }
    }
}

/// The first text that shows that something fills this file in before Argo CD sees it: then no braces are Argo CD's.
pub fn of_another_tool(set: &ApplicationSet) -> Option<Span> {
    let metadata = &set.metadata;
    let named = metadata.name.iter().chain(&metadata.namespace).cloned();
    let labels = metadata.labels.iter().chain(&metadata.annotations).map(|(_, text)| text.clone());
    let kinds = set.generators.iter().flat_map(|entry| Generator::read(entry).kinds);
    let sources = kinds.flat_map(|kind| match kind {
        GeneratorKind::Git(git) => [git.repo_url, git.revision].into_iter().flatten().collect(),
        _ => Vec::new(),
    });
    named
        .chain(labels)
        .chain(sources)
        .find(|text| text.as_str().is_some_and(|text| text.contains("{{")))
        .map(|text| text.span())
}

/// The texts of a generator that are filled: `values`, and all of a matrix's second child.
fn generator(kind: &GeneratorKind, cx: &mut Expander<'_>) {
    let values = match kind {
        GeneratorKind::Clusters(clusters) => &clusters.values[..],
        GeneratorKind::Git(git) => &git.values,
        GeneratorKind::Remote(remote) if remote.name != "clusterDecisionResource" => &remote.values,
        GeneratorKind::Matrix(Combination { children, .. }) => {
            let mut children = children.iter();
            plain_child(children.next(), cx);
            return children.for_each(|child| filled_child(child, cx));
        }
        GeneratorKind::Merge(Combination { children, .. }) => {
            return children.iter().for_each(|child| plain_child(Some(child), cx));
        }
        _ => return,
    };
    values.iter().for_each(|(_, value)| text(value, cx));
}

fn plain_child(child: Option<&Value>, cx: &mut Expander<'_>) {
    for kind in child.map(Generator::read).iter().flat_map(|child| &child.kinds) {
        generator(kind, cx);
    }
}

fn filled_child(child: &Value, cx: &mut Expander<'_>) {
    for (_, value) in child.as_map().into_iter().flat_map(|map| &map.entries).filter(|(key, _)| key.value != "selector")
    {
        each(Some(value), cx);
    }
}

/// Every text in a value, keys included.
fn each(value: Option<&Value>, cx: &mut Expander<'_>) {
    match value {
        Some(Value::Text(one)) => text(one, cx),
        Some(Value::List(list)) => list.items.iter().for_each(|item| each(Some(item), cx)),
        Some(Value::Map(map)) => {
            for (key, value) in &map.entries {
                if key.value.contains("{{") {
                    text(&Text::known_at(key.value.clone(), key.span), cx);
                }
                each(Some(value), cx);
            }
        }
        _ => {}
    }
}

fn text(text: &Text, cx: &mut Expander<'_>) {
    let Some(known) = text.known().filter(|known| known.value.contains("{{")) else { return };
    match cx.mode {
        Mode::Go => {
            if let Err(error) = cx.parse(known.value) {
                let problem = refused(&known, &error, cx);
                cx.note(problem);
            }
        }
        Mode::Placeholder => placeholders(known, cx),
    }
}

fn placeholders(text: Spanned<&str>, cx: &mut Expander<'_>) {
    match fasttemplate::parse(text.value) {
        Err(error) => {
            let problem = unclosed(&text, error.offset, cx);
            cx.note(problem);
        }
        Ok(pieces) => {
            for piece in pieces {
                let Piece::Tag { range, name } = piece else { continue };
                let place = cx.place(text.span, range.start, range.end);
                if is_go(name) && !cx.is_foreign(place) {
                    cx.note(go_in_placeholder(name, &text.value[range], place));
                }
            }
        }
    }
}

/// The problem of a placeholder that is not closed, beside a proper one.
pub fn unclosed(text: &Spanned<&str>, offset: usize, cx: &Expander<'_>) -> Problem {
    let place = cx.place(text.span, offset, offset + "{{".len());
    Problem::new(ProblemKind::Syntax, place, "this placeholder is not closed").help("close it with `}}`")
}

/// Whether the name of a placeholder is an expression of Go templates.
pub fn is_go(name: &str) -> bool {
    let inner = name.trim_matches('-').trim();
    let first = inner.split([' ', '|']).next().unwrap_or_default();
    let is_call = inner.len() > first.len() && (is_function(first) || KEYWORDS.contains(&first));
    let is_field = inner.strip_prefix('.').is_some_and(|rest| {
        let root = rest.split(['.', ' ', '|']).next().unwrap_or_default();
        !root.is_empty() && !HELM_OBJECTS.contains(&root)
    });
    is_field
        || (is_call && !HELM_OBJECTS.iter().any(|object| inner.contains(&format!(".{object}"))) && inner.contains('.'))
}

fn is_function(name: &str) -> bool {
    Dialect::ARGO_CD.function(name).is_some()
}

/// The problem of a Go expression where only placeholders are filled.
pub fn go_in_placeholder(name: &str, written: &str, place: Span) -> Problem {
    let help = match placeholder_of(name) {
        Some(name) => format!("set `goTemplate: true`, or write `{{{{{name}}}}}`"),
        None => "set `goTemplate: true`".to_owned(),
    };
    let message = format!("`{}` stays as it is: `goTemplate` is not set", shortened(written));
    Problem::new(ProblemKind::Syntax, place, message).help(help)
}

/// The placeholder that says the same as a field.
fn placeholder_of(name: &str) -> Option<String> {
    let field = name.strip_prefix('.')?;
    let is_plain = field.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    is_plain.then(|| if field == "path.path" { "path".to_owned() } else { field.to_owned() })
}

/// The problem of a map that is printed.
pub fn printed_map(action: &str, place: Span) -> Problem {
    let field = action.trim_matches(['{', '}']).trim_matches('-').trim();
    let help = match field {
        ".path" => "write `{{ .path.path }}`: in Go templates `.path` is an object".to_owned(),
        _ => "name one of its fields, or print it with `toJson`".to_owned(),
    };
    let message = format!("`{}` is a map: the text becomes `map[…]`", shortened(action));
    Problem::new(ProblemKind::Syntax, place, message).help(help)
}

/// The problem of a text that Go refuses.
pub fn refused(text: &Spanned<&str>, error: &Error, cx: &Expander<'_>) -> Problem {
    let place = cx.place(text.span, error.bytes.start as usize, error.bytes.end as usize);
    let problem = |message: String| Problem::new(ProblemKind::Syntax, place, message);
    if let Some((written, field)) = placeholder_at(text.value, error.bytes) {
        let message = format!("`{}` is no Go template", shortened(written));
        return problem(message)
            .help(format!("write `{{{{ {field} }}}}`: in Go templates parameters begin with a dot"));
    }
    if let Some(name) = error.message.strip_prefix("function \"").and_then(|rest| rest.strip_suffix("\" not defined")) {
        let problem = problem(format!("there is no function `{name}`"));
        return problem.help(match function_like(name) {
            _ if REMOVED.contains(&name) => "Argo CD takes this function away; use a parameter".to_owned(),
            _ if OF_HELM.contains(&name) => "only Helm has this function; use a parameter".to_owned(),
            Some(near) => format!("did you mean `{near}`? A parameter begins with a dot: `.{name}`"),
            None => format!("write `.{name}` if it is a parameter"),
        });
    }
    let problem = problem(format!("this is no Go template: {}", error.message));
    match dashed(text.value, error) {
        Some(call) => problem.help(format!("write `{call}`: a field with a dash needs `index`")),
        None => problem.help("correct it: the ApplicationSet generates nothing while it does not parse"),
    }
}

/// The function that is called nearly so, or begins so.
fn function_like(name: &str) -> Option<&'static str> {
    let names = || Dialect::ARGO_CD.functions().map(|function| function.name);
    let begins = || names().filter(|known| known.len() >= 4 && name.starts_with(known)).max_by_key(|known| known.len());
    similar::nearest(name, names()).or_else(begins)
}

/// The placeholder at these bytes, when the whole action is one, and the field that it means.
fn placeholder_at(text: &str, bytes: Bytes) -> Option<(&str, String)> {
    let open = text[..bytes.end as usize].rfind("{{")?;
    let close = open + text[open..].find("}}")?;
    let name = text[open + "{{".len()..close].trim_matches('-').trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.-[]/".contains(c);
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_name);
    // A keyword alone is a statement in the wrong place; a function alone lacks its arguments.
    if !is_word || KEYWORDS.contains(&name) {
        return None;
    }
    let field = match name.split_once('[') {
        _ if name == "path" => ".path.path".to_owned(),
        Some((before, index)) => format!("index .{before}.segments {}", index.trim_end_matches(']')),
        None => indexed(name),
    };
    Some((&text[open..close + "}}".len()], field))
}

/// A dotted name as Go reads it: a part with a dash or a slash needs `index`.
fn indexed(name: &str) -> String {
    let is_field = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    for prefix in ["metadata.labels.", "metadata.annotations.", "values."] {
        // Keys of labels hold dots of their own.
        if let Some(key) = name.strip_prefix(prefix).filter(|key| !is_field(key)) {
            return format!("index .{} \"{key}\"", prefix.trim_end_matches('.'));
        }
    }
    let (before, last) = name.rsplit_once('.').unwrap_or(("", name));
    if is_field(last) { format!(".{name}") } else { format!("index .{before} \"{last}\"") }
}

/// The call that reads a field with a dash, on which the lexer stumbles.
fn dashed(text: &str, error: &Error) -> Option<String> {
    let at = error.bytes.start as usize;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
    let before = text[..at].rsplit(|c| !is_part(c)).next()?;
    let after: String = text[at..].chars().take_while(|c| is_part(*c) || "-/".contains(*c)).collect();
    if !error.message.starts_with("bad character U+002D") || !before.starts_with('.') || after.len() < 2 {
        return None;
    }
    let (parents, first) = before.rsplit_once('.')?;
    Some(format!("{{{{ index {} \"{first}{after}\" }}}}", if parents.is_empty() { "." } else { parents }))
}

/// As much of an action as a message holds.
fn shortened(written: &str) -> String {
    const MOST: usize = 40;
    let line = written.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None if line.len() < written.len() => format!("{line}…"),
        None => line.to_owned(),
    }
}
