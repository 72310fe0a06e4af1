//! What each forge makes of single lines.

use super::*;

fn read(forge: Forge, text: &str) -> CodeOwners {
    CodeOwners::read(forge, FileId(0), text)
}

/// What is said about a text, with the bytes it is said about.
fn problems(forge: Forge, text: &str) -> Vec<String> {
    let shown = |problem: Problem| format!("{}: {}", &text[problem.span.range()], problem.message);
    read(forge, text).problems.into_iter().filter(|problem| problem.is_certain).map(shown).collect()
}

/// The lines in force: number, pattern, owners.
fn entries(forge: Forge, text: &str) -> Vec<(u32, String, Vec<String>)> {
    let owners = |entry: &Entry| entry.owners.iter().map(|owner| owner.value.clone()).collect();
    let read = read(forge, text);
    read.entries.iter().map(|entry| (entry.line, entry.pattern.value.clone(), owners(entry))).collect()
}

fn entry(line: u32, pattern: &str, owners: &[&str]) -> (u32, String, Vec<String>) {
    (line, pattern.to_owned(), owners.iter().map(|&owner| owner.to_owned()).collect())
}

#[test]
fn comments_and_blank_lines_say_nothing() {
    for forge in Forge::ALL {
        assert_eq!(entries(forge, "# a @b\n\n  \t\r\n   # c @d"), [], "{forge:?}");
    }
}

#[test]
fn spans_are_those_of_the_file() {
    let text = "\u{feff}# x\r\n  /größe/\t@a  @b # c\r\n";
    for forge in Forge::ALL {
        let read = read(forge, text);
        let [entry] = read.entries.as_slice() else { panic!("{forge:?}: one line is one entry") };
        let slice = |span: Span| &text[span.range()];
        assert_eq!(slice(entry.pattern.span), "/größe/", "{forge:?}");
        assert_eq!(slice(entry.owners[1].span), "@b", "{forge:?}");
        assert_eq!(slice(entry.span), "/größe/\t@a  @b # c", "{forge:?}");
    }
}

#[test]
fn one_wrong_owner_makes_a_line_of_github_void() {
    let text = "/a/ @x y\n/b/ @x @org/team z@example.com#end\n/c/ @x, @y\n/d/ @\n/e/\n";
    assert_eq!(
        problems(Forge::GitHub, text),
        [
            "y: `y` is no owner, so GitHub skips this line",
            "@x,: `@x,` is no owner, so GitHub skips this line",
            "@: `@` is no owner, so GitHub skips this line",
        ]
    );
    let kept = [entry(2, "/b/", &["@x", "@org/team", "z@example.com"]), entry(5, "/e/", &[])];
    assert_eq!(entries(Forge::GitHub, text), kept);
}

#[test]
fn what_only_other_readers_refuse_is_in_doubt() {
    for text in ["/größe/ @a", "{a,b} @a", "/a#b @c", "* @name[bot]", "* @first.last", "/a/ @b ü@c.de"] {
        assert_eq!(problems(Forge::GitHub, text), [""; 0], "{text}");
        assert!(read(Forge::GitHub, text).entries[0].is_doubtful, "{text}");
    }
}

#[test]
fn a_blank_in_a_pattern_is_escaped() {
    assert_eq!(entries(Forge::GitHub, "a\\ b/ @c"), [entry(1, "a\\ b/", &["@c"])]);
    assert_eq!(entries(Forge::GitHub, "a\\\\ @c"), [entry(1, "a\\\\", &["@c"])]);
}

#[test]
fn gitlab_drops_single_words() {
    assert_eq!(entries(Forge::GitLab, "/a/ @x y @z,"), [entry(1, "/a/", &["@x", "@z"])]);
    assert_eq!(problems(Forge::GitLab, "/a/ @x y @z,"), ["y: `y` is no owner, so GitLab leaves it out"]);
}

#[test]
fn owners_in_a_comment_of_gitlab_count() {
    assert_eq!(problems(Forge::GitLab, "/a/ @x # for the docs"), [""; 0]);
    let said = ["@y: GitLab has no comments at the end of a line: `@y` is an owner"];
    assert_eq!(problems(Forge::GitLab, "/a/ @x # not @y"), said);
}

#[test]
fn roles_are_owners_of_gitlab() {
    let owners = ["@@developer", "@@Maintainers"];
    assert_eq!(entries(Forge::GitLab, "* @@developer @@Maintainers @@reporter"), [entry(1, "*", &owners)]);
}

#[test]
fn sections_give_default_owners_and_approvals() {
    let read = read(Forge::GitLab, "^[Docs][2] @d\na\nb @e\n[docs][x]\nc\n[ab].md @f\n");
    let shown: Vec<_> = read.entries.iter().map(|entry| (entry.section, entry.approvals, entry.owners.len())).collect();
    assert_eq!(shown, [(1, 2, 1), (1, 2, 1), (1, 1, 0), (1, 1, 1)]);
    assert_eq!(read.sections.len(), 2);
    assert!(!read.sections[1].is_optional, "one header without `^` makes it required");
}

#[test]
fn a_header_that_is_not_closed_is_a_pattern() {
    let said = ["[Docs: this section header is not closed, so GitLab takes `[Docs` for a pattern"];
    assert_eq!(problems(Forge::GitLab, "[Docs @a"), said);
    assert_eq!(entries(Forge::GitLab, "[Docs @a"), [entry(1, "[Docs", &["@a"])]);
}

#[test]
fn gitea_needs_a_regular_expression_and_an_owner() {
    let text = "apps/** @a\napps/.*\n*.yaml @a\na\\\\.b c/d/e @f\nx c/d/e\n";
    let said: Vec<String> = problems(Forge::Gitea, text);
    assert_eq!(
        said,
        [
            "apps/**: this is no regular expression: invalid nested repetition operator: **",
            "apps/.*: a line without owners has no effect on Gitea",
            "*.yaml: `*.yaml` is a regular expression on Gitea, where nothing stands before the `*`",
            "c/d/e: `c/d/e` is no owner",
            "c/d/e: `c/d/e` is no owner",
        ]
    );
    assert_eq!(entries(Forge::Gitea, text), [entry(3, "*.yaml", &["@a"]), entry(4, "a\\\\.b", &["@f"])]);
}

#[test]
fn bitbucket_knows_teams_and_choices() {
    let text = "* @ws/all:random(2) @teams/sre:all @a:least_busy(1) b@example.com";
    assert_eq!(problems(Forge::Bitbucket, text), [""; 0]);
    assert!(!read(Forge::Bitbucket, text).entries[0].is_doubtful);
    assert_eq!(problems(Forge::Bitbucket, "* @@@Group @a").len(), 1);
    assert_eq!(problems(Forge::Bitbucket, "* nobody").len(), 1);
}

#[test]
fn a_host_tells_its_forge_by_its_name() {
    assert_eq!(Forge::of_host("github.com"), Some(&[Forge::GitHub] as &[Forge]));
    assert_eq!(Forge::of_host("gitlab.acme.example"), Some(&[Forge::GitLab] as &[Forge]));
    assert_eq!(Forge::of_host("ssh.dev.azure.com"), Some(&[] as &[Forge]));
    assert_eq!(Forge::of_host("git.example.com"), None);
    assert_eq!(Forge::of_host("notgithub.com"), None);
}
