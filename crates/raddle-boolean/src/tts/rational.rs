//! Fractions of 128-bit integers. What does not fit is an [`Overflow`], never a wrong number.

use std::cmp::Ordering;

/// A number was too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

/// A fraction in lowest terms; the denominator is positive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };
    pub const ONE: Rational = Rational { numerator: 1, denominator: 1 };

    pub fn integer(value: i64) -> Rational {
        Rational { numerator: i128::from(value), denominator: 1 }
    }

    fn reduced(numerator: i128, denominator: i128) -> Result<Rational, Overflow> {
        if denominator == 1 {
            return Ok(Rational { numerator, denominator });
        }
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).map_err(|_| Overflow)?;
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        if denominator > 0 {
            return Ok(Rational { numerator, denominator });
        }
        let negated = (numerator.checked_neg(), denominator.checked_neg());
        let (Some(numerator), Some(denominator)) = negated else { return Err(Overflow) };
        Ok(Rational { numerator, denominator })
    }

    pub fn numerator(self) -> i128 {
        self.numerator
    }

    pub fn denominator(self) -> i128 {
        self.denominator
    }

    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub fn is_positive(self) -> bool {
        self.numerator > 0
    }

    pub fn plus(self, other: Rational) -> Result<Rational, Overflow> {
        let left = self.numerator.checked_mul(other.denominator).ok_or(Overflow)?;
        let right = other.numerator.checked_mul(self.denominator).ok_or(Overflow)?;
        let denominator = self.denominator.checked_mul(other.denominator).ok_or(Overflow)?;
        Rational::reduced(left.checked_add(right).ok_or(Overflow)?, denominator)
    }

    pub fn minus(self, other: Rational) -> Result<Rational, Overflow> {
        self.plus(other.negated()?)
    }

    pub fn times(self, other: Rational) -> Result<Rational, Overflow> {
        let numerator = self.numerator.checked_mul(other.numerator).ok_or(Overflow)?;
        let denominator = self.denominator.checked_mul(other.denominator).ok_or(Overflow)?;
        Rational::reduced(numerator, denominator)
    }

    /// By something that is not zero.
    pub fn over(self, other: Rational) -> Result<Rational, Overflow> {
        if other.is_zero() {
            return Err(Overflow);
        }
        let numerator = self.numerator.checked_mul(other.denominator).ok_or(Overflow)?;
        let denominator = self.denominator.checked_mul(other.numerator).ok_or(Overflow)?;
        Rational::reduced(numerator, denominator)
    }

    pub fn negated(self) -> Result<Rational, Overflow> {
        let numerator = self.numerator.checked_neg().ok_or(Overflow)?;
        Ok(Rational { numerator, ..self })
    }

    /// Which one is larger.
    pub fn compared(self, other: Rational) -> Result<Ordering, Overflow> {
        let left = self.numerator.checked_mul(other.denominator).ok_or(Overflow)?;
        let right = other.numerator.checked_mul(self.denominator).ok_or(Overflow)?;
        Ok(left.cmp(&right))
    }
}

pub fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(a: i64, b: i64) -> Rational {
        Rational::integer(a).over(Rational::integer(b)).unwrap()
    }

    #[test]
    fn lowest_terms() {
        assert_eq!(fraction(6, -4), fraction(-3, 2));
        assert_eq!((fraction(6, -4).numerator(), fraction(6, -4).denominator()), (-3, 2));
        assert_eq!(fraction(0, -7), Rational::ZERO);
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(fraction(1, 3).plus(fraction(1, 6)), Ok(fraction(1, 2)));
        assert_eq!(fraction(1, 3).minus(fraction(1, 2)), Ok(fraction(-1, 6)));
        assert_eq!(fraction(2, 3).times(fraction(3, 4)), Ok(fraction(1, 2)));
        assert_eq!(fraction(1, 3).compared(fraction(33, 100)), Ok(Ordering::Greater));
        assert!(Rational::ONE.over(Rational::ZERO).is_err());
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let mut large = Rational::integer(i64::MAX);
        large = large.times(large).unwrap();
        assert_eq!(large.times(large), Err(Overflow));
        let tiny = Rational::ONE.over(large).unwrap();
        assert_eq!(tiny.times(tiny), Err(Overflow));
        assert_eq!(large.plus(tiny), Err(Overflow));
    }
}
