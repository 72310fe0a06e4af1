//! Go's durations: `1h30m`, `-1.5s`, `0`.
//!
//! Mirrors Go 1.26, `time.ParseDuration`.

/// Nanoseconds; `None` where Go reports an error, also for what does not fit.
pub fn parse(text: &str) -> Option<i64> {
    let (is_negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let whole = rest.bytes().take_while(is_digit).count();
        let value: u64 = if whole == 0 { 0 } else { rest[..whole].parse().ok().filter(|value| *value <= 1 << 63)? };
        let mut after = &rest[whole..];
        let mut fraction = "";
        if let Some(digits) = after.strip_prefix('.') {
            let count = digits.bytes().take_while(is_digit).count();
            (fraction, after) = digits.split_at(count);
        }
        if whole == 0 && fraction.is_empty() {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let unit: u64 = match &after[..end] {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        rest = &after[end..];
        // Digits that cannot matter any more are cut, as in Go.
        let kept = &fraction[..fraction.len().min(18)];
        let part =
            kept.parse::<u64>().map_or(0.0, |digits| digits as f64 * (unit as f64 / 10_f64.powi(kept.len() as i32)));
        total = total.checked_add(value.checked_mul(unit)?)?.checked_add(part as u64)?;
        if total > 1 << 63 {
            return None;
        }
    }
    if is_negative {
        return Some((total as i64).wrapping_neg());
    }
    i64::try_from(total).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up() {
        assert_eq!(parse("1h30m"), Some(5_400_000_000_000));
        assert_eq!(parse("1.5s"), Some(1_500_000_000));
        assert_eq!(parse("-1m"), Some(-60_000_000_000));
        assert_eq!(parse("0"), Some(0));
    }

    #[test]
    fn a_number_needs_a_unit() {
        for text in ["", "1", "1d", "h", "1h 30m", "1.h.m", "9999999999h"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
