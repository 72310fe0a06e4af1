//! `policies.appproject`: what projects may permit at most.

use super::{Keys, Reader, did_you_mean, list};
use crate::fleet::policies::Bounds;
use crate::fleet::policies::bounds::{Listed, Place, Target};
use crate::formats::read::Fields;
use crate::text::Spanned;
use crate::value::Value;

const APPPROJECT: Keys = Keys {
    owner: "`appproject`",
    known: &["cluster-resources", "forbid-wildcards", "source-repos", "destinations", "require"],
    later: &[],
};
const TARGET: Keys = Keys { owner: "a destination", known: &["server", "name", "namespace"], later: &[] };

impl Reader<'_> {
    /// `appproject` of the policies.
    pub(super) fn project_bounds(&mut self, policies: Fields<'_>, environments: &[Spanned<String>]) -> Bounds {
        let Some(value) = policies.value("appproject") else { return Bounds::default() };
        let Some(fields) = self.fields(value, "a map of bounds") else { return Bounds::default() };
        self.keys(fields, &APPPROJECT);
        Bounds {
            cluster_resources: self.listed(fields, "cluster-resources"),
            forbid_wildcards: self.places(fields),
            source_repos: self.listed(fields, "source-repos"),
            destinations: self.bound_destinations(fields, environments),
            require: self.texts(fields, "require"),
        }
    }

    fn listed(&mut self, fields: Fields<'_>, key: &str) -> Option<Listed> {
        fields.value(key)?;
        Some(Listed { key: fields.key(key)?, items: self.texts(fields, key) })
    }

    fn places(&mut self, fields: Fields<'_>) -> Vec<Spanned<Place>> {
        let words = Place::WORDS.map(|(word, _)| word);
        let mut places = Vec::new();
        for written in self.texts(fields, "forbid-wildcards") {
            match Place::WORDS.iter().find(|(word, _)| *word == written.value) {
                Some((_, place)) => places.push(written.map(|_| *place)),
                None => {
                    let help = did_you_mean(&written.value, words, || format!("the lists are {}", list(&words)));
                    self.wrong(written.span, format!("`{}` is not a list of a project", written.value), Some(help));
                }
            }
        }
        places
    }

    fn bound_destinations(
        &mut self,
        fields: Fields<'_>,
        environments: &[Spanned<String>],
    ) -> Vec<(Spanned<String>, Vec<Target>)> {
        let Some(value) = fields.value("destinations") else { return Vec::new() };
        let Some(fields) = self.fields(value, "a map from environments to destinations") else { return Vec::new() };
        let mut bounds = Vec::new();
        for (environment, value) in fields.entries() {
            self.check_environment(environment, environments);
            if !matches!(value, Value::List(_)) {
                self.wrong_type(value, "a list of maps with `server`, `name` and `namespace`");
            }
            let mut targets = Vec::new();
            for item in value.items() {
                let Some(fields) = self.fields(item, "a map with `server`, `name` and `namespace`") else { continue };
                self.keys(fields, &TARGET);
                let mut text = |key| self.text(fields, key).map(|text| text.value);
                targets.push(Target { server: text("server"), name: text("name"), namespace: text("namespace") });
            }
            bounds.push((environment.clone(), targets));
        }
        bounds
    }
}
