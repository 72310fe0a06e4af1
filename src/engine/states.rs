//! The checkouts of a run that are read from git's objects, and what they are compared with.

use super::config;
use super::git;
use super::objects::{self, State, Stored};
use super::walk::slashes;
use anyhow::{Result, anyhow, bail};
use std::path::{Path, PathBuf};

/// The states of the checkouts that hold what is asked for.
#[derive(Debug, Default)]
pub struct States {
    held: Vec<Held>,
    /// Whether there is a base.
    pub is_compared: bool,
}

/// One checkout.
#[derive(Debug)]
pub struct Held {
    /// The top of its work tree; of a repository without one, its folder.
    pub top: PathBuf,
    /// What is read instead of the work tree.
    pub now: Option<Stored>,
    /// What it is compared with.
    pub base: Option<Stored>,
}

impl States {
    /// Opens the states of the checkouts that hold some folders.
    ///
    /// # Errors
    /// A folder lies in no checkout, or git does not hold what is asked for.
    pub fn open(state: &State, since: Option<&str>, folders: &[&Path]) -> Result<States> {
        let mut states = States { held: Vec::new(), is_compared: since.is_some() };
        let since_flag = format!("--since {}", since.unwrap_or_default());
        let flag = match state {
            State::Index => "--staged".to_owned(),
            State::Commit(revision) => format!("--rev {revision}"),
            State::WorkTree if since.is_some() => since_flag.clone(),
            State::WorkTree => return Ok(states),
        };
        for folder in folders {
            let Some(top) = top_of(folder) else {
                bail!("cannot use `{flag}`: `{}` is in no git repository", folder.display());
            };
            if states.held.iter().any(|held| held.top == top) {
                continue;
            }
            let now = match state {
                State::WorkTree => None,
                State::Index => Some(Stored::index(top)),
                State::Commit(revision) => Some(Stored::commit(top, revision)),
            };
            let base = since.map(|since| Stored::commit(top, &objects::merge_base(top, since, state)?));
            let held = |stored: Option<Result<Stored, String>>, flag: &str| {
                stored.transpose().map_err(|reason| anyhow!("cannot use `{flag}`: {reason}"))
            };
            states.held.push(Held { top: top.to_owned(), now: held(now, &flag)?, base: held(base, &since_flag)? });
        }
        Ok(states)
    }

    /// The checkout that holds a folder, when it is one of those.
    pub fn of(&self, folder: &Path) -> Option<&Held> {
        let top = top_of(folder)?;
        self.held.iter().find(|held| held.top == top)
    }

    /// The state that is read instead of a file, and the file's path in it.
    pub fn holding(&self, file: &Path) -> Option<(&Stored, String)> {
        let held = self.of(file.parent()?)?;
        let path = slashes(file.strip_prefix(&held.top).ok()?.to_str()?).into_owned();
        Some((held.now.as_ref()?, path))
    }

    /// The configuration that holds for a folder: the nearest upward, not above the top of the folder's checkout.
    pub fn find_config(&self, folder: &Path) -> Option<PathBuf> {
        let top = top_of(folder);
        let is_inside = |folder: &&Path| top.is_none_or(|top| folder.starts_with(top));
        let is_file = |file: &PathBuf| match self.holding(file) {
            Some((stored, path)) => stored.is_file(&path),
            None => file.is_file(),
        };
        folder.ancestors().take_while(is_inside).map(|folder| folder.join(config::NAME)).find(is_file)
    }
}

/// The top of the checkout that holds a folder, or the folder itself when it is a repository without a work tree.
fn top_of(folder: &Path) -> Option<&Path> {
    git::top_of(folder).or_else(|| git::is_bare(folder).then_some(folder))
}
