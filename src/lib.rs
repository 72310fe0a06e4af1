//! Plimsoll checks GitOps monorepos before merge.
//!
//! The floors, from the ground up; each uses only those before it (see the design section of the README):
//! [`text`], [`finding`], [`value`], [`yaml`], [`lang`], [`formats`], [`repo`], [`fleet`], [`rules`], [`engine`],
//! [`report`], [`views`], [`cli`].

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod cli;
pub mod engine;
pub mod finding;
pub mod fleet;
pub mod formats;
pub mod lang;
pub mod near;
pub mod repo;
pub mod report;
pub mod rules;
pub mod text;
pub mod value;
pub mod views;
pub mod yaml;
