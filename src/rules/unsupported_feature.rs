//! What is written must be known to the version of Argo CD that reads it.

use super::{Check, Context, Findings};
use crate::formats::argo::since;
use crate::formats::{Kind, Kinds};

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(cx: &Context<'_>, out: &mut Findings) {
    let Some(version) = cx.fleet.argocd else { return };
    for kind in [Kind::Application, Kind::ApplicationSet, Kind::AppProject, Kind::Manifest] {
        for (file, document) in cx.repo.documents(kind) {
            for known in since::of(document.node(&file.tree)).into_iter().filter(|known| version < known.since) {
                out.at(
                    known.span,
                    format!("Argo CD {version} ignores `{}`: {} knows it first", known.word, known.since),
                )
                .help("do without it, or correct `argocd.version` in the configuration");
            }
        }
    }
}
