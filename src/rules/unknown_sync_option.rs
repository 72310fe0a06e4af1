//! Sync options must be ones that Argo CD reads where they are written.

use super::{Check, DocumentContext, Findings};
use crate::finding::Fix;
use crate::formats::argo::annotation::{self, COMPARE_OPTIONS, OPTIONS, Place, Reading, SYNC_OPTIONS};
use crate::formats::{Document, Kind, Kinds};
use crate::repo::File;
use crate::text::{Edit, Spanned, is_placeholder, similar};
use crate::yaml::Node;

pub const CHECK: Check = Check::document(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(document: &Document, cx: &DocumentContext<'_>, out: &mut Findings) {
    let root = document.node(&cx.file.tree);
    let application = (document.kind() == Kind::Application).then_some(root);
    for spec in annotation::templates(root).into_iter().chain(application) {
        let list = spec.at(&["spec", "syncPolicy", "syncOptions"]);
        for node in list.into_iter().flat_map(Node::items) {
            if let Some(text) = node.as_str() {
                let span = node.tree().place_in_scalar(node.origin(), 0..text.len());
                check_option(Spanned::new(text, span), Place::Application, cx.file, out);
            }
        }
    }
    for entry in annotation::of(root) {
        let place = match &*entry.key.key_text() {
            SYNC_OPTIONS => Place::Object,
            COMPARE_OPTIONS => Place::Compare,
            _ => continue,
        };
        for word in annotation::words(entry.value) {
            check_option(word, place, cx.file, out);
        }
    }
}

fn check_option(word: Spanned<&str>, place: Place, file: &File, out: &mut Findings) {
    let text = word.value;
    if is_placeholder(text) {
        return;
    }
    let list = if place == Place::Compare { "compare option" } else { "sync option" };
    let no_option = format!("`{text}` is not a {list} of Argo CD");
    match annotation::read(text, place) {
        Reading::Effective => {}
        Reading::Elsewhere(option) => {
            let (message, help) = elsewhere(text, option.places);
            out.at(word.span, message).help(help);
        }
        Reading::Misspelt(_, Some(meant)) => {
            let finding = out.at(word.span, no_option);
            finding.help(format!("write `{meant}`"));
            // Only where the word is written as it reads: no escape, no fold.
            if file.source.slice(word.span) == text {
                finding.fix(Fix::safe(format!("write `{meant}`"), vec![Edit { span: word.span, text: meant }]));
            }
        }
        Reading::Misspelt(option, None) => {
            let message = match text.split_once('=') {
                Some((_, value)) => format!("`{value}` is not a value of {list} `{}`", option.name),
                None => no_option,
            };
            let allowed = option.values.iter().map(|value| format!("`{}={value}`", option.name));
            out.at(word.span, message).help(format!("write {}", allowed.collect::<Vec<_>>().join(" or ")));
        }
        Reading::Unknown => {
            let here = OPTIONS.iter().filter(|option| option.places.contains(&place)).map(|option| option.name);
            let words = similar::by_likeness(text.split('=').next().unwrap_or(text), here);
            let (shown, rest) = words.split_at(words.len().min(3));
            let more = if rest.is_empty() { String::new() } else { format!(" or {} more", rest.len()) };
            let shown: Vec<String> = shown.iter().map(|word| format!("`{word}`")).collect();
            out.at(word.span, no_option).help(format!("expected {}{more}", shown.join(", ")));
        }
    }
}

/// What an option is that is read at other places, and where to put it.
fn elsewhere(text: &str, places: &[Place]) -> (String, String) {
    match places {
        [Place::Compare] => (
            format!("`{text}` is a compare option, not a sync option"),
            format!("put it into the annotation `{COMPARE_OPTIONS}`"),
        ),
        [Place::Application] => (
            format!("`{text}` is a sync option of an Application, not of an object"),
            "put it into `spec.syncPolicy.syncOptions` of the Application".to_owned(),
        ),
        [Place::Object] => (
            format!("`{text}` is a sync option of objects, not of an Application"),
            format!("put it into the annotation `{SYNC_OPTIONS}`"),
        ),
        _ => (
            format!("`{text}` is a sync option, not a compare option"),
            format!("put it into the annotation `{SYNC_OPTIONS}`"),
        ),
    }
}
