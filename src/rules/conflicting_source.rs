//! Fields of a source that contradict each other: one wins, or Argo CD refuses all.

use super::{App, Check, Context, Findings};
use crate::fleet::source::directory::Filter;
use crate::fleet::source::refs::{self, RefProblem};
use crate::fleet::source::tool::{blocks, builds_alone, files};
use crate::fleet::{Source, source::Tool};
use crate::formats::argo::application;
use crate::text::Spanned;
use crate::value::Text;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    check_forms(app, out);
    for source in &app.sources {
        check_kind(source, out);
        if source.opaque.is_none() {
            check_blocks(source, cx, out);
        }
    }
    if app.spec.has_multiple_sources() {
        check_refs(app, out);
    }
}

/// `source`, `sources`, `sourceHydrator`: one of them counts.
fn check_forms(app: &App, out: &mut Findings) {
    let spec = &app.spec;
    let sources = spec.sources_key.filter(|_| !spec.sources.is_empty());
    let (winner, place) = match (&spec.hydrator, sources) {
        (Some(hydrator), _) => ("sourceHydrator", hydrator.span),
        (None, Some(sources)) => ("sources", sources),
        (None, None) => return,
    };
    let ignored = spec.source.as_ref().map(|source| ("source", source.key));
    let ignored_too = sources.filter(|_| winner != "sources").map(|key| ("sources", key));
    for (name, key) in ignored.into_iter().chain(ignored_too) {
        out.at(key, format!("`{name}` is ignored: `{winner}` counts"))
            .label(place, "this is used")
            .help(format!("keep one of `{name}` and `{winner}`"));
    }
}

/// `chart` and `path`: `chart` counts.
fn check_kind(source: &Source, out: &mut Findings) {
    let known = |text: &Option<Text>| text.as_ref().and_then(Text::known).map(|text| text.span);
    if let (Some(chart), Some(path)) = (known(&source.written.chart), known(&source.written.path)) {
        out.at(path, "`path` is ignored: `chart` counts")
            .label(chart, "this is used")
            .help("keep one of `path` and `chart`");
    }
}

/// The blocks of the tools, and the files that the tools need.
fn check_blocks(source: &Source, cx: &Context<'_>, out: &mut Findings) {
    let blocks = blocks(&source.written);
    if let [(first, place), rest @ ..] = blocks.as_slice()
        && let [(second, span), ..] = rest
    {
        out.at(*span, format!("a source has one tool, but this one has `{}` and `{}`", first.block(), second.block()))
            .label(*place, format!("`{}` is here", first.block()))
            .help("keep one of them");
        return;
    }
    let (Some((root, folder)), Some(path)) = (source.folder(), source.written.path.as_ref().map(Text::span)) else {
        return;
    };
    let names: Vec<&str> = files(cx.repo, root, folder).collect();
    let has = |tool: Tool| names.iter().any(|name| Tool::of_file(name) == Some(tool));
    let [(tool, span)] = blocks.as_slice() else {
        if has(Tool::Kustomize) && names.contains(&"Chart.yaml") && builds_alone(cx.repo, root, folder) {
            out.at(path, format!("`{folder}` is rendered by Kustomize, which ignores its `Chart.yaml`"))
                .help("move one of them, or add `helm` to the source");
        }
        return;
    };
    match tool {
        Tool::Directory if names.contains(&"Chart.yaml") && Filter::of(&source.written).selects("Chart.yaml") => {
            out.at(
                *span,
                format!("`directory` takes the files of `{folder}` as they are, although it has a `Chart.yaml`"),
            )
            .label(path, "this folder is a chart")
            .help("remove `directory`, so that Helm renders the chart");
        }
        Tool::Helm if !has(Tool::Helm) => {
            out.at(*span, format!("`helm` needs a chart, but `{folder}` has no `Chart.yaml`"))
                .label(path, "this folder is no chart")
                .help("remove `helm`, or let `path` name the folder of a chart");
        }
        Tool::Kustomize if !has(Tool::Kustomize) => {
            out.at(*span, format!("`kustomize` needs a kustomization, but `{folder}` has no `kustomization.yaml`"))
                .label(path, "this folder has no kustomization")
                .help("remove `kustomize`, or let `path` name the folder of a kustomization");
        }
        _ => {}
    }
}

/// Refs of one name, or of one repository at two revisions.
fn check_refs(app: &App, out: &mut Findings) {
    let sources: Vec<&application::Source> = app.sources.iter().map(|source| &source.written).collect();
    for (span, problem) in refs::declared(sources.iter().copied()).problems {
        if let RefProblem::Duplicate { earlier } = problem
            && let Some(other) = &sources[earlier].reference
        {
            out.at(span, "two sources have this `ref`").label(other.span(), "the first one").help("rename one of them");
        }
    }
    for index in 0..sources.len() {
        for used in refs::uses(&sources, index) {
            let (one, other) = match used.target {
                Err(RefProblem::OtherRevision { earlier, target }) => (earlier, target),
                Err(RefProblem::OwnRevision { target }) => (index, target),
                _ => continue,
            };
            let (Some(one), Some(other)) = (revision(sources[one]), revision(sources[other])) else { continue };
            if one.value == other.value {
                continue;
            }
            out.at(
                used.name.span,
                format!("a source cannot read one repository at `{}` and at `{}`", one.value, other.value),
            )
            .label(one.span, format!("this is `{}`", one.value))
            .label(other.span, format!("this is `{}`", other.value))
            .help("use one revision for both");
        }
    }
}

/// A revision that is written; `HEAD` may be any branch.
fn revision(source: &application::Source) -> Option<Spanned<&str>> {
    let text = source.revision.as_ref()?.known().filter(|text| text.value != "HEAD")?;
    Some(Spanned::new(text.value.strip_prefix("refs/heads/").unwrap_or(text.value), text.span))
}
