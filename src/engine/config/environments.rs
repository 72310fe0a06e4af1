//! The names of environments, wherever the configuration has one.

use super::{Reader, did_you_mean};
use crate::text::Spanned;

impl Reader<'_> {
    /// Notes what is wrong with `environments` and `production`.
    pub(super) fn check_environments(&mut self, environments: &[Spanned<String>], production: &[Spanned<String>]) {
        for (index, environment) in environments.iter().enumerate() {
            if environments[..index].iter().any(|earlier| earlier.value == environment.value) {
                self.wrong(environment.span, format!("environment `{}` is listed twice", environment.value), None);
            }
        }
        let is_known = |name: &str| environments.iter().any(|known| known.value == name);
        production.iter().filter(|name| !is_known(&name.value)).for_each(|name| self.unknown(name, environments));
    }

    /// Notes an environment that is not one of those that are configured; `production` always is one.
    pub(super) fn check_environment(&mut self, name: &Spanned<String>, environments: &[Spanned<String>]) {
        let is_known = environments.iter().any(|known| known.value.eq_ignore_ascii_case(&name.value));
        if name.value != "production" && !is_known {
            self.unknown(name, environments);
        }
    }

    fn unknown(&mut self, name: &Spanned<String>, environments: &[Spanned<String>]) {
        if !environments.is_empty() {
            let names = environments.iter().map(Spanned::as_str);
            let help = did_you_mean(&name.value, names, || "add it to `environments`".to_owned());
            self.wrong(name.span, format!("`{}` is not one of the environments", name.value), Some(help));
        }
    }
}
