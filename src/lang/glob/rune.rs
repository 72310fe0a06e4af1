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
