//! Every glob engine against the library or program that it copies.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/patterns.rs"]
mod patterns;
#[path = "support/random.rs"]
mod random;

use oracle::{Answer, Oracle};
use plimsoll::lang::glob::{doublestar, gobwas, path, pathspec};
use random::Random;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const PAIRS: usize = 60_000;

/// Each one is a run of git.
const PATHSPECS: usize = 1_500;

/// A tree with something for most random patterns.
const TREE: &[&str] = &[
    "a",
    "b",
    "ab/a",
    "ab/b",
    "ab/ab/a.yaml",
    "aa",
    "aab",
    "b-a/a",
    "a.yaml",
    "b.json",
    ".yaml",
    ".a/b",
    "-",
    "é",
    "éa/é",
    "*",
    "a*",
    "{a,b}",
    "[a]",
    "apps/a",
    "apps/ab",
    "apps/a.yaml",
    "apps/b/a",
    "apps/b/ab/a",
    "apps/b/ab/b.yaml",
    "apps/b/é",
    "apps/.yaml/a",
    "apps/apps/a",
    "apps/*/a",
    "apps/{a,b}/b",
    "apps/^",
    "apps/!",
    "c/a/b/a",
    "c/a/b/ab",
    "c/ab/a/b/c.yaml",
    "d/apps/a/b/a",
];

/// What we say where we do not promise anything.
const UNSAID: u64 = 3;

/// Compares verdicts on random patterns: 0 no match, 1 match, 2 the pattern is bad. Texts on which the library panics
/// do not count.
fn compare(operation: &str, seed: u64, separators: &str, ours: impl Fn(&str, &str) -> u64) {
    let Some(mut oracle) = Oracle::start() else { return };
    let mut random = Random::new(seed);
    let (mut pairs, mut unsaid, mut matched, mut differences) = (0, 0, 0, Vec::new());
    while pairs < PAIRS {
        let (pattern, texts) = patterns::case(&mut random, 7);
        let args = json!({"pattern": pattern, "separators": separators, "texts": texts});
        let verdicts = match oracle.ask(operation, args) {
            Answer::Ok(Value::Array(verdicts)) => verdicts.iter().map(|verdict| verdict.as_u64().unwrap()).collect(),
            Answer::Error(_) => vec![2; texts.len()],
            other => panic!("{operation} on {pattern:?}: {other:?}"),
        };
        for (text, theirs) in texts.iter().zip(verdicts).filter(|(_, theirs)| *theirs != 3) {
            let own = ours(&pattern, text);
            if own == UNSAID {
                unsaid += 1;
                continue;
            }
            pairs += 1;
            matched += theirs & 1;
            if own != theirs {
                differences.push(format!("{pattern:?} on {text:?}: {own}, not {theirs}"));
            }
        }
    }
    println!("{operation}: {pairs} pairs, {matched} matches, {unsaid} unsaid, {} differences", differences.len());
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(60)].join("\n")
    );
}

fn verdict<E>(result: Result<bool, E>) -> u64 {
    result.map_or(2, u64::from)
}

#[test]
fn path_match_agrees_with_go() {
    compare("path_match", 1, "", |pattern, name| {
        verdict(path::Pattern::new(pattern).map(|pattern| pattern.matches(name)))
    });
}

#[test]
fn doublestar_match_agrees_with_the_library() {
    compare("doublestar_match", 2, "", |pattern, name| verdict(doublestar::matches(pattern, name)));
}

#[test]
fn doublestar_finds_what_the_library_finds_in_a_tree() {
    let Some(mut oracle) = Oracle::start() else { return };
    let folders = folders(TREE);
    let mut random = Random::new(5);
    let (mut patterns, mut found, mut explained, mut differences) = (0, 0, 0, Vec::new());
    while patterns < PAIRS / TREE.len() {
        let (pattern, _) = patterns::case(&mut random, 5);
        if pattern.contains("..") {
            continue;
        }
        patterns += 1;
        let theirs = match oracle.ask("doublestar_glob", json!({"pattern": pattern, "files": TREE})) {
            Answer::Ok(Value::Array(paths)) => {
                Ok(paths.iter().map(|path| path.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>())
            }
            Answer::Error(_) => Err(()),
            other => panic!("{pattern:?}: {other:?}"),
        };
        let ours = doublestar::Pattern::new(&pattern).map_err(|_| ()).map(|pattern| {
            let files = TREE.iter().filter(|file| pattern.matches_file(file)).map(|&file| file.to_owned());
            let folders = folders.iter().filter(|folder| pattern.matches_folder(folder)).map(|&folder| match folder {
                "" => ".".to_owned(),
                folder => folder.to_owned(),
            });
            files.chain(folders).collect::<BTreeSet<_>>()
        });
        found += theirs.as_ref().map_or(0, BTreeSet::len);
        let is_explained = match (&ours, &theirs) {
            // We refuse a segment that is no pattern; the library does so once it holds a name against it.
            (Err(()), Ok(theirs)) => theirs.is_empty(),
            // The library looks below the folders that one alternative matched for what another asks. A folder among
            // the matches is the end of Argo CD's generator anyway.
            (Ok(ours), Ok(theirs)) => ours.is_subset(theirs) && ours.iter().any(|path| folders.contains(path.as_str())),
            _ => false,
        };
        if ours != theirs && is_explained {
            explained += 1;
        } else if ours != theirs {
            differences.push(format!("{pattern:?}: {ours:?}, not {theirs:?}"));
        }
    }
    println!(
        "doublestar_glob: {patterns} patterns, {found} paths, {explained} explained, {} differences",
        differences.len()
    );
    assert!(explained * 100 < patterns, "{explained} of {patterns}");
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(60)].join("\n")
    );
}

