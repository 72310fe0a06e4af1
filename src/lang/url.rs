//! URLs as Go reads and prints them: what a comparison of normalised URLs compares.
//!
//! Mirrors Go 1.26, `net/url`: `Parse` and `URL.String`. A text that comes back changed was escaped on the way.

use core::net::Ipv6Addr;
use std::fmt;

/// A text that `url.Parse` accepts, in the form that `URL.String` prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Url {
    scheme: String,
    /// Everything after the scheme and its colon.
    rest: String,
}

impl Url {
    /// Parses any URL, relative ones too; `None` where Go reports an error.
    pub fn parse(text: &str) -> Option<Url> {
        let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
            return None;
        }
        let (scheme, rest) = split_scheme(text)?;
        let scheme = scheme.to_ascii_lowercase();
        let (hierarchy, query) = match rest.split_once('?') {
            Some((hierarchy, query)) => (hierarchy, Some(query)),
            None => (rest, None),
        };
        let mut printed = hierarchy_of(&scheme, hierarchy)?;
        if let Some(query) = query {
            printed.push('?');
            printed.push_str(query);
        }
        if !fragment.is_empty() {
            printed.push('#');
            printed.push_str(&reprinted(fragment, Part::Fragment)?);
        }
        Some(Url { scheme, rest: printed })
    }

    /// The scheme, lower case; empty for a relative URL or a path.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
        }
        f.write_str(&self.rest)
    }
}

/// Scheme and the rest after its colon; an empty scheme when there is none; `None` for a colon without scheme.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return None,
            b':' => return Some((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Some(("", text))
}

/// Authority and path, printed.
fn hierarchy_of(scheme: &str, text: &str) -> Option<String> {
    let has_scheme = !scheme.is_empty();
    if !text.starts_with('/') {
        if has_scheme {
            return Some(text.to_owned());
        }
        let first = text.split('/').next().unwrap_or("");
        if first.contains(':') {
            return None;
        }
    }
    let authority_and_path = text.strip_prefix("//").filter(|_| has_scheme || !text.starts_with("///"));
    let Some(rest) = authority_and_path else {
        let path = reprinted(text, Part::Path)?;
        // What was escaped may now read as a scheme.
        let reads_as_scheme = !has_scheme && path.split('/').next().unwrap_or("").contains(':');
        return Some(if reads_as_scheme { format!("./{path}") } else { path });
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let host = host_of(scheme, host)?;
    let path = reprinted(path, Part::Path)?;
    Some(match user {
        Some(user) => format!("//{}@{host}{path}", user_of(user)?),
        None if host.is_empty() && path.is_empty() => String::new(),
        None => format!("//{host}{path}"),
    })
}

/// User and password, printed.
fn user_of(text: &str) -> Option<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !text.bytes().all(is_allowed) {
        return None;
    }
    let part = |text| Some(escape(&unescape(text, Part::User)?, Part::User));
    match text.split_once(':') {
        Some((user, password)) => Some(format!("{}:{}", part(user)?, part(password)?)),
        None => part(text),
    }
}

/// Host and port, printed.
fn host_of(scheme: &str, text: &str) -> Option<String> {
    let host = match text.rfind('[') {
        Some(0) => ip_literal(text)?,
        Some(_) => return None,
        None => {
            // A web address has one colon at most, other hosts may be lists of hosts with ports.
            let is_web = matches!(scheme, "http" | "https");
            let port = if is_web { text.find(':') } else { text.rfind(':') };
            if !port.is_none_or(|at| is_port(&text[at..])) {
                return None;
            }
            unescape(text, Part::Host)?
        }
    };
    Some(escape(&host, Part::Host))
}

/// `[address]`, perhaps with a zone, perhaps with a port.
fn ip_literal(text: &str) -> Option<Vec<u8>> {
    let end = text.rfind(']')?;
    let (address, port) = (&text[1..end], &text[end + 1..]);
    if !is_port(port) {
        return None;
    }
    let mut bytes = match address.find("%25") {
        Some(at) => [unescape(&address[..at], Part::Host)?, unescape(&address[at..], Part::Zone)?].concat(),
        None => unescape(address, Part::Host)?,
    };
    let literal = std::str::from_utf8(&bytes).ok()?;
    let (address, zone) = literal.split_once('%').map_or((literal, None), |(address, zone)| (address, Some(zone)));
    if address.parse::<Ipv6Addr>().is_err() || zone == Some("") {
        return None;
    }
    bytes.insert(0, b'[');
    bytes.push(b']');
    bytes.extend_from_slice(port.as_bytes());
    Some(bytes)
}

/// Whether a text is empty or a colon with digits or nothing.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The parts of a URL that escape differently.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    User,
    Host,
    Zone,
    Path,
    Fragment,
}

