//! The changes of one kustomization to its objects: patches, namespace, names, labels, and what is not simulated.
//!
//! What is not simulated makes unknown what it may touch and nothing else.

use super::build::Folder;
use super::failure::Failure;
use super::fields;
use super::item::{Id, Item, joined, known, map_at, set};
use super::merge::{blur, directive, merge, unknown};
use super::operations::{Misfit, Operation, size};
use crate::formats::kustomize::{
    Field, FieldSpec, Kustomization, Labels, Matched, Patch, PatchContent, Replacement, Replica,
};
use crate::formats::read;
use crate::repo::{FileState, Found, Repo};
use crate::text::{Span, Spanned};
use crate::value::{Text, Value};
use std::sync::Arc;

/// Transformers that change what their `fieldSpecs` name and nothing else.
const BUILTIN: &[&str] = &[
    "AnnotationsTransformer",
    "ImageTagTransformer",
    "LabelTransformer",
    "PrefixSuffixTransformer",
    "PrefixTransformer",
    "ReplicaCountTransformer",
    "SuffixTransformer",
];

/// What changes the objects of one build.
pub struct Change<'r, 's> {
    /// Where files are.
    pub repo: &'r Repo,
    /// Where the build names a schema, which may tell how lists merge.
    pub schema: Option<Span>,
    /// Work that may still be done.
    pub steps: &'s mut usize,
}

impl Change<'_, '_> {
    fn spend(&mut self, count: usize) {
        *self.steps = self.steps.saturating_sub(count);
    }

