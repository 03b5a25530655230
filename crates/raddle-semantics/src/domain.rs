//! Domains: what the scalar functions compute with.
//!
//! A word is a bit vector of at most 64 bits, zero-extended; every operation is given the width in which it works, so
//! that a domain of terms or circuits builds no more bits than that. Its operands have no bit set above the width, and
//! neither has its result. All operations are total. Bit vectors and their operations are those of SMT-LIB's theory
//! `FixedSizeBitVectors`; what it leaves to a convention (division by zero, shifts by the width or more) is any result
//! here, because the scalar functions never let it through.
//!
//! `known` is what keeps one description fast: the concrete domain answers always, so that the compiler removes the
//! other cases; a symbolic domain answers for constants, and otherwise both cases are computed and joined by `choose`.
//!
//! Operations have `&self`: a domain that makes nodes keeps them behind a cell. Words and bits should be cheap to clone.

use raddle_ir::{FloatBinaryOp, FloatCastOp, FloatKind, FloatUnaryOp};

use crate::fault::FaultConditions;
use crate::value::{Marked, mask};

pub trait Domain {
    type Word: Clone;
    type Bit: Clone;
    type Value: Marked<Self::Word>;
    type Faults: FaultConditions<Self::Bit>;

    fn word(&self, value: u64) -> Self::Word;
    fn bit(&self, value: bool) -> Self::Bit;
    /// The value of a bit that is the same in every model.
    fn known(&self, bit: &Self::Bit) -> Option<bool>;

    fn negation(&self, a: &Self::Bit) -> Self::Bit;
    fn conjunction(&self, a: &Self::Bit, b: &Self::Bit) -> Self::Bit;
    fn disjunction(&self, a: &Self::Bit, b: &Self::Bit) -> Self::Bit;
    /// If-then-else.
    fn choose(&self, condition: &Self::Bit, yes: &Self::Word, no: &Self::Word) -> Self::Word;
    /// Zero or one.
    fn word_of_bit(&self, bit: &Self::Bit) -> Self::Word;

