//! A `ref` that nothing refers to does nothing.

use super::{App, Check, Context, Findings};
use crate::fleet::source::refs;
use crate::formats::argo::application;
use crate::text::nearest;
use crate::value::Text;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, _cx: &Context<'_>, out: &mut Findings) {
    let is_multiple = app.spec.has_multiple_sources();
    for source in &app.sources {
        let Some(name) = source.written.reference.as_ref().and_then(Text::known) else { continue };
        if !is_multiple {
            out.at(name.span, "a `ref` counts only in `sources`")
                .help("turn `source` into a list `sources`, or remove the `ref`");
        } else if source.written.chart.is_some() {
            if !is_used(app, name.value) {
                let finding = out.at(name.span, "a chart cannot be referred to by `ref`");
                finding.help("remove it; files of a git repository can be referred to");
            }
        } else if !is_used(app, name.value) {
            let finding = out.at(name.span, format!("no value file begins with `${}`", name.value));
            let used: Vec<&str> = used_names(app).collect();
            finding.help(match nearest(name.value, used.iter().copied()) {
                Some(used) => format!("did you mean `{used}`, which is used?"),
                None if source.written.path.is_some() => "refer to it in `valueFiles`, or remove the `ref`".to_owned(),
                None => "refer to it in `valueFiles`, or remove the source".to_owned(),
            });
        }
    }
}

/// Whether an entry begins with `$name`, or may begin with it.
fn is_used(app: &App, name: &str) -> bool {
    entries(app).any(|entry| match refs::ref_name_of(entry) {
        Some(used) => used.value == name,
        None => entry.known().is_none(),
    })
}

fn used_names(app: &App) -> impl Iterator<Item = &str> {
    entries(app).filter_map(|entry| refs::ref_name_of(entry).map(|name| name.value))
}

fn entries(app: &App) -> impl Iterator<Item = &Text> {
    let sources: Vec<&application::Source> = app.sources.iter().map(|source| &source.written).collect();
    sources.into_iter().flat_map(refs::entries)
}
