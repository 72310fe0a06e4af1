//! The pages of `rules/` are tests: every Bad case has a finding of its rule, no Good case has one, and a rule with
//! `fix: safe` turns its n-th Bad case into its n-th Good case. `BLESS=1 cargo test` writes the `findings` blocks.
//!
//! A fenced block with a path is a file; `hex` blocks hold bytes; a `tree` block lists empty files, and links as
//! `path -> target`; `path (ignored)` is there, but git ignores it. Paths that start with `../name/` lie in a second root, which `repos:` in the case's
//! `.plimsoll.yaml` gives its URL. The day of the run is the last of January 2026.

use plimsoll::engine::{self, Place, Settings, Snapshot, SnapshotRoot, baseline, config};
use plimsoll::finding::{Finding, Safety, Severity};
use plimsoll::repo::{EntryKind, Repo, RepoUrl};
use plimsoll::rules::{FixKind, RULES, Rule, Run};
use plimsoll::text::{Edit, RepoPath, RootId, Span, edit};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Rules that no file can bring about.
const WITHOUT_CASES: &[&str] = &["internal-error"];

/// One small repository of a page.
#[derive(Default, Clone)]
struct Case {
    name: String,
    files: BTreeMap<String, Vec<u8>>,
    links: BTreeMap<String, String>,
    /// Files that are not listed.
    ignored: Vec<String>,
    /// What the page says is found, and the lines of the block's content in the page.
    findings: Option<(String, std::ops::Range<usize>)>,
}

#[test]
fn every_page_shows_what_its_rule_finds() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    for rule in RULES {
        let path = format!("rules/{}.md", rule.id);
        let page = std::fs::read_to_string(&path).expect("the build read this page");
        let (bad, good) = (cases(&page, "## Bad"), cases(&page, "## Good"));
        if (bad.is_empty() || good.is_empty()) && !WITHOUT_CASES.contains(&rule.id.0) {
            writeln!(failures, "{path}: needs a case under `## Bad` and one under `## Good`").unwrap();
        }
        let mut blessed: Vec<(std::ops::Range<usize>, String)> = Vec::new();
        for case in &bad {
            let found = check(rule, case);
            let shown = show(&found);
            if found.1.is_empty() {
                writeln!(failures, "{path}: {} has no finding of this rule", case.name).unwrap();
            }
            match &case.findings {
                Some((_, lines)) if bless => blessed.push((lines.clone(), shown)),
                Some((wanted, _)) if *wanted == shown => {}
                Some((wanted, _)) => {
                    writeln!(failures, "{path}: {}\n--- page\n{wanted}--- found\n{shown}", case.name).unwrap();
                }
                None => writeln!(failures, "{path}: {} has no `findings` block", case.name).unwrap(),
            }
        }
        for case in &good {
            let shown = show(&check(rule, case));
            if !shown.is_empty() {
                writeln!(failures, "{path}: {} must be silent, but:\n{shown}", case.name).unwrap();
            }
        }
        if rule.fix == FixKind::Safe {
            check_fixes(rule, &path, &bad, &good, &mut failures);
        }
        if bless {
            write_blessed(Path::new(&path), &page, blessed);
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Applies the safe fixes of each Bad case, twice, and compares with the Good case of the same number.
fn check_fixes(rule: &'static Rule, path: &str, bad: &[Case], good: &[Case], failures: &mut String) {
    let mut any = false;
    for (index, case) in bad.iter().enumerate() {
        let found = check(rule, case);
        if !found.1.iter().any(is_safe) {
            continue;
        }
        any = true;
        let fixed = apply_fixes(case, &found);
        let Some(wanted) = good.get(index) else {
            writeln!(failures, "{path}: {} is fixed, but there is no Good case number {}", case.name, index + 1)
                .unwrap();
            continue;
        };
        if fixed.files != wanted.files {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let shown: String =
                fixed.files.iter().map(|(path, bytes)| format!("--- {path}\n{}", text(bytes))).collect();
            writeln!(failures, "{path}: {} is not fixed into {}, but into\n{shown}", case.name, wanted.name).unwrap();
        }
        let again = check(rule, &fixed);
        if apply_fixes(&fixed, &again).files != fixed.files {
            writeln!(failures, "{path}: fixing {} twice changes it again", case.name).unwrap();
        }
    }
    if !any {
        writeln!(failures, "{path}: says `fix: safe`, but no Bad case is fixed").unwrap();
    }
}

fn is_safe(finding: &Finding) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe)
}

