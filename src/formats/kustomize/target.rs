//! Selectors: which objects a patch or a replacement means.
//!
//! Mirrors kustomize 5.8, `api/types/selector.go`: identities by regular expressions that match as a whole, labels and
//! annotations by the selector language of Kubernetes.

use crate::formats::read::Fields;
use crate::text::limits::EXPRESSION_BYTES;
use crate::value::{Text, Value};
use regex::RegexBuilder;

/// A selector as written. An absent part matches everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// `group`.
    pub group: Option<Text>,
    /// `version`.
    pub version: Option<Text>,
    /// `kind`.
    pub kind: Option<Text>,
    /// `name`.
    pub name: Option<Text>,
    /// `namespace`.
    pub namespace: Option<Text>,
    /// `labelSelector`.
    pub labels: Option<Text>,
    /// `annotationSelector`.
    pub annotations: Option<Text>,
}

/// Whether something is selected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Matched {
    /// Certainly not.
    No,
    /// It cannot be told.
    Maybe,
    /// Certainly.
    Yes,
}

impl Matched {
    /// Both.
    pub fn and(self, other: Matched) -> Matched {
        self.min(other)
    }

    /// One or the other.
    pub fn or(self, other: Matched) -> Matched {
        self.max(other)
    }
}

impl From<bool> for Matched {
    fn from(is: bool) -> Matched {
        if is { Matched::Yes } else { Matched::No }
    }
}

impl Target {
    /// Reads a selector.
    pub fn read(value: &Value) -> Option<Target> {
        let fields = Fields::of(value)?;
        Some(Target {
            group: fields.non_empty("group"),
            version: fields.non_empty("version"),
            kind: fields.non_empty("kind"),
            name: fields.non_empty("name"),
            namespace: fields.non_empty("namespace"),
            labels: fields.non_empty("labelSelector"),
            annotations: fields.non_empty("annotationSelector"),
        })
    }

    /// Whether nothing narrows it: it selects every object.
    pub fn is_empty(&self) -> bool {
        *self == Target::default()
    }

    /// Whether an object of this group, version and kind is selected, as far as those go.
    pub fn matches_type(&self, group: &str, version: &str, kind: &str) -> Matched {
        part(&self.group, group).and(part(&self.version, version)).and(part(&self.kind, kind))
    }

    /// Whether one of the names fits; an object has its present one and its original one.
    pub fn matches_name<'n>(&self, names: impl Iterator<Item = &'n str>) -> Matched {
        any(&self.name, names)
    }

    /// Whether one of the namespaces fits; no namespace is `default` here.
    pub fn matches_namespace<'n>(&self, namespaces: impl Iterator<Item = &'n str>) -> Matched {
        any(&self.namespace, namespaces)
    }

    /// Whether the labels and annotations fit; `Value`s of `metadata.labels` and `metadata.annotations`.
    pub fn matches_metadata(&self, labels: Option<&Value>, annotations: Option<&Value>) -> Matched {
        let one = |selector: &Option<Text>, values| match selector {
            None => Matched::Yes,
            Some(selector) => selector.as_str().map_or(Matched::Maybe, |text| selects(text, values)),
        };
        one(&self.labels, labels).and(one(&self.annotations, annotations))
    }
}

fn any<'n>(pattern: &Option<Text>, mut values: impl Iterator<Item = &'n str>) -> Matched {
    match pattern {
        None => Matched::Yes,
        Some(_) => values.by_ref().map(|value| part(pattern, value)).fold(Matched::No, Matched::or),
    }
}

fn part(pattern: &Option<Text>, value: &str) -> Matched {
    let Some(pattern) = pattern else { return Matched::Yes };
    let Some(pattern) = pattern.as_str() else { return Matched::Maybe };
    let is_plain = pattern.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/'));
    // To compile an expression costs a thousand times as much as to compare words, and most are one of these.
    if is_plain || pattern == value || pattern == ".*" {
        return (pattern == value || pattern == ".*").into();
    }
    let expression = RegexBuilder::new(&format!("^(?:{pattern})$")).size_limit(EXPRESSION_BYTES).build();
    expression.map_or(Matched::Maybe, |expression| expression.is_match(value).into())
}

/// Whether a label selector such as `app=web,tier in (a, b),!legacy` selects a map of texts.
fn selects(selector: &str, values: Option<&Value>) -> Matched {
    if values.is_some_and(|values| matches!(values, Value::Unknown(_))) {
        return Matched::Maybe;
    }
    let mut rest = selector.trim();
    let mut all = Matched::Yes;
    while !rest.is_empty() {
        let Some((requirement, after)) = Requirement::read(rest) else { return Matched::Maybe };
        all = all.and(requirement.matches(values.and_then(|values| values.get(requirement.key))));
        rest = after;
    }
    all
}

struct Requirement<'s> {
    key: &'s str,
    operator: Operator,
    values: Vec<&'s str>,
}

#[derive(Clone, Copy, PartialEq)]
enum Operator {
    In,
    NotIn,
    Exists,
    Missing,
    More,
    Less,
}

