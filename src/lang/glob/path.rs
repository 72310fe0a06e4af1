//! Go's `path.Match`, which on Linux is also `filepath.Match`.
//!
//! Mirrors Go 1.26, `path/match.go`. Since Go 1.16 a broken pattern is an error whatever the name is, so that the error
//! belongs to the pattern alone.

use super::{BadPattern, rune};

/// A compiled pattern. `*` and `?` stop at `/`, a class does not; `**` is two stars and hence one.
#[derive(Clone, Debug)]
pub struct Pattern {
    chunks: Vec<Chunk>,
    literal_prefix: String,
}

/// What stands between two stars.
#[derive(Clone, Debug, Default)]
struct Chunk {
    after_star: bool,
    units: Vec<Unit>,
}

#[derive(Clone, Debug)]
enum Unit {
    Byte(u8),
    Any,
    Class { negated: bool, ranges: Vec<(u32, u32)> },
}

impl Pattern {
    /// Compiles `text`.
    ///
    /// # Errors
    /// Exactly when Go reports `ErrBadPattern`, for this and every name. Argo CD's git generator logs it and goes on as
    /// if the pattern matched nothing.
    pub fn new(text: &str) -> Result<Pattern, BadPattern> {
        let mut chunks = Vec::new();
        let mut chunk = Chunk::default();
        let mut rest = Cursor { text, at: 0 };
        while let Some(byte) = rest.next() {
            match byte {
                b'*' if chunk.after_star && chunk.units.is_empty() => {}
                b'*' => chunks.push(std::mem::replace(&mut chunk, Chunk { after_star: true, units: Vec::new() })),
                b'?' => chunk.units.push(Unit::Any),
                b'[' => chunk.units.push(rest.class()?),
                b'\\' => match rest.next() {
                    Some(escaped) => chunk.units.push(Unit::Byte(escaped)),
                    None => return Err(BadPattern::new(rest.at - 1, "nothing follows the backslash")),
                },
                literal => chunk.units.push(Unit::Byte(literal)),
            }
        }
        chunks.push(chunk);
        let literal_prefix = literal_prefix(&chunks[0].units);
        Ok(Pattern { chunks, literal_prefix })
    }

    /// Whether the pattern matches the whole `name`.
    pub fn matches(&self, name: &str) -> bool {
        let mut name = name.as_bytes();
        for (index, chunk) in self.chunks.iter().enumerate() {
            let last = index + 1 == self.chunks.len();
            if last && chunk.after_star && chunk.units.is_empty() {
                return !name.contains(&b'/');
            }
            // The first place where a chunk fits is as good as any later one, except for the last, which must reach the
            // end.
            let reach = if chunk.after_star { name.iter().position(|&b| b == b'/').unwrap_or(name.len()) } else { 0 };
            let rest = (0..=reach).find_map(|skip| chunk.fits(&name[skip..]).filter(|rest| !last || rest.is_empty()));
            match rest {
                Some(rest) => name = rest,
                None => return false,
            }
        }
        true
    }

    /// Text that every matching name begins with.
    pub fn literal_prefix(&self) -> &str {
        &self.literal_prefix
    }
}

impl Chunk {
    /// What is left of `name` after this chunk matched at its start.
    fn fits<'n>(&self, mut name: &'n [u8]) -> Option<&'n [u8]> {
        for unit in &self.units {
            let (&byte, after) = name.split_first()?;
            name = match unit {
                Unit::Byte(expected) if byte == *expected => after,
                Unit::Byte(_) => return None,
                Unit::Any if byte == b'/' => return None,
                Unit::Any => &name[rune::first(name).1..],
                Unit::Class { negated, ranges } => {
                    let (character, width) = rune::first(name);
                    if ranges.iter().any(|&(low, high)| (low..=high).contains(&character)) == *negated {
                        return None;
                    }
                    &name[width..]
                }
            };
        }
        Some(name)
    }
}

fn literal_prefix(units: &[Unit]) -> String {
    let bytes = units.iter().map_while(|unit| if let Unit::Byte(byte) = unit { Some(*byte) } else { None }).collect();
    String::from_utf8(bytes).expect("wildcards and backslashes are ASCII and cut no character")
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl Cursor<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.text.as_bytes().get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The class whose `[` was just read.
    fn class(&mut self) -> Result<Unit, BadPattern> {
        let open = self.at - 1;
        let negated = self.peek() == Some(b'^');
        self.at += usize::from(negated);
        let mut ranges = Vec::new();
        while ranges.is_empty() || self.peek() != Some(b']') {
            let low = self.class_character(open)?;
            let mut high = low;
            if self.peek() == Some(b'-') {
                self.at += 1;
                high = self.class_character(open)?;
            }
            ranges.push((low, high));
        }
        self.at += 1;
        Ok(Unit::Class { negated, ranges })
    }

    /// One character of a class, which something must follow: at least the closing bracket.
    fn class_character(&mut self, open: usize) -> Result<u32, BadPattern> {
        const UNCLOSED: &str = "this class is not closed";
        match self.peek() {
            Some(b']') => return Err(BadPattern::new(self.at, "a character must stand before this bracket")),
            Some(b'-') => return Err(BadPattern::new(self.at, "a class cannot hold a bare dash here")),
            Some(b'\\') => self.at += 1,
            _ => {}
        }
        let character = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let character = character.ok_or(BadPattern::new(open, UNCLOSED))?;
        self.at += character.len_utf8();
        if self.at == self.text.len() { Err(BadPattern::new(open, UNCLOSED)) } else { Ok(u32::from(character)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(name))
    }

    #[test]
    fn a_star_stays_in_its_segment() {
        assert!(matches("apps/*", "apps/web"));
        assert!(!matches("apps/*", "apps/web/base"));
        assert!(!matches("apps/*", "apps"));
    }

    #[test]
    fn two_stars_are_one() {
        assert!(matches("apps/**", "apps/web"));
        assert!(!matches("apps/**", "apps/web/base"));
        assert!(!matches("apps/**/base", "apps/base"));
    }

    #[test]
    fn only_a_caret_negates_a_class() {
        assert!(matches("[^w]x", "ax"));
        assert!(matches("[!w]x", "!x"));
        assert!(!matches("[!w]x", "ax"));
    }

    #[test]
    fn a_class_takes_a_slash() {
        assert!(matches("a[/]b", "a/b"));
        assert!(!matches("a?b", "a/b"));
    }

    #[test]
    fn a_broken_class_is_an_error_where_it_opens() {
        for (pattern, offset) in
            [("apps/[", 5), ("[a", 0), ("[]a]", 1), ("[-a]", 1), ("[a-]", 3), ("a\\", 1), ("[\\", 0)]
        {
            assert_eq!(Pattern::new(pattern).unwrap_err().offset, offset, "{pattern}");
        }
    }

    #[test]
    fn the_prefix_ends_at_the_first_wildcard() {
        let prefix = |pattern: &str| Pattern::new(pattern).unwrap().literal_prefix().to_owned();
        assert_eq!(prefix("apps/team-*/x"), "apps/team-");
        assert_eq!(prefix("a\\*b?"), "a*b");
        assert_eq!(prefix("*"), "");
    }
}
