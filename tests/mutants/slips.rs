//! Single slips: what somebody does wrong in one place without noticing.

use crate::fleet::Fleet;
use crate::random::Random;
use plimsoll::text::{RepoPath, RootId};

/// The kinds, as the table names them.
pub const KINDS: [&str; 10] = [
    "one letter",
    "plural",
    "case",
    "extension",
    "environment",
    "level",
    "order of segments",
    "lost parameter",
    "order of layers",
    "pattern",
];

/// A slip that was made, and how a finding tells that it knows it.
#[derive(Clone, Debug)]
pub struct Slip {
    /// What was done.
    pub what: String,
    /// Texts that name what is there now; a finding names one of them, or stands there.
    pub wrong: Vec<String>,
    /// Texts that name what was there before; a finding names one of them.
    pub right: Vec<String>,
    /// The path that is wrong.
    pub at: RepoPath,
}

/// Makes a slip of a kind; nothing when it cannot be made at the place that was drawn.
pub fn make(kind: usize, fleet: &mut Fleet, random: &mut Random) -> Option<Slip> {
    match kind {
        0..=6 => moved(kind, fleet, random),
        7 => lost_parameter(fleet, random),
        8 => layers(fleet, random),
        _ => pattern(fleet, random),
    }
}

/// Renames or moves a file, or a folder with all that it holds.
fn moved(kind: usize, fleet: &mut Fleet, random: &mut Random) -> Option<Slip> {
    let root = random.below(fleet.roots.len());
    let files: Vec<RepoPath> = fleet.roots[root].files.keys().filter(|path| is_ours(path)).cloned().collect();
    let path = files.get(random.below(files.len().max(1)))?;
    let old: Vec<String> = path.segments().map(str::to_owned).collect();
    let (new, depth) = other(kind, &old, random)?;
    let (from, to) = (old[..depth.0].join("/"), new[..depth.1].join("/"));
    // One file goes astray, or a whole folder.
    let is_whole = depth.0 < old.len() && !random.once_in(3);
    let (from, to) = if is_whole { (from, to) } else { (old.join("/"), new.join("/")) };
    let (from, to) = (RepoPath::new(&from).ok()?, RepoPath::new(&to).ok()?);
    let held = &mut fleet.roots[root].files;
    if held.keys().any(|path| path.is_within(&to)) && is_whole || held.contains_key(&to) {
        return None;
    }
    let gone: Vec<RepoPath> = held.keys().filter(|path| path.is_within(&from)).cloned().collect();
    let is_nested = to.is_within(&from) && to != from;
    if is_nested && is_whole {
        return None;
    }
    for path in gone {
        let bytes = held.remove(&path)?;
        held.insert(to.join(path.relative_to(&from)?).ok()?, bytes);
    }
    let differs = (0..old.len().min(new.len())).find(|&at| old[at] != new[at]);
    let (wrong, right) = match (kind, differs) {
        (0..=4, Some(at)) => (vec![new[at].clone()], vec![old[at].clone()]),
        _ => (ends(&new, &to), ends(&old, &from)),
    };
    Some(Slip { what: format!("{}{from} -> {to}", ["", "second root, "][root.min(1)]), wrong, right, at: to })
}

/// Ends of a path, and of what was moved: two and three segments, and those of its folder.
fn ends(segments: &[String], moved: &RepoPath) -> Vec<String> {
    let moved: Vec<String> = moved.segments().map(str::to_owned).collect();
    let folder = &segments[..segments.len() - 1];
    let of = |segments: &[String]| {
        let end = |count: usize| Some(segments[segments.len().checked_sub(count)?..].join("/"));
        (2..=3).filter_map(end).collect::<Vec<String>>()
    };
    [of(segments), of(&moved), of(folder)].concat()
}

/// A path that nobody slips in: hidden ones, and what is for people.
fn is_ours(path: &RepoPath) -> bool {
    !path.segments().any(|name| name.starts_with('.')) && path.extension() != Some("md")
}

