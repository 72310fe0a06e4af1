//! Line starts of a text, and the position people read.

/// A place as people count it: both from 1, the column in Unicode code points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in code points, from 1.
    pub column: u32,
}

/// The offset at which each line starts.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the line starts of `text`. Lines end at `\n`; a `\r` before it belongs to the line.
    pub fn new(text: &str) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        LineIndex { starts }
    }

    /// Number of lines; a text that ends in `\n` has an empty last line.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line (from 0) that holds `offset`.
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The bytes of a line (from 0) including its line break, or `None` past the end.
    pub fn range(&self, text: &str, line: usize) -> Option<std::ops::Range<usize>> {
        let start = *self.starts.get(line)? as usize;
        let end = self.starts.get(line + 1).map_or(text.len(), |&next| next as usize);
        Some(start..end)
    }

    /// The position of `offset`; offsets past the end count as the end, a byte-order mark takes no column.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = (offset as usize).min(text.len());
        let line = self.line_of(offset as u32);
        let start = self.starts[line] as usize;
        let before = text.as_bytes()[start..offset].iter().filter(|byte| !is_continuation(**byte)).count();
        let mark = usize::from(start == 0 && offset > 0 && text.starts_with('\u{feff}'));
        Position { line: line as u32 + 1, column: (before - mark) as u32 + 1 }
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str, offset: u32) -> (u32, u32) {
        let at = LineIndex::new(text).position(text, offset);
        (at.line, at.column)
    }

    #[test]
    fn positions_count_from_one() {
        assert_eq!(position("a\nbc", 0), (1, 1));
        assert_eq!(position("a\nbc", 3), (2, 2));
    }

    #[test]
    fn a_line_break_belongs_to_its_line() {
        assert_eq!(position("a\r\nb", 2), (1, 3));
        assert_eq!(position("a\r\nb", 3), (2, 1));
    }

    #[test]
    fn columns_count_code_points() {
        assert_eq!(position("é😀x", 6), (1, 3));
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        assert_eq!(position("\u{feff}a", 3), (1, 1));
        assert_eq!(position("\u{feff}a", 0), (1, 1));
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        assert_eq!(position("ab", 99), (1, 3));
    }
}
