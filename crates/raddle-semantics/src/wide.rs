//! Integers of more than 64 bits, limb by limb, least significant first. Rare, so written for clarity. Any indeterminate
//! bit makes the whole result indeterminate, except that and, or, xor, truncation, extension and shifts by known amounts
//! keep each bit apart.
//!
//! Shifts by an amount that is not known are barrel shifters, division is the restoring one: what a bit-blaster makes of
//! them.

use raddle_ir::instruction::limbs;
use raddle_ir::{BinaryOp, CompareOp, WideInst, WideOp};

use crate::domain::Domain;
use crate::fault::{self, ArithmeticFault, FaultConditions};
use crate::undefined;
use crate::value::{Marked, mask};

/// The limbs of the result, which a [`Domain`] without floats may not have.
type Result<D> = Option<(Vec<<D as Domain>::Value>, <D as Domain>::Faults)>;

/// Executes a wide instruction on the limbs of its operands; `None`: the domain does not support it.
pub fn wide<D: Domain>(d: &D, inst: &WideInst, a: &[D::Value], b: &[D::Value]) -> Result<D> {
    let bits = inst.bits;
    let count = inst.destination_limbs() as usize;
    let none = || fault::none(d);
    // Operations that keep indeterminate bits where they are.
    match inst.op {
        WideOp::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)) => {
            let pairs = a.iter().zip(b);
            return Some((pairs.map(|(x, y)| crate::binary(d, op, 64, false, x, y).value).collect(), none()));
        }
        WideOp::ZeroExtend { from } => {
            return Some((bits_and_marks(d, a, from, bits, |x| zero_extend(d, x, count)), none()));
        }
        WideOp::SignExtend { from } => {
            return Some((bits_and_marks(d, a, from, bits, |x| sign_extend(d, x, from, count)), none()));
        }
        WideOp::Truncate { to } => {
            let mut out = a[..count].to_vec();
            if let Some(last) = out.last_mut() {
                let m = d.word(top_mask(to));
                *last = D::Value::new(d.and(last.bits(), &m), d.and(last.undefined(), &m));
            }
            return Some((out, none()));
        }
        _ => {}
    }
    let x: Vec<D::Word> = a.iter().map(|v| v.bits().clone()).collect();
    let y: Vec<D::Word> = b.iter().map(|v| v.bits().clone()).collect();
    let marks_a = union(d, a.iter().map(|v| v.undefined()));
    let marks_b = union(d, b.iter().map(|v| v.undefined()));
    let defined = d.is_zero(&d.or(&marks_a, &marks_b));
    // Bit-fields of packed structs are read and written by shifts of units with indeterminate padding.
    if let WideOp::Binary(op @ (BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr)) =
        inst.op
    {
        let amount = d.conjunction(&d.is_zero(&marks_b), &is_amount(d, &y, bits));
        let moved = bits_and_marks(d, a, bits, bits, |x| shift(d, op, bits, x, &amount_of(d, &y, bits)));
        let (exact, faults) = binary(d, op, bits, inst.signed_wrap, &x, &y);
        let exact = trimmed(d, exact, bits);
        let limbs = exact.iter().zip(&moved).map(|(exact, moved)| {
            let or_moved = undefined::choose(d, &amount, moved, &unknown(d));
            let exact = D::Value::new(exact.clone(), d.word(0));
            undefined::choose(d, &defined, &exact, &or_moved)
        });
        return Some((limbs.collect(), faults.when(d, &defined)));
    }
    if d.known(&defined) == Some(false) {
        let limb = match inst.op {
            WideOp::Compare(_) => undefined::whole(d, &defined, 1, || d.word(0)),
            _ => unknown(d),
        };
        return Some((vec![limb; count], none()));
    }
    let (out, faults) = match inst.op {
        WideOp::Binary(op) => binary(d, op, bits, inst.signed_wrap, &x, &y),
        WideOp::Compare(op) => {
            let holds = d.word_of_bit(&compare(d, op, bits, &x, &y));
            return Some((vec![undefined::whole(d, &defined, 1, || holds)], none()));
        }
        WideOp::PopCount => (small(d, sum(d, x.iter().map(|limb| d.ones(limb))), count), none()),
        WideOp::LeadingZeros => (small(d, leading_zeros(d, &x, bits), count), none()),
        WideOp::TrailingZeros => (small(d, trailing_zeros(d, &x, bits), count), none()),
        WideOp::ByteSwap => {
            // As if it were of whole limbs, then moved down.
            let swapped: Vec<D::Word> = x.iter().rev().map(|limb| d.byte_swap(64, limb)).collect();
            (shift_right(d, &swapped, limbs(bits) * 64 - bits as u32), none())
        }
        WideOp::FromFloat { kind, signed } => {
            let (value, in_range) = d.float_to_wide(kind, signed, bits, &x[0])?;
            // What x86 gives: the least number.
            let mut least = vec![d.word(0); count];
            least[count - 1] = d.word(1 << ((bits - 1) % 64));
            let value = select(d, &in_range, &value, &least);
            let fault = d.negation(&in_range);
            (value, fault::range(d, ArithmeticFault::ConversionRange, fault))
        }
        WideOp::ToFloat { kind, signed } => {
            let value = d.wide_to_float(kind, signed, bits, &x)?;
            return Some((vec![undefined::whole(d, &defined, 64, || value)], none()));
        }
        WideOp::ZeroExtend { .. } | WideOp::SignExtend { .. } | WideOp::Truncate { .. } => {
            unreachable!("done above")
        }
    };
    let out = trimmed(d, out, bits);
    let limbs = out.into_iter().map(|limb| undefined::whole(d, &defined, 64, || limb)).collect();
    Some((limbs, faults.when(d, &defined)))
}

