//! Which files are templates of other tools: their text becomes YAML only when that tool has filled it in.
//!
//! A broken file is a template when it breaks at a token of a template language; one that breaks elsewhere is broken.
//! Files of a chart's `templates/` folder never get here.

use crate::text::RepoPath;
use crate::yaml::Tree;

/// Lines before an error that are looked at: a reader often stumbles over what follows a token.
const LINES_BEFORE: usize = 2;

/// Bytes of a line that are looked at on either side of a place.
const LINE_BYTES: usize = 500;

/// Whether a file is a template of another tool, by its path or by where its text breaks.
pub fn is_template(path: &RepoPath, tree: &Tree) -> bool {
    is_in_placeholder(path)
        || tree.errors().iter().any(|error| {
            let at = error.start as usize;
            is_at_token(tree.text(), at, error.related.map(|related| related.0 as usize))
                && !is_argo_placeholder(document_around(tree.text(), at), line_around(tree.text(), at).1)
        })
}

/// Whether a name on the path is a placeholder; most paths hold no brace at all.
fn is_in_placeholder(path: &RepoPath) -> bool {
    path.as_str().contains('{') && path.segments().any(is_placeholder)
}

/// Whether a name stands for one that is filled in: `{{cookiecutter.name}}`, `{{ name }}.yaml`, `${name}`.
fn is_placeholder(segment: &str) -> bool {
    (segment.contains("{{") && segment.contains("}}")) || segment.contains("${") || segment.contains("{%")
}

/// How a template language marks what it fills in.
struct Token {
    open: &'static str,
    close: &'static str,
    /// Whether only a name may stand between the two.
    is_name: bool,
    /// Whether no YAML text can begin so; other tokens break a file only as a line of their own.
    breaks: bool,
}

const fn token(open: &'static str, close: &'static str, is_name: bool, breaks: bool) -> Token {
    Token { open, close, is_name, breaks }
}

const TOKENS: &[Token] = &[
    token("{{", "}}", false, true),
    token("{%", "%}", false, true),
    token("{#", "#}", false, true),
    token("%{", "}", false, true),
    token("@@", "@@", true, true),
    token("@", "@", true, true),
    token("%", "%", true, true),
    token("<%", "%>", false, false),
    token("<#", ">", false, false),
    token("</#", ">", false, false),
    token("<", ">", true, false),
    token("${", "}", false, false),
    token("$(", ")", false, false),
    token("[[", "]]", false, false),
];

/// Whether a reader that stumbled at `at` did so because of a token: on this line, shortly before, or at `related`.
fn is_at_token(text: &str, at: usize, related: Option<usize>) -> bool {
    let (start, line) = line_around(text, at);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[..line_start].lines().rev().filter(|line| !line.trim().is_empty()).take(LINES_BEFORE);
    let before = before.map(|line| line_around(line, 0).1);
    let related = related.map(|at| line_around(text, at).1);
    before.chain(related).chain([line]).any(breaks_at_token)
        || extents(line).any(|(_, extent)| extent.contains(&(at - start)))
}

/// The tokens of a line, each with where it stands; one that is not closed reaches to the end of the line.
fn extents(line: &str) -> impl Iterator<Item = (&'static Token, std::ops::Range<usize>)> {
    TOKENS.iter().flat_map(move |token| {
        line.match_indices(token.open).filter_map(move |(start, _)| {
            let inner = &line[start + token.open.len()..];
            let end = inner.find(token.close);
            let is_word = |name: &str| {
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte))
            };
            if token.is_name && !end.is_some_and(|end| is_word(&inner[..end])) {
                return None;
            }
            let end = end.map_or(line.len(), |end| start + token.open.len() + end + token.close.len());
            Some((token, start..end))
        })
    })
}

/// Whether a line holds a token where a YAML reader stumbles over it: where a text would begin, or all alone.
fn breaks_at_token(line: &str) -> bool {
    extents(line).any(|(token, extent)| {
        let before = line[..extent.start].trim_end();
        let has_gap = before.len() < extent.start;
        let begins_line = before.trim_start_matches(['-', ' ']).is_empty();
        let begins_text =
            begins_line || before.ends_with(['[', '{', ',']) || (has_gap && before.ends_with([':', '-', '?']));
        let is_alone = begins_line && line[extent.end..].trim().is_empty();
        if token.breaks { begins_text } else { is_alone }
    })
}

/// Marks of other tools in a text of Argo CD: Helm, cookiecutter, Backstage, Jinja.
const OTHER_TOOLS: &[&str] = &[
    ".Values",
    ".Release.",
    ".Chart.",
    ".Capabilities",
    "include \"",
    "cookiecutter",
    "${{",
    "{%",
    "<%",
    "{{`",
    "{{#",
];

