//! Generators that ask a network or the cluster: their parameters by name, their values unknown, or exactly what the
//! configuration gives as fixtures.
//!
//! Mirrors Argo CD 3.6, `scm_provider.go`, `pull_request.go`, `duck_type.go`, `plugin.go` of its generators.

use super::Expander;
use super::convert::to_template;
use super::failure::Failure;
use super::params::{Mode, Open, Params, Provenance, Values, flatten};
use super::values::append_values;
use crate::formats::argo::generator::RemoteGenerator;
use crate::lang::template::Value;
use crate::value::{Unknown, Why};

/// Parameters of the SCM provider generator.
const SCM: &[&str] = &[
    "organization",
    "repository",
    "repository_id",
    "url",
    "branch",
    "branchNormalized",
    "sha",
    "short_sha",
    "short_sha_7",
    "labels",
];

/// Parameters of the pull request generator.
const PULL_REQUEST: &[&str] = &[
    "number",
    "title",
    "branch",
    "branch_slug",
    "target_branch",
    "target_branch_slug",
    "head_sha",
    "head_short_sha",
    "head_short_sha_7",
    "author",
];

/// Parameters that every decision has; the decision's own keys come on top.
const DECISION: &[&str] = &["name", "server"];

/// The fixtures as sets, else one symbolic set.
pub fn generate(remote: &RemoteGenerator, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let fixtures = cx.set_name.and_then(|name| cx.settings.fixtures.get(name));
    let mut sets: Vec<Params> = match fixtures {
        Some(fixtures) => fixtures.iter().filter_map(|fixture| of_fixture(fixture, remote, cx.mode)).collect(),
        None => {
            let why = Why::Runtime(format!("what `{}` finds", remote.name));
            cx.undecided("generator", Unknown { why: why.clone(), span: remote.span });
            vec![symbolic(remote, why, cx.mode)]
        }
    };
    for set in &mut sets {
        append_values(&remote.values, set, cx)?;
    }
    Ok(sets)
}

fn of_fixture(fixture: &crate::value::Value, remote: &RemoteGenerator, mode: Mode) -> Option<Params> {
    let Value::Map(values) = to_template(fixture) else { return None };
    let values = if mode == Mode::Placeholder { flatten(&values) } else { values };
    Some(Params::new(values, Provenance::Remote(remote.span)))
}

fn symbolic(remote: &RemoteGenerator, why: Why, mode: Mode) -> Params {
    let (names, is_open) = match remote.name {
        "scmProvider" => (SCM, false),
        "pullRequest" => (PULL_REQUEST, false),
        "clusterDecisionResource" => (DECISION, true),
        _ => (&[] as &[&str], true),
    };
    let mut values: Values = names.iter().map(|name| ((*name).to_owned(), Value::Unknown(why.clone()))).collect();
    if remote.name == "pullRequest" && mode == Mode::Go {
        values.insert("labels".to_owned(), Value::Unknown(why.clone()));
    }
    let open = is_open.then_some(Open::any(why));
    Params { values, open, from: vec![Provenance::Remote(remote.span)], is_symbolic: true, weight: 0 }
}
