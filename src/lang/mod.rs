//! The small languages that files of the formats embed.

pub mod template;
