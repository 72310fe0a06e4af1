//! How long a check takes, as a ratio to walking and reading the same files, in the same run.
//!
//! `cargo bench` generates a fleet of `--apps N` apps (1,000: 20,000 files; see `examples/gen_fleet.rs`) and measures both
//! in turn: the reading here, the check by running the program, as people do. `--runs N` says how often, `--limit RATIO`
//! fails when the median ratio is above it, and `--smoke` only sees that everything runs.

#[path = "../examples/gen_fleet.rs"]
#[expect(dead_code, reason = "its command line is not used here")]
mod gen_fleet;

use plimsoll::engine::{self, Request};
use plimsoll::text::FileId;
use plimsoll::yaml;
use std::hint::black_box;
use std::io::Read as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The allocator of the program.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1).cloned();
    let number = |name: &str, default| option(name).map_or(default, |text| text.parse().expect("a number is wanted"));
    let is_smoke = arguments.iter().any(|argument| argument == "--smoke");
    let apps = number("--apps", if is_smoke { 8 } else { 1_000 });
    let runs = number("--runs", if is_smoke { 1 } else { 7 });
    let parent = tempfile::tempdir().expect("a temporary folder can be made");
    let folder = parent.path().join("fleet");
    let wanted = gen_fleet::Arguments { apps, out: folder.clone(), git: true };
    gen_fleet::generate(&wanted).expect("the fleet can be written");
    check_here(&folder);
    let peak = peak_memory();
    let (mut reads, mut checks) = (Vec::new(), Vec::new());
    let mut size = (0, 0);
    // In turn, after one round that only warms up, so that a drift of the machine meets both.
    for round in 0..=runs {
        let (read, counted) = timed(|| walk_and_read(&folder));
        let (check, _) = timed(|| check(&folder));
        size = counted;
        if round > 0 {
            reads.push(read);
            checks.push(check);
        }
    }
    let ratio = {
        let mut ratios: Vec<f64> = reads.iter().zip(&checks).map(|(a, b)| b.as_secs_f64() / a.as_secs_f64()).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    println!(
        "{} files, {:.1} MB, {} runs, {} threads",
        size.0,
        size.1 as f64 / 1e6,
        runs,
        rayon::current_num_threads()
    );
    println!("walk and read  {}", shown(&mut reads));
    println!("check          {}", shown(&mut checks));
    println!("check / walk and read: {ratio:.2} (median of pairs)");
    println!("reader alone, one thread: {:.0} MB/s", reader(&folder));
    if let Some(peak) = peak {
        println!("peak memory of a check: {peak} MB");
    }
    if let Some(limit) = option("--limit").map(|text| text.parse::<f64>().expect("--limit takes a number")) {
        assert!(ratio <= limit, "a check takes {ratio:.2} times as long as reading, more than {limit}");
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = run();
    (start.elapsed(), result)
}

fn shown(times: &mut [Duration]) -> String {
    times.sort();
    let ms = |time: &Duration| time.as_secs_f64() * 1000.0;
    format!(
        "{:>8.1} ms (min {:.1}, max {:.1})",
        ms(&times[times.len() / 2]),
        ms(&times[0]),
        ms(&times[times.len() - 1])
    )
}

/// Number and bytes of all files: each is opened and read whole, on all threads.
fn walk_and_read(folder: &Path) -> (u64, u64) {
    let (files, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
    let walk = ignore::WalkBuilder::new(folder).hidden(false).threads(rayon::current_num_threads()).build_parallel();
    walk.run(|| {
        let mut buffer = Vec::new();
        let (files, bytes) = (&files, &bytes);
        Box::new(move |entry| {
            let entry = entry.expect("the generated tree can be read");
            if entry.path().ends_with(".git") {
                return ignore::WalkState::Skip;
            }
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                buffer.clear();
                let mut file = std::fs::File::open(entry.path()).expect("the generated tree can be read");
                file.read_to_end(&mut buffer).expect("the generated tree can be read");
                files.fetch_add(1, Relaxed);
                bytes.fetch_add(black_box(&buffer).len() as u64, Relaxed);
            }
            ignore::WalkState::Continue
        })
    });
    (files.into_inner(), bytes.into_inner())
}

fn check(folder: &Path) {
    let program = env!("CARGO_BIN_EXE_plimsoll");
    let output = Command::new(program).arg("check").arg(folder).output().expect("the program can be started");
    assert!(output.status.success(), "the generated tree is clean, but: {}", String::from_utf8_lossy(&output.stdout));
}

/// A check in this process, for what it takes of memory.
fn check_here(folder: &Path) {
    let request = Request {
        folder: std::env::current_dir().expect("there is a working directory"),
        paths: vec![folder.to_owned()],
        ..Request::default()
    };
    let opened = engine::open(&request).expect("the generated tree can be opened");
    let report = engine::check(opened.snapshot, &opened.settings);
    assert!(report.findings.is_empty(), "the generated tree is clean, but: {}", report.findings[0].finding.message);
}

/// MB/s of the YAML reader over the YAML files of the tree, in memory, best of five.
fn reader(folder: &Path) -> f64 {
    let mut texts = Vec::new();
    for entry in ignore::WalkBuilder::new(folder).build().flatten() {
        let is_template = entry.path().components().any(|part| part.as_os_str() == "templates");
        if entry.path().extension().is_some_and(|extension| extension == "yaml") && !is_template {
            texts.push(std::fs::read_to_string(entry.path()).expect("the generated tree is UTF-8"));
        }
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    let texts: Vec<std::sync::Arc<str>> = texts.into_iter().map(Into::into).collect();
    let best =
        (0..5).map(|_| timed(|| texts.iter().for_each(|text| drop(black_box(yaml::parse(FileId(0), text.clone()))))).0);
    bytes as f64 / 1e6 / best.min().expect("five rounds").as_secs_f64()
}

/// The most memory this process has used, in MB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}
