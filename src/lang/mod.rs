//! The small languages inside GitOps files, each one exactly as the tool reads it.
//!
//! This floor knows texts: patterns, selectors, templates, versions, and what the tools do with them, quirks included.
//! It must not know where a text came from: no documents, no repository. Places are byte offsets into the text at hand.

pub mod cron;
pub mod duration;
pub mod fasttemplate;
pub mod glob;
pub mod selector;
pub mod semver;
pub mod template;
pub mod time_zone;
pub mod url;
