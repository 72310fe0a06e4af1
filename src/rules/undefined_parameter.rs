//! A template may read only parameters that every set has.

use super::{Check, Context, Findings};
use crate::fleet::expand::{Class, ProblemKind};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        out.noticed(set, ProblemKind::Undefined, cx.repo);
        out.failures(set, cx.repo, |class| class == Class::MissingKey);
    }
}
