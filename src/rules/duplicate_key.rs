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
    for document in file.tree.documents() {
        if let Some(root) = file.tree.root(document) {
            visit(root, out);
        }
    }
}

fn visit(node: Node<'_>, out: &mut Findings) {
    // What an alias stands for is visited where it is written.
    if node.is_alias() {
        return;
    }
    let keys = node.pairs().map(|entry| entry.key).filter(|key| is_plain(*key));
    let keys: Vec<(Cow<'_, str>, Node<'_>)> = keys.map(|key| (key.key_text(), key)).collect();
    if keys.len() <= FEW {
        for (at, (text, key)) in keys.iter().enumerate() {
            if let Some((_, first)) = keys[..at].iter().find(|(other, _)| other == text) {
                report(*first, *key, out);
            }
        }
    } else {
        let mut seen: BTreeMap<Cow<'_, str>, Node<'_>> = BTreeMap::new();
        for (text, key) in keys {
            match seen.get(&text) {
                Some(first) => report(*first, key, out),
                None => drop(seen.insert(text, key)),
            }
        }
    }
    node.pairs().for_each(|entry| visit(entry.value, out));
    node.items().for_each(|item| visit(item, out));
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
