//! Pairs `src/rules/*.rs` with `rules/*.md` and writes the rule table; packs the schemas.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    for watched in ["build.rs", "src/rules", "rules", "schemas"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    write(&out.join("rules.rs"), &rules(&root));
    write(&out.join("schemas.rs"), &schemas(&root));
}

/// One module per rule, and the table of all of them, sorted by id.
fn rules(root: &Path) -> String {
    let sources = stems(&root.join("src/rules"), "rs", &["mod"]);
    let pages = stems(&root.join("rules"), "md", &["README"]);
    for id in sources.iter().map(|stem| stem.replace('_', "-")) {
        assert!(pages.contains(&id), "src/rules/{}.rs has no page: write rules/{id}.md", id.replace('-', "_"));
    }
    let mut text = String::new();
    for id in &pages {
        let stem = id.replace('-', "_");
        assert!(sources.contains(&stem), "rules/{id}.md has no check: write src/rules/{stem}.rs");
        let path = root.join("src/rules").join(format!("{stem}.rs"));
        writeln!(text, "#[path = {path:?}]\nmod {stem};").expect("a string takes all text");
    }
    text.push_str("\n/// Every rule, sorted by id.\npub static RULES: &[Rule] = &[\n");
    for id in &pages {
        text.push_str(&entry(root, id));
    }
    text.push_str("];\n");
    text
}

/// The table entry of one rule, from the front matter of its page.
fn entry(root: &Path, id: &str) -> String {
    let path = root.join("rules").join(format!("{id}.md"));
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (front, body) = page
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .unwrap_or_else(|| panic!("rules/{id}.md must start with front matter between two lines `---`"));
    let field = |name: &str| {
        front
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
            .unwrap_or_else(|| panic!("rules/{id}.md: the front matter has no `{name}:`"))
    };
    let variant = |name: &str, allowed: &[(&str, &str)]| {
        let value = field(name);
        let found = allowed.iter().find(|(word, _)| *word == value);
        found.unwrap_or_else(|| panic!("rules/{id}.md: `{name}: {value}` is not one of the allowed words")).1.to_owned()
    };
    let nature = variant("nature", &[("fact", "Nature::Fact"), ("opinion", "Nature::Opinion")]);
    let severity = variant(
        "severity",
        &[
            ("error", "Some(Severity::Error)"),
            ("warning", "Some(Severity::Warning)"),
            ("info", "Some(Severity::Info)"),
            ("off", "None"),
        ],
    );
    let status = variant(
        "status",
        &[("preview", "Status::Preview"), ("stable", "Status::Stable"), ("deprecated", "Status::Deprecated")],
    );
    let fix = variant("fix", &[("none", "FixKind::None"), ("safe", "FixKind::Safe"), ("unsafe", "FixKind::Unsafe")]);
    format!(
        "    Rule {{ id: RuleId({id:?}), title: {title:?}, nature: {nature}, severity: {severity}, status: {status}, \
         since: {since:?}, fix: {fix}, page: {body:?}, check: {stem}::CHECK }},\n",
        title = field("title"),
        since = field("since"),
        body = body.trim_start(),
        stem = id.replace('-', "_"),
    )
}

/// The packed schemas as `(path below schemas/, text)`, sorted by path, byte by byte. Our own contracts, at the top of
/// the folder, are not among them.
fn schemas(root: &Path) -> String {
    let folder = root.join("schemas");
    let mut files = Vec::new();
    entries(&folder).iter().filter(|path| path.is_dir()).for_each(|group| collect(group, &mut files));
    let name =
        |file: &PathBuf| file.strip_prefix(&folder).expect("it was found there").to_string_lossy().replace('\\', "/");
    files.sort_by_key(name);
    let mut text = String::from("static FILES: &[(&str, &str)] = &[\n");
    for file in &files {
        writeln!(text, "    ({:?}, include_str!({file:?})),", name(file)).expect("a string takes all text");
    }
    text.push_str("];\n");
    text
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
}

/// The names without extension of the files in a folder, sorted.
fn stems(folder: &Path, extension: &str, without: &[&str]) -> Vec<String> {
    let mut stems: Vec<String> = entries(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|stem| !without.contains(&stem.as_str()))
        .collect();
    stems.sort();
    stems
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    list.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
