//! Numbers in templates: one literal, every type that can hold it.

use super::ast::Number;
use super::lex::TokenKind;
use super::literal::{self, parse_float, parse_int, parse_uint};

impl Number {
    /// Reads a number token.
    ///
    /// # Errors
    /// Go's words.
    pub(super) fn read(text: &str, kind: &TokenKind) -> Result<Number, String> {
        let number = Number { text: text.to_owned(), ..Number::default() };
        match kind {
            TokenKind::CharConstant => {
                let code = literal::unquote_char(text)?;
                Ok(Number { int: Some(code), uint: Some(code as u64), float: Some(code as f64), ..number })
            }
            TokenKind::Complex => {
                let parts = complex(text).ok_or_else(|| "syntax error scanning complex number".to_owned())?;
                Ok(number.with_complex(parts))
            }
            _ => match text.strip_suffix('i').map(parse_float) {
                Some(Ok(imaginary)) => Ok(number.with_complex((0.0, imaginary))),
                _ => number.with_real(),
            },
        }
    }

    fn with_complex(mut self, (real, imaginary): (f64, f64)) -> Number {
        self.complex = Some((real, imaginary));
        if imaginary == 0.0 {
            (self.float, self.int, self.uint) = (Some(real), whole(real), whole_unsigned(real));
        }
        self
    }

    fn with_real(mut self) -> Result<Number, String> {
        self.uint = parse_uint(&self.text, 0).ok();
        self.int = parse_int(&self.text, 0).ok();
        if self.int == Some(0) {
            self.uint = Some(0);
        }
        self.float = self.int.map(|int| int as f64).or(self.uint.map(|uint| uint as f64));
        if self.float.is_some() {
            return Ok(self);
        }
        match parse_float(&self.text) {
            Ok(_) if !self.text.contains(['.', 'e', 'E', 'p', 'P']) => {
                Err(format!("integer overflow: {}", literal::quote(&self.text, false)))
            }
            Ok(float) => {
                (self.float, self.int, self.uint) = (Some(float), whole(float), whole_unsigned(float));
                Ok(self)
            }
            Err(_) => Err(format!("illegal number syntax: {}", literal::quote(&self.text, false))),
        }
    }
}

fn complex(text: &str) -> Option<(f64, f64)> {
    let text = text.strip_suffix('i')?;
    let split = (1..text.len()).rev().find(|at| {
        let bytes = text.as_bytes();
        matches!(bytes[*at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P')
    })?;
    Some((parse_float(&text[..split]).ok()?, parse_float(&text[split..]).ok()?))
}

fn whole(float: f64) -> Option<i64> {
    let fits = float.fract() == 0.0 && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&float);
    fits.then_some(float as i64)
}

fn whole_unsigned(float: f64) -> Option<u64> {
    (float.fract() == 0.0 && (0.0..18_446_744_073_709_551_616.0).contains(&float)).then_some(float as u64)
}
