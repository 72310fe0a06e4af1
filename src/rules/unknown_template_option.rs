//! An option of Go templates must be one that Go knows.

use super::{Check, Context, Findings};
use crate::finding::Fix;
use crate::lang::template;
use crate::text::{Edit, similar};

pub const CHECK: Check = Check::fleet(check);

/// What Go accepts; `missingkey=default` and `missingkey=invalid` are the same.
const OPTIONS: [&str; 4] = ["missingkey=error", "missingkey=zero", "missingkey=default", "missingkey=invalid"];

fn check(cx: &Context<'_>, out: &mut Findings) {
    for set in &cx.fleet.sets {
        let resource = set.resource(cx.fleet, cx.repo);
        if !resource.go_template.as_ref().is_some_and(|go| go.value) {
            continue;
        }
        for option in resource.go_template_options.iter().filter_map(|text| text.known()) {
            if option.value.contains("{{") || template::Options::default().set(option.value).is_ok() {
                continue;
            }
            let near = similar::near(option.value, OPTIONS);
            let message = format!("`{}` is no option of Go templates; the controller panics", option.value);
            let finding = out.at(option.span, message);
            finding.help(format!("write `{}`", near.first().map_or(OPTIONS[0], |near| near.word)));
            if let (Some(meant), Some(file)) = (similar::certain(option.value, &near), cx.repo.file(option.span.file)) {
                let place = file.tree.place_in_scalar(option.span, 0..option.value.len());
                if file.source.slice(place) == option.value {
                    finding.fix(Fix::safe(format!("write `{meant}`"), vec![Edit { span: place, text: meant.into() }]));
                }
            }
        }
    }
}
