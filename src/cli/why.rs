//! `plimsoll why`.

use super::args::{Why, WhyFormat};
use crate::engine::{self, Opened, Request};
use crate::report::escape;
use crate::text::RootId;
use crate::views::why::apps::Named;
use crate::views::why::paths::Answers;
use anyhow::{Context as _, Result, bail};
use std::path::{Path, PathBuf};

/// Says what paths feed, or where an app comes from.
pub fn run(args: &Why) -> Result<u8> {
    let request = Request { explains: args.app.is_none(), ..args.roots.request()? };
    let working = request.folder.canonicalize().context("cannot find the working directory")?;
    let Opened { snapshot, settings, notes, .. } = engine::open(&request)?;
    let folders = snapshot.roots.iter().map(|root| root.contents.folder().map(Path::to_owned));
    let folders: Vec<Option<PathBuf>> = folders.collect();
    let model = engine::model(snapshot, &settings);
    let is_table = args.format == WhyFormat::Table;
    let (text, is_empty) = match &args.app {
        Some(name) => {
            let named = Named::new(&model, name);
            if let Some(missing) = named.missing() {
                bail!("{missing}");
            }
            (if is_table { named.text() } else { serde_json::to_string_pretty(&named.json())? + "\n" }, false)
        }
        None => {
            let answers = Answers::new(&model, &settings);
            let folder = |root: RootId| seen_from(&working, folders.get(root.index())?.as_deref()?);
            let json = || serde_json::to_string_pretty(&answers.json(&folder));
            (if is_table { answers.text(&folder) } else { json()? + "\n" }, answers.is_any_empty())
        }
    };
    super::print(|out| out.write_all(text.as_bytes()))?;
    let lines: Vec<String> = notes.iter().map(|note| format!("note: {}", escape(note))).collect();
    let code = super::conclude(&model, &settings, lines);
    Ok(if is_empty { super::USAGE } else { code })
}

/// A folder as seen from the working directory; nothing when it is the same.
fn seen_from(working: &Path, folder: &Path) -> Option<String> {
    let (from, to): (Vec<_>, Vec<_>) = (working.components().collect(), folder.components().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    if working == folder || shared <= 1 {
        // Where only the top is shared, the whole path says more.
        return (working != folder).then(|| folder.to_string_lossy().into_owned());
    }
    let ups = vec![".."; from.len() - shared];
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy());
    Some(ups.into_iter().map(Into::into).chain(down).collect::<Vec<_>>().join("/"))
}