fn apply_fixes(case: &Case, (repo, found): &(Repo, Vec<Finding>)) -> Case {
    let mut fixed = case.clone();
    let mut edits: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    for fix in found.iter().filter(|finding| is_safe(finding)).filter_map(|finding| finding.fix.as_ref()) {
        for edit in &fix.edits {
            edits.entry(repo.display_path(repo.entry(edit.span.file))).or_default().push(edit.clone());
        }
    }
    for (path, edits) in edits {
        let bytes = fixed.files.get_mut(&path).expect("a fix edits a file of the case");
        let text = std::str::from_utf8(bytes).expect("a fix edits text");
        *bytes = edit::apply(text, &edits).expect("the fixes of one case do not overlap").into_bytes();
    }
    fixed
}

/// Runs one rule on one case; rules that the engine reports run with all others on.
fn check(rule: &'static Rule, case: &Case) -> (Repo, Vec<Finding>) {
    let (mut settings, repos) = settings(case);
    if !matches!(rule.check.run, Run::Engine) {
        settings.severities = RULES.iter().map(|other| (other.id, None)).collect();
    }
    settings.severities.insert(rule.id, Some(rule.severity.unwrap_or(Severity::Warning)));
    let report = engine::check(Snapshot { roots: roots(case, &repos) }, &settings);
    let found = report.findings.into_iter().filter(|judged| judged.finding.rule == rule.id);
    (report.repo, found.map(|judged| judged.finding).collect())
}

/// The settings of the case's configuration, and its `repos`.
fn settings(case: &Case) -> (Settings, Vec<(String, String)>) {
    let text = |path: &str| case.files.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let place = |path: &str| Place { root: RootId(0), path: RepoPath::new(path).expect("it stays in the repository") };
    let (file, mistakes) = config::read(&text(config::NAME).unwrap_or_default());
    let repos = file.repos.iter().map(|(url, path)| (url.value.clone(), path.value.clone())).collect();
    let accepted = file.baseline.clone();
    let mut settings = Settings::new(file, mistakes, place(config::NAME));
    settings.today = Some("2026-01-31".into());
    if let Some(path) = accepted {
        let text = text(&path.value).expect("the case holds its baseline");
        let (baseline, mistakes) = baseline::read(&text, place(&path.value));
        settings.baseline = Some(baseline);
        settings.mistakes.extend(mistakes.into_iter().map(|mistake| (place(&path.value), mistake)));
    }
    (settings, repos)
}

/// The roots of a case: its own, then the folders beside it.
fn roots(case: &Case, repos: &[(String, String)]) -> Vec<SnapshotRoot> {
    let mut files: BTreeMap<String, BTreeMap<RepoPath, Vec<u8>>> = BTreeMap::from([(".".to_owned(), BTreeMap::new())]);
    for (path, bytes) in &case.files {
        let (root, path) = split(path);
        files.entry(root).or_default().insert(path, bytes.clone());
    }
    let mut roots: Vec<SnapshotRoot> =
        files.into_iter().map(|(name, files)| SnapshotRoot::in_memory(&name, files)).collect();
    for path in &case.ignored {
        let (name, path) = split(path);
        let root = roots.iter_mut().find(|root| root.root.name == name).expect("its files made the root");
        root.entries.retain(|(listed, _)| *listed != path);
    }
    for (path, target) in &case.links {
        let (name, path) = split(path);
        let root = roots.iter_mut().find(|root| root.root.name == name).expect("a root with a link has files");
        root.entries.push((path, EntryKind::Symlink(target.clone())));
    }
    for (url, path) in repos {
        let root = roots.iter_mut().find(|root| root.root.name == *path).expect("`repos` names a root of the case");
        root.root.urls.push(RepoUrl::new(url).expect("`repos` names URLs"));
    }
    roots
}

