//! A file that matters must be readable.

use super::Check;

pub const CHECK: Check = Check::engine();
