//! What is wrong in a project by itself.
//!
//! Mirrors Argo CD 3.6, `ValidateProject`: what its API server and command line refuse. Kubernetes accepts it, so a project
//! that comes from git is in force as it is, and the next change by other means fails.

use crate::lang::glob::gobwas;
use std::ops::Range;

/// A part of a role's policy, in the order of the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PolicyPart {
    /// The line as a whole: six parts, the first of them `p`.
    Form,
    /// Who: `proj:PROJECT:ROLE`.
    Subject,
    /// On what kind of thing.
    Resource,
    /// What may be done.
    Action,
    /// On which: `PROJECT/APPLICATION`.
    Object,
    /// `allow` or `deny`.
    Effect,
}

/// The resources that a role of a project may have to do with.
pub const SCOPED_RESOURCES: [&str; 6] = ["applications", "applicationsets", "clusters", "exec", "logs", "repositories"];

const ACTIONS: [&str; 8] = ["get", "create", "update", "delete", "sync", "override", "rollback", "*"];

/// Whether a role may be called so.
pub fn is_role_name(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let ends = [name.as_bytes().first(), name.as_bytes().last()];
    name.bytes().all(is_inner) && ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
}

/// Whether a group may be called so: with a comma only in double quotes.
pub fn is_group_name(name: &str) -> bool {
    let quoted = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let inner = quoted.unwrap_or(name);
    let has_bare_comma = quoted.is_none() && name.contains(',');
    name == name.trim() && !inner.is_empty() && !has_bare_comma && !inner.contains(['"', '\n', '\r', '\t'])
}

/// The first wrong part of a policy of a role, and its place in the text; `None` when the policy is accepted.
pub fn policy_fault(project: &str, role: &str, policy: &str) -> Option<(PolicyPart, Range<usize>)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in policy.split(',') {
        let blanks = part.len() - part.trim_start_matches(' ').len();
        let text = part.trim_matches(' ');
        parts.push((text, start + blanks..start + blanks + text.len()));
        start += part.len() + 1;
    }
    let [("p", _), subject, resource, action, object, effect] = &parts[..] else {
        return Some((PolicyPart::Form, 0..policy.len()));
    };
    let is_wrong = |part: PolicyPart, text: &str| match part {
        PolicyPart::Form => false,
        PolicyPart::Subject => text != format!("proj:{project}:{role}"),
        PolicyPart::Resource => !SCOPED_RESOURCES.contains(&text),
        PolicyPart::Action => !is_policy_action(text),
        PolicyPart::Object => !is_policy_object(project, text),
        PolicyPart::Effect => !matches!(text, "allow" | "deny"),
    };
    let named = [
        (PolicyPart::Subject, subject),
        (PolicyPart::Resource, resource),
        (PolicyPart::Action, action),
        (PolicyPart::Object, object),
        (PolicyPart::Effect, effect),
    ];
    named.into_iter().find(|(part, (text, _))| is_wrong(*part, text)).map(|(part, (_, place))| (part, place.clone()))
}

/// Whether a policy of a role may name this action. Argo CD looks for the forms with a slash anywhere in the text.
pub fn is_policy_action(action: &str) -> bool {
    ACTIONS.contains(&action) || ["action/", "update/", "delete/"].iter().any(|form| action.contains(form))
}

/// Whether a policy of a role may name this object: `PROJECT/APPLICATION` or `PROJECT/NAMESPACE/APPLICATION`.
pub fn is_policy_object(project: &str, object: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.*".contains(&byte))
    };
    let Some(rest) = object.strip_prefix(project).and_then(|rest| rest.strip_prefix('/')) else { return false };
    let words: Vec<&str> = rest.split('/').collect();
    words.len() <= 2 && words.into_iter().all(is_word)
}

/// Whether a field of a destination, a repository or the like may be this: a lone `!*` permits nothing and denies all.
pub fn is_entry(text: &str) -> bool {
    text != "!*"
}

/// Whether a destination may have this service account.
pub fn is_service_account(server: &str, namespace: &str, account: &str) -> bool {
    let is_pattern = |text: &str| !text.contains('!') && gobwas::Pattern::new(text, &[]).is_ok();
    is_pattern(server)
        && is_pattern(namespace)
        && !account.trim_matches(' ').is_empty()
        && !account.contains(['!', '*', '[', ']', '{', '}', '\\', '/'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_fault_has_its_place() {
        let policy = "p, proj:web:ci, applicationz, get, web/*, allow";
        let (part, place) = policy_fault("web", "ci", policy).unwrap();
        assert_eq!((part, &policy[place]), (PolicyPart::Resource, "applicationz"));
        assert_eq!(policy_fault("web", "ci", "p,proj:web:ci,applications,sync,web/*,allow"), None);
        assert_eq!(policy_fault("web", "ci", "g, a, b").unwrap().0, PolicyPart::Form);
    }

    #[test]
    fn an_object_names_the_project_of_the_role() {
        assert!(is_policy_object("web", "web/team/*") && is_policy_object("web", "web/a.b-*"));
        assert!(!is_policy_object("web", "web") && !is_policy_object("web", "other/*"));
        assert!(!is_policy_object("web", "web/a/b/c") && !is_policy_object("web", "web//a"));
    }

    #[test]
    fn a_group_with_a_comma_is_quoted() {
        assert!(is_group_name("team") && is_group_name("\"a, b\""));
        assert!(!is_group_name("a,b") && !is_group_name("\"") && !is_group_name(" team"));
    }
}
