//! Which ring of many is the oldest that meets a condition: by halving.
//!
//! Above the rings, sets of two, of four, of eight and so on. A set without the condition rules out all its rings at once.

use raddle_bdd::{Bdd, OutOfNodes};

pub(super) struct Halves {
    numbers: Vec<u64>,
    /// The rings, then sets of twice as many each, up to one of all.
    levels: Vec<Vec<Bdd>>,
}

impl Halves {
    pub(super) fn new(rings: &[(u64, Bdd)]) -> Result<Halves, OutOfNodes> {
        let numbers = rings.iter().map(|(number, _)| *number).collect();
        let mut levels = vec![rings.iter().map(|(_, ring)| ring.clone()).collect::<Vec<Bdd>>()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let pairs = below.chunks(2).map(|pair| match pair {
                [one, other] => one.or(other),
                _ => Ok(pair[0].clone()),
            });
            let above = pairs.collect::<Result<_, _>>()?;
            levels.push(above);
        }
        Ok(Halves { numbers, levels })
    }

    /// The number of the oldest ring that meets the condition, with one of the valuations that do.
    pub(super) fn oldest(&self, condition: &Bdd) -> Result<Option<(u64, Vec<bool>)>, OutOfNodes> {
        let top = self.levels.len() - 1;
        let Some(all) = self.levels[top].first() else { return Ok(None) };
        if all.and(condition)?.is_false() {
            return Ok(None);
        }
        let mut at = 0;
        for level in self.levels[..top].iter().rev() {
            at *= 2;
            // If the older half does not meet it, the younger one does.
            if at + 1 < level.len() && level[at].and(condition)?.is_false() {
                at += 1;
            }
        }
        let met = self.levels[0][at].and(condition)?;
        Ok(Some((self.numbers[at], met.some_valuation().expect("it meets the condition"))))
    }

    /// All rings that are older than a number.
    pub(super) fn before(&self, number: u64, nothing: Bdd) -> Result<Bdd, OutOfNodes> {
        let mut left = self.numbers.partition_point(|ring| *ring < number);
        let mut all = nothing;
        for level in &self.levels {
            if left % 2 == 1 {
                all = all.or(&level[left - 1])?;
            }
            left /= 2;
        }
        Ok(all)
    }
}
