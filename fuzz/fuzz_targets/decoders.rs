//! Fuzzes the decoders and the schemas.
#![no_main]

#[path = "../invariants/decoders.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::check(bytes));
