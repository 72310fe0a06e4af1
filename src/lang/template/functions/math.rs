//! Arithmetic on whole numbers, floats, and floats by way of decimals.
//!
//! Mirrors sprig 3.3, numeric.go, over shopspring/decimal 1.4.

use super::coercion::{to_float, to_int};
use super::{Call, Function, Outcome, Type};
use crate::lang::template::datum::Datum;
use crate::lang::template::env::Fault;
use crate::lang::template::literal::{BadNumber, parse_int, scaled};
use crate::lang::template::{float, fmt};

use Type::{Any, Float, Int, String as Text};

pub(super) const TABLE: &[Function] = &[
    Function::new("add", &[], |call| fold(call, 0, i64::wrapping_add)).rest(Any),
    Function::new("add1", &[Any], |call| Ok(Datum::int64(to_int(call.any(0)).wrapping_add(1)))),
    Function::new("add1f", &[Any], |call| {
        let sum = Decimal::new(to_float(call.any(0)))?.add(Decimal { units: 1, exponent: 0 })?;
        Ok(Datum::Float(sum.to_float()))
    }),
    Function::new("addf", &[], |call| {
        let zero = Decimal { units: 0, exponent: 0 };
        decimals(call, 0, zero, Decimal::add)
    })
    .rest(Any),
    Function::new("atoi", &[Text], atoi),
    Function::new("biggest", &[Any], |call| extreme(call, i64::max)).rest(Any),
    Function::new("ceil", &[Any], |call| Ok(Datum::Float(to_float(call.any(0)).ceil()))),
    Function::new("div", &[Any, Any], |call| divided(call, i64::wrapping_div)),
    Function::new("divf", &[Any], |call| decimals(call, 1, first_decimal(call)?, Decimal::div)).rest(Any),
    Function::new("float64", &[Any], |call| Ok(Datum::Float(to_float(call.any(0))))),
    Function::new("floor", &[Any], |call| Ok(Datum::Float(to_float(call.any(0)).floor()))),
    Function::new("int", &[Any], |call| Ok(Datum::int(to_int(call.any(0))))),
    Function::new("int64", &[Any], |call| Ok(Datum::int64(to_int(call.any(0))))),
    Function::new("max", &[Any], |call| extreme(call, i64::max)).rest(Any),
    Function::new("maxf", &[Any], |call| extreme_float(call, |a, b| a > b || (a == b && a.is_sign_positive())))
        .rest(Any),
    Function::new("min", &[Any], |call| extreme(call, i64::min)).rest(Any),
    Function::new("minf", &[Any], |call| extreme_float(call, |a, b| a < b || (a == b && a.is_sign_negative())))
        .rest(Any),
    Function::new("mod", &[Any, Any], |call| divided(call, i64::wrapping_rem)),
    Function::new("mul", &[Any], |call| fold(call, 1, i64::wrapping_mul)).rest(Any),
    Function::new("mulf", &[Any], |call| decimals(call, 1, first_decimal(call)?, Decimal::mul)).rest(Any),
    Function::undecidable("randInt", &[Int, Int], "a random number"),
    Function::new("round", &[Any, Int], round).rest(Float),
    Function::new("sub", &[Any, Any], |call| Ok(Datum::int64(to_int(call.any(0)).wrapping_sub(to_int(call.any(1)))))),
    Function::new("subf", &[Any], |call| decimals(call, 1, first_decimal(call)?, Decimal::sub)).rest(Any),
    Function::new("toDecimal", &[Any], |call| {
        let text = fmt::sprint(call.env, call.any(0))?;
        Ok(Datum::int64(parse_int(&text, 8).unwrap_or(0)))
    }),
];

fn fold(call: &Call<'_>, start: i64, combine: fn(i64, i64) -> i64) -> Outcome {
    Ok(Datum::int64(call.rest(0).map(to_int).fold(start, combine)))
}

fn extreme(call: &Call<'_>, pick: fn(i64, i64) -> i64) -> Outcome {
    Ok(Datum::int64(call.rest(0).map(to_int).reduce(pick).unwrap_or(0)))
}

/// The number that wins over all others; one that is no number wins over everything.
fn extreme_float(call: &Call<'_>, wins: fn(f64, f64) -> bool) -> Outcome {
    let pick = |a: f64, b: f64| {
        if a.is_nan() || wins(a, b) {
            a
        } else if b.is_nan() || !wins(a, b) {
            b
        } else {
            a
        }
    };
    Ok(Datum::Float(call.rest(0).map(to_float).reduce(pick).unwrap_or(0.0)))
}

fn divided(call: &Call<'_>, divide: fn(i64, i64) -> i64) -> Outcome {
    match to_int(call.any(1)) {
        0 => Err(Fault::failed("runtime error: integer divide by zero")),
        divisor => Ok(Datum::int64(divide(to_int(call.any(0)), divisor))),
    }
}

/// A number too large is the largest one; anything else that is none is zero.
fn atoi(call: &Call<'_>) -> Outcome {
    let text = call.string(0)?;
    Ok(Datum::int(match parse_int(text, 10) {
        Ok(value) => value,
        Err(BadNumber::Range) if text.starts_with('-') => i64::MIN,
        Err(BadNumber::Range) => i64::MAX,
        Err(BadNumber::Syntax) => 0,
    }))
}