/// Whether an error is an unquoted placeholder where Argo CD itself would fill it in: then it is a mistake, since an
/// ApplicationSet must be YAML before it is a template.
///
/// An Application is not filled in by Argo CD. There it is taken for a mistake only if it names a parameter that
/// generators make, as in a text that was moved out of an ApplicationSet.
fn is_argo_placeholder(document: &str, line: &str) -> bool {
    let Some(name) = line.split_once("{{").and_then(|(before, rest)| {
        // An action on a line of its own is control flow of another tool.
        (!before.trim().is_empty()).then_some(rest.split_once("}}")?.0.trim())
    }) else {
        return false;
    };
    let is_kind =
        |kind: &str| document.lines().any(|line| line.strip_prefix("kind:").is_some_and(|rest| rest.trim() == kind));
    let is_argo = document.lines().any(|line| line.starts_with("apiVersion:") && line.contains("argoproj.io/"));
    let is_made = || {
        let name = name.trim_start_matches('.');
        matches!(name, "path" | "server")
            || ["path.", "path[", "metadata.labels", "metadata.annotations"].iter().any(|start| name.starts_with(start))
    };
    is_argo
        && !OTHER_TOOLS.iter().any(|mark| document.contains(mark))
        && (is_kind("ApplicationSet") || (is_kind("Application") && is_made()))
}

/// The text between the `---` lines around a place.
fn document_around(text: &str, at: usize) -> &str {
    let start = text[..at.min(text.len())].rfind("\n---").map_or(0, |at| at + 1);
    let end = text[at.min(text.len())..].find("\n---").map_or(text.len(), |end| at + end);
    &text[start..end]
}

/// The line that holds a place, cut off far from it, and where it begins.
fn line_around(text: &str, at: usize) -> (usize, &str) {
    let border = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let at = border(at);
    let before = &text[border(at.saturating_sub(LINE_BYTES))..at];
    let after = &text[at..border(at + LINE_BYTES)];
    let start = at - before.rsplit('\n').next().unwrap_or_default().len();
    let end = at + after.find('\n').unwrap_or(after.len());
    (start, text[start..end].trim_end_matches('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FileId;
    use crate::yaml;

    fn is(path: &str, text: &str) -> bool {
        let tree = yaml::parse(FileId(0), text.into());
        assert!(!tree.errors().is_empty() || path.contains('{'), "the text must be broken: {text}");
        is_template(&RepoPath::new(path).unwrap(), &tree)
    }

    #[test]
    fn a_file_that_breaks_at_a_token_is_a_template() {
        for text in [
            "a: {{ b }}\n",
            "a:\n  {{- if .b }}\n  c: d\n  {{- end }}\n",
            "{% if b %}\na: b\n{% endif %}\n",
            "a: b\n<TOKEN>\nc: d\n",
            "a: b\n<#if c>\nd: e\n</#if>\n",
            "a: [${B}]\n",
            "a: @@b@@\n",
            "a: %B%\n",
            "<% b %>\na: b\n",
            "%{ if b }\na: b\n%{ endif }\n",
            "a: b\n${indent(2, b)}\nc: d\n",
            "a: \"{{ index .b \"c\" }}\"\n",
            "a: b-{{ .c | d: e }}\n",
        ] {
            assert!(is("a.yaml", text), "{text}");
        }
    }

    #[test]
    fn a_file_that_breaks_elsewhere_is_broken() {
        for text in [
            "a: b\n c: d\n",
            "a: [b\n",
            "\ta: b\n",
            "<<<<<<< HEAD\na: b\n=======\na: c\n>>>>>>> other\n",
            "a: 'b\n",
            "# {{ b }}\na: b\nc: d\ne: f\ng: [h\n",
            "a: b: c\n",
            "user: @name\n",
            "a: '{{ b }}'\n c: d\n",
            "a: b/{{ c }}\nd: [e\n",
            "a: ${B}\n c: d\n",
            "a: <b>\n c: d\n",
        ] {
            assert!(!is("a.yaml", text), "{text}");
        }
    }

    #[test]
    fn a_scaffold_is_known_by_its_path() {
        assert!(is("{{cookiecutter.name}}/a.yaml", "a: b\n"));
        assert!(is("x/{{ name }}.yaml", "a: b\n"));
    }

    const SET: &str = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec:\n  template:\n    spec:\n";

    #[test]
    fn an_unquoted_placeholder_of_an_application_set_is_a_mistake() {
        assert!(!is("a.yaml", &format!("{SET}      chart: {{{{.chart}}}}\n")));
        assert!(!is("a.yaml", &format!("a: b\n---\n{SET}      path: {{{{path}}}}\n")));
    }

    #[test]
    fn a_template_of_an_application_set_is_a_template() {
        assert!(is("a.yaml", &format!("{SET}      chart: {{{{ .Values.chart }}}}\n")));
        assert!(is("a.yaml", &format!("{SET}      chart: {{{{ cookiecutter.chart }}}}\n")));
        assert!(is("a.yaml", &format!("{SET}      {{{{- if x }}}}\n      chart: b\n      {{{{- end }}}}\n")));
    }

    #[test]
    fn an_application_with_placeholders_is_a_template_unless_a_generator_makes_them() {
        let application = SET.replace("ApplicationSet", "Application");
        assert!(is("a.yaml", &format!("{application}      path: {{{{ app_name }}}}\n")));
        assert!(!is("a.yaml", &format!("{application}      path: {{{{path.basename}}}}\n")));
    }
}
