//! What an app leaves out of its comparison must be in objects that it applies.

use super::{App, Check, Context, Findings};
use crate::fleet::Applied;
use crate::fleet::applied::Object;
use crate::fleet::customized::Customized;
use crate::fleet::literal::literal;
use crate::formats::api::{self, Scope};
use crate::formats::argo::difference::{Ignored, both};
use crate::formats::{Kind, Kinds};
use crate::text::{Span, is_placeholder, similar};
use crate::value::Text;
use std::collections::{BTreeMap, BTreeSet};

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

fn check(cx: &Context<'_>, out: &mut Findings) {
    // Apps of one set share the entries of its template.
    let mut entries: BTreeMap<Span, (&Ignored, Vec<&App>)> = BTreeMap::new();
    for app in &cx.fleet.apps {
        for ignored in &app.spec.ignored {
            entries.entry(ignored.span).or_insert((ignored, Vec::new())).1.push(app);
        }
    }
    for (ignored, apps) in entries.values() {
        if !in_form(ignored, out) && !ignored.has_others {
            in_apps(ignored, apps, cx, out);
        }
    }
    for setting in Customized::new(cx.repo).settings {
        if let Some(misplaced) = misplaced(&setting.group, &setting.kind) {
            let key = [misplaced.groups.first().copied().unwrap_or_default(), &setting.kind].join("_");
            let finding = out.at(setting.key, misplaced.message(&setting.group, &setting.kind));
            finding.help(format!("end the key with `{}`", key.trim_start_matches('_')));
        }
        if let Some(ignored) = &setting.ignored {
            paths(ignored, |part| setting.place(part), out);
        }
    }
}

/// Reports what matches nothing, whatever the objects are; whether anything was.
fn in_form(ignored: &Ignored, out: &mut Findings) -> bool {
    let found = out.spans().count();
    if ignored.is_empty() {
        out.at(ignored.span, "this entry names no field, so it ignores nothing")
            .help("list fields in `jsonPointers` or `jqPathExpressions`");
    }
    paths(ignored, |span| span, out);
    let kind = ignored.kind.as_ref().and_then(|kind| literal(kind).ok());
    let group = match &ignored.group {
        None => Some(""),
        Some(group) => literal(group).ok().map(|group| group.value),
    };
    if let (Some(kind), Some(group)) = (kind, group)
        && let Some(misplaced) = misplaced(group, kind.value)
    {
        let place = ignored.group.as_ref().map_or(kind.span, Text::span);
        let finding = out.at(place, misplaced.message(group, kind.value));
        match misplaced.groups.first() {
            Some(&"") => finding.help("write `group: ''`: the core group has no name"),
            Some(right) => finding.help(format!("write `group: {right}`")),
            None => finding.help("name the group of the kind, or `*` for any"),
        };
    }
    out.spans().count() > found
}

/// A kind that is not in a group.
struct Misplaced {
    /// The groups that have it.
    groups: Vec<&'static str>,
}

impl Misplaced {
    fn message(&self, group: &str, kind: &str) -> String {
        match group {
            "" => format!("`{kind}` is not in the core group, which an absent group stands for"),
            group if group.contains('/') => format!("`{group}` is a group with a version: no object is in it"),
            group => format!("no `{kind}` is in a group `{group}`"),
        }
    }
}

/// Whether no object of this group and kind can be in any cluster: the core group and the other ones without a dot are
/// Kubernetes' own. Patterns are not judged.
fn misplaced(group: &str, kind: &str) -> Option<Misplaced> {
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte));
    let (name, version) = group.split_once('/').map_or((group, None), |(name, version)| (name, Some(version)));
    if !is_word(group) || !is_word(kind) || kind.is_empty() || (name.contains('.') && version.is_none()) {
        return None;
    }
    let apis = || api::all().iter().filter(|api| api.kind == kind);
    if version.is_none() && apis().any(|api| api.group == group) {
        return None;
    }
    let mut groups: Vec<&str> = apis().filter(|api| api.end.is_none()).map(|api| api.group).collect();
    // The likeliest first: the one that is written without its end, then Kubernetes' own.
    groups.sort_by_key(|other| (*other != name, !other.starts_with(name) || name.is_empty(), is_custom(other), *other));
    groups.dedup();
    // A kind that is in no table may be in any group but the core group, whose kinds are fixed.
    (!groups.is_empty() || name.is_empty() || version.is_some()).then_some(Misplaced { groups })
}

fn is_custom(group: &str) -> bool {
    group.contains('.') && !group.ends_with(".k8s.io")
}

/// Reports pointers and expressions that are none.
fn paths(ignored: &Ignored, place: impl Fn(Span) -> Span, out: &mut Findings) {
    for pointer in ignored.pointers.iter().filter_map(|pointer| literal(pointer).ok()) {
        if !pointer.value.starts_with('/') {
            let steps = pointer.value.trim_start_matches('.');
            let help = match steps.contains(|c: char| "[]|()\"' ".contains(c)) {
                false => format!("write `/{}`", steps.replace('.', "/")),
                true => "move it to `jqPathExpressions`".to_owned(),
            };
            let message = format!("pointer `{}` does not begin with `/`, so it leads nowhere", pointer.value);
            out.at(place(pointer.span), message).help(help);
        } else if let Some(meant) = escaped(pointer.value) {
            let message = "this pointer leads into a text: a `/` in a name is written `~1`";
            out.at(place(pointer.span), message).help(format!("write `{meant}`"));
        }
    }
    for expression in ignored.expressions.iter().filter_map(|expression| literal(expression).ok()) {
        if expression.value.starts_with('/') {
            let message = format!("`{}` is no jq expression: the comparison fails", expression.value);
            out.at(place(expression.span), message).help("move it to `jsonPointers`");
        }
    }
}

