//! `ref`: files of one source that the value files of another refer to.
//!
//! Mirrors Argo CD 3.6, `util/argo`, `GetRefSources`, and `reposerver/repository`, `runManifestGenAsync`.

use crate::formats::argo::application::Source;
use crate::repo::url::normalize;
use crate::text::{Span, Spanned};
use crate::value::{Piece, Text};

/// What is wrong with a `ref` or its use. The places are indexes into the app's sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefProblem {
    /// A `ref` has a character other than letters, digits, `_`, `-`.
    Name,
    /// An earlier source has the same `ref`.
    Duplicate {
        /// The earlier one.
        earlier: usize,
    },
    /// No source has this `ref`.
    Undefined,
    /// The source with this `ref` is a chart, whose files cannot be referred to.
    Chart {
        /// That source.
        target: usize,
    },
    /// This source already uses a `ref` to the same repository at another revision.
    OtherRevision {
        /// The source with the `ref` used earlier.
        earlier: usize,
        /// The source with this `ref`.
        target: usize,
    },
    /// The `ref` means the repository of the source itself, at another revision.
    OwnRevision {
        /// The source with this `ref`.
        target: usize,
    },
}

/// An entry of `valueFiles` or `fileParameters` that begins with `$name`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefUse {
    /// The name, and the place of the whole entry.
    pub name: Spanned<String>,
    /// The source it means, or what is wrong.
    pub target: Result<usize, RefProblem>,
}

/// The refs that an app declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared<'s> {
    /// Their names, with the indexes of their sources, in order.
    pub names: Vec<(&'s str, usize)>,
    /// What is wrong with the others. One wrong `ref` fails the whole app.
    pub problems: Vec<(Span, RefProblem)>,
}

/// The name after a leading `$`, up to the first `/`; `None` when the text refers to nothing.
pub fn ref_name(value_file: &str) -> Option<&str> {
    value_file.strip_prefix('$').map(|rest| rest.split_once('/').map_or(rest, |(name, _)| name))
}

/// The name after a leading `$` in a text that is known at least that far.
pub fn ref_name_of(entry: &Text) -> Option<Spanned<&str>> {
    let Piece::Known(first) = entry.pieces().first()? else { return None };
    let is_complete = entry.pieces().len() == 1 || first.value.contains('/');
    let name = ref_name(&first.value).filter(|_| is_complete)?;
    Some(Spanned::new(name, first.span))
}

/// The entries of a source that may begin with `$name`, in the order Argo CD looks at them.
pub fn entries(source: &Source) -> impl Iterator<Item = &Text> {
    source.helm.iter().flat_map(|helm| helm.value_files.iter().chain(&helm.file_parameters))
}

/// Whether a text can be the name of a `ref`.
pub fn is_ref_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The refs that the sources of an app declare. They exist in `sources` only: a single `source` declares none.
pub fn declared<'s>(sources: impl IntoIterator<Item = &'s Source>) -> Declared<'s> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    let mut problems = Vec::new();
    for (index, source) in sources.into_iter().enumerate() {
        let name = source.reference.as_ref().and_then(Text::known);
        let Some(name) = name.filter(|name| !name.value.is_empty()) else { continue };
        if !is_ref_name(name.value) {
            problems.push((name.span, RefProblem::Name));
        } else if let Some(&(_, earlier)) = found.iter().find(|(other, _)| *other == name.value) {
            problems.push((name.span, RefProblem::Duplicate { earlier }));
        } else {
            found.push((name.value, index));
        }
    }
    Declared { names: found, problems }
}

/// How the source at `index` uses the refs of its app, in order. Entries that are not known far enough are left out.
pub fn uses(sources: &[&Source], index: usize) -> Vec<RefUse> {
    let declared = declared(sources.iter().copied()).names;
    let is_any_unknown =
        sources.iter().any(|source| source.reference.as_ref().is_some_and(|name| name.known().is_none()));
    let mut used: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for name in sources.get(index).into_iter().copied().flat_map(entries).filter_map(ref_name_of) {
        let target = match declared.iter().find(|(other, _)| *other == name.value) {
            Some(&(_, target)) => check_target(sources, index, target, &used).map(|()| target),
            None if is_any_unknown => continue,
            None => Err(RefProblem::Undefined),
        };
        used.extend(target.ok());
        found.push(RefUse { name: name.map(str::to_owned), target });
    }
    found
}

fn check_target(sources: &[&Source], index: usize, target: usize, used: &[usize]) -> Result<(), RefProblem> {
    let source = sources[target];
    if source.chart.is_some() {
        return Err(RefProblem::Chart { target });
    }
    let is_same = |other: &Source| match (repository(source), repository(other)) {
        (Some(url), Some(other)) => url == other || normalize(url) == normalize(other),
        _ => false,
    };
    if let Some(&earlier) = used.iter().find(|&&earlier| is_same(sources[earlier])) {
        let differs = differs(sources[earlier], source);
        return if differs { Err(RefProblem::OtherRevision { earlier, target }) } else { Ok(()) };
    }
    let own = sources[index];
    if own.chart.is_none() && differs(own, source) && is_same(own) {
        return Err(RefProblem::OwnRevision { target });
    }
    Ok(())
}

fn repository(source: &Source) -> Option<&str> {
    source.repo_url.as_ref()?.as_str()
}

/// Whether two sources certainly name different revisions, by their texts.
fn differs(one: &Source, other: &Source) -> bool {
    fn text(source: &Source) -> Option<&str> {
        source.revision.as_ref().map_or(Some(""), Text::as_str)
    }
    matches!((text(one), text(other)), (Some(one), Some(other)) if one != other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Text {
        Text::known_at(value, Span::default())
    }

    fn source(url: &str, reference: Option<&str>) -> Source {
        Source { repo_url: Some(text(url)), reference: reference.map(text), ..Source::default() }
    }

    #[test]
    fn a_reference_is_named_up_to_the_first_slash() {
        assert_eq!(ref_name("$values/a.yaml"), Some("values"));
        assert_eq!(ref_name("$values"), Some("values"));
        assert_eq!(ref_name("a/$values"), None);
    }

    #[test]
    fn the_name_of_a_partly_known_entry_is_known_when_it_ends() {
        let partial = |value: &str| {
            let mut entry = text(value);
            entry
                .push(Piece::Unknown(crate::value::Unknown { why: crate::value::Why::Cluster, span: Span::default() }));
            ref_name_of(&entry).map(|name| name.value.to_owned())
        };
        assert_eq!(partial("$values/").as_deref(), Some("values"));
        assert_eq!(partial("$val"), None);
    }

    #[test]
    fn names_are_simple_and_unique() {
        let sources =
            [source("a", Some("x_1-y")), source("b", Some("a.b")), source("c", Some("x_1-y")), source("d", Some(""))];
        let found = declared(&sources);
        assert_eq!(found.names, [("x_1-y", 0)]);
        let problems: Vec<_> = found.problems.into_iter().map(|(_, problem)| problem).collect();
        assert_eq!(problems, [RefProblem::Name, RefProblem::Duplicate { earlier: 0 }]);
    }
}
