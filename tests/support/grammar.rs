//! Random templates over random data, by a grammar that knows every function.

use crate::random::Random;
use serde_json::{Map, Value, json};

/// Functions whose results are unknown whatever they are given, or for most of it.
pub const OPEN: &[&str] = &[
    "ago",
    "bcrypt",
    "buildCustomCert",
    "date",
    "dateInZone",
    "dateModify",
    "date_in_zone",
    "date_modify",
    "decryptAES",
    "derivePassword",
    "encryptAES",
    "genCA",
    "genCAWithKey",
    "genPrivateKey",
    "genSelfSignedCert",
    "genSelfSignedCertWithKey",
    "genSignedCert",
    "genSignedCertWithKey",
    "htmlDate",
    "htmlDateInZone",
    "htpasswd",
    "keys",
    "mustDateModify",
    "mustToDate",
    "must_date_modify",
    "now",
    "randAlpha",
    "randAlphaNum",
    "randAscii",
    "randBytes",
    "randInt",
    "randNumeric",
    "shuffle",
    "toDate",
    "unixEpoch",
    "uuidv4",
    "values",
];

/// Every function with the kinds of its parameters: `s` text, `i` int, `f` float, `b` bool, `m` map, `l` list, `v` version, `r` regular
/// expression, `p` format, `c` constraint, `a` anything; a star repeats the last one.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("abbrev", "is"),
    ("abbrevboth", "iis"),
    ("add", "aa*"),
    ("add1", "a"),
    ("add1f", "a"),
    ("addf", "aa*"),
    ("adler32sum", "s"),
    ("ago", "a"),
    ("all", "a*"),
    ("and", "aa*"),
    ("any", "a*"),
    ("append", "la"),
    ("atoi", "s"),
    ("b32dec", "s"),
    ("b32enc", "s"),
    ("b64dec", "s"),
    ("b64enc", "s"),
    ("base", "s"),
    ("bcrypt", "s"),
    ("biggest", "aa*"),
    ("buildCustomCert", "ss"),
    ("call", "aa*"),
    ("camelcase", "s"),
    ("cat", "a*"),
    ("ceil", "a"),
    ("chunk", "il"),
    ("clean", "s"),
    ("coalesce", "a*"),
    ("compact", "l"),
    ("concat", "l*"),
    ("contains", "ss"),
    ("date", "sa"),
    ("dateInZone", "sas"),
    ("dateModify", "sa"),
    ("date_in_zone", "sas"),
    ("date_modify", "sa"),
    ("decryptAES", "ss"),
    ("deepCopy", "a"),
    ("deepEqual", "aa"),
    ("default", "aa"),
    ("derivePassword", "issss"),
    ("dict", "sasa"),
    ("dig", "ssam"),
    ("dir", "s"),
    ("div", "ai"),
    ("divf", "aa*"),
    ("duration", "a"),
    ("durationRound", "a"),
    ("empty", "a"),
    ("encryptAES", "ss"),
    ("eq", "aa*"),
    ("ext", "s"),
    ("fail", "s"),
    ("first", "l"),
    ("float64", "a"),
    ("floor", "a"),
    ("fromJson", "s"),
    ("fromYaml", "s"),
    ("fromYamlArray", "s"),
    ("ge", "aa"),
    ("genCA", "si"),
    ("genCAWithKey", "sis"),
    ("genPrivateKey", "s"),
    ("genSelfSignedCert", "slli"),
    ("genSelfSignedCertWithKey", "sllis"),
    ("genSignedCert", "sllia"),
    ("genSignedCertWithKey", "slliass"),
    ("get", "ms"),
    ("gt", "aa"),
    ("has", "al"),
    ("hasKey", "ms"),
    ("hasPrefix", "ss"),
    ("hasSuffix", "ss"),
    ("hello", ""),
    ("html", "a*"),
    ("htmlDate", "a"),
    ("htmlDateInZone", "as"),
    ("htpasswd", "ss"),
    ("indent", "is"),
    ("index", "aa*"),
    ("initial", "l"),
    ("initials", "s"),
    ("int", "a"),
    ("int64", "a"),
    ("isAbs", "s"),
    ("join", "sl"),
    ("js", "a*"),
    ("kebabcase", "s"),
    ("keys", "m*"),
    ("kindIs", "sa"),
    ("kindOf", "a"),
    ("last", "l"),
    ("le", "aa"),
    ("len", "a"),
    ("list", "a*"),
    ("lower", "s"),
    ("lt", "aa"),
    ("max", "aa*"),
    ("maxf", "aa*"),
    ("merge", "mm*"),
    ("mergeOverwrite", "mm*"),
    ("min", "aa*"),
    ("minf", "aa*"),
    ("mod", "ai"),
    ("mul", "aa*"),
    ("mulf", "aa*"),
    ("mustAppend", "la"),
    ("mustChunk", "il"),
    ("mustCompact", "l"),
    ("mustDateModify", "sa"),
    ("mustDeepCopy", "a"),
    ("mustFirst", "l"),
    ("mustFromJson", "s"),
    ("mustHas", "al"),
    ("mustInitial", "l"),
    ("mustLast", "l"),
    ("mustMerge", "mm*"),
    ("mustMergeOverwrite", "mm*"),
    ("mustPrepend", "la"),
    ("mustPush", "la"),
    ("mustRegexFind", "rs"),
    ("mustRegexFindAll", "rsi"),
    ("mustRegexMatch", "rs"),
    ("mustRegexReplaceAll", "rsd"),
    ("mustRegexReplaceAllLiteral", "rss"),
    ("mustRegexSplit", "rsi"),
    ("mustRest", "l"),
    ("mustReverse", "l"),
    ("mustSlice", "lii"),
    ("mustToDate", "ss"),
    ("mustToJson", "a"),
    ("mustToPrettyJson", "a"),
    ("mustToRawJson", "a"),
    ("mustUniq", "l"),
    ("mustWithout", "la*"),
    ("must_date_modify", "sa"),
    ("ne", "aa"),
    ("nindent", "is"),
    ("normalize", "s"),
    ("nospace", "s"),
    ("not", "a"),
    ("now", ""),
    ("omit", "ms*"),
    ("or", "aa*"),
    ("osBase", "s"),
    ("osClean", "s"),
    ("osDir", "s"),
    ("osExt", "s"),
    ("osIsAbs", "s"),
    ("pick", "ms*"),
    ("pluck", "sm*"),
    ("plural", "ssi"),
    ("prepend", "la"),
    ("print", "a*"),
    ("printf", "pa*"),
    ("println", "a*"),
    ("push", "la"),
    ("quote", "a*"),
    ("randAlpha", "i"),
    ("randAlphaNum", "i"),
    ("randAscii", "i"),
    ("randBytes", "i"),
    ("randInt", "ii"),
    ("randNumeric", "i"),
    ("regexFind", "rs"),
    ("regexFindAll", "rsi"),
    ("regexMatch", "rs"),
    ("regexQuoteMeta", "s"),
    ("regexReplaceAll", "rsd"),
    ("regexReplaceAllLiteral", "rss"),
    ("regexSplit", "rsi"),
    ("repeat", "is"),
    ("replace", "sss"),
    ("rest", "l"),
    ("reverse", "l"),
    ("round", "ai"),
    ("semver", "v"),
    ("semverCompare", "cv"),
    ("seq", "i*"),
    ("set", "msa"),
    ("sha1sum", "s"),
    ("sha256sum", "s"),
    ("sha512sum", "s"),
    ("shuffle", "s"),
    ("slice", "lii"),
    ("slugify", "ibs"),
    ("snakecase", "s"),
    ("sortAlpha", "l"),
    ("split", "ss"),
    ("splitList", "ss"),
    ("splitn", "sis"),
    ("squote", "a*"),
    ("sub", "aa"),
    ("subf", "aa*"),
    ("substr", "iis"),
    ("swapcase", "s"),
    ("ternary", "aab"),
    ("title", "s"),
    ("toDate", "ss"),
    ("toDecimal", "a"),
    ("toJson", "a"),
    ("toPrettyJson", "a"),
    ("toRawJson", "a"),
    ("toString", "a"),
    ("toStrings", "a"),
    ("toYaml", "a"),
    ("tpl", "ta"),
    ("trim", "s"),
    ("trimAll", "ss"),
    ("trimPrefix", "ss"),
    ("trimSuffix", "ss"),
    ("trimall", "ss"),
    ("trunc", "is"),
    ("tuple", "a*"),
    ("typeIs", "sa"),
    ("typeIsLike", "sa"),
    ("typeOf", "a"),
    ("uniq", "l"),
    ("unixEpoch", "a"),
    ("unset", "ms"),
    ("until", "i"),
    ("untilStep", "iii"),
    ("untitle", "s"),
    ("upper", "s"),
    ("urlJoin", "m"),
    ("urlParse", "u"),
    ("urlquery", "a*"),
    ("uuidv4", ""),
    ("values", "m"),
    ("without", "la*"),
    ("wrap", "is"),
    ("wrapWith", "iss"),
];

