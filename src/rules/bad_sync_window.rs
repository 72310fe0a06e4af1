//! A sync window must be one that Argo CD can read, and that opens.

use super::{Check, Context, Findings};
use crate::finding::Finding;
use crate::fleet::literal::literal;
use crate::formats::argo::project::SyncWindow;
use crate::lang::cron::Schedule;
use crate::lang::{duration, time_zone};
use crate::text::{Spanned, nearest};
use crate::value::Text;

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for project in cx.fleet.projects.all().filter(|project| project.is_settled()) {
        project.declared.windows.items.iter().for_each(|window| judge(window, out));
    }
}

fn judge(window: &SyncWindow, out: &mut Findings) {
    for (name, text) in [("kind", &window.kind), ("schedule", &window.schedule), ("duration", &window.duration)] {
        if text.is_none() {
            out.at(window.span, format!("the sync window has no `{name}`")).help(format!("add `{name}`"));
        }
    }
    if let Some(kind) = known(&window.kind).filter(|kind| !matches!(kind.value, "allow" | "deny")) {
        out.at(kind.span, format!("`{}` is no kind of sync window", kind.value)).help("write `allow` or `deny`");
    }
    if let Some(schedule) = known(&window.schedule) {
        match Schedule::parse(schedule.value) {
            Err(why) => drop_syncs(out.at(schedule.span, format!("the schedule cannot be read: {why}"))),
            Ok(read) if !read.has_moment() => {
                out.at(schedule.span, format!("no day fits the schedule `{}`", schedule.value))
                    .help("correct it: Argo CD takes such a window as always open");
            }
            Ok(_) => {}
        }
    }
    if let Some(written) = known(&window.duration) {
        match duration::parse(written.value) {
            None => drop_syncs(out.at(written.span, format!("`{}` is no duration", written.value))),
            Some(length) if length <= 0 => {
                out.at(written.span, format!("a sync window of `{}` never opens", written.value))
                    .help("write how long it is open, such as `8h`");
            }
            Some(_) => {}
        }
    }
    if let Some(zone) = known(&window.time_zone).filter(|zone| !time_zone::exists(zone.value)) {
        let finding = out.at(zone.span, format!("the time zone `{}` does not exist, so UTC is used", zone.value));
        finding.help(match nearest(zone.value, time_zone::names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "write a name of the IANA database, such as `Europe/Berlin`".to_owned(),
        });
    }
    let lists = [&window.applications, &window.namespaces, &window.clusters];
    if lists.iter().all(|list| list.items.is_empty() && list.is_whole) {
        out.at(window.span, "the sync window applies to nothing")
            .help("add `applications`, `namespaces` or `clusters`; `*` stands for all");
    }
}

fn known(text: &Option<Text>) -> Option<Spanned<&str>> {
    text.as_ref().and_then(|text| literal(text).ok())
}

/// Adds what happens where a window cannot be read.
fn drop_syncs(finding: &mut Finding) {
    finding.help("correct it: until then the apps that it applies to are not synced");
}
