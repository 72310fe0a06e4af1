//! A missing value file that is skipped silently, although one that looks like it exists.

use super::{App, Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::source::{Meant, Mistake, Place};
use crate::fleet::{Fleet, Meaning, Source, ValueFile};
use crate::near;
use crate::repo::{Found, Repo, Slip};
use crate::text::{RootId, Span};
use std::collections::HashSet;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let read = files_read(cx.fleet);
    for app in &cx.fleet.apps {
        for (index, source) in app.sources.iter().enumerate() {
            for file in &source.value_files {
                if source.ignores_missing() {
                    check_skipped(app, index, file, &read, cx, out);
                }
                check_beside(app, source, file, &read, cx.repo, out);
            }
        }
    }
    for set in cx.fleet.sets.iter().filter(|set| !set.is_undecided) {
        check_layers(&cx.fleet.apps[set.apps.clone()], cx.repo, out);
    }
}

/// A layer that is there for no app of a set is hardly optional: its path is wrong, or it is left over.
fn check_layers(apps: &[App], repo: &Repo, out: &mut Findings) {
    let [first, second, ..] = apps else { return };
    if apps.iter().any(App::is_symbolic) {
        return;
    }
    let said: Vec<Span> = out.spans().collect();
    for (at, source) in first.sources.iter().enumerate().filter(|(_, source)| source.ignores_missing()) {
        for (layer, file) in source.value_files.iter().enumerate() {
            let of = |app: &App| app.sources.get(at).and_then(|source| source.value_files.get(layer)).cloned();
            let is_skipped = |app: &App| of(app).is_some_and(|file| is_absent(&file));
            let differs = of(second).is_some_and(|other| other.written.as_str() != file.written.as_str());
            if !differs || !apps.iter().all(is_skipped) || said.contains(&file.written.span()) {
                continue;
            }
            let message = format!("this value file exists for none of the {} applications of the set", apps.len());
            let finding = out.at(file.written.span(), message);
            if let Meaning::Missing(place) = &file.meaning {
                let path = repo.path_seen_from(file.written.span(), place.root, &place.path);
                finding.help(format!("create it, such as `{path}`, correct the path, or remove the entry"));
            }
            if let Some(ignore) = source.written.helm.as_ref().and_then(|helm| helm.ignore_missing.as_ref()) {
                finding.label(ignore.span, "missing files are skipped");
            }
        }
    }
}

fn is_absent(file: &ValueFile) -> bool {
    file.foreign.is_none()
        && match &file.meaning {
            Meaning::Missing(_) => true,
            Meaning::Glob(_, matches) => matches.is_empty(),
            _ => false,
        }
}

/// Every value file that some app reads.
fn files_read(fleet: &Fleet) -> HashSet<&Place> {
    let files = fleet.apps.iter().flat_map(|app| &app.sources).flat_map(|source| &source.value_files);
    files
        .flat_map(|file| match &file.meaning {
            Meaning::File(place, _) => std::slice::from_ref(place),
            Meaning::Glob(_, matches) => matches.as_slice(),
            _ => &[],
        })
        .collect()
}

fn check_skipped(
    app: &App,
    index: usize,
    file: &ValueFile,
    read: &HashSet<&Place>,
    cx: &Context<'_>,
    out: &mut Findings,
) {
    let repo = cx.repo;
    if file.foreign.is_some() {
        return;
    }
    let is_sure = |meant: &Meant| match meant.mistake {
        Mistake::RelativeToRoot | Mistake::RelativeToFolder | Mistake::RelativeToRefPath => true,
        // Nothing reads what is meant, so that it is hardly there for its own sake.
        Mistake::Slip(slip) => slip.is_sure() || matches!(slip, Slip::Typing(_) | Slip::Order | Slip::Level),
    };
    let Some(meant) = Meant::of(&app.sources, index, file, repo).filter(is_sure) else {
        return check_strayed(app, file, cx, out);
    };
    let Some(written) = file.written.known().filter(|_| !read.contains(&meant.place)) else { return };
    let message = match &file.meaning {
        Meaning::Missing(place) => {
            let path = repo.path_seen_from(written.span, place.root, &place.path);
            format!("value file `{path}` does not exist and is skipped silently")
        }
        _ => format!("no value file matches `{}`, which is skipped silently", written.value),
    };
    let ignore = app.sources[index].written.helm.as_ref().and_then(|helm| helm.ignore_missing.as_ref());
    let finding = out.at(written.span, message);
    finding.help(format!("did you mean `{}`?", meant.text));
    finding.subject = app.name().map(|name| Subject(name.to_owned()));
    if let Some(ignore) = ignore {
        finding.label(ignore.span, "missing files are skipped");
    }
}

/// A file that nothing reads, and that lies one level higher or deeper, or has its segments in another order.
fn check_strayed(app: &App, file: &ValueFile, cx: &Context<'_>, out: &mut Findings) {
    let (Meaning::Missing(place), Some(written)) = (&file.meaning, file.written.known()) else { return };
    let stray = near::strayed(place.root, place.path.as_str(), false, cx.fleet, cx.repo);
    let Some((_, stray)) = stray.filter(|(_, stray)| !near::is_set_aside(stray)) else { return };
    let path = cx.repo.path_seen_from(written.span, place.root, &place.path);
    let finding = out.at(written.span, format!("value file `{path}` does not exist and is skipped silently"));
    finding.help(format!("nothing reads `{stray}`: move it there, or correct the path"));
    finding.subject = app.name().map(|name| Subject(name.to_owned()));
}

/// A path in a chart from a registry, while a file of that name lies beside the Application and nobody reads it.
fn check_beside(app: &App, source: &Source, file: &ValueFile, read: &HashSet<&Place>, repo: &Repo, out: &mut Findings) {
    let (Meaning::InChart(path), Some(written)) = (&file.meaning, file.written.known()) else { return };
    let entry = repo.entry(app.document().file);
    let Some(beside) = entry.path.parent().and_then(|folder| folder.join(path).ok()) else { return };
    let place = Place { root: entry.root, path: beside };
    if !matches!(repo.find(place.root, &place.path), Found::File(_)) || read.contains(&place) {
        return;
    }
    let message = format!("value file `{}` is looked up in the chart, not at `{}`", written.value, place.path);
    let finding = out.at(written.span, message);
    finding.help(match url_of(repo, place.root) {
        Some(url) => format!("add a source of `{url}` with a `ref`, and write `$ref/{}`", place.path),
        None => format!("add a source of this repository with a `ref`, and write `$ref/{}`", place.path),
    });
    finding.subject = app.name().map(|name| Subject(name.to_owned()));
    if let Some(chart) = source.written.chart.as_ref() {
        finding.label(chart.span(), "the chart comes from a registry");
    }
}

fn url_of(repo: &Repo, root: RootId) -> Option<&str> {
    repo.root(root).urls.first().map(|url| url.as_str())
}
