//! Text in XML 1.0, for the formats that are.

use super::escape;
use std::fmt::Write as _;

/// Text for an attribute or between tags. What XML cannot hold is written as `\u{…}`.
pub fn text(text: &str) -> String {
    escape(text).chars().fold(String::with_capacity(text.len()), |mut out, character| {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\u{fffe}' | '\u{ffff}' => {
                write!(out, "\\u{{{:x}}}", u32::from(character)).expect("a string takes all text");
            }
            _ => out.push(character),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn text_never_leaves_its_place() {
        assert_eq!(text("]]><a b='c\"&amp;"), "]]&gt;&lt;a b=&#39;c&quot;&amp;amp;");
    }

    #[test]
    fn what_xml_cannot_hold_is_shown() {
        assert_eq!(text("\0\u{1b}\u{ffff}\u{fffe}\u{202e}\n"), "\\u{0}\\u{1b}\\u{ffff}\\u{fffe}\\u{202e}\\u{a}");
    }
}
