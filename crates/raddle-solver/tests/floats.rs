//! Floats against the processor's.
//!
//! `RADDLE_SEEDS=1000000` compares as many operands an operation.

mod generator;

use generator::Random;
use raddle_solver::{Assignment, Blaster, Evaluation, FloatFormat, Graph, Term, Terms};

const SINGLE: FloatFormat = FloatFormat::BINARY32;
const DOUBLE: FloatFormat = FloatFormat::BINARY64;

fn samples() -> u64 {
    std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

/// Operands of all classes, exponents that are near each other, few bits set.
fn operand(random: &mut Random, exponent_bits: u32, fraction_bits: u32) -> u64 {
    let (all, fraction_mask) = ((1u64 << exponent_bits) - 1, (1u64 << fraction_bits) - 1);
    let middle = all / 2;
    let field = match random.below(10) {
        0 => 0,
        1 => 1 + random.below(2) as u64,
        2 => all,
        3 => all - 1 - random.below(2) as u64,
        4..=6 => middle - 4 + random.below(8) as u64,
        7 => middle + random.below(2 * fraction_bits as usize + 8) as u64 - u64::from(fraction_bits) / 2,
        _ => random.word() & all,
    };
    let fraction = match random.below(6) {
        0 => 0,
        1 => 1 << random.below(fraction_bits as usize),
        2 => fraction_mask - (1 << random.below(fraction_bits as usize)) + 1,
        3 => random.word() & 3,
        _ => random.word(),
    };
    let sign = random.word() & 1;
    sign << (exponent_bits + fraction_bits) | (field & all) << fraction_bits | fraction & fraction_mask
}

type Native<const N: usize> = fn([u64; N]) -> u64;

/// A float operation on N operands of one format beside that of the processor; also with constants, which must fold.
fn compare<const N: usize>(
    name: &str,
    format: FloatFormat,
    build: impl Fn(&mut Terms, [Term; N]) -> Term,
    native: Native<N>,
) {
    let mut terms = Terms::new();
    let width = format.width();
    let variables: [Term; N] = std::array::from_fn(|_| terms.variable(width));
    let made = build(&mut terms, variables);
    let mut cache = Evaluation::new();
    let mut random = Random::new(name.len() as u64 * 77 + u64::from(width));
    let (exponent_bits, fraction_bits) = if width == 32 { (8, 23) } else { (11, 52) };
    // Roots are the largest terms.
    for sample in 0..samples() / if name == "sqrt" { 2 } else { 1 } {
        let mut operands = [0; N];
        for (index, place) in operands.iter_mut().enumerate() {
            *place = operand(&mut random, exponent_bits, fraction_bits);
            // Equal and opposite ones cancel.
            if index > 0 && random.below(8) == 0 {
                *place = 0;
            }
        }
        if N > 1 && random.below(8) == 0 {
            operands[N - 1] = operands[0] ^ (random.word() & 1) << (width - 1) ^ random.word() & 3;
        }
        let mut assignment = Assignment::new();
        for (variable, value) in variables.iter().zip(operands) {
            assignment.set(*variable, value);
        }
        cache.clear();
        let value = terms.evaluate(made, &assignment, &mut cache).low();
        let expected = native(operands);
        assert_eq!(value, expected, "{name} of {operands:x?}: {value:x}, not {expected:x}");
        if sample % 100 == 0 {
            let mut terms = Terms::new();
            let constants = operands.map(|value| terms.constant(width, value));
            let folded = build(&mut terms, constants);
            assert_eq!(terms.as_constant(folded).map(|value| value.low()), Some(expected), "{name}");
        }
    }
}

/// The processor's result, any NaN as the default one.
fn single(value: f32) -> u64 {
    if value.is_nan() { 0xffc0_0000 } else { value.to_bits().into() }
}

fn double(value: f64) -> u64 {
    if value.is_nan() { 0xfff8_0000_0000_0000 } else { value.to_bits() }
}

fn s(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

macro_rules! both {
    ($name:literal, $method:ident, [$($v:ident),*], $result:expr) => {{
        #[allow(unused)]
        {
            compare($name, SINGLE, |t, [$($v),*]| t.$method(SINGLE, $($v),*), |[$($v),*]| {
                $(let $v = s($v);)*
                single($result)
            });
            compare($name, DOUBLE, |t, [$($v),*]| t.$method(DOUBLE, $($v),*), |[$($v),*]| {
                $(let $v = d($v);)*
                double($result)
            });
        }
    }};
}

#[test]
fn sums_and_products() {
    both!("add", float_add, [a, b], a + b);
    both!("sub", float_sub, [a, b], a - b);
    both!("mul", float_mul, [a, b], a * b);
}

#[test]
fn quotients() {
    both!("div", float_div, [a, b], a / b);
}

#[test]
fn roots() {
    both!("sqrt", float_sqrt, [a], a.sqrt());
}

#[test]
fn fused_products() {
    both!("fma", float_fma, [a, b, c], a.mul_add(b, c));
}

#[test]
fn choices_and_integral_values() {
    both!("min", float_min, [a, b], if b.is_nan() || a < b { a } else { b });
    both!("max", float_max, [a, b], if b.is_nan() || a > b { a } else { b });
    both!("floor", float_floor, [a], a.floor());
    both!("ceil", float_ceil, [a], a.ceil());
    both!("trunc", float_trunc, [a], a.trunc());
    both!("round away", float_round_away, [a], a.round());
    both!("round even", float_round_even, [a], a.round_ties_even());
}

#[test]
fn signs_keep_payloads() {
    compare("neg", DOUBLE, |t, [a]| t.float_neg(DOUBLE, a), |[a]| a ^ 1 << 63);
    compare("abs", DOUBLE, |t, [a]| t.float_abs(DOUBLE, a), |[a]| a & !(1 << 63));
    compare(
        "copysign",
        DOUBLE,
        |t, [a, b]| t.float_copy_sign(DOUBLE, a, b),
        |[a, b]| a & !(1 << 63) | b & 1 << 63,
    );
    compare("neg", SINGLE, |t, [a]| t.float_neg(SINGLE, a), |[a]| a ^ 1 << 31);
}

#[test]
fn order() {
    fn relations(terms: &mut Terms, format: FloatFormat, a: Term, b: Term) -> Term {
        let bits = terms.float_compare(format, a, b);
        let mask = bits.into_iter().rev().reduce(|high, low| terms.concat(high, low)).unwrap();
        terms.zero_extend(mask, format.width())
    }
    fn of(order: Option<std::cmp::Ordering>) -> u64 {
        match order {
            Some(std::cmp::Ordering::Equal) => 1,
            Some(std::cmp::Ordering::Greater) => 2,
            Some(std::cmp::Ordering::Less) => 4,
            None => 8,
        }
    }
    compare("order", SINGLE, |t, [a, b]| relations(t, SINGLE, a, b), |[a, b]| of(s(a).partial_cmp(&s(b))));
    compare("order", DOUBLE, |t, [a, b]| relations(t, DOUBLE, a, b), |[a, b]| of(d(a).partial_cmp(&d(b))));
}

#[test]
fn conversions_between_formats() {
    compare("widen", SINGLE, |t, [a]| t.float_convert(SINGLE, DOUBLE, a), |[a]| double(s(a).into()));
    compare("narrow", DOUBLE, |t, [a]| t.float_convert(DOUBLE, SINGLE, a), |[a]| single(d(a) as f32));
    // Around the least and greatest numbers of the narrow format.
    compare(
        "narrow near the ends",
        DOUBLE,
        |t, [a]| {
            let mask = t.constant(64, 0x803f_ffff_ffff_ffffu64);
            let part = t.and(a, mask);
            let bits = t.constant(64, 0x3690_0000_0000_0000u64);
            let moved = t.or(part, bits);
            t.float_convert(DOUBLE, SINGLE, moved)
        },
        |[a]| single(d(a & 0x803f_ffff_ffff_ffff | 0x3690_0000_0000_0000) as f32),
    );
}

/// Integers of random length, in 128 bits.
fn integer(random: &mut Random) -> u128 {
    random.number(128)
}

#[test]
fn conversions_from_integers() {
    for bits in [1u32, 7, 16, 32, 53, 64, 100, 128] {
        let mut random = Random::new(bits.into());
        let mut terms = Terms::new();
        let variable = terms.variable(bits);
        let made = [(SINGLE, true), (SINGLE, false), (DOUBLE, true), (DOUBLE, false)]
            .map(|(format, signed)| terms.float_from_integer(format, signed, variable));
        let mut cache = Evaluation::new();
        for _ in 0..samples() / 4 {
            let value = integer(&mut random) & generator::mask(bits);
            let signed = generator::signed(value, bits);
            let mut assignment = Assignment::new();
            assignment.set(variable, value);
            cache.clear();
            let results = made.map(|term| terms.evaluate(term, &assignment, &mut cache).low());
            let expected =
                [single(signed as f32), single(value as f32), double(signed as f64), double(value as f64)];
            assert_eq!(results, expected, "{value:#x} of {bits} bits");
        }
    }
}

/// The same as the concrete semantics: truncation, range, ends of the range, zero for NaN.
#[test]
fn conversions_to_integers() {
    for bits in [1u32, 7, 16, 32, 63, 64, 100, 128] {
        for (format, exponent_bits, fraction_bits) in [(SINGLE, 8, 23), (DOUBLE, 11, 52)] {
            let mut random = Random::new(bits.into());
            let mut terms = Terms::new();
            let variable = terms.variable(format.width());
            let made = [true, false].map(|signed| terms.float_to_integer(format, signed, bits, variable));
            let mut cache = Evaluation::new();
            for sample in 0..samples() / 8 {
                let mut value = operand(&mut random, exponent_bits, fraction_bits);
                if sample % 3 == 0 {
                    // Near the ends of the range.
                    let end = 2f64.powi(bits as i32 - random.below(3) as i32);
                    let end = if random.below(2) == 0 { -end } else { end };
                    let bits = if format == SINGLE { (end as f32).to_bits().into() } else { end.to_bits() };
                    value = bits + random.below(5) as u64 - 2;
                }
                let number = if format == SINGLE { f64::from(s(value)) } else { d(value) };
                let mut assignment = Assignment::new();
                assignment.set(variable, value);
                cache.clear();
                for (signed, (result, in_range)) in [true, false].into_iter().zip(made) {
                    let result = terms.evaluate(result, &assignment, &mut cache).low_128();
                    let in_range = !terms.evaluate(in_range, &assignment, &mut cache).is_zero();
                    let whole = number.trunc();
                    let expected = if signed {
                        let most = (generator::mask(bits) >> 1) as i128;
                        (whole as i128).clamp(-most - 1, most) as u128 & generator::mask(bits)
                    } else {
                        (whole as u128).min(generator::mask(bits))
                    };
                    let limit = 2f64.powi(bits as i32 - i32::from(signed));
                    let fits =
                        if signed { whole >= -limit && whole < limit } else { whole > -1.0 && whole < limit };
                    assert_eq!((result, in_range), (expected, fits), "{number:e}, {bits} bits, {signed}");
                }
            }
        }
    }
}

#[test]
fn circuits_of_floats() {
    let mut random = Random::new(5);
    let mut terms = Terms::new();
    let (a, b) = (terms.variable(32), terms.variable(32));
    let made = [terms.float_add(SINGLE, a, b), terms.float_mul(SINGLE, a, b), terms.float_div(SINGLE, a, b)];
    let (mut graph, mut blaster) = (Graph::new(), Blaster::new());
    let inputs = [a, b].map(|term| blaster.bits(&terms, &mut graph, term));
    let circuits = made.map(|term| blaster.bits(&terms, &mut graph, term));
    for _ in 0..40 {
        let operands = [operand(&mut random, 8, 23), operand(&mut random, 8, 23)];
        let (x, y) = (s(operands[0]), s(operands[1]));
        for (circuit, expected) in circuits.iter().zip([x + y, x * y, x / y]) {
            let bits = graph.evaluate(circuit, |variable| {
                let formula = graph.value(variable);
                (0..2).any(|index| {
                    inputs[index]
                        .iter()
                        .position(|bit| *bit == formula)
                        .is_some_and(|place| operands[index] >> place & 1 == 1)
                })
            });
            let value = bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit));
            assert_eq!(value, single(expected), "{operands:x?}");
        }
    }
}