impl<'s> Requirement<'s> {
    /// The first requirement of a selector, and what follows its comma.
    fn read(text: &'s str) -> Option<(Requirement<'s>, &'s str)> {
        let (is_negative, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest.trim_start()));
        let end = text.find([',', '=', '!', '<', '>', ' ', '(', ')']).unwrap_or(text.len());
        let (key, rest) = text.split_at(end);
        let rest = rest.trim_start();
        if key.is_empty() {
            return None;
        }
        if rest.is_empty() || rest.starts_with(',') || is_negative {
            let operator = if is_negative { Operator::Missing } else { Operator::Exists };
            return Some((Requirement { key, operator, values: Vec::new() }, after_comma(rest)?));
        }
        let words = [
            ("==", Operator::In),
            ("=", Operator::In),
            ("!=", Operator::NotIn),
            (">", Operator::More),
            ("<", Operator::Less),
        ];
        for (word, operator) in words {
            if let Some(rest) = rest.strip_prefix(word) {
                let end = rest.find(',').unwrap_or(rest.len());
                let value = rest[..end].trim();
                let is_word =
                    !value.contains(|character: char| character.is_whitespace() || "=!<>()".contains(character));
                return is_word
                    .then_some((Requirement { key, operator, values: vec![value] }, after_comma(&rest[end..])?));
            }
        }
        let (operator, rest) = match rest.strip_prefix("notin") {
            Some(rest) => (Operator::NotIn, rest),
            None => (Operator::In, rest.strip_prefix("in")?),
        };
        let (values, rest) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
        Some((Requirement { key, operator, values: values.split(',').map(str::trim).collect() }, after_comma(rest)?))
    }

    fn matches(&self, value: Option<&Value>) -> Matched {
        let Some(value) = value else {
            return matches!(self.operator, Operator::NotIn | Operator::Missing).into();
        };
        match self.operator {
            Operator::Exists => Matched::Yes,
            Operator::Missing => Matched::No,
            operator => {
                let Some(text) = value.as_str() else { return Matched::Maybe };
                match operator {
                    Operator::In => self.values.contains(&text).into(),
                    Operator::NotIn => (!self.values.contains(&text)).into(),
                    _ => {
                        let (Ok(have), Ok(bound)) = (text.parse::<i64>(), self.values[0].parse::<i64>()) else {
                            return Matched::No;
                        };
                        (if operator == Operator::More { have > bound } else { have < bound }).into()
                    }
                }
            }
        }
    }
}

/// What follows a comma; nothing follows at the end, and anything else is no selector.
fn after_comma(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    if rest.is_empty() { Some("") } else { rest.strip_prefix(',').map(str::trim_start).filter(|rest| !rest.is_empty()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Span, Spanned};
    use crate::value::Map;

    fn pattern(text: &str) -> Option<Text> {
        Some(Text::known_at(text, Span::default()))
    }

    #[test]
    fn parts_match_as_a_whole_and_by_case() {
        for (expression, value, matched) in [
            ("web", "web", true),
            ("web", "web-1", false),
            ("we", "web", false),
            ("w.*", "web", true),
            ("web|api", "api", true),
            ("web|api", "api-1", false),
            ("deployment", "Deployment", false),
            ("a.b", "a.b", true),
            ("a.b", "axb", true),
        ] {
            assert_eq!(part(&pattern(expression), value), matched.into(), "{expression} {value}");
        }
    }

    #[test]
    fn a_broken_or_huge_expression_may_match() {
        assert_eq!(part(&pattern("["), "web"), Matched::Maybe);
        assert_eq!(part(&pattern("((a{1000}){1000}){1000}"), "web"), Matched::Maybe);
    }

    #[test]
    fn an_absent_part_matches_everything() {
        let target = Target::default();
        assert_eq!(target.matches_type("apps", "v1", "Deployment"), Matched::Yes);
        assert_eq!(target.matches_name(["web"].into_iter()), Matched::Yes);
    }

    #[test]
    fn label_selectors_mean_what_kubernetes_means() {
        let text = |text: &str| Value::Text(Text::known_at(text, Span::default()));
        let labels = Value::Map(Map {
            entries: [("app", "web"), ("tier", "2")]
                .map(|(key, value)| (Spanned::new(key.to_owned(), Span::default()), text(value)))
                .to_vec(),
            span: Span::default(),
        });
        for (selector, matched) in [
            ("app=web", Matched::Yes),
            ("app==web,tier=2", Matched::Yes),
            ("app = web , tier != 3", Matched::Yes),
            ("app!=web", Matched::No),
            ("missing!=web", Matched::Yes),
            ("app", Matched::Yes),
            ("!app", Matched::No),
            ("!missing", Matched::Yes),
            ("app in (api, web)", Matched::Yes),
            ("app notin (api,web)", Matched::No),
            ("missing notin (a)", Matched::Yes),
            ("tier>1", Matched::Yes),
            ("tier<1", Matched::No),
            ("app in web", Matched::Maybe),
            ("app=web,", Matched::Maybe),
            ("", Matched::Yes),
        ] {
            assert_eq!(selects(selector, Some(&labels)), matched, "{selector}");
        }
        assert_eq!(selects("app=web", None), Matched::No);
        assert_eq!(selects("app!=web", None), Matched::Yes);
    }
}
