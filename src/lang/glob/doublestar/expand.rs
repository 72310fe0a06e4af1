//! From a pattern to the alternatives that `FilepathGlob` walks through. Mirrors doublestar 4.10.0, `glob.go`.

use super::syntax::{first_meta, last, opening, split_choices, unescape, validate};
use super::{Alternative, Segment, TOO_MANY};
use crate::lang::glob::BadPattern;
use crate::text::limits::BRACE_ALTERNATIVES;

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

/// All alternatives of a valid pattern. `FilepathGlob` takes it apart from the right: at the last slash, or at the last
/// brace if that comes later. An empty alternative at the end of a brace is forgotten.
pub fn expand(pattern: &str) -> Result<Vec<Alternative>, BadPattern> {
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
                    if steps > BRACE_ALTERNATIVES {
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
        if self.pattern.len() > 1 && self.pattern.ends_with('/') {
            self.pattern.pop();
        }
        if self.pattern == "." && self.before.is_empty() {
            return true;
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

    /// Puts every choice of a brace in its place, and returns their number. What stands before the brace's segment is
    /// looked up first.
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
