//! A whole object must have the fields that its kind demands.

use super::{Check, Context, Findings};
use crate::formats::{Document, Kind, Kinds, Problem, ProblemKind};
use crate::repo::File;
use crate::yaml::Node;
use std::collections::BTreeSet;

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(cx: &Context<'_>, out: &mut Findings) {
    let lacking = cx.repo.files().flat_map(|file| file.documents.iter().map(move |document| (file, document)));
    let lacking: Vec<_> = lacking.filter(|(_, document)| lacks(document).next().is_some()).collect();
    // An object that lacks just what others of its kind get from a patch was written for the same patch.
    let completed: BTreeSet<(&str, &str)> = lacking
        .iter()
        .filter(|(_, document)| cx.fleet.partial.contains(document.id))
        .flat_map(|(file, document)| lacks(document).map(|problem| (kind(file, document), problem.message.as_str())))
        .collect();
    for (file, document) in lacking {
        let is_completed = |problem: &Problem| completed.contains(&(kind(file, document), problem.message.as_str()));
        if !cx.fleet.partial.contains(document.id) && !lacks(document).any(is_completed) {
            out.problems(document, ProblemKind::MissingField);
        }
    }
}

fn lacks(document: &Document) -> impl Iterator<Item = &Problem> {
    document.problems.iter().filter(|problem| problem.kind == ProblemKind::MissingField)
}

fn kind<'r>(file: &'r File, document: &Document) -> &'r str {
    document.node(&file.tree).get("kind").and_then(Node::as_str).unwrap_or("")
}
