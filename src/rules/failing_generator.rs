//! The generators of an ApplicationSet must not fail: the controller then does nothing for it.

use super::{Check, Context, Findings};
use crate::fleet::expand::Class;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        out.failures(set, cx.repo, |class| !has_own_rule(class));
    }
}

/// Whether another rule reports this cause, or it is none of the controller's.
fn has_own_rule(class: Class) -> bool {
    matches!(class, Class::TemplateParse | Class::MissingKey | Class::TemplateOption | Class::TooMany)
}
