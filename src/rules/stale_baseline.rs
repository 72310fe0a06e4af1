//! An entry of the baseline must match a finding.

use super::Check;

pub const CHECK: Check = Check::engine();
