//! Random templates over random data, by a grammar that knows every function.

use crate::random::Random;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// What the templates are made of, from `testdata/template/grammar.json`.
#[derive(Deserialize)]
pub struct Words {
    /// Every function with the kinds of its parameters.
    pub functions: Vec<(String, String)>,
    /// Functions whose results are unknown, most of the time.
    open: Vec<String>,
    texts: Vec<String>,
    numbers: Vec<f64>,
    patterns: Vec<String>,
    formats: Vec<String>,
    versions: Vec<String>,
    constraints: Vec<String>,
    urls: Vec<String>,
    tpls: Vec<String>,
    /// Actions that do not parse, or hardly.
    broken: Vec<String>,
}

/// The words of all grammars.
pub fn words() -> &'static Words {
    static WORDS: OnceLock<Words> = OnceLock::new();
    WORDS.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/template/grammar.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    })
}

pub struct Grammar<'r> {
    pub random: &'r mut Random,
    /// Variables in sight, with their `$`.
    variables: Vec<String>,
    definitions: usize,
    in_range: bool,
    /// Whether open functions may occur.
    is_open: bool,
    /// How much may still be written.
    budget: usize,
}

impl<'r> Grammar<'r> {
    pub fn new(random: &'r mut Random) -> Grammar<'r> {
        let definitions = random.below(3);
        let budget = 12 + random.below(30);
        let is_open = random.once_in(8);
        Grammar { random, variables: vec!["$".into()], definitions, in_range: false, is_open, budget }
    }

    fn function(&mut self) -> (&'static str, &'static str) {
        loop {
            let (name, kinds) = &words().functions[self.random.below(words().functions.len())];
            if self.is_open || !words().open.contains(name) {
                return (name, kinds);
            }
        }
    }

    /// One of these words, or something close to one.
    fn word(&mut self, from: &'static [String]) -> String {
        let mut word = from[self.random.below(from.len())].clone();
        let at = |grammar: &mut Self, word: &str| {
            let at = grammar.random.below(word.len() + 1);
            (at..=word.len()).find(|at| word.is_char_boundary(*at)).unwrap_or(word.len())
        };
        while self.random.once_in(4) {
            match self.random.below(4) {
                0 => {
                    let other = &from[self.random.below(from.len())];
                    let (start, end) = (at(self, &word), at(self, other));
                    word = format!("{}{}", &word[..start], &other[end..]);
                }
                1 => {
                    let start = at(self, &word);
                    if start < word.len() {
                        word.remove(start);
                    }
                }
                _ => {
                    let letter = self.pick(&[
                        "0", "1", "9", "a", "x", "X", "Z", ".", "-", "+", "_", " ", "\n", "\t", ":", "/", "\\", "[",
                        "]", "(", ")", "{", "}", "*", "?", "|", "^", "$", ",", "<", "=", "~", "!", "%", "#", "é", "\"",
                        "'", "`", "&", "@", "e", "v", "T",
                    ]);
                    let start = at(self, &word);
                    word.insert_str(start, letter);
                }
            }
        }
        word
    }

    fn number(&mut self) -> f64 {
        words().numbers[self.random.below(words().numbers.len())]
    }

    fn pick<'c>(&mut self, from: &[&'c str]) -> &'c str {
        self.random.pick(from)
    }

    /// A whole template.
    pub fn template(&mut self) -> String {
        let mut text = String::new();
        for at in 0..self.definitions {
            let body = self.separate(|grammar| grammar.list(2));
            text += &format!("{{{{define \"d{at}\"}}}}{body}{{{{end}}}}");
        }
        text + &self.list(3)
    }

    fn separate(&mut self, body: impl FnOnce(&mut Self) -> String) -> String {
        let variables = std::mem::replace(&mut self.variables, vec!["$".into()]);
        let in_range = std::mem::take(&mut self.in_range);
        let body = body(self);
        (self.variables, self.in_range) = (variables, in_range);
        body
    }

    fn list(&mut self, depth: usize) -> String {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn open(&mut self) -> &'static str {
        if self.random.once_in(6) { "{{- " } else { "{{ " }
    }

    fn close(&mut self) -> &'static str {
        if self.random.once_in(6) { " -}}" } else { " }}" }
    }

    fn statement(&mut self, depth: usize) -> String {
        if self.budget == 0 {
            return "t".into();
        }
        self.budget -= 1;
        let (open, close) = (self.open(), self.close());
        match self.random.below(if depth == 0 { 8 } else { 18 }) {
            0 => self.pick(&["text ", " \n x ", "-", "é\n", "}} ", "\t"]).to_owned(),
            1 => "{{/* note */}}".to_owned(),
            2 | 3 => {
                let pipe = self.pipe(2);
                let name = if self.random.once_in(3) && self.variables.len() > 1 {
                    let at = 1 + self.random.below(self.variables.len() - 1);
                    return format!("{open}{} = {pipe}{close}", self.variables[at].clone());
                } else {
                    format!("$v{}", self.random.below(4))
                };
                let text = format!("{open}{name} := {pipe}{close}");
                self.variables.push(name);
                text
            }
            4..=9 => format!("{open}{}{close}", self.pipe(3)),
            10 | 11 => self.branch("if", depth, open, close),
            12 => self.branch("with", depth, open, close),
            13 | 14 => self.range(depth, open, close),
            15 if self.definitions > 0 => {
                let unknown = usize::from(self.random.once_in(9));
                let name = self.random.below(self.definitions + unknown);
                // A definition that calls itself would run until Go gives up.
                if self.variables.len() == 1 && depth < 3 {
                    return "r".into();
                }
                format!("{open}template \"d{name}\" {}{close}", self.pipe(1))
            }
            16 if self.in_range => format!("{open}{}{close}", self.pick(&["break", "continue"])),
            17 if self.random.once_in(3) => self.broken(),
            _ => format!("{open}{}{close}", self.pipe(2)),
        }
    }

    /// Something that does not parse, most of the time.
    fn broken(&mut self) -> String {
        words().broken[self.random.below(words().broken.len())].clone()
    }

    fn branch(&mut self, word: &str, depth: usize, open: &str, close: &str) -> String {
        let mark = self.variables.len();
        let declares = self.random.once_in(4);
        let pipe = self.pipe(2);
        let pipe = if declares {
            let name = format!("$w{}", self.random.below(3));
            let text = format!("{name} := {pipe}");
            self.variables.push(name);
            text
        } else {
            pipe
        };
        let mut text = format!("{open}{word} {pipe}{close}{}", self.list(depth - 1));
        if self.random.once_in(4) {
            text += &format!("{{{{else {word} {}}}}}{}", self.pipe(1), self.list(depth - 1));
        }
        if self.random.once_in(2) {
            text += &format!("{{{{else}}}}{}", self.list(depth - 1));
        }
        self.variables.truncate(mark);
        text + "{{end}}"
    }

    fn range(&mut self, depth: usize, open: &str, close: &str) -> String {
        let mark = self.variables.len();
        let over = match self.random.below(6) {
            0 => self.value('m', 1),
            1 => format!("{}", self.random.below(4)),
            2 => format!("until {}", self.random.below(4)),
            3 => self.value('a', 1),
            _ => self.value('l', 1),
        };
        let head = match self.random.below(4) {
            0 => {
                self.variables.push("$e".into());
                format!("$e := {over}")
            }
            1 => {
                self.variables.extend(["$i".into(), "$e".into()]);
                format!("$i, $e := {over}")
            }
            _ => over,
        };
        let in_range = std::mem::replace(&mut self.in_range, true);
        let mut text = format!("{open}range {head}{close}{}", self.list(depth - 1));
        self.in_range = in_range;
        if self.random.once_in(3) {
            text += &format!("{{{{else}}}}{}", self.list(depth - 1));
        }
        self.variables.truncate(mark);
        text + "{{end}}"
    }

    /// A pipeline without declarations.
    fn pipe(&mut self, depth: usize) -> String {
        let mut text = self.command(depth);
        while self.random.once_in(3) {
            // The piped value is the last argument, so that one is left out.
            let (name, kinds) = self.function();
            let kinds = self.kinds(kinds);
            let given = kinds.len().saturating_sub(1);
            let arguments: String =
                kinds[..given].iter().map(|kind| format!(" {}", self.value(*kind, depth.saturating_sub(1)))).collect();
            // Most of the time the piped value is made to fit.
            let fitting = match kinds.last() {
                _ if self.random.once_in(6) => "",
                Some('a') | None => "",
                Some('s' | 'r' | 'p' | 'u' | 'v' | 'c' | 't' | 'd') => " | toString",
                Some('i') => " | int",
                Some('b') => " | empty",
                Some('f') => " | float64",
                Some('m') => " | dict \"k\"",
                Some(_) => " | list 1",
            };
            text += &format!("{fitting} | {name}{arguments}");
        }
        text
    }

    fn kinds(&mut self, kinds: &str) -> Vec<char> {
        let mut kinds: Vec<char> = kinds.chars().collect();
        if kinds.last() == Some(&'*') {
            kinds.pop();
            let last = *kinds.last().unwrap();
            match self.random.below(4) {
                0 => {
                    kinds.pop();
                }
                1 => kinds.push(last),
                2 => kinds.extend([last, last]),
                _ => {}
            }
        }
        if self.random.once_in(40) {
            kinds.pop();
        }
        if self.random.once_in(40) {
            kinds.push('a');
        }
        kinds
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.once_in(5) {
            return self.value('a', 0);
        }
        self.call(depth)
    }

    fn call(&mut self, depth: usize) -> String {
        let (name, kinds) = self.function();
        self.call_of(name, kinds, depth)
    }

    /// A call of this function.
    pub fn call_of(&mut self, name: &str, kinds: &str, depth: usize) -> String {
        let kinds = self.kinds(kinds);
        let arguments: String =
            kinds.iter().map(|kind| format!(" {}", self.value(*kind, depth.saturating_sub(1)))).collect();
        format!("{name}{arguments}")
    }

    /// An operand of this kind, mostly.
    fn value(&mut self, kind: char, depth: usize) -> String {
        let kind = if self.random.once_in(50) { 'a' } else { kind };
        if self.random.once_in(if matches!(kind, 'a' | 'm') { 8 } else { 60 }) {
            let at = self.random.below(self.variables.len());
            return self.variables[at].clone();
        }
        if depth > 0 && self.random.once_in(3) {
            return self.nested(kind, depth);
        }
        match kind {
            's' => match self.random.below(5) {
                0 => self.pick(&[".s", ".name", ".t", ".labels.k", ".m.s", ".u"]).to_owned(),
                _ => quoted(&self.word(&words().texts)),
            },
            'i' => self
                .pick(&["0", "1", "2", "3", "5", "-1", "7", "10", "20", "(int .n)", "(len .l)", "-3", "50"])
                .to_owned(),
            'f' => self.pick(&["1.5", "0.5", ".f", "2.0", "-1.25"]).to_owned(),
            'b' => self.pick(&["true", "false", ".b"]).to_owned(),
            'm' => self
                .pick(&[
                    ".",
                    ".m",
                    ".m.in",
                    ".labels",
                    "(dict \"a\" 1 \"b\" .l)",
                    "(dict \"a\" (dict \"x\" 1))",
                    "(dict)",
                    ".zz",
                    ".em",
                ])
                .to_owned(),
            'l' => self
                .pick(&[
                    ".l",
                    ".ll",
                    ".m.l",
                    "(list 1 \"a\" nil)",
                    "(list \"b\" \"a\" \"b\")",
                    "(splitList \",\" \"c,a,b\")",
                    "(until 3)",
                    "(list)",
                    ".el",
                    "(list .m .l)",
                    "(list 1 1.0 \"1\")",
                    "(chunk 2 .l)",
                    "(list \"x\" 0 false \"\")",
                ])
                .to_owned(),
            'v' => quoted(&self.word(&words().versions)),
            'c' => quoted(&self.word(&words().constraints)),
            'r' => quoted(&self.word(&words().patterns)),
            'p' => quoted(&self.word(&words().formats)),
            'u' => quoted(&self.word(&words().urls)),
            't' => quoted(&self.word(&words().tpls)),
            'd' => quoted(self.pick(&["-", "$1", "${1}x", "$x", "${x}", "$$", "$", "${", "[$0]", "$1a", ""])),
            _ => match self.random.below(9) {
                0 => quoted(&self.word(&words().texts)),
                1 => self.pick(&["0", "1", "2", "-1", "42", "1.5", "0x10", "'a'", "1e3", "true", "false"]).to_owned(),
                2 => self
                    .pick(&["nil", ".nul", ".zz", ".zz.y", ".m.zz", ".labels.zz", "(index .labels \"zz\")"])
                    .to_owned(),
                3 => self.value('l', 0),
                4 => self.value('m', 0),
                5 => self
                    .pick(&[
                        "(semver \"1.2.3-a+b\")",
                        "(semver \"v2\").Major",
                        "(semver \"1.2.3\").Original",
                        "1i",
                        "(index \"abc\" 1)",
                        "(add 1 2)",
                    ])
                    .to_owned(),
                _ => self
                    .pick(&[
                        ".", ".s", ".n", ".f", ".b", ".l", ".m", ".labels", ".big", ".m.s", ".m.in.x", ".l2", ".t",
                        ".u", ".n2",
                    ])
                    .to_owned(),
            },
        }
    }

    /// A call in parentheses whose result is of this kind, mostly.
    fn nested(&mut self, kind: char, depth: usize) -> String {
        let names: &[&str] = match kind {
            's' => &[
                "trim", "upper", "print", "toString", "quote", "join", "replace", "toJson", "toYaml", "printf",
                "trunc", "b64enc", "title", "nindent", "default", "get",
            ],
            'i' => &["int", "len", "atoi"],
            'f' => &["float64", "round", "addf"],
            'b' => &["not", "eq", "empty", "hasKey", "contains", "and"],
            'm' => &[
                "dict",
                "fromJson",
                "fromYaml",
                "pick",
                "omit",
                "merge",
                "deepCopy",
                "set",
                "mergeOverwrite",
                "unset",
                "split",
            ],
            'l' => &[
                "list",
                "splitList",
                "until",
                "rest",
                "reverse",
                "sortAlpha",
                "uniq",
                "without",
                "toStrings",
                "append",
                "concat",
                "compact",
                "slice",
                "regexFindAll",
                "fromJson",
            ],
            _ => return format!("({})", self.call(depth)),
        };
        let name = self.pick(names);
        let kinds = &words().functions.iter().find(|(known, _)| known == name).unwrap().1;
        let call = self.call_of(name, kinds, depth);
        let pipe = if self.random.once_in(5) {
            format!("{call} | {}", self.pick(&["toString", "first", "len", "quote", "toYaml", "not"]))
        } else {
            call
        };
        let field = if kind == 'a' && self.random.once_in(6) { self.pick(&[".a", ".x.y", ".String"]) } else { "" };
        format!("({pipe}){field}")
    }

    /// Random data for the fields the templates use.
    pub fn data(&mut self) -> Value {
        let text = |grammar: &mut Self| Value::from(grammar.word(&words().texts));
        let number = |grammar: &mut Self| json!(grammar.number());
        let mut labels = Map::new();
        for key in ["k", "app.kubernetes.io/name", "env"] {
            if !self.random.once_in(3) {
                labels.insert(key.into(), text(self));
            }
        }
        let list: Vec<Value> = (0..self.random.below(4)).map(|_| self.json(1)).collect();
        json!({
            "a": self.json(2), "s": text(self), "name": text(self), "t": text(self), "u": self.word(&words().urls), "n": number(self), "n2": number(self), "f": number(self),
            "big": 12345678, "b": self.random.once_in(2), "nul": null, "l": list, "l2": [text(self), text(self)], "ll": [[1, 2], ["x"]], "el": [], "em": {},
            "m": {"s": text(self), "l": [text(self), number(self), null], "in": {"x": self.json(1), "10": 1, "9": 2, "a1": 1, "a10": 2, "a2": 3}, "a": self.json(1)},
            "labels": labels,
        })
    }

    fn json(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.random.once_in(2)),
            2 => json!(self.number()),
            3 | 4 => Value::from(self.word(&words().texts)),
            5 => (0..self.random.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => {
                let mut entries = Map::new();
                for _ in 0..self.random.below(4) {
                    entries.insert(self.word(&words().texts), self.json(depth - 1));
                }
                Value::Object(entries)
            }
        }
    }
}

/// A Go literal of this text.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c < ' ' || c == '\x7f' => quoted.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
