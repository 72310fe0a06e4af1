//! A project permits no more than `policies.appproject` does.

use super::{Check, Context, Findings};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let policies = &cx.fleet.policies;
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        let Some(whole) = project.whole(&cx.fleet.built, cx.repo) else { continue };
        for breach in policies.projects.breaches(project, &whole, &cx.fleet.environments) {
            out.breach(breach, policies, cx.repo);
        }
    }
}
