//! Many patterns against many paths: what is known of a folder is shared by everything in it.

use super::{Name, Part, Pattern};

/// Patterns that are matched together, known by their index.
pub struct Set<'p> {
    patterns: Vec<&'p Pattern>,
}

/// More steps would be needed than are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuch;

/// What is known on entering a folder.
#[derive(Default)]
struct Frame<'p> {
    /// Bytes of the path up to and with the `/` of this folder.
    end: usize,
    /// Parts that the next segment may be, if it is a folder.
    open: Vec<(u32, u16)>,
    /// Last parts: they decide about the files of this folder.
    last: Vec<(u32, &'p Name)>,
    /// Patterns that match everything below.
    below: Vec<u32>,
}

impl<'p> Set<'p> {
    /// These patterns.
    pub fn new(patterns: impl IntoIterator<Item = &'p Pattern>) -> Set<'p> {
        Set { patterns: patterns.into_iter().collect() }
    }

    /// Calls `visit` for every path in turn with the patterns that match it, in order. Fast when paths of one folder
    /// stand together.
    ///
    /// # Errors
    /// [`TooMuch`] when more than `limit` parts had to be compared; nothing is known about the remaining paths.
    pub fn each<'s>(
        &self,
        paths: impl IntoIterator<Item = &'s str>,
        limit: usize,
        mut visit: impl FnMut(&[u32]),
    ) -> Result<(), TooMuch> {
        let mut frames = vec![self.root()];
        let mut steps = 0usize;
        let mut previous = "";
        let mut found = Vec::new();
        for path in paths {
            let shared = shared_folders(previous, path);
            while frames.last().is_some_and(|frame| frame.end > shared) {
                frames.pop();
            }
            previous = path;
            let mut frame = frames.last().expect("the root's frame ends at 0 and is never taken away");
            while let Some(length) = path[frame.end..].find('/') {
                steps = steps.saturating_add(frame.open.len() + frame.below.len());
                let next = self.enter(frame, &path[frame.end..frame.end + length]);
                frames.push(next);
                frame = frames.last().expect("one was just pushed");
                if steps > limit {
                    return Err(TooMuch);
                }
            }
            let name = &path[frame.end..];
            steps = steps.saturating_add(frame.last.len() + frame.below.len());
            if steps > limit {
                return Err(TooMuch);
            }
            found.clear();
            found.extend_from_slice(&frame.below);
            found.extend(frame.last.iter().filter(|(_, last)| last.matches(name)).map(|(pattern, _)| *pattern));
            found.sort_unstable();
            found.dedup();
            visit(&found);
        }
        Ok(())
    }

    fn root(&self) -> Frame<'p> {
        let mut frame = Frame::default();
        (0..self.patterns.len()).for_each(|pattern| self.open(&mut frame, pattern as u32, 0));
        frame
    }

    fn enter(&self, frame: &Frame<'p>, name: &str) -> Frame<'p> {
        let mut next = Frame { end: frame.end + name.len() + 1, below: frame.below.clone(), ..Frame::default() };
        for &(index, at) in &frame.open {
            let pattern = self.patterns[index as usize];
            match &pattern.parts[at as usize] {
                Part::Folders => self.open(&mut next, index, at),
                Part::Segment(segment) if segment.matches(name) => {
                    if at as usize + 1 < pattern.parts.len() {
                        self.open(&mut next, index, at + 1);
                    } else if pattern.descends {
                        next.below.push(index);
                    }
                }
                Part::Segment(_) => {}
            }
        }
        next.open.sort_unstable();
        next.open.dedup();
        next.below.sort_unstable();
        next.below.dedup();
        next.open.retain(|(index, _)| next.below.binary_search(index).is_err());
        next.last.retain(|(index, _)| next.below.binary_search(index).is_err());
        next
    }

    /// Notes that the part `at` of a pattern may come next.
    fn open(&self, frame: &mut Frame<'p>, index: u32, at: u16) {
        let pattern = self.patterns[index as usize];
        frame.open.push((index, at));
        match &pattern.parts[at as usize] {
            Part::Folders => self.open(frame, index, at + 1),
            Part::Segment(name) if at as usize + 1 == pattern.parts.len() => frame.last.push((index, name)),
            Part::Segment(_) => {}
        }
    }
}

/// Bytes of the folders that two paths have in common, with their `/`.
fn shared_folders(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    one.as_bytes()[..same].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)
}
