//! `plimsoll apps`.

use super::args::{Apps, AppsFormat};
use crate::engine::{self, Opened};
use crate::report::escape;
use crate::views::apps::{Filter, Listing};
use anyhow::{Result, bail};

/// Lists the Applications of what is asked for.
pub fn run(args: &Apps) -> Result<u8> {
    let Opened { snapshot, settings, notes, .. } = engine::open(&args.roots.request()?)?;
    let model = engine::model(snapshot, &settings);
    let filter = Filter { sets: args.set.clone(), environments: args.env.clone(), projects: args.project.clone() };
    if let Some(mistake) = filter.mistake(&model) {
        bail!(mistake);
    }
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
    Ok(super::conclude(&model, &settings, lines))
}
