//! JSON, YAML, base 64 and 32, and checksums.
//!
//! Mirrors sprig 3.3, defaults.go, strings.go and crypto.go.

use super::{Call, Function, Outcome, Type};
use crate::lang::template::env::Fault;
use crate::lang::template::json::{self, Layout};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use Type::{Any, String as Text};

const COMPACT: Layout = Layout { is_pretty: false, escapes_html: true };
const PRETTY: Layout = Layout { is_pretty: true, escapes_html: true };
const RAW: Layout = Layout { is_pretty: false, escapes_html: false };

pub(super) const TABLE: &[Function] = &[
    Function::new("adler32sum", &[Text], |call| call.env.text(adler32(call.string(0)?.as_bytes()).to_string())),
    Function::new("b32dec", &[Text], |call| decoded(call, &BASE_32)),
    Function::new("b32enc", &[Text], |call| encoded(call, &BASE_32)),
    Function::new("b64dec", &[Text], |call| decoded(call, &BASE_64)),
    Function::new("b64enc", &[Text], |call| encoded(call, &BASE_64)),
    Function::new("fromJson", &[Text], |call| Ok(json::read(call.env, call.string(0)?)?.value)),
    Function::new("mustFromJson", &[Text], |call| {
        let decoded = json::read(call.env, call.string(0)?)?;
        decoded.error.map_or(Ok(decoded.value), |error| Err(Fault::Failed(error)))
    }),
    Function::new("mustToJson", &[Any], |call| call.env.text(json::write(call.env, call.any(0), COMPACT)?)),
    Function::new("mustToPrettyJson", &[Any], |call| call.env.text(json::write(call.env, call.any(0), PRETTY)?)),
    Function::new("mustToRawJson", &[Any], |call| call.env.text(json::write(call.env, call.any(0), RAW)?)),
    Function::new("sha1sum", &[Text], hashed::<Sha1>),
    Function::new("sha256sum", &[Text], hashed::<Sha256>),
    Function::new("sha512sum", &[Text], hashed::<Sha512>),
    Function::new("toJson", &[Any], |call| lenient(call, COMPACT)),
    Function::new("toPrettyJson", &[Any], |call| lenient(call, PRETTY)),
    Function::new("toRawJson", &[Any], |call| call.env.text(json::write(call.env, call.any(0), RAW)?)),
];

/// What has no JSON is no text.
fn lenient(call: &Call<'_>, layout: Layout) -> Outcome {
    match json::write(call.env, call.any(0), layout) {
        Err(Fault::Failed(_)) => call.env.text(""),
        text => call.env.text(text?),
    }
}

