//! Apps are synced as `policies.sync` demands.

use super::{App, Check, Context, Findings};

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let policies = &cx.fleet.policies;
    for bucket in policies.sync.iter().filter(|bucket| bucket.has(app, policies, cx.fleet, cx.repo)) {
        for breach in bucket.breaches(&app.spec.sync, app.span()) {
            out.breach(breach, policies, cx.repo);
        }
    }
}
