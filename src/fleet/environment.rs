//! Environments: which words name one, and which of them are production.

use super::Options;

/// What is known about environments: configured, else the words everybody uses.
#[derive(Debug, Default)]
pub struct Environments {
    /// In promotion order; empty when not configured.
    pub order: Vec<String>,
    /// Configured production names; empty when not configured.
    pub production: Vec<String>,
}

impl Environments {
    /// The environments of a configuration.
    pub fn new(options: &Options) -> Environments {
        Environments { order: options.environments.clone(), production: options.production.clone() }
    }
}
