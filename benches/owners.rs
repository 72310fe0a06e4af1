//! How long it takes to find the code owners of every path: `cargo bench --bench owners`.
//!
//! `--paths N` (100,000) paths against `--lines N` (300) lines, a third of which may match at any depth; `--limit MS` fails
//! when the fastest of five rounds takes longer, and `--smoke` only sees that everything runs.

use plimsoll::fleet::Owners;
use plimsoll::fleet::owners::{Policy, overridden, unowned};
use plimsoll::formats::codeowners::Forge;
use plimsoll::repo::{Entry, EntryKind, File, FileState, Repo, Root};
use plimsoll::text::{FileId, RepoPath, RootId, SourceFile};
use plimsoll::yaml;
use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).cloned();
    let number = |name: &str, default| option(name).map_or(default, |text| text.parse().expect("a number is wanted"));
    let is_smoke = arguments.iter().any(|argument| argument == "--smoke");
    let paths = number("--paths", if is_smoke { 100 } else { 100_000 });
    let lines = number("--lines", if is_smoke { 10 } else { 300 });
    for forge in Forge::ALL {
        let repo = repo(forge, paths, lines);
        let policy = Policy { forge: Some(forge), ..Policy::default() };
        let mut times = Vec::new();
        for _ in 0..if is_smoke { 1 } else { 5 } {
            let start = Instant::now();
            let owners = Owners::new(&repo, &policy);
            let reading = &owners.roots[0].readings[0];
            let classes = reading.matched(&repo).expect("this is no hostile input").classes.len();
            let found = unowned(reading, &repo, |_| true).len() + overridden(reading, &repo).len();
            times.push((start.elapsed(), black_box(classes), black_box(found)));
        }
        times.sort();
        let (best, classes, found) = times[0];
        let ms = best.as_secs_f64() * 1000.0;
        println!("{:<9} {ms:>8.1} ms: {paths} paths, {lines} lines, {classes} classes, {found} found", forge.name());
        if let Some(limit) = option("--limit").map(|text| text.parse::<f64>().expect("--limit takes milliseconds")) {
            assert!(ms <= limit, "{} takes longer than {limit} ms", forge.name());
        }
    }
}

/// A root with folders of teams, apps and environments, and a file that knows them.
fn repo(forge: Forge, paths: usize, lines: usize) -> Repo {
    let location = RepoPath::new(forge.locations()[0]).expect("a location stays in the repository");
    let mut names: Vec<String> = (0..paths.saturating_sub(1))
        .map(|at| {
            let (team, app, env) = (at % 83, at % 1_009, ["dev", "staging", "production"][at % 3]);
            format!("teams/team-{team}/apps/app-{app}/envs/{env}/file-{at}.{}", ["yaml", "md", "json"][at % 7 % 3])
        })
        .collect();
    names.push(location.to_string());
    names.sort();
    let entry = |(at, name): (usize, &String)| {
        let path = RepoPath::new(name).expect("a plain path");
        let source = || SourceFile::new(FileId(at as u32), RootId(0), path.clone(), text(forge, lines));
        let file = (path == location).then(|| {
            let tree = yaml::parse(FileId(at as u32), "".into());
            let state = FileState::Read;
            Arc::new(File { source: source(), tree, documents: Vec::new(), findings: Vec::new(), state })
        });
        Entry { root: RootId(0), path: path.clone(), kind: EntryKind::File, file }
    };
    Repo::new(vec![Root::default()], names.iter().enumerate().map(entry).collect())
}

fn text(forge: Forge, lines: usize) -> String {
    let mut text = String::new();
    for at in 0..lines {
        let (team, app) = (at % 83, at % 1_009);
        let pattern = match (forge, at % 6) {
            (Forge::Gitea, 0) => format!("teams/team-{team}/.*"),
            (Forge::Gitea, 1) => format!("teams/[^/]*/apps/app-{app}/.*"),
            (Forge::Gitea, _) => format!(".*/file-{at}.yaml"),
            (_, 0) => format!("/teams/team-{team}/"),
            (_, 1) => format!("/teams/*/apps/app-{app}/"),
            (_, 2) => format!("app-{app}/"),
            (_, 3) => format!("/teams/**/app-{app}/**/production/*"),
            (_, 4) => format!("file-{at}*.yaml"),
            _ => format!("/teams/team-{team}/apps/app-{app}/envs/production/"),
        };
        writeln!(text, "{pattern} @acme/team-{at}").expect("a string takes all text");
    }
    text
}
