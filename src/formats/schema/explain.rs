//! From what the validator says to problems: one for each mistake, at the bytes that are wrong, in our own words.

use super::site::{Site, Types, field_names, field_schema, follow, short, short_path, source};
use super::view::{View, field as field_of, fields};
use super::{FILES, Reader, Schema, load};
use crate::formats::document::{Problem, ProblemKind};
use crate::text::limits::{FINDINGS_PER_RULE_AND_FILE, SCHEMA_BYTES};
use crate::text::similar::{self, Near};
use crate::text::{Span, is_placeholder};
use crate::yaml::{Entry, Kind, Node, NodeId, Scalar, Style, edit};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Error;
use serde_json::Value;
use std::collections::BTreeMap;

/// Problems told of one document.
const LIMIT: usize = FINDINGS_PER_RULE_AND_FILE;

/// The room that a key, a path and a pattern may take in a message.
const KEY: usize = 40;
const PATH: usize = 48;
const PATTERN: usize = 60;

/// What an invalid document does wrong, in order of the file.
pub fn problems(root: Node<'_>, schema: &Schema, reader: Reader) -> Vec<Problem> {
    let mut all = Explanation { schema, reader, problems: Vec::new(), settled: Vec::new(), missing: Vec::new() };
    let mut add = |error: &ValidationError<'_>| {
        let document = Site::root(root, &schema.root);
        if let Some(site) = document.at(error.instance_path().as_str(), &schema.root) {
            all.add(site, error.kind());
        }
    };
    if root.span().len() > SCHEMA_BYTES {
        schema.validator().validate(View::Node(root)).err().iter().for_each(add);
    } else {
        schema.validator().iter_errors(View::Node(root)).take(LIMIT).for_each(|error| add(&error));
    }
    all.add_missing();
    all.problems.sort_by_key(|problem| problem.span);
    // What an anchor holds is met once for every alias.
    all.problems.dedup_by_key(|problem| (problem.span, problem.kind));
    all.problems
}

/// The problems of one document while they are collected.
struct Explanation<'t, 's> {
    schema: &'s Schema,
    reader: Reader,
    problems: Vec<Problem>,
    /// Fields that are missing only because they are misspelt or misplaced: the object and the field.
    settled: Vec<(NodeId, String)>,
    /// Objects and what they lack.
    missing: Vec<(Site<'t, 's>, Vec<String>)>,
}

impl<'t, 's> Explanation<'t, 's> {
    fn add(&mut self, site: Site<'t, 's>, error: &Error) {
        let name = short(&site.name, KEY).into_owned();
        match error {
            Error::AdditionalProperties { unexpected } => self.unknown_fields(&site, unexpected),
            Error::Required { property: Value::String(name) } => self.lacks(site, name),
            Error::MinProperties { .. } | Error::MinItems { .. } => self.too_few(&site),
            Error::Type { .. } => self.mistyped(&site),
            Error::Enum { options } => self.not_among(&site, options.as_array().map_or(&[], Vec::as_slice)),
            Error::Constant { expected_value } => self.not_among(&site, std::slice::from_ref(&**expected_value)),
            Error::Pattern { pattern } => self.mismatched(&site, pattern),
            Error::Minimum { limit } => self.beyond(&site, "at least", limit),
            Error::Maximum { limit } => self.beyond(&site, "at most", limit),
            Error::MinLength { .. } => self.wrong(&site, format!("`{name}` is too short"), "write a longer text"),
            Error::MaxLength { limit } => {
                self.wrong(&site, format!("`{name}` is longer than {limit} characters"), "shorten it");
            }
            Error::MaxItems { limit } => {
                self.wrong(&site, format!("`{name}` has more than {limit} items"), "remove some");
            }
            Error::MaxProperties { limit } => {
                let fields = if *limit == 1 { "field" } else { "fields" };
                self.wrong(&site, format!("`{name}` has more than {limit} {fields}"), "remove the others");
            }
            Error::UniqueItems => self.wrong(&site, format!("`{name}` lists an item twice"), "remove one"),
            _ => {}
        }
    }

    fn push(&mut self, kind: ProblemKind, span: Span, message: String, help: String, replacement: Option<String>) {
        self.problems.push(Problem { kind, span, message, help: Some(help), replacement, label: None });
    }

    fn unknown_fields(&mut self, object: &Site<'t, 's>, names: &[String]) {
        let present: BTreeMap<_, _> = fields(object.node).map(|entry| (entry.key.key_text(), entry)).collect();
        for name in names.iter().take(LIMIT) {
            if let Some(entry) = present.get(name.as_str()) {
                self.unknown(object, name, *entry, &|field| present.contains_key(field));
            }
        }
    }

