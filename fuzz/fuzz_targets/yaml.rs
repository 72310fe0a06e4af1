//! Fuzzes the reader of YAML and JSON.
#![no_main]

#[path = "../invariants/yaml.rs"]
mod invariants;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invariants::check(bytes));
