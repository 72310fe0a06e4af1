//! The namespace of an app must come from somewhere, as those of its neighbours do.

use super::{App, Check, Context, Findings};
use crate::finding::Subject;
use crate::fleet::literal::literal;
use crate::fleet::{Applied, Origin};
use crate::formats::api::Scope;
use crate::formats::{DocId, Kind, Kinds, Resource};
use crate::repo::{FileState, Repo};
use crate::text::{FileId, RepoPath, RootId, Span};
use crate::value::Text;
use std::collections::{BTreeMap, BTreeSet};

pub const CHECK: Check = Check::fleet(check).reads(Kinds::NONE.with(Kind::Manifest));

/// Neighbours whose namespaces are created.
const NEIGHBOURS: usize = 2;

/// The option that creates it.
const OPTION: &str = "CreateNamespace=true";

/// Apps that stand together: of one set, or in one folder.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    Set(DocId),
    Folder(RootId, RepoPath),
}

/// An app, its namespace, and what creates that.
struct Member<'a> {
    app: &'a App,
    namespace: &'a str,
    place: Span,
    creator: Option<Span>,
}

fn check(cx: &Context<'_>, out: &mut Findings) {
    let mut families: BTreeMap<Family, Vec<&App>> = BTreeMap::new();
    for app in cx.fleet.apps.iter().filter(|app| !app.is_symbolic()) {
        families.entry(family(app, cx.repo)).or_default().push(app);
    }
    families.retain(|_, apps| apps.len() > NEIGHBOURS);
    if families.is_empty() {
        return;
    }
    let created = created(cx);
    for apps in families.values() {
        let members: Vec<Member<'_>> = apps.iter().filter_map(|app| member(app, &created)).collect();
        let without: BTreeSet<&str> =
            members.iter().filter(|member| member.creator.is_none()).map(|member| member.namespace).collect();
        let with: BTreeMap<&str, Span> =
            members.iter().filter_map(|member| Some((member.namespace, member.creator?))).collect();
        if without.len() != 1 || with.len() < NEIGHBOURS {
            continue;
        }
        for member in members.iter().filter(|member| member.creator.is_none() && needs(member, cx)) {
            if is_made_elsewhere(member.namespace, cx.repo) {
                continue;
            }
            let message =
                format!("nothing here creates namespace `{}`, while its neighbours have theirs", member.namespace);
            let finding = out.at(member.place, message);
            finding.subject = member.app.name().map(|name| Subject(name.to_owned()));
            if let Some(creator) = with.values().next() {
                finding.label(*creator, "this creates that of a neighbour");
            }
            finding.help(format!("add `{OPTION}` to `syncOptions`, or a manifest of the namespace"));
        }
    }
}

fn family(app: &App, repo: &Repo) -> Family {
    match app.origin {
        Origin::Generated { set, .. } => Family::Set(set),
        Origin::Declared { document, .. } => {
            let source = &repo.document(document).0.source;
            Family::Folder(source.root, source.path.parent().unwrap_or_else(RepoPath::root))
        }
    }
}

/// What creates namespaces: manifests, and apps that may.
fn created<'r>(cx: &'r Context<'_>) -> BTreeMap<&'r str, Span> {
    let mut created = BTreeMap::new();
    for (_, document) in cx.repo.documents(Kind::Manifest) {
        let Resource::Manifest(manifest) = &document.resource else { continue };
        // `Project` and others of OpenShift and of operators make a namespace of their name.
        let kind = &*manifest.kind.value;
        if let Some(name) = manifest.name.as_ref().filter(|_| kind.contains("Namespace") || kind.contains("Project")) {
            created.entry(&*name.value).or_insert(name.span);
        }
    }
    for app in &cx.fleet.apps {
        if let (Some((namespace, _)), Some(option)) = (namespace(app), option(app)) {
            created.entry(namespace).or_insert(option);
        }
    }
    created
}

fn namespace(app: &App) -> Option<(&str, Span)> {
    let text = literal(app.spec.destination.as_ref()?.namespace.as_ref()?).ok()?;
    Some((text.value, text.span))
}

/// The option that creates the app's namespace, or may.
fn option(app: &App) -> Option<Span> {
    let sync = &app.spec.sync;
    let may_create = |option: &&Text| option.as_str().is_none_or(|text| text == OPTION);
    sync.options.iter().find(may_create).map(Text::span).or(sync.is_unknown.then_some(app.spec.span))
}

fn member<'a>(app: &'a App, created: &BTreeMap<&str, Span>) -> Option<Member<'a>> {
    let (namespace, place) = namespace(app)?;
    let is_given = |name: &str| {
        matches!(name, "default" | "argocd") || ["kube-", "openshift-"].iter().any(|start| name.starts_with(start))
    };
    let own = app.metadata.namespace.as_ref().and_then(Text::as_str);
    (!is_given(namespace) && own != Some(namespace)).then(|| Member {
        app,
        namespace,
        place,
        creator: option(app).or_else(|| created.get(namespace).copied()),
    })
}

/// Whether the app applies something that goes into the namespace, and does not make one.
fn needs(member: &Member<'_>, cx: &Context<'_>) -> bool {
    let applied = Applied::new(member.app, &cx.fleet.built, cx.repo);
    let mut objects = applied.objects.iter();
    if objects.clone().any(|object| object.kind == "Namespace") {
        return false;
    }
    applied.is_open
        || objects.any(|object| {
            cx.fleet.scopes.of(object.group, object.kind, cx.repo) == Some(Scope::Namespace)
                && object.namespace.is_none_or(|namespace| namespace.is_empty() || namespace == member.namespace)
        })
}

/// Whether a template makes namespaces, and some values name this one.
fn is_made_elsewhere(namespace: &str, repo: &Repo) -> bool {
    let makes =
        |text: &str| text.lines().any(|line| line.trim_start_matches(['-', ' ']).trim_end() == "kind: Namespace");
    let is_opaque = |id: FileId| {
        repo.file(id).is_some_and(|file| file.documents.iter().all(|document| document.kind() == Kind::Opaque))
    };
    repo.files().any(|file| file.state == FileState::Template && makes(&file.source.text))
        && repo.files().any(|file| file.source.mentions(namespace) && is_opaque(file.source.id))
}
