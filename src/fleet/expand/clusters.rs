//! The clusters generator: one set for each cluster that the selector takes.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/cluster.go`. Without an inventory one symbolic cluster stands for all
//! that the selector takes: what the selector demands of it is known, the rest is not.

use super::Expander;
use super::failure::Failure;
use super::params::{self, Mode, Open, Params, Provenance};
use super::select::{Answer, Label, Selection};
use super::values::append_values;
use crate::fleet::clusters::{Cluster, Known};
use crate::fleet::destination::{LOCAL_NAME, LOCAL_SERVER};
use crate::formats::argo::generator::ClustersGenerator;
use crate::lang::selector::{Guarantee, Values};
use crate::lang::template::{Value, normalize};
use crate::value::{Unknown, Why};
use std::collections::BTreeMap;

/// The sets of a clusters generator; Argo CD gives them no defined order, here it is that of the inventory.
pub fn generate(generator: &ClustersGenerator, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let selector = match &generator.selector {
        Some(selector) => Selection::new(selector, Values::OfLabels)?,
        None => Selection::everything(),
    };
    let mut sets = Vec::new();
    let mut is_open = !cx.clusters.is_complete && cx.clusters.known.is_empty();
    for cluster in &one_of_each_name(&cx.clusters.known) {
        let label = |key: &str| match cluster.labels.get(key) {
            Some(Ok(text)) => Label::Known(text),
            Some(Err(_)) => Label::Unknown,
            None => Label::Absent,
        };
        match selector.answer(label) {
            Answer::Yes => sets.push(of_cluster(cluster, cx.mode)),
            Answer::No => {}
            Answer::Unknown => is_open = true,
        }
    }
    if sets.is_empty() && !cx.clusters.is_complete {
        is_open = true;
    }
    let takes_local = selector.is_everything() && !cx.clusters.known.iter().any(is_local);
    cx.uses.clusters_ran(generator, sets.len(), is_open, takes_local);
    if is_open {
        cx.undecided("clusters", Unknown { why: Why::Cluster, span: generator.span });
        sets.push(symbolic(generator, &selector, cx.mode));
    } else if takes_local {
        // A Secret elsewhere may give the local cluster another name, and labels.
        sets.push(if cx.clusters.is_complete { local() } else { symbolic(generator, &selector, cx.mode) });
    }
    for set in &mut sets {
        append_values(&generator.values, set, cx)?;
    }
    if !generator.flat_list {
        return Ok(sets);
    }
    let is_symbolic = sets.iter().any(|set| set.is_symbolic);
    let list = if is_symbolic {
        Value::Unknown(Why::Cluster)
    } else {
        Value::List(sets.iter().map(|set| Value::Map(set.values.clone())).collect())
    };
    let from = sets.into_iter().flat_map(|set| set.from).collect();
    Ok(vec![Params {
        values: params::Values::from([("clusters".to_owned(), list)]),
        open: None,
        from,
        is_symbolic: false,
        weight: 0,
    }])
}

/// Of clusters with one name Argo CD keeps one, nobody knows which: only what they agree on is known of it.
fn one_of_each_name(clusters: &[Cluster]) -> Vec<Cluster> {
    let mut kept: Vec<Cluster> = Vec::with_capacity(clusters.len());
    for cluster in clusters {
        match kept.iter_mut().find(|other| other.name.is_ok() && other.name == cluster.name) {
            Some(other) => agree(other, cluster),
            None => kept.push(cluster.clone()),
        }
    }
    kept
}

fn agree(cluster: &mut Cluster, other: &Cluster) {
    let both = |one: &mut Known, other: Option<&Known>| {
        if Some(&*one) != other {
            *one = Err(Why::Cluster);
        }
    };
    both(&mut cluster.server, Some(&other.server));
    both(&mut cluster.project, Some(&other.project));
    for (mine, theirs) in [(&mut cluster.labels, &other.labels), (&mut cluster.annotations, &other.annotations)] {
        mine.iter_mut().for_each(|(key, value)| both(value, theirs.get(key)));
        for key in theirs.keys() {
            mine.entry(key.clone()).or_insert(Err(Why::Cluster));
        }
    }
}