    fn unknown(&mut self, object: &Site<'t, 's>, name: &str, entry: Entry<'t>, is_present: &dyn Fn(&str) -> bool) {
        let known: Vec<&str> = field_names(object.schema).collect();
        if self.reader == Reader::Kustomize && known.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return;
        }
        let types = Types::of_node(entry.value);
        let takes = |field: &str| field_schema(object.schema, field, &self.schema.root).map(Types::of_schema);
        let mut near = similar::near(name, known.iter().copied());
        let twin = near.first().map(|near| near.word).filter(|word| is_present(word));
        near.retain(|near| !is_present(near.word) && takes(near.word).is_none_or(|takes| takes.meet(types)));
        let places = self.schema.places();
        let certain = similar::certain(name, &near).filter(|_| near[0].distance == 0 || !places.has(name));
        if certain.is_none() && matches!(self.reader, Reader::Somebody | Reader::Helm) {
            return;
        }
        let place = places.best(name, &object.path, types).filter(|_| certain.is_none());
        let help = match (place, near.as_slice(), twin) {
            (Some(place), near, _) if near.first().is_none_or(|near| near.distance > 1) => {
                format!("move it to `{}`", short_path(&place.path, PATH))
            }
            (_, [_, ..], _) => format!("write {}", nearest(&near)),
            (_, [], Some(twin)) => format!("remove it: `{twin}` is there as well"),
            (_, [], None) => self.elsewhere(name, &object.path).unwrap_or_else(|| expected(name, &known)),
        };
        let inner =
            place.and_then(|place| place.path.strip_prefix(&object.path)?.split(['.', '[']).find(|s| !s.is_empty()));
        let settled = near.iter().map(|near| near.word).chain(inner);
        self.settled.extend(settled.map(|field| (object.node.id(), field.to_owned())));
        let owner = match (object.path.as_str(), self.reader) {
            ("", Reader::Helm) => "is not a field of a Chart.yaml".to_owned(),
            ("", _) => format!("is not a top-level field of kind `{}`", self.schema.kind()),
            (path, _) => format!("is not a field of `{}`", short_path(path, PATH)),
        };
        let message = format!("`{}` {owner}", short(name, KEY));
        let is_own = object.node.origin().contains(entry.key.span()) && !object.is_shared;
        let replacement = certain.filter(|_| is_own).map(|word| edit::replace_scalar(entry.key, word).text);
        self.push(ProblemKind::UnknownField, entry.key.span(), message, help, replacement);
    }

    /// Another kind of the group, or another version of the kind, that has the field at this place.
    fn elsewhere(&self, name: &str, path: &str) -> Option<String> {
        let group = |file: &'static str| file.split_once('/').map(|(group, _)| group);
        let others =
            FILES.iter().filter(|(file, _)| *file != self.schema.file && group(file) == group(self.schema.file));
        let other = others.filter_map(|(file, _)| load(file)).filter(|other| other.places().at(name, path)).last()?;
        if other.kind() == self.schema.kind() {
            return Some(format!("remove it: only version `{}` has it", other.version()?));
        }
        Some(format!("remove it: only kind `{}` has it", other.kind()))
    }

    fn lacks(&mut self, object: Site<'t, 's>, name: &str) {
        let is_read_anyway = match self.reader {
            Reader::Helm => true,
            Reader::Kustomize => fields(object.node).any(|entry| entry.key.key_text().eq_ignore_ascii_case(name)),
            _ => false,
        };
        if is_read_anyway {
            return;
        }
        match self.missing.iter_mut().find(|(known, _)| known.path == object.path) {
            Some((_, names)) => names.push(name.to_owned()),
            None => self.missing.push((object, vec![name.to_owned()])),
        }
    }

    fn add_missing(&mut self) {
        for (object, mut names) in std::mem::take(&mut self.missing) {
            names.retain(|name| !self.settled.contains(&(object.node.id(), name.clone())));
            if names.is_empty() {
                continue;
            }
            let list = one_of(names.iter().map(String::as_str), "and");
            let verb = if names.len() == 1 { "is" } else { "are" };
            let place = if object.path.is_empty() {
                String::new()
            } else {
                format!(" in `{}`", short_path(&object.path, PATH))
            };
            let message = format!("{list} {verb} missing{place}");
            self.push(ProblemKind::MissingField, owner_span(&object), message, format!("add {list}"), None);
        }
    }

    fn too_few(&mut self, site: &Site<'t, 's>) {
        let help = match site.node.kind() {
            Kind::Mapping => expected("", &field_names(site.schema).collect::<Vec<_>>()),
            _ => "add an item".to_owned(),
        };
        self.push(
            ProblemKind::MissingField,
            owner_span(site),
            format!("`{}` is empty", short(&site.name, KEY)),
            help,
            None,
        );
    }

    fn wrong(&mut self, site: &Site<'t, 's>, message: String, help: &str) {
        if self.is_open(site) {
            return;
        }
        self.push(ProblemKind::WrongType, site.node.span(), message, help.to_owned(), None);
    }

    /// Whether the value is not yet what the reader will see, or is none of our business.
    fn is_open(&self, site: &Site<'t, 's>) -> bool {
        let is_placeholder = site.node.text().is_some_and(is_placeholder);
        is_placeholder || self.reader == Reader::Helm
    }

    fn mistyped(&mut self, site: &Site<'t, 's>) {
        let wanted = Types::of_schema(site.schema);
        let got = Types::of_node(site.node);
        let is_scalar = site.node.kind() == Kind::Scalar;
        let text = site.node.text().unwrap_or("");
        let is_template = self.reader == Reader::ServerOfSets && text.contains("{{") && !text.contains("${");
        if is_scalar && is_placeholder(text) && !is_template {
            return;
        }
        if self.reader == Reader::Helm && is_scalar && wanted.meet(Types::TEXT) {
            return;
        }
        let message = format!("`{}` is {}, {} is wanted", short(&site.name, KEY), got.word(), wanted.words());
        let (span, help, replacement) = match self.remedy(site, wanted, got) {
            Some((span, help, replacement)) => (span, help, Some(replacement).filter(|_| site.is_plain())),
            None if is_template && site.path.starts_with("spec.template.") => {
                (site.node.span(), "a template yields text: use `templatePatch` for this field".to_owned(), None)
            }
            None => (site.node.span(), format!("write {}", wanted.words()), None),
        };
        self.push(ProblemKind::WrongType, span, message, help, replacement);
    }

    /// A change that certainly yields what was meant: the place, what to do, the new text.
    fn remedy(&self, site: &Site<'t, 's>, wanted: Types, got: Types) -> Option<(Span, String, String)> {
        let node = site.node;
        let written = source(node);
        let is_quoted = matches!(node.style(), Style::SingleQuoted | Style::DoubleQuoted);
        let at_value = |help: &str, text: String| Some((node.span(), help.to_owned(), text));
        if node.style() == Style::Plain && wanted.meet(Types::TEXT) {
            return at_value("quote it", edit::quote(node)?.text);
        }
        if is_quoted && is_meant_unquoted(node.text()?, wanted) {
            return at_value("remove the quotes", node.text()?.to_owned());
        }
        let whole = &self.schema.root;
        let takes_text = |schema: &Value| Types::of_schema(follow(schema, whole)).meet(Types::TEXT);
        let is_inline = is_quoted || !written.contains(['\n', ',', '[', ']', '{', '}', '#', '|', '>', '&', '*', ':']);
        if wanted.meet(Types::LIST) && got == Types::TEXT && site.schema.get("items").is_some_and(takes_text) {
            return is_inline.then(|| at_value("write a list", format!("[{written}]")))?;
        }
        let path = field_schema(site.schema, "path", whole);
        if site.key.is_none() && got == Types::TEXT && path.is_some_and(takes_text) {
            return is_inline.then(|| at_value("write it as a `path`", format!("path: {written}")))?;
        }
        let (key, sibling) = self.sibling(site, got)?;
        let help = format!("write `{sibling}`, which takes {}", got.word());
        Some((key.span(), help, edit::replace_scalar(key, sibling).text))
    }

    /// The key of a value and the field beside it that takes such a value, as `sources` takes what `source` does not.
    fn sibling(&self, site: &Site<'t, 's>, got: Types) -> Option<(Node<'t>, &'s str)> {
        let (object, schema) = site.parent?;
        let takes = |field: &str| field_schema(schema, field, &self.schema.root).map(Types::of_schema);
        let name = site.name.as_str();
        let mut related = field_names(schema).filter(|field| {
            let is_related = field.starts_with(name) || name.starts_with(field);
            is_related && field_of(object, field).is_none() && takes(field).is_some_and(|takes| takes.meet(got))
        });
        let sibling = related.next()?;
        related.next().is_none().then_some((site.key?, sibling))
    }

    fn not_among(&mut self, site: &Site<'t, 's>, values: &[Value]) {
        if site.node.kind() != Kind::Scalar || self.is_open(site) {
            return;
        }
        let (Some(Scalar::Text(text)), false) = (site.node.scalar(), values.is_empty()) else {
            return self.mistyped_word(site, values);
        };
        let known: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let near = similar::near(text, known.iter().copied());
        let message = format!("`{}` is not a value of `{}`", short(text, KEY), short(&site.name, KEY));
        let help = if near.is_empty() { expected(text, &known) } else { format!("write {}", nearest(&near)) };
        let only = known.first().copied().filter(|_| known.len() == 1);
        let certain = only.or_else(|| similar::certain(text, &near)).filter(|_| site.is_plain());
        let replacement = certain.map(|word| edit::replace_scalar(site.node, word).text);
        self.push(ProblemKind::WrongType, site.node.span(), message, help, replacement);
    }

    /// A value of another type where one of some words is wanted and the schema says nothing of types.
    fn mistyped_word(&mut self, site: &Site<'t, 's>, values: &[Value]) {
        if site.schema.get("type").is_some() {
            return;
        }
        let known: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let message = format!("`{}` is {}, text is wanted", short(&site.name, KEY), Types::of_node(site.node).word());
        self.push(ProblemKind::WrongType, site.node.span(), message, expected("", &known), None);
    }

    fn mismatched(&mut self, site: &Site<'t, 's>, pattern: &str) {
        let help = match pattern {
            // The two patterns of Flux's durations; sources take no hours.
            r"^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$" => "write a duration, such as `10m` or `1h30m`".to_owned(),
            r"^([0-9]+(\.[0-9]+)?(ms|s|m))+$" => {
                "write a duration in minutes or less, such as `90s` or `5m`".to_owned()
            }
            _ => format!("write a text that matches `{}`", short(pattern, PATTERN)),
        };
        let text = site.node.text().unwrap_or("");
        let message = format!("`{}` cannot be `{}`", short(&site.name, KEY), short(text, KEY));
        self.wrong(site, message, &help);
    }

    fn beyond(&mut self, site: &Site<'t, 's>, bound: &str, limit: &Value) {
        let message = format!("`{}` is {}, {bound} {limit} is wanted", site.name, short(source(site.node), KEY));
        self.wrong(site, message, "correct the number");
    }
}

