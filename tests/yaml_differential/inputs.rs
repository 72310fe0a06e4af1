//! Inputs for the differential tests: every YAML file at hand, and small mutants of them.

use std::fs;
use std::path::{Path, PathBuf};

/// One input, named so that a difference can be found again.
pub struct Input {
    pub name: String,
    pub text: String,
}

/// Every UTF-8 file below `folder` whose extension is one of YAML's or JSON's, in the order of paths.
pub fn files_below(folder: &Path) -> Vec<Input> {
    let mut folders = vec![folder.to_owned()];
    let mut paths: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let kind = entry.file_type().expect("an entry has a type");
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|e| e == "yaml" || e == "yml" || e == "json") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).ok()?;
        Some(Input { name: path.display().to_string(), text })
    };
    paths.into_iter().filter_map(read).collect()
}

/// The corpora named by `PLIMSOLL_CORPORA`, if any.
pub fn corpora() -> Option<Vec<Input>> {
    let folder = std::env::var_os("PLIMSOLL_CORPORA")?;
    Some(files_below(Path::new(&folder)))
}

/// How many mutants to try: `PLIMSOLL_MUTANTS`, else `fallback`.
pub fn mutant_count(fallback: u64) -> u64 {
    std::env::var("PLIMSOLL_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(fallback)
}

/// Numbers that look random and are the same in every run: xorshift.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Pieces that mean something to a YAML reader.
pub const PIECES: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\n ",
    "\n  ",
    "\n\t",
    ":",
    ": ",
    " :",
    ":\n",
    "-",
    "- ",
    "-\n",
    "? ",
    "?",
    "?\n",
    ",",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "{{",
    "}}",
    "[]",
    "{}",
    "#",
    " #",
    "# c\n",
    "&a ",
    "&b",
    "*a",
    "*b ",
    "*a :",
    "!",
    "! ",
    "!!str ",
    "!!int ",
    "!t ",
    "!<x> ",
    "!e!x ",
    "|",
    "|\n",
    "|-\n",
    "|+\n",
    "|2\n",
    ">",
    ">-\n",
    ">+1\n",
    "'",
    "\"",
    "''",
    "\"\"",
    "\\",
    "\\n",
    "\\\n",
    "\\x41",
    "\\u00e9",
    "%",
    "%YAML 1.1\n",
    "%TAG !e! x:\n",
    "@",
    "`",
    "---",
    "---\n",
    "--- ",
    "\n---\n",
    "...",
    "\n...\n",
    "<<: ",
    "<<: *a",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{a0}",
    "\u{feff}",
    "é",
    "😀",
    "a",
    "a: ",
    "a: b",
    "- a",
    "~",
    "null",
    "yes",
    "1",
    "0x1F",
    "\u{7}",
    "~: ",
    "x",
];

/// The mutant with this number: a window of one of `bases`, changed in one to four places.
pub fn mutant(bases: &[Input], seed: u64) -> Input {
    let mut random = Random::new(seed);
    let base = random.pick(bases);
    let mut lines: Vec<&str> = base.text.split_inclusive('\n').collect();
    let first = random.below(lines.len().max(1)).min(lines.len());
    let first = if random.below(3) == 0 { 0 } else { first };
    let last = (first + 1 + random.below(30)).min(lines.len());
    lines = lines[first..last].to_vec();
    for _ in 0..random.below(2) {
        change_lines(&mut lines, &mut random);
    }
    let mut text = lines.concat();
    if text.len() > 4096 {
        text.truncate(border(&text, 4096));
    }
    for _ in 0..1 + random.below(4) {
        change_text(&mut text, &mut random);
    }
    Input { name: format!("mutant {seed} of {}", base.name), text }
}

fn change_lines(lines: &mut Vec<&str>, random: &mut Random) {
    if lines.is_empty() {
        return;
    }
    let (from, to) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => drop(lines.remove(from)),
        1 => lines.insert(to, lines[from]),
        _ => lines.swap(from, to),
    }
}

fn change_text(text: &mut String, random: &mut Random) {
    let at = place(text, random);
    match random.below(8) {
        0..=2 => text.insert_str(at, random.pick::<&str>(PIECES)),
        3 => {
            let end = border(text, at + 1 + random.below(3));
            text.replace_range(at..end, random.pick::<&str>(PIECES));
        }
        4 => {
            let end = border(text, at + 1 + random.below(4));
            text.replace_range(at..end, "");
        }
        5 => text.truncate(at),
        6 => {
            let end = border(text, at + random.below(40));
            let copy = text[at..end].to_owned();
            let to = place(text, random);
            text.insert_str(to, &copy);
        }
        _ => {
            let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
            text.insert_str(
                line,
                random.pick::<&str>(&[
                    "- ", "? ", ": ", " ", "  ", "\t", "  - ", "[", "{", "\"", "'", "a: ", "# ", "---\n",
                ]),
            );
        }
    }
}

/// A place to change, rather beside a character of YAML than within a word.
fn place(text: &str, random: &mut Random) -> usize {
    for _ in 0..4 {
        let at = border(text, random.below(text.len() + 1));
        let beside = |at: usize| text.as_bytes().get(at).is_some_and(|byte| !byte.is_ascii_alphanumeric());
        if beside(at) || at > 0 && beside(at - 1) {
            return at;
        }
    }
    border(text, random.below(text.len() + 1))
}

/// The character border at or before `at`.
fn border(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