const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "ab",
    "A b",
    "prod",
    "my-app",
    "My App__v1.2/x",
    "a,b,c",
    "a/b/../c",
    "/x//y.tar.gz",
    ".",
    "..",
    "é",
    "Straße ǆ",
    "日本語",
    "😀x",
    "true",
    "yes",
    "on",
    "null",
    "~",
    "1",
    "0",
    "-1",
    "1.0",
    "1.50",
    "0x1F",
    "017",
    "08",
    "1_000",
    "1e3",
    "1:30",
    "2001-01-02",
    "2001-1-2T3:4:5Z",
    ".5",
    "+.inf",
    "  lead",
    "trail ",
    "two  gaps\tand tab",
    "line1\nline2",
    "line1\n",
    "\n",
    "a\n\n",
    " a\nb",
    "a: b",
    "a #b",
    "#c",
    "- x",
    "-",
    "?",
    "? x",
    "a:",
    ":a",
    "[1]",
    "{a: 1}",
    "'q'",
    "\"dq\"",
    "`bt`",
    "\\",
    "a\\b",
    "%s %d",
    "<b>&amp;</b>",
    "$1 ${x} $$",
    "\u{7f}",
    "\u{feff}x",
    "\u{a0}",
    "x=1&y=2",
    "aGVsbG8=",
    "aGVsbG8",
    "a===",
    "NBSWY3DP",
    "MY======",
    "FooBarBaz",
    "HTTPServer2xx",
    "snake_case_here",
    "--x--",
    "_x",
    "__",
    "1h30m",
    "-2.5s",
    "3600",
    "99999999999999999999",
    "9223372036854775807",
    "{{ .a }}",
    "the quick brown fox jumps over the lazy dog",
    "ſK",
    "key",
    "a.b",
    "a|b",
    "---",
    "...x",
    "=",
    "y",
    "N",
    "<<",
    "!x",
    "&x",
    "*x",
    "|",
    ">",
    "@x",
    "a ",
    "\r\n",
    "Ünïcödé Wörds ß",
    "x\u{0}y",
    "!!",
    "1st 2nd",
    "i18n",
    "ALLCAPS",
    "ab12CD34",
    "Bld4Floor3rd",
    "tab\there",
];

