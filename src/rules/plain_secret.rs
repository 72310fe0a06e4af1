//! A Secret in git must hold no credential that anybody can read.

use super::{Check, DocumentContext, Findings, OptionDefault, OptionSpec};
use crate::formats::credential::is_credential;
use crate::formats::{Document, Kind, Kinds, Resource};
use crate::lang::glob::gobwas::Pattern;
use crate::text::Span;
use crate::yaml::{self, Node};

pub const CHECK: Check = Check::document(check)
    .reads(Kinds::NONE.with(Kind::Manifest).with(Kind::RepositorySecret))
    .options(&[OptionSpec {
        name: "placeholders",
        default: OptionDefault::Texts(&[]),
        doc: "patterns of values that are no credentials, such as `dev-*`",
    }]);

/// Other entries that are shown.
const SHOWN: usize = 4;

fn check(document: &Document, cx: &DocumentContext<'_>, out: &mut Findings) {
    let placeholders: Vec<Pattern> =
        cx.options.texts("placeholders").iter().filter_map(|text| Pattern::new(text, &[]).ok()).collect();
    let is_open = |name: &str, content: &str| {
        is_credential(name, content) && !placeholders.iter().any(|pattern| pattern.matches(content))
    };
    let root = document.node(&cx.file.tree);
    match &document.resource {
        Resource::Manifest(manifest) if manifest.group().is_empty() && &*manifest.kind.value == "Secret" => {
            report(&of_secret(root, is_open), "this Secret", out);
        }
        Resource::RepositorySecret(_) => report(&of_secret(root, is_open), "this Secret", out),
        Resource::Kustomization(kustomization) => {
            for generator in kustomization.generators.iter().filter(|generator| generator.is_secret) {
                let literals = generator.literals.iter().filter_map(|literal| {
                    let (name, content) = literal.as_str()?.split_once('=')?;
                    is_open(name, content.trim_matches(['"', '\''])).then(|| (literal.span(), name.to_owned()))
                });
                report(&literals.collect::<Vec<_>>(), "a Secret", out);
            }
        }
        _ => {}
    }
}

/// The entries of a Secret that are credentials: their keys' places and names.
fn of_secret(root: Node<'_>, is_open: impl Fn(&str, &str) -> bool) -> Vec<(Span, String)> {
    if root.get("sops").is_some() {
        return Vec::new();
    }
    let entries = |key: &str| root.get(key).into_iter().flat_map(Node::entries);
    let plain = entries("stringData").filter_map(|entry| Some((entry.key, entry.value.as_str()?.to_owned())));
    let encoded = entries("data").filter_map(|entry| {
        let bytes = yaml::decode_base64(entry.value.as_str()?)?;
        Some((entry.key, String::from_utf8(bytes).ok()?))
    });
    let found = plain.chain(encoded).filter(|(key, content)| is_open(&key.key_text(), content));
    found.map(|(key, _)| (key.span(), key.key_text().into_owned())).collect()
}

fn report(found: &[(Span, String)], of: &str, out: &mut Findings) {
    let Some(((first, name), others)) = found.split_first() else { return };
    let finding = out.at(*first, format!("`{name}` of {of} can be read in the repository"));
    for (other, _) in others.iter().take(SHOWN) {
        finding.label(*other, "so can this");
    }
    finding.help("replace the credential, and keep the new one in a secret store or encrypted");
}
