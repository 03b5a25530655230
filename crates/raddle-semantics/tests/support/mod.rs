//! For the tests: a domain of terms, a small random generator, lists of all operations.

#![allow(dead_code)]

pub mod terms;

use raddle_ir::{BinaryOp, BitOp, CompareOp, OverflowOp, UpdateOp};

pub const BINARY: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::Shl,
    BinaryOp::ShlSigned,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::UMin,
    BinaryOp::UMax,
    BinaryOp::SMin,
    BinaryOp::SMax,
    BinaryOp::UAddSat,
    BinaryOp::SAddSat,
    BinaryOp::USubSat,
    BinaryOp::SSubSat,
];

pub const COMPARE: &[CompareOp] = &[
    CompareOp::Eq,
    CompareOp::Ne,
    CompareOp::ULt,
    CompareOp::ULe,
    CompareOp::UGt,
    CompareOp::UGe,
    CompareOp::SLt,
    CompareOp::SLe,
    CompareOp::SGt,
    CompareOp::SGe,
];

pub const OVERFLOW: &[OverflowOp] = &[
    OverflowOp::SAdd,
    OverflowOp::UAdd,
    OverflowOp::SSub,
    OverflowOp::USub,
    OverflowOp::SMul,
    OverflowOp::UMul,
];

pub const BITS: &[BitOp] = &[
    BitOp::PopCount,
    BitOp::LeadingZeros,
    BitOp::TrailingZeros,
    BitOp::ByteSwap,
    BitOp::BitReverse,
    BitOp::Abs,
    BitOp::FunnelLeft,
    BitOp::FunnelRight,
    BitOp::Settle,
];

pub const UPDATE: &[UpdateOp] = &[
    UpdateOp::Exchange,
    UpdateOp::Add,
    UpdateOp::Sub,
    UpdateOp::And,
    UpdateOp::Nand,
    UpdateOp::Or,
    UpdateOp::Xor,
    UpdateOp::Max,
    UpdateOp::Min,
    UpdateOp::UMax,
    UpdateOp::UMin,
    UpdateOp::UIncWrap,
    UpdateOp::UDecWrap,
];

/// Marsaglia's xorshift.
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound
    }
    /// Numbers at which programs fail come often.
    pub fn interesting(&mut self) -> u64 {
        let x = self.number();
        match self.below(8) {
            0 => 0,
            1 => self.below(70),
            2 => u64::MAX,
            3 => 1 << (x % 64),
            4 => (1 << (x % 64)) - 1,
            5 => x >> (x % 64),
            _ => x,
        }
    }
}
