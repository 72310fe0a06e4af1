//! `plimsoll owners`.

use super::args::{Owners, OwnersFormat};
use crate::engine::{self, Opened};
use crate::report::escape;
use crate::views::owners::Listing;
use anyhow::Result;

/// Says who must review the paths that are asked for.
pub fn run(args: &Owners) -> Result<u8> {
    let Opened { snapshot, settings, notes, .. } = engine::open(&args.roots.request()?)?;
    let model = engine::model(snapshot, &settings);
    let listing = Listing::new(&model, &settings);
    let text = match args.format {
        OwnersFormat::Table => listing.table(),
        OwnersFormat::Json => serde_json::to_string_pretty(&listing.json())? + "\n",
    };
    super::print(|out| out.write_all(text.as_bytes()))?;
    let mut lines: Vec<String> = notes.iter().map(|note| format!("note: {}", escape(note))).collect();
    if args.format == OwnersFormat::Table {
        lines.extend(listing.notes());
    }
    Ok(super::conclude(&model, &settings, lines))
}
