//! Kubernetes label selectors, and what Argo CD makes of them.
//!
//! Mirrors apimachinery 0.36, `labels` and `LabelSelectorAsSelector`, and Argo CD 3.5,
//! `applicationset/utils/selector.go`, which is the same but for the values.

mod parse;

pub use parse::{BadSelector, Mistake};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Which values a selector may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Only what a label can hold: the clusters generator, global projects, everything of Kubernetes itself.
    OfLabels,
    /// Any text: the selector beside a generator, which sees parameters.
    Any,
}

/// How a requirement compares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// The label is there and has one of the values.
    In,
    /// The label is not there, or has none of the values.
    NotIn,
    /// The label is there.
    Exists,
    /// The label is not there.
    DoesNotExist,
    /// The label is an integer above the value; only in selectors written as text.
    GreaterThan,
    /// The label is an integer below the value; only in selectors written as text.
    LessThan,
}

impl Operator {
    /// The operator of a `matchExpressions` entry; case counts.
    pub fn of_expression(word: &str) -> Option<Operator> {
        Some(match word {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::DoesNotExist,
            _ => return None,
        })
    }
}

/// One condition on one label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    key: String,
    operator: Operator,
    values: Vec<String>,
}

/// What makes a requirement unusable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Problem {
    /// The key is no qualified name: an optional DNS prefix and `/`, then at most 63 letters, digits, `-`, `_`, `.`.
    Key,
    /// `In` and `NotIn` need values.
    ValuesMissing,
    /// `Exists` and `DoesNotExist` take no values; the comparisons of integers take one.
    ValuesSurplus,
    /// The value at this index is none that a label can hold, or no integer where one is compared.
    Value(usize),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Problem::Key => "not a qualified name, as label keys must be",
            Problem::ValuesMissing => "this operator needs values",
            Problem::ValuesSurplus => "this operator takes no values",
            Problem::Value(_) => "not a value that a label can hold",
        })
    }
}

impl Requirement {
    /// A checked requirement.
    ///
    /// # Errors
    /// All problems that Kubernetes reports, in its order.
    pub fn new(
        key: String,
        operator: Operator,
        values: Vec<String>,
        allowed: Values,
    ) -> Result<Requirement, Vec<Problem>> {
        let mut problems = Vec::new();
        if !is_label_key(&key) {
            problems.push(Problem::Key);
        }
        match operator {
            Operator::In | Operator::NotIn if values.is_empty() => problems.push(Problem::ValuesMissing),
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => problems.push(Problem::ValuesSurplus),
            Operator::GreaterThan | Operator::LessThan => {
                match values.len() {
                    0 => problems.push(Problem::ValuesMissing),
                    1 => {}
                    _ => problems.push(Problem::ValuesSurplus),
                }
                problems.extend((0..values.len()).filter(|&at| integer(&values[at]).is_none()).map(Problem::Value));
            }
            _ => {}
        }
        if allowed == Values::OfLabels {
            problems.extend((0..values.len()).filter(|&at| !is_label_value(&values[at])).map(Problem::Value));
        }
        problems.dedup();
        if problems.is_empty() { Ok(Requirement { key, operator, values }) } else { Err(problems) }
    }

    /// The label that is looked at.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How it is compared.
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// With what.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether a label with this value, or its absence, fulfils the requirement.
    pub fn admits(&self, value: Option<&str>) -> bool {
        let is_listed = |value: &str| self.values.iter().any(|own| own == value);
        let compares = |holds: fn(i64, i64) -> bool| {
            let bound = self.values.first().and_then(|bound| integer(bound));
            value.and_then(integer).zip(bound).is_some_and(|(own, bound)| holds(own, bound))
        };
        match self.operator {
            Operator::In => value.is_some_and(is_listed),
            Operator::NotIn => !value.is_some_and(is_listed),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan => compares(|own, bound| own > bound),
            Operator::LessThan => compares(|own, bound| own < bound),
        }
    }
}

/// Requirements that all must hold; without any, everything is selected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selector {
    requirements: Vec<Requirement>,
}

/// What a selector says of one label of everything that it selects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guarantee<'s> {
    /// It is there, with one of these values. None left: the selector contradicts itself and selects nothing.
    OneOf(BTreeSet<&'s str>),
    /// It is there, with any value.
    Present,
    /// It is not there.
    Absent,
}

impl Selector {
    /// A selector of these requirements. `matchLabels` entries are [`Operator::In`] with one value.
    pub fn new(requirements: Vec<Requirement>) -> Selector {
        Selector { requirements }
    }

    /// The requirements, as given.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Whether nothing is required. Only then does the clusters generator add the local cluster.
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Whether all requirements hold for these labels.
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.requirements
            .iter()
            .all(|requirement| requirement.admits(labels.get(requirement.key()).map(String::as_str)))
    }

    /// What is known of the labels of everything selected, by key, without knowing the labels. A label that must be
    /// there and must not has no value left.
    pub fn guarantees(&self) -> BTreeMap<&str, Guarantee<'_>> {
        let mut guarantees: BTreeMap<&str, Guarantee<'_>> = BTreeMap::new();
        for requirement in &self.requirements {
            let new = match requirement.operator {
                Operator::In => Guarantee::OneOf(requirement.values.iter().map(String::as_str).collect()),
                Operator::Exists | Operator::GreaterThan | Operator::LessThan => Guarantee::Present,
                Operator::DoesNotExist => Guarantee::Absent,
                Operator::NotIn => continue,
            };
            let both = match guarantees.remove(requirement.key()) {
                None => new,
                Some(old) => old.and(new),
            };
            guarantees.insert(requirement.key(), both);
        }
        for requirement in &self.requirements {
            if let Some(Guarantee::OneOf(values)) = guarantees.get_mut(requirement.key()) {
                values.retain(|value| requirement.admits(Some(value)));
            }
        }
        guarantees
    }
}

