//! Near misses: paths that nothing reads against patterns that wanted something, and the other way round.
//!
//! [`meant`](meant()) starts at a pattern that takes nothing, [`misses`] at the paths that no pattern takes although one
//! nearly does. `align` says how a path differs from one that a pattern takes. Nothing is near by its name alone: a path
//! must also look like what the pattern takes elsewhere (`evidence`).

mod align;
mod evidence;
mod meant;
mod misses;
mod strays;
mod tool_files;

pub use align::{Alignment, align};
pub use evidence::is_set_aside;
pub use meant::{Meant, meant};
pub use misses::{Miss, NearTo, misses, near_to, strayed};
pub use strays::{Mistake, Stray, starts_others, strays};
pub use tool_files::{Misnamed, misnamed};
