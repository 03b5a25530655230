//! Floats of 6 to 11 bits against rational arithmetic: the nearest number is looked up in the list of all numbers.

mod generator;

use raddle_solver::{Assignment, Evaluation, FloatFormat, Term, Terms};

/// A fraction, for exact results.
#[derive(Clone, Copy)]
struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    fn compare(self, other: Rational) -> std::cmp::Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }

    fn mul(self, other: Rational) -> Rational {
        Rational {
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
        }
    }

    fn add(self, other: Rational) -> Rational {
        Rational {
            numerator: self.numerator * other.denominator + other.numerator * self.denominator,
            denominator: self.denominator * other.denominator,
        }
    }
}

/// A format of few bits whose numbers are listed.
struct Tiny {
    format: FloatFormat,
    significand: u32,
    /// By magnitude, its value; that of infinity is what would come next.
    values: Vec<Rational>,
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Nan,
    Infinite,
    Finite,
}

impl Tiny {
    fn new(exponent: u32, significand: u32) -> Tiny {
        let fraction_bits = significand - 1;
        let infinity = ((1u32 << exponent) - 1) << fraction_bits;
        let bias = (1i32 << (exponent - 1)) - 1;
        let values = (0..=infinity)
            .map(|bits| {
                let (field, fraction) = (bits >> fraction_bits, bits & ((1 << fraction_bits) - 1));
                let whole = if field == 0 { fraction } else { fraction | 1 << fraction_bits };
                let power = field.max(1) as i32 - bias - fraction_bits as i32;
                Rational { numerator: i128::from(whole) << power.max(0), denominator: 1 << (-power).max(0) }
            })
            .collect();
        Tiny { format: FloatFormat::new(exponent, significand), significand, values }
    }

    fn count(&self) -> u64 {
        1 << self.format.width()
    }

    fn infinity(&self) -> u64 {
        self.values.len() as u64 - 1
    }

    fn sign(&self, bits: u64) -> bool {
        bits >> (self.format.width() - 1) & 1 == 1
    }

    fn magnitude(&self, bits: u64) -> u64 {
        bits & (self.count() / 2 - 1)
    }

    fn class(&self, bits: u64) -> Class {
        match self.magnitude(bits).cmp(&self.infinity()) {
            std::cmp::Ordering::Less => Class::Finite,
            std::cmp::Ordering::Equal => Class::Infinite,
            std::cmp::Ordering::Greater => Class::Nan,
        }
    }

    fn value(&self, bits: u64) -> Rational {
        let mut value = self.values[self.magnitude(bits) as usize];
        if self.sign(bits) {
            value.numerator = -value.numerator;
        }
        value
    }

    fn signed(&self, sign: bool, magnitude: u64) -> u64 {
        u64::from(sign) << (self.format.width() - 1) | magnitude
    }

    fn nan(&self) -> u64 {
        3 << (self.format.width() - 2) | self.infinity() | 1 << (self.significand - 2)
    }

