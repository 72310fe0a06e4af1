//! Annotations must be texts, and those of Argo CD ones that it understands.

use super::{Check, DocumentContext, Findings};
use crate::finding::Fix;
use crate::formats::argo::annotation::{
    self, HOOK, HOOK_DELETE_POLICIES, HOOK_DELETE_POLICY, HOOKS, NAMES, PREFIX, SYNC_WAVE,
};
use crate::formats::{Document, Kind, Kinds};
use crate::repo::File;
use crate::text::{Edit, is_placeholder, similar};
use crate::yaml::{self, Entry, Node, Scalar, edit};

pub const CHECK: Check = Check::document(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(document: &Document, cx: &DocumentContext<'_>, out: &mut Findings) {
    if matches!(document.kind(), Kind::Opaque | Kind::Chart | Kind::Kustomization) {
        return;
    }
    let root = document.node(&cx.file.tree);
    let own: &[&str] = &["metadata"];
    for metadata in [Some(own), pods(root)].into_iter().flatten() {
        let annotations = root.at(metadata).and_then(|metadata| metadata.get("annotations"));
        annotations.into_iter().flat_map(Node::entries).for_each(|entry| check_type(entry, out));
    }
    for entry in annotation::of(root) {
        check_key(entry, out);
        check_value(entry, cx.file, out);
    }
}

/// Where the pods that an object makes have their metadata. Kinds with a schema are checked by it.
fn pods(root: Node<'_>) -> Option<&'static [&'static str]> {
    match root.get("kind").and_then(Node::as_str)? {
        "DaemonSet" | "Deployment" | "Job" | "ReplicaSet" | "StatefulSet" => Some(&["spec", "template", "metadata"]),
        "CronJob" => Some(&["spec", "jobTemplate", "spec", "template", "metadata"]),
        _ => None,
    }
}

fn check_type(entry: Entry<'_>, out: &mut Findings) {
    let value = entry.value;
    let got = match (value.kind(), value.scalar()) {
        (yaml::Kind::Mapping, _) => "a map",
        (yaml::Kind::Sequence, _) => "a list",
        (_, Some(Scalar::Bool(_))) => "a boolean",
        (_, Some(Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_))) => "a number",
        _ => return,
    };
    let finding = out.at(value.span(), format!("annotation `{}` is {got}, text is wanted", entry.key.key_text()));
    finding.help(if value.kind() == yaml::Kind::Scalar { "quote it" } else { "write a text" });
    // A tag keeps its meaning in quotes, an anchor is read elsewhere too.
    if let Some(edit) = edit::quote(value).filter(|_| value.tag().is_none() && value.anchor().is_none()) {
        finding.fix(Fix::safe("quote it", vec![edit]));
    }
}

fn check_key(entry: Entry<'_>, out: &mut Findings) {
    let key = entry.key.key_text();
    let Some((prefix, name)) = key.split_once('/') else { return };
    if is_placeholder(&key) {
        return;
    }
    let name = match prefix {
        "argocd.argoproj.io" if NAMES.contains(&name) => return,
        "argocd.argoproj.io" => similar::near(name, NAMES.iter().copied()),
        // Names that nobody else has, under a prefix that Argo CD does not read.
        _ if prefix.contains("argo") && TELLING.contains(&name) => similar::near(name, [name]),
        _ => return,
    };
    let Some(best) = name.first() else { return };
    let finding = out.at(entry.key.span(), format!("`{key}` is not an annotation of Argo CD"));
    finding.help(format!("write `{PREFIX}{}`", best.word));
    if similar::certain(best.word, &name).is_some() && !entry.key.is_alias() {
        let word = format!("{PREFIX}{}", best.word);
        finding.fix(Fix::safe(format!("write `{word}`"), vec![edit::replace_scalar(entry.key, &word)]));
    }
}

/// Names that only Argo CD's annotations have.
const TELLING: [&str; 5] =
    ["compare-options", "hook-delete-policy", "manifest-generate-paths", "sync-options", "sync-wave"];

fn check_value(entry: Entry<'_>, file: &File, out: &mut Findings) {
    let Some(text) = entry.value.as_str().filter(|text| !is_placeholder(text)) else { return };
    match &*entry.key.key_text() {
        SYNC_WAVE if text.parse::<i64>().is_err() => {
            out.at(entry.value.span(), format!("sync wave `{text}` is not a whole number"))
                .help("write a whole number in quotes; anything else is ignored");
        }
        HOOK => check_words(entry.value, &HOOK_WORDS, file, out),
        HOOK_DELETE_POLICY => check_words(entry.value, &POLICY_WORDS, file, out),
        _ => {}
    }
}

/// The words that an annotation may list.
struct Words {
    /// What one of them is.
    what: &'static str,
    known: &'static [&'static str],
    /// What comes of it when none is known.
    if_lost: &'static str,
    /// The word that counts only when it is the only one.
    alone: Option<&'static str>,
}

const HOOK_WORDS: Words =
    Words { what: "hook", known: HOOKS, if_lost: ": the object is never applied", alone: Some("Skip") };
const POLICY_WORDS: Words = Words { what: "hook delete policy", known: HOOK_DELETE_POLICIES, if_lost: "", alone: None };

fn check_words(value: Node<'_>, of: &Words, file: &File, out: &mut Findings) {
    let Words { what, known, .. } = of;
    let words = annotation::words(value);
    let is_lost = words.iter().all(|word| !known.contains(&word.value));
    for word in words.iter().filter(|word| !known.contains(&word.value)) {
        let effect = if is_lost { of.if_lost } else { "" };
        let finding = out.at(word.span, format!("`{}` is not a {what}{effect}", word.value));
        let near = similar::near(word.value, known.iter().copied());
        match similar::certain(word.value, &near) {
            Some(meant) => {
                finding.help(format!("write `{meant}`"));
                // Only where the word is written as it reads: no escape, no fold.
                if file.source.slice(word.span) == word.value {
                    finding.fix(Fix::safe(
                        format!("write `{meant}`"),
                        vec![Edit { span: word.span, text: meant.to_owned() }],
                    ));
                }
            }
            None => {
                let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
                let (last, first) = words.split_last().expect("no list of words is empty");
                finding.help(format!("expected {} or {last}", first.join(", ")));
            }
        }
    }
    if let Some(word) = words.iter().find(|word| of.alone == Some(word.value) && words.len() > 1) {
        out.at(word.span, format!("`{}` counts only when it is the only {what}", word.value))
            .help(format!("remove it, or the other {what}s"));
    }
}
