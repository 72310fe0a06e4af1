//! A source path must be a folder of the root it points into.

use super::{App, Check, Context, Findings};
use crate::repo::Found;
use crate::text::RepoPath;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    for source in &app.sources {
        let Some((root, path)) = source.root.zip(source.written.path.as_ref().and_then(|path| path.known())) else {
            continue;
        };
        if path.value.starts_with('/') {
            out.at(path.span, format!("source path `{}` is absolute", path.value))
                .help("write the path from the root of the repository, without the leading `/`");
            continue;
        }
        let Ok(folder) = RepoPath::new(path.value) else {
            out.at(path.span, format!("source path `{}` leaves the repository", path.value))
                .help("a source reads one repository: move the folder, or add a second source");
            continue;
        };
        match cx.repo.find(root, &folder) {
            Found::Folder(_) | Found::Submodule | Found::Outside => {}
            Found::File(_) => {
                out.at(path.span, format!("source path `{}` is a file", path.value))
                    .help("name the folder that holds it; `directory.include` selects files");
            }
            Found::Missing => {
                out.at(path.span, format!("source path `{}` is not a folder of this repository", path.value))
                    .help("create the folder, or correct the path");
            }
        }
    }
}
