//! `policies.sync` and `policies.revision`: how apps are synced, and what they may track.

use super::{Keys, Reader};
use crate::fleet::policies::sync::{Demand, Flag};
use crate::fleet::policies::{Bucket, Tracking};
use crate::formats::read::Fields;
use crate::text::Spanned;
use crate::value::Value;

const BUCKET: Keys = Keys {
    owner: "an entry of `sync`",
    known: &[
        "paths",
        "projects",
        "labels",
        "environments",
        "automated",
        "prune",
        "selfHeal",
        "allowEmpty",
        "syncOptions",
        "retry",
    ],
    later: &[],
};

impl Reader<'_> {
    /// `sync` of the policies.
    pub(super) fn sync_buckets(&mut self, policies: Fields<'_>, environments: &[Spanned<String>]) -> Vec<Bucket> {
        let Some(value) = policies.value("sync") else { return Vec::new() };
        if !matches!(value, Value::List(_)) {
            self.wrong_type(value, "a list of maps, each with what it is about and what it demands");
        }
        let mut buckets = Vec::new();
        for item in value.items() {
            let Some(fields) = self.fields(item, "a map with what it is about and what it demands") else { continue };
            self.keys(fields, &BUCKET);
            let values = |texts: Vec<Spanned<String>>| texts.into_iter().map(|text| text.value).collect();
            let named = self.texts(fields, "environments");
            named.iter().for_each(|name| self.check_environment(name, environments));
            let labels = self.text_map(fields, "labels").into_iter();
            buckets.push(Bucket {
                paths: fields.value("paths").is_some().then(|| self.globs(fields, "paths")),
                projects: values(self.texts(fields, "projects")),
                labels: labels.map(|(key, value)| (key.value, value.value)).collect(),
                environments: values(named),
                demands: self.demands(fields),
            });
        }
        buckets
    }

    fn demands(&mut self, fields: Fields<'_>) -> Vec<Spanned<Demand>> {
        let mut demands = Vec::new();
        let key = |key: &str| fields.key(key).unwrap_or_else(|| fields.span());
        if let Some(wanted) = self.bool(fields, "automated") {
            demands.push(Spanned::new(Demand::Automated(wanted), key("automated")));
        }
        for flag in Flag::ALL {
            if let Some(wanted) = self.bool(fields, flag.key()) {
                demands.push(Spanned::new(Demand::Flag(flag, wanted), key(flag.key())));
            }
        }
        let options = self.texts(fields, "syncOptions").into_iter();
        demands.extend(options.map(|option| option.map(Demand::Option)));
        match fields.value("retry") {
            None => {}
            Some(Value::Bool(wanted)) => demands.push(Spanned::new(Demand::Retries(wanted.value), key("retry"))),
            Some(retry @ Value::Map(_)) => demands.push(Spanned::new(Demand::Retry(retry.clone()), key("retry"))),
            Some(other) => self.wrong_type(other, "`true`, `false` or a map as in `syncPolicy`"),
        }
        if demands.is_empty() {
            let help = "add `automated`, `prune`, `selfHeal`, `allowEmpty`, `syncOptions` or `retry`";
            self.wrong(fields.span(), "this entry demands nothing", Some(help.to_owned()));
        }
        demands
    }

    /// `revision` of the policies.
    pub(super) fn tracking(&mut self, policies: Fields<'_>, environments: &[Spanned<String>]) -> Vec<Tracking> {
        let Some(value) = policies.value("revision") else { return Vec::new() };
        let Some(fields) = self.fields(value, "a map from environments to revisions") else { return Vec::new() };
        let mut tracking = Vec::new();
        for (environment, _) in fields.entries() {
            self.check_environment(environment, environments);
            let allowed = self.texts(fields, &environment.value).into_iter().map(|text| text.value).collect();
            tracking.push(Tracking { environment: environment.clone(), allowed });
        }
        tracking
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn mistakes(text: &str) -> Vec<String> {
        read(text).1.into_iter().map(|mistake| mistake.message).collect()
    }

    #[test]
    fn whole_policies_are_read() {
        let (config, mistakes) = read(
            "\
environments: [dev, prod]
policies:
  appproject:
    cluster-resources: [Namespace]
    forbid-wildcards: [sourceRepos, destinations]
    source-repos: ['https://git.example.com/acme/**']
    destinations: {prod: [{server: 'https://prod-*', namespace: 'shop-*'}]}
    require: [spec.description]
  sync:
    - {paths: [platform/**], projects: [platform], labels: {tier: infra}, environments: [prod], automated: true, prune: false, syncOptions: [CreateNamespace=true], retry: {limit: 5}}
  revision: {production: [version, commit]}
",
        );
        assert_eq!(mistakes, []);
        let policies = config.policies;
        assert_eq!(policies.projects.forbid_wildcards.len(), 2);
        assert_eq!(policies.projects.destinations[0].1.len(), 1);
        assert_eq!(policies.sync[0].demands.len(), 4);
        assert_eq!(policies.sync[0].demands[1].value, Demand::Flag(Flag::Prune, false));
        assert_eq!(policies.revisions[0].allowed, ["version", "commit"]);
    }

    #[test]
    fn slips_are_named() {
        for (text, wanted) in [
            ("appproject: {forbid-wildcards: [sourceRepo]}", "`sourceRepo` is not a list of a project"),
            ("sync: [{automated: yes please}]", "expected `true` or `false`, found text"),
            ("sync: [{projects: [a]}]", "this entry demands nothing"),
            ("sync: [{selfheal: true}]", "`selfheal` is not a key of an entry of `sync`"),
            ("revision: [main]", "expected a map from environments to revisions, found a list"),
            ("revision: {prodd: [main]}", "`prodd` is not one of the environments"),
        ] {
            let found = mistakes(&format!("environments: [dev, prod]\npolicies: {{{text}}}\n"));
            assert!(found.iter().any(|found| found == wanted), "{text}: {found:?}");
        }
    }
}
