//! Documents and their problems, smallest first.

use crate::formats::ProblemKind::{self, MissingField, UnknownField, WrongType};
use crate::formats::document;
use crate::text::{FileId, RepoPath};
use crate::yaml;

/// What is found in a file: the kind, the bytes at its span, message, help, and the text that repairs it.
type Found = (ProblemKind, String, String, String, Option<String>);

fn found_in(path: &str, text: &str) -> Vec<Found> {
    let tree = yaml::parse(FileId(0), text.into());
    assert!(tree.errors().is_empty(), "{:?}", tree.errors());
    let documents = document::decode(&RepoPath::new(path).unwrap(), &tree);
    let problems = documents.into_iter().flat_map(|document| document.problems);
    let found = problems.map(|problem| {
        let at = text[problem.span.range()].to_owned();
        (problem.kind, at, problem.message, problem.help.unwrap_or_default(), problem.replacement)
    });
    found.collect()
}

fn found(text: &str) -> Vec<Found> {
    found_in("a.yaml", text)
}

/// An Application whose `spec` goes on with these lines.
fn application(spec: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: web\nspec:\n  project: default\n  \
         destination: {{name: in-cluster}}\n{spec}"
    )
}

fn set(spec: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata:\n  name: web\nspec:\n  generators: []\n  \
         template:\n    metadata: {{name: '{{{{.a}}}}'}}\n    spec:\n      project: default\n      destination: {{}}\n{spec}"
    )
}

fn kustomization(text: &str) -> Vec<Found> {
    found_in("a/kustomization.yaml", text)
}

fn chart(text: &str) -> Vec<Found> {
    found_in("a/Chart.yaml", &format!("apiVersion: v2\nname: a\nversion: 1.0.0\n{text}"))
}

#[track_caller]
fn assert_one(found: &[Found], kind: ProblemKind, at: &str, message: &str, help: &str, replacement: Option<&str>) {
    let wanted = (kind, at.into(), message.into(), help.into(), replacement.map(str::to_owned));
    assert_eq!(found, [wanted]);
}

#[track_caller]
fn assert_silent(text: &str) {
    assert_eq!(found(text), [], "{text}");
}

#[test]
fn a_whole_application_is_silent() {
    assert_silent(&application("  source: {repoURL: x, path: a, targetRevision: '1.0'}\n"));
    assert_silent(&set("  goTemplate: true\n"));
}

#[test]
fn what_no_schema_knows_is_silent() {
    assert_silent("apiVersion: argoproj.io/v2\nkind: Application\nanything: 1\n");
    assert_silent("apiVersion: example.com/v1\nkind: Thing\nspec: 3\n");
    assert_silent("apiVersion: v1\nkind: Service\nspec: {anything: 1}\n");
    assert_silent("a: 1\n");
}

#[test]
fn a_misspelt_field_is_renamed() {
    for (written, meant) in [
        ("targetrevision", "targetRevision"),
        ("target_revision", "targetRevision"),
        ("targetRevison", "targetRevision"),
    ] {
        let text = application(&format!("  source: {{repoURL: x, path: a, {written}: main}}\n"));
        let message = format!("`{written}` is not a field of `spec.source`");
        assert_one(&found(&text), UnknownField, written, &message, &format!("write `{meant}`"), Some(meant));
    }
}

#[test]
fn a_renamed_key_keeps_its_quotes() {
    let text = application("  source: {\"repoURL\": x, \"pathh\": a}\n");
    let message = "`pathh` is not a field of `spec.source`";
    assert_one(&found(&text), UnknownField, "\"pathh\"", message, "write `path`", Some("\"path\""));
}

#[test]
fn a_field_that_is_there_under_its_right_name_is_not_written_twice() {
    let text = application("  syncPolicy:\n    automated: {selfHeal: true, selfheal: true}\n");
    let message = "`selfheal` is not a field of `spec.syncPolicy.automated`";
    assert_one(&found(&text), UnknownField, "selfheal", message, "remove it: `selfHeal` is there as well", None);
}