impl Guarantee<'_> {
    fn and(self, other: Self) -> Self {
        use Guarantee::{Absent, OneOf, Present};
        match (self, other) {
            (OneOf(left), OneOf(right)) => OneOf(left.intersection(&right).copied().collect()),
            (OneOf(values), Present) | (Present, OneOf(values)) => OneOf(values),
            (Present, Present) => Present,
            (Absent, Absent) => Absent,
            (Absent, _) | (_, Absent) => OneOf(BTreeSet::new()),
        }
    }
}

/// Whether Kubernetes accepts this as the key of a label or annotation.
pub fn is_label_key(key: &str) -> bool {
    match key.split_once('/') {
        Some((prefix, name)) => is_dns_subdomain(prefix) && is_label_name(name),
        None => is_label_name(key),
    }
}

/// Whether Kubernetes accepts this as the value of a label.
pub fn is_label_value(value: &str) -> bool {
    value.is_empty() || is_label_name(value)
}

fn is_label_name(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric();
    name.len() <= 63
        && name.bytes().all(|byte| is_word(byte) || matches!(byte, b'-' | b'_' | b'.'))
        && name.bytes().next().is_some_and(is_word)
        && name.bytes().next_back().is_some_and(is_word)
}

fn is_dns_subdomain(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= 253
        && name.split('.').all(|label| {
            label.bytes().all(|byte| is_word(byte) || byte == b'-')
                && label.bytes().next().is_some_and(is_word)
                && label.bytes().next_back().is_some_and(is_word)
        })
}

/// An integer as Go's `ParseInt` reads it in base ten.
fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirement(key: &str, operator: Operator, values: &[&str]) -> Requirement {
        let values = values.iter().map(|&value| value.to_owned()).collect();
        Requirement::new(key.to_owned(), operator, values, Values::OfLabels).unwrap()
    }

    fn labels(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
        entries.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    }

    #[test]
    fn an_empty_selector_selects_everything() {
        assert!(Selector::default().matches(&labels(&[])));
    }

    #[test]
    fn negative_operators_pass_what_lacks_the_label() {
        for (operator, values) in [(Operator::NotIn, &["dev"][..]), (Operator::DoesNotExist, &[])] {
            let selector = Selector::new(vec![requirement("env", operator, values)]);
            assert!(selector.matches(&labels(&[])));
            assert!(!selector.matches(&labels(&[("env", "dev")])));
        }
    }

    #[test]
    fn integers_are_compared_as_integers() {
        let selector = Selector::new(vec![requirement("cores", Operator::GreaterThan, &["9"])]);
        assert!(selector.matches(&labels(&[("cores", "10")])));
        assert!(!selector.matches(&labels(&[("cores", "many")])));
        assert!(!selector.matches(&labels(&[])));
    }

    #[test]
    fn keys_are_qualified_names() {
        for key in ["env", "argocd.argoproj.io/secret-type", "metadata.labels.a", "A_b.c-1"] {
            assert!(is_label_key(key), "{key}");
        }
        for key in ["", "path[0]", "-a", "a/", "/a", "A.io/x", "a/b/c", "a..b/c", &"x".repeat(64)] {
            assert!(!is_label_key(key), "{key}");
        }
    }

    #[test]
    fn problems_are_listed_in_order() {
        let new = |key: &str, operator, values: &[&str], allowed| {
            Requirement::new(key.to_owned(), operator, values.iter().map(|&value| value.to_owned()).collect(), allowed)
        };
        let problems = new("path[0]", Operator::In, &[], Values::Any).unwrap_err();
        assert_eq!(problems, [Problem::Key, Problem::ValuesMissing]);
        assert_eq!(new("a", Operator::Exists, &["x"], Values::Any).unwrap_err(), [Problem::ValuesSurplus]);
        assert_eq!(new("a", Operator::In, &["b", "https://x"], Values::OfLabels).unwrap_err(), [Problem::Value(1)]);
        assert!(new("a", Operator::In, &["https://x"], Values::Any).is_ok());
        assert_eq!(new("a", Operator::LessThan, &["x"], Values::OfLabels).unwrap_err(), [Problem::Value(0)]);
    }

    #[test]
    fn guarantees_are_what_all_selected_have_in_common() {
        let selector = Selector::new(vec![
            requirement("env", Operator::In, &["dev", "test", "prod"]),
            requirement("env", Operator::In, &["test", "prod", "x"]),
            requirement("env", Operator::NotIn, &["prod"]),
            requirement("team", Operator::Exists, &[]),
            requirement("old", Operator::DoesNotExist, &[]),
            requirement("other", Operator::NotIn, &["x"]),
        ]);
        let expected = [
            ("env", Guarantee::OneOf(BTreeSet::from(["test"]))),
            ("old", Guarantee::Absent),
            ("team", Guarantee::Present),
        ];
        assert_eq!(selector.guarantees(), BTreeMap::from(expected));
    }

    #[test]
    fn a_contradiction_leaves_no_value() {
        let selector =
            Selector::new(vec![requirement("a", Operator::Exists, &[]), requirement("a", Operator::DoesNotExist, &[])]);
        assert_eq!(selector.guarantees()["a"], Guarantee::OneOf(BTreeSet::new()));
    }
}
