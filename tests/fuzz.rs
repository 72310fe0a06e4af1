//! The invariants of the fuzz targets, on mutants of seeds: what the fuzzer does, for a while and the same in every run.
//!
//! The target `yaml` has its mutants in `yaml_properties.rs`. `PLIMSOLL_MUTANTS` is a number of mutants.

#[path = "../fuzz/invariants/config.rs"]
mod config;
#[path = "../fuzz/invariants/decoders.rs"]
mod decoders;
#[path = "yaml_differential/inputs.rs"]
#[allow(dead_code, reason = "shared with the differential tests")]
mod inputs;
#[path = "../fuzz/invariants/lang.rs"]
mod lang;

use inputs::Input;
use std::panic::catch_unwind;
use std::path::Path;

fn check(bases: &[Input], check: fn(&[u8])) {
    assert!(!bases.is_empty(), "there are seeds");
    for base in bases {
        check(base.text.as_bytes());
    }
    for seed in 0..inputs::mutant_count(3000) {
        let mutant = inputs::mutant(bases, seed);
        let checked = catch_unwind(|| check(mutant.text.as_bytes()));
        assert!(checked.is_ok(), "{}\n{:?}", mutant.name, mutant.text);
    }
}

#[test]
fn mutants_of_documents_are_decoded() {
    check(&inputs::files_below(Path::new("testdata/fleets")), decoders::check);
}

#[test]
fn mutants_of_configurations_are_read() {
    check(&inputs::files_below(Path::new("fuzz/seeds/config")), config::check);
}

#[test]
fn mutants_of_templates_and_globs_are_read() {
    check(&inputs::files_below(Path::new("fuzz/seeds/lang")), lang::check);
}