/// Rounds up when the fraction reaches the threshold, else down, also below zero.
fn round(call: &Call<'_>) -> Outcome {
    let (value, places) = (to_float(call.any(0)), call.int(1)?);
    let threshold = if call.args.len() > 2 { call.float(2)? } else { 0.5 };
    let power = power_of_ten(places);
    let shifted = power * value;
    let rounded = if shifted.fract() >= threshold { shifted.ceil() } else { shifted.floor() };
    Ok(Datum::Float(rounded / power))
}

/// `math.Pow(10, places)`, by Go's own multiplications: the last bit depends on their order.
fn power_of_ten(places: i64) -> f64 {
    let mut rest = places.unsigned_abs();
    if rest >= 1 << 20 {
        return if places > 0 { f64::INFINITY } else { 0.0 };
    }
    let (mut power, mut exponent) = (1.0_f64, 0_i32);
    // 10 is 0.625 * 2^4.
    let (mut factor, mut factor_exponent) = (0.625_f64, 4_i32);
    while rest > 0 {
        if !(-4096..=4096).contains(&factor_exponent) {
            exponent += factor_exponent;
            break;
        }
        if rest & 1 == 1 {
            power *= factor;
            exponent += factor_exponent;
        }
        factor *= factor;
        factor_exponent *= 2;
        if factor < 0.5 {
            factor += factor;
            factor_exponent -= 1;
        }
        rest >>= 1;
    }
    if places < 0 {
        (power, exponent) = (1.0 / power, -exponent);
    }
    scaled(power, exponent)
}

/// A decimal number, `units × 10^exponent`. Larger ones than fit are unknown.
#[derive(Clone, Copy)]
struct Decimal {
    units: i128,
    exponent: i32,
}

/// Digits after the point that a division keeps.
const DIVISION_DIGITS: i32 = 16;

impl Decimal {
    /// The shortest decimal that reads back as `value`.
    fn new(value: f64) -> Result<Decimal, Fault> {
        if !value.is_finite() {
            return Err(Fault::Failed(format!("Cannot create a Decimal from {}", float::shown(value))));
        }
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let places = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i32);
        let units = mantissa.replace('.', "").parse().unwrap_or(0);
        let exponent = if units == 0 { 0 } else { exponent.parse().unwrap_or(0) - places };
        Ok(Decimal { units, exponent })
    }

    fn to_float(self) -> f64 {
        format!("{}e{}", self.units, self.exponent).parse().unwrap_or(0.0)
    }

    fn rescaled(self, exponent: i32) -> Result<i128, Fault> {
        if self.units == 0 {
            return Ok(0);
        }
        shifted(self.units, self.exponent - exponent)
    }

    fn add(self, other: Decimal) -> Result<Decimal, Fault> {
        let exponent = self.exponent.min(other.exponent);
        let sum = self.rescaled(exponent)?.checked_add(other.rescaled(exponent)?);
        Ok(Decimal { units: sum.ok_or_else(too_long)?, exponent })
    }

    fn sub(self, other: Decimal) -> Result<Decimal, Fault> {
        self.add(Decimal { units: -other.units, ..other })
    }

    fn mul(self, other: Decimal) -> Result<Decimal, Fault> {
        let units = self.units.checked_mul(other.units).ok_or_else(too_long)?;
        Ok(Decimal { units, exponent: self.exponent + other.exponent })
    }

    /// Rounds the last digit half away from zero.
    fn div(self, other: Decimal) -> Result<Decimal, Fault> {
        if other.units == 0 {
            return Err(Fault::failed("decimal division by 0"));
        }
        let shift = self.exponent - other.exponent + DIVISION_DIGITS;
        let (dividend, divisor) = if self.units == 0 {
            (0, 1)
        } else if shift < 0 {
            (self.units, shifted(other.units, -shift)?)
        } else {
            (shifted(self.units, shift)?, other.units)
        };
        let (quotient, rest) = (dividend / divisor, dividend % divisor);
        let rounds = rest.unsigned_abs().saturating_mul(2) >= divisor.unsigned_abs();
        let step = if (dividend < 0) == (divisor < 0) { 1 } else { -1 };
        let units = if rounds { quotient.checked_add(step).ok_or_else(too_long)? } else { quotient };
        Ok(Decimal { units, exponent: -DIVISION_DIGITS })
    }
}

fn shifted(units: i128, digits: i32) -> Result<i128, Fault> {
    let factor = u32::try_from(digits).ok().and_then(|digits| 10_i128.checked_pow(digits));
    factor.and_then(|factor| units.checked_mul(factor)).ok_or_else(too_long)
}

fn too_long() -> Fault {
    Fault::runtime("a decimal number of more than 38 digits")
}

fn first_decimal(call: &Call<'_>) -> Result<Decimal, Fault> {
    Decimal::new(to_float(call.any(0)))
}

fn decimals(
    call: &Call<'_>,
    from: usize,
    start: Decimal,
    combine: fn(Decimal, Decimal) -> Result<Decimal, Fault>,
) -> Outcome {
    let mut result = start;
    for datum in call.rest(from) {
        result = combine(result, Decimal::new(to_float(datum))?)?;
    }
    Ok(Datum::Float(result.to_float()))
}
