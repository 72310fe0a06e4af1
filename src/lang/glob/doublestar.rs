//! bmatcuk/doublestar: what `FilepathGlob` finds in a tree, and what `Match` says of a name.
//!
//! Mirrors doublestar 4.10.0, which Argo CD 3.4 and 3.5 use without options: `match.go`, `validate.go`, `glob.go`. The two functions differ:
//! `FilepathGlob` cleans the path, expands braces first and then walks segment by segment; `Match` reads the whole text at once.

use super::{BadPattern, rune};

/// Alternatives that the braces of one pattern may stand for; the library has no limit, and `{a,b}` forty times never ends.
const ALTERNATIVES: usize = 1024;

const TOO_MANY: &str = "the braces stand for more than 1,024 alternatives";
const UNCLOSED_BRACE: &str = "this brace is not closed";
const UNCLOSED_CLASS: &str = "this class is not closed";
const EMPTY_CLASS: &str = "this class is empty";

/// A pattern for `FilepathGlob` below a root.
#[derive(Clone, Debug)]
pub struct Pattern {
    alternatives: Vec<Alternative>,
    literal_prefix: String,
}

/// The pattern with one choice made in every brace.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Alternative {
    segments: Vec<Segment>,
    folders_only: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Segment {
    Name(String),
    Wild(String),
    /// `**`: any number of folders; as the last segment also what lies in them.
    Folders,
}

impl Pattern {
    /// Compiles `text`, a path from the root: a leading `/` is the root as well, `.`, `..` and `//` are resolved before anything else. A
    /// pattern that leaves the root matches nothing.
    ///
    /// # Errors
    /// When the library reports a bad pattern, whether or not a file comes near it.
    pub fn new(text: &str) -> Result<Pattern, BadPattern> {
        let Some(path) = clean(text) else {
            validate(text.as_bytes())?;
            return Ok(Pattern { alternatives: Vec::new(), literal_prefix: String::new() });
        };
        let (base, below) = split(&path);
        // What cleaning moved is looked for again in the text as written.
        let written = |bad: BadPattern| validate(text.as_bytes()).err().unwrap_or(BadPattern::new(0, bad.message));
        validate(below.as_bytes()).map_err(written)?;
        let base: Vec<Segment> =
            base.split('/').filter(|name| !name.is_empty()).map(|name| Segment::Name(unescape(name))).collect();
        let mut alternatives = expand(below).map_err(written)?;
        for alternative in &mut alternatives {
            alternative.segments.splice(..0, base.iter().cloned());
        }
        let literal_prefix = common_prefix(&alternatives);
        Ok(Pattern { alternatives, literal_prefix })
    }

    /// Whether `FilepathGlob` returns the existing file `path`, given relative to the root and normalised.
    pub fn matches_file(&self, path: &str) -> bool {
        self.alternatives.iter().any(|alternative| alternative.matches(path, false))
    }

    /// Whether `FilepathGlob` returns the existing folder `path`; the empty path is the root. Argo CD's git generator then fails,
    /// because it reads every match as a file.
    pub fn matches_folder(&self, path: &str) -> bool {
        self.alternatives.iter().any(|alternative| alternative.matches(path, true))
    }

    /// Text that every matching path begins with.
    pub fn literal_prefix(&self) -> &str {
        &self.literal_prefix
    }
}

/// Whether Argo CD takes a path in `valueFiles` for a pattern. Braces alone do not make one.
pub fn has_meta(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// What `doublestar.Match` answers for a pattern and a name.
///
/// # Errors
/// When the library reports a bad pattern, which depends on the name: what is never reached may be wrong.
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let mut waiting = vec![(pattern.to_owned(), Walk::default())];
    let mut chosen = 0;
    while let Some((pattern, mut walk)) = waiting.pop() {
        let stop = walk.run(pattern.as_bytes(), name.as_bytes());
        let open = walk.pattern;
        let rest = &pattern.as_bytes()[open..];
        match stop {
            Stop::Match => return Ok(true),
            Stop::End if is_zero_length(rest) => return Ok(true),
            Stop::Bad(message) => return Err(BadPattern::new(open, message)),
            Stop::Brace => {}
            Stop::End if rest[0] == b'{' => {}
            Stop::End | Stop::Mismatch => {
                validate(rest).map_err(|bad| BadPattern::new(open + bad.offset, bad.message))?;
                continue;
            }
        }
        let close = closing(&pattern, open).ok_or(BadPattern::new(open, UNCLOSED_BRACE))?;
        let choices = split_choices(&pattern[open + 1..close]);
        chosen += choices.len();
        if chosen > ALTERNATIVES {
            return Err(BadPattern::new(open, TOO_MANY));
        }
        let chosen = choices.iter().rev().map(|choice| [&pattern[..open], choice, &pattern[close + 1..]].concat());
        waiting.extend(chosen.map(|pattern| (pattern, walk)));
    }
    Ok(false)
}

