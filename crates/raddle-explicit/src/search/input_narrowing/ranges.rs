//! Sets of answers: sorted, disjoint ranges.

/// Both ends of a range are included.
pub type Ranges = Vec<(u64, u64)>;

/// How many answers there are.
pub fn count(ranges: &Ranges) -> u128 {
    ranges.iter().map(|(a, b)| (*b - *a) as u128 + 1).sum()
}

pub(super) fn intersect(a: &Ranges, b: &Ranges) -> Ranges {
    let mut out = Vec::new();
    for (x, y) in a {
        for (u, v) in b {
            let (low, high) = ((*x).max(*u), (*y).min(*v));
            if low <= high {
                out.push((low, high));
            }
        }
    }
    out.sort_unstable();
    out
}

/// The answers up to `last` that are not in the set.
pub(super) fn complement(a: &Ranges, last: u64) -> Ranges {
    let mut out = Vec::new();
    let mut next = 0u128;
    for (low, high) in a {
        if (*low as u128) > next {
            out.push((next as u64, low - 1));
        }
        next = *high as u128 + 1;
    }
    if next <= last as u128 {
        out.push((next as u64, last));
    }
    out
}

pub(super) fn union(mut a: Ranges, b: Ranges) -> Ranges {
    a.extend(b);
    a.sort_unstable();
    let mut out: Ranges = Vec::new();
    for (low, high) in a {
        match out.last_mut() {
            Some(before) if low as u128 <= before.1 as u128 + 1 => before.1 = before.1.max(high),
            _ => out.push((low, high)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let a = vec![(0, 3), (8, 9)];
        assert_eq!(complement(&a, 15), vec![(4, 7), (10, 15)]);
        assert_eq!(complement(&complement(&a, 15), 15), a);
        assert_eq!(union(a.clone(), vec![(4, 7)]), vec![(0, 9)]);
        assert_eq!(intersect(&a, &vec![(2, 8)]), vec![(2, 3), (8, 8)]);
        assert_eq!(complement(&vec![(0, u64::MAX)], u64::MAX), vec![]);
        assert_eq!(count(&vec![(0, u64::MAX)]), 1 << 64);
    }
}