fn unknown<D: Domain>(d: &D) -> D::Value {
    D::Value::new(d.word(0), d.word(u64::MAX))
}

fn top_mask(bits: u16) -> u64 {
    match bits % 64 {
        0 => u64::MAX,
        n => mask(n as u8),
    }
}

fn trimmed<D: Domain>(d: &D, mut value: Vec<D::Word>, bits: u16) -> Vec<D::Word> {
    if let Some(last) = value.last_mut() {
        *last = d.and(last, &d.word(top_mask(bits)));
    }
    value
}

fn union<'a, D: Domain>(d: &D, words: impl Iterator<Item = &'a D::Word>) -> D::Word
where
    D::Word: 'a,
{
    words.fold(d.word(0), |all, word| d.or(&all, word))
}

fn sum<D: Domain>(d: &D, words: impl Iterator<Item = D::Word>) -> D::Word {
    words.fold(d.word(0), |all, word| d.add(64, &all, &word))
}

/// The bit at a place.
fn bit_at<D: Domain>(d: &D, value: &[D::Word], place: usize) -> D::Bit {
    d.lowest(&d.lshr(64, &value[place / 64], &d.word(place as u64 % 64)))
}

pub(crate) fn sign<D: Domain>(d: &D, value: &[D::Word], bits: u16) -> D::Bit {
    bit_at(d, value, bits as usize - 1)
}

fn select<D: Domain>(d: &D, condition: &D::Bit, yes: &[D::Word], no: &[D::Word]) -> Vec<D::Word> {
    match d.known(condition) {
        Some(true) => yes.to_vec(),
        Some(false) => no.to_vec(),
        None => yes.iter().zip(no).map(|(y, n)| d.choose(condition, y, n)).collect(),
    }
}

fn small<D: Domain>(d: &D, value: D::Word, count: usize) -> Vec<D::Word> {
    let mut out = vec![d.word(0); count];
    out[0] = value;
    out
}

fn inverted<D: Domain>(d: &D, value: &[D::Word]) -> Vec<D::Word> {
    value.iter().map(|limb| d.xor(limb, &d.word(u64::MAX))).collect()
}

pub(crate) fn negate<D: Domain>(d: &D, value: &[D::Word], bits: u16) -> Vec<D::Word> {
    trimmed(d, add(d, &inverted(d, value), &small(d, d.word(1), value.len())), bits)
}

/// The same number without its sign, if `minus` says so.
fn negate_if<D: Domain>(d: &D, minus: &D::Bit, value: &[D::Word], bits: u16) -> Vec<D::Word> {
    match d.known(minus) {
        Some(false) => value.to_vec(),
        _ => select(d, minus, &negate(d, value, bits), value),
    }
}

fn add<D: Domain>(d: &D, a: &[D::Word], b: &[D::Word]) -> Vec<D::Word> {
    let mut carry = d.bit(false);
    let pairs = a.iter().zip(b);
    pairs
        .map(|(x, y)| {
            let (sum, first) = (d.add(64, x, y), d.add_overflows(64, false, x, y));
            let in_carry = d.word_of_bit(&carry);
            carry = d.disjunction(&first, &d.add_overflows(64, false, &sum, &in_carry));
            d.add(64, &sum, &in_carry)
        })
        .collect()
}