/// The path with the slip, and how many segments of the old and the new one are affected.
fn other(kind: usize, old: &[String], random: &mut Random) -> Option<(Vec<String>, (usize, usize))> {
    let at = random.below(old.len());
    let mut new = old.to_vec();
    match kind {
        0 => new[at] = letter(&old[at], random)?,
        1 => {
            new[at] = word(&old[at], random, |word| {
                Some(word.strip_suffix('s').map_or_else(|| format!("{word}s"), str::to_owned))
            })?
        }
        2 => {
            new[at] = word(&old[at], random, |word| {
                let mut letters = word.chars();
                Some(letters.next()?.to_uppercase().chain(letters).collect())
            })?
        }
        3 => {
            let name = new.last_mut()?;
            let (stem, extension) = name.rsplit_once('.')?;
            let others: Vec<&str> = ["yaml", "yml", "json"].into_iter().filter(|other| *other != extension).collect();
            *name = format!("{stem}.{}", others[random.below(others.len())]);
            return Some((new, (old.len(), old.len())));
        }
        4 => new[at] = word(&old[at], random, alias)?,
        5 => {
            let at = random.below(old.len() - 1 + usize::from(old.len() == 1)).min(old.len() - 1);
            if old.len() > 2 && random.once_in(2) {
                new.remove(at.min(old.len() - 2));
            } else {
                let name = ["v1", "new", "default", "app"][random.below(4)];
                new.insert(at, name.to_owned());
            }
            return Some((new.clone(), (old.len(), new.len())));
        }
        _ => {
            let at = random.below(old.len().checked_sub(2).filter(|count| *count > 0)?);
            new.swap(at, at + 1);
            return Some((new, (at + 2, at + 2)));
        }
    }
    (new != old).then_some((new, (at + 1, at + 1)))
}

/// One letter of a name dropped, doubled, replaced, or swapped with the next.
fn letter(name: &str, random: &mut Random) -> Option<String> {
    let mut letters: Vec<char> = name.chars().collect();
    let at = random.below(letters.len());
    if !letters[at].is_ascii_alphabetic() || letters.len() < 3 {
        return None;
    }
    match random.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = if letters[at] == 'e' { 'a' } else { 'e' },
        _ => {
            let next = at + 1;
            if !letters.get(next)?.is_ascii_alphabetic() {
                return None;
            }
            letters.swap(at, next);
        }
    }
    Some(letters.into_iter().collect()).filter(|new: &String| new != name)
}

/// A name with one of its words changed; the extension is no word.
fn word(name: &str, random: &mut Random, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (stem, rest) = name.find('.').map_or((name, ""), |at| name.split_at(at));
    let mut words: Vec<String> = stem.split('-').map(str::to_owned).collect();
    let at = random.below(words.len());
    if words[at].is_empty() {
        return None;
    }
    words[at] = change(&words[at])?;
    Some(words.join("-") + rest)
}

fn alias(word: &str) -> Option<String> {
    const NAMES: [[&str; 2]; 5] = [
        ["dev", "development"],
        ["staging", "stage"],
        ["production", "prod"],
        ["prod", "production"],
        ["test", "testing"],
    ];
    NAMES.iter().find(|names| names[0] == word).map(|names| names[1].to_owned())
}

/// Drops a key of a file that a generator reads.
fn lost_parameter(fleet: &mut Fleet, random: &mut Random) -> Option<Slip> {
    let (root, path, text) = draw(fleet, random, |path, text| {
        let is_parameters =
            ["app.yaml", "spec.yaml"].contains(&path.name()) || path.as_str().contains("cluster-config/");
        is_parameters && !text.contains("kind:")
    })?;
    let lines: Vec<&str> = text.lines().collect();
    let keys: Vec<usize> = (0..lines.len()).filter(|&at| key_of(lines[at]).is_some()).collect();
    let at = *keys.get(random.below(keys.len().max(1)))?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_below = |line: &&&str| indent(line) > indent(lines[at]) && !line.trim().is_empty();
    let end = at + 1 + lines[at + 1..].iter().take_while(is_below).count();
    let mut kept = [&lines[..at], &lines[end..]].concat().join("\n") + "\n";
    if path.extension() == Some("json") {
        // The last entry must not end with a comma.
        let bare = kept.replace(",\n}", "\n}").replace(",\n  }", "\n  }");
        kept = serde_json::from_str::<serde_json::Value>(&bare).ok().map(|_| bare)?;
    }
    let key = key_of(lines[at])?.to_owned();
    fleet.roots[root.index()].files.insert(path.clone(), kept.into_bytes());
    Some(Slip {
        what: format!("{path}:{} without {key}", at + 1),
        wrong: vec![key.clone()],
        right: vec![key],
        at: path,
    })
}

