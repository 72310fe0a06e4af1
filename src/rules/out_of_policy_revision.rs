//! Apps of an environment track what `policies.revision` allows there.

use super::{App, Check, Context, Findings};

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let policies = &cx.fleet.policies;
    for tracking in &policies.revisions {
        if !cx.fleet.environments.is_in(app, &tracking.environment.value, cx.repo) {
            continue;
        }
        for breach in tracking.breaches(app) {
            out.breach(breach, policies, cx.repo);
        }
    }
}
