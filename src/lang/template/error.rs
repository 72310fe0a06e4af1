//! What can go wrong with a template, in Go's words and with its bytes.

use super::ast::Bytes;
use super::env::Fault;
use std::fmt;

/// Why a template has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// The bytes to look at, in the text of the template's source.
    pub bytes: Bytes,
    /// What is wrong, in Go's words, without the place: `map has no entry for key "x"`.
    pub message: String,
    /// Go's whole text, with the template's name, line, column and node.
    pub text: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The template does not parse.
    Parse,
    /// A key is missing, and `missingkey=error` is set.
    MissingKey,
    /// It fails when it runs.
    Exec,
    /// It would use more than this program grants; Go might go on.
    Limit,
}

impl Error {
    /// The failure of a function that ran a template, after these words.
    pub(super) fn into_fault(self, before: &str) -> Fault {
        match self.kind {
            ErrorKind::Limit => Fault::Limit(self.message),
            _ => Fault::Failed(format!("{before}: {}", self.text)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::super::{Data, Dialect, MissingKey, Options, Template, Value};
    use super::*;

    fn failure(source: &str, missing_key: MissingKey) -> Error {
        let json = serde_json::json!({"s": "text", "l": ["b", "a"], "m": {"x": 1, "z": null}});
        let data = Data::new(&Value::from(&json));
        let template = match Template::parse("base", source, Dialect::ARGO_CD) {
            Ok(template) => template,
            Err(error) => return error,
        };
        template.render(&data, &Options { missing_key }, &|_, _| Default::default()).map(|_| ()).expect_err(source)
    }

    #[test]
    fn errors_know_their_bytes() {
        for (source, part, message) in [
            ("a{{ .zz.y }}", "zz", "map has no entry for key \"zz\""),
            ("{{ .m.zz }}", "zz", "map has no entry for key \"zz\""),
            ("{{ $m := .m }}{{ $m.zz }}", "zz", "map has no entry for key \"zz\""),
            ("{{ .s.x }}", "x", "can't evaluate field x in type interface {}"),
            ("{{ .m.z.x }}", "x", "nil pointer evaluating interface {}.x"),
            ("{{ .s | index .l }}", "index .l", "error calling index: cannot index slice/array with type string"),
            ("{{ upper .l }}", ".l", "wrong type for value; expected string; got []interface {}"),
            ("{{ trunc 1.5 .s }}", "1.5", "expected integer; found 1.5"),
            ("{{ upper }}", "upper", "wrong number of args for upper: want 1 got 0"),
            ("{{ template \"t\" }}", "{{ template \"t\" }}", "template \"t\" not defined"),
            ("x{{ .s", "", "unclosed action"),
            ("{{ if .s }}\n{{ .s }}", "{{", "unexpected EOF"),
            ("{{ nosuch .s }}", "nosuch", "function \"nosuch\" not defined"),
            ("{{ .a.b-c }}", "-", "bad character U+002D '-'"),
            ("{{ $x }}", "$x", "undefined variable \"$x\""),
            ("a {{ end }} b", "{{ end }}", "unexpected {{end}}"),
            ("{{ \"a }}", "\"a }}", "unterminated quoted string"),
            ("{{ 1 | 2 }}", "2", "non executable command in pipeline stage 2"),
            ("{{ break }}", "{{ break }}", "{{break}} outside {{range}}"),
        ] {
            let error = failure(source, MissingKey::Error);
            assert_eq!((error.bytes.of(source), error.message.as_str()), (part, message), "{source}");
        }
    }

    #[test]
    fn a_limit_is_an_error_of_its_own() {
        for source in [
            "{{ define \"d\" }}{{ template \"d\" . }}{{ end }}{{ template \"d\" . }}",
            "{{ repeat 1000000000 \"x\" }}",
            "{{ range until 1000000000 }}{{ end }}",
            "{{ range 9999999999 }}{{ end }}",
            "{{ range until 9999 }}{{ range until 9999 }}x{{ end }}{{ end }}",
            "{{ $x := \"a\" }}{{ range until 99 }}{{ $x = print $x $x }}{{ end }}",
            "{{ $x := list 1 }}{{ range until 99 }}{{ $x = list $x $x }}{{ end }}{{ $x }}",
            "{{ $x := list }}{{ range until 9999 }}{{ $x = list $x }}{{ end }}{{ toJson $x }}",
            "{{ $d := dict }}{{ $_ := set $d \"self\" $d }}{{ $d }}",
            "{{ $d := dict }}{{ $_ := merge $d (dict \"self\" $d) }}{{ $d }}",
            "{{ indent 999999999 \"x\" }}",
            "{{ replace \"\" (repeat 9999 \"x\") (repeat 9999 \"y\") }}",
            "{{ regexReplaceAll \"\" (repeat 9999 \"x\") (repeat 9999 \"y\") }}",
            "{{ regexFindAll \"a.*b|a\" (repeat 99999 \"a\") -1 }}",
            "{{ range until 999 }}{{ regexMatch (printf \"x%d\" .) \"\" }}{{ end }}",
            "{{ join (repeat 99999 \"x\") (until 9999) }}",
            "{{ seq 0 1 999999999 }}",
            "{{ printf (repeat 99 \"%999999[1]d\") 1 }}",
            "{{ untilStep 1 -9223372036854775807 -9223372036854775807 }}",
            "{{ wrapWith 1 (repeat 99999 \"x\") (repeat 99999 \"y\") }}",
        ] {
            let error = failure(source, MissingKey::Invalid);
            assert_eq!(error.kind, ErrorKind::Limit, "{source}: {}", error.text);
        }
        let nested = format!("{{{{ {}1{} }}}}", "(".repeat(9999), ")".repeat(9999));
        assert_eq!(failure(&nested, MissingKey::Invalid).kind, ErrorKind::Limit);
    }
}