fn hashed<D: Digest>(call: &Call<'_>) -> Outcome {
    let hash = D::digest(call.string(0)?.as_bytes());
    call.env.text(hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

/// An encoding that writes groups of bytes as groups of letters.
struct Encoding {
    name: &'static str,
    alphabet: &'static [u8],
    /// Bits of one letter.
    bits: u32,
    /// Bytes and letters of one group.
    group: (usize, usize),
}

const BASE_64: Encoding = Encoding {
    name: "base64",
    alphabet: b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    bits: 6,
    group: (3, 4),
};

const BASE_32: Encoding =
    Encoding { name: "base32", alphabet: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bits: 5, group: (5, 8) };

fn encoded(call: &Call<'_>, encoding: &Encoding) -> Outcome {
    let bytes = call.string(0)?.as_bytes();
    call.env.spend_bytes(2 * bytes.len())?;
    let (bytes_per_group, letters_per_group) = encoding.group;
    let mut text = String::new();
    for group in bytes.chunks(bytes_per_group) {
        let filled = (0..bytes_per_group).map(|at| group.get(at).copied().unwrap_or(0));
        let bits = filled.fold(0_u64, |bits, byte| bits << 8 | u64::from(byte));
        let letters = (group.len() * 8).div_ceil(encoding.bits as usize);
        for at in 0..letters_per_group {
            let shift = encoding.bits * (letters_per_group - 1 - at) as u32;
            let index = (bits >> shift) as usize & (encoding.alphabet.len() - 1);
            text.push(if at < letters { char::from(encoding.alphabet[index]) } else { '=' });
        }
    }
    call.env.text(text)
}

/// The bytes, or in place of them the text of the error.
fn decoded(call: &Call<'_>, encoding: &Encoding) -> Outcome {
    let text = call.string(0)?;
    match if encoding.bits == 6 { decode_64(text) } else { decode_32(text) } {
        Ok(bytes) => call.env.bytes(bytes),
        Err(at) => call.env.text(format!("illegal {} data at input byte {at}", encoding.name)),
    }
}

/// The first bytes of a group of letters, given as many bits of it as were read.
fn unpack(bits: u64, letters: usize, encoding: &Encoding, bytes: &mut Vec<u8>) {
    let (bytes_per_group, letters_per_group) = encoding.group;
    let filled = bits << (encoding.bits as usize * (letters_per_group - letters));
    let whole = letters * encoding.bits as usize / 8;
    bytes.extend((0..whole).map(|at| (filled >> (8 * (bytes_per_group - 1 - at))) as u8));
}

fn value_of(letter: u8, encoding: &Encoding) -> Option<u64> {
    encoding.alphabet.iter().position(|known| *known == letter).map(|value| value as u64)
}

/// # Errors
/// The place that Go blames. Line breaks are skipped wherever they are, and count.
fn decode_64(text: &str) -> Result<Vec<u8>, usize> {
    let source = text.as_bytes();
    let skip = |mut at: usize| {
        while matches!(source.get(at), Some(b'\r' | b'\n')) {
            at += 1;
        }
        at
    };
    let (mut bytes, mut at) = (Vec::new(), skip(0));
    while at < source.len() {
        let (mut bits, mut letters) = (0, 0);
        while letters < 4 {
            let Some(&letter) = source.get(at) else { return Err(source.len() - letters) };
            at += 1;
            if let Some(value) = value_of(letter, &BASE_64) {
                (bits, letters, at) = (bits << 6 | value, letters + 1, skip(at));
                continue;
            }
            if letter != b'=' || letters < 2 {
                return Err(at - 1);
            }
            at = skip(at);
            if letters == 2 {
                match source.get(at) {
                    None => return Err(source.len()),
                    Some(b'=') => at = skip(at + 1),
                    Some(_) => return Err(at - 1),
                }
            }
            if at < source.len() {
                return Err(at);
            }
            break;
        }
        unpack(bits, letters, &BASE_64, &mut bytes);
    }
    Ok(bytes)
}

/// # Errors
/// The place that Go blames, not counting line breaks.
fn decode_32(text: &str) -> Result<Vec<u8>, usize> {
    let source: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let (mut bytes, mut at) = (Vec::new(), 0);
    while at < source.len() {
        let (mut bits, mut letters) = (0, 0);
        while letters < 8 {
            let Some(&letter) = source.get(at) else { return Err(source.len() - letters) };
            at += 1;
            let left = source.len() - at;
            if letter != b'=' || letters < 2 || left >= 8 {
                let value = value_of(letter, &BASE_32).ok_or(at - 1)?;
                (bits, letters) = (bits << 5 | value, letters + 1);
                continue;
            }
            if left + letters < 7 {
                return Err(source.len());
            }
            if let Some(wrong) =
                (0..7 - letters).find(|more| source.get(at + more).is_some_and(|letter| *letter != b'='))
            {
                return Err(at + wrong - 1);
            }
            if matches!(letters, 3 | 6) {
                return Err(at - 1);
            }
            // What follows the padding is ignored.
            at = source.len();
            break;
        }
        unpack(bits, letters, &BASE_32, &mut bytes);
    }
    Ok(bytes)
}
