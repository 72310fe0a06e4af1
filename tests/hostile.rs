//! Repositories that want to harm: they yield findings, never a panic, a hang, a look outside, or a cursor that moves.

#![cfg(unix)]

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Text that stands in files outside of the root.
const OUTSIDE: &str = "text-from-outside";
/// No check of a small tree takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs the program on a folder; it must end by itself, with one of its own exit codes.
fn plimsoll(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .arg("check")
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let start = Instant::now();
    let mut stdout = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut stdout, &mut bytes).map(|_| bytes)
    });
    while child.try_wait().expect("the child is ours").is_none() {
        assert!(start.elapsed() < PATIENCE, "it hangs");
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut output = child.wait_with_output().expect("it has ended");
    output.stdout = reader.join().expect("reading does not panic").expect("a pipe can be read");
    let code = output.status.code();
    assert!(matches!(code, Some(0..=3)), "{code:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The rules that speak, with the path, after all formats were found harmless.
fn findings(folder: &Path) -> Vec<(String, String)> {
    let formats = ["human", "concise", "json", "sarif", "gitlab", "github", "junit", "checkstyle", "markdown"];
    for format in formats {
        let output = plimsoll(folder, &["--format", format, "--show", "info", "-v", "--color", "never"]);
        for text in [&output.stdout, &output.stderr] {
            let text = std::str::from_utf8(text).expect("output is UTF-8");
            let is_harmful = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!text.contains(is_harmful), "{format}: {text:?}");
            assert!(!text.contains(OUTSIDE), "{format}: {text}");
            assert!(!text.contains("panicked"), "{format}: {text}");
        }
    }
    let output = plimsoll(folder, &["--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let text = |finding: &Value, key: &str| finding[key].as_str().expect("the key holds a text").to_owned();
    let findings = report["findings"].as_array().expect("findings are a list");
    let found: Vec<_> = findings.iter().map(|finding| (text(finding, "rule"), text(finding, "path"))).collect();
    assert!(found.iter().all(|(rule, _)| rule != "internal-error"), "{found:?}");
    found
}

fn has(found: &[(String, String)], rule: &str, path: &str) -> bool {
    found.iter().any(|(found, at)| found == rule && at == path)
}

fn tree() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn write(folder: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn application(path: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: a}}\nspec:\n  project: default\n  \
         source:\n    repoURL: https://git.example.com/acme/fleet.git\n    path: {path}\n  \
         destination: {{name: in-cluster}}\n"
    )
}

#[test]
fn links_that_leave_the_root_are_not_followed() {
    let (outside, root) = (tree(), tree());
    write(outside.path(), "secret.yaml", format!("kind: {OUTSIDE}\n  bad: [\n"));
    let folder = root.path();
    symlink(outside.path().join("secret.yaml"), folder.join("link.yaml")).unwrap();
    symlink(outside.path(), folder.join("folder")).unwrap();
    symlink("..", folder.join("up")).unwrap();
    symlink("b", folder.join("a")).unwrap();
    symlink("a", folder.join("b")).unwrap();
    symlink(".", folder.join("loop")).unwrap();
    for (index, path) in ["folder", "up", "a", "loop/loop/loop", "link.yaml", "../..", "/etc"].iter().enumerate() {
        write(folder, &format!("apps/{index}.yaml"), application(path));
    }
    write(
        folder,
        "kustomization.yaml",
        "resources:\n- ../../../../etc/passwd\n- folder/secret.yaml\n- a/x.yaml\n- /etc\n",
    );
    findings(folder);
}

#[test]
fn depth_is_bounded() {
    let root = tree();
    let deep = 200_000;
    write(root.path(), "flow.yaml", "[".repeat(deep));
    write(root.path(), "closed.json", format!("{}{}", "[".repeat(deep), "]".repeat(deep)));
    write(root.path(), "maps.yaml", "{a: ".repeat(deep));
    write(root.path(), "items.yaml", "- ".repeat(deep));
    let nested: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    write(root.path(), "block.yaml", nested);
    write(root.path(), &format!("{}x.yaml", "d/".repeat(900)), "a: 1\n");
    findings(root.path());
}

#[test]
fn bombs_do_not_go_off() {
    let root = tree();
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let item = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![item; 10].join(", "));
    }
    write(root.path(), "aliases.yaml", &bomb);
    write(root.path(), "app.yaml", format!("{bomb}apiVersion: argoproj.io/v1alpha1\nkind: Application\nspec: *a11\n"));
    write(root.path(), "merge.yaml", "a: &a {<<: *a}\nb: &b\n  <<: *b\n");
    write(root.path(), "documents.yaml", "---\n".repeat(100_000));
    write(root.path(), "line.yaml", format!("a: {}\n", "x".repeat(1_000_000)));
    findings(root.path());
}

