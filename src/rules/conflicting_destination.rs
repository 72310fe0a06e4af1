//! A destination has a name or a server, and not both.

use super::{App, Check, Context, Findings};
use crate::value::Text;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, _cx: &Context<'_>, out: &mut Findings) {
    let Some(destination) = &app.spec.destination else { return };
    match (&destination.name, &destination.server) {
        (Some(name), Some(server)) if certain(name) && certain(server) => {
            let mut places = [(name.span(), "`name`"), (server.span(), "`server`")];
            places.sort();
            let [(first, _), (second, key)] = places;
            out.at(first, "destination has both `name` and `server`")
                .label(second, format!("{key} is here"))
                .help("keep one of them: both mean the cluster");
        }
        // What has neither project nor source is a patch of an Application.
        (None, None) if app.spec.project.is_some() && !app.sources.is_empty() => {
            out.at(destination.key, "destination has neither `name` nor `server`")
                .help("name the cluster: `server: https://kubernetes.default.svc` is the one Argo CD runs in");
        }
        _ => {}
    }
}

/// Whether some piece of a text is certain, so that it is not empty.
fn certain(text: &Text) -> bool {
    text.pieces().len() > text.unknowns().count()
}
