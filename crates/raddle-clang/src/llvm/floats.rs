//! Floating-point literals of the text, as the bits of their format.
//!
//! A decimal literal is a double, converted; `0x` gives the bits of a double even for `float`; `0xH`, `0xR`,
//! `0xK`, `0xL` and `0xM` give the bits of half, bfloat, x87, quad and double-double; `f0x` gives the bits of the
//! type itself (newer texts).

use super::ast::FloatKind;

/// The bits of a literal; `None` if it is not one of this format.
pub(super) fn read(kind: FloatKind, text: &str) -> Option<u128> {
    if let Some(digits) = text.strip_prefix("f0x") {
        return u128::from_str_radix(digits, 16).ok();
    }
    if let Some(digits) = text.strip_prefix("0x") {
        let rest = digits.get(1..)?;
        return match (digits.as_bytes().first()?, kind) {
            (b'H', FloatKind::Half) | (b'R', FloatKind::BFloat) | (b'K', FloatKind::X86Fp80) => {
                u128::from_str_radix(rest, 16).ok()
            }
            // The two halves are written least first.
            (b'L', FloatKind::Fp128) | (b'M', FloatKind::PpcFp128) => {
                let low = u64::from_str_radix(rest.get(..16)?, 16).ok()?;
                let high = u64::from_str_radix(rest.get(16..)?, 16).ok()?;
                Some(u128::from(high) << 64 | u128::from(low))
            }
            _ => Some(of_double(kind, f64::from_bits(u64::from_str_radix(digits, 16).ok()?))),
        };
    }
    let (sign, magnitude) = match text.as_bytes().first()? {
        b'-' => (-1.0, text.get(1..)?),
        b'+' => (1.0, text.get(1..)?),
        _ => (1.0, text),
    };
    let value = match magnitude {
        "inf" => f64::INFINITY,
        "nan" | "qnan" | "snan" => f64::NAN,
        _ if magnitude.as_bytes().first()?.is_ascii_digit() => magnitude.parse().ok()?,
        _ => return None,
    };
    Some(of_double(kind, f64::copysign(value, sign)))
}

/// A double in another format, rounded to nearest even where it is narrower.
fn of_double(kind: FloatKind, value: f64) -> u128 {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63);
    match kind {
        FloatKind::Double => u128::from(bits),
        FloatKind::Float if value.is_nan() => {
            // A conversion by the processor would make a signalling NaN quiet.
            sign << 31 | 0xff << 23 | u128::from(bits >> 29 & 0x7f_ffff).max(1)
        }
        FloatKind::Float => u128::from((value as f32).to_bits()),
        FloatKind::Half => narrow(bits, 5, 10),
        FloatKind::BFloat => narrow(bits, 8, 7),
        FloatKind::X86Fp80 => {
            let (exponent, fraction) = widen(bits, 63);
            sign << 79 | exponent << 64 | u128::from(exponent != 0) << 63 | fraction
        }
        FloatKind::Fp128 => {
            let (exponent, fraction) = widen(bits, 112);
            sign << 127 | exponent << 112 | fraction
        }
        FloatKind::PpcFp128 => u128::from(bits),
    }
}

/// Exponent (15 bits) and fraction of a double in a wider format.
fn widen(bits: u64, fraction_bits: u32) -> (u128, u128) {
    let exponent = bits >> 52 & 0x7ff;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let up = fraction_bits - 52;
    match exponent {
        0 if fraction == 0 => (0, 0),
        0 => {
            // A subnormal double is normal here: shift its first bit into the place of the hidden one.
            let shift = fraction.leading_zeros() - (127 - 52);
            let exponent = u128::from(16383 - 1022 - shift);
            (exponent, (fraction << shift & ((1 << 52) - 1)) << up)
        }
        0x7ff => (0x7fff, fraction << up),
        _ => (u128::from(exponent + 16383 - 1023), fraction << up),
    }
}

/// A double in a narrower format.
fn narrow(bits: u64, exponent_bits: u32, fraction_bits: u32) -> u128 {
    let sign = bits >> 63 << (exponent_bits + fraction_bits);
    let maximum = (1i64 << exponent_bits) - 1;
    let bias = maximum >> 1;
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0x7ff {
        let payload = if fraction == 0 { 0 } else { (fraction >> (52 - fraction_bits)).max(1) };
        return u128::from(sign | (maximum as u64) << fraction_bits | payload);
    }
    let exponent = exponent - 1023 + bias;
    if exponent >= maximum {
        return u128::from(sign | (maximum as u64) << fraction_bits);
    }
    let (mantissa, drop) = if exponent > 0 {
        ((exponent as u64) << 52 | fraction, 52 - fraction_bits)
    } else {
        let drop = 52 - i64::from(fraction_bits) + 1 - exponent;
        if drop > 54 {
            return u128::from(sign);
        }
        (1 << 52 | fraction, drop as u32)
    };
    let half = 1u64 << (drop - 1);
    let mut result = mantissa >> drop;
    let rest = mantissa & ((1 << drop) - 1);
    if rest > half || (rest == half && result & 1 == 1) {
        result += 1;
    }
    u128::from(sign | result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: FloatKind, text: &str, bits: u128) {
        assert_eq!(read(kind, text), Some(bits), "{text}");
    }

    #[test]
    fn literals_have_the_bits_of_their_type() {
        check(FloatKind::Double, "1.000000e+00", 0x3ff0_0000_0000_0000);
        check(FloatKind::Double, "-0.0", 0x8000_0000_0000_0000);
        check(FloatKind::Double, "0x7FF8000000000000", 0x7ff8_0000_0000_0000);
        check(FloatKind::Float, "1.500000e+00", 0x3fc0_0000);
        check(FloatKind::Float, "0x3FB99999A0000000", 0x3dcc_cccd);
        check(FloatKind::Float, "0x7FF4000000000000", 0x7fa0_0000);
        check(FloatKind::Float, "-inf", 0xff80_0000);
        check(FloatKind::Half, "0xH3C00", 0x3c00);
        check(FloatKind::Half, "1.0", 0x3c00);
        check(FloatKind::Half, "65504.0", 0x7bff);
        check(FloatKind::Half, "65520.0", 0x7c00);
        check(FloatKind::Half, "5.9604644775390625e-08", 1);
        check(FloatKind::BFloat, "0xR3F80", 0x3f80);
        check(FloatKind::BFloat, "1.0", 0x3f80);
        check(FloatKind::X86Fp80, "0xK3FFF8000000000000000", 0x3fff_8000_0000_0000_0000);
        check(FloatKind::X86Fp80, "1.0", 0x3fff_8000_0000_0000_0000);
        check(FloatKind::X86Fp80, "5e-324", 0x3bcd_8000_0000_0000_0000);
        check(FloatKind::Fp128, "0xL00000000000000003FFF000000000000", 0x3fff << 112);
        check(FloatKind::Fp128, "1.0", 0x3fff << 112);
        check(FloatKind::Float, "f0x3F800000", 0x3f80_0000);
    }

    #[test]
    fn malformed_literals_are_refused() {
        for text in ["", "0x", "0xK", "0xL1", "-", "abc", "1.0.0", "0xZZ", "f0x"] {
            assert_eq!(read(FloatKind::Double, text), None, "{text}");
            assert_eq!(read(FloatKind::Fp128, text), None, "{text}");
        }
    }
}
