//! Interim resolution until resolve.rs lands.
#![allow(missing_docs)]
use super::*;
use std::borrow::Cow;
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scalar<'t> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    Text(&'t str),
}
impl<'t> Node<'t> {
    pub fn scalar(self) -> Option<Scalar<'t>> {
        let text = self.text()?;
        if self.style() != Style::Plain {
            return Some(Scalar::Text(text));
        }
        Some(match text {
            "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
            "true" | "True" | "TRUE" | "yes" | "Yes" | "on" | "On" | "y" | "Y" => Scalar::Bool(true),
            "false" | "False" | "FALSE" | "no" | "No" | "off" | "Off" | "n" | "N" => Scalar::Bool(false),
            _ => {
                if let Ok(i) = text.parse::<i64>() {
                    Scalar::Int(i)
                } else if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
                    && text.parse::<f64>().is_ok()
                {
                    Scalar::Float(text.parse().unwrap_or(0.0))
                } else {
                    Scalar::Text(text)
                }
            }
        })
    }
    pub fn as_str(self) -> Option<&'t str> {
        match self.scalar()? {
            Scalar::Text(t) => Some(t),
            _ => None,
        }
    }
    pub fn key_text(self) -> Cow<'t, str> {
        match self.scalar() {
            Some(Scalar::Bool(b)) => Cow::Owned(b.to_string()),
            _ => Cow::Borrowed(self.text().unwrap_or("")),
        }
    }
    pub fn get(self, key: &str) -> Option<Node<'t>> {
        let mut found = None;
        let mut merged = None;
        for e in self.pairs() {
            if e.key.text() == Some(key) {
                found = Some(e.value);
            }
            if e.key.text() == Some("<<") && e.key.style() == Style::Plain {
                if e.value.kind() == Kind::Mapping {
                    merged = merged.or(e.value.get(key));
                }
                for i in e.value.items() {
                    merged = merged.or(i.get(key));
                }
            }
        }
        found.or(merged)
    }
    pub fn at(self, path: &[&str]) -> Option<Node<'t>> {
        path.iter().try_fold(self, |n, k| n.get(k))
    }
    pub fn entries(self) -> impl Iterator<Item = Entry<'t>> {
        let mut out: Vec<Entry<'t>> = Vec::new();
        for e in self.pairs() {
            if e.key.text() == Some("<<") && e.key.style() == Style::Plain {
                continue;
            }
            out.retain(|o| o.key.key_text() != e.key.key_text());
            out.push(e);
        }
        for e in self.pairs() {
            if e.key.text() == Some("<<") && e.key.style() == Style::Plain {
                let sources: Vec<Node<'t>> =
                    if e.value.kind() == Kind::Mapping { vec![e.value] } else { e.value.items().collect() };
                for s in sources {
                    for m in s.entries().collect::<Vec<_>>() {
                        if !out.iter().any(|o| o.key.key_text() == m.key.key_text()) {
                            out.push(m);
                        }
                    }
                }
            }
        }
        out.into_iter()
    }
}
pub fn decode(b: Vec<u8>) -> Result<String, std::string::FromUtf8Error> {
    String::from_utf8(b)
}
