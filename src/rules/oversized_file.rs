//! The manifests of a plain directory must not be larger together than Argo CD reads.

use super::{App, Check, Context, Findings, OptionDefault, OptionSpec};
use crate::fleet::plain;
use crate::repo::{File, FileState};
use crate::text::Span;
use crate::text::limits::FILE_BYTES;

pub const CHECK: Check = Check::app(check).options(&[OptionSpec {
    name: "max-bytes",
    default: OptionDefault::Int(10_000_000),
    doc: "the repo server's limit on all manifests of one directory, in bytes",
}]);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    let limit = u64::try_from(cx.options.int("max-bytes")).unwrap_or(0);
    for source in &app.sources {
        let files = plain::manifests(source, cx.repo).unwrap_or_default();
        let total: u64 = files.iter().map(|file| size(file)).sum();
        let Some(largest) = files.iter().max_by_key(|file| size(file)).filter(|_| total > limit) else { continue };
        let message = format!("this file and those beside it are larger than the {limit} bytes that Argo CD reads");
        let found = out.at(Span::whole(largest.source.id), message);
        found.help("spread the manifests over several sources, or raise the limit of the repo server");
        if let Some(path) = &source.written.path {
            found.label(path.span(), "delivered by this source");
        }
    }
}

/// Bytes of a file; of one that was not read only that it is above the limit.
fn size(file: &File) -> u64 {
    if matches!(file.state, FileState::Unread(_)) { FILE_BYTES } else { file.source.text.len() as u64 }
}
