//! Arithmetic on integers of more than 64 bits, limb by limb. Rare, so written for clarity: values are widened to
//! vectors of limbs, least significant first. Any indeterminate bit makes the whole result indeterminate, except that
//! and, or, xor, truncation, extension and shifts by known amounts keep each bit apart.

use raddle_ir::instruction::limbs;
use raddle_ir::{BinaryOp, CompareOp, FloatKind, Register, WideInst, WideOp};

use crate::semantics::arithmetic::ArithmeticFault;
use crate::semantics::value::{Value, mask};

/// Executes on the registers of the frame.
pub(crate) fn execute(wide: &WideInst, registers: &mut [Value]) -> Option<ArithmeticFault> {
    let read = |first: Register, count: u32| -> Vec<Value> {
        (0..count).map(|i| registers[first.index() + i as usize]).collect()
    };
    let a = read(wide.a, wide.a_limbs());
    let b = read(wide.b, wide.b_limbs());
    let (result, fault) = compute(wide, &a, &b);
    for (i, value) in result.into_iter().enumerate() {
        registers[wide.destination.index() + i] = value;
    }
    fault
}

fn top_mask(bits: u16) -> u64 {
    match bits % 64 {
        0 => u64::MAX,
        n => mask(n as u8),
    }
}

fn trim(value: &mut [u64], bits: u16) {
    if let Some(last) = value.last_mut() {
        *last &= top_mask(bits);
    }
}

fn negative(value: &[u64], bits: u16) -> bool {
    let top = (bits - 1) as usize;
    value[top / 64] >> (top % 64) & 1 == 1
}

fn negate(value: &[u64], bits: u16) -> Vec<u64> {
    let mut carry = true;
    let mut out: Vec<u64> = value
        .iter()
        .map(|limb| {
            let (r, c) = (!limb).overflowing_add(carry as u64);
            carry = c;
            r
        })
        .collect();
    trim(&mut out, bits);
    out
}

fn add(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut carry = 0u128;
    a.iter()
        .zip(b)
        .map(|(x, y)| {
            let sum = *x as u128 + *y as u128 + carry;
            carry = sum >> 64;
            sum as u64
        })
        .collect()
}

fn multiply(a: &[u64], b: &[u64], length: usize) -> Vec<u64> {
    let mut out = vec![0u64; length];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0u128;
        for (j, y) in b.iter().enumerate() {
            if i + j >= length {
                break;
            }
            let t = *x as u128 * *y as u128 + out[i + j] as u128 + carry;
            out[i + j] = t as u64;
            carry = t >> 64;
        }
        if i + b.len() < length {
            out[i + b.len()] = carry as u64;
        }
    }
    out
}

fn less(a: &[u64], b: &[u64]) -> bool {
    a.iter().rev().cmp(b.iter().rev()) == std::cmp::Ordering::Less
}

fn shift_left(a: &[u64], by: u32) -> Vec<u64> {
    let (limb, bit) = ((by / 64) as usize, by % 64);
    (0..a.len())
        .map(|i| {
            let low = |k: usize| if k < i + 1 && i >= k { a.get(i - k).copied() } else { None };
            let main = if i >= limb { low(limb).unwrap_or(0) << bit } else { 0 };
            let spill = if bit > 0 && i > limb { a[i - limb - 1] >> (64 - bit) } else { 0 };
            main | spill
        })
        .collect()
}

fn shift_right(a: &[u64], by: u32) -> Vec<u64> {
    let (limb, bit) = ((by / 64) as usize, by % 64);
    (0..a.len())
        .map(|i| {
            let main = a.get(i + limb).map_or(0, |x| x >> bit);
            let spill = if bit > 0 { a.get(i + limb + 1).map_or(0, |x| x << (64 - bit)) } else { 0 };
            main | spill
        })
        .collect()
}

