//! URLs taken apart and put together.
//!
//! Mirrors sprig 3.3, url.go, over Go 1.26's net/url.

use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::Datum;
use crate::lang::template::env::{Fault, not_text};
use crate::lang::template::literal;
use std::collections::BTreeMap;
use std::rc::Rc;

use Type::{Map as Dict, String as Text};

pub(super) const TABLE: &[Function] =
    &[Function::new("urlJoin", &[Dict], join), Function::new("urlParse", &[Text], parsed)];

/// A part of a URL, each with its own letters that need no escape.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    User,
    Host,
    Zone,
    QueryValue,
    Fragment,
}

fn needs_escape(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
        return false;
    }
    !match part {
        Part::Host | Part::Zone => matches!(
            byte,
            b'!' | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'['
                | b']'
                | b'<'
                | b'>'
                | b'"'
        ),
        Part::Path => matches!(byte, b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'@'),
        Part::User => matches!(byte, b'$' | b'&' | b'+' | b',' | b';' | b'='),
        Part::QueryValue => false,
        Part::Fragment => {
            matches!(
                byte,
                b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' | b'!' | b'(' | b')' | b'*'
            )
        }
    }
}

/// Escapes what may not stand in this part.
pub(super) fn escape(text: &str, part: Part) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte == b' ' && part == Part::QueryValue {
            out.push('+');
        } else if needs_escape(byte, part) {
            out.push_str(&format!("%{byte:02X}"));
        } else {
            out.push(char::from(byte));
        }
    }
    out
}

fn bad_escape(text: &str) -> Fault {
    Fault::Failed(format!("invalid URL escape {}", literal::quote(text, false)))
}

fn unescape(text: &str, part: Part) -> Result<String, Fault> {
    let (source, mut bytes, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = source.get(at) {
        if byte != b'%' {
            if matches!(part, Part::Host | Part::Zone) && byte < 0x80 && needs_escape(byte, part) {
                let shown = literal::quote(&char::from(byte).to_string(), false);
                return Err(Fault::Failed(format!("invalid character {shown} in host name")));
            }
            bytes.push(byte);
            at += 1;
            continue;
        }
        let digits = text.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let value = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let Some(value) = value else {
            return Err(bad_escape(&text.get(at..).unwrap_or("").chars().take(3).collect::<String>()));
        };
        let is_allowed = match part {
            Part::Host => value >= 0x80 || value == b'%',
            Part::Zone => value == b'%' || value == b' ' || !needs_escape(value, Part::Host),
            _ => true,
        };
        if !is_allowed {
            return Err(bad_escape(&text[at..at + 3]));
        }
        bytes.push(value);
        at += 3;
    }
    String::from_utf8(bytes).map_err(|_| not_text())
}

#[derive(Default)]
struct Url {
    scheme: String,
    opaque: String,
    user: Option<(String, Option<String>)>,
    host: String,
    path: String,
    query: String,
    fragment: String,
}

impl Url {
    fn parse(text: &str) -> Result<Url, Fault> {
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let named = |shown: &str, fault: Fault| match fault {
            Fault::Failed(message) => Fault::Failed(format!("parse {}: {message}", literal::quote(shown, false))),
            other => other,
        };
        let mut url = Url::parse_without_fragment(rest).map_err(|fault| named(rest, fault))?;
        url.fragment = unescape(fragment, Part::Fragment).map_err(|fault| named(text, fault))?;
        Ok(url)
    }

    fn parse_without_fragment(text: &str) -> Result<Url, Fault> {
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
            return Err(Fault::failed("net/url: invalid control character in URL"));
        }
        let mut url = Url::default();
        if text == "*" {
            url.path = text.to_owned();
            return Ok(url);
        }
        let (scheme, mut rest) = split_scheme(text)?;
        url.scheme = scheme.to_ascii_lowercase();
        if let Some((before, query)) = rest.split_once('?') {
            (rest, url.query) = (before, query.to_owned());
        }
        if !rest.starts_with('/') {
            if !url.scheme.is_empty() {
                url.opaque = rest.to_owned();
                return Ok(url);
            }
            if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
                return Err(Fault::failed("first path segment in URL cannot contain colon"));
            }
        }
        if rest.starts_with("//") && (!url.scheme.is_empty() || !rest.starts_with("///")) {
            let authority = &rest[2..];
            let end = authority.find('/').unwrap_or(authority.len());
            rest = &authority[end..];
            url.set_authority(&authority[..end])?;
        }
        url.path = unescape(rest, Part::Path)?;
        Ok(url)
    }

    fn set_authority(&mut self, authority: &str) -> Result<(), Fault> {
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        self.host = parse_host(&self.scheme, host)?;
        let Some(user) = user else { return Ok(()) };
        let is_valid = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
        if !user.chars().all(is_valid) {
            return Err(Fault::failed("net/url: invalid userinfo"));
        }
        let (name, password) = match user.split_once(':') {
            Some((name, password)) => (name, Some(unescape(password, Part::User)?)),
            None => (user, None),
        };
        self.user = Some((unescape(name, Part::User)?, password));
        Ok(())
    }

    fn user_text(&self) -> String {
        let Some((name, password)) = &self.user else { return String::new() };
        let name = escape(name, Part::User);
        match password {
            Some(password) => format!("{name}:{}", escape(password, Part::User)),
            None => name,
        }
    }

    /// Without port and brackets.
    fn host_name(&self) -> &str {
        let host = match self.host.rfind(':') {
            Some(colon) if is_port(&self.host[colon..]) => &self.host[..colon],
            _ => &self.host,
        };
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    fn text(&self) -> String {
        let mut out = String::new();
        if !self.scheme.is_empty() {
            out = format!("{}:", self.scheme);
        }
        if self.opaque.is_empty() {
            let has_authority = !self.host.is_empty() || self.user.is_some();
            if has_authority || !self.scheme.is_empty() && !self.path.is_empty() {
                out.push_str("//");
                if self.user.is_some() {
                    out.push_str(&self.user_text());
                    out.push('@');
                }
                out.push_str(&escape(&self.host, Part::Host));
            }
            let path = if self.path == "*" { "*".to_owned() } else { escape(&self.path, Part::Path) };
            if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
                out.push('/');
            }
            if out.is_empty() && path.split('/').next().is_some_and(|segment| segment.contains(':')) {
                out.push_str("./");
            }
            out.push_str(&path);
        } else {
            out.push_str(&self.opaque);
        }
        if !self.query.is_empty() {
            out.push('?');
            out.push_str(&self.query);
        }
        if !self.fragment.is_empty() {
            out.push('#');
            out.push_str(&escape(&self.fragment, Part::Fragment));
        }
        out
    }
}

