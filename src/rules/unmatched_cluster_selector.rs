//! A selector of clusters must select one.

use super::{Check, Context, Findings};
use crate::fleet::clusters::{Cluster, Clusters};
use crate::fleet::expand::ClustersUse;
use crate::fleet::expand::select::Selection;
use crate::lang::selector::{Operator, Requirement, Values};
use crate::repo::slip;
use crate::text::Span;
use crate::text::similar::{certain, near};
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check);

/// Names that are listed.
const NAMED: usize = 5;

fn check(cx: &Context<'_>, out: &mut Findings) {
    let clusters = &cx.fleet.clusters;
    let are_labels_known = clusters.known.iter().all(|cluster| cluster.labels.values().all(Result::is_ok));
    if clusters.known.is_empty() || !are_labels_known {
        return;
    }
    for used in cx.fleet.sets.iter().flat_map(|set| &set.uses.clusters) {
        let [selector] = used.selectors.as_slice() else { continue };
        let Ok(selection) = Selection::new(selector, Values::OfLabels) else { continue };
        if used.taken == 0 && !used.takes_local && !selection.is_everything() {
            report(used, &selection, clusters, out);
        }
    }
}

/// Reports the first requirement that no cluster fulfils. Without the whole inventory only a slip is certain.
fn report(used: &ClustersUse, selection: &Selection, clusters: &Clusters, out: &mut Findings) {
    let requirements = selection.selector.requirements().iter().zip(&selection.places);
    let is_unfulfilled = |requirement: &Requirement| {
        !clusters.known.iter().any(|cluster| requirement.admits(label(cluster, requirement.key())))
    };
    let mut unfulfilled = requirements.filter(|(requirement, _)| is_unfulfilled(requirement)).peekable();
    if unfulfilled.peek().is_none() && !used.is_open {
        out.at(used.span, "no known cluster has all the labels that are selected")
            .help("correct the selector, or a label");
    }
    for (requirement, places) in unfulfilled {
        let lack = Lack::of(requirement, *places, clusters);
        if lack.meant.is_some() || !used.is_open {
            let help = match (lack.meant, lack.known.as_slice()) {
                (Some(meant), _) => format!("did you mean `{meant}`?"),
                (None, []) => "correct the selector, or a label".to_owned(),
                (None, known) => format!("known {} are {}", lack.what, known.join(", ")),
            };
            out.at(lack.span, lack.message).help(help);
            return;
        }
    }
}

/// What all clusters lack.
struct Lack<'a> {
    span: Span,
    message: String,
    /// What was probably meant.
    meant: Option<&'a str>,
    /// What there is.
    known: Vec<String>,
    what: &'static str,
}

impl<'a> Lack<'a> {
    fn of(requirement: &Requirement, (key, values): (Span, Span), clusters: &'a Clusters) -> Lack<'a> {
        let name = requirement.key();
        let is_excluding = matches!(requirement.operator(), Operator::NotIn | Operator::DoesNotExist);
        let keys: BTreeSet<&str> =
            clusters.known.iter().flat_map(|cluster| cluster.labels.keys()).map(String::as_str).collect();
        if is_excluding {
            let message = format!("every known cluster is left out by its label `{name}`");
            return Lack { span: key, message, meant: None, known: Vec::new(), what: "labels" };
        }
        if !keys.contains(name) {
            let message = format!("no known cluster has the label `{name}`");
            let is_same_name = |key: &&&str| key.rsplit('/').next() == name.rsplit('/').next();
            let meant = keys.iter().find(is_same_name).copied();
            let meant = meant.or_else(|| certain(name, &near(name, keys.iter().copied())));
            return Lack { span: key, message, meant, known: listed(keys), what: "labels" };
        }
        let found: BTreeSet<&str> = clusters.known.iter().filter_map(|cluster| label(cluster, name)).collect();
        let wanted: Vec<&str> = requirement.values().iter().map(String::as_str).collect();
        let is_meant =
            |value: &&&str| wanted.iter().any(|wanted| slip(wanted, value, false).is_some_and(|slip| slip.is_sure()));
        let meant = found.iter().find(is_meant).copied();
        let message = match wanted.as_slice() {
            [one] => format!("no known cluster has `{name}: {one}`"),
            _ => format!("no known cluster has one of these values of `{name}`"),
        };
        Lack { span: values, message, meant, known: listed(found), what: "values" }
    }
}

fn listed(names: BTreeSet<&str>) -> Vec<String> {
    let is_own = |name: &&str| !name.starts_with("argocd.argoproj.io/");
    names.into_iter().filter(is_own).take(NAMED).map(|name| format!("`{name}`")).collect()
}

fn label<'a>(cluster: &'a Cluster, key: &str) -> Option<&'a str> {
    cluster.labels.get(key)?.as_deref().ok()
}
