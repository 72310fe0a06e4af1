//! A rule must not panic.

use super::Check;

pub const CHECK: Check = Check::engine();