fn split_scheme(text: &str) -> Result<(&str, &str), Fault> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err(Fault::failed("missing protocol scheme")),
            b':' => return Ok((&text[..at], &text[at + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn parse_host(scheme: &str, host: &str) -> Result<String, Fault> {
    let port = |text: &str| {
        if is_port(text) {
            return Ok(());
        }
        Err(Fault::Failed(format!("invalid port {} after host", literal::quote(text, false))))
    };
    match host.rfind('[') {
        Some(0) => {
            let Some(close) = host.rfind(']') else { return Err(Fault::failed("missing ']' in host")) };
            port(&host[close + 1..])?;
            let inner = &host[1..close];
            let name = match inner.find("%25") {
                Some(zone) => unescape(&inner[..zone], Part::Host)? + &unescape(&inner[zone..], Part::Zone)?,
                None => unescape(inner, Part::Host)?,
            };
            let address = name.split('%').next().unwrap_or("");
            if address.parse::<core::net::Ipv6Addr>().is_err() {
                // Go's words name what is wrong with the address, in detail.
                return Err(Fault::failed("invalid host"));
            }
            return Ok(format!("[{name}]{}", &host[close + 1..]));
        }
        Some(_) => return Err(Fault::failed("invalid IP-literal")),
        None => {}
    }
    if let (Some(first), Some(last)) = (host.find(':'), host.rfind(':')) {
        let is_strict = scheme == "http" || scheme == "https";
        port(&host[if is_strict { first } else { last }..])?;
    }
    unescape(host, Part::Host)
}

fn parsed(call: &Call<'_>) -> Outcome {
    let url = Url::parse(call.string(0)?).map_err(|fault| match fault {
        Fault::Failed(message) => Fault::Failed(format!("unable to parse url: {message}")),
        other => other,
    })?;
    let entries = [
        ("scheme", url.scheme.clone()),
        ("host", url.host.clone()),
        ("hostname", url.host_name().to_owned()),
        ("path", url.path.clone()),
        ("query", url.query.clone()),
        ("opaque", url.opaque.clone()),
        ("fragment", url.fragment.clone()),
        ("userinfo", url.user_text()),
    ];
    let entries = entries.into_iter().map(|(key, value)| (Rc::from(key), Datum::string(value)));
    Ok(Datum::map(entries.collect::<BTreeMap<_, _>>()))
}

fn join(call: &Call<'_>) -> Outcome {
    let entries = call.map(0)?.entries.borrow();
    let part = |key: &str| match entries.get(key) {
        None => Ok(String::new()),
        Some(Datum::String(text)) => Ok(text.to_string()),
        Some(Datum::Nil) => Err(super::nil_pointer()),
        Some(other) => {
            let kind = super::known(other)?.kind_name();
            Err(Fault::Failed(format!("unable to parse {key} key, must be of type string, but {kind} found")))
        }
    };
    let mut url = Url {
        scheme: part("scheme")?,
        host: part("host")?,
        path: part("path")?,
        query: part("query")?,
        opaque: part("opaque")?,
        fragment: part("fragment")?,
        user: None,
    };
    let user = part("userinfo")?;
    if !user.is_empty() {
        let other = Url::parse(&format!("proto://{user}@host")).map_err(|fault| match fault {
            Fault::Failed(message) => Fault::Failed(format!("unable to parse userinfo in dict: {message}")),
            other => other,
        })?;
        url.user = other.user;
    }
    call.env.text(url.text())
}
