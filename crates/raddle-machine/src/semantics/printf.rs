//! printf's conversions, on the machine's memory.
//!
//! All of C11's conversions for integers, characters, strings, pointers and doubles; flags, width and precision
//! (`*` too), `%n`. Not: wide characters, `long double`: the run ends as unsupported.

use crate::semantics::memory::{Memory, MemoryFault};
use crate::semantics::pointer;
use raddle_ir::Width;
use raddle_semantics::signed;

pub(crate) enum Problem {
    Memory(MemoryFault, u64),
    Unsupported(String),
}

/// The next variadic argument, from the block that `va_start` made.
struct Arguments<'a> {
    memory: &'a mut Memory,
    at: u64,
    /// Printing an indeterminate value is a fault; otherwise some value is printed.
    strict: bool,
    /// The strings that were read, with their ends.
    strings: Vec<(u64, u32)>,
    counts: Vec<CountStore>,
}

/// What `%n` stores: where, the number, in how many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountStore {
    pub address: u64,
    pub count: u64,
    pub bits: u8,
}

impl Arguments<'_> {
    fn next(&mut self, width: Width) -> Result<u64, Problem> {
        let word = self.memory.word();
        let size = width.bytes(self.memory.model).next_multiple_of(word);
        let value = self.memory.load(self.at, width).map_err(|f| Problem::Memory(f, self.at))?;
        if !value.is_defined() && self.strict {
            return Err(Problem::Memory(MemoryFault::Indeterminate, self.at));
        }
        self.at += size as u64;
        Ok(value.bits)
    }
}

#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    hash: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// A text, the strings (address and length) that were read for it, and the stores of `%n`.
pub(crate) struct Formatted {
    pub text: Vec<u8>,
    pub strings: Vec<(u64, u32)>,
    pub counts: Vec<CountStore>,
}

