//! What the product says to the vectors about projects, permissions and access.

use super::generators::cluster;
use super::{Answer, items};
use plimsoll::fleet::clusters::Cluster;
use plimsoll::fleet::destination::{self, DestinationProblem};
use plimsoll::fleet::projects::faults::{self, PolicyPart};
use plimsoll::fleet::projects::permits::{self, Destinations, Sources, Target, Wanted};
use plimsoll::fleet::refused::{self, Condition, Generated, Refusal};
use plimsoll::formats::argo::application::Spec;
use plimsoll::formats::argo::{AppProject, policy};
use plimsoll::formats::read::{self, Fields};
use plimsoll::text::FileId;
use plimsoll::{value, yaml};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The answer to a vector of this kind.
pub fn answer(kind: &str, input: &Value) -> Answer {
    let text = |key: &str| input[key].as_str().unwrap_or_default();
    let valid = |is_valid: bool| json!({ "valid": is_valid });
    let permitted = |answer: Option<bool>| json!({ "permitted": answer.expect("all is known") });
    Some(Ok(match kind {
        "source_permitted" => {
            let project = project(json!({ "sourceRepos": input["sourceRepos"] }));
            permitted(Sources::new(&project.source_repos).permit(text("repoURL")))
        }
        "destination_permitted" => permitted(destination(input)),
        "app_namespace_permitted" => {
            let project = project(json!({ "sourceNamespaces": input["sourceNamespaces"] }));
            let (app, controller) = (text("appNamespace"), text("controllerNamespace"));
            permitted(permits::app_namespace(&project.source_namespaces, app, controller))
        }
        "group_kind_permitted" => {
            let wanted = Wanted {
                group: text("group"),
                kind: text("kind"),
                name: Some(text("name")),
                is_namespaced: input["namespaced"] == true,
            };
            permitted(permits::kind(&project(input["spec"].clone()), wanted))
        }
        "role_name" => valid(faults::is_role_name(text("name"))),
        "group_name" => valid(faults::is_group_name(text("name"))),
        "policy_action" => valid(faults::is_policy_action(text("action"))),
        "policy_object" => valid(faults::is_policy_object(text("project"), text("object"))),
        "destination_item" => valid(faults::is_entry(text("value"))),
        "destination_service_account" => {
            valid(faults::is_service_account(text("server"), text("namespace"), text("defaultServiceAccount")))
        }
        "policy_rule" => match faults::policy_fault(text("project"), text("role"), text("policy")) {
            None => valid(true),
            Some((part, _)) => json!({ "valid": false, "part": part_name(part) }),
        },
        "policy_line" => valid(policy::lines(text("line")).iter().all(|(_, line)| line.is_ok())),
        "policy_csv" => json!({ "lines": policy_lines(&input["data"]) }),
        "validate_permissions" => {
            let spec = value_of(json!({ "spec": input["spec"] }));
            let spec = Spec::read(Fields::of(&spec).unwrap());
            let conditions =
                refused::conditions(&spec, &project(input["project"].clone()), &clusters(&input["clusters"]));
            json!({ "conditions": conditions.into_iter().map(condition_name).collect::<Vec<_>>() })
        }
        "validate_generated" => json!({ "errors": generated(input) }),
        _ => return None,
    }))
}

fn destination(input: &Value) -> Option<bool> {
    let project = project(json!({
        "destinations": input["destinations"],
        "permitOnlyProjectScopedClusters": input["permitOnlyProjectScopedClusters"] == true,
    }));
    let text = |value: &Value| Some(value.as_str().unwrap_or_default().to_owned());
    let (name, server) = (text(&input["cluster"]["name"]), text(&input["cluster"]["server"]));
    let namespace = text(&input["namespace"]);
    let target = Target { name: name.as_deref(), server: server.as_deref(), namespace: namespace.as_deref() };
    let scoped: Vec<Cluster> = items(&input["projectScopedClusters"]).map(cluster).collect();
    let is_permitted = Destinations::new(&project.destinations).permit(target);
    permits::scoped_destination(&project, is_permitted, target, &scoped.iter().collect::<Vec<_>>(), true)
}

fn policy_lines(data: &Value) -> Vec<&str> {
    let data = data.as_object().unwrap();
    let keys = policy::keys(data.keys().map(String::as_str));
    keys.into_iter().flat_map(|key| data[key].as_str().unwrap().lines()).collect()
}

fn generated(input: &Value) -> BTreeMap<&str, &'static str> {
    let applications: Vec<Generated<'_>> = items(&input["applications"])
        .map(|application| Generated {
            name: application["name"].as_str().unwrap_or_default(),
            project: application["project"].as_str().unwrap_or_default(),
            cluster: application["destination"]["name"].as_str().unwrap_or_default(),
            server: application["destination"]["server"].as_str().unwrap_or_default(),
        })
        .collect();
    let projects: Vec<&str> = items(&input["projects"]).filter_map(Value::as_str).collect();
    let refused = refused::generated(&applications, &projects, &clusters(&input["clusters"]));
    refused.into_iter().map(|(name, refusal)| (name, refusal_name(refusal))).collect()
}

fn refusal_name(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NoName => "no_name",
        Refusal::DuplicateName => "duplicate_name",
        Refusal::UnknownProject => "project_unknown",
        Refusal::Destination(problem) => destination_name(problem),
    }
}

fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::IncompleteSource => "source_incomplete",
        Condition::ChartWithoutRevision => "chart_without_revision",
        Condition::IncompleteHydrator => "hydrator_incomplete",
        Condition::SourceNotPermitted => "source_not_permitted",
        Condition::Destination(problem) => destination_name(problem),
        Condition::DestinationNotPermitted => "destination_not_permitted",
    }
}

fn destination_name(problem: DestinationProblem) -> &'static str {
    match problem {
        DestinationProblem::Both => "destination_both",
        DestinationProblem::Neither => "destination_missing",
        DestinationProblem::Unknown => "destination_unknown",
        DestinationProblem::Ambiguous => "destination_ambiguous",
    }
}

fn part_name(part: PolicyPart) -> &'static str {
    match part {
        PolicyPart::Form => "form",
        PolicyPart::Subject => "subject",
        PolicyPart::Resource => "resource",
        PolicyPart::Action => "action",
        PolicyPart::Object => "object",
        PolicyPart::Effect => "effect",
    }
}

fn clusters(list: &Value) -> Vec<destination::Cluster<'_>> {
    items(list)
        .map(|cluster| destination::Cluster {
            name: cluster["name"].as_str().unwrap_or_default(),
            server: cluster["server"].as_str().unwrap_or_default(),
        })
        .collect()
}

fn project(spec: Value) -> AppProject {
    AppProject::read(&value_of(json!({ "metadata": { "name": "project" }, "spec": spec })))
}

fn value_of(json: Value) -> value::Value {
    let tree = yaml::parse(FileId(0), json.to_string().into());
    read::value(tree.root(&tree.documents()[0]).unwrap())
}
