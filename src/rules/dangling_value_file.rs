//! A value file must exist unless missing ones are ignored.

use super::{App, Check, Context, Findings};
use crate::fleet::source::{Meant, Mistake};
use crate::fleet::{Meaning, ValueFile};
use crate::near;

pub const CHECK: Check = Check::app(check);

fn check(app: &App, cx: &Context<'_>, out: &mut Findings) {
    for (index, source) in app.sources.iter().enumerate() {
        let help = |file: &ValueFile| Meant::of(&app.sources, index, file, cx.repo).map(|meant| advice(&meant));
        for file in &source.value_files {
            if file.meaning.fails(source.ignores_missing()) {
                report(file, "value file", help(file), cx, out);
            }
        }
        for file in &source.file_parameters {
            if file.meaning.fails(false) {
                report(file, "parameter file", help(file), cx, out);
            }
        }
    }
}

fn report(file: &ValueFile, name: &str, help: Option<String>, cx: &Context<'_>, out: &mut Findings) {
    let Some(written) = file.written.known() else { return };
    let (span, written) = (written.span, written.value);
    match &file.meaning {
        // A variable that another tool fills in may make the path right.
        Meaning::Missing(_) | Meaning::Glob(..) | Meaning::Folder(_) if file.foreign.is_some() => {}
        Meaning::Missing(place) => {
            let path = cx.repo.path_seen_from(span, place.root, &place.path);
            let stray = || near::strayed(place.root, place.path.as_str(), false, cx.fleet, cx.repo);
            let moved = || Some(format!("nothing reads `{}`: move it there, or correct the path", stray()?.1));
            let help = help.or_else(moved).unwrap_or_else(|| "create the file, or correct the path".to_owned());
            out.at(span, format!("{name} `{path}` does not exist")).help(help);
        }
        Meaning::Glob(..) => {
            let help = help.unwrap_or_else(|| "correct the pattern, or set `ignoreMissingValueFiles`".to_owned());
            out.at(span, format!("no {name} matches `{written}`")).help(help);
        }
        Meaning::Folder(_) => {
            out.at(span, format!("{name} `{written}` is a folder")).help("name a file in it");
        }
        Meaning::Outside => {
            out.at(span, format!("{name} `{written}` leaves the repository"))
                .help("a source reads its own repository; refer to another one by a source with `ref`");
        }
        Meaning::Repository => {
            out.at(span, format!("{name} `{written}` is a repository, not a file")).help("add the path of the file");
        }
        Meaning::BadGlob(bad) => {
            out.at(span, format!("pattern `{written}` is broken: {bad}")).help("correct the pattern");
        }
        _ => {}
    }
}

fn advice(meant: &Meant) -> String {
    let why = match meant.mistake {
        Mistake::RelativeToRoot => " without `/` a path starts in the folder of the source",
        Mistake::RelativeToFolder => " with `/` a path starts at the root of the repository",
        Mistake::RelativeToRefPath => " a `ref` is the root of its repository, whatever the `path` beside it",
        Mistake::Slip(_) => "",
    };
    format!("did you mean `{}`?{why}", meant.text)
}
