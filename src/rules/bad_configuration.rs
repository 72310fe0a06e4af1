//! The configuration must say only what plimsoll understands.

use super::Check;

pub const CHECK: Check = Check::engine();