#[test]
fn a_near_name_that_takes_another_type_is_not_meant() {
    let text = application("  sourcess: {repoURL: x, path: a}\n");
    let message = "`sourcess` is not a field of `spec`";
    assert_one(&found(&text), UnknownField, "sourcess", message, "write `source`", Some("source"));
}

#[test]
fn a_part_of_a_name_is_completed_by_the_author() {
    let text = application("  source: {repoURL: x, path: a, revision: main}\n");
    let message = "`revision` is not a field of `spec.source`";
    assert_one(&found(&text), UnknownField, "revision", message, "write `targetRevision`", None);
}

#[test]
fn a_field_of_another_object_is_sent_there() {
    for (text, at, object, place) in [
        (
            application("  source: {repoURL: x, path: a, include: b}\n"),
            "include",
            "spec.source",
            "spec.source.directory",
        ),
        (application("  syncOptions: [Replace=true]\n"), "syncOptions", "spec", "spec.syncPolicy"),
        (set("  syncPolicy: {automated: {}}\n"), "automated", "spec.syncPolicy", "spec.template.spec.syncPolicy"),
        (
            set("      syncPolicy: {applicationsSync: sync}\n"),
            "applicationsSync",
            "spec.template.spec.syncPolicy",
            "spec.syncPolicy",
        ),
    ] {
        let message = format!("`{at}` is not a field of `{object}`");
        assert_one(&found(&text), UnknownField, at, &message, &format!("move it to `{place}`"), None);
    }
}

#[test]
fn a_field_of_another_kind_or_version_is_named() {
    let text = application("  syncPolicy: {preserveResourcesOnDeletion: true}\n");
    let message = "`preserveResourcesOnDeletion` is not a field of `spec.syncPolicy`";
    let help = "remove it: only kind `ApplicationSet` has it";
    assert_one(&found(&text), UnknownField, "preserveResourcesOnDeletion", message, help, None);

    let text = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\nspec:\n  interval: \
                1m\n  prune: true\n  sourceRef: {kind: GitRepository, name: a}\n  validation: client\n";
    let message = "`validation` is not a field of `spec`";
    assert_one(&found(text), UnknownField, "validation", message, "remove it: only version `v1beta2` has it", None);
}

#[test]
fn an_unlike_field_is_told_what_was_expected() {
    let text =
        application("  destinations: []\n").replace("destination: {name: in-cluster}", "destination: {zone: eu}");
    let text = text.replace("  destinations: []\n", "");
    let message = "`zone` is not a field of `spec.destination`";
    assert_one(&found(&text), UnknownField, "zone", message, "expected `name`, `server` or `namespace`", None);
}

#[test]
fn a_long_path_is_cut_from_the_left() {
    let text = set("")
        .replace("generators: []", "generators: [{matrix: {generators: [{clusters: {selector: {matchlabels: {}}}}]}}]");
    let message = "`matchlabels` is not a field of `…matrix.generators[0].clusters.selector`";
    assert_one(&found(&text), UnknownField, "matchlabels", message, "write `matchLabels`", Some("matchLabels"));
}

#[test]
fn a_number_where_text_is_wanted_is_quoted_as_written() {
    for (written, got) in [("1.10", "a number"), ("0123", "a number"), ("yes", "a boolean"), ("1e3", "a number")] {
        let text = application(&format!("  source: {{repoURL: x, path: a, targetRevision: {written}}}\n"));
        let message = format!("`targetRevision` is {got}, text is wanted");
        assert_one(&found(&text), WrongType, written, &message, "quote it", Some(&format!("\"{written}\"")));
    }
}

#[test]
fn a_quoted_value_where_another_type_is_wanted_loses_its_quotes() {
    let text = application("  revisionHistoryLimit: '3'\n");
    let message = "`revisionHistoryLimit` is text, a whole number is wanted";
    assert_one(&found(&text), WrongType, "'3'", message, "remove the quotes", Some("3"));

    let text = application("  revisionHistoryLimit: 'three'\n");
    assert_one(&found(&text), WrongType, "'three'", message, "write a whole number", None);
}

