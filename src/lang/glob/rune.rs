//! Characters as Go reads them from bytes: what is no UTF-8 counts as one U+FFFD per byte.

/// What Go calls `utf8.RuneError`.
pub const ERROR: u32 = 0xFFFD;

/// The first character of `bytes` and its width; [`ERROR`] of width 1 for a broken one, of width 0 for no bytes.
pub fn first(bytes: &[u8]) -> (u32, usize) {
    let Some(&lead) = bytes.first() else { return (ERROR, 0) };
    let width = match lead {
        0..=0x7F => return (u32::from(lead), 1),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return (ERROR, 1),
    };
    let character =
        bytes.get(..width).and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(|text| text.chars().next());
    character.map_or((ERROR, 1), |character| (u32::from(character), width))
}

/// The characters of `bytes` with their offsets.
pub fn each(bytes: &[u8]) -> impl Iterator<Item = (usize, u32)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (character, width) = first(&bytes[at..]);
        let here = at;
        at += width;
        (width > 0).then_some((here, character))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_bytes_count_one_by_one() {
        let read = |bytes: &[u8]| each(bytes).map(|(_, character)| character).collect::<Vec<_>>();
        assert_eq!(read("aé".as_bytes()), [0x61, 0xE9]);
        assert_eq!(read(b"\xC3"), [ERROR]);
        assert_eq!(read(b"\xA9\xC3\xA9"), [ERROR, 0xE9]);
        assert_eq!(read(b"\xE2\x82"), [ERROR, ERROR]);
    }
}