const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    2.0,
    3.0,
    -1.0,
    5.0,
    1.5,
    -2.5,
    0.1,
    0.3,
    10.0,
    42.0,
    100.0,
    255.0,
    999999.0,
    1000000.0,
    1234567.0,
    12345678.0,
    123456789012.0,
    1e21,
    1e20,
    1.5e300,
    1e-7,
    0.00001,
    123.456,
    -7.0,
    65.0,
    128512.0,
    9007199254740993.0,
    12345678901234567890.0,
    3.14159,
];

const PATTERNS: &[&str] = &[
    "a",
    "[a-z]+",
    "^a",
    "b$",
    "a*",
    "",
    "(a)(b)?",
    "(?i)A",
    "[^a-z0-9]+",
    r"\d+",
    r"\w+",
    r"\s",
    "a|b",
    "(?P<x>a)b*",
    ".",
    "(?s).+",
    "x{2}",
    "a{,2}",
    "[",
    "(",
    "a)",
    "*",
    "a**",
    r"\b",
    r"\pL+",
    r"[\d-x]",
    "[z-a]",
    "(?m)^l",
    r"\.",
    "é|ü",
    "[[:alpha:]]+",
    "(?:ab)+?",
    r"\Qa.b\E",
    "(?=a)",
    r"\Z",
    "a+?",
    "(|a)*",
    "(a|ab)(c|bcd)?",
    "^$",
    r"\x41",
    r"[\]a]",
    "[]a]",
    "a{1001}",
    "(?i)straße",
    "$",
    "^",
    "(?U)a+",
    r"\/",
    "[^,]+",
];

