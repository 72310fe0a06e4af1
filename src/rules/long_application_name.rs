//! The name of an Application becomes a label and a release name, which may not be as long.

use super::{App, Check, Context, Findings};
use crate::fleet::source::Tool;
use crate::text::is_placeholder;
use crate::value::Piece;

pub const CHECK: Check = Check::app(check);

/// Characters of a label's value.
const LABEL: usize = 63;

/// Characters of a Helm release name.
const RELEASE: usize = 53;

/// Characters of an object's name; what is longer is refused at once.
const NAME: usize = 253;

fn check(app: &App, _: &Context<'_>, out: &mut Findings) {
    let Some(name) = &app.metadata.name else { return };
    let known = name.pieces().iter().filter_map(|piece| match piece {
        Piece::Known(text) => Some(text.value.as_str()),
        Piece::Unknown(_) => None,
    });
    if known.clone().any(is_placeholder) {
        return;
    }
    let length: usize = known.map(str::len).sum();
    let at_least = if name.as_str().is_some() { "" } else { "at least " };
    let is_release = app.sources.iter().any(|source| {
        let helm = source.written.helm.as_ref();
        source.tool == Some(Tool::Helm) && helm.is_none_or(|helm| helm.release_name.is_none())
    });
    let (most, what) = if is_release { (RELEASE, "a Helm release") } else { (LABEL, "a label") };
    if length <= most || length > NAME {
        return;
    }
    out.at(name.span(), format!("this name has {at_least}{length} characters; {what} may have {most}"))
        .help(if is_release { "shorten it, or set `helm.releaseName`" } else { "shorten it" });
}
