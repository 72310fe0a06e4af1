//! Where our reader and libyaml differ on purpose. libyaml (0.2.5) is not go-yaml, and a tree is more than events.

use super::events::{Difference, Outcome};

/// A kind of difference.
pub struct Class {
    pub reason: &'static str,
    /// A text that shows it.
    pub example: fn() -> String,
    applies: fn(&Case<'_>) -> bool,
}

/// One difference, with all that is known about it.
struct Case<'c> {
    text: &'c str,
    /// Our error, or nothing.
    ours: &'c str,
    /// libyaml's error, or nothing.
    theirs: &'c str,
    /// Whole documents before the error: ours less libyaml's.
    ahead: isize,
    /// Whether what both read differs, not only how far they came.
    is_event: bool,
}

impl Case<'_> {
    /// Both refuse the text, and ours says so with one of these words.
    fn both_refuse(&self, words: &[&str]) -> bool {
        !self.theirs.is_empty() && self.we_refuse(words)
    }

    fn we_refuse(&self, words: &[&str]) -> bool {
        !self.is_event && words.iter().any(|word| self.ours.contains(word))
    }

    /// Whether a line has `needle` and, somewhere behind it, one of `others`.
    fn has(&self, needle: char, others: &[char]) -> bool {
        self.text.lines().any(|line| line.split(needle).skip(1).any(|rest| rest.contains(others)))
    }
}

/// The first class that explains a difference.
pub fn explain(text: &str, ours: &Outcome, theirs: &Outcome, difference: &Difference) -> Option<&'static Class> {
    let case = Case {
        text,
        ours: ours.error.as_deref().unwrap_or_default(),
        theirs: theirs.error.as_deref().unwrap_or_default(),
        ahead: ours.documents.len() as isize - theirs.documents.len() as isize,
        is_event: matches!(difference, Difference::Event(_)),
    };
    CLASSES.iter().find(|class| (class.applies)(&case))
}

/// All kinds of differences; the first that applies counts.
pub const CLASSES: &[Class] = &[
    Class {
        reason: "events have no aliases to resolve: libyaml does not look for the anchor",
        example: || "a: *b\n".into(),
        applies: |case| case.we_refuse(&["no anchor `", "this alias stands inside"]),
    },
    Class {
        reason: "`{{ x }}` is a mapping as a key for every parser, and refused by all that read its tree",
        example: || "a: {{ x }}\n".into(),
        applies: |case| case.we_refuse(&["template placeholder is not quoted", "a template action is not YAML"]),
    },
    Class {
        reason: "nesting and aliases are limited",
        example: || "[".repeat(300) + &"]".repeat(300),
        applies: |case| case.we_refuse(&["this is nested more than", "aliases expand to more than"]),
    },
    Class {
        reason: "libyaml reads blocks: a forbidden character ahead hides the documents before it",
        example: || "a: b\n---\n[\n---\n\u{7}\n".into(),
        applies: |case| {
            case.theirs.starts_with("control characters are not allowed") && !case.ours.is_empty() && case.ahead > 0
        },
    },
    Class {
        reason: "libyaml skips a byte-order mark at any line start; for go-yaml it is text",
        example: || "a: b\n\u{feff}c: d\n".into(),
        applies: |case| case.text.char_indices().any(|(at, character)| character == '\u{feff}' && at > 0),
    },
    Class {
        reason: "`?` ends a plain scalar in brackets for go-yaml, not for libyaml 0.2.5",
        example: || "[a?b]\n".into(),
        applies: |case| case.text.contains('?') && case.text.contains(['[', '{']),
    },
    Class {
        reason: "libyaml refuses `:` before `,` or a bracket in a plain scalar; go-yaml takes it as text",
        example: || "{a:, b: c}\n".into(),
        applies: |case| case.theirs.starts_with("found unexpected ':'"),
    },
    Class {
        reason: "libyaml knows the escape `\\/`, go-yaml does not",
        example: || "\"\\/\"\n".into(),
        applies: |case| case.we_refuse(&["`\\/` is no escape"]),
    },
    Class {
        reason: "go-yaml knows the escape `\\'`, libyaml does not",
        example: || "\"\\'\"\n".into(),
        applies: |case| case.theirs.starts_with("found unknown escape character") && case.text.contains("\\'"),
    },
    Class {
        reason: "libyaml takes YAML 1.2, go-yaml 1.1 only",
        example: || "%YAML 1.2\n--- a\n".into(),
        applies: |case| case.we_refuse(&["Kubernetes tools read YAML 1.1 only"]),
    },
    Class {
        reason: "`,`, `[` and `]` belong to tags for go-yaml; libyaml 0.2.5 ends local tags before them",
        example: || "[!a, b]\n".into(),
        applies: |case| case.has('!', &[',', '[', ']']),
    },
    Class {
        reason: "`unsafe-libyaml` measures the length of keys in bytes, not characters",
        example: || "é".repeat(600) + ": b\n",
        applies: |case| case.text.lines().any(|line| line.len() > 1024 && !line.is_ascii()),
    },
    Class {
        reason: "go-yaml forgets that an empty `[]` or `{}` may be a key",
        example: || "{}: a\n".into(),
        applies: |case| case.has('[', &[']']) || case.has('{', &['}']),
    },
    Class {
        reason: "libyaml reads the first tokens behind a whole document before it gives the document away",
        example: || "  a: b\n&c - d\n".into(),
        applies: |case| {
            let words = [
                "is indented less than the first line",
                "a document holds one value",
                "text behind the closing",
                "nothing may follow an alias",
                "is missing before this document",
                "cannot stand here",
            ];
            case.both_refuse(&words) && case.ahead == 1
        },
    },
    Class {
        reason: "for libyaml a repeated property ends the document, as an empty value; the rest is junk",
        example: || "&a &b c\n".into(),
        applies: |case| {
            case.both_refuse(&["takes one anchor and one tag", "takes no anchor and no tag"]) && case.ahead == -1
        },
    },
];
