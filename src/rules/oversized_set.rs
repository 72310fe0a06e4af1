//! An ApplicationSet too large to be followed: what it generates is not judged.

use super::{Check, Context, Findings};
use crate::fleet::expand::Class;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        out.failures(set, cx.repo, |class| class == Class::TooMany);
    }
}