fn divide(a: &[u64], b: &[u64], bits: u16) -> (Vec<u64>, Vec<u64>) {
    let mut quotient = vec![0; a.len()];
    let mut remainder = vec![0; a.len() + 1];
    let divisor: Vec<u64> = b.iter().copied().chain([0]).collect();
    for i in (0..bits as usize).rev() {
        remainder = shift_left(&remainder, 1);
        remainder[0] |= a[i / 64] >> (i % 64) & 1;
        if !less(&remainder, &divisor) {
            let minus = add(&divisor.iter().map(|x| !x).collect::<Vec<_>>(), &one(divisor.len()));
            remainder = add(&remainder, &minus);
            quotient[i / 64] |= 1 << (i % 64);
        }
    }
    remainder.pop();
    (quotient, remainder)
}

fn one(length: usize) -> Vec<u64> {
    let mut v = vec![0; length];
    v[0] = 1;
    v
}

fn defined(limbs: Vec<u64>) -> Vec<Value> {
    limbs.into_iter().map(Value::of).collect()
}

/// A determinate number below `bits`.
fn is_shift_amount(b: &[Value], bits: u16) -> bool {
    b.iter().all(|v| v.is_defined()) && b[0].bits < bits as u64 && b[1..].iter().all(|v| v.bits == 0)
}

/// Does the same to the `from` bits of a value and to its marks of indeterminate bits, and keeps `to` of each.
fn bits_and_marks(a: &[Value], from: u16, to: u16, f: impl Fn(&[u64]) -> Vec<u64>) -> Vec<Value> {
    let apply = |part: fn(&Value) -> u64| {
        let mut limbs: Vec<u64> = a.iter().map(part).collect();
        trim(&mut limbs, from);
        let mut out = f(&limbs);
        trim(&mut out, to);
        out
    };
    let (bits, marks) = (apply(|v| v.bits), apply(|v| v.undefined));
    bits.iter().zip(marks).map(|(bits, undefined)| Value { bits: bits & !undefined, undefined }).collect()
}

fn sign_extend(value: &[u64], from: u16, count: usize) -> Vec<u64> {
    let mut out = value.to_vec();
    let fill = if negative(value, from) { u64::MAX } else { 0 };
    if fill != 0
        && let Some(last) = out.last_mut()
    {
        *last |= !top_mask(from);
    }
    out.resize(count, fill);
    out
}