const FORMATS: &[&str] = &[
    "%s",
    "%d",
    "%v",
    "%q",
    "%x",
    "%t",
    "%f",
    "%e",
    "%g",
    "%05d",
    "%T",
    "%U",
    "%c",
    "%-10s|",
    "%10s|",
    "%.2f",
    "%8.3f|",
    "%+d",
    "% d",
    "%#v",
    "%#x",
    "%X",
    "%o",
    "%b",
    "%O",
    "%5t",
    "%%",
    "%",
    "%!",
    "%z",
    "%.1s",
    "%[2]d %[1]d",
    "%[3]s",
    "%*d",
    "%.*f",
    "%s-%s",
    "%d %s %v",
    "plain",
    "%+v",
    "%#q",
    "%+q",
    "% x",
    "%#U",
    "%G",
    "%E",
    "%06.2f",
    "%+.3e",
    "%-05d|",
    "%x %X",
    "%v %v %v",
    "%3c|",
    "%w",
    "%p",
    "%[1",
    "%[x]d",
    "%10.3v|",
    "%-8q|",
    "%08b",
    "%.3g",
    "%#g",
    "%.0f",
    "% .2f",
    "%2147483648d",
];

const VERSIONS: &[&str] = &[
    "1.2.3",
    "v1.2",
    "1",
    "0.0.0",
    "0.3.1",
    "2.0.0-rc.1",
    "1.2.3+meta",
    "1.2.3-alpha.2+b",
    "x",
    "1.2.3.4",
    "01.2.3",
    "1.2.3-01",
    "",
    "v2.10.0",
    "1.0.0-beta",
    "0.0.3",
    "99999999999999999999.1",
];

const CONSTRAINTS: &[&str] = &[
    "1.2.3",
    "=1.2",
    ">=1.2.0",
    ">1",
    "<2.0.0",
    "<=1.2",
    "~1.2",
    "~>1.2.3",
    "^1.2",
    "^0.3",
    "^0.0.3",
    "^0",
    "*",
    "x",
    "1.x",
    "1.2.*",
    "!=1.2",
    "!=1.2.3",
    "!=1",
    "1.2 - 2.0",
    ">=1, <3",
    ">=1 <3 || ^0.3",
    ">=1.0.0-0",
    "~0",
    "",
    "a",
    ">= ",
    "=>1",
    "=<2",
    "1.0.0 - 2.0.0 || 3",
    ">1.2",
    "~1",
    "^2.0.0-rc.1",
    "!=x",
    ">x",
    "<x",
    "<=x",
    "^x",
    "1.2.3-alpha.2",
    "~1.2.3-beta",
    "1,2",
    "1,,2",
    "v1.2.x",
];

const URLS: &[&str] = &[
    "https://u:p@example.com:8080/a/b?x=1#f",
    "http://example.com",
    "/a/b",
    "mailto:x@y",
    "a:b",
    "//host/p",
    "https://[::1]:80/x",
    "http://a b/",
    "%zz",
    "http://x/%41%20y",
    "",
    "*",
    "http://ex.com/a?b?c#d#e",
    "git@github.com:org/repo.git",
    "ssh://git@host/x.git",
    "http://host:port/",
    "ht!tp://x",
    "file:///etc/x",
    "http://é.com/é",
    "http://h/?",
    "http://h#",
    "HTTP://H/",
    "http://a:b:c/",
    "x://a:b:1/",
    "http://[x]/",
    "http://u@/x",
];

