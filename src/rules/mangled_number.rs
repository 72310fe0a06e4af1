//! A number or boolean in a parameter must read in a text as it is written.

use super::{Check, Context, Findings};
use crate::fleet::expand::ProblemKind;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        out.noticed(set, ProblemKind::Mangled, cx.repo);
    }
}