/// Formats; `list` is the va_list as a C function receives it.
pub(crate) fn format(
    memory: &mut Memory,
    format: u64,
    list: u64,
    strict: bool,
) -> Result<Formatted, Problem> {
    let text = memory.c_string(format, 1 << 20).map_err(|f| Problem::Memory(f, format))?;
    let at = if memory.word() == 4 {
        list
    } else {
        memory.load(list + 8, Width::Pointer).map_err(|f| Problem::Memory(f, list))?.bits
    };
    let long = memory.word() as u8 * 8;
    let mut arguments = Arguments { memory, at, strict, strings: Vec::new(), counts: Vec::new() };
    arguments.strings.push((format, text.len() as u32 + 1));
    let mut out = Vec::new();
    let mut i = 0;
    while i < text.len() {
        if text[i] != b'%' {
            out.push(text[i]);
            i += 1;
            continue;
        }
        i += 1;
        let mut spec = Spec::default();
        while let Some(c) = text.get(i) {
            match c {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.hash = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            i += 1;
        }
        let mut number = |i: &mut usize| -> Result<Option<i64>, Problem> {
            if text.get(*i) == Some(&b'*') {
                *i += 1;
                return Ok(Some(signed(arguments.next(Width::Int(32))?, 32)));
            }
            let start = *i;
            let mut value = 0i64;
            while let Some(c) = text.get(*i).filter(|c| c.is_ascii_digit()) {
                value = (value * 10 + (c - b'0') as i64).min(1 << 20);
                *i += 1;
            }
            Ok((*i > start).then_some(value))
        };
        if let Some(width) = number(&mut i)? {
            if width < 0 {
                spec.minus = true;
            }
            spec.width = width.unsigned_abs().min(1 << 20) as usize;
        }
        if text.get(i) == Some(&b'.') {
            i += 1;
            let precision = number(&mut i)?.unwrap_or(0);
            spec.precision = usize::try_from(precision).ok();
        }
        let mut bits = 32u8;
        let mut long_double = false;
        loop {
            match text.get(i) {
                Some(b'h') => bits = if bits == 16 { 8 } else { 16 },
                Some(b'l') => {
                    bits = if bits >= long && bits != 32 || text.get(i.wrapping_sub(1)) == Some(&b'l') {
                        64
                    } else {
                        long
                    }
                }
                Some(b'j') => bits = 64,
                Some(b'z' | b't') => bits = long,
                Some(b'L') => long_double = true,
                _ => break,
            }
            i += 1;
        }
        let Some(conversion) = text.get(i).copied() else { break };
        i += 1;
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'b' => {
                let width = Width::Int(bits.max(32));
                let raw = arguments.next(width)?;
                integer(&mut out, &spec, conversion, raw, bits);
            }
            b'c' => {
                let c = arguments.next(Width::Int(32))? as u8;
                pad(&mut out, &spec, &[c], b"", false);
            }
            b's' => {
                let pointer = arguments.next(Width::Pointer)?;
                let limit = spec.precision.unwrap_or(1 << 24);
                let bytes = if pointer == 0 {
                    b"(null)".to_vec()
                } else {
                    let bytes =
                        arguments.memory.c_string(pointer, limit).map_err(|f| Problem::Memory(f, pointer))?;
                    let end = u32::from(bytes.len() < limit);
                    arguments.strings.push((pointer, bytes.len() as u32 + end));
                    bytes
                };
                let keep = bytes.len().min(limit);
                pad(&mut out, &spec, &bytes[..keep], b"", false);
            }
            b'p' => {
                let pointer = arguments.next(Width::Pointer)?;
                let value = arguments.memory.integer_from_pointer(raddle_semantics::Value::of(pointer)).bits;
                let text = if value == 0 { "(nil)".to_string() } else { format!("{value:#x}") };
                pad(&mut out, &spec, text.as_bytes(), b"", false);
            }
            // The analyses look for it in string constants.
            b'n' if arguments.memory.object(pointer::object(format)).is_none_or(|o| !o.constant) => {
                return Err(Problem::Unsupported(
                    "the conversion `%n` in a format that is not a string constant".to_string(),
                ));
            }
            b'n' => {
                let address = arguments.next(Width::Pointer)?;
                arguments.counts.push(CountStore { address, count: out.len() as u64, bits });
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if !long_double => {
                let value = f64::from_bits(arguments.next(Width::Double)?);
                float(&mut out, &spec, conversion, value);
            }
            other => {
                return Err(Problem::Unsupported(format!(
                    "the conversion `%{}{}` in a format string",
                    if long_double { "L" } else { "" },
                    other as char
                )));
            }
        }
    }
    Ok(Formatted { text: out, strings: arguments.strings, counts: arguments.counts })
}

/// Pads `prefix + body` to the width; zeros go between the two.
fn pad(out: &mut Vec<u8>, spec: &Spec, body: &[u8], prefix: &[u8], zeros: bool) {
    let fill = spec.width.saturating_sub(body.len() + prefix.len());
    if !spec.minus && !zeros {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    out.extend_from_slice(prefix);
    if !spec.minus && zeros {
        out.extend(std::iter::repeat_n(b'0', fill));
    }
    out.extend_from_slice(body);
    if spec.minus {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

fn integer(out: &mut Vec<u8>, spec: &Spec, conversion: u8, raw: u64, bits: u8) {
    let (magnitude, negative) = if matches!(conversion, b'd' | b'i') {
        let value = signed(raw, bits);
        (value.unsigned_abs(), value < 0)
    } else {
        (raw & raddle_semantics::mask(bits), false)
    };
    let mut digits = match conversion {
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'o' => format!("{magnitude:o}"),
        b'b' => format!("{magnitude:b}"),
        _ => magnitude.to_string(),
    };
    if let Some(precision) = spec.precision {
        if precision == 0 && magnitude == 0 {
            digits.clear();
        }
        if digits.len() < precision {
            digits = "0".repeat(precision - digits.len()) + &digits;
        }
    }
    if conversion == b'o' && spec.hash && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix: &[u8] = match conversion {
        b'd' | b'i' if negative => b"-",
        b'd' | b'i' if spec.plus => b"+",
        b'd' | b'i' if spec.space => b" ",
        b'x' if spec.hash && magnitude != 0 => b"0x",
        b'X' if spec.hash && magnitude != 0 => b"0X",
        _ => b"",
    };
    pad(out, spec, digits.as_bytes(), prefix, spec.zero && spec.precision.is_none());
}

fn float(out: &mut Vec<u8>, spec: &Spec, conversion: u8, value: f64) {
    let prefix: &[u8] = if value.is_sign_negative() {
        b"-"
    } else if spec.plus {
        b"+"
    } else if spec.space {
        b" "
    } else {
        b""
    };
    let magnitude = value.abs();
    let upper = conversion.is_ascii_uppercase();
    if !magnitude.is_finite() {
        let word = if magnitude.is_nan() { "nan" } else { "inf" };
        let word = if upper { word.to_uppercase() } else { word.to_string() };
        pad(out, spec, word.as_bytes(), prefix, false);
        return;
    }
    if conversion.eq_ignore_ascii_case(&b'a') {
        let body = hexadecimal(magnitude, spec.precision, spec.hash);
        let (prefix, body) = if upper {
            ([prefix, b"0X"].concat(), body.to_uppercase())
        } else {
            ([prefix, b"0x"].concat(), body)
        };
        pad(out, spec, body.as_bytes(), &prefix, spec.zero);
        return;
    }
    let precision = spec.precision.unwrap_or(6);
    let mut body = match conversion.to_ascii_lowercase() {
        b'f' => fixed(magnitude, precision, spec.hash),
        b'e' => exponent(magnitude, precision, spec.hash),
        _ => general(magnitude, precision.max(1), spec.hash),
    };
    if upper {
        body = body.to_uppercase();
    }
    pad(out, spec, body.as_bytes(), prefix, spec.zero);
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let mut text = format!("{value:.precision$}");
    if point && precision == 0 {
        text.push('.');
    }
    text
}

fn exponent(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{digits}{dot}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// What follows `0x`. As glibc: the digit before the point is 1 for normal numbers, 0 for others, and 2 when rounding
/// carries into it.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let power = match (field, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => field - 1023,
    };
    let mut mantissa = fraction | u64::from(field != 0) << 52;
    let precision = precision.unwrap_or_else(|| 13 - (fraction.trailing_zeros() as usize / 4).min(13));
    if precision < 13 {
        let drop = 4 * (13 - precision as u32);
        let (kept, rest, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1 << (drop - 1));
        let up = rest > half || rest == half && kept & 1 == 1;
        mantissa = (kept + u64::from(up)) << drop;
    }
    let digits = format!("{:013x}", mantissa & ((1 << 52) - 1));
    let digits = if precision <= 13 { digits[..precision].into() } else { format!("{digits:0<precision$}") };
    let dot = if point || precision > 0 { "." } else { "" };
    format!("{}{dot}{digits}p{power:+}", mantissa >> 52)
}

fn general(value: f64, precision: usize, point: bool) -> String {
    let scientific = format!("{value:.*e}", precision - 1);
    let power: i32 = scientific.split_once('e').and_then(|(_, p)| p.parse().ok()).unwrap_or(0);
    let text = if power < -4 || power >= precision as i32 {
        exponent(value, precision - 1, point)
    } else {
        fixed(value, (precision as i32 - 1 - power).max(0) as usize, point)
    };
    if point {
        return text;
    }
    let (digits, tail) = match text.find('e') {
        Some(at) => (text[..at].to_string(), text[at..].to_string()),
        None => (text, String::new()),
    };
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        digits
    };
    digits + &tail
}

#[cfg(test)]
mod tests {
    use super::hexadecimal;

    #[test]
    fn hexadecimal_floats_as_glibc_prints_them() {
        let show = |value, precision| hexadecimal(value, precision, false);
        assert_eq!(show(0.0, None), "0p+0");
        assert_eq!(show(0.5, None), "1p-1");
        assert_eq!(show(0.1, None), "1.999999999999ap-4");
        assert_eq!(show(1.5, Some(0)), "2p+0");
        assert_eq!(show(2.5, Some(3)), "1.400p+1");
        assert_eq!(show(0.1, Some(2)), "1.9ap-4");
        assert_eq!(show(1.0, Some(15)), "1.000000000000000p+0");
        assert_eq!(show(5e-324, None), "0.0000000000001p-1022");
    }
}