#[test]
fn one_text_where_a_list_is_wanted_is_one_problem() {
    let text = application("  source: {repoURL: x, path: a, helm: {valueFiles: values.yaml}}\n");
    let message = "`valueFiles` is text, a list is wanted";
    assert_one(&found(&text), WrongType, "values.yaml", message, "write a list", Some("[values.yaml]"));

    let text = application("  source: {repoURL: x, path: a, helm: {valueFiles: \"a, b.yaml\"}}\n");
    assert_one(&found(&text), WrongType, "\"a, b.yaml\"", message, "write a list", Some("[\"a, b.yaml\"]"));
}

#[test]
fn a_value_for_the_sibling_goes_to_the_sibling() {
    let text = application("  source:\n  - {repoURL: x, path: a}\n");
    let message = "`source` is a list, a map is wanted";
    assert_one(&found(&text), WrongType, "source", message, "write `sources`, which takes a list", Some("sources"));

    let text = application("  source: {repoURL: x, path: a, helm: {values: {a: b}}}\n");
    let message = "`values` is a map, text is wanted";
    assert_one(
        &found(&text),
        WrongType,
        "values",
        message,
        "write `valuesObject`, which takes a map",
        Some("valuesObject"),
    );
}

#[test]
fn an_alias_or_tag_is_not_rewritten() {
    let text = application("  source: {repoURL: x, path: a, targetRevision: &r 1.5}\n");
    assert_eq!(found(&text)[0].4, None);
    let text = application("  source: {repoURL: x, path: a, targetRevision: !!float 1.5}\n");
    assert_eq!(found(&text)[0].4, None);
}

#[test]
fn what_an_anchor_holds_is_reported_once() {
    let text = application("  sources:\n  - &s {repoURL: x, pth: a}\n  - *s\n  - {<<: *s, chart: a}\n");
    assert_eq!(found(&text).len(), 1);
}

#[test]
fn null_is_absent_but_not_in_lists() {
    assert_silent(&application("  source: {repoURL: x, path: a, helm: }\n  syncPolicy:\n  info: ~\n"));
    let text = application("  sources: [null]\n");
    assert_one(&found(&text), WrongType, "null", "`sources[0]` is nothing, a map is wanted", "write a map", None);
}

#[test]
fn yaml_1_1_booleans_are_booleans() {
    assert_silent(&application("  syncPolicy: {automated: {prune: on, selfHeal: Yes}}\n"));
}

#[test]
fn a_word_that_is_not_allowed_is_told_the_nearest() {
    let text = set("  syncPolicy: {applicationsSync: 'createonly'}\n");
    let message = "`createonly` is not a value of `applicationsSync`";
    assert_one(&found(&text), WrongType, "'createonly'", message, "write `create-only`", Some("'create-only'"));

    let text = set("  syncPolicy: {applicationsSync: always}\n");
    let message = "`always` is not a value of `applicationsSync`";
    let help = "expected `sync`, `create-only`, `create-update` or `create-delete`";
    assert_one(&found(&text), WrongType, "always", message, help, None);
}

#[test]
fn the_kind_is_spelt_in_its_own_case() {
    let text = application("").replace("kind: Application", "kind: application");
    let message = "`application` is not a value of `kind`";
    assert_one(&found(&text), WrongType, "application", message, "write `Application`", Some("Application"));
}

#[test]
fn a_duration_is_explained() {
    let release = |interval| {
        format!(
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: a}}\nspec: {{interval: {interval}}}\n"
        )
    };
    let message = "`interval` cannot be `1d`";
    assert_one(&found(&release("1d")), WrongType, "1d", message, "write a duration, such as `10m` or `1h30m`", None);
    assert_silent(&release("90s"));
}

