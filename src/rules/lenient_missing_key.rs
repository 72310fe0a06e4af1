//! A Go template that reads an absent key fails only when it is told to.

use super::{Check, Context, Findings};
use crate::finding::Fix;
use crate::formats::argo::ApplicationSet;
use crate::text::{Edit, Span};
use crate::yaml::edit::insert_key_after;

pub const CHECK: Check = Check::fleet(check);

const STRICT: &str = "missingkey=error";

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        let resource = set.resource(cx.fleet, cx.repo);
        let Some(go) = resource.go_template.as_ref().filter(|go| go.value) else { continue };
        let mut options = resource.go_template_options.iter();
        // An option that is not known, or unknown to Go, may be meant to be this one.
        if options.any(|option| option.as_str().is_none_or(|option| option.to_lowercase().starts_with("missingkey"))) {
            continue;
        }
        let finding = out.at(go.span, "a parameter that is missing becomes `<no value>` in the Application");
        if set.reads_absent_keys {
            finding
                .help(format!("add `{STRICT}` to `goTemplateOptions`; parameters that may be absent need `dig` then"));
            continue;
        }
        finding.help(format!("add `{STRICT}` to `goTemplateOptions`"));
        if let Some(edit) = add_option(resource, go.span, cx) {
            let title = format!("add `{STRICT}`");
            // Where a set is not known, a key may be absent on purpose.
            let is_sure = !set.is_undecided && set.failures.is_empty();
            let edits = vec![edit];
            finding.fix(if is_sure { Fix::safe(title, edits) } else { Fix::unsafe_(title, edits) });
        }
    }
}

/// The edit that adds the option after the flag, where the spec is written in this file and has none.
fn add_option(set: &ApplicationSet, flag: Span, cx: &Context<'_>) -> Option<Edit> {
    if !set.go_template_options.is_empty() {
        return None;
    }
    let tree = &cx.repo.file(flag.file)?.tree;
    let mut maps = tree.nodes_starting_in(set.span.start..set.span.start + 1);
    let spec = maps.find(|node| node.span() == set.span && node.get("goTemplateOptions").is_none())?;
    let key = spec.pairs().find(|entry| &*entry.key.key_text() == "goTemplate" && entry.value.span() == flag)?;
    insert_key_after(spec, key, "goTemplateOptions", &format!("[\"{STRICT}\"]"))
}