impl Part {
    /// Whether a byte stands for itself here.
    fn keeps(self, byte: u8) -> bool {
        let extra: &[u8] = match self {
            Part::User => b"$&+,;=",
            Part::Host | Part::Zone => b"!\"$&'()*+,:;<=>[]",
            Part::Path => b"$&+,/:;=@",
            Part::Fragment => b"!$&()*+,/:;=?@",
        };
        byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || extra.contains(&byte)
    }
}

/// A path or fragment as it is printed: as written when that is a valid escaping, else escaped afresh.
fn reprinted(text: &str, part: Part) -> Option<String> {
    let bytes = unescape(text, part)?;
    let is_escaped = text.bytes().all(|byte| b"!'()*[]%".contains(&byte) || part.keeps(byte));
    Some(if is_escaped { text.to_owned() } else { escape(&bytes, part) })
}

fn escape(bytes: &[u8], part: Part) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if part.keeps(byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// The bytes that a text stands for; `None` for a malformed or forbidden escape or character.
fn unescape(text: &str, part: Part) -> Option<Vec<u8>> {
    let is_host = matches!(part, Part::Host | Part::Zone);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            if is_host && first.is_ascii() && !part.keeps(first) {
                return None;
            }
            bytes.push(first);
            continue;
        }
        let (digits, after) = rest.split_first_chunk::<2>()?;
        rest = after;
        let byte = hex(digits[0])? << 4 | hex(digits[1])?;
        let is_allowed = match part {
            Part::Host => byte >= 0x80 || digits == b"25",
            Part::Zone => digits == b"25" || byte == b' ' || part.keeps(byte),
            _ => true,
        };
        if !is_allowed {
            return None;
        }
        bytes.push(byte);
    }
    Some(bytes)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Option<String> {
        Url::parse(text).map(|url| url.to_string())
    }

    #[test]
    fn plain_urls_and_paths_come_back_as_they_are() {
        for text in ["https://h/a/b", "a/b", "/a", "//h/a", "file:///a", "mailto:x@y", "x:", "s:/a", "h?q#f", ""] {
            assert_eq!(printed(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn the_scheme_is_lower_case_and_may_be_missing() {
        let scheme = |text| Url::parse(text).map(|url| url.scheme().to_owned());
        assert_eq!(scheme("HTTPS://h/a").as_deref(), Some("https"));
        assert_eq!(scheme("c:a").as_deref(), Some("c"));
        assert_eq!(scheme("a/b:c").as_deref(), Some(""));
        assert_eq!(scheme("1a:b"), None);
        assert_eq!(scheme(":a"), None);
    }

    #[test]
    fn a_path_is_escaped_when_it_was_not() {
        assert_eq!(printed("https://h/a b").as_deref(), Some("https://h/a%20b"));
        assert_eq!(printed("https://h/*/{x}").as_deref(), Some("https://h/%2A/%7Bx%7D"));
        assert_eq!(printed("https://h/*/[x]").as_deref(), Some("https://h/*/[x]"));
        assert_eq!(printed("https://h/é").as_deref(), Some("https://h/%C3%A9"));
        assert_eq!(printed("https://h/%2f%41").as_deref(), Some("https://h/%2f%41"));
    }

    #[test]
    fn malformed_urls_are_refused() {
        for text in [
            "https://h:*/x",
            "https://h:a/x",
            "https://a:1:2/x",
            "*://h/x",
            "ssh://git@h:org/repo",
            "https://h h/x",
            "https://h/%zz",
            "https://h/%a",
            "https://us er@h/x",
            "https://[::1/x",
            "https://[1.2.3.4]/x",
            "https://[::1%25]/x",
            "a\nb",
        ] {
            assert_eq!(printed(text), None, "{text}");
        }
    }

    #[test]
    fn hosts_may_be_addresses_with_zone_and_port() {
        assert_eq!(printed("https://[fe80::1%25en0]:80/x").as_deref(), Some("https://[fe80::1%25en0]:80/x"));
        assert_eq!(printed("ssh://a:1,b:2/x").as_deref(), Some("ssh://a:1,b:2/x"));
    }
}
