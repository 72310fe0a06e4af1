//! Many patterns against many paths: what is known of a folder is shared by everything in it.

use super::{Name, Part, Pattern};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Patterns that are matched together, known by their index.
pub struct Set<'p> {
    patterns: Vec<&'p Pattern>,
}

/// More steps would be needed than are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuch;

/// A part of a pattern: the pattern, and the place of the part in it.
type Place = (u32, u16);

/// What is known on entering a folder.
#[derive(Default)]
struct Frame<'p> {
    /// Bytes of the path up to and with the `/` of this folder.
    end: usize,
    /// Parts that a name in this folder may be, and only here.
    here: Vec<(Place, &'p Name)>,
    /// Parts that a name may be here or in any folder below; few folders differ in them.
    anywhere: Rc<Anywhere<'p>>,
    /// Patterns that match everything below.
    below: Vec<u32>,
}

/// Parts that come after any number of folders, so that they are looked for in every folder.
#[derive(Clone, Default)]
struct Anywhere<'p> {
    /// By their literal name.
    named: FxHashMap<&'p str, Vec<Place>>,
    /// With any other name.
    unnamed: Vec<(Place, &'p Name)>,
    /// All of them.
    known: FxHashSet<Place>,
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
                let next = self.enter(frame, &path[frame.end..frame.end + length]);
                let is_shared = Rc::ptr_eq(&frame.anywhere, &next.anywhere);
                let copied = if is_shared { 0 } else { next.anywhere.known.len() };
                steps = steps.saturating_add(frame.cost() + next.cost() + copied);
                frames.push(next);
                frame = frames.last().expect("one was just pushed");
                if steps > limit {
                    return Err(TooMuch);
                }
            }
            steps = steps.saturating_add(frame.cost());
            if steps > limit {
                return Err(TooMuch);
            }
            let is_last = |(index, at): &Place| *at as usize + 1 == self.patterns[*index as usize].parts.len();
            found.clear();
            found.extend_from_slice(&frame.below);
            found.extend(frame.places(&path[frame.end..]).filter(is_last).map(|(index, _)| index));
            found.sort_unstable();
            found.dedup();
            visit(&found);
        }
        Ok(())
    }

    fn root(&self) -> Frame<'p> {
        let mut frame = Frame::default();
        (0..self.patterns.len()).for_each(|index| self.open(&mut frame, (index as u32, 0)));
        frame
    }

    fn enter(&self, frame: &Frame<'p>, name: &str) -> Frame<'p> {
        let mut next = Frame {
            end: frame.end + name.len() + 1,
            here: Vec::new(),
            anywhere: Rc::clone(&frame.anywhere),
            below: frame.below.clone(),
        };
        for (index, at) in frame.places(name) {
            let pattern = self.patterns[index as usize];
            if at as usize + 1 < pattern.parts.len() {
                self.open(&mut next, (index, at + 1));
            } else if pattern.descends {
                next.below.push(index);
            }
        }
        next.here.sort_unstable_by_key(|(place, _)| *place);
        next.here.dedup_by_key(|(place, _)| *place);
        next.below.sort_unstable();
        next.below.dedup();
        next
    }

    /// Notes that a part of a pattern may come next.
    fn open(&self, frame: &mut Frame<'p>, (index, at): Place) {
        match self.patterns[index as usize].parts.as_slice() {
            parts if parts[at as usize] == Part::Folders => {
                let Some(Part::Segment(name)) = parts.get(at as usize + 1) else { return };
                Anywhere::add(&mut frame.anywhere, (index, at + 1), name);
            }
            parts => {
                let Part::Segment(name) = &parts[at as usize] else { return };
                frame.here.push(((index, at), name));
            }
        }
    }
}

impl Frame<'_> {
    /// The parts that something with this name is, in no order.
    fn places<'s>(&'s self, name: &'s str) -> impl Iterator<Item = Place> + 's {
        let named = self.anywhere.named.get(name).into_iter().flatten().copied();
        let others = self.here.iter().chain(&self.anywhere.unnamed);
        named.chain(others.filter(move |(_, wanted)| wanted.matches(name)).map(|(place, _)| *place))
    }

    /// How many parts are compared with a name.
    fn cost(&self) -> usize {
        1 + self.here.len() + self.anywhere.unnamed.len() + self.below.len()
    }
}

impl<'p> Anywhere<'p> {
    /// Adds a part; what other folders see stays as it is.
    fn add(all: &mut Rc<Anywhere<'p>>, place: Place, name: &'p Name) {
        if all.known.contains(&place) {
            return;
        }
        let all = Rc::make_mut(all);
        all.known.insert(place);
        match name {
            Name::Literal(literal) => all.named.entry(literal).or_default().push(place),
            _ => all.unnamed.push((place, name)),
        }
    }
}

/// Bytes of the folders that two paths have in common, with their `/`.
fn shared_folders(one: &str, other: &str) -> usize {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    one.as_bytes()[..same].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)
}
