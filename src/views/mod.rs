//! Tables over the fleet: what is deployed, from where, to where.
//!
//! A view chooses and arranges what the fleet knows; it judges nothing. Places and safe text are those of the reports.

pub mod apps;
mod manifest;
pub mod owners;
mod table;
pub mod why;

pub use manifest::Shown;