    /// What an object holds, to be changed; `None` when nobody reads it or no work may be done any more.
    fn value<'i>(&mut self, item: &'i mut Item) -> Option<&'i mut Value> {
        if !item.is_read || *self.steps == 0 {
            return None;
        }
        if item.value.as_ref().is_none_or(|value| Arc::strong_count(value) > 1) {
            let value = item.value(self.repo);
            self.spend(size(&value));
            item.value = Some(value);
        }
        item.value.as_mut().map(Arc::make_mut)
    }

    /// One entry of `patches`, `patchesStrategicMerge` or `patchesJson6902`; why kustomize refuses it, if it does.
    pub fn patch(&mut self, folder: &Folder, patch: &Patch, items: &mut Vec<Item>) -> Option<Failure> {
        let documents = match &patch.content {
            None => return None,
            Some(PatchContent::Inline(documents)) => documents.clone(),
            Some(PatchContent::File(path)) => documents(self.repo, folder, &path.value),
        };
        let Some(documents) = documents else {
            for item in items {
                let matched =
                    patch.target.as_ref().map_or(Matched::Maybe, |target| item.is_selected(target, self.repo));
                if matched != Matched::No {
                    self.lose(patch.span, item);
                }
            }
            return None;
        };
        match (documents.as_slice(), &patch.target) {
            ([], _) => Some(Failure::EmptyPatch),
            ([list], target) if Operation::list(list).is_some() => {
                let operations = Operation::list(list).unwrap_or_default();
                let Some(target) = target else { return Some(Failure::NoTarget) };
                let mut failure = None;
                for item in items {
                    let matched = item.is_selected(target, self.repo);
                    let is_misfit = self.operations(patch, &operations, matched, item).is_err();
                    failure = failure.or(is_misfit.then_some(Failure::MisfitOperation));
                }
                failure
            }
            ([document], Some(target)) => {
                let repo = self.repo;
                items.retain_mut(|item| {
                    let matched = item.is_selected(target, repo);
                    self.merge(patch, document, matched, item)
                });
                None
            }
            (_, Some(_)) => Some(Failure::SharedTarget),
            (documents, None) => documents.iter().fold(None, |failure, document| {
                let found = self.merge_by_id(patch, document, items);
                failure.or(found)
            }),
        }
    }

    /// Applies a merge patch to the one object that it names.
    fn merge_by_id(&mut self, patch: &Patch, document: &Value, items: &mut Vec<Item>) -> Option<Failure> {
        let id = Id::of_value(document)?;
        let (mut certain, mut possible) = (0, 0);
        items.retain_mut(|item| {
            let matched = item.is_called(&id);
            certain += usize::from(matched == Matched::Yes);
            possible += usize::from(matched == Matched::Maybe);
            self.merge(patch, document, matched, item)
        });
        match (certain, possible) {
            (0, 0) => Some(Failure::UnmatchedPatch),
            (2.., _) => Some(Failure::AmbiguousPatch),
            _ => None,
        }
    }

    /// Applies a merge patch to one object; false when it deletes the object.
    fn merge(&mut self, patch: &Patch, document: &Value, matched: Matched, item: &mut Item) -> bool {
        if matched == Matched::No {
            return true;
        }
        self.spend(size(document));
        item.is_changed = true;
        let deletes = document.as_map().and_then(directive) == Some("delete");
        let may_rename = patch.allows_name_change || patch.allows_kind_change;
        if deletes || may_rename {
            item.remember();
        }
        if matched == Matched::Yes && deletes {
            return false;
        }
        if deletes {
            item.forget_id();
        }
        if !item.is_read {
            if may_rename {
                item.forget_id();
            }
            return true;
        }
        // Kustomize knows the schema of the kinds of Kubernetes itself, whose lists may merge by key.
        let schema = self.schema.or_else(|| item.id.of.is_builtin().then_some(patch.span));
        let Some(value) = self.value(item) else { return true };
        let kept = Identity::of(value);
        let merged = match matched {
            _ if deletes => unknown(patch.span),
            Matched::Yes => match merge(std::mem::replace(value, Value::Null(patch.span)), document) {
                Some(merged) => merged,
                None => return false,
            },
            _ => {
                let mut blurred = std::mem::replace(value, Value::Null(patch.span));
                blur(&mut blurred, document);
                blurred
            }
        };
        *value = merged;
        if let Some(span) = schema {
            fields::forget_lists(value, document, span);
        }
        if patch.target.is_some() || patch.field == Field::PatchesStrategicMerge {
            fields::forget_words(value, document, patch.span);
        }
        kept.restore(value, patch);
        item.reread_id();
        true
    }

    fn operations(
        &mut self,
        patch: &Patch,
        operations: &[Operation],
        matched: Matched,
        item: &mut Item,
    ) -> Result<(), Misfit> {
        if matched == Matched::No {
            return Ok(());
        }
        item.is_changed = true;
        if patch.field == Field::Patches {
            item.remember();
        }
        if !item.is_read {
            let identity = ["", "/metadata", "/metadata/name", "/metadata/namespace", "/kind", "/apiVersion"];
            if operations.iter().any(|operation| identity.contains(&operation.path.value.as_str())) {
                item.forget_id();
            }
            return Ok(());
        }
        // Kustomize keeps notes of its own among the annotations, so that the map is there to be written into.
        let has_notes = !item.former.is_empty();
        let mut steps = *self.steps;
        let Some(value) = self.value(item) else { return Ok(()) };
        let mut result = Ok(());
        if matched == Matched::Maybe {
            operations.iter().for_each(|operation| operation.blur(value));
        } else {
            let before = value.clone();
            if has_notes {
                map_at(value, &["metadata", "annotations"], patch.span);
            }
            result = operations.iter().try_for_each(|operation| {
                steps = steps.saturating_sub(size(&operation.value));
                operation.apply(value, &mut steps)
            });
            if result.is_err() {
                *value = before;
            }
        }
        *self.steps = (*self.steps).min(steps);
        item.reread_id();
        result
    }

    /// `namespace`.
    pub fn namespace(&mut self, namespace: &Text, item: &mut Item) {
        item.remember();
        if &*item.id.of.kind == "Namespace" && item.id.of.group.is_empty() {
            item.id.name = known(namespace);
        } else if !item.id.of.is_cluster_scoped() {
            item.id.namespace = known(namespace);
            self.set_metadata("namespace", Value::Text(namespace.clone()), namespace.span(), item);
        }
    }

    /// `namePrefix` or `nameSuffix`. The name stays where it is written, whatever is put before or after it.
    pub fn affix(&mut self, affix: &Text, is_prefix: bool, item: &mut Item) {
        if item.original().of.keeps_name() {
            return;
        }
        item.remember();
        let (name, affix_text) = (item.id.name.as_deref(), affix.as_str());
        let name = if is_prefix { joined(affix_text, name) } else { joined(name, affix_text) };
        let written = self.value(item).and_then(|value| Some(value.get("metadata")?.get("name")?.span()));
        let span = written.unwrap_or_else(|| affix.span());
        let value = name.as_ref().map_or_else(|| unknown(span), |name| Value::Text(Text::known_at(&**name, span)));
        self.set_metadata("name", value, span, item);
        item.id.name = name;
    }

    fn set_metadata(&mut self, key: &str, new: Value, span: Span, item: &mut Item) {
        if let Some(metadata) = self.value(item).and_then(|value| map_at(value, &["metadata"], span)) {
            set(metadata, key, new, span);
        }
    }

    /// One entry of `labels`.
    pub fn labels(&mut self, labels: &Labels, item: &mut Item) {
        self.set_all("labels", &labels.pairs, item);
        for spec in &labels.fields {
            let span = labels.pairs.first().map_or_else(Span::default, |(key, _)| key.span);
            self.forget(spec, span, item);
        }
    }

    /// `commonAnnotations`.
    pub fn annotations(&mut self, annotations: &[(Spanned<String>, Text)], item: &mut Item) {
        self.set_all("annotations", annotations, item);
    }

    fn set_all(&mut self, field: &str, pairs: &[(Spanned<String>, Text)], item: &mut Item) {
        let Some((first, _)) = pairs.first() else { return };
        let Some(map) = self.value(item).and_then(|value| map_at(value, &["metadata", field], first.span)) else {
            return;
        };
        for (key, value) in pairs {
            set(map, &key.value, Value::Text(value.clone()), key.span);
        }
    }

    /// `replacements`, also those in files.
    pub fn replacements(&mut self, folder: &Folder, kustomization: &Kustomization, items: &mut [Item]) {
        for replacement in &kustomization.replacements {
            self.replacement(replacement, items);
        }
        for reference in kustomization.paths(Field::Replacements) {
            let Some(documents) = documents(self.repo, folder, &reference.path.value) else {
                items.iter_mut().for_each(|item| self.lose(reference.path.span, item));
                continue;
            };
            // One replacement, or a list of them.
            for document in &documents {
                let entries =
                    if let Value::List(list) = document { &list.items[..] } else { std::slice::from_ref(document) };
                for replacement in entries.iter().filter_map(Replacement::read) {
                    self.replacement(&replacement, items);
                }
            }
        }
    }

    fn replacement(&mut self, replacement: &Replacement, items: &mut [Item]) {
        let new = fields::source_of(replacement, items, self.repo);
        for target in &replacement.targets {
            for item in items.iter_mut() {
                let rejected = target.reject.iter().map(|reject| item.is_selected(reject, self.repo)).max();
                let mut matched = item.is_selected(&target.select, self.repo);
                matched = match rejected {
                    Some(Matched::Yes) => Matched::No,
                    Some(Matched::Maybe) => matched.min(Matched::Maybe),
                    _ => matched,
                };
                if matched == Matched::No {
                    continue;
                }
                item.is_changed = true;
                let exact = new.as_ref().filter(|_| matched == Matched::Yes && !target.splits);
                let paths = target.fields.iter().map(Text::as_str);
                let name = [Some("metadata.name")];
                let paths: Vec<Option<&str>> = if target.fields.is_empty() { name.to_vec() } else { paths.collect() };
                for path in paths {
                    let Some(path) = path else {
                        self.lose(replacement.span, item);
                        continue;
                    };
                    let steps = fields::split(path, '.');
                    if !item.is_read {
                        if steps.first().is_some_and(|step| step == "metadata") {
                            item.forget_id();
                        }
                    } else if let Some(value) = self.value(item) {
                        fields::put(value, &steps, exact, target.creates, replacement.span);
                        item.reread_id();
                    }
                }
            }
        }
    }

    /// `transformers`: those built into kustomize touch what they name, any other one everything.
    pub fn transformers(&mut self, folder: &Folder, kustomization: &Kustomization, items: &mut [Item]) {
        let inline = kustomization.plugins.iter().filter(|plugin| plugin.field == Field::Transformers);
        let inline = inline.map(|plugin| (Some(plugin.documents.clone()), Span::default()));
        let files = kustomization.paths(Field::Transformers);
        let files = files.map(|reference| (documents(self.repo, folder, &reference.path.value), reference.path.span));
        let all: Vec<_> = inline.chain(files).collect();
        for (documents, span) in all {
            for document in documents.iter().flatten() {
                let kind = document.get("kind").and_then(Value::as_str);
                let is_builtin = document.get("apiVersion").and_then(Value::as_str) == Some("builtin");
                let specs = document.get("fieldSpecs").map(Value::items).unwrap_or_default();
                if is_builtin && kind.is_some_and(|kind| BUILTIN.contains(&kind)) {
                    for spec in specs.iter().filter_map(FieldSpec::read) {
                        items.iter_mut().for_each(|item| self.forget(&spec, document.span(), item));
                    }
                } else {
                    items.iter_mut().for_each(|item| self.lose(document.span(), item));
                }
            }
            if documents.is_none() {
                items.iter_mut().for_each(|item| self.lose(span, item));
            }
        }
    }

    /// `vars`: labels and annotations that use one.
    pub fn vars(&mut self, vars: &[Text], items: &mut [Item]) {
        for var in vars {
            let use_of = var.as_str().map(|name| format!("$({name})"));
            let uses = |value: &Value| {
                value.as_str().is_some_and(|text| use_of.as_ref().is_none_or(|use_of| text.contains(use_of.as_str())))
            };
            for item in items.iter_mut() {
                for field in ["labels", "annotations"] {
                    let value = item.value(self.repo);
                    let map = value.get("metadata").and_then(|metadata| metadata.get(field)).and_then(Value::as_map);
                    let used: Vec<String> = map
                        .into_iter()
                        .flat_map(|map| &map.entries)
                        .filter(|(_, value)| uses(value))
                        .map(|(key, _)| key.value.clone())
                        .collect();
                    for key in used {
                        if let Some(map) =
                            self.value(item).and_then(|value| map_at(value, &["metadata", field], var.span()))
                        {
                            set(map, &key, unknown(var.span()), var.span());
                        }
                    }
                }
            }
        }
    }

    /// Makes a place unknown in the objects that it is a place of.
    pub fn forget(&mut self, spec: &FieldSpec, span: Span, item: &mut Item) {
        let of = &item.id.of;
        let fits = |wanted: &Option<String>, have: &str| wanted.as_ref().is_none_or(|wanted| wanted == have);
        if !fits(&spec.group, &of.group) || !fits(&spec.version, &of.version) || !fits(&spec.kind, &of.kind) {
            return;
        }
        item.is_changed = true;
        let steps = fields::split(&spec.path, '/');
        if !item.is_read {
            if matches!(spec.path.as_str(), "metadata/name" | "metadata/namespace") {
                item.forget_id();
            }
        } else if let Some(value) = self.value(item) {
            fields::put(value, &steps, None, spec.creates, span);
            item.reread_id();
        }
    }

    /// One entry of `replicas`.
    pub fn scale(&mut self, replica: &Replica, item: &mut Item) {
        let matched = match replica.name.as_ref().map(Text::as_str) {
            Some(Some(name)) => item.scales_as(name),
            Some(None) => Matched::Maybe,
            None => Matched::No,
        };
        let count = match (matched, &replica.count) {
            (Matched::No, _) => return,
            (Matched::Yes, Some(count)) => Value::Int(count.clone()),
            _ => unknown(replica.span),
        };
        item.is_changed = true;
        if let Some(spec) = self.value(item).and_then(|value| map_at(value, &["spec"], replica.span)) {
            set(spec, "replicas", count, replica.span);
        }
    }

    fn lose(&mut self, span: Span, item: &mut Item) {
        item.is_changed = true;
        if let Some(value) = self.value(item) {
            fields::lose(value, span);
        }
    }
}

