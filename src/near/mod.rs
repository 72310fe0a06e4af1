//! Near misses: paths that nothing reads against patterns that wanted something, and the other way round.
//!
//! [`meant`](meant()) starts at a pattern that takes nothing, [`misses`] at the paths that no pattern takes although one
//! nearly does. `align` says how a path differs from one that a pattern takes. Nothing is near by its name alone: a path
//! must also look like what the pattern takes elsewhere (`evidence`).

mod align;
mod evidence;
mod meant;
mod misses;
mod shifts;
mod strays;
mod tool_files;

pub use align::{Alignment, align};
pub use evidence::is_set_aside;
pub use meant::{Meant, meant};
pub use misses::{Miss, NearTo, misses, near_to, strayed};
pub use shifts::{deepened, raised, swapped};
pub use strays::{Mistake, Stray, starts_others, strays};
pub use tool_files::{Misnamed, misnamed};

use crate::fleet::Fleet;
use crate::repo::Repo;
use std::sync::OnceLock;

/// What is near in one snapshot, looked for once, when it is first asked for.
#[derive(Debug, Default)]
pub struct Nearby {
    misses: OnceLock<Vec<Miss>>,
    strays: OnceLock<Vec<Stray>>,
}

impl Nearby {
    /// The paths that a pattern of a generator nearly takes, as [`misses`](misses()) finds them.
    pub fn misses(&self, fleet: &Fleet, repo: &Repo) -> &[Miss] {
        self.misses.get_or_init(|| misses(fleet, repo))
    }

    /// The files that went astray, as [`strays`](strays()) finds them.
    pub fn strays(&self, fleet: &Fleet, repo: &Repo) -> &[Stray] {
        self.strays.get_or_init(|| strays(fleet, repo))
    }
}