/// The root of a path, and the path in it.
fn split(path: &str) -> (String, RepoPath) {
    let inside = |path: &str| RepoPath::new(path).expect("paths of a page stay in its repository");
    match path.strip_prefix("../").and_then(|rest| rest.split_once('/')) {
        Some((root, path)) => (format!("../{root}"), inside(path)),
        None => (".".to_owned(), inside(path)),
    }
}

fn show((repo, found): &(Repo, Vec<Finding>)) -> String {
    let mut shown = String::new();
    for finding in found {
        let severity =
            plimsoll::rules::find(finding.rule.0).and_then(|rule| rule.severity).unwrap_or(Severity::Warning);
        writeln!(shown, "{}: {severity}: {}", show_place(repo, finding.span), finding.message).unwrap();
        for label in &finding.labels {
            writeln!(shown, "  label: {}: {}", show_place(repo, label.span), label.text).unwrap();
        }
        if let Some(help) = &finding.help {
            writeln!(shown, "  help: {help}").unwrap();
        }
    }
    shown
}

fn show_place(repo: &Repo, span: Span) -> String {
    let entry = repo.entry(span.file);
    let (line, column) = entry.file.as_ref().map_or((1, 1), |file| {
        let at = file.source.position(span.start);
        (at.line, at.column)
    });
    format!("{}:{line}:{column}", repo.display_path(entry))
}

/// The cases of one section: a `###` heading starts a fresh one.
fn cases(page: &str, section: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_inside = false;
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.starts_with("## ") {
            is_inside = line == section;
            if is_inside {
                cases.push(Case { name: section[3..].to_owned(), ..Case::default() });
            }
        } else if let Some(name) = line.strip_prefix("### ").filter(|_| is_inside) {
            cases.push(Case { name: format!("{} `{name}`", &section[3..]), ..Case::default() });
        } else if let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) {
            let content: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            if is_inside {
                let text: String = content.iter().map(|line| format!("{line}\n")).collect();
                let range = number + 1..number + 1 + content.len();
                add_block(cases.last_mut().expect("a section has a case"), info, text, range);
            }
        }
    }
    cases.retain(|case| !case.files.is_empty() || !case.links.is_empty());
    cases
}

fn add_block(case: &mut Case, info: &str, text: String, lines: std::ops::Range<usize>) {
    match info.split_once(' ') {
        None if info == "findings" => case.findings = Some((text, lines)),
        None if info == "tree" => {
            for line in text.lines() {
                let path = line.strip_suffix(" (ignored)");
                case.ignored.extend(path.map(str::to_owned));
                let line = path.unwrap_or(line);
                match line.split_once(" -> ") {
                    Some((path, target)) => drop(case.links.insert(path.to_owned(), target.to_owned())),
                    None => drop(case.files.insert(line.to_owned(), Vec::new())),
                }
            }
        }
        Some(("hex", path)) => {
            let bytes =
                text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("two hexadecimal digits"));
            case.files.insert(path.to_owned(), bytes.collect());
        }
        Some((_, path)) => drop(case.files.insert(path.to_owned(), text.into_bytes())),
        None => {}
    }
}

fn write_blessed(path: &Path, page: &str, mut blocks: Vec<(std::ops::Range<usize>, String)>) {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    blocks.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, text) in blocks {
        lines.splice(range, text.lines().map(str::to_owned));
    }
    let text = lines.join("\n") + "\n";
    if text != page {
        std::fs::write(path, text).expect("a page can be written");
    }
}
