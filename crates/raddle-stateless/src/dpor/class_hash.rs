//! Hashes of classes: the sum of the hashes of their events, so that the order does not matter.

use crate::dpor::clock::Cut;
use crate::dpor::event::Answers;

/// The same for the same event of the same class, whatever the order in which threads were met. `numbers`: of the slots.
pub fn class_hash(number: u32, numbers: &[u32], past: &Cut, answers: &Answers) -> u128 {
    let mut sum: u128 = 0;
    for (slot, other) in numbers.iter().enumerate() {
        let count = past.get(slot);
        if count > 0 {
            sum = sum.wrapping_add(mix((*other as u128) << 32 | count as u128));
        }
    }
    for (answer, _) in &answers.0 {
        sum = mix(sum ^ (*answer as u128) << 64);
    }
    mix(sum.wrapping_add(number as u128))
}

/// Spreads the bits (the finaliser of MurmurHash3, on both halves).
pub fn mix(value: u128) -> u128 {
    let half = |mut x: u64| {
        x ^= x >> 33;
        x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
        x ^= x >> 33;
        x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        x ^ x >> 33
    };
    let (high, low) = ((value >> 64) as u64, value as u64);
    let first = half(low ^ half(high.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    let second = half(high ^ half(low.wrapping_add(0x6a09_e667_f3bc_c908)));
    (first as u128) << 64 | second as u128
}
