//! Every line of an RBAC policy must be one that Argo CD can read and ever applies.

use super::{Check, Context, Findings};
use crate::fleet::literal::literal;
use crate::fleet::projects::{Project, faults as project};
use crate::fleet::rbac::{Mode, Policy, faults};
use crate::formats::argo::policy::{Field, Line};
use crate::formats::argo::project::Role;
use crate::text::{Span, nearest};
use project::PolicyPart;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for settings in &cx.fleet.rbac.settings {
        settings.policies.iter().for_each(|policy| judge(policy, settings.mode, cx, out));
    }
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        project.declared.roles.items.iter().for_each(|role| judge_role(project, role, cx, out));
    }
}

fn judge(policy: &Policy, mode: Option<Mode>, cx: &Context<'_>, out: &mut Findings) {
    let place = |field: &Field| policy.place(field.place.clone(), cx.repo);
    for (range, line) in &policy.lines {
        match line {
            Err(why) => {
                out.at(policy.place(range.clone(), cx.repo), faults::of_line(*why))
                    .help("correct it: Argo CD refuses the whole policy, and keeps the one it had");
            }
            Ok(Line::Permission(line)) => {
                if let Some(fault) = faults::of_permission(line, mode) {
                    let finding = out.at(place(fault.field), fault.message);
                    if !fault.known.is_empty() {
                        finding.help(expected(&fault.field.text, &fault.known));
                    }
                } else if let Some((name, near)) = misspelt_project(line.object.text.as_str(), cx) {
                    out.at(place(&line.object), format!("project `{name}` is not declared"))
                        .help(format!("did you mean `{near}`?"));
                }
            }
            Ok(Line::Grant { role, .. }) => {
                if let Some((message, help)) = undefined_role(&role.text, cx) {
                    out.at(place(role), message).help(help);
                }
            }
        }
    }
}

/// The project of an object, when it is not declared, and the one that is called nearly so.
fn misspelt_project<'c>(object: &'c str, cx: &Context<'c>) -> Option<(&'c str, &'c str)> {
    let (name, _) = object.split_once('/')?;
    let projects = &cx.fleet.projects;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let is_used = || cx.fleet.apps.iter().any(|app| app.project() == Some(name));
    let is_declared = name == "default" || !projects.declarations(name).is_empty();
    if !is_plain || is_declared || projects.has_unknown_names() || is_used() {
        return None;
    }
    let near = projects.nearest(name).filter(|_| !projects.may_be_installed(name, cx.repo))?;
    Some((name, near))
}

/// What is wrong with the role of a grant, and what to do: it has no permission anywhere, or its project does not have it.
fn undefined_role(role: &str, cx: &Context<'_>) -> Option<(String, String)> {
    if let Some((name, role)) = role.strip_prefix("proj:").and_then(|rest| rest.split_once(':')) {
        let declared = cx.fleet.projects.declarations(name);
        let lacks = |project: &Project| {
            let roles = &project.declared.roles;
            let names = || roles.items.iter().map(|role| role.name.as_ref().and_then(|name| literal(name).ok()));
            project.is_settled()
                && roles.is_whole
                && names().all(|known| known.is_some_and(|known| known.value != role))
        };
        let message = format!("project `{name}` has no role `{role}`");
        let is_missing = !declared.is_empty() && declared.iter().all(lacks);
        return is_missing.then(|| (message, "add the role to the project, or correct the name".to_owned()));
    }
    let rbac = &cx.fleet.rbac;
    let roles = rbac.roles();
    if !role.starts_with("role:") || roles.contains(role) || !rbac.is_whole() {
        return None;
    }
    let near = nearest(role, roles.into_iter().filter(|known| known.starts_with("role:")));
    let help = near
        .map_or("add a permission for it, or correct the name".to_owned(), |near| format!("did you mean `{near}`?"));
    Some((format!("`{role}` has no permission, so that the grant gives nothing"), help))
}

fn judge_role(project: &Project, role: &Role, cx: &Context<'_>, out: &mut Findings) {
    let Some(name) = role.name.as_ref().and_then(|name| literal(name).ok()) else { return };
    if !project::is_role_name(name.value) {
        out.at(name.span, format!("`{}` cannot be the name of a role", name.value))
            .help("use letters, digits, `-` and `_`, with a letter or digit at both ends");
    }
    for group in role.groups.iter().filter_map(|group| literal(group).ok()) {
        if !project::is_group_name(group.value) {
            out.at(group.span, format!("`{}` cannot be the name of a group", group.value))
                .help("quote it once more if it has a comma; no blanks at its ends");
        }
    }
    for policy in role.policies.iter().filter_map(|policy| literal(policy).ok()) {
        let Some((part, place)) = project::policy_fault(project.name(), name.value, policy.value) else { continue };
        let written = &policy.value[place.clone()];
        let (message, help) = explained(part, written, project.name(), name.value);
        out.at(in_file(policy.span, place, cx), message).help(help);
    }
}

fn in_file(span: Span, part: std::ops::Range<usize>, cx: &Context<'_>) -> Span {
    cx.repo.file(span.file).map_or(span, |file| file.tree.place_in_scalar(span, part))
}

fn explained(part: PolicyPart, written: &str, project: &str, role: &str) -> (String, String) {
    match part {
        PolicyPart::Form => (
            "a policy of a role has 6 parts and begins with `p`".to_owned(),
            format!("write `p, proj:{project}:{role}, RESOURCE, ACTION, {project}/*, allow`"),
        ),
        PolicyPart::Subject => {
            (format!("`{written}` is not the role that has the policy"), format!("write `proj:{project}:{role}`"))
        }
        PolicyPart::Resource => {
            (format!("`{written}` is no resource of a project"), expected(written, &project::SCOPED_RESOURCES))
        }
        PolicyPart::Action => (
            format!("`{written}` is no action"),
            "write `get`, `create`, `update`, `delete`, `sync`, `override`, `rollback` or `action/…`".to_owned(),
        ),
        PolicyPart::Object => (
            format!("`{written}` is no object of the project `{project}`"),
            format!("write `{project}/APPLICATION`; `{project}/*` stands for all of them"),
        ),
        PolicyPart::Effect => (format!("`{written}` is no effect"), "write `allow` or `deny`".to_owned()),
    }
}

fn expected(written: &str, known: &[&str]) -> String {
    match nearest(written, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected one of `{}`", known.join("`, `")),
    }
}