#[test]
fn missing_fields_of_one_object_are_one_problem() {
    let text =
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  source: {repoURL: x}\n";
    let message = "`destination` and `project` are missing in `spec`";
    assert_one(&found(text), MissingField, "spec", message, "add `destination` and `project`", None);
}

#[test]
fn a_missing_field_points_at_what_lacks_it() {
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n";
    assert_one(&found(text), MissingField, "Application", "`spec` is missing", "add `spec`", None);

    let text = application("  sources:\n  - path: a\n    chart: b\n");
    let (item, message) = ("path: a\n    chart: b", "`repoURL` is missing in `spec.sources[0]`");
    assert_one(&found(&text), MissingField, item, message, "add `repoURL`", None);
}

#[test]
fn a_message_is_one_line_whatever_the_field_is_called() {
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\n\"a\\nb\": 1\nmetadata: {name: a}\n";
    let messages: Vec<String> = found(text).into_iter().map(|problem| problem.2).collect();
    assert!(messages.contains(&"`a\\nb` is not a top-level field of kind `Application`".to_owned()), "{messages:?}");
}

#[test]
fn a_misspelt_required_field_is_not_missing_as_well() {
    let text = application("  source: {repo_url: x, path: a}\n");
    assert_one(
        &found(&text),
        UnknownField,
        "repo_url",
        "`repo_url` is not a field of `spec.source`",
        "write `repoURL`",
        Some("repoURL"),
    );
}

#[test]
fn an_object_is_not_missing_when_its_field_is_misplaced() {
    let text = application("  server: https://k\n").replace("  destination: {name: in-cluster}\n", "");
    let message = "`server` is not a field of `spec`";
    assert_one(&found(&text), UnknownField, "server", message, "move it to `spec.destination`", None);
}

#[test]
fn a_template_fills_text_but_no_boolean() {
    assert_silent(&set("      source: {repoURL: '{{.url}}', path: '{{.path}}'}\n"));
    let text = set("      syncPolicy: {automated: {prune: '{{.prune}}'}}\n");
    let message = "`prune` is text, a boolean is wanted";
    let help = "a template yields text: use `templatePatch` for this field";
    assert_one(&found(&text), WrongType, "'{{.prune}}'", message, help, None);
}

#[test]
fn placeholders_of_other_tools_are_silent() {
    assert_silent(&set("      syncPolicy: {automated: {prune: '${PRUNE}'}}\n"));
    assert_silent(&application("  syncPolicy: {automated: {prune: '{{ prune }}'}}\n"));
    assert_silent(&application("  revisionHistoryLimit: ${LIMIT:=3}\n"));
    let text =
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {interval: '${I}'}\n";
    assert_silent(text);
}

#[test]
fn directives_of_patches_are_no_fields() {
    assert_silent(&application("  $patch: merge\n  $retainKeys: [project]\n  source: {$patch: replace, repoURL: x}\n"));
}

#[test]
fn the_status_may_hold_anything() {
    assert_silent(&(application("") + "status: {health: {any: thing}}\n"));
}

#[test]
fn an_encrypted_document_is_not_judged() {
    assert_silent(&(application("  revisionHistoryLimit: ENC[AES256_GCM,data:x]\n") + "sops: {mac: x}\n"));
}

#[test]
fn the_metadata_of_every_object_is_known() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namspace: b}\n";
    let message = "`namspace` is not a field of `metadata`";
    assert_one(&found(text), UnknownField, "namspace", message, "write `namespace`", Some("namespace"));

    let text = "apiVersion: v1\nkind: Service\nmetadata: {name: a, labels: {tier: 1}}\n";
    assert_one(&found(text), WrongType, "1", "`tier` is a number, text is wanted", "quote it", Some("\"1\""));
}

#[test]
fn annotations_are_left_to_their_own_rule() {
    assert_silent("apiVersion: v1\nkind: Service\nmetadata: {name: a, annotations: {port: 1}}\n");
}