/// Where to look for what an object lacks: its key; the item itself in a list; the kind for a whole document.
fn owner_span(object: &Site<'_, '_>) -> Span {
    let first = || fields(object.node).next().map(|entry| entry.key.span());
    match object.key {
        Some(key) => key.span(),
        None if object.path.is_empty() => object.node.get("kind").map(Node::span).or_else(first).unwrap_or_default(),
        None => object.node.span(),
    }
}

/// Whether a quoted text is a value of the wanted type that was quoted by mistake.
fn is_meant_unquoted(text: &str, wanted: Types) -> bool {
    (wanted.meet(Types::BOOLEAN) && matches!(text, "true" | "false"))
        || (wanted.meet(Types::NUMBERS) && text.parse::<i64>().is_ok_and(|number| number.to_string() == text))
}

/// The nearest words, when they are equally near all of them.
fn nearest(near: &[Near<'_>]) -> String {
    let best = near.iter().take_while(|other| other.distance == near[0].distance).map(|near| near.word);
    one_of(best, "or")
}

/// What was expected, nearest first, as many words as a line has room for.
fn expected(written: &str, known: &[&str]) -> String {
    const ROOM: usize = 72;
    let words = similar::by_likeness(written, known.iter().copied());
    let mut length = 0;
    let shown = words.iter().take_while(|word| {
        length += word.len() + "``, ".len();
        length <= ROOM
    });
    let shown = shown.count();
    match (words.len(), words.len() - shown) {
        (0, _) => "remove it: no field is allowed here".to_owned(),
        (1, _) => format!("write `{}`", words[0]),
        (_, 0) => format!("expected {}", one_of(words.into_iter(), "or")),
        (_, rest) => {
            let shown: Vec<String> = words[..shown].iter().map(|word| format!("`{word}`")).collect();
            format!("expected {} or {rest} more", shown.join(", "))
        }
    }
}

/// Words in backticks, as a list of a sentence.
fn one_of<'a>(words: impl Iterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}
