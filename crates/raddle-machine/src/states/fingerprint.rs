//! A 128-bit hash of bytes: MurmurHash3 x64-128 (Austin Appleby, public domain), seed 0.
//!
//! Chosen over two 64-bit hashes with different seeds, whose collisions are not independent. It is not made against
//! an adversary; states of a program are none.

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

pub(crate) fn murmur3(bytes: &[u8]) -> u128 {
    let (mut h1, mut h2) = (0u64, 0u64);
    let mut blocks = bytes.chunks_exact(16);
    for block in &mut blocks {
        let k1 = u64::from_le_bytes(block[..8].try_into().expect("eight bytes"));
        let k2 = u64::from_le_bytes(block[8..].try_into().expect("eight bytes"));
        h1 ^= first(k1);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= second(k2);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let rest = blocks.remainder();
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    let last = u128::from_le_bytes(last);
    h1 ^= first(last as u64);
    h2 ^= second((last >> 64) as u64);
    let length = bytes.len() as u64;
    h1 ^= length;
    h2 ^= length;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = finish(h1);
    h2 = finish(h2);
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    (h2 as u128) << 64 | h1 as u128
}

fn first(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn second(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn finish(mut k: u64) -> u64 {
    k = (k ^ k >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    k = (k ^ k >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ k >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_murmur3() {
        let hash = |text: &str| {
            let h = murmur3(text.as_bytes());
            (h as u64, (h >> 64) as u64)
        };
        assert_eq!(hash(""), (0, 0));
        assert_eq!(hash("hello"), (0xcbd8_a7b3_41bd_9b02, 0x5b1e_906a_48ae_1d19));
        assert_eq!(
            hash("The quick brown fox jumps over the lazy dog"),
            (0xe34b_bc7b_bc07_1b6c, 0x7a43_3ca9_c49a_9347)
        );
    }

    #[test]
    fn one_bit_changes_half_of_the_bits() {
        let mut message: Vec<u8> = (0..45u8).map(|i| i.wrapping_mul(7)).collect();
        let before = murmur3(&message);
        let mut flips = [0u32; 128];
        let bits = message.len() * 8;
        for bit in 0..bits {
            message[bit / 8] ^= 1 << (bit % 8);
            let changed = murmur3(&message) ^ before;
            message[bit / 8] ^= 1 << (bit % 8);
            assert!((30..98).contains(&changed.count_ones()), "{changed:x}");
            (0..128).for_each(|i| flips[i] += (changed >> i & 1) as u32);
        }
        // 360 flips of a fair coin: 180, and a standard deviation of 9.5.
        assert!(flips.iter().all(|f| (130..230).contains(f)), "{flips:?}");
    }

    #[test]
    fn counters_spread_evenly() {
        // 2^16 near messages into 256 buckets, by four different bytes of the hash.
        for shift in [0, 56, 64, 120] {
            let mut buckets = [0i64; 256];
            for i in 0..1u32 << 16 {
                let mut message = [1u8; 24];
                message[3..7].copy_from_slice(&i.to_le_bytes());
                buckets[(murmur3(&message) >> shift & 0xff) as usize] += 1;
            }
            let chi_squared: i64 = buckets.iter().map(|n| (n - 256) * (n - 256)).sum::<i64>() / 256;
            // 255 degrees of freedom: 255, and a standard deviation of 22.6.
            assert!((165..345).contains(&chi_squared), "{chi_squared}");
        }
    }
}