/// The lowest `length` limbs of the product.
fn multiply<D: Domain>(d: &D, a: &[D::Word], b: &[D::Word], length: usize) -> Vec<D::Word> {
    let mut out = vec![d.word(0); length];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate().take_while(|(j, _)| i + j < length) {
            let mut part = vec![d.word(0); length];
            part[i + j] = d.mul(64, x, y);
            if let Some(next) = part.get_mut(i + j + 1) {
                *next = d.mul_high(x, y);
            }
            out = add(d, &out, &part);
        }
    }
    out
}

fn is_zero<D: Domain>(d: &D, a: &[D::Word]) -> D::Bit {
    d.is_zero(&union(d, a.iter()))
}

fn equal<D: Domain>(d: &D, a: &[D::Word], b: &[D::Word]) -> D::Bit {
    let differences: Vec<D::Word> = a.iter().zip(b).map(|(x, y)| d.xor(x, y)).collect();
    is_zero(d, &differences)
}

fn less<D: Domain>(d: &D, a: &[D::Word], b: &[D::Word]) -> D::Bit {
    a.iter().zip(b).fold(d.bit(false), |below, (x, y)| {
        let same = d.conjunction(&d.eq(64, x, y), &below);
        d.disjunction(&d.ult(64, x, y), &same)
    })
}

fn signed_less<D: Domain>(d: &D, bits: u16, a: &[D::Word], b: &[D::Word]) -> D::Bit {
    // With the sign bit turned over, signed order is unsigned order.
    let turned = |v: &[D::Word]| {
        let mut out = v.to_vec();
        let top = (bits as usize - 1) / 64;
        out[top] = d.xor(&out[top], &d.word(1 << ((bits - 1) % 64)));
        out
    };
    less(d, &turned(a), &turned(b))
}

fn compare<D: Domain>(d: &D, op: CompareOp, bits: u16, x: &[D::Word], y: &[D::Word]) -> D::Bit {
    match op {
        CompareOp::Eq => equal(d, x, y),
        CompareOp::Ne => d.negation(&equal(d, x, y)),
        CompareOp::ULt => less(d, x, y),
        CompareOp::ULe => d.negation(&less(d, y, x)),
        CompareOp::UGt => less(d, y, x),
        CompareOp::UGe => d.negation(&less(d, x, y)),
        CompareOp::SLt => signed_less(d, bits, x, y),
        CompareOp::SLe => d.negation(&signed_less(d, bits, y, x)),
        CompareOp::SGt => signed_less(d, bits, y, x),
        CompareOp::SGe => d.negation(&signed_less(d, bits, x, y)),
    }
}

fn shift_left<D: Domain>(d: &D, a: &[D::Word], by: u32) -> Vec<D::Word> {
    let (limb, bit) = ((by / 64) as usize, by as u64 % 64);
    let at = |i: Option<usize>| i.and_then(|i| a.get(i)).cloned().unwrap_or_else(|| d.word(0));
    (0..a.len())
        .map(|i| {
            let main = d.shl(64, &at(i.checked_sub(limb)), &d.word(bit));
            if bit == 0 {
                return main;
            }
            d.or(&main, &d.lshr(64, &at(i.checked_sub(limb + 1)), &d.word(64 - bit)))
        })
        .collect()
}

fn shift_right<D: Domain>(d: &D, a: &[D::Word], by: u32) -> Vec<D::Word> {
    let (limb, bit) = ((by / 64) as usize, by as u64 % 64);
    let at = |i: usize| a.get(i).cloned().unwrap_or_else(|| d.word(0));
    (0..a.len())
        .map(|i| {
            let main = d.lshr(64, &at(i + limb), &d.word(bit));
            if bit == 0 {
                return main;
            }
            d.or(&main, &d.shl(64, &at(i + limb + 1), &d.word(64 - bit)))
        })
        .collect()
}

/// A shift by a constant.
type Stage<D> = fn(&D, &[<D as Domain>::Word], u32) -> Vec<<D as Domain>::Word>;

