//! Floats as Go prints them: the fewest digits that read back, or a fixed number of them.

/// The decimal digits of a finite, positive number: `0.d1d2d3… × 10^point`.
struct Digits {
    digits: Vec<u8>,
    point: i32,
}

impl Digits {
    /// The fewest that read back as `value`.
    fn shortest(value: f64) -> Digits {
        Digits::of(&format!("{value:e}"))
    }

    /// This many after the first one, correctly rounded.
    fn rounded(value: f64, after_first: usize) -> Digits {
        Digits::of(&format!("{value:.after_first$e}"))
    }

    fn of(scientific: &str) -> Digits {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        let is_zero = digits.iter().all(|digit| *digit == b'0');
        let point = if is_zero { 1 } else { exponent.parse().unwrap_or(0) + 1 };
        Digits { digits, point }
    }

    /// `d.ddde±dd` with this many digits after the point.
    fn scientific(&self, precision: usize, letter: char) -> String {
        let mut text = String::new();
        text.push(char::from(self.digits.first().copied().unwrap_or(b'0')));
        if precision > 0 {
            text.push('.');
            text.extend((1..=precision).map(|at| char::from(self.digits.get(at).copied().unwrap_or(b'0'))));
        }
        let is_zero = self.digits.iter().all(|digit| *digit == b'0');
        let exponent = if is_zero { 0 } else { self.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("{letter}{sign}{:02}", exponent.abs()));
        text
    }

    /// `ddd.ddd` with this many digits after the point.
    fn plain(&self, precision: usize) -> String {
        let digit = |at: i32| {
            let digit = usize::try_from(at).ok().and_then(|at| self.digits.get(at));
            char::from(digit.copied().unwrap_or(b'0'))
        };
        let mut text: String = if self.point > 0 { (0..self.point).map(digit).collect() } else { "0".into() };
        if precision > 0 {
            text.push('.');
            text.extend((0..precision as i32).map(|at| digit(self.point + at)));
        }
        text
    }
}

/// `strconv.FormatFloat(value, verb, precision, 64)`; no precision is the shortest. `verb` is one of `eEfgG`.
pub(super) fn format(value: f64, verb: char, precision: Option<usize>) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let value = value.abs();
    if value.is_infinite() {
        return if sign.is_empty() { "+Inf".into() } else { "-Inf".into() };
    }
    let text = match verb {
        'e' | 'E' => match precision {
            Some(precision) => Digits::rounded(value, precision).scientific(precision, verb),
            None => {
                let digits = Digits::shortest(value);
                digits.scientific(digits.digits.len() - 1, verb)
            }
        },
        'f' => match precision {
            Some(precision) => format!("{value:.precision$}"),
            None => {
                let digits = Digits::shortest(value);
                digits.plain((digits.digits.len() as i32 - digits.point).max(0) as usize)
            }
        },
        _ => general(value, if verb == 'G' { 'E' } else { 'e' }, precision),
    };
    format!("{sign}{text}")
}

/// Scientific when the exponent is below -4, or not below the precision (21 digits count as 6 when none is given).
fn general(value: f64, letter: char, precision: Option<usize>) -> String {
    let mut digits = match precision {
        None => Digits::shortest(value),
        Some(precision) => Digits::rounded(value, precision.max(1) - 1),
    };
    while digits.digits.len() > 1 && digits.digits.last() == Some(&b'0') {
        digits.digits.pop();
    }
    let count = digits.digits.len() as i32;
    let threshold = match precision {
        None => 6,
        Some(precision) => {
            let precision = precision.max(1) as i32;
            if precision > count && count >= digits.point { count } else { precision }
        }
    };
    let exponent = digits.point - 1;
    let is_zero = digits.digits == b"0";
    if !is_zero && (exponent < -4 || exponent >= threshold) {
        return digits.scientific(digits.digits.len() - 1, letter);
    }
    digits.plain((count - digits.point).max(0) as usize)
}

/// `%v`: what an action prints.
pub(super) fn shown(value: f64) -> String {
    format(value, 'g', None)
}

/// Go's conversion `int64(value)` on amd64: what does not fit becomes the least number.
pub(super) fn to_int(value: f64) -> i64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) { value as i64 } else { i64::MIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_tiny_numbers_are_scientific() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (1.10, "1.1"),
            (999_999.0, "999999"),
            (1_000_000.0, "1e+06"),
            (1_234_567.0, "1.234567e+06"),
            (123_456_789_012.0, "1.23456789012e+11"),
            (12_345_678_901_234_567_890.0, "1.2345678901234567e+19"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e100, "1e+100"),
            (f64::INFINITY, "+Inf"),
        ] {
            assert_eq!(shown(value), text);
        }
    }

    #[test]
    fn precision_rounds() {
        assert_eq!(format(2.5, 'f', Some(0)), "2");
        assert_eq!(format(1.005, 'f', Some(2)), "1.00");
        assert_eq!(format(1234.5678, 'e', Some(3)), "1.235e+03");
        assert_eq!(format(1234.5678, 'g', Some(3)), "1.23e+03");
        assert_eq!(format(100.0, 'g', Some(3)), "100");
        assert_eq!(format(1e21, 'f', None), "1000000000000000000000");
    }
}