const TPLS: &[&str] = &[
    "{{ .a }}",
    "{{ .s }}-{{ .n }}",
    "{{ .zz.y }}",
    "{{ template \"d0\" . }}",
    "{{ tpl .t . }}",
    "{{ if",
    "x",
    "{{ define \"d0\" }}y{{ end }}{{ template \"d0\" . }}",
    "",
];

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
            let function = FUNCTIONS[self.random.below(FUNCTIONS.len())];
            if self.is_open || !OPEN.contains(&function.0) {
                return function;
            }
        }
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
        self.pick(&[
            "{{ end }}",
            "{{ else }}",
            "{{ if }}",
            "{{ .a",
            "{{ nosuch }}",
            "{{ .a.b-c }}",
            "{{ $nope }}",
            "{{ (.a }}",
            "{{ .a) }}",
            "{{ 'ab' }}",
            "{{ \"a }}",
            "{{ 1 | 2 }}",
            "{{ | }}",
            "{{ .a | }}",
            "{{ \"a\".b }}",
            "{{ 09 }}",
            "{{ 1e999 }}",
            "{{ break }}",
            "{{ range }}{{ end }}",
            "{{ template }}",
            "{{ template x }}",
            "{{ define \"z\" }}{{ end }}",
            "{{ block \"bl\" . }}in{{ end }}",
            "{{ $a, $b := .l }}",
            "{{ if .a }}{{ else }}{{ else }}{{ end }}",
            "{{ nil }}",
            "{{ nil | print }}",
            "{{ .a .b }}",
            "{{ \"a\" .b }}",
            "{{ $ .b }}",
            "{{ 1i }}",
            "{{ 1+2i }}",
            "{{ 0x1p4 }}",
            "{{ 'é' }}",
            "{{ `raw` }}",
            "{{ \"\\x41\\u00e9\" }}",
            "{{ \"\\q\" }}",
            "{{ true }}",
            "{{ true.x }}",
            "{{ .a..b }}",
            "{{ @ }}",
            "{{ , }}",
            "{{ é }}",
            "{{/* a",
            "{{/* a */ }}",
            "{{ ``}}",
            "{{ with }}",
            "{{ else if .a }}",
            "{{ 1_000 }}",
            "{{ 0b11 }}",
            "{{ 18446744073709551615 }}",
            "{{ 99999999999999999999 }}",
            "{{ -0 }}",
            "{{ .5 }}",
            "{{ 5. }}",
            "{{ 1.5.x }}",
            "{{ $ := 1 }}",
            "{{ $x = 1 }}",
            "{{ range $i, $e := .l }}{{ $i }}{{ end }}{{ $i }}",
            "{{ (print 1).x }}",
            "{{ ().x }}",
            "{{ (.m).a }}",
            "{{ (.zz).a }}",
            "{{ (.nul).a }}",
        ])
        .to_owned()
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
            text += &format!(" | {name}{arguments}");
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

    fn call_of(&mut self, name: &str, kinds: &str, depth: usize) -> String {
        let kinds = self.kinds(kinds);
        let arguments: String = kinds.iter().map(|kind| format!(" {}", self.value(*kind, depth - 1))).collect();
        format!("{name}{arguments}")
    }

    /// An operand of this kind, mostly.
    fn value(&mut self, kind: char, depth: usize) -> String {
        let kind = if self.random.once_in(25) { 'a' } else { kind };
        if self.random.once_in(12) {
            let at = self.random.below(self.variables.len());
            return self.variables[at].clone();
        }
        if depth > 0 && self.random.once_in(3) {
            return self.nested(kind, depth);
        }
        match kind {
            's' => match self.random.below(5) {
                0 => self.pick(&[".s", ".name", ".t", ".labels.k", ".m.s", ".u"]).to_owned(),
                _ => quoted(self.pick(TEXTS)),
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
            'v' => quoted(self.pick(VERSIONS)),
            'c' => quoted(self.pick(CONSTRAINTS)),
            'r' => quoted(self.pick(PATTERNS)),
            'p' => quoted(self.pick(FORMATS)),
            'u' => quoted(self.pick(URLS)),
            't' => quoted(self.pick(TPLS)),
            'd' => quoted(self.pick(&["-", "$1", "${1}x", "$x", "${x}", "$$", "$", "${", "[$0]", "$1a", ""])),
            _ => match self.random.below(9) {
                0 => quoted(self.pick(TEXTS)),
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
        let kinds = FUNCTIONS.iter().find(|(known, _)| *known == name).unwrap().1;
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
        let text = |grammar: &mut Self| Value::from(grammar.pick(TEXTS));
        let number = |grammar: &mut Self| json!(NUMBERS[grammar.random.below(NUMBERS.len())]);
        let mut labels = Map::new();
        for key in ["k", "app.kubernetes.io/name", "env"] {
            if !self.random.once_in(3) {
                labels.insert(key.into(), text(self));
            }
        }
        let list: Vec<Value> = (0..self.random.below(4)).map(|_| self.json(1)).collect();
        json!({
            "a": self.json(2), "s": text(self), "name": text(self), "t": text(self), "u": self.pick(URLS), "n": number(self), "n2": number(self), "f": number(self),
            "big": 12345678, "b": self.random.once_in(2), "nul": null, "l": list, "l2": [text(self), text(self)], "ll": [[1, 2], ["x"]], "el": [], "em": {},
            "m": {"s": text(self), "l": [text(self), number(self), null], "in": {"x": self.json(1), "10": 1, "9": 2, "a1": 1, "a10": 2, "a2": 3}, "a": self.json(1)},
            "labels": labels,
        })
    }

    fn json(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.random.once_in(2)),
            2 => json!(NUMBERS[self.random.below(NUMBERS.len())]),
            3 | 4 => Value::from(self.pick(TEXTS)),
            5 => (0..self.random.below(4)).map(|_| self.json(depth - 1)).collect(),
            _ => {
                let mut entries = Map::new();
                for _ in 0..self.random.below(4) {
                    entries.insert(self.pick(TEXTS).into(), self.json(depth - 1));
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
