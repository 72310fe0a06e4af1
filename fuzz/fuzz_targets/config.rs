//! Fuzzes the reader of the configuration.
#![no_main]

#[path = "../invariants/config.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::check(bytes));