#[test]
fn objects_of_other_tools_may_have_more_metadata() {
    assert_silent(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: a, description: b, tags: [c]}\n",
    );
    let text = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, annotation: {}}\n";
    let message = "`annotation` is not a field of `metadata`";
    assert_one(&found(text), UnknownField, "annotation", message, "write `annotations`", Some("annotations"));
}

#[test]
fn documents_that_are_no_objects_do_not_panic() {
    for text in
        ["apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: text\nspec: []\n", "kind: Application\n"]
    {
        found(text);
    }
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: text\nspec:\n";
    let messages: Vec<String> = found(text).into_iter().map(|found| found.2).collect();
    assert_eq!(messages, ["`spec` is missing", "`metadata` is text, a map is wanted"]);
}

#[test]
fn items_of_a_list_object_are_checked() {
    let text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: argoproj.io/v1alpha1\n  kind: AppProject\n  metadata: \
                {name: a}\n  spec: {sourceRepo: ['*']}\n";
    let message = "`sourceRepo` is not a field of `spec`";
    assert_one(&found(text), UnknownField, "sourceRepo", message, "write `sourceRepos`", Some("sourceRepos"));
}

#[test]
fn kustomize_ignores_the_case_of_letters() {
    assert_eq!(kustomization("Resources: [a.yaml]\nimages:\n- name: a\n  newtag: '1'\n"), []);
}

#[test]
fn kustomize_refuses_unknown_fields() {
    let found = kustomization("resource: [a.yaml]\n");
    let message = "`resource` is not a top-level field of kind `Kustomization`";
    assert_one(&found, UnknownField, "resource", message, "write `resources`", Some("resources"));

    let found = kustomization("images:\n- name: a\n  tag: '1'\n");
    let help = "write `tagSuffix` or `newTag`";
    assert_one(&found, UnknownField, "tag", "`tag` is not a field of `images[0]`", help, None);
}

#[test]
fn a_bare_path_in_a_list_of_objects_is_given_its_key() {
    let found = kustomization("patches:\n- a.yaml\n");
    let message = "`patches[0]` is text, a map is wanted";
    assert_one(&found, WrongType, "a.yaml", message, "write it as a `path`", Some("path: a.yaml"));
}

#[test]
fn a_bare_path_in_the_place_of_one_object_is_not_rewritten() {
    let text = application("  source: charts/shop\n");
    assert_one(&found(&text), WrongType, "charts/shop", "`source` is text, a map is wanted", "write a map", None);
}

#[test]
fn a_component_has_its_own_version() {
    assert_eq!(kustomization("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: []\n"), []);
    let found = kustomization("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Component\nresources: []\n");
    let message = "`kustomize.config.k8s.io/v1beta1` is not a value of `apiVersion`";
    let right = "kustomize.config.k8s.io/v1alpha1";
    assert_one(&found, WrongType, "kustomize.config.k8s.io/v1beta1", message, &format!("write `{right}`"), Some(right));
}

#[test]
fn helm_ignores_unknown_fields_unless_they_are_slips() {
    assert_eq!(chart("custom: 1\nappVersion: 1.10\n"), []);
    let found = chart("dependancies: []\n");
    let message = "`dependancies` is not a field of a Chart.yaml";
    assert_one(&found, UnknownField, "dependancies", message, "write `dependencies`", Some("dependencies"));
}

#[test]
fn helm_reads_scalars_as_text_but_no_collections() {
    assert_eq!(chart("dependencies: [{name: a, version: 1.2, repository: x}]\n"), []);
    let found = chart("keywords: web\n");
    assert_one(&found, WrongType, "web", "`keywords` is text, a list is wanted", "write a list", Some("[web]"));
}

#[test]
fn every_message_is_short() {
    let long = "x".repeat(300);
    let text = set(&format!("  {long}: 1\n  syncPolicy: {{applicationsSync: {long}}}\n"));
    for (_, _, message, help, _) in found(&text) {
        assert!(message.chars().count() <= 100, "{message}");
        assert!(help.chars().count() <= 100, "{help}");
    }
}
