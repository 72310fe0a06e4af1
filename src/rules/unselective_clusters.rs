//! A clusters generator without a selector also takes the cluster that Argo CD runs in.

use super::{Check, Context, Findings};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for clusters in cx.fleet.sets.iter().flat_map(|set| &set.uses.clusters).filter(|clusters| clusters.takes_local) {
        out.at(clusters.span, "without a selector the cluster that Argo CD runs in, `in-cluster`, is taken as well")
            .help("select the label `argocd.argoproj.io/secret-type: cluster` to leave it out");
    }
}
