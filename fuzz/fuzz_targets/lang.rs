//! Fuzzes templates, placeholders and globs.
#![no_main]

#[path = "../invariants/lang.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::check(bytes));