/// By a number of less than `bits`.
fn shift<D: Domain>(d: &D, op: BinaryOp, bits: u16, x: &[D::Word], by: &D::Word) -> Vec<D::Word> {
    let barrel = |x: &[D::Word], stage: Stage<D>| {
        let mut out = x.to_vec();
        for power in (0..16).take_while(|power| 1u32 << power < bits as u32) {
            let taken = bit_at(d, std::slice::from_ref(by), power);
            if d.known(&taken) != Some(false) {
                out = select(d, &taken, &stage(d, &out, 1 << power), &out);
            }
        }
        out
    };
    let negative = sign(d, x, bits);
    match op {
        BinaryOp::Shl | BinaryOp::ShlSigned => barrel(x, shift_left),
        BinaryOp::AShr if d.known(&negative) != Some(false) => {
            let ones = trimmed(d, inverted(d, x), bits);
            select(d, &negative, &inverted(d, &barrel(&ones, shift_right)), &barrel(x, shift_right))
        }
        _ => barrel(x, shift_right),
    }
}

/// Whether the number is below `bits`.
fn is_amount<D: Domain>(d: &D, y: &[D::Word], bits: u16) -> D::Bit {
    d.conjunction(&is_zero(d, &y[1..]), &d.ult(64, &y[0], &d.word(bits as u64)))
}

/// The amount of a shift modulo the width, as a processor has it.
fn amount_of<D: Domain>(d: &D, y: &[D::Word], bits: u16) -> D::Word {
    d.urem(64, &y[0], &d.word(bits as u64))
}

/// Quotient and remainder; the divisor is not zero.
fn divide<D: Domain>(d: &D, a: &[D::Word], b: &[D::Word], bits: u16) -> (Vec<D::Word>, Vec<D::Word>) {
    let mut quotient = vec![d.word(0); a.len()];
    let mut remainder = vec![d.word(0); a.len() + 1];
    let divisor: Vec<D::Word> = b.iter().cloned().chain([d.word(0)]).collect();
    let minus = add(d, &inverted(d, &divisor), &small(d, d.word(1), divisor.len()));
    for i in (0..bits as usize).rev() {
        remainder = shift_left(d, &remainder, 1);
        remainder[0] = d.or(&remainder[0], &d.word_of_bit(&bit_at(d, a, i)));
        let fits = d.negation(&less(d, &remainder, &divisor));
        if d.known(&fits) != Some(false) {
            remainder = select(d, &fits, &add(d, &remainder, &minus), &remainder);
            let digit = d.choose(&fits, &d.word(1 << (i % 64)), &d.word(0));
            quotient[i / 64] = d.or(&quotient[i / 64], &digit);
        }
    }
    remainder.pop();
    (quotient, remainder)
}

/// Does the same to the `from` bits of a value and to its marks of indeterminate bits, and keeps `to` of each.
fn bits_and_marks<D: Domain>(
    d: &D,
    a: &[D::Value],
    from: u16,
    to: u16,
    f: impl Fn(&[D::Word]) -> Vec<D::Word>,
) -> Vec<D::Value> {
    let apply = |part: Vec<D::Word>| -> Vec<D::Word> { trimmed(d, f(&trimmed(d, part, from)), to) };
    let bits = apply(a.iter().map(|v| v.bits().clone()).collect());
    let marks = apply(a.iter().map(|v| v.undefined().clone()).collect());
    let not = |mark: &D::Word| d.xor(mark, &d.word(u64::MAX));
    let pairs = bits.iter().zip(marks);
    pairs.map(|(bits, undefined)| D::Value::new(d.and(bits, &not(&undefined)), undefined)).collect()
}

fn zero_extend<D: Domain>(d: &D, value: &[D::Word], count: usize) -> Vec<D::Word> {
    let mut out = value.to_vec();
    out.resize(count, d.word(0));
    out
}

fn sign_extend<D: Domain>(d: &D, value: &[D::Word], from: u16, count: usize) -> Vec<D::Word> {
    let mut out = value.to_vec();
    let fill = d.choose(&sign(d, value, from), &d.word(u64::MAX), &d.word(0));
    if let Some(last) = out.last_mut() {
        *last = d.or(last, &d.and(&fill, &d.word(!top_mask(from))));
    }
    out.resize(count, fill);
    out
}

/// Zeros from the lowest bit up, of at most `bits`.
fn trailing_zeros<D: Domain>(d: &D, x: &[D::Word], bits: u16) -> D::Word {
    (0..bits as usize).rev().fold(d.word(bits as u64), |zeros, place| {
        d.choose(&bit_at(d, x, place), &d.word(place as u64), &zeros)
    })
}

fn leading_zeros<D: Domain>(d: &D, x: &[D::Word], bits: u16) -> D::Word {
    (0..bits as usize).fold(d.word(bits as u64), |zeros, place| {
        d.choose(&bit_at(d, x, place), &d.word(bits as u64 - 1 - place as u64), &zeros)
    })
}