impl Alternative {
    fn matches(&self, path: &str, is_folder: bool) -> bool {
        let mut names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        if !is_folder {
            if self.folders_only {
                return false;
            }
            // A file is never the folder that a last `**` starts from.
            if self.segments.last() == Some(&Segment::Folders) && names.pop().is_none() {
                return false;
            }
        }
        let (mut segment, mut name) = (0, 0);
        let mut retry = None;
        loop {
            match self.segments.get(segment) {
                Some(Segment::Folders) => {
                    segment += 1;
                    retry = Some((segment, name));
                    continue;
                }
                Some(Segment::Name(expected)) if names.get(name) == Some(&expected.as_str()) => {}
                Some(Segment::Wild(pattern)) if names.get(name).is_some_and(|name| wild_matches(pattern, name)) => {}
                None if name == names.len() => return true,
                _ => {
                    let Some((after, from)) = retry.filter(|&(_, from)| from < names.len()) else { return false };
                    (segment, name) = (after, from + 1);
                    retry = Some((after, name));
                    continue;
                }
            }
            segment += 1;
            name += 1;
        }
    }
}

/// Whether a segment matches a name without slashes.
fn wild_matches(pattern: &str, name: &str) -> bool {
    let mut walk = Walk::default();
    match walk.run(pattern.as_bytes(), name.as_bytes()) {
        Stop::Match => true,
        Stop::End => is_zero_length(&pattern.as_bytes()[walk.pattern..]),
        Stop::Brace => matches(pattern, name) == Ok(true),
        Stop::Mismatch | Stop::Bad(_) => false,
    }
}

/// Where `Match` stands in the pattern and the name, and where it can take up again: behind the last `*`, or the last `**/`.
#[derive(Clone, Copy, Default)]
struct Walk {
    pattern: usize,
    name: usize,
    star: Option<(usize, usize)>,
    double_star: Option<(usize, usize)>,
}

enum Stop {
    Match,
    /// The name is used up; the rest of the pattern decides.
    End,
    Mismatch,
    /// An alternative must be chosen first.
    Brace,
    Bad(&'static str),
}

enum Class {
    Takes { end: usize },
    Refuses { at: usize },
    Bad(&'static str),
}

impl Walk {
    fn run(&mut self, pattern: &[u8], name: &[u8]) -> Stop {
        // True behind an opening brace, too, though a segment may have begun before it: fixed in doublestar 4.10.4.
        let mut starts_segment = true;
        while self.name < name.len() {
            let (character, width) = rune::first(&name[self.name..]);
            match pattern.get(self.pattern) {
                Some(b'*') => {
                    self.pattern += 1;
                    if pattern.get(self.pattern) == Some(&b'*') {
                        self.pattern += 1;
                        if starts_segment && self.pattern == pattern.len() {
                            return Stop::Match;
                        }
                        if starts_segment && pattern[self.pattern] == b'/' {
                            self.pattern += 1;
                            self.double_star = Some((self.pattern, self.name));
                            self.star = None;
                            continue;
                        }
                    }
                    starts_segment = false;
                    self.star = Some((self.pattern, self.name));
                    continue;
                }
                Some(b'?') => {
                    starts_segment = false;
                    if name[self.name] != b'/' {
                        self.pattern += 1;
                        self.name += width;
                        continue;
                    }
                }
                Some(b'[') => {
                    starts_segment = false;
                    match class(pattern, self.pattern, character) {
                        Class::Takes { end } => {
                            self.pattern = end;
                            self.name += width;
                            continue;
                        }
                        Class::Refuses { at } => self.pattern = at,
                        Class::Bad(message) => return Stop::Bad(message),
                    }
                }
                Some(b'{') => return Stop::Brace,
                Some(&byte) => {
                    let at = self.pattern + usize::from(byte == b'\\');
                    if at == pattern.len() {
                        return Stop::Bad("nothing follows the backslash");
                    }
                    let (expected, expected_width) = rune::first(&pattern[at..]);
                    if expected == character {
                        self.pattern = at + expected_width;
                        self.name += width;
                        starts_segment = expected == u32::from('/');
                        continue;
                    }
                    // Back to the backslash, even to one that was escaped itself.
                    self.pattern = at - usize::from(at > 0 && pattern[at - 1] == b'\\');
                }
                None => {}
            }
            match self.take_up(name) {
                Some(segment) => starts_segment = segment,
                None => return Stop::Mismatch,
            }
        }
        Stop::End
    }

