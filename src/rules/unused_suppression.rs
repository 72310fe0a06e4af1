//! A suppression comment must accept something.

use super::Check;

pub const CHECK: Check = Check::engine();
