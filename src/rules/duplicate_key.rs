//! A key may stand in a mapping once.

use super::{Check, Findings, Options};
use crate::repo::{File, FileState};
use crate::yaml::{Kind, Node};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub const CHECK: Check = Check::file(check);

/// Mappings with more keys than this are searched through an index.
const FEW: usize = 16;

fn check(file: &File, _: &Options<'_>, out: &mut Findings) {
    if file.state != FileState::Read {
        return;
    }
    let mut keys = Keys::new();
    for document in file.tree.documents() {
        if let Some(root) = file.tree.root(document) {
            visit(root, &mut keys, out);
        }
    }
}

/// Keys of one mapping, as they are read; kept empty in between, so that one piece of memory serves all mappings.
type Keys<'t> = Vec<(Cow<'t, str>, Node<'t>)>;

fn visit<'t>(node: Node<'t>, keys: &mut Keys<'t>, out: &mut Findings) {
    // What an alias stands for is visited where it is written.
    if node.is_alias() {
        return;
    }
    for entry in node.pairs().filter(|entry| is_plain(entry.key)) {
        keys.push((entry.key.key_text(), entry.key));
    }
    if keys.len() <= FEW {
        for (at, (text, key)) in keys.iter().enumerate() {
            if let Some((_, first)) = keys[..at].iter().find(|(other, _)| other == text) {
                report(*first, *key, out);
            }
        }
        keys.clear();
    } else {
        let mut seen: BTreeMap<Cow<'_, str>, Node<'_>> = BTreeMap::new();
        for (text, key) in keys.drain(..) {
            match seen.get(&text) {
                Some(first) => report(*first, key, out),
                None => drop(seen.insert(text, key)),
            }
        }
    }
    node.pairs().for_each(|entry| visit(entry.value, keys, out));
    node.items().for_each(|item| visit(item, keys, out));
}

/// A merge key may be repeated, and a collection is no key that two readers understand alike.
fn is_plain(key: Node<'_>) -> bool {
    key.kind() == Kind::Scalar && key.text() != Some("<<")
}

fn report(first: Node<'_>, second: Node<'_>, out: &mut Findings) {
    let text = |key: Node<'_>| key.text().unwrap_or_default().to_owned();
    let name = if text(second).chars().count() > 60 { "this key".into() } else { format!("key `{}`", text(second)) };
    let is_same = text(first) == text(second);
    out.at(second.span(), format!("{name} stands in this mapping twice; the last one wins"))
        .label(first.span(), if is_same { "what stands here is lost" } else { "read as the same key, and lost" })
        .help("keep one of them, or merge what they hold");
}
