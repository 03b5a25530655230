//! Register values: bits, and which of them are indeterminate.

/// At most 64 bits, zero-extended. A set bit in `undefined` marks an indeterminate bit (whose `bits` are zero).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Value {
    pub bits: u64,
    pub undefined: u64,
}

/// A register value of any domain. A trait, because vectors of a generic `Value<u64>` would be cloned element by element.
pub trait Marked<W>: Clone {
    fn new(bits: W, undefined: W) -> Self;
    fn bits(&self) -> &W;
    fn undefined(&self) -> &W;
}

impl Marked<u64> for Value {
    #[inline(always)]
    fn new(bits: u64, undefined: u64) -> Value {
        Value { bits, undefined }
    }
    #[inline(always)]
    fn bits(&self) -> &u64 {
        &self.bits
    }
    #[inline(always)]
    fn undefined(&self) -> &u64 {
        &self.undefined
    }
}

/// The register value of a domain that needs nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Pair<W> {
    pub bits: W,
    pub undefined: W,
}

impl<W: Clone> Marked<W> for Pair<W> {
    fn new(bits: W, undefined: W) -> Pair<W> {
        Pair { bits, undefined }
    }
    fn bits(&self) -> &W {
        &self.bits
    }
    fn undefined(&self) -> &W {
        &self.undefined
    }
}

impl Value {
    pub const UNDEFINED: Value = Value { bits: 0, undefined: u64::MAX };

    #[inline(always)]
    pub fn of(bits: u64) -> Value {
        Value { bits, undefined: 0 }
    }
    #[inline(always)]
    pub fn is_defined(self) -> bool {
        self.undefined == 0
    }
    /// All `bits` bits indeterminate.
    pub fn undefined_bits(bits: u8) -> Value {
        Value { bits: 0, undefined: mask(bits) }
    }
}

/// The lowest `bits` (1 to 64) bits set.
#[inline(always)]
pub fn mask(bits: u8) -> u64 {
    debug_assert!((1..=64).contains(&bits));
    u64::MAX >> unused(bits)
}

/// The value as a signed number of `bits` (1 to 64) bits.
#[inline(always)]
pub fn signed(value: u64, bits: u8) -> i64 {
    let shift = unused(bits);
    ((value << shift) as i64) >> shift
}

/// The bits of a word above the lowest `bits`, 0 to 63: widths are checked by the verifier of `raddle-ir`, not at every
/// instruction.
#[inline(always)]
fn unused(bits: u8) -> u32 {
    64u32.wrapping_sub(bits as u32) & 63
}
