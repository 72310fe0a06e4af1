//! What a kustomization names must be there.

use super::{Check, Context, Findings};
use crate::formats::kustomize::{Field, Kustomization, Reference};
use crate::formats::{Kind, Resource};
use crate::near;
use crate::repo::{File, Found, Near, Slip, Wanted, nearest};
use crate::text::{RepoPath, is_placeholder};

pub const CHECK: Check = Check::fleet(check);

fn check(cx: &Context<'_>, out: &mut Findings) {
    for (file, document) in cx.repo.documents(Kind::Kustomization) {
        let Resource::Kustomization(kustomization) = &document.resource else { continue };
        let Some(folder) = file.source.path.parent() else { continue };
        let is_live = || cx.fleet.consumed(cx.repo).is_live(&(file.source.root, folder.clone()));
        if near::is_set_aside(&file.source.path) && !is_live() {
            continue;
        }
        for reference in kustomization.references.iter().filter(|reference| is_local(reference)) {
            let Ok(path) = folder.join(&reference.path.value) else { continue };
            match cx.repo.find(file.source.root, &path) {
                Found::Missing => report_missing(reference, &path, &folder, file, cx, out),
                Found::Folder(real) if takes_kustomizations(reference.field) => {
                    report_folder(reference, &real, file, cx, out);
                }
                _ => {}
            }
        }
    }
}

fn is_local(reference: &Reference) -> bool {
    let path = reference.path.as_str();
    !reference.is_remote() && !path.is_empty() && !path.starts_with('/') && !is_placeholder(path)
}

fn takes_kustomizations(field: Field) -> bool {
    matches!(field, Field::Resources | Field::Bases | Field::Components)
}

fn report_missing(
    reference: &Reference,
    path: &RepoPath,
    folder: &RepoPath,
    file: &File,
    cx: &Context<'_>,
    out: &mut Findings,
) {
    let root = file.source.root;
    // A name with an extension is a file's; without one it is a folder's, or that of a file that misses it.
    let is_file = path.name().contains('.') || !reference.field.takes_folders();
    let find = |kind| nearest(cx.repo, root, path, kind);
    let near = if is_file { find(Wanted::File) } else { find(Wanted::Folder).or_else(|| find(Wanted::File)) };
    let near = near.filter(|near| near.path != file.source.path && near.slip != Slip::Longer);
    let stray = || {
        let (slip, path) = near::strayed(root, path.as_str(), !is_file, cx.fleet, cx.repo)?;
        Some(Near { slip, path })
    };
    let near = near.or_else(stray);
    // Files for ConfigMaps, Secrets and values are often written by something else before the build.
    let is_often_made = matches!(reference.field, Field::GeneratorFiles | Field::HelmValues);
    let is_delivered = cx.fleet.consumed(cx.repo).is_live(&(root, folder.clone()));
    if (is_often_made || !is_delivered) && !near.as_ref().is_some_and(|near| near.slip.is_sure()) {
        return;
    }
    let finding = out.at(reference.path.span, format!("`{path}` does not exist"));
    match near {
        Some(near) => finding.help(format!("did you mean `{}`?", seen_from(folder, &near.path))),
        None => finding.help(match climbed(&reference.path.value, folder, file, cx) {
            Some(climbed) => format!("did you mean `{climbed}`?"),
            None => "create it, correct the path, or remove the entry".to_owned(),
        }),
    };
}

/// The same path with one `../` more or less, when it leads to something.
fn climbed(written: &str, folder: &RepoPath, file: &File, cx: &Context<'_>) -> Option<String> {
    let inner = written.strip_prefix("../")?;
    let is_there = |path: &String| {
        let found = folder.join(path).map(|path| cx.repo.find(file.source.root, &path));
        matches!(found, Ok(Found::File(_) | Found::Folder(_)))
    };
    [format!("../{written}"), inner.to_owned()].into_iter().find(is_there)
}

fn report_folder(reference: &Reference, folder: &RepoPath, file: &File, cx: &Context<'_>, out: &mut Findings) {
    let root = file.source.root;
    let is_there = |name: &str| folder.join(name).is_ok_and(|path| cx.repo.listed(root, &path).is_some());
    if Kustomization::FILE_NAMES.into_iter().any(is_there) {
        return;
    }
    let finding = out.at(reference.path.span, format!("folder `{folder}` has no kustomization"));
    let wanted = format!("{folder}/kustomization.yaml");
    match near::strayed(root, &wanted, false, cx.fleet, cx.repo) {
        Some((_, stray)) => finding.help(format!("nothing reads `{stray}`: move it there, or add another one")),
        None => finding.help("add a `kustomization.yaml` to it, or name its files"),
    };
}

/// A path as an entry of the kustomization in a folder spells it.
fn seen_from(folder: &RepoPath, path: &RepoPath) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (folder.segments().collect(), path.segments().collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let ups = std::iter::repeat_n("..", from.len() - shared);
    ups.chain(to[shared..].iter().copied()).collect::<Vec<&str>>().join("/")
}