fn is_local(cluster: &Cluster) -> bool {
    cluster.server.as_deref() == Ok(LOCAL_SERVER)
}

fn of_cluster(cluster: &Cluster, mode: Mode) -> Params {
    let mut values = basics(value(&cluster.name), value(&cluster.server), value(&cluster.project));
    let maps = [("labels", &cluster.labels), ("annotations", &cluster.annotations)];
    match mode {
        Mode::Placeholder => {
            for (name, entries) in maps {
                values.extend(entries.iter().map(|(key, text)| (format!("metadata.{name}.{key}"), value(text))));
            }
        }
        Mode::Go => {
            let present = maps.into_iter().filter(|(_, entries)| !entries.is_empty());
            let texts = |entries: &BTreeMap<String, Known>| {
                Value::StringMap(entries.iter().map(|(key, text)| (key.clone(), value(text))).collect())
            };
            let metadata = present.map(|(name, entries)| (name.to_owned(), texts(entries))).collect();
            values.insert("metadata".to_owned(), Value::Map(metadata));
        }
    }
    let from = match (cluster.document, &cluster.name) {
        (Some(document), _) => Provenance::Cluster(document),
        (None, Ok(name)) => Provenance::NamedCluster(name.clone()),
        (None, Err(_)) => Provenance::NamedCluster(String::new()),
    };
    Params::new(values, from)
}

/// The cluster that Argo CD runs in: it has no Secret, so no `metadata` at all.
fn local() -> Params {
    let text = |text: &str| Value::String(text.to_owned());
    Params::new(basics(text(LOCAL_NAME), text(LOCAL_SERVER), text("")), Provenance::NamedCluster(LOCAL_NAME.to_owned()))
}

fn symbolic(generator: &ClustersGenerator, selector: &Selection, mode: Mode) -> Params {
    let unknown = || Value::Unknown(Why::Cluster);
    let mut values = basics(unknown(), unknown(), unknown());
    let demanded = demands(selector);
    let open = match mode {
        Mode::Placeholder => {
            let known =
                demanded.iter().map(|(key, text)| (format!("metadata.labels.{key}"), Value::from(text.as_str())));
            values.extend(known);
            Some(Open {
                why: Why::Cluster,
                prefixes: ["metadata.labels.", "metadata.annotations."].map(str::to_owned).into(),
            })
        }
        Mode::Go => {
            let texts = |known| Value::Partial(Box::new(Value::StringMap(known)), Why::Cluster);
            let labels = demanded.iter().map(|(key, text)| (key.clone(), Value::from(text.as_str()))).collect();
            let metadata = BTreeMap::from([
                ("labels".to_owned(), texts(labels)),
                ("annotations".to_owned(), texts(BTreeMap::new())),
            ]);
            values.insert("metadata".to_owned(), Value::Map(metadata));
            None
        }
    };
    Params { values, open, from: vec![Provenance::Remote(generator.span)], is_symbolic: true, weight: 0 }
}

/// The labels of which the selector leaves one value only.
fn demands(selection: &Selection) -> BTreeMap<String, String> {
    let single = |(key, guarantee): (&str, Guarantee<'_>)| match guarantee {
        Guarantee::OneOf(values) if values.len() == 1 => Some((key.to_owned(), values.first()?.to_string())),
        _ => None,
    };
    selection.selector.guarantees().into_iter().filter_map(single).collect()
}

fn basics(name: Value, server: Value, project: Value) -> params::Values {
    let normalized = match &name {
        Value::String(name) => Value::String(normalize(name)),
        other => other.clone(),
    };
    params::Values::from([
        ("name".to_owned(), name),
        ("nameNormalized".to_owned(), normalized),
        ("server".to_owned(), server),
        ("project".to_owned(), project),
    ])
}

fn value(known: &Known) -> Value {
    match known {
        Ok(text) => Value::String(text.clone()),
        Err(why) => Value::Unknown(why.clone()),
    }
}