#[test]
fn what_is_no_text_is_reported() {
    let root = tree();
    write(root.path(), "nul.yaml", "a: \0\n");
    write(root.path(), "latin.yaml", b"a: caf\xe9\n");
    let sparse = fs::File::create(root.path().join("sparse.yaml")).unwrap();
    sparse.set_len(100 * 1024 * 1024).unwrap();
    let found = findings(root.path());
    assert!(has(&found, "unread-file", "latin.yaml"), "{found:?}");
    assert!(has(&found, "unread-file", "sparse.yaml"), "{found:?}");
}

#[test]
fn odd_names_are_harmless() {
    let root = tree();
    let names =
        ["new\nline", "esc\u{1b}[31m", "bidi\u{202e}", "back\\slash", "`tick`", "quote\"'", "space ", "-dash", "#hash"];
    for name in names {
        write(root.path(), &format!("{name}.yaml"), application("none"));
        write(root.path(), &format!("folder {name}/kustomization.yaml"), "resources: [none.yaml]\n");
    }
    write(root.path(), "text.yaml", application("\"\\e[31m\\u202e\\n\""));
    findings(root.path());
    // Not every file system takes such names.
    if fs::write(root.path().join(OsStr::from_bytes(b"latin\xe9.yaml")), "a: 1\n").is_ok() {
        let found = findings(root.path());
        assert!(has(&found, "unread-file", "latin\u{fffd}.yaml"), "{found:?}");
    }
}

/// Opening a pipe waits for a writer, reading a device never ends: either would hang here.
#[test]
fn what_is_no_file_is_never_opened() {
    let root = tree();
    write(root.path(), "a.yaml", application("pipe.yaml"));
    write(root.path(), "kustomization.yaml", "resources: [pipe.yaml, socket.yaml, device.yaml, folder.yaml]\n");
    write(root.path(), "chart/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n");
    write(root.path(), "shut/b.yaml", "b: 1\n");
    for path in
        ["pipe.yaml", "CODEOWNERS", "chart/values.yaml", "chart/.helmignore", "shut/.gitignore", ".plimsoll.yaml"]
    {
        let made = Command::new("mkfifo").arg(root.path().join(path)).status().expect("`mkfifo` is there");
        assert!(made.success());
    }
    std::os::unix::net::UnixListener::bind(root.path().join("socket.yaml")).unwrap();
    symlink("/dev/zero", root.path().join("device.yaml")).unwrap();
    symlink("pipe.yaml", root.path().join("link.yaml")).unwrap();
    // Only a superuser can make one in the tree itself.
    let _ = Command::new("mknod").arg(root.path().join("zero.yaml")).args(["c", "1", "5"]).output();
    let found = findings(root.path());
    assert!(found.iter().all(|(_, path)| !path.starts_with("pipe") && !path.starts_with("zero")), "{found:?}");
    assert!(has(&found, "unread-file", "shut"), "{found:?}");
}

#[test]
fn a_folder_with_the_name_of_a_file_is_a_folder() {
    let root = tree();
    for path in ["x.yaml", "CODEOWNERS", ".plimsoll.yaml", "chart/Chart.yaml", "base/kustomization.yaml"] {
        write(root.path(), &format!("{path}/latin.yaml"), b"a: caf\xe9\n");
    }
    write(root.path(), "kustomization.yaml", "resources: [x.yaml]\n");
    write(root.path(), "a.yaml", application("chart"));
    let found = findings(root.path());
    assert!(has(&found, "unread-file", "x.yaml/latin.yaml"), "{found:?}");
}

