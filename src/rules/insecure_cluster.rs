//! A cluster's Secret must check the server's certificate, and hold no credentials that anybody can read.

use super::{Check, Context, Findings};
use crate::formats::{Kind, Resource, read};
use crate::text::Span;
use crate::text::is_placeholder;
use crate::value::Value;
use crate::yaml::{self, Node};
use std::sync::Arc;

pub const CHECK: Check = Check::fleet(check);

/// Credentials of a cluster that do not expire by themselves, and how many characters one has at least.
const CREDENTIALS: [(&[&str], usize); 3] =
    [(&["bearerToken"], 16), (&["password"], 1), (&["tlsClientConfig", "keyData"], 64)];

fn check(cx: &Context<'_>, out: &mut Findings) {
    for object in cx.fleet.built.objects(Kind::ClusterSecret) {
        let Resource::ClusterSecret(secret) = object.resource(cx.repo) else { continue };
        let Some(config) = secret.config.as_ref().and_then(|config| config.known()) else { continue };
        let tree = yaml::parse(config.span.file, Arc::from(config.value));
        let root = tree.documents().first().and_then(|document| tree.root(document));
        let Some(root) = root.filter(|_| tree.errors().is_empty()) else { continue };
        // Of what is written in base64 only the whole has a place.
        let is_as_written = |node: &Node<'_>| node.span() == config.span && node.text() == Some(config.value);
        let file = cx.repo.file(config.span.file).filter(|file| {
            file.tree.nodes_starting_in(config.span.start..config.span.start + 1).any(|node| is_as_written(&node))
        });
        let place =
            |inner: Span| file.map_or(config.span, |file| file.tree.place_in_scalar(config.span, inner.range()));
        let value = |path: &[&str]| root.at(path).map(read::value);
        if let Some(Value::Bool(insecure)) = value(&["tlsClientConfig", "insecure"])
            && insecure.value
        {
            out.at(place(insecure.span), "the certificate of the cluster's server is not checked")
                .help("give its authority in `caData`, and remove `insecure`");
        }
        for (path, least) in CREDENTIALS {
            let Some(Value::Text(text)) = value(path) else { continue };
            let Some(credential) = text.known().filter(|text| is_secret(text.value, least)) else { continue };
            let name = path.last().copied().unwrap_or_default();
            out.at(place(credential.span), format!("`{name}` of a cluster can be read in the repository"))
                .help("replace it, and keep the new one in a secret store or encrypted");
        }
    }
}

/// Whether a text may be a credential: no placeholder, no reference to another place.
fn is_secret(text: &str, least: usize) -> bool {
    text.len() >= least && !text.starts_with('$') && !text.starts_with("ENC[") && !is_placeholder(text)
}
