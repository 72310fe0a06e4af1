//! Times a whole check of a generated fleet against the time that only listing and reading its files takes.
//!
//! `cargo bench` runs it on 20,000 files of 1.6 KB; `cargo bench -- --smoke` on a few, to see that it runs. The best of
//! several rounds counts: other work on the machine only ever makes a round slower. On Linux the processor time of a
//! round, which other work hardly changes, stands beside it.

use plimsoll::engine::{self, Request, Settings};
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Environments of each app of the generated fleet.
const ENVIRONMENTS: [&str; 4] = ["base", "dev", "staging", "production"];

fn main() {
    let is_smoke = std::env::args().any(|argument| argument == "--smoke");
    let (apps, rounds) = if is_smoke { (20, 1) } else { (2_000, 12) };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    generate(folder.path(), apps);
    let request = Request { folder: folder.path().to_owned(), ..Request::default() };
    println!("{} files, {} threads, best of {rounds}", apps * 10, rayon::current_num_threads());
    let floor = measure("walk and read", rounds, || read_all(folder.path()));
    measure("list", rounds, || drop(engine::open(&request).expect("the folder is there")));
    let check = measure("whole check", rounds, || {
        let opened = engine::open(&request).expect("the folder is there");
        drop(engine::check(opened.snapshot, &Settings::default()));
    });
    println!("whole check / walk and read: {:.2}", check.as_secs_f64() / floor.as_secs_f64());
}

/// Prints the best time of several rounds, and the mean processor time. Returns the latter, where there is none the
/// former.
fn measure(what: &str, rounds: u32, mut work: impl FnMut()) -> Duration {
    let before = processor();
    let round = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let best = (0..rounds).map(round).min().expect("there is a round");
    let spent = processor().zip(before).map(|(after, before)| (after - before) / rounds);
    let shown = |time: Duration| format!("{:8.1} ms", time.as_secs_f64() * 1000.0);
    let cpu = spent.map(|spent| format!(", processor {}", shown(spent))).unwrap_or_default();
    println!("{what:<14} {}{cpu}", shown(best));
    spent.unwrap_or(best)
}

/// The time that all threads of this process have spent on processors; Linux counts it in hundredths of a second.
fn processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// The least that any check must do.
fn read_all(folder: &Path) {
    let (send, receive) = std::sync::mpsc::channel::<PathBuf>();
    ignore::WalkBuilder::new(folder).hidden(false).threads(rayon::current_num_threads()).build_parallel().run(|| {
        let send = send.clone();
        Box::new(move |entry| {
            let entry = entry.expect("the generated fleet can be read");
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                send.send(entry.into_path()).expect("the receiver waits");
            }
            ignore::WalkState::Continue
        })
    });
    drop(send);
    let files: Vec<PathBuf> = receive.into_iter().collect();
    let bytes: usize = files.par_iter().map(|file| std::fs::read(file).expect("it was listed").len()).sum();
    assert!(bytes > 0);
}

/// Ten files for each app: an Application, its values, and a kustomization with a manifest for each environment.
fn generate(folder: &Path, apps: usize) {
    for app in 0..apps {
        let home = folder.join(format!("team-{}/app-{app}", app % 50));
        for environment in ENVIRONMENTS {
            let parent = if environment == "base" { "" } else { "- ../base\n" };
            let kustomization = format!(
                "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- deployment.yaml\n{parent}"
            );
            write(&home.join(environment).join("kustomization.yaml"), &kustomization);
            write(&home.join(environment).join("deployment.yaml"), &deployment(app, environment));
        }
        write(&home.join("argocd/application.yaml"), &application(app));
        let mut values = String::new();
        for key in 0..60 {
            writeln!(values, "key{key}: value number {key} of this app").expect("a string takes all text");
        }
        write(&home.join("argocd/values.yaml"), &values);
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("the path has a folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

fn application(app: usize) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app-{app}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://git.example.com/acme/fleet.git
    targetRevision: main
    path: team-{}/app-{app}/dev
  destination:
    server: https://kubernetes.default.svc
    namespace: app-{app}
",
        app % 50
    )
}

fn deployment(app: usize, environment: &str) -> String {
    let mut text = format!(
        "# The deployment of app {app} in {environment}.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: app-{app}
  labels: {{app: app-{app}, env: {environment}}}
spec:
  replicas: 2
  selector:
    matchLabels:
      app: app-{app}
  template:
    metadata:
      labels:
        app: app-{app}
    spec:
      containers:
"
    );
    for container in 0..6 {
        write!(
            text,
            "      - name: container-{container}
        image: registry.example.com/acme/app-{app}:1.{container}.0
        ports:
        - containerPort: 808{container}
          name: http
        env:
        - name: LOG_LEVEL
          value: \"info\" # as everywhere
        resources:
          requests: {{cpu: 100m, memory: 128Mi}}
          limits: {{cpu: 500m, memory: 512Mi}}
"
        )
        .expect("a string takes all text");
    }
    text
}
