//! What is wrong in a line of an RBAC policy.
//!
//! Mirrors Argo CD 3.6, `util/rbac` and `server/rbacpolicy`: what is asked for, and how the patterns of a line are compared.

use super::Mode;
use crate::formats::argo::policy::{BadLine, Field, Permission};
use crate::lang::glob::gobwas;
use regex::Regex;

/// What Argo CD asks for: a resource, and what is done with it.
const ASKED: [(&str, &[&str]); 12] = [
    ("accounts", &["get", "update", "create", "delete"]),
    ("applications", &["get", "create", "update", "delete", "sync", "override", "rollback"]),
    ("applicationsets", &["get", "create", "update", "delete"]),
    ("certificates", &["get", "create", "update", "delete"]),
    ("clusters", &["get", "create", "update", "delete"]),
    ("exec", &["create"]),
    ("extensions", &["invoke"]),
    ("gpgkeys", &["get", "create", "update", "delete"]),
    ("logs", &["get"]),
    ("projects", &["get", "create", "update", "delete"]),
    ("repositories", &["get", "create", "update", "delete"]),
    ("write-repositories", &["get", "create", "update", "delete"]),
];

/// Resources whose objects are `PROJECT/APPLICATION`.
const OF_PROJECTS: [&str; 4] = ["applications", "applicationsets", "exec", "logs"];

/// Actions on resources of applications: how they begin, and one of each.
const PATHS: [(&str, &str); 3] = [
    ("action/", "action/apps/Deployment/restart"),
    ("update/", "update/apps/Deployment/web/web"),
    ("delete/", "delete/apps/Deployment/web/web"),
];

/// A part of a permission that keeps the line from ever applying.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault<'p> {
    /// The part.
    pub field: &'p Field,
    /// What is so, in the style of messages.
    pub message: String,
    /// Words that are known instead.
    pub known: Vec<&'static str>,
}

/// The first part of a permission that matches nothing Argo CD ever asks for. Silent where that depends on the mode.
pub fn of_permission(line: &Permission, mode: Option<Mode>) -> Option<Fault<'_>> {
    let fault = |field, message, known| Some(Fault { field, message, known });
    let resources: Vec<_> = ASKED.iter().filter(|(resource, _)| matches(&line.resource, resource, mode)).collect();
    if resources.is_empty() {
        let known = ASKED.iter().map(|(resource, _)| *resource).collect();
        return fault(&line.resource, format!("`{}` is no resource of Argo CD", line.resource.text), known);
    }
    let mut actions: Vec<&'static str> = resources.iter().flat_map(|(_, actions)| *actions).copied().collect();
    let has_paths = resources.iter().any(|(resource, _)| *resource == "applications");
    let is_path = has_paths && is_path(&line.action, mode);
    if !is_path && !actions.iter().any(|action| matches(&line.action, action, mode)) {
        actions.sort_unstable();
        actions.dedup();
        let message = format!("`{}` is no action on `{}`", line.action.text, line.resource.text);
        return fault(&line.action, message, actions);
    }
    if !matches!(line.effect.text.as_str(), "allow" | "deny") {
        return fault(&line.effect, format!("`{}` is no effect", line.effect.text), vec!["allow", "deny"]);
    }
    let is_of_projects = resources.iter().all(|(resource, _)| OF_PROJECTS.contains(resource));
    let is_plain = line.object.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if is_of_projects && is_plain && mode == Some(Mode::Glob) {
        let message =
            format!("`{}` matches no object: those of `{}` are `PROJECT/NAME`", line.object.text, line.resource.text);
        return fault(&line.object, message, Vec::new());
    }
    None
}

/// Whether a line permits everything on all objects.
pub fn permits_everything(line: &Permission) -> bool {
    let is_star = |field: &Field| matches!(field.text.as_str(), "*" | ".*" | "**");
    let is_any = is_star(&line.object) || matches!(line.object.text.as_str(), "*/*" | ".*/.*" | "*/*/*");
    is_star(&line.resource) && is_star(&line.action) && is_any && line.effect.text == "allow"
}

/// Whether a line permits more than to look.
pub fn permits_change(line: &Permission, mode: Option<Mode>) -> bool {
    let mut actions = ASKED.iter().flat_map(|(_, actions)| *actions).filter(|action| **action != "get");
    line.effect.text == "allow"
        && (is_path(&line.action, mode) || actions.any(|action| matches(&line.action, action, mode)))
}

/// What keeps a line from being read, in the style of messages.
pub fn of_line(why: BadLine) -> String {
    match why {
        BadLine::Kind => "the line begins with neither `p` nor `g`".to_owned(),
        BadLine::Permission(1) => "a permission has 6 fields, this has 1".to_owned(),
        BadLine::Permission(count) => format!("a permission has 6 fields, this has {count}"),
        BadLine::Grant(count) => format!("a grant has 3 fields, this has {count}"),
        BadLine::Quote => "a field with a quote must begin and end with it".to_owned(),
        BadLine::Open => "a quote is not closed".to_owned(),
    }
}

/// Whether an action may be one on resources of applications.
fn is_path(action: &Field, mode: Option<Mode>) -> bool {
    PATHS.iter().any(|(start, one)| action.text.starts_with(start) || matches(action, one, mode))
}

/// Whether the pattern of a field may match a word.
fn matches(field: &Field, word: &str, mode: Option<Mode>) -> bool {
    let glob = || gobwas::Pattern::new(&field.text, &[]).is_ok_and(|pattern| pattern.matches(word));
    let regex = || Regex::new(&field.text).is_ok_and(|pattern| pattern.is_match(word));
    match mode {
        Some(Mode::Glob) => glob(),
        Some(Mode::Regex) => regex(),
        None => glob() || regex(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::argo::policy::{self, Line};

    fn fault(line: &str, mode: Option<Mode>) -> Option<String> {
        match policy::lines(line).remove(0).1 {
            Ok(Line::Permission(line)) => of_permission(&line, mode).map(|fault| fault.message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn usual_lines_apply() {
        for line in [
            "p, role:x, applications, *, */*, allow",
            "p, role:x, applications, action/apps/Deployment/restart, web/*, allow",
            "p, role:x, applications, delete/*/Pod/*, web/*, deny",
            "p, role:x, \"{logs,exec}\", *, *, allow",
            "p, role:x, *, get, *, allow",
            "p, role:x, projects, get, web, allow",
            "p, role:x, certificates, update, *, allow",
        ] {
            assert_eq!(fault(line, Some(Mode::Glob)), None, "{line}");
        }
        assert_eq!(fault("p, role:x, applications, get|sync, .*, allow", Some(Mode::Regex)), None);
        assert_eq!(fault("p, role:x, applications, get|sync, .*, allow", None), None);
    }

    #[test]
    fn lines_that_match_nothing_are_faulty() {
        for (line, part) in [
            ("p, role:x, application, get, */*, allow", "`application` is no resource"),
            ("p, role:x, applications , get, */*, allow", "`applications ` is no resource"),
            ("p, role:x, applications, restart, */*, allow", "`restart` is no action"),
            ("p, role:x, exec, get, */*, allow", "`get` is no action on `exec`"),
            ("p, role:x, logs, action/x, */*, allow", "`action/x` is no action"),
            ("p, role:x, applications, get, */*, permit", "`permit` is no effect"),
            ("p, role:x, applications, get, web, allow", "`web` matches no object"),
        ] {
            let found = fault(line, Some(Mode::Glob)).unwrap_or_default();
            assert!(found.contains(part), "{line}: {found}");
        }
    }
}