    /// The nearest number; halfway the even one. The sign of zero is given.
    fn round(&self, exact: Rational, zero_sign: bool) -> u64 {
        let sign = if exact.numerator == 0 { zero_sign } else { exact.numerator < 0 };
        let exact = Rational { numerator: exact.numerator.abs(), ..exact };
        let next = self.values.partition_point(|value| value.compare(exact).is_le());
        if next == self.values.len() {
            return self.signed(sign, self.infinity());
        }
        let (low, high) = (self.values[next - 1], self.values[next]);
        let half = low.add(high).mul(Rational { numerator: 1, denominator: 2 });
        let up = match exact.compare(half) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => next % 2 == 0,
            std::cmp::Ordering::Greater => true,
        };
        self.signed(sign, (next - usize::from(!up)) as u64)
    }

    fn add(&self, a: u64, b: u64) -> u64 {
        match (self.class(a), self.class(b)) {
            (Class::Nan, _) | (_, Class::Nan) => self.nan(),
            (Class::Infinite, Class::Infinite) if self.sign(a) != self.sign(b) => self.nan(),
            (Class::Infinite, _) => a,
            (_, Class::Infinite) => b,
            _ => self.round(self.value(a).add(self.value(b)), self.sign(a) && self.sign(b)),
        }
    }

    fn mul(&self, a: u64, b: u64) -> u64 {
        let sign = self.sign(a) != self.sign(b);
        let zero = |bits: u64| self.magnitude(bits) == 0;
        match (self.class(a), self.class(b)) {
            (Class::Nan, _) | (_, Class::Nan) => self.nan(),
            (Class::Infinite, _) if zero(b) => self.nan(),
            (_, Class::Infinite) if zero(a) => self.nan(),
            (Class::Infinite, _) | (_, Class::Infinite) => self.signed(sign, self.infinity()),
            _ => self.round(self.value(a).mul(self.value(b)), sign),
        }
    }

    fn div(&self, a: u64, b: u64) -> u64 {
        let sign = self.sign(a) != self.sign(b);
        let zero = |bits: u64| self.magnitude(bits) == 0;
        match (self.class(a), self.class(b)) {
            (Class::Nan, _) | (_, Class::Nan) | (Class::Infinite, Class::Infinite) => self.nan(),
            _ if zero(a) && zero(b) => self.nan(),
            (Class::Infinite, _) => self.signed(sign, self.infinity()),
            (_, Class::Infinite) => self.signed(sign, 0),
            _ if zero(b) => self.signed(sign, self.infinity()),
            _ => {
                let (x, y) = (self.value(a), self.value(b));
                let turn = y.numerator.signum();
                let inverse = Rational { numerator: y.denominator * turn, denominator: y.numerator * turn };
                self.round(x.mul(inverse), sign)
            }
        }
    }

    fn fma(&self, a: u64, b: u64, c: u64) -> u64 {
        let finite = |bits: u64| self.class(bits) == Class::Finite;
        if !finite(a) || !finite(b) || !finite(c) {
            // An infinite or invalid product, or a finite one that changes nothing.
            let product = self.mul(a, b);
            let product = if finite(a) && finite(b) { 0 } else { product };
            return self.add(product, c);
        }
        let sign = self.sign(a) != self.sign(b);
        let exact = self.value(a).mul(self.value(b)).add(self.value(c));
        self.round(exact, sign && self.sign(c))
    }

    fn sqrt(&self, a: u64) -> u64 {
        match self.class(a) {
            Class::Nan => self.nan(),
            _ if self.magnitude(a) == 0 => a,
            _ if self.sign(a) => self.nan(),
            Class::Infinite => a,
            Class::Finite => {
                let exact = self.value(a);
                let next = self.values.partition_point(|value| value.mul(*value).compare(exact).is_le());
                let half = self.values[next - 1]
                    .add(self.values[next])
                    .mul(Rational { numerator: 1, denominator: 2 });
                let up = half.mul(half).compare(exact).is_lt();
                (next - usize::from(!up)) as u64
            }
        }
    }
}

fn exhaust<const N: usize>(
    tiny: &Tiny,
    step: u64,
    build: impl Fn(&mut Terms, FloatFormat, [Term; N]) -> Term,
    expected: impl Fn([u64; N]) -> u64,
) {
    let mut terms = Terms::new();
    let variables: [Term; N] = std::array::from_fn(|_| terms.variable(tiny.format.width()));
    let made = build(&mut terms, tiny.format, variables);
    let mut cache = Evaluation::new();
    let mut number = 0;
    while number < tiny.count().pow(N as u32) {
        let operands: [u64; N] =
            std::array::from_fn(|index| number / tiny.count().pow(index as u32) % tiny.count());
        let mut assignment = Assignment::new();
        for (variable, value) in variables.iter().zip(operands) {
            assignment.set(*variable, value);
        }
        cache.clear();
        let value = terms.evaluate(made, &assignment, &mut cache).low();
        let expected = expected(operands);
        assert_eq!(value, expected, "{:?} {operands:x?}: {value:x}, not {expected:x}", tiny.format);
        number += step;
    }
}