/// The pointer with the `/` escaped in the name of an annotation or label, which has nothing below it.
fn escaped(pointer: &str) -> Option<String> {
    let texts = ["/metadata/annotations/", "/metadata/labels/", "/matchLabels/"];
    let (map, name) = texts.iter().find_map(|text| {
        let end = pointer.find(text)? + text.len();
        Some(pointer.split_at(end))
    })?;
    name.contains('/').then(|| format!("{map}{}", name.replace('/', "~1")))
}

/// How far an entry gets with the objects of its apps.
#[derive(Default)]
struct Reached<'o> {
    /// The groups of objects of a kind that the entry means.
    groups: BTreeSet<&'o str>,
    /// The names of objects of a group and kind that the entry means.
    names: BTreeSet<&'o str>,
    /// Whether the name is right, too.
    is_named: bool,
}

fn in_apps(ignored: &Ignored, apps: &[&App], cx: &Context<'_>, out: &mut Findings) {
    let Some(kind) = ignored.kind.as_ref().and_then(|kind| literal(kind).ok()) else { return };
    let group = match &ignored.group {
        None => "",
        Some(group) => match literal(group) {
            Ok(group) => group.value,
            Err(_) => return,
        },
    };
    let mut reached = Reached::default();
    for app in apps {
        if app.is_symbolic() || app.spec.has_unknown_ignored || creates_namespace(app, group, kind.value) {
            return;
        }
        let applied = Applied::new(app, &cx.fleet.built, cx.repo);
        if applied.is_open || applied.objects.is_empty() {
            return;
        }
        for object in &applied.objects {
            if selects(ignored, object, app, cx, &mut reached) != Some(false) {
                return;
            }
        }
    }
    let whole = match group {
        "" => format!("`{}` of the core group", kind.value),
        group => format!("`{}` of group `{group}`", kind.value),
    };
    let of_apps = if apps.len() == 1 { "the app applies no" } else { "none of its apps applies a" };
    if let Some(namespace) = ignored.namespace.as_ref().filter(|_| reached.is_named) {
        out.at(namespace.span(), format!("{of_apps} {whole} in this namespace"))
            .help("write the namespace of the object, or remove this to mean any");
    } else if let Some(name) = ignored.name.as_ref().filter(|_| !reached.names.is_empty()) {
        let near = similar::by_likeness(name.as_str().unwrap_or_default(), reached.names.iter().copied());
        let names: Vec<String> = near.iter().take(3).map(|name| format!("`{name}`")).collect();
        out.at(name.span(), format!("{of_apps} {whole} with this name"))
            .help(format!("expected {}", names.join(" or ")));
    } else if let Some(other) = reached.groups.first() {
        let place = ignored.group.as_ref().map_or(kind.span, Text::span);
        let other = if other.is_empty() { "''" } else { other };
        out.at(place, format!("{of_apps} {whole}")).help(format!("write `group: {other}`"));
    } else {
        out.at(kind.span, format!("{of_apps} {whole}")).help("correct the kind, or remove the entry");
    }
}

/// Whether the app makes its own Namespace, which is then compared as well.
fn creates_namespace(app: &App, group: &str, kind: &str) -> bool {
    let options = &app.spec.sync;
    let creates =
        options.is_unknown || options.options.iter().any(|option| option.as_str() != Some("CreateNamespace=false"));
    creates && (group.is_empty() || group.contains('*')) && (kind == "Namespace" || kind.contains('*'))
}

/// Whether the entry selects an object; `None` when that cannot be known.
fn selects<'o>(
    ignored: &Ignored,
    object: &Object<'o>,
    app: &App,
    cx: &Context<'_>,
    reached: &mut Reached<'o>,
) -> Option<bool> {
    let is_about = ignored.is_about(object.group, object.kind);
    if is_about == Some(false) {
        let same_kind = ignored.kind.as_ref().and_then(Text::as_str) == Some(object.kind);
        reached.groups.extend(same_kind.then_some(object.group));
        return Some(false);
    }
    reached.names.extend(object.name);
    let is_same = |wanted: Option<&Text>, have: Option<&str>| match wanted {
        None => Some(true),
        Some(wanted) => Some(wanted.as_str().filter(|text| !is_placeholder(text))? == have?),
    };
    let is_named = both(is_about, || is_same(ignored.name.as_ref(), object.name));
    reached.is_named |= is_named == Some(true);
    both(is_named, || {
        let default = app.spec.destination.as_ref().and_then(|destination| destination.namespace.as_ref());
        let namespace = match (cx.fleet.scopes.of(object.group, object.kind, cx.repo), object.namespace) {
            (Some(Scope::Cluster), _) => Some(""),
            (Some(Scope::Namespace), Some("")) => default.and_then(|text| literal(text).ok()).map(|text| text.value),
            (Some(Scope::Namespace), Some(written)) => Some(written),
            _ => None,
        };
        is_same(ignored.namespace.as_ref(), namespace)
    })
}
