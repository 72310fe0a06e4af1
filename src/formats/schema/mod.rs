//! A document against the packed schema of its kind: unknown fields, wrong types, missing fields.
//!
//! The schemas are data (`schemas/`), compiled at the first document of their kind. A kind or version without a schema
//! is silent, so is what a schema leaves open. A required field is judged here as if the document were whole; whether
//! it is one part of a kustomize build is not known on this floor.

#[cfg(test)]
mod data;
mod explain;
mod places;
mod site;
#[cfg(test)]
mod tests;
mod view;

use super::api;
use super::document::{Problem, Resource};
use crate::yaml::Node;
use jsonschema::{Draft, Validator};
use places::Places;
use serde_json::Value;
use std::sync::{LazyLock, OnceLock};
use view::{Arena, View};

include!(concat!(env!("OUT_DIR"), "/schemas.rs"));

/// What the document at `root` does against the schema of its kind, in order of the file.
pub fn check(root: Node<'_>, resource: &Resource) -> Vec<Problem> {
    let Some((schema, reader)) = schema_of(root, resource) else { return Vec::new() };
    if schema.validator().is_valid(View::Node(root)) {
        return Vec::new();
    }
    explain::problems(root, schema, reader)
}

/// Who reads a document, and how strictly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reader {
    /// The API server: drops unknown fields, refuses wrong types.
    Server,
    /// The same, for an ApplicationSet: texts of its template may hold templates.
    ServerOfSets,
    /// The API server of a group we have no schema of, or somebody whose objects merely look alike.
    Somebody,
    /// Kustomize: refuses unknown fields, ignores the case of letters in known ones.
    Kustomize,
    /// Helm: ignores unknown fields, reads any scalar as text where text is wanted.
    Helm,
}

/// A packed schema.
struct Schema {
    /// `<group>/<kind in lower case>_<version>.json`.
    file: &'static str,
    root: Value,
    validator: OnceLock<Validator<Arena>>,
    places: OnceLock<Places>,
}

/// The schema of a document and who reads it; none for what is not an object, and for what SOPS has encrypted.
fn schema_of(root: Node<'_>, resource: &Resource) -> Option<(&'static Schema, Reader)> {
    match resource {
        Resource::Opaque => return None,
        Resource::Chart(_) => return Some((load("helm/chart.json")?, Reader::Helm)),
        Resource::Kustomization(kustomization) => {
            let version = if kustomization.is_component { "component_v1alpha1" } else { "kustomization_v1beta1" };
            return Some((load(&format!("{KUSTOMIZE}/{version}.json"))?, Reader::Kustomize));
        }
        _ if root.get("sops").is_some() => return None,
        _ => {}
    }
    let kind = root.get("kind").and_then(Node::as_str)?;
    let api_version = root.get("apiVersion").and_then(Node::as_str)?;
    let (group, version) = api::split(api_version);
    if let Some(schema) = load(&format!("{group}/{}_{version}.json", kind.to_lowercase())) {
        let reader = match resource {
            Resource::ApplicationSet(_) => Reader::ServerOfSets,
            _ if group == KUSTOMIZE => Reader::Kustomize,
            _ => Reader::Server,
        };
        return Some((schema, reader));
    }
    let reader = if is_built_in(group) || api_version == "v1" { Reader::Server } else { Reader::Somebody };
    (reader == Reader::Server || group.contains('.')).then_some((load("meta/object.json")?, reader))
}

/// The group of kustomization files.
const KUSTOMIZE: &str = "kustomize.config.k8s.io";

/// Whether the objects of a group are certainly those of an API server. The `config` groups are files of tools.
fn is_built_in(group: &str) -> bool {
    matches!(group, "apps" | "autoscaling" | "batch" | "extensions" | "policy")
        || (group.ends_with(".k8s.io") && !group.ends_with(".config.k8s.io"))
}

fn load(file: &str) -> Option<&'static Schema> {
    static SCHEMAS: LazyLock<Vec<OnceLock<Schema>>> = LazyLock::new(|| FILES.iter().map(|_| OnceLock::new()).collect());
    let at = FILES.binary_search_by(|(name, _)| (*name).cmp(file)).ok()?;
    Some(SCHEMAS[at].get_or_init(|| Schema::new(FILES[at].0, FILES[at].1)))
}

impl Schema {
    fn new(file: &'static str, text: &str) -> Schema {
        let mut root: Value = serde_json::from_str(text).expect("a test reads every packed schema");
        if root.pointer("/properties/metadata") == Some(&serde_json::json!({"type": "object"})) {
            add_metadata(&mut root);
        }
        Schema { file, root, validator: OnceLock::new(), places: OnceLock::new() }
    }

    /// The schema, compiled at the first document of its kind.
    fn validator(&self) -> &Validator<Arena> {
        self.validator.get_or_init(|| {
            let options =
                jsonschema::options_for::<Arena>().with_draft(Draft::Draft202012).should_validate_formats(false);
            options.offline().build(&self.root).expect("a test compiles every packed schema")
        })
    }

    /// Where each field name belongs.
    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::new(&self.root))
    }

    /// The kind it describes.
    fn kind(&self) -> &str {
        self.root["title"].as_str().unwrap_or("")
    }

    /// The version of the kind.
    fn version(&self) -> Option<&str> {
        self.file.rsplit_once('_')?.1.strip_suffix(".json")
    }
}

/// Custom resource definitions leave `metadata` open; the API server does not.
fn add_metadata(root: &mut Value) {
    let object = load("meta/object.json").expect("the schema of all objects is packed");
    root["properties"]["metadata"] = object.root["properties"]["metadata"].clone();
    root["$defs"]["metadata"] = object.root["$defs"]["metadata"].clone();
}