fn key_of(line: &str) -> Option<&str> {
    let line = line.trim_start().trim_start_matches("- ");
    let (key, _) = line.split_once(':')?;
    let key = key.trim_matches('"');
    (!key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-'))
        .then_some(key)
}

/// Swaps two neighbours of a list of value files.
fn layers(fleet: &mut Fleet, random: &mut Random) -> Option<Slip> {
    let (root, path, text) = draw(fleet, random, |_, text| text.contains("valueFiles:"))?;
    let mut lines: Vec<&str> = text.lines().collect();
    let lists: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].trim_end().ends_with("valueFiles:")).collect();
    let start = lists[random.below(lists.len())] + 1;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_item = |line: &&&str| line.trim_start().starts_with("- ") && indent(line) == indent(lines[start]);
    let count = lines[start..].iter().take_while(is_item).count();
    let at = start + random.below(count.checked_sub(1).filter(|count| *count > 0)?);
    lines.swap(at, at + 1);
    let right = [lines[at], lines[at + 1]].map(|line| layer(line.trim().trim_start_matches("- ")));
    let what = format!("{path}:{}: {} before {}", at + 1, right[0], right[1]);
    let changed = lines.join("\n") + "\n";
    fleet.roots[root.index()].files.insert(path.clone(), changed.into_bytes());
    Some(Slip { what, wrong: right.to_vec(), right: right.to_vec(), at: path })
}

/// The end of the path of a value file, without what a template fills in.
fn layer(written: &str) -> String {
    let mut text = written.to_owned();
    while let Some((start, end)) = text.find("{{").zip(text.find("}}")) {
        text.replace_range(start..end + 2, "*");
    }
    text.rsplitn(3, '/').take(2).collect::<Vec<&str>>().into_iter().rev().collect::<Vec<&str>>().join("/")
}

/// One letter of a pattern of a generator.
fn pattern(fleet: &mut Fleet, random: &mut Random) -> Option<Slip> {
    let (root, path, text) = draw(fleet, random, |_, text| {
        text.contains("kind: ApplicationSet") && (text.contains("files:") || text.contains("directories:"))
    })?;
    let lines: Vec<&str> = text.lines().collect();
    let items: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].trim_start().starts_with("- path: ")).collect();
    let at = *items.get(random.below(items.len().max(1)))?;
    let (before, written) = lines[at].split_once("- path: ")?;
    let mut segments: Vec<String> = written.trim_matches(['"', '\'']).split('/').map(str::to_owned).collect();
    let segment = random.below(segments.len());
    if segments[segment].contains(['*', '{']) {
        return None;
    }
    let old = segments[segment].clone();
    segments[segment] = letter(&old, random)?;
    let new = segments[segment].clone();
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    changed[at] = format!("{before}- path: '{}'", segments.join("/"));
    fleet.roots[root.index()].files.insert(path.clone(), (changed.join("\n") + "\n").into_bytes());
    Some(Slip { what: format!("{path}:{}: {old} -> {new}", at + 1), wrong: vec![new], right: vec![old], at: path })
}

/// One of the files that are wanted, with its text.
fn draw(
    fleet: &Fleet,
    random: &mut Random,
    is_wanted: impl Fn(&RepoPath, &str) -> bool,
) -> Option<(RootId, RepoPath, String)> {
    let mut found = Vec::new();
    for (index, root) in fleet.roots.iter().enumerate() {
        let id = RootId(index as u16);
        for path in root.files.keys().filter(|path| is_ours(path)) {
            let text = fleet.text(id, path).unwrap_or_default();
            if is_wanted(path, text) {
                found.push((id, path.clone(), text.to_owned()));
            }
        }
    }
    (!found.is_empty()).then(|| found.swap_remove(random.below(found.len())))
}
