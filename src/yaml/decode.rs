//! From bytes to text: UTF-8, and UTF-16 with a byte-order mark, as libyaml reads them.

use std::borrow::Cow;
use std::fmt;

/// Bytes that are no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DecodeError {
    /// The first byte that does not fit.
    pub offset: usize,
    /// The encoding that the file begins in.
    pub encoding: &'static str,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {} at byte {}", self.encoding, self.offset)
    }
}

impl std::error::Error for DecodeError {}

/// The text of a file. A byte-order mark stays its first character, so that offsets of a UTF-8 text are those of the
/// file; those of a UTF-16 file are offsets into the decoded text.
///
/// # Errors
/// The first byte that is no character.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    match bytes {
        [0xff, 0xfe, ..] => utf16(bytes, u16::from_le_bytes, "UTF-16LE").map(Cow::Owned),
        [0xfe, 0xff, ..] => utf16(bytes, u16::from_be_bytes, "UTF-16BE").map(Cow::Owned),
        _ => str::from_utf8(bytes)
            .map(Cow::Borrowed)
            .map_err(|error| DecodeError { offset: error.valid_up_to(), encoding: "UTF-8" }),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, encoding: &'static str) -> Result<String, DecodeError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut offset = 0;
    for character in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let character = character.map_err(|_| DecodeError { offset, encoding })?;
        offset += character.len_utf16() * 2;
        text.push(character);
    }
    if rest.is_empty() { Ok(text) } else { Err(DecodeError { offset, encoding }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_8_is_taken_as_it_is() {
        assert_eq!(decode("\u{feff}é".as_bytes()).unwrap(), "\u{feff}é");
    }

    #[test]
    fn utf_16_is_read_in_both_orders() {
        assert_eq!(decode(&[0xff, 0xfe, b'a', 0, 0x3d, 0xd8, 0, 0xde]).unwrap(), "\u{feff}a😀");
        assert_eq!(decode(&[0xfe, 0xff, 0, b'a']).unwrap(), "\u{feff}a");
    }

    #[test]
    fn the_first_byte_that_does_not_fit_is_named() {
        assert_eq!(decode(b"ab\xffc"), Err(DecodeError { offset: 2, encoding: "UTF-8" }));
        assert_eq!(decode(&[0xff, 0xfe, b'a', 0, 0]), Err(DecodeError { offset: 4, encoding: "UTF-16LE" }));
        assert_eq!(decode(&[0xff, 0xfe, 0, 0xd8]).unwrap_err().offset, 2);
    }
}
