//! Production is synced by a person.

use super::{App, Check, Context, Findings, OptionDefault, OptionSpec};
use crate::finding::Fix;
use crate::fleet::{Source, plain};
use crate::formats::{Document, Resource};
use crate::text::Edit;
use crate::yaml::edit;

pub const CHECK: Check = Check::app(check).options(&[OptionSpec {
    name: "apps-of-apps",
    default: OptionDefault::Bool(false),
    doc: "whether apps that deliver nothing but other apps count as well",
}]);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let Some(automated) = app.spec.sync.automated.as_ref().filter(|automated| automated.is_on()) else { return };
    if !cx.options.bool("apps-of-apps") && delivers_apps_only(app, cx) {
        return;
    }
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

/// Whether all that an app delivers are Argo CD's own objects. Its sync deploys nothing: each of them has its own, which
/// is judged by itself.
fn delivers_apps_only(app: &App, cx: &Context<'_>) -> bool {
    let is_apps = |source: &Source| {
        let files = plain::manifests(source, cx.repo).unwrap_or_default();
        let mut documents = files.iter().flat_map(|file| &file.documents).peekable();
        let is_own = |document: &Document| {
            matches!(
                document.resource,
                Resource::Application(_) | Resource::ApplicationSet(_) | Resource::AppProject(_)
            )
        };
        documents.peek().is_some() && documents.all(is_own)
    };
    !app.sources.is_empty() && app.sources.iter().all(is_apps)
}