/// The documents of a file that a kustomization names; `None` when it is there and cannot be read, none when it is not.
pub fn documents(repo: &Repo, folder: &Folder, path: &str) -> Option<Vec<Value>> {
    if crate::formats::kustomize::is_remote(path) {
        return None;
    }
    let Ok(path) = folder.1.join(path) else { return None };
    match repo.find(folder.0, &path) {
        Found::File(id) => {
            let file = repo.file(id).filter(|file| file.state == FileState::Read && file.tree.errors().is_empty())?;
            Some(file.documents.iter().map(|document| read::value(document.node(&file.tree))).collect())
        }
        Found::Missing => Some(Vec::new()),
        Found::Folder(_) | Found::Outside | Found::Submodule => None,
    }
}

/// The parts of an object that merge patches leave alone.
struct Identity {
    api_version: Option<Value>,
    kind: Option<Value>,
    name: Option<Value>,
    namespace: Option<Value>,
}

impl Identity {
    fn of(value: &Value) -> Identity {
        let metadata = value.get("metadata");
        let metadata = |key| metadata.and_then(|metadata| metadata.get(key)).cloned();
        Identity {
            api_version: value.get("apiVersion").cloned(),
            kind: value.get("kind").cloned(),
            name: metadata("name"),
            namespace: metadata("namespace"),
        }
    }

    fn restore(self, value: &mut Value, patch: &Patch) {
        let span = patch.span;
        let put = |value: &mut Value, keys: &[&str], key: &str, old: Option<Value>| {
            let Some(map) = map_at(value, keys, span) else { return };
            match old {
                Some(old) => set(map, key, old, span),
                None => map.entries.retain(|(name, _)| name.value != key),
            }
        };
        put(value, &[], "apiVersion", self.api_version);
        if !patch.allows_kind_change {
            put(value, &[], "kind", self.kind);
        }
        if !patch.allows_name_change {
            put(value, &["metadata"], "name", self.name);
        }
        put(value, &["metadata"], "namespace", self.namespace);
    }
}
