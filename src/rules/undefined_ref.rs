//! `$name/…` in a value file must name a source of the app.

use super::{App, Check, Context, Findings};
use crate::fleet::source::Environment;
use crate::fleet::source::refs::{self, RefProblem};
use crate::fleet::{Meaning, Source, ValueFile};
use crate::text::{Spanned, nearest};
use crate::value::Text;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, _cx: &Context<'_>, out: &mut Findings) {
    let declared = refs::declared(app.sources.iter().map(|source| &source.written));
    let names: Vec<&str> = declared.names.iter().map(|(name, _)| *name).collect();
    let is_multiple = app.spec.has_multiple_sources();
    for (span, problem) in declared.problems.into_iter().filter(|_| is_multiple) {
        if problem == RefProblem::Name {
            out.at(span, "a `ref` has only letters, digits, `-` and `_`").help("rename it, here and where it is used");
        }
    }
    for source in &app.sources {
        let environment = Environment::new(&app.metadata, &app.spec, &source.written);
        for file in source.value_files.iter().chain(&source.file_parameters) {
            match &file.meaning {
                Meaning::Ref(RefProblem::Undefined) if is_misnamed(file, app) => {}
                Meaning::Ref(RefProblem::Undefined) => undefined(file, &names, &environment, out),
                Meaning::Ref(RefProblem::Chart { target }) => chart(file, &app.sources[*target], out),
                _ if !is_multiple => single(source, file, &environment, out),
                _ => misplaced(file, &names, out),
            }
        }
    }
}

/// Whether some source has this `ref`, but not as a name.
fn is_misnamed(file: &ValueFile, app: &App) -> bool {
    let name = refs::ref_name_of(&file.written).map(|name| name.value);
    let mut references = app.sources.iter().map(|source| source.written.reference.as_ref().and_then(Text::as_str));
    name.is_some() && references.any(|reference| reference == name)
}

fn undefined(file: &ValueFile, names: &[&str], environment: &Environment, out: &mut Findings) {
    let Some(Spanned { value: name, span }) = refs::ref_name_of(&file.written) else { return };
    let finding = out.at(span, format!("no source has `ref: {name}`"));
    if environment.has(name) {
        finding.help(format!("a variable cannot come first in an app with `sources`: write `./${name}`"));
    } else if let Some(near) = nearest(name, names.iter().copied()) {
        finding.help(format!("did you mean `${near}`?"));
    } else if let [only] = names {
        finding.help(format!("the only `ref` here is `{only}`: write `${only}/…`"));
    } else {
        finding.help(format!("add `ref: {name}` to the source that holds the file"));
    }
}

fn chart(file: &ValueFile, target: &Source, out: &mut Findings) {
    let Some(Spanned { value: name, span }) = refs::ref_name_of(&file.written) else { return };
    let finding = out.at(span, format!("`${name}` is a chart, and only a git repository can be referred to"));
    finding.help("add a source of the git repository that holds the file, with a `ref` of its own");
    if let Some(chart) = &target.written.chart {
        finding.label(chart.span(), "this source is a chart");
    }
}

/// In an app with one `source`, `$name` is a variable, and empty.
fn single(source: &Source, file: &ValueFile, environment: &Environment, out: &mut Findings) {
    let is_lost = matches!(file.meaning, Meaning::Missing(_) | Meaning::InChart(_));
    let Some(Spanned { value: name, span }) = refs::ref_name_of(&file.written).filter(|_| is_lost) else { return };
    if !refs::is_ref_name(name) || environment.has(name) {
        return;
    }
    let finding = out.at(span, format!("`${name}` is empty here: only an app with `sources` has refs"));
    finding.help(format!("turn `source` into a list `sources`, and add one with `ref: {name}`"));
    if let Some(reference) = source.written.reference.as_ref() {
        finding.label(reference.span(), "a `ref` in `source` does not count");
    }
}

/// A ref counts at the start of an entry only; elsewhere it is an empty variable.
fn misplaced(file: &ValueFile, names: &[&str], out: &mut Findings) {
    let is_lost = matches!(file.meaning, Meaning::Missing(_) | Meaning::InChart(_));
    let Some(Spanned { value: written, span }) = file.written.known().filter(|_| is_lost) else { return };
    let use_of = |name: &&str| {
        let forms = [format!("${name}/"), format!("${{{name}}}/")];
        let at = forms.iter().find_map(|form| Some(written.find(form.as_str()).filter(|at| *at > 0)? + form.len()))?;
        Some((name.to_string(), &written[at..]))
    };
    if let Some((name, rest)) = names.iter().find_map(use_of) {
        out.at(span, format!("`${name}` counts only at the start of the path")).help(format!("write `${name}/{rest}`"));
    }
}
