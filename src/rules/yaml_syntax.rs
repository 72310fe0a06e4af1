//! A file must be YAML as go-yaml reads it, unless it is a template of another tool.

use super::{Check, Findings, Options};
use crate::formats::Kind;
use crate::repo::{File, FileState};
use crate::text::Span;
use crate::yaml::{self, Node};

pub const CHECK: Check = Check::file(check);

fn check(file: &File, _: &Options<'_>, out: &mut Findings) {
    if file.state != FileState::Read || is_foreign(file) {
        return;
    }
    if let Some(marker) = conflict_marker(&file.source.text) {
        let span = Span::new(file.source.id, marker as u32, marker as u32 + 7);
        out.at(span, "this file holds an unresolved merge conflict").help("resolve it, and remove the markers");
        return;
    }
    for error in file.tree.errors() {
        let found = out.at(Span::new(file.source.id, error.start, error.end), error.message.clone());
        found.help.clone_from(&error.help);
        if let Some((start, end, text)) = error.related {
            found.label(Span::new(file.source.id, start, end), text);
        }
    }
    for document in file.documents.iter().filter(|document| document.kind() != Kind::Opaque) {
        let node = document.node(&file.tree);
        if may_not_be_json(node)
            && let Err(problem) = node.to_json()
        {
            out.at(problem.span, problem.message)
                .help("Kubernetes reads YAML as JSON: write it so that JSON can hold it");
        }
    }
}

/// Whether a file is JSON that no Kubernetes tool reads: configuration of editors and compilers has comments.
fn is_foreign(file: &File) -> bool {
    let has = |word: &str| file.source.mentions(word);
    file.source.path.extension() == Some("json") && !(has("\"apiVersion\"") && has("\"kind\""))
}

/// Where the first marker of a merge conflict stands.
fn conflict_marker(text: &str) -> Option<usize> {
    let begins = |line: &str| {
        let is_first = text.starts_with(&line[1..]);
        if is_first { Some(0) } else { Some(memchr::memmem::find(text.as_bytes(), line.as_bytes())? + 1) }
    };
    begins("\n<<<<<<< ").filter(|_| begins("\n>>>>>>> ").is_some())
}

/// Whether something in a document may have no form in JSON; to know, it is converted.
fn may_not_be_json(node: Node<'_>) -> bool {
    if node.is_alias() {
        return false;
    }
    let is_odd = |key: Node<'_>| key.kind() != yaml::Kind::Scalar || key.is_null() || key.text() == Some("<<");
    node.tag().is_some()
        || node.pairs().any(|entry| is_odd(entry.key) || may_not_be_json(entry.value))
        || node.items().any(may_not_be_json)
}
