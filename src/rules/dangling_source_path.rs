//! A source path must be a folder of the repository it points into.

use super::{App, Check, Context, Findings};
use crate::fleet::{Source, SourcePath};
use crate::near;
use crate::repo::{Wanted, nearest};
use crate::text::{RootId, Spanned};
use crate::value::Text;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    for source in &app.sources {
        if let Some((root, path)) = source.root.zip(source.written.path.as_ref().and_then(Text::known)) {
            check_source(source, root, path, cx, out);
        }
    }
}

fn check_source(source: &Source, root: RootId, path: Spanned<&str>, cx: &Context<'_>, out: &mut Findings) {
    let Spanned { value: written, span } = path;
    match &source.path {
        SourcePath::Absolute => {
            out.at(span, format!("source path `{written}` is absolute")).help(format!(
                "write `{}`: paths start at the root of the repository",
                written.trim_start_matches('/')
            ));
        }
        SourcePath::Outside => {
            out.at(span, format!("source path `{written}` leaves the repository"))
                .help("a source reads one repository: move the folder, or add a second source");
        }
        SourcePath::LinkOutside => {
            out.at(span, format!("source path `{written}` leaves the repository by a symbolic link"))
                .help("put the folder itself into the repository");
        }
        SourcePath::File(file) => {
            let folder = cx.repo.entry(*file).path.parent().unwrap_or_else(crate::text::RepoPath::root);
            out.at(span, format!("source path `{written}` is a file"))
                .help(format!("name its folder, `{folder}`; `directory.include` selects files"));
        }
        SourcePath::Missing(wanted) => {
            let near = nearest(cx.repo, root, wanted, Wanted::Folder).map(|near| near.path);
            let near = near.or_else(|| Some(near::strayed(root, wanted.as_str(), true, cx.fleet, cx.repo)?.1));
            let help = near.map_or_else(
                || "create the folder, or correct the path".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            let is_here = cx.repo.entry(span.file).root == root;
            let repository = if is_here { "this repository" } else { &format!("`{}`", cx.repo.root(root).name) };
            out.at(span, format!("source path `{written}` is not a folder of {repository}")).help(help);
        }
        SourcePath::None | SourcePath::Folder { .. } | SourcePath::Unknown(_) => {}
    }
}
