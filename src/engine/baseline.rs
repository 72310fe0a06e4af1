//! The baseline: a JSON file of findings that are accepted, each for a reason, perhaps until a day.

use super::config::Mistake;
use super::settings::Place;
use crate::formats::read::{self, Fields};
use crate::text::{FileId, Span, Spanned};
use crate::value::{Text, Value};
use crate::yaml;

/// The accepted findings of a file.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The file.
    pub place: Place,
    /// In order of the file.
    pub entries: Vec<Accepted>,
}

/// One accepted finding. Its line does not matter, so that edits elsewhere do not bring it back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// The whole entry. Its file is not the file's id.
    pub span: Span,
    /// `rule`, the id.
    pub rule: Spanned<String>,
    /// `path`; in other roots than the first it starts with the root's name.
    pub path: String,
    /// `subject`, the name of an app; without it the app does not matter.
    pub subject: Option<String>,
    /// `message`.
    pub message: String,
    /// `until`, the last day on which the entry counts.
    pub until: Option<Spanned<String>>,
}

impl Accepted {
    /// What a finding must equal to be accepted, beside the subject: rule, path, message.
    pub fn key(&self) -> (&str, &str, &str) {
        (self.rule.as_str(), &self.path, &self.message)
    }

    /// Whether its last day is over.
    pub fn is_expired(&self, today: Option<&str>) -> bool {
        self.until.as_ref().zip(today).is_some_and(|(until, today)| until.as_str() < today)
    }
}

/// Reads a baseline file.
pub fn read(text: &str, place: Place) -> (Baseline, Vec<Mistake>) {
    let mut mistakes = Vec::new();
    let tree = yaml::parse(FileId::default(), text.into());
    let mut wrong = |span: Span, message: &str| {
        let help = Some("`plimsoll explain stale-baseline` shows the form".to_owned());
        mistakes.push(Mistake { span, message: message.to_owned(), help });
    };
    for error in tree.errors() {
        wrong(Span::new(FileId::default(), error.start, error.end), &error.message);
    }
    let root = tree.documents().iter().find_map(|document| tree.root(document)).map(read::value);
    let mut entries = Vec::new();
    match root.as_ref().and_then(|root| root.get("findings")) {
        Some(Value::List(list)) => {
            for item in &list.items {
                match accepted(item) {
                    Some(entry) => entries.push(entry),
                    None => wrong(item.span(), "expected a map with the texts `rule`, `path` and `message`"),
                }
            }
        }
        _ if tree.errors().is_empty() => {
            let span = root.as_ref().map_or(Span::default(), Value::span);
            wrong(span, "a baseline is a map with the list `findings`");
        }
        _ => {}
    }
    (Baseline { place, entries }, mistakes)
}

fn accepted(item: &Value) -> Option<Accepted> {
    let fields = Fields::of(item)?;
    let known = |text: Text| text.known().map(|text| text.map(str::to_owned));
    let text = |key: &str| fields.text(key).and_then(known);
    Some(Accepted {
        span: item.span(),
        rule: text("rule")?,
        path: text("path")?.value,
        subject: text("subject").map(|text| text.value),
        message: text("message")?.value,
        until: text("until"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{RepoPath, RootId};

    fn baseline(text: &str) -> (Baseline, Vec<Mistake>) {
        read(text, Place { root: RootId(0), path: RepoPath::root() })
    }

    #[test]
    fn an_entry_is_read() {
        let text = r#"{"version": 1, "findings": [
            {"rule": "r", "path": "a.yaml", "message": "m", "subject": "web", "reason": "why"}]}"#;
        let (baseline, mistakes) = baseline(text);
        assert_eq!(mistakes, []);
        assert_eq!(baseline.entries[0].key(), ("r", "a.yaml", "m"));
        assert_eq!(baseline.entries[0].subject.as_deref(), Some("web"));
    }

    #[test]
    fn an_entry_counts_up_to_its_last_day() {
        let text = r#"{"findings": [{"rule": "r", "path": "a", "message": "m", "until": "2026-03-31"}]}"#;
        let entry = baseline(text).0.entries.remove(0);
        assert!(!entry.is_expired(Some("2026-03-31")));
        assert!(entry.is_expired(Some("2026-04-01")));
        assert!(!entry.is_expired(None));
    }

    #[test]
    fn another_shape_is_a_mistake() {
        assert_eq!(baseline("[]").1.len(), 1);
        assert_eq!(baseline(r#"{"findings": [{"rule": "r"}]}"#).1.len(), 1);
        assert!(!baseline(r#"{"findings": ["#).1.is_empty());
    }
}
