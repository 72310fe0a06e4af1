//! Only administrators may change everything.

use super::{Check, Context, Findings};
use crate::fleet::rbac::faults;
use crate::formats::argo::policy::Line;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    let rbac = &cx.fleet.rbac;
    let permissions = |role: &str| {
        let lines = rbac.policies().flat_map(|policy| &policy.lines).filter_map(|(_, line)| line.as_ref().ok());
        let is_of_role = |line: &&Line| matches!(line, Line::Permission(line) if line.subject.text == role);
        lines.filter(is_of_role).collect::<Vec<_>>()
    };
    for settings in &rbac.settings {
        if let Some((role, span)) = &settings.default_role {
            let may_change =
                |line: &&Line| matches!(line, Line::Permission(line) if faults::permits_change(line, settings.mode));
            if role == "role:admin" {
                out.at(*span, "everybody who can log in is an administrator")
                    .help("use `role:readonly` or the empty text, and grant roles to groups");
            } else if permissions(role).iter().any(may_change) {
                out.at(*span, format!("everybody who can log in has `{role}`, which may change things"))
                    .help("use a role that only reads, and grant the others to groups");
            }
        }
        for policy in &settings.policies {
            for (_, line) in &policy.lines {
                let Ok(Line::Permission(line)) = line else { continue };
                if faults::permits_everything(line) && !line.subject.text.to_lowercase().contains("admin") {
                    let message = format!("`{}` may do everything", line.subject.text);
                    out.at(policy.place(line.subject.place.clone(), cx.repo), message)
                        .help("list the resources and actions that it needs, or grant it `role:admin`");
                }
            }
        }
    }
}