fn compute(wide: &WideInst, a: &[Value], b: &[Value]) -> (Vec<Value>, Option<ArithmeticFault>) {
    let bits = wide.bits;
    let count = wide.destination_limbs() as usize;
    let unknown = || {
        let mut v = vec![Value::UNDEFINED; count];
        if matches!(wide.op, WideOp::Compare(_)) {
            v[0] = Value { bits: 0, undefined: 1 };
        }
        (v, None)
    };
    // Limb-wise operations keep indeterminate bits where they are.
    match wide.op {
        WideOp::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)) => {
            let limbs = a
                .iter()
                .zip(b)
                .map(|(x, y)| crate::semantics::arithmetic::binary(op, 64, false, *x, *y).0)
                .collect();
            return (limbs, None);
        }
        WideOp::ZeroExtend { from } => {
            let extend = |limbs: &[u64]| {
                let mut out = limbs.to_vec();
                out.resize(count, 0);
                out
            };
            return (bits_and_marks(a, from, bits, extend), None);
        }
        WideOp::Truncate { to } => {
            let mut out = a[..count].to_vec();
            let m = top_mask(to);
            if let Some(last) = out.last_mut() {
                *last = Value { bits: last.bits & m, undefined: last.undefined & m };
            }
            return (out, None);
        }
        // Bit-fields of packed structs are read and written by shifts of units with indeterminate padding.
        WideOp::Binary(op @ (BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr))
            if a.iter().any(|v| !v.is_defined()) && is_shift_amount(b, bits) =>
        {
            let by: Vec<u64> = b.iter().map(|v| v.bits).collect();
            return (bits_and_marks(a, bits, bits, |limbs| binary(op, bits, false, limbs, &by).0), None);
        }
        WideOp::SignExtend { from } => {
            return (bits_and_marks(a, from, bits, |limbs| sign_extend(limbs, from, count)), None);
        }
        _ => {}
    }
    if a.iter().chain(b).any(|v| !v.is_defined()) {
        return unknown();
    }
    let x: Vec<u64> = a.iter().map(|v| v.bits).collect();
    let y: Vec<u64> = b.iter().map(|v| v.bits).collect();
    let mut fault = None;
    let mut out = match wide.op {
        WideOp::Binary(op) => {
            let (value, f) = binary(op, bits, wide.signed_wrap, &x, &y);
            fault = f;
            value
        }
        WideOp::Compare(op) => {
            let order = if matches!(op, CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe)
                && negative(&x, bits) != negative(&y, bits)
            {
                if negative(&x, bits) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
            } else {
                x.iter().rev().cmp(y.iter().rev())
            };
            let holds = match op {
                CompareOp::Eq => order.is_eq(),
                CompareOp::Ne => order.is_ne(),
                CompareOp::ULt | CompareOp::SLt => order.is_lt(),
                CompareOp::ULe | CompareOp::SLe => order.is_le(),
                CompareOp::UGt | CompareOp::SGt => order.is_gt(),
                CompareOp::UGe | CompareOp::SGe => order.is_ge(),
            };
            return (vec![Value::of(holds as u64)], None);
        }
        WideOp::PopCount => first(x.iter().map(|l| l.count_ones() as u64).sum(), count),
        WideOp::LeadingZeros => {
            let zeros = (0..bits).rev().take_while(|i| x[*i as usize / 64] >> (i % 64) & 1 == 0).count();
            first(zeros as u64, count)
        }
        WideOp::TrailingZeros => {
            let zeros = (0..bits).take_while(|i| x[*i as usize / 64] >> (i % 64) & 1 == 0).count();
            first(zeros as u64, count)
        }
        WideOp::ByteSwap => {
            let mut bytes: Vec<u8> = x.iter().flat_map(|l| l.to_le_bytes()).collect();
            bytes.truncate(bits as usize / 8);
            bytes.reverse();
            bytes.resize(count * 8, 0);
            bytes.chunks(8).map(|c| u64::from_le_bytes(c.try_into().expect("eight bytes"))).collect()
        }
        WideOp::FromFloat { kind, signed } => {
            let value = crate::semantics::arithmetic::as_double(kind, x[0]).trunc();
            let magnitude = value.abs();
            let limit = 2f64.powi(bits as i32 - signed as i32);
            let outside = magnitude >= limit && !(signed && value == -limit);
            if !magnitude.is_finite() || outside || (value < 0.0 && !signed) {
                let mut out = vec![Value::of(0); count];
                out[count - 1] = Value::of(1 << ((bits - 1) % 64));
                return (out, Some(ArithmeticFault::ConversionRange));
            }
            let raw = magnitude as u128;
            let mut out = vec![raw as u64, (raw >> 64) as u64];
            out.resize(count, 0);
            if value < 0.0 { negate(&out, bits) } else { out }
        }
        WideOp::ToFloat { kind, signed } => {
            let minus = signed && negative(&x, bits);
            let magnitude = if minus { negate(&x, bits) } else { x.clone() };
            let low = magnitude[0] as u128 | (magnitude.get(1).copied().unwrap_or(0) as u128) << 64;
            let sign = if minus { -1.0 } else { 1.0 };
            let value = match kind {
                FloatKind::Float => (low as f32 * sign as f32).to_bits() as u64,
                FloatKind::Double => (low as f64 * sign).to_bits(),
            };
            return (vec![Value::of(value)], None);
        }
        WideOp::ZeroExtend { .. } | WideOp::SignExtend { .. } | WideOp::Truncate { .. } => {
            unreachable!("done above")
        }
    };
    debug_assert_eq!(out.len(), limbs(bits) as usize);
    trim(&mut out, bits);
    (defined(out), fault)
}

