//! The matrix generator: every set of the first child with every set of the second.
//!
//! Mirrors Argo CD 3.6, `applicationset/generators/matrix.go`.

use super::failure::{Class, Failure};
use super::params::{Mode, Open, PanicAt, Params, Values, merge_maps, printed};
use super::problem::{Problem, ProblemKind};
use super::variant::{Variant, collisions};
use super::{Expander, interpolate, undefined};
use crate::formats::argo::generator::Combination;
use crate::text::Span;

/// The sets of a matrix: first child outside, second inside.
pub fn generate(matrix: &Combination, depth: usize, cx: &mut Expander<'_>) -> Result<Vec<Params>, Failure> {
    let [first, second] = matrix.children.as_slice() else {
        let count = matrix.children.len();
        let (class, word) =
            if count < 2 { (Class::MatrixTooFew, "fewer than two") } else { (Class::MatrixTooMany, "more than two") };
        let failure = Failure::new(class, matrix.span, format!("a matrix combines two generators; here are {word}"));
        return Err(if count > 2 {
            failure.help("put a matrix inside the matrix for the third generator")
        } else {
            failure
        });
    };
    let mut sets = Vec::new();
    let mut held = 0;
    for outer in cx.child(first, depth)? {
        let filled = interpolate::generator(second, &outer, cx)?;
        for inner in cx.child(&filled, depth)? {
            let set = if cx.variant == Some(Variant::InnerWins) {
                combine(&inner, &outer, cx.mode, second.span())?
            } else {
                note_collisions(&outer, &inner, second.span(), cx);
                combine(&outer, &inner, cx.mode, second.span())?
            };
            held += set.weight;
            sets.push(set);
            cx.bound(matrix.span, sets.len(), held)?;
        }
    }
    Ok(sets)
}

/// Keeps in mind what both children yield where the first one wins without a word.
fn note_collisions(outer: &Params, inner: &Params, span: Span, cx: &mut Expander<'_>) {
    if cx.mode != Mode::Go {
        return;
    }
    for name in collisions(&outer.values, &inner.values) {
        let message = format!("parameter `{name}` comes from both generators of this matrix; the first one wins");
        let is_known = cx.oddities.collisions.iter().any(|known| known.span == span && known.message == message);
        if !is_known {
            let help = if name.ends_with("path") {
                "set `pathParamPrefix` on one of the git generators"
            } else {
                "rename it in one of the generators"
            };
            let label = undefined::source(inner, cx).map(|span| (span, "what is lost here".to_owned()));
            cx.oddities.collisions.push(Problem::new(ProblemKind::Collision, span, message).help(help).label(label));
        }
    }
}

/// One set from two.
pub fn combine(outer: &Params, inner: &Params, mode: Mode, span: Span) -> Result<Params, Failure> {
    let values = match mode {
        Mode::Placeholder => combine_flat(&outer.values, &inner.values, span)?,
        Mode::Go => merge_maps(&outer.values, &inner.values).map_err(|at| panics(&at, span))?,
    };
    Ok(Params {
        values,
        open: Open::united(outer.open.as_ref(), inner.open.as_ref()),
        from: outer.from.iter().chain(&inner.from).cloned().collect(),
        is_symbolic: outer.is_symbolic || inner.is_symbolic,
        weight: outer.weight + inner.weight,
    })
}

/// Both sets as texts; a parameter of both must be equal in both.
pub fn combine_flat(outer: &Values, inner: &Values, span: Span) -> Result<Values, Failure> {
    let mut values: Values = outer.iter().map(|(name, value)| (name.clone(), printed(value))).collect();
    for (name, value) in inner {
        let value = printed(value);
        match values.get(name) {
            Some(other) if *other != value && other.is_known() && value.is_known() => {
                let message = format!("both generators of this matrix yield `{name}`, with different values");
                let failure = Failure::new(Class::MatrixConflict, span, message);
                return Err(match name.as_str() {
                    name if name.starts_with("path") => {
                        failure.help("set `pathParamPrefix` on one of the git generators")
                    }
                    _ => failure.help("rename the parameter in one of the generators"),
                });
            }
            _ => drop(values.insert(name.clone(), value)),
        }
    }
    Ok(values)
}

/// The failure that Argo CD's merge library ends in.
pub fn panics(at: &PanicAt, span: Span) -> Failure {
    let message = format!("parameter `{}` is a map of texts in one generator and a general map in the other", at.0);
    Failure::new(Class::ControllerPanic, span, message)
        .help("rename one of the two; the controller panics when it merges them")
}
