//! Production is synced by a person.

use super::{App, Check, Context, Findings};
use crate::finding::Fix;
use crate::text::Edit;
use crate::yaml::edit;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let Some(automated) = app.spec.sync.automated.as_ref().filter(|automated| automated.is_on()) else { return };
    let Some(evidence) = cx.fleet.environments.production(app, cx.repo) else { return };
    let message = format!("automated sync is on in production, as the {} `{}` says", evidence.kind, evidence.text);
    let finding = out.at(automated.key, message);
    finding.help("remove `automated`, so that a person starts each sync");
    if let Some(span) = evidence.span {
        finding.label(span, "this says production");
    }
    if let Some(edit) = removal(app, cx) {
        finding.fix(Fix::unsafe_("remove `automated`", vec![edit]));
    }
}

/// Takes `automated` out of an Application that stands for itself alone.
fn removal(app: &App, cx: &Context<'_>) -> Option<Edit> {
    if app.is_built() || app.is_generated() {
        return None;
    }
    let (file, document) = cx.repo.document(app.document());
    edit::remove_at(document.node(&file.tree), &["spec", "syncPolicy", "automated"])
}