    /// Gives one more character to the last star, or one more segment to the last double star; then, whether a segment begins.
    fn take_up(&mut self, name: &[u8]) -> Option<bool> {
        if let Some((pattern, from)) = self.star
            && name[from] != b'/'
        {
            self.name = from + rune::first(&name[from..]).1;
            self.pattern = pattern;
            self.star = Some((pattern, self.name));
            return Some(false);
        }
        let (pattern, from) = self.double_star?;
        self.name = from + name[from..].iter().position(|&byte| byte == b'/')? + 1;
        self.pattern = pattern;
        self.double_star = Some((pattern, self.name));
        Some(true)
    }
}

/// Tries the class that opens at `open` on a character. The library stops reading at the first member that decides.
fn class(pattern: &[u8], open: usize, character: u32) -> Class {
    let mut at = open + 1;
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    at += usize::from(negated);
    match pattern.get(at) {
        None => return Class::Bad(UNCLOSED_CLASS),
        Some(b']') => return Class::Bad(EMPTY_CLASS),
        Some(_) => {}
    }
    let mut takes = false;
    let mut low = None;
    while let Some(&byte) = pattern.get(at).filter(|&&byte| byte != b']') {
        let is_range = byte == b'-' && low.is_some() && pattern.get(at + 1).is_some_and(|&next| next != b']');
        at += usize::from(is_range);
        at += usize::from(pattern.get(at) == Some(&b'\\'));
        let (member, width) = rune::first(&pattern[at.min(pattern.len())..]);
        at += width;
        takes = match low.take() {
            Some(low) if is_range => (low..=member).contains(&character),
            _ => {
                low = Some(member);
                member == character
            }
        };
        if takes {
            break;
        }
    }
    if takes == negated {
        return if at < pattern.len() { Class::Refuses { at } } else { Class::Bad(UNCLOSED_CLASS) };
    }
    match find_unescaped(&pattern[at.min(pattern.len())..], b']') {
        Some(close) => Class::Takes { end: at + close + 1 },
        None => Class::Bad(UNCLOSED_CLASS),
    }
}

/// Whether the rest of a pattern, without a brace at its start, is one of the forms that the library lets match nothing.
fn is_zero_length(rest: &[u8]) -> bool {
    matches!(rest, b"" | b"*" | b"**" | b"/**" | b"**/" | b"/**/")
}

/// `ValidatePattern`: braces and classes are closed, nothing ends in a backslash.
fn validate(pattern: &[u8]) -> Result<(), BadPattern> {
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        let start = at;
        match byte {
            b'\\' => {
                at += 1;
                if at == pattern.len() {
                    return Err(BadPattern::new(start, "nothing follows the backslash"));
                }
            }
            b'[' => {
                at += 1 + usize::from(matches!(pattern.get(at + 1), Some(b'^' | b'!')));
                if pattern.get(at) == Some(&b']') {
                    return Err(BadPattern::new(start, EMPTY_CLASS));
                }
                let close = pattern.get(at..).and_then(|rest| find_unescaped(rest, b']'));
                at += close.ok_or(BadPattern::new(start, UNCLOSED_CLASS))?;
            }
            b'{' => open.push(start),
            b'}' => {
                open.pop().ok_or(BadPattern::new(start, "no brace is open here"))?;
            }
            _ => {}
        }
        at += 1;
    }
    open.first().map_or(Ok(()), |&open| Err(BadPattern::new(open, UNCLOSED_BRACE)))
}

fn find_unescaped(text: &[u8], wanted: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            byte if byte == wanted => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Where the brace at `open` closes.
fn closing(pattern: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = open;
    while let Some(&byte) = pattern.as_bytes().get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The alternatives between two braces. Classes are not seen here: `{[,]}` has two.
fn split_choices(inner: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut at) = (0, 0, 0);
    while let Some(&byte) = inner.as_bytes().get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.push(&inner[start..]);
    found
}

/// A pattern on its way to an alternative.
#[derive(Clone)]
struct Pending {
    /// What is looked up before the pattern, each below the one before.
    before: Vec<String>,
    pattern: String,
    /// The segments found behind the pattern.
    behind: Vec<Segment>,
    end: End,
}

/// What the last segment asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Any,
    /// A slash at the end.
    Folder,
    /// An empty choice behind a slash: what was found before it, but not the base.
    Before,
}

/// All alternatives of a valid pattern. `FilepathGlob` takes it apart from the right: at the last slash, or at the last brace if that comes
/// later. An empty alternative at the end of a brace is forgotten.
fn expand(pattern: &str) -> Result<Vec<Alternative>, BadPattern> {
    let mut found = Vec::new();
    let mut waiting =
        vec![Pending { before: Vec::new(), pattern: pattern.to_owned(), behind: Vec::new(), end: End::Any }];
    let mut steps = 0;
    while let Some(mut item) = waiting.pop() {
        let Some(meta) = first_meta(&item.pattern) else {
            if item.look_up() {
                item.finish(&mut waiting, &mut found);
            }
            continue;
        };
        let slash = match last_slash_or_brace(&item.pattern) {
            Some(close) if item.pattern.as_bytes()[close] == b'}' => {
                if let Some(open) = opening(&item.pattern[..close]) {
                    steps += item.choose(open, close, &mut waiting);
                    if steps > ALTERNATIVES {
                        return Err(BadPattern::new(0, TOO_MANY));
                    }
                    continue;
                }
                last(&item.pattern[..close], |byte| byte == b'/')
            }
            slash => slash,
        };
        item.take_segment(slash.map_or(0, |slash| slash + 1))?;
        match slash {
            Some(slash) if slash > meta => {
                item.pattern.truncate(slash);
                waiting.push(item);
            }
            Some(slash) => {
                item.pattern.truncate(slash);
                if item.pattern == "." && item.before.is_empty() || item.put_names() {
                    item.finish(&mut waiting, &mut found);
                }
            }
            None => item.finish(&mut waiting, &mut found),
        }
    }
    Ok(found)
}

impl Pending {
    /// Takes a pattern without wildcards for a path; false when there can be no such path.
    fn look_up(&mut self) -> bool {
        let is_last = self.behind.is_empty();
        if self.pattern.is_empty() && !self.before.is_empty() {
            self.end = End::Before;
            return is_last;
        }
        if self.pattern == "." && self.before.is_empty() {
            return true;
        }
        if self.pattern.len() > 1 && self.pattern.ends_with('/') {
            self.pattern.pop();
        }
        self.put_names()
    }

