//! Objects that a chart's template certainly makes: those whose `apiVersion` and `kind` no action touches.
//!
//! What stands in a branch, a loop or a definition may not be made at all, and is left out.

use std::ops::Range;

/// An object of a template. Places are bytes of the template's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made<'t> {
    /// `apiVersion`.
    pub api_version: &'t str,
    /// `kind`.
    pub kind: &'t str,
    /// The place of the kind.
    pub place: Range<usize>,
    /// Its annotations that are called `hook`, whatever their prefix: keys and values, also those of a branch.
    pub hooks: Vec<(&'t str, &'t str)>,
}

/// The objects that every rendering of a template has, in order; none of a text that is no template.
pub fn objects(text: &str) -> Vec<Made<'_>> {
    let Some(segments) = certain(text) else { return Vec::new() };
    let mut made = Vec::new();
    let mut document = Seen::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let place = at..at + line.trim_end().len();
        at += line.len();
        if line.starts_with("---") {
            made.extend(std::mem::take(&mut document).made());
            continue;
        }
        let segment = segments.partition_point(|segment| segment.end < place.end);
        let is_certain = segments.get(segment).is_some_and(|segment| segment.start <= place.start);
        document.add(&text[place.clone()], place.start, is_certain);
    }
    made.extend(document.made());
    made
}

/// What was seen of one document so far.
#[derive(Default)]
struct Seen<'t> {
    api_version: Option<&'t str>,
    kind: Option<(&'t str, Range<usize>)>,
    hooks: Vec<(&'t str, &'t str)>,
    /// A key stands there twice, or where it may not be rendered.
    is_doubtful: bool,
}

impl<'t> Seen<'t> {
    fn add(&mut self, line: &'t str, start: usize, is_certain: bool) {
        let Some((key, value)) = entry(line) else { return };
        match key {
            "apiVersion" => self.is_doubtful |= !is_certain || self.api_version.replace(value).is_some(),
            "kind" => {
                let from = start + line.find(value).unwrap_or_default();
                let kind = (value, from..from + value.len());
                self.is_doubtful |= !is_certain || self.kind.replace(kind).is_some();
            }
            _ => {
                let key = unquoted(key.trim());
                self.hooks.extend(key.ends_with("/hook").then_some((key, value)));
            }
        }
    }

    fn made(self) -> Option<Made<'t>> {
        let (api_version, (kind, place)) = (self.api_version?, self.kind?);
        let is_word = |text: &str, others: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c))
        };
        let is_object = !self.is_doubtful && is_word(api_version, "./-") && is_word(kind, "");
        is_object.then_some(Made { api_version, kind, place, hooks: self.hooks })
    }
}

/// The key and the value of a line, without the value's quotes and comment.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let value = value.split(" #").next().unwrap_or(value);
    Some((key, unquoted(value.trim())))
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}

/// The stretches of text outside of actions that every rendering has; `None` when the actions do not pair up.
fn certain(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(open) = text[at..].find("{{") {
        if depth == 0 {
            found.push(at..at + open);
        }
        let inner = &text[at + open + 2..];
        let length = action(inner)?;
        match inner.trim_start_matches(['-', ' ', '\t', '\n', '\r']).split(|c: char| !c.is_ascii_lowercase()).next() {
            Some("if" | "with" | "range" | "define" | "block") => depth += 1,
            Some("end") => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += open + 2 + length;
    }
    if depth > 0 {
        return None;
    }
    found.push(at..text.len());
    Some(found)
}

/// The length of an action up to and with its end.
fn action(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start_matches(['-', ' ']).len();
    if text[start..].starts_with("/*") {
        let end = start + text[start..].find("*/")? + 2;
        return Some(end + text[end..].find("}}")? + 2);
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'`' | b'\'') => {
                at += 1;
                while *bytes.get(at)? != quote {
                    at += if bytes[at] == b'\\' && quote != b'`' { 2 } else { 1 };
                }
                at += 1;
            }
            b'}' if bytes.get(at + 1) == Some(&b'}') => return Some(at + 2),
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        let made = objects(text);
        assert!(made.iter().all(|made| &text[made.place.clone()] == made.kind), "{text}");
        made.iter().map(|made| format!("{} {}", made.api_version, made.kind)).collect()
    }

    #[test]
    fn a_literal_kind_is_made() {
        let text = "{{/* it's here */}}\napiVersion: rbac.authorization.k8s.io/v1\nkind: \"ClusterRole\" # why\nmetadata:\n  name: {{ .Release.Name }}\n";
        assert_eq!(kinds(text), ["rbac.authorization.k8s.io/v1 ClusterRole"]);
        let two = "apiVersion: v1\nkind: Service\n---\napiVersion: v1\nkind: Secret\n";
        assert_eq!(kinds(two), ["v1 Service", "v1 Secret"]);
    }

    #[test]
    fn what_a_branch_a_loop_or_a_definition_holds_may_not_be_made() {
        let object = "apiVersion: v1\nkind: Namespace\n";
        for action in ["if .Values.on", "range .Values.list", "with .Values.x", "define \"x\""] {
            assert!(kinds(&format!("{{{{- {action} }}}}\n{object}{{{{- end }}}}\n")).is_empty(), "{action}");
        }
        assert!(
            kinds("apiVersion: v1\n{{ if .Values.all }}kind: ClusterRole{{ else }}kind: Role{{ end }}\n").is_empty()
        );
        let after = format!("{{{{- if .Values.on }}}}\n{object}---\n{{{{- end }}}}\napiVersion: v1\nkind: Node\n");
        assert_eq!(kinds(&after), ["v1 Node"]);
    }

    #[test]
    fn a_templated_kind_is_not_known() {
        for text in [
            "apiVersion: v1\nkind: {{ .Values.kind }}\n",
            "apiVersion: {{ include \"api\" . }}\nkind: Ingress\n",
            "apiVersion: v1\nkind: Service{{ .Values.suffix }}\n",
            "apiVersion: v1\nspec:\n  kind: Service\n",
        ] {
            assert!(kinds(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn hooks_are_handed_out() {
        let text =
            "apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    \"helm.sh/hook\": test # why\n    a/hook-x: y\n";
        assert_eq!(objects(text)[0].hooks, [("helm.sh/hook", "test")]);
    }

    #[test]
    fn a_text_whose_actions_do_not_pair_up_makes_nothing() {
        for text in ["kind: A\n{{ if .x }}", "{{ end }}", "{{ \"open", "{{", "{{/*", "{{ `", "{{ \"\\"] {
            assert!(kinds(text).is_empty(), "{text}");
        }
    }
}
