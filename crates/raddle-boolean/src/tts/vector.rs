//! Vectors of thread counters, sparse: only what is not zero has an entry. Counters that become zero disappear, as the
//! volatile counters of Basler 2010, §8.4.1: there may be a hundred thousand local states, and five threads.

use std::rc::Rc;

/// Arbitrarily many. It is larger than every count.
pub const OMEGA: u32 = u32::MAX;
/// The largest count; more is an overflow, which ends a search without an answer.
pub const MOST: u32 = u32::MAX - 1;

/// Local states with their counts: sorted, no zeros.
pub type Entries = Rc<[(u32, u32)]>;

/// Which local states have an entry, 64 of them sharing a bit: if `a` is below `b`, the bits of `a` are among those of
/// `b`. The pre-check of §10.7.1 with bitsets; it may miss that `a` is *not* below `b`, never invent it.
pub fn signature(entries: &[(u32, u32)]) -> u64 {
    entries.iter().fold(0, |bits, (local, _)| bits | 1 << (local.wrapping_mul(0x9e37_79b9) >> 26))
}

/// Whether each count of `a` is at most that of `b`.
pub fn is_below(a: &[(u32, u32)], b: &[(u32, u32)]) -> bool {
    if a.len() > b.len() {
        return false;
    }
    let mut rest = b.iter();
    'entries: for (local, count) in a {
        for (other, most) in rest.by_ref() {
            if other == local {
                if count > most {
                    return false;
                }
                continue 'entries;
            }
            if other > local {
                return false;
            }
        }
        return false;
    }
    true
}

/// The count of a local state.
pub fn count_of(entries: &[(u32, u32)], local: u32) -> u32 {
    entries.binary_search_by_key(&local, |(l, _)| *l).map_or(0, |at| entries[at].1)
}

/// Adds one thread. `false` when there would be more than can be counted.
#[must_use]
pub fn add_one(entries: &mut Vec<(u32, u32)>, local: u32) -> bool {
    match entries.binary_search_by_key(&local, |(l, _)| *l) {
        Ok(at) if entries[at].1 == OMEGA => true,
        Ok(at) if entries[at].1 == MOST => false,
        Ok(at) => {
            entries[at].1 += 1;
            true
        }
        Err(at) => {
            entries.insert(at, (local, 1));
            true
        }
    }
}

/// Takes one thread away, if there is one. Of arbitrarily many, arbitrarily many are left.
pub fn take_one(entries: &mut Vec<(u32, u32)>, local: u32) -> bool {
    match entries.binary_search_by_key(&local, |(l, _)| *l) {
        Ok(at) => {
            match entries[at].1 {
                OMEGA => {}
                1 => {
                    entries.remove(at);
                }
                _ => entries[at].1 -= 1,
            }
            true
        }
        Err(_) => false,
    }
}

/// How many threads these are.
pub fn total(entries: &[(u32, u32)]) -> u64 {
    entries.iter().map(|(_, count)| u64::from(*count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_by_component() {
        assert!(is_below(&[], &[]) && is_below(&[], &[(1, 1)]) && is_below(&[(3, 2)], &[(1, 1), (3, 2)]));
        assert!(is_below(&[(1, 9)], &[(1, OMEGA)]) && !is_below(&[(1, OMEGA)], &[(1, 9)]));
        assert!(!is_below(&[(1, 1)], &[]) && !is_below(&[(2, 1)], &[(1, 1), (3, 1)]));
        assert!(!is_below(&[(1, 2)], &[(1, 1)]) && !is_below(&[(4, 1)], &[(1, 1), (3, 1)]));
        assert!(!is_below(&[(1, 1), (2, 1)], &[(1, 1), (3, 1)]));
    }

    #[test]
    fn signatures_never_forbid_what_is_below() {
        let larger: Vec<(u32, u32)> = (0..200).map(|l| (l * 7, 2)).collect();
        for skip in 1..20 {
            let smaller: Vec<(u32, u32)> = larger.iter().copied().step_by(skip).collect();
            assert!(is_below(&smaller, &larger));
            assert_eq!(signature(&smaller) & !signature(&larger), 0);
        }
        // It is worth something: most single local states differ.
        let distinct: std::collections::BTreeSet<u64> = (0..64).map(|l| signature(&[(l, 1)])).collect();
        assert!(distinct.len() > 32, "{}", distinct.len());
    }

    #[test]
    fn zeros_disappear() {
        let mut v = vec![(1, 1), (2, OMEGA)];
        assert!(take_one(&mut v, 1) && take_one(&mut v, 2) && !take_one(&mut v, 1));
        assert_eq!(v, [(2, OMEGA)]);
        assert!(add_one(&mut v, 0) && add_one(&mut v, 0) && add_one(&mut v, 2));
        assert_eq!(v, [(0, 2), (2, OMEGA)]);
        let mut full = vec![(0, MOST)];
        assert!(!add_one(&mut full, 0));
    }
}