fn first(value: u64, count: usize) -> Vec<u64> {
    let mut out = vec![0; count];
    out[0] = value;
    out
}

fn binary(
    op: BinaryOp,
    bits: u16,
    signed_wrap: bool,
    x: &[u64],
    y: &[u64],
) -> (Vec<u64>, Option<ArithmeticFault>) {
    let count = x.len();
    let overflowed = |wrong: bool| (signed_wrap && wrong).then_some(ArithmeticFault::SignedOverflow);
    let (nx, ny) = (negative(x, bits), negative(y, bits));
    match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let second = if op == BinaryOp::Add { y.to_vec() } else { negate(y, bits) };
            let mut out = add(x, &second);
            trim(&mut out, bits);
            let sign = negative(&out, bits);
            let wrong = if op == BinaryOp::Add { nx == ny && sign != nx } else { nx != ny && sign != nx };
            (out, overflowed(wrong))
        }
        BinaryOp::Mul => {
            let mut out = multiply(x, y, count);
            trim(&mut out, bits);
            let mut wrong = false;
            if signed_wrap {
                let ax = if nx { negate(x, bits) } else { x.to_vec() };
                let ay = if ny { negate(y, bits) } else { y.to_vec() };
                let exact = multiply(&ax, &ay, 2 * count);
                let mut limit = vec![0; 2 * count];
                limit[(bits - 1) as usize / 64] = 1 << ((bits - 1) % 64);
                let minus = nx != ny;
                wrong = if minus { less(&limit, &exact) } else { !less(&exact, &limit) };
            }
            (out, overflowed(wrong))
        }
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
            if y.iter().all(|l| *l == 0) {
                let quotient = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv);
                let value = if quotient { vec![0; count] } else { x.to_vec() };
                return (value, Some(ArithmeticFault::DivisionByZero));
            }
            let with_sign = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
            let ax = if with_sign && nx { negate(x, bits) } else { x.to_vec() };
            let ay = if with_sign && ny { negate(y, bits) } else { y.to_vec() };
            let (quotient, remainder) = divide(&ax, &ay, bits);
            let out = match op {
                BinaryOp::UDiv => quotient,
                BinaryOp::URem => remainder,
                BinaryOp::SDiv if nx != ny => negate(&quotient, bits),
                BinaryOp::SDiv => quotient,
                _ if nx => negate(&remainder, bits),
                _ => remainder,
            };
            let least = nx && ny && with_sign && negative(&ax, bits) && ay == one(count);
            (out, least.then_some(ArithmeticFault::SignedOverflow))
        }
        BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr => {
            let big = y.iter().skip(1).any(|l| *l != 0) || y[0] >= bits as u64;
            let by = (y[0] % bits as u64) as u32;
            let out = match op {
                BinaryOp::Shl | BinaryOp::ShlSigned => shift_left(x, by),
                BinaryOp::LShr => shift_right(x, by),
                _ if nx => {
                    let inverted: Vec<u64> = x.iter().map(|l| !l).collect();
                    let mut inverted = inverted;
                    trim(&mut inverted, bits);
                    shift_right(&inverted, by).iter().map(|l| !l).collect()
                }
                _ => shift_right(x, by),
            };
            // As in `arithmetic::binary`.
            let lost = op == BinaryOp::ShlSigned
                && !big
                && shift_right(x, bits as u32 - 1 - by).iter().any(|limb| *limb != 0);
            let fault = if big { Some(ArithmeticFault::ShiftRange) } else { None };
            (out, fault.or(lost.then_some(ArithmeticFault::SignedOverflow)))
        }
        BinaryOp::UMin | BinaryOp::UMax | BinaryOp::SMin | BinaryOp::SMax => {
            let below = match op {
                BinaryOp::SMin | BinaryOp::SMax if nx != ny => nx,
                _ => less(x, y),
            };
            let minimum = matches!(op, BinaryOp::UMin | BinaryOp::SMin);
            (if below == minimum { x.to_vec() } else { y.to_vec() }, None)
        }
        // The front end does not make wide saturating operations.
        _ => (x.to_vec(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_native_128_bit_arithmetic() {
        let mut seed = 0x1234_5678_9abc_def0u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for round in 0..3000 {
            let mut x = next() as u128 | (next() as u128) << 64;
            let mut y = next() as u128 | (next() as u128) << 64;
            if round % 3 == 0 {
                y >>= next() % 128;
                x >>= next() % 128;
            }
            let limbs = |v: u128| vec![v as u64, (v >> 64) as u64];
            let join = |v: &[u64]| v[0] as u128 | (v[1] as u128) << 64;
            let run = |op| join(&binary(op, 128, false, &limbs(x), &limbs(y)).0);
            assert_eq!(run(BinaryOp::Add), x.wrapping_add(y));
            assert_eq!(run(BinaryOp::Sub), x.wrapping_sub(y));
            assert_eq!(run(BinaryOp::Mul), x.wrapping_mul(y));
            if y != 0 {
                assert_eq!(Some(run(BinaryOp::UDiv)), x.checked_div(y));
                assert_eq!(run(BinaryOp::URem), x % y);
                assert_eq!(run(BinaryOp::SDiv) as i128, (x as i128).wrapping_div(y as i128));
                assert_eq!(run(BinaryOp::SRem) as i128, (x as i128).wrapping_rem(y as i128));
            }
            let by = next() % 128;
            let shift = |op| join(&binary(op, 128, false, &limbs(x), &limbs(by as u128)).0);
            assert_eq!(shift(BinaryOp::Shl), x << by);
            assert_eq!(shift(BinaryOp::LShr), x >> by);
            assert_eq!(shift(BinaryOp::AShr) as i128, x as i128 >> by);
            let wrong = binary(BinaryOp::Mul, 128, true, &limbs(x), &limbs(y)).1.is_some();
            assert_eq!(wrong, (x as i128).checked_mul(y as i128).is_none());
        }
    }

    #[test]
    fn shifts_and_extensions_move_the_marks_with_the_bits() {
        let (destination, a, b) = (Register(0), Register(2), Register(4));
        // The upper two bytes of sixteen are indeterminate.
        let padded = [Value::of(0xabcd << 48 | 7), Value { bits: 0x1234, undefined: 0xffff << 48 }];
        let run = |op, bits, amount: u64| {
            let wide = WideInst { op, bits, signed_wrap: false, destination, a, b };
            let mut registers = [Value::UNDEFINED; 6];
            registers[2..4].copy_from_slice(&padded);
            registers[4..6].copy_from_slice(&[Value::of(amount), Value::of(0)]);
            execute(&wide, &mut registers);
            [registers[0], registers[1]]
        };
        let right = run(WideOp::Binary(BinaryOp::LShr), 128, 48);
        assert_eq!(right[0], Value::of(0x1234 << 16 | 0xabcd));
        assert_eq!(right[1], Value { bits: 0, undefined: 0xffff });
        let signed = run(WideOp::Binary(BinaryOp::AShr), 128, 112);
        assert_eq!(signed, [Value { bits: 0, undefined: u64::MAX }, Value { bits: 0, undefined: u64::MAX }]);
        assert_eq!(run(WideOp::Binary(BinaryOp::Shl), 128, 64), [Value::of(0), padded[0]]);
        assert_eq!(run(WideOp::SignExtend { from: 64 }, 128, 0), [padded[0], Value::of(u64::MAX)]);
        assert_eq!(run(WideOp::ZeroExtend { from: 8 }, 128, 0), [Value::of(7), Value::of(0)]);
    }
}
