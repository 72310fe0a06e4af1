//! `.argocd-source.yaml`: a file in the source's folder that changes the source.
//!
//! Mirrors Argo CD 3.6, `reposerver/repository`, `mergeSourceParameters`: a JSON merge patch on the blocks of the tools;
//! `repoURL`, `path`, `chart` and `targetRevision` stay.

use super::environment::instance_name;
use crate::formats::argo::Metadata;
use crate::formats::argo::application::{RENAMING, RESHAPING, Source};
use crate::formats::read::{self, Fields};
use crate::repo::{File, FileState, Repo};
use crate::text::{RepoPath, RootId, Span};
use crate::value::{Unknown, Value, Why};

/// Merges the override files of an app in `folder` into the source.
///
/// # Errors
/// When such a file cannot be read, or nobody knows which of them are the app's: all blocks are unknown then.
pub fn merge(
    source: &mut Source,
    metadata: &Metadata,
    repo: &Repo,
    root: RootId,
    folder: &RepoPath,
) -> Result<(), Unknown> {
    const PREFIX: &str = ".argocd-source";
    let mut names = vec![format!("{PREFIX}.yaml")];
    match instance_name(metadata) {
        Some(name) => names.push(format!("{PREFIX}-{name}.yaml")),
        None => {
            let is_of_some_app = |name: &str| name.starts_with(&format!("{PREFIX}-")) && name.ends_with(".yaml");
            if repo.children(root, folder).iter().any(|child| is_of_some_app(child.name)) {
                return Err(Unknown { why: Why::Runtime("the namespace of Argo CD".into()), span: source.span });
            }
        }
    }
    for name in names {
        let Some(id) = folder.join(&name).ok().and_then(|path| repo.listed(root, &path)) else { continue };
        let unreadable = Unknown { why: Why::Unreadable, span: Span::whole(id) };
        let patch = repo.file(id).and_then(content).ok_or_else(|| unreadable.clone())?;
        apply(source, Fields::of(&patch).ok_or(unreadable)?);
    }
    Ok(())
}

/// The value of a file with one document.
fn content(file: &File) -> Option<Value> {
    let [document] = file.tree.documents() else { return None };
    (file.state == FileState::Read).then(|| file.tree.root(document).map(read::value))?
}

/// Lists and plain values are replaced, maps are merged, null deletes; a block counts however little it holds.
fn apply(source: &mut Source, patch: Fields<'_>) {
    let is_deleted = |block| patch.key(block).is_some() && patch.fields(block).is_none();
    if let Some(changes) = patch.fields("helm") {
        let helm = source.helm.get_or_insert_default();
        helm.is_zero = false;
        replace(&mut helm.value_files, changes, "valueFiles", changes.texts("valueFiles"));
        let paths = changes.items("fileParameters").iter().filter_map(|item| Fields::of(item)?.non_empty("path"));
        replace(&mut helm.file_parameters, changes, "fileParameters", paths.collect());
        let ignore_missing = "ignoreMissingValueFiles";
        replace(&mut helm.ignore_missing, changes, ignore_missing, changes.bool(ignore_missing));
        helm.skips_crds |= changes.value("skipCrds").is_some();
        replace(&mut helm.release_name, changes, "releaseName", changes.non_empty("releaseName"));
    } else if is_deleted("helm") {
        source.helm = None;
    }
    if let Some(changes) = patch.fields("kustomize") {
        let kustomize = source.kustomize.get_or_insert_default();
        kustomize.is_zero = false;
        replace(&mut kustomize.components, changes, "components", changes.texts("components"));
        let is_set = |key: &&str| changes.key(key).is_some();
        kustomize.may_reshape |= RESHAPING.iter().any(is_set);
        kustomize.may_rename |= RENAMING.iter().any(is_set);
        let ignore_missing = "ignoreMissingComponents";
        replace(&mut kustomize.ignore_missing, changes, ignore_missing, changes.bool(ignore_missing));
    } else if is_deleted("kustomize") {
        source.kustomize = None;
    }
    if let Some(changes) = patch.fields("directory") {
        let directory = source.directory.get_or_insert_default();
        directory.is_zero = false;
        let recurse = changes.bool("recurse").is_some_and(|recurse| recurse.value);
        replace(&mut directory.recurse, changes, "recurse", recurse);
        replace(&mut directory.include, changes, "include", changes.non_empty("include"));
        replace(&mut directory.exclude, changes, "exclude", changes.non_empty("exclude"));
        directory.has_jsonnet |= changes.value("jsonnet").is_some();
    } else if is_deleted("directory") {
        source.directory = None;
    }
    if patch.key("plugin").is_some() {
        source.plugin = patch.value("plugin").map(Value::span);
    }
}

fn replace<T>(field: &mut T, changes: Fields<'_>, key: &str, value: T) {
    if changes.key(key).is_some() {
        *field = value;
    }
}