    /// Puts the names of a path in front; false for what no file system knows: an empty, `.` or `..` name.
    fn put_names(&mut self) -> bool {
        let is_path = self.pattern.split('/').all(|name| !matches!(name, "" | "." | ".."));
        self.behind.splice(..0, self.pattern.split('/').map(|name| Segment::Name(unescape(name))));
        is_path
    }

    /// Cuts the last segment off and puts it in front of those behind.
    fn take_segment(&mut self, start: usize) -> Result<(), BadPattern> {
        let segment = self.pattern.split_off(start);
        match segment.as_str() {
            "" if self.behind.is_empty() => self.end = End::Folder,
            "" => {}
            "**" if self.behind.first() == Some(&Segment::Folders) => {}
            "**" => self.behind.insert(0, Segment::Folders),
            _ => {
                validate(segment.as_bytes())?;
                self.behind.insert(0, Segment::Wild(segment));
            }
        }
        Ok(())
    }

    /// Puts every choice of a brace in its place, and returns their number. What stands before the brace's segment is looked up first.
    fn choose(&self, open: usize, close: usize, waiting: &mut Vec<Pending>) -> usize {
        let mut choices = split_choices(&self.pattern[open + 1..close]);
        choices.pop_if(|last| last.is_empty());
        let mut before = self.before.clone();
        let mut start = 0;
        if let Some(slash) =
            last_slash_or_brace(&self.pattern[..open]).filter(|&at| self.pattern.as_bytes()[at] == b'/')
        {
            before.push(self.pattern[..slash].to_owned());
            start = slash + 1;
        }
        waiting.extend(choices.iter().map(|choice| Pending {
            before: before.clone(),
            pattern: [&self.pattern[start..open], choice, &self.pattern[close + 1..]].concat(),
            ..self.clone()
        }));
        choices.len()
    }