#[test]
fn tiny_formats_are_right_in_full() {
    for (exponent, significand) in [(3, 4), (2, 5), (4, 4)] {
        let tiny = Tiny::new(exponent, significand);
        exhaust(&tiny, 1, |t, f, [a, b]| t.float_add(f, a, b), |[a, b]| tiny.add(a, b));
        exhaust(&tiny, 1, |t, f, [a, b]| t.float_mul(f, a, b), |[a, b]| tiny.mul(a, b));
        exhaust(&tiny, 1, |t, f, [a, b]| t.float_div(f, a, b), |[a, b]| tiny.div(a, b));
        exhaust(&tiny, 1, |t, f, [a]| t.float_sqrt(f, a), |[a]| tiny.sqrt(a));
        let subtrahend = |b: u64| b ^ (tiny.count() / 2);
        exhaust(&tiny, 1, |t, f, [a, b]| t.float_sub(f, a, b), |[a, b]| tiny.add(a, subtrahend(b)));
    }
    let tiny = Tiny::new(2, 4);
    exhaust(&tiny, 3, |t, f, [a, b, c]| t.float_fma(f, a, b, c), |[a, b, c]| tiny.fma(a, b, c));
    let tiny = Tiny::new(4, 4);
    exhaust(&tiny, 331, |t, f, [a, b, c]| t.float_fma(f, a, b, c), |[a, b, c]| tiny.fma(a, b, c));
}

#[test]
fn tiny_formats_are_converted_in_full() {
    let formats = [Tiny::new(2, 4), Tiny::new(3, 4), Tiny::new(3, 6), Tiny::new(5, 4), Tiny::new(4, 7)];
    for from in &formats {
        for to in &formats {
            exhaust(
                from,
                1,
                |t, f, [a]| t.float_convert(f, to.format, a),
                |[a]| match from.class(a) {
                    Class::Nan => to.nan(),
                    Class::Infinite => to.signed(from.sign(a), to.infinity()),
                    Class::Finite => to.round(from.value(a), from.sign(a)),
                },
            );
        }
        let whole = |a: u64, up: fn(Rational, i128) -> bool| {
            if from.class(a) == Class::Nan {
                return from.nan();
            }
            if from.class(a) == Class::Infinite {
                return a;
            }
            // The number below, and the next, if `up` says so of the exact value.
            let value = from.value(a);
            let below = value.numerator.div_euclid(value.denominator);
            let chosen = below + i128::from(up(value, below));
            from.round(Rational { numerator: chosen, denominator: 1 }, from.sign(a))
        };
        exhaust(from, 1, |t, f, [a]| t.float_floor(f, a), |[a]| whole(a, |_, _| false));
        exhaust(
            from,
            1,
            |t, f, [a]| t.float_ceil(f, a),
            |[a]| whole(a, |value, below| value.numerator != below * value.denominator),
        );
        exhaust(
            from,
            1,
            |t, f, [a]| t.float_trunc(f, a),
            |[a]| {
                whole(a, |value, below| value.numerator < 0 && value.numerator != below * value.denominator)
            },
        );
        exhaust(
            from,
            1,
            |t, f, [a]| t.float_round_even(f, a),
            |[a]| {
                whole(a, |value, below| {
                    let rest = 2 * (value.numerator - below * value.denominator);
                    rest > value.denominator || rest == value.denominator && below % 2 != 0
                })
            },
        );
        exhaust(
            from,
            1,
            |t, f, [a]| t.float_round_away(f, a),
            |[a]| {
                whole(a, |value, below| {
                    let rest = 2 * (value.numerator - below * value.denominator);
                    rest > value.denominator || rest == value.denominator && value.numerator > 0
                })
            },
        );
        for bits in 1..=10u32 {
            let mut terms = Terms::new();
            let variable = terms.variable(bits);
            let made = [true, false].map(|signed| terms.float_from_integer(from.format, signed, variable));
            for value in 0..1u64 << bits {
                let mut assignment = Assignment::new();
                assignment.set(variable, value);
                let number = [generator::signed(value.into(), bits), value.into()];
                for (term, number) in made.into_iter().zip(number) {
                    let result = terms.evaluate(term, &assignment, &mut Evaluation::new()).low();
                    let exact = Rational { numerator: number, denominator: 1 };
                    assert_eq!(result, from.round(exact, false), "{number} of {bits} bits");
                }
            }
        }
    }
}
