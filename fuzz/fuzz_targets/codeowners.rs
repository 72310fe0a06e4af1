//! Fuzzes the readers of CODEOWNERS and the matching of their patterns.
#![no_main]

#[path = "../invariants/codeowners.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::check(bytes));