#[test]
fn names_and_paths_may_be_as_long_as_they_like() {
    let root = tree();
    let name = format!("{}.yaml", "n".repeat(250));
    write(root.path(), &name, b"a: caf\xe9\n");
    let longer = format!("{}/{name}", "d".repeat(300));
    write(root.path(), "kustomization.yaml", format!("resources: [{longer}, {}]\n", "e/".repeat(3_000)));
    write(root.path(), "app.yaml", application(&"f".repeat(100_000)));
    // Deeper than one call of the system takes a path.
    let script = "for i in $(seq 100); do mkdir $0 && cd $0 || exit; done; echo 'a: 1' > x.yaml";
    let made = Command::new("bash").args(["-c", script, &"g".repeat(100)]).current_dir(root.path()).status();
    assert!(made.expect("`bash` is there").success());
    let found = findings(root.path());
    assert!(has(&found, "unread-file", &name), "{found:?}");
}

#[test]
fn what_the_system_refuses_is_reported_and_the_exit_code_says_so() {
    let root = tree();
    write(root.path(), "locked.yaml", "a: 1\n");
    write(root.path(), "closed/a.yaml", "a: 1\n");
    let lock =
        |path: &str, mode| fs::set_permissions(root.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    lock("locked.yaml", 0o000);
    lock("closed", 0o000);
    let is_superuser = fs::read(root.path().join("locked.yaml")).is_ok();
    let (found, code) = (findings(root.path()), plimsoll(root.path(), &[]).status.code());
    lock("closed", 0o700);
    if is_superuser {
        assert_eq!((found, code), (vec![], Some(0)));
    } else {
        assert!(has(&found, "unread-file", "locked.yaml") && has(&found, "unread-file", "closed"), "{found:?}");
        assert_eq!(code, Some(3));
    }
}

#[test]
fn a_broken_checkout_is_checked_as_plain_files() {
    for (path, content) in [
        ("index", &b"DIRC\0\0\0\x02\xff\xff\xff\xff"[..]),
        ("index", b""),
        ("HEAD", b"\xff\xff"),
        ("config", b"[core]\n\tbare = tru\n[remote \"x"),
        ("config", b"[core]\n\tworktree = /\n"),
        ("config", b"[include]\n\tpath = /etc/passwd\n[core]\n\trepositoryformatversion = 99\n"),
        ("packed-refs", b"\0\0\0"),
    ] {
        let root = tree();
        write(root.path(), "latin.yaml", b"a: caf\xe9\n");
        write(root.path(), ".git/HEAD", "ref: refs/heads/main\n");
        write(root.path(), ".git/objects/info/packs", "");
        write(root.path(), ".git/refs/heads/keep", "");
        write(root.path(), &format!(".git/{path}"), content);
        let found = findings(root.path());
        assert_eq!(found, [("unread-file".to_owned(), "latin.yaml".to_owned())], "{path}");
    }
}

#[test]
fn a_git_file_that_points_elsewhere_reads_nothing_there() {
    let (outside, root) = (tree(), tree());
    write(outside.path(), ".git/HEAD", format!("ref: refs/heads/{OUTSIDE}\n"));
    write(outside.path(), ".git/objects/keep", "");
    write(outside.path(), ".git/refs/keep", "");
    write(outside.path(), "a.yaml", OUTSIDE);
    write(root.path(), ".git", format!("gitdir: {}\n", outside.path().join(".git").display()));
    write(root.path(), "latin.yaml", b"a: caf\xe9\n");
    assert_eq!(findings(root.path()), [("unread-file".to_owned(), "latin.yaml".to_owned())]);
}

#[test]
fn many_lines_of_code_owners_neither_hang_nor_are_all_followed() {
    for lines in [4_900, 50_000] {
        let folder = tree();
        let text: String =
            (0..lines).map(|line| format!("*{}*a*\n**/{line}/\u{202e}\u{1b}[31m @a\n", line % 7)).collect();
        write(folder.path(), ".github/CODEOWNERS", text);
        (0..200).for_each(|file| write(folder.path(), &format!("{file}/{file}/a{file}"), ""));
        let found = findings(folder.path());
        assert!(found.iter().all(|(_, path)| path == ".github/CODEOWNERS"), "{found:?}");
    }
}
