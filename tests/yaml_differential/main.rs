//! Our reader against libyaml, on every file at hand and on mutants of them.
//!
//! `PLIMSOLL_CORPORA` names a folder of more files, `PLIMSOLL_MUTANTS` a number of mutants.

mod events;
mod explained;
mod granit;
mod inputs;
mod libyaml;

use events::Difference;
use inputs::Input;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads every input twice and demands that each difference is explained.
fn check(inputs: impl Iterator<Item = Input>) {
    let mut count = 0;
    let mut explained: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for input in inputs {
        count += 1;
        let ours = events::ours(&input.text);
        let theirs = libyaml::read(&input.text);
        let Some(difference) = events::difference(&ours, &theirs) else { continue };
        match explained::explain(&input.text, &ours, &theirs, &difference) {
            Some(class) => *explained.entry(class.reason).or_default() += 1,
            None => {
                let (Difference::Event(words) | Difference::Verdict(words)) = difference;
                unexplained.push(format!("{}\n  {words}\n  {:?}", input.name, input.text));
            }
        }
    }
    println!("{count} inputs, {} unexplained differences", unexplained.len());
    for (reason, count) in explained {
        println!("{count:>6} {reason}");
    }
    unexplained.truncate(10);
    assert!(unexplained.is_empty(), "\n{}", unexplained.join("\n"));
}

#[test]
fn files_read_as_libyaml_reads_them() {
    check(inputs::files_below(Path::new("testdata")).into_iter());
    match inputs::corpora() {
        Some(files) => check(files.into_iter()),
        None => println!("corpora skipped: PLIMSOLL_CORPORA is not set"),
    }
}

#[test]
fn mutants_read_as_libyaml_reads_them() {
    let mut bases = inputs::files_below(Path::new("testdata"));
    bases.extend(inputs::corpora().into_iter().flatten());
    check((0..inputs::mutant_count(3000)).map(|seed| inputs::mutant(&bases, seed)));
}

/// Every text of `length` of these pieces.
fn short_texts<'p>(pieces: &'p [&'p str], length: u32) -> impl Iterator<Item = Input> + 'p {
    (0..pieces.len().pow(length)).map(move |number| {
        let places = (0..length).map(|place| pieces[number / pieces.len().pow(place) % pieces.len()]);
        Input { name: format!("short text {number}"), text: places.collect() }
    })
}

#[test]
fn markers_and_directives_read_as_libyaml_reads_them() {
    let pieces = ["...", "---", "%TAG ! x", "%YAML 1.1", "\n", " ", "\t", "#", "x", "x: y", "- ", "|", "'", "\u{feff}"];
    check(short_texts(&pieces, 4));
}

#[test]
fn properties_read_as_libyaml_reads_them() {
    check(short_texts(&["&a ", "&b ", "*a ", "!t ", "\n", "  ", "x: ", "- "], 5));
}

#[test]
fn every_explanation_has_an_example() {
    for class in explained::CLASSES {
        let text = (class.example)();
        let (ours, theirs) = (events::ours(&text), libyaml::read(&text));
        let difference = events::difference(&ours, &theirs).expect(class.reason);
        let found = explained::explain(&text, &ours, &theirs, &difference).expect(class.reason);
        assert_eq!(found.reason, class.reason, "{text:?}");
    }
}

#[test]
fn comments_and_scalars_stand_where_granit_finds_them() {
    let mut inputs = inputs::files_below(Path::new("testdata"));
    inputs.extend(inputs::corpora().into_iter().flatten());
    let mutants: Vec<Input> = (0..inputs::mutant_count(3000)).map(|seed| inputs::mutant(&inputs, seed)).collect();
    inputs.extend(mutants);
    let (mut compared, mut unexplained) = (0, Vec::new());
    for input in inputs {
        let (Some(ours), Some(theirs)) = (granit::ours(&input.text), granit::theirs(&input.text)) else { continue };
        compared += 1;
        if ours != theirs {
            unexplained.push(format!("{}\n  {}\n  {:?}", input.name, granit::difference(&ours, &theirs), input.text));
        }
    }
    println!("{compared} inputs compared, {} unexplained differences", unexplained.len());
    assert!(compared > 0);
    unexplained.truncate(10);
    assert!(unexplained.is_empty(), "\n{}", unexplained.join("\n"));
}