    fn and(&self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn or(&self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn xor(&self, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn add(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn sub(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn mul(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn udiv(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn urem(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// The least number by -1 is the least number.
    fn sdiv(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    /// With the sign of the dividend; of the least number by -1 it is zero.
    fn srem(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Word;
    fn shl(&self, bits: u8, a: &Self::Word, by: &Self::Word) -> Self::Word;
    fn lshr(&self, bits: u8, a: &Self::Word, by: &Self::Word) -> Self::Word;
    fn ashr(&self, bits: u8, a: &Self::Word, by: &Self::Word) -> Self::Word;
    /// From fewer bits to as many or more.
    fn sign_extend(&self, from: u8, to: u8, a: &Self::Word) -> Self::Word;
    /// The lowest `to` bits of any word.
    fn truncate(&self, to: u8, a: &Self::Word) -> Self::Word;

    fn eq(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Bit;
    fn ult(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Bit;
    fn slt(&self, bits: u8, a: &Self::Word, b: &Self::Word) -> Self::Bit;

    /// Whether the exact result is outside the numbers of this width (SMT-LIB's `bvsaddo`, `bvuaddo` and so on).
    fn add_overflows(&self, bits: u8, signed: bool, a: &Self::Word, b: &Self::Word) -> Self::Bit {
        let sum = self.add(bits, a, b);
        if !signed {
            return self.ult(bits, &sum, a);
        }
        self.sign(bits, &self.and(&self.xor(a, &sum), &self.xor(b, &sum)))
    }
    fn sub_overflows(&self, bits: u8, signed: bool, a: &Self::Word, b: &Self::Word) -> Self::Bit {
        if !signed {
            return self.ult(bits, a, b);
        }
        let difference = self.sub(bits, a, b);
        self.sign(bits, &self.and(&self.xor(a, b), &self.xor(a, &difference)))
    }
    fn mul_overflows(&self, bits: u8, signed: bool, a: &Self::Word, b: &Self::Word) -> Self::Bit {
        let (zero, product) = (self.word(0), self.mul(bits, a, b));
        let divided = if signed { self.sdiv(bits, &product, a) } else { self.udiv(bits, &product, a) };
        let lost = self.negation(&self.eq(bits, &divided, b));
        // Dividing the least number by -1 gives it back.
        let least = self.word(1 << (bits - 1));
        let turned = self.conjunction(&self.eq(bits, a, &self.word(mask(bits))), &self.eq(bits, b, &least));
        let lost = if signed { self.disjunction(&lost, &turned) } else { lost };
        self.conjunction(&self.negation(&self.eq(bits, a, &zero)), &lost)
    }
    /// The upper word of the unsigned product of two words of 64 bits.
    fn mul_high(&self, a: &Self::Word, b: &Self::Word) -> Self::Word {
        let (half, low) = (self.word(32), self.word(mask(32)));
        let split = |x: &Self::Word| (self.and(x, &low), self.lshr(64, x, &half));
        let ((a0, a1), (b0, b1)) = (split(a), split(b));
        let middle = self.add(64, &self.mul(64, &a1, &b0), &split(&self.mul(64, &a0, &b0)).1);
        let (middle_low, middle_high) = split(&middle);
        let other = self.add(64, &self.mul(64, &a0, &b1), &middle_low);
        self.add(64, &self.add(64, &self.mul(64, &a1, &b1), &middle_high), &split(&other).1)
    }

    /// The number of ones.
    fn ones(&self, a: &Self::Word) -> Self::Word {
        let pairs = |x: &Self::Word, by: u64, m: u64| {
            let upper = self.and(&self.lshr(64, x, &self.word(by)), &self.word(m));
            self.add(64, &self.and(x, &self.word(m)), &upper)
        };
        let x = pairs(a, 1, 0x5555_5555_5555_5555);
        let x = pairs(&x, 2, 0x3333_3333_3333_3333);
        let x = pairs(&x, 4, 0x0f0f_0f0f_0f0f_0f0f);
        let x = pairs(&x, 8, 0x00ff_00ff_00ff_00ff);
        let x = pairs(&x, 16, 0x0000_ffff_0000_ffff);
        pairs(&x, 32, 0x0000_0000_ffff_ffff)
    }
    /// The zeros below the lowest one; of zero: `bits`.
    fn trailing_zeros(&self, bits: u8, a: &Self::Word) -> Self::Word {
        let below = self.sub(bits, a, &self.word(1));
        self.ones(&self.and(&self.xor(a, &self.word(mask(bits))), &below))
    }
    /// The zeros above the highest one; of zero: `bits`.
    fn leading_zeros(&self, bits: u8, a: &Self::Word) -> Self::Word {
        let mut x = a.clone();
        for by in [1, 2, 4, 8, 16, 32] {
            if by < bits {
                x = self.or(&x, &self.lshr(bits, &x, &self.word(by as u64)));
            }
        }
        self.ones(&self.xor(&x, &self.word(mask(bits))))
    }
    fn byte_swap(&self, bits: u8, a: &Self::Word) -> Self::Word {
        self.reversed(bits, a, &[(8, 0x00ff_00ff_00ff_00ff), (16, 0x0000_ffff_0000_ffff), (32, 0xffff_ffff)])
    }
    fn bit_reverse(&self, bits: u8, a: &Self::Word) -> Self::Word {
        let stages = [
            (1, 0x5555_5555_5555_5555),
            (2, 0x3333_3333_3333_3333),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (8, 0x00ff_00ff_00ff_00ff),
            (16, 0x0000_ffff_0000_ffff),
            (32, 0xffff_ffff),
        ];
        self.reversed(bits, a, &stages)
    }
    /// Neighbours of so many bits (in the mask: the lower ones) change places, stage by stage.
    fn reversed(&self, bits: u8, a: &Self::Word, stages: &[(u64, u64)]) -> Self::Word {
        let mut x = a.clone();
        for (by, m) in stages {
            let (by, m) = (self.word(*by), self.word(*m));
            let upper = self.and(&self.lshr(64, &x, &by), &m);
            x = self.or(&upper, &self.shl(64, &self.and(&x, &m), &by));
        }
        if bits == 64 { x } else { self.lshr(64, &x, &self.word(64 - bits as u64)) }
    }

    /// The highest bit.
    #[inline(always)]
    fn sign(&self, bits: u8, a: &Self::Word) -> Self::Bit {
        self.slt(bits, a, &self.word(0))
    }
    #[inline(always)]
    fn is_zero(&self, a: &Self::Word) -> Self::Bit {
        self.eq(64, a, &self.word(0))
    }
    /// The lowest bit.
    #[inline(always)]
    fn lowest(&self, a: &Self::Word) -> Self::Bit {
        self.negation(&self.is_zero(&self.and(a, &self.word(1))))
    }

    /// Floating-point operations on IEEE 754 bit patterns of operands that are determinate; `None`: not supported by
    /// this domain.
    fn float_binary(
        &self,
        _: FloatBinaryOp,
        _: FloatKind,
        _a: &Self::Word,
        _b: &Self::Word,
    ) -> Option<Self::Word> {
        None
    }
    fn float_unary(&self, _: FloatUnaryOp, _: FloatKind, _: &Self::Word) -> Option<Self::Word> {
        None
    }
    /// a * b + c, rounded once.
    fn float_fused(
        &self,
        _: FloatKind,
        _a: &Self::Word,
        _b: &Self::Word,
        _c: &Self::Word,
    ) -> Option<Self::Word> {
        None
    }
    /// Whether one of the relations of the mask (see [`raddle_ir::FloatCompareOp`]) holds.
    fn float_compare(&self, _: u8, _: FloatKind, _a: &Self::Word, _b: &Self::Word) -> Option<Self::Bit> {
        None
    }
    /// The result, and whether the integer type can represent it; where it cannot, any result.
    fn float_cast(
        &self,
        _: FloatCastOp,
        _: FloatKind,
        _bits: u8,
        _: &Self::Word,
    ) -> Option<(Self::Word, Self::Bit)> {
        None
    }
    /// To an integer of more than 64 bits, limb by limb, and whether it can be represented.
    fn float_to_wide(
        &self,
        _: FloatKind,
        _signed: bool,
        _bits: u16,
        _: &Self::Word,
    ) -> Option<(Vec<Self::Word>, Self::Bit)> {
        None
    }
    fn wide_to_float(&self, _: FloatKind, _signed: bool, _bits: u16, _: &[Self::Word]) -> Option<Self::Word> {
        None
    }
}