/// All folders of a listing, the root among them.
fn folders<'f>(files: &[&'f str]) -> BTreeSet<&'f str> {
    let slashes = |file: &'f str| file.match_indices('/').map(move |(slash, _)| &file[..slash]);
    files.iter().flat_map(|file| slashes(file)).chain([""]).collect()
}

#[test]
fn a_pathspec_selects_what_git_lists() {
    let Some(repository) = repository() else { return };
    let magic = [
        "",
        "",
        "",
        "",
        "",
        ":(glob)",
        ":(icase)",
        ":(glob,icase)",
        ":!",
        ":/",
        ":(exclude,glob)",
        ":(literal)",
        ":(top)",
        ":^/:",
    ];
    let mut random = Random::new(6);
    let (mut patterns, mut found, mut differences) = (0, 0, Vec::new());
    while patterns < PATHSPECS {
        let (pattern, _) = patterns::case(&mut random, 5);
        let mut pattern = format!("{}{pattern}", random.pick(&magic));
        if random.below(6) == 0 {
            pattern = pattern.replace(
                'a',
                random.pick(&["A", "[[:alpha:]]", "[[:upper:]a]", "[[:x]", "[a-]", "[\\a]", "[]a]", "**"]),
            );
        }
        if pattern.contains('\0') {
            continue;
        }
        patterns += 1;
        let listed = git(repository.path(), &["ls-files", "-z", "--full-name", "--", &pattern]);
        let theirs =
            listed.as_ref().map(|listed| listed.split('\0').filter(|path| !path.is_empty()).collect::<BTreeSet<_>>());
        let compiled = pathspec::Pattern::new(&pattern).ok();
        let ours = compiled
            .as_ref()
            .map(|pattern| TREE.iter().copied().filter(|file| pattern.matches(file)).collect::<BTreeSet<_>>());
        found += theirs.as_ref().map_or(0, BTreeSet::len);
        if ours != theirs {
            differences.push(format!("{pattern:?}: {ours:?}, not {theirs:?}"));
        }
        let prefix = compiled.as_ref().map_or("", |pattern| pattern.literal_prefix());
        assert!(ours.iter().flatten().all(|path| path.starts_with(prefix)), "{pattern:?}: {prefix:?}");
    }
    println!("git ls-files: {patterns} patterns, {found} paths, {} differences", differences.len());
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(60)].join("\n")
    );
}

/// A repository that tracks [`TREE`]; `None` where there is no git.
fn repository() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    if git(folder.path(), &["init", "-q"]).is_none() {
        assert!(std::env::var_os("PLIMSOLL_REQUIRE_GIT").is_none(), "git not found");
        println!("skipped: git not found");
        return None;
    }
    for file in TREE {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    git(folder.path(), &["add", "-A"]).unwrap();
    Some(folder)
}

/// What git prints, or nothing when it fails.
fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
fn gobwas_agrees_with_the_library_without_separators() {
    compare("gobwas", 3, "", |pattern, text| gobwas_verdict(pattern, text, &[]));
}

#[test]
fn gobwas_agrees_with_the_library_with_slashes() {
    compare("gobwas", 4, "/", |pattern, text| gobwas_verdict(pattern, text, &['/']));
}

fn gobwas_verdict(pattern: &str, text: &str, separators: &[char]) -> u64 {
    match gobwas::Pattern::new(pattern, separators) {
        Ok(pattern) if !pattern.is_exact_for(text) => UNSAID,
        compiled => verdict(compiled.map(|pattern| pattern.matches(text))),
    }
}
