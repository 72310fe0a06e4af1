//! `plimsoll apps`.

use super::args::{Apps, AppsFormat};
use super::{CLEAN, UNREAD, USAGE};
use crate::engine::{self, Opened};
use crate::report::{Location, escape};
use crate::text::Span;
use crate::views::apps::{Filter, Listing};
use anyhow::Result;

/// Lists the Applications of what is asked for.
pub fn run(args: &Apps) -> Result<u8> {
    let Opened { snapshot, settings, notes } = engine::open(&args.roots.request()?)?;
    let model = engine::model(snapshot, &settings);
    let filter = Filter { sets: args.set.clone(), environments: args.env.clone(), projects: args.project.clone() };
    let listing = Listing::new(&model, &settings, &filter);
    let text = match args.format {
        AppsFormat::Table => listing.table(),
        AppsFormat::Json => serde_json::to_string_pretty(&listing.json())? + "\n",
        AppsFormat::Yaml => listing.yaml(),
    };
    super::print(|out| out.write_all(text.as_bytes()))?;
    let mut lines: Vec<String> = notes.iter().map(|note| format!("note: {}", escape(note))).collect();
    if args.format != AppsFormat::Json {
        lines.extend(listing.notes());
    }
    for (place, mistake) in &settings.mistakes {
        let file = model.repo.listed(place.root, &place.path);
        let line = file.map_or(1, |file| Location::of(&model.repo, Span { file, ..mistake.span }).start.line);
        let help = mistake.help.iter().map(|help| format!("; {}", escape(help)));
        let help: String = help.collect();
        lines.push(format!("error: {}:{line}: {}{help}", escape(place.path.as_str()), escape(&mistake.message)));
    }
    for file in &model.refused {
        lines.push(format!("error: `{}` could not be read", escape(&model.repo.display_path(model.repo.entry(*file)))));
    }
    super::to_stderr(&lines);
    Ok(if !settings.mistakes.is_empty() {
        USAGE
    } else if !model.refused.is_empty() || model.failure.is_some() {
        UNREAD
    } else {
        CLEAN
    })
}
