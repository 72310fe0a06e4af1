//! How long ApplicationSets take to expand: 1,000 sets over 10,000 parameter files, on one thread and on all.
//!
//! `cargo bench --bench expand` measures sets whose patterns begin with a folder of their own, and sets whose patterns
//! look at every file. `--sets N`, `--files N` and `--runs N` change the size, `--limit SECONDS` fails when the median on
//! one thread is above it, and `--smoke` only sees that everything runs.

use plimsoll::engine::run::Parallel;
use plimsoll::fleet::{Fleet, InOrder, Options};
use plimsoll::formats::document;
use plimsoll::repo::{Entry, EntryKind, File, FileState, Repo, RepoUrl, Root};
use plimsoll::text::{FileId, RepoPath, RootId, SourceFile};
use plimsoll::yaml;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The allocator of the program.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const URL: &str = "https://git.example.com/acme/fleet.git";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).cloned();
    let number = |name: &str, default| option(name).map_or(default, |text| text.parse().expect("a number is wanted"));
    let is_smoke = arguments.iter().any(|argument| argument == "--smoke");
    let sets = number("--sets", if is_smoke { 5 } else { 1_000 });
    let files = number("--files", if is_smoke { 50 } else { 10_000 });
    let runs = number("--runs", if is_smoke { 1 } else { 7 });
    let limit: Option<f64> = option("--limit").map(|text| text.parse().expect("a number of seconds is wanted"));
    let mut slowest = 0.0_f64;
    for (name, pattern) in
        [("own folder", "workloads/app-{}/envs/*/app.yaml"), ("all folders", "workloads/*-{}/*/*/app.yaml")]
    {
        let repo = repo(sets, files, pattern);
        let options = Options::default();
        let mut apps = 0;
        let mut times = |run: &dyn Fn() -> Fleet| {
            let mut times: Vec<Duration> = (0..runs)
                .map(|_| {
                    let start = Instant::now();
                    let fleet = run();
                    let time = start.elapsed();
                    apps = fleet.apps.len();
                    time
                })
                .collect();
            times.sort();
            times[times.len() / 2].as_secs_f64()
        };
        let one = times(&|| Fleet::new(&repo, &options, &InOrder));
        let many = times(&|| Fleet::new(&repo, &options, &Parallel));
        slowest = slowest.max(one);
        println!(
            "{sets} sets, {files} parameter files, patterns that look at {name}: {apps} apps; one thread {:.0} ms, {} threads {:.0} ms",
            one * 1000.0,
            rayon::current_num_threads(),
            many * 1000.0
        );
    }
    if let Some(limit) = limit.filter(|limit| slowest > *limit) {
        println!("the median on one thread is above {limit} s");
        std::process::exit(1);
    }
}

/// A root with this many sets, each of which takes the files of one app.
fn repo(sets: usize, files: usize, pattern: &str) -> Repo {
    let mut texts = BTreeMap::new();
    for file in 0..files {
        let (app, env) = (file % sets.max(1), file / sets.max(1));
        let path = format!("workloads/app-{app}/envs/env-{env}/app.yaml");
        let text = format!(
            "team: team-{}\nnamespace: shop\nreplicas: {file}\nhost: {app}.example.com\nchart: {{name: web, version: 1.{file}.0}}\n",
            app % 20
        );
        texts.insert(path, text);
    }
    for set in 0..sets {
        texts.insert(format!("sets/set-{set}.yaml"), set_text(set, &pattern.replace("{}", &set.to_string())));
    }
    let entries = texts.into_iter().enumerate().map(|(index, (path, text))| {
        let (id, root) = (FileId(index as u32), RootId(0));
        let path = RepoPath::new(&path).expect("the path is plain");
        let source = SourceFile::new(id, root, path.clone(), text);
        let tree = yaml::parse(id, source.text.clone());
        let documents = document::decode(&path, &tree);
        let file = File { source, tree, documents, findings: Vec::new(), state: FileState::Read };
        Entry { root, path, kind: EntryKind::File, file: Some(Arc::new(file)) }
    });
    let urls = vec![RepoUrl::new(URL).expect("the URL names a repository")];
    Repo::new(vec![Root { name: ".".into(), urls, ..Root::default() }], entries.collect())
}

fn set_text(set: usize, pattern: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: set-{set}
spec:
  goTemplate: true
  goTemplateOptions: [missingkey=error]
  generators:
    - git:
        repoURL: {URL}
        files: [{{path: '{pattern}'}}]
  template:
    metadata:
      name: '{{{{ index .path.segments 1 }}}}-{{{{ .path.basename | lower | trunc 20 }}}}'
      labels: {{team: '{{{{ .team }}}}', env: '{{{{ .path.basename }}}}'}}
    spec:
      project: '{{{{ .team }}}}'
      source:
        repoURL: {URL}
        path: '{{{{ .path.path }}}}'
        helm:
          releaseName: '{{{{ .chart.name }}}}'
          valueFiles: ['../../values/{{{{ .path.basename }}}}.yaml']
          ignoreMissingValueFiles: true
      destination: {{name: '{{{{ .path.basename }}}}', namespace: '{{{{ .namespace }}}}'}}
      syncPolicy: {{syncOptions: [CreateNamespace=true]}}
"
    )
}