    /// Goes on with what stands before, if anything does.
    fn finish(mut self, waiting: &mut Vec<Pending>, found: &mut Vec<Alternative>) {
        if let Some(pattern) = self.before.pop() {
            waiting.push(Pending { pattern, ..self });
            return;
        }
        let mut segments = self.behind;
        if self.end == End::Before && segments == [Segment::Folders] {
            segments.push(Segment::Wild("*".to_owned()));
        }
        let folders_only = match self.end {
            End::Any => false,
            End::Folder => true,
            End::Before => !matches!(segments.last(), Some(Segment::Name(_))),
        };
        found.push(Alternative { segments, folders_only });
    }
}

fn last_slash_or_brace(pattern: &str) -> Option<usize> {
    last(pattern, |byte| byte == b'/' || byte == b'}')
}

/// The last such byte without a backslash before it.
fn last(pattern: &str, wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let bytes = pattern.as_bytes();
    (0..bytes.len()).rev().find(|&at| wanted(bytes[at]) && (at == 0 || bytes[at - 1] != b'\\'))
}

/// Where the brace opens that closes behind `pattern`.
fn opening(pattern: &str) -> Option<usize> {
    let mut depth = 1;
    let mut rest = pattern;
    while let Some(at) = last(rest, |byte| byte == b'{' || byte == b'}') {
        depth = if rest.as_bytes()[at] == b'}' { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return Some(at);
        }
        rest = &rest[..at];
    }
    None
}

/// The first character with a meaning, outside of escapes.
fn first_meta(pattern: &str) -> Option<usize> {
    let bytes = pattern.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'*' | b'?' | b'[' | b'{' => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Resolves `.`, `..` and empty segments from the root; `None` when the path leaves it.
fn clean(path: &str) -> Option<String> {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// The folders before the first segment with a meaning, and the rest; or all but the last segment, when nothing has one.
fn split(path: &str) -> (&str, &str) {
    let meta = first_meta(path).unwrap_or(path.len());
    match path[..meta].rfind('/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => ("", if path.is_empty() { "." } else { path }),
    }
}

/// Takes the backslash off characters with a meaning, and off nothing else.
fn unescape(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        match rest.peek() {
            Some(&('*' | '?' | '[' | ']' | '{' | '}')) if character == '\\' => {}
            _ => plain.push(character),
        }
    }
    plain
}

fn common_prefix(alternatives: &[Alternative]) -> String {
    let mut prefixes = alternatives.iter().map(Alternative::literal_prefix);
    let mut common = prefixes.next().unwrap_or_default();
    for prefix in prefixes {
        let shared = common.char_indices().zip(prefix.chars()).find(|((_, ours), theirs)| ours != theirs);
        common.truncate(shared.map_or(common.len().min(prefix.len()), |((at, _), _)| at));
    }
    common
}

impl Alternative {
    fn literal_prefix(&self) -> String {
        let mut prefix = String::new();
        for (index, segment) in self.segments.iter().enumerate() {
            let slash = if index == 0 { "" } else { "/" };
            match segment {
                Segment::Name(name) => prefix.extend([slash, name]),
                Segment::Wild(pattern) => {
                    let literal = pattern.find(['*', '?', '[', '\\']).unwrap_or(pattern.len());
                    prefix.extend([slash, &pattern[..literal]]);
                    break;
                }
                // What follows may be missing, and the slash with it.
                Segment::Folders => break,
            }
        }
        prefix
    }
}