fn binary<D: Domain>(
    d: &D,
    op: BinaryOp,
    bits: u16,
    signed_wrap: bool,
    x: &[D::Word],
    y: &[D::Word],
) -> (Vec<D::Word>, D::Faults) {
    let count = x.len();
    let no = || d.bit(false);
    let (nx, ny) = (sign(d, x, bits), sign(d, y, bits));
    let differ = |a: &D::Bit, b: &D::Bit| {
        let (only_a, only_b) = (d.conjunction(a, &d.negation(b)), d.conjunction(b, &d.negation(a)));
        d.disjunction(&only_a, &only_b)
    };
    match op {
        BinaryOp::Add | BinaryOp::Sub => {
            let second = if op == BinaryOp::Add { y.to_vec() } else { negate(d, y, bits) };
            let out = trimmed(d, add(d, x, &second), bits);
            let alike = differ(&nx, &ny);
            let may = if op == BinaryOp::Add { d.negation(&alike) } else { alike };
            let wraps = d.conjunction(&may, &differ(&sign(d, &out, bits), &nx));
            (out, fault::overflow(d, if signed_wrap { wraps } else { no() }))
        }
        BinaryOp::Mul => {
            let out = multiply(d, x, y, count);
            if !signed_wrap {
                return (out, fault::none(d));
            }
            let (ax, ay) = (negate_if(d, &nx, x, bits), negate_if(d, &ny, y, bits));
            let exact = multiply(d, &ax, &ay, 2 * count);
            let mut limit = vec![d.word(0); 2 * count];
            limit[(bits as usize - 1) / 64] = d.word(1 << ((bits - 1) % 64));
            let minus = differ(&nx, &ny);
            let below = d.conjunction(&minus, &less(d, &limit, &exact));
            let above = d.conjunction(&d.negation(&minus), &d.negation(&less(d, &exact, &limit)));
            (out, fault::overflow(d, d.disjunction(&below, &above)))
        }
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
            let by_zero = is_zero(d, y);
            let quotient = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv);
            let undone = if quotient { vec![d.word(0); count] } else { x.to_vec() };
            if d.known(&by_zero) == Some(true) {
                return (undone, fault::range(d, ArithmeticFault::DivisionByZero, by_zero));
            }
            let with_sign = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
            let (nx, ny) = if with_sign { (nx, ny) } else { (no(), no()) };
            let (ax, ay) = (negate_if(d, &nx, x, bits), negate_if(d, &ny, y, bits));
            let (whole, rest) = divide(d, &ax, &ay, bits);
            let out = match quotient {
                true => negate_if(d, &differ(&nx, &ny), &whole, bits),
                false => negate_if(d, &nx, &rest, bits),
            };
            let one = equal(d, &ay, &small(d, d.word(1), count));
            let least = d.conjunction(&d.conjunction(&nx, &ny), &d.conjunction(&sign(d, &ax, bits), &one));
            let out = select(d, &by_zero, &undone, &out);
            let overflow = d.conjunction(&least, &d.negation(&by_zero));
            (out, D::Faults::new(ArithmeticFault::DivisionByZero, by_zero, overflow))
        }
        BinaryOp::Shl | BinaryOp::ShlSigned | BinaryOp::LShr | BinaryOp::AShr => {
            let inside = is_amount(d, y, bits);
            let by = amount_of(d, y, bits);
            let out = shift(d, op, bits, x, &by);
            let overflow = if op == BinaryOp::ShlSigned {
                let above = d.sub(64, &d.word(bits as u64 - 1), &by);
                let lost = d.negation(&is_zero(d, &shift(d, BinaryOp::LShr, bits, x, &above)));
                d.conjunction(&inside, &lost)
            } else {
                no()
            };
            (out, D::Faults::new(ArithmeticFault::ShiftRange, d.negation(&inside), overflow))
        }
        BinaryOp::UMin | BinaryOp::UMax | BinaryOp::SMin | BinaryOp::SMax => {
            let below = match op {
                BinaryOp::SMin | BinaryOp::SMax => signed_less(d, bits, x, y),
                _ => less(d, x, y),
            };
            let (yes, other) = if matches!(op, BinaryOp::UMin | BinaryOp::SMin) { (x, y) } else { (y, x) };
            (select(d, &below, yes, other), fault::none(d))
        }
        // The front end does not make wide saturating operations.
        _ => (x.to_vec(), fault::none(d)),
    }
}
