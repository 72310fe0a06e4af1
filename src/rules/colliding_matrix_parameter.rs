//! Of a parameter that both generators of a matrix yield, one is lost.

use super::{Check, Context, Findings};
use crate::fleet::expand::ProblemKind;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        out.noticed(set, ProblemKind::Collision, cx.repo);
    }
}
