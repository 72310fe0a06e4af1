//! A git generator looks at its folders or at its files, never at both.

use super::{Check, Context, Findings};
use crate::formats::argo::generator::{Generator, GeneratorKind};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        for kind in Generator::all(&set.resource(cx.fleet, cx.repo).generators) {
            let GeneratorKind::Git(git) = kind else { continue };
            let (Some(files), Some(directories)) = (git.files_key, git.directories_key) else { continue };
            out.at(files, "`files` is ignored: the generator looks at `directories`")
                .label(directories, "these count")
                .help("remove one of the two, or move the files to a git generator of their own");
        }
    }
}
