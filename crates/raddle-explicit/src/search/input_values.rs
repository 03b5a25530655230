//! Which answers to a choice are explored: all of them; or, when there are too many and the user asks for it, a
//! sample.
//!
//! The sample depends on the seed, the place and the request alone, so it is the same in every worker, in every
//! search order and in the search for the path to a state. It begins with the values at which programs fail most
//! often: 0, 1, -1, the least and the greatest number, the ends of the ranges; then small numbers and random ones in
//! turn. Every answer is one that the program can get: a violation is a real one. The absence of violations is not
//! proved.

use raddle_machine::{ChoiceKind, ChoiceRequest, CodePoint};
use rustc_hash::FxHashSet;

use crate::search::input_narrowing::{Ranges, count};
use crate::store::pair_table::mix;

/// How far choices are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choosing {
    /// Answers that are explored; a choice with more is wide.
    pub most: u64,
    /// Of a wide choice, so many are explored; `None`: none.
    pub sample: Option<Sample>,
}

/// A part of the answers to a wide choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    pub answers: u64,
    pub seed: u64,
}

/// The answers that are explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answers {
    All(Vec<u64>),
    Some(Vec<u64>),
    /// There are too many.
    Wide,
}

impl Choosing {
    /// Of the answers in `ranges`, which are disjoint and in order.
    pub fn answers(self, request: ChoiceRequest, place: CodePoint, ranges: &Ranges) -> Answers {
        if count(ranges) <= self.most as u128 {
            return Answers::All(ranges.iter().flat_map(|(a, b)| *a..=*b).collect());
        }
        match self.sample {
            Some(sample) => Answers::Some(sample.of(request, place, ranges)),
            None => Answers::Wide,
        }
    }
}

impl Sample {
    fn of(self, request: ChoiceRequest, place: CodePoint, ranges: &Ranges) -> Vec<u64> {
        let most = (self.answers as u128).min(count(ranges)) as usize;
        let mut seen = FxHashSet::default();
        let mut chosen = Vec::new();
        let mut take = |answer: u64, chosen: &mut Vec<u64>| {
            let allowed = ranges.iter().any(|(a, b)| (*a..=*b).contains(&answer));
            if allowed && chosen.len() < most && seen.insert(answer) {
                chosen.push(answer);
            }
        };
        let sign = match request.kind {
            ChoiceKind::Input { bits } if bits > 1 => 1 << (bits - 1),
            _ => request.last / 2 + 1,
        };
        for answer in [0, 1, request.last, sign, sign - 1] {
            take(answer, &mut chosen);
        }
        for (first, last) in ranges.iter().take(most) {
            take(*first, &mut chosen);
            take(*last, &mut chosen);
        }
        let total = count(ranges);
        let mut state = mix(self.seed) ^ mix((place.function.0 as u64) << 32 | place.pc as u64);
        state = mix(state ^ mix(request.last));
        // Every second one is small: this ends, whatever the random ones are.
        for small in 0.. {
            if chosen.len() == most {
                break;
            }
            take(nth(ranges, small), &mut chosen);
            let high = mix(state.wrapping_add(2 * small as u64));
            let low = mix(state.wrapping_add(2 * small as u64 + 1));
            take(nth(ranges, ((high as u128) << 64 | low as u128) % total), &mut chosen);
        }
        // In order, as if all were explored.
        chosen.sort_unstable();
        chosen
    }
}

/// The answer with so many before it; 0 where there are fewer.
fn nth(ranges: &Ranges, mut place: u128) -> u64 {
    for (first, last) in ranges {
        let length = (last - first) as u128 + 1;
        if place < length {
            return first + place as u64;
        }
        place -= length;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::FunctionId;

    fn request(bits: u8) -> ChoiceRequest {
        ChoiceRequest { kind: ChoiceKind::Input { bits }, last: raddle_machine::mask(bits) }
    }

    fn place(pc: u32) -> CodePoint {
        CodePoint { function: FunctionId(1), pc }
    }

    fn sample(answers: u64, seed: u64) -> Choosing {
        Choosing { most: 4, sample: Some(Sample { answers, seed }) }
    }

    #[test]
    fn all_while_they_are_few() {
        let ranges = vec![(1, 2), (7, 8)];
        let few = Choosing { most: 4, sample: None };
        assert_eq!(few.answers(request(8), place(0), &ranges), Answers::All(vec![1, 2, 7, 8]));
        assert_eq!(few.answers(request(8), place(0), &vec![(0, 255)]), Answers::Wide);
    }

    #[test]
    fn the_ends_come_first() {
        let all = vec![(0, u32::MAX as u64)];
        let Answers::Some(five) = sample(5, 9).answers(request(32), place(3), &all) else { panic!() };
        assert_eq!(five, [0, 1, i32::MAX as u64, 1 << 31, u32::MAX as u64]);
        // The sample is taken from the answers that pass an assumption.
        let left = vec![(100, 1_000_000)];
        let Answers::Some(some) = sample(16, 9).answers(request(32), place(3), &left) else { panic!() };
        assert_eq!(some.len(), 16);
        assert!(some.contains(&100) && some.contains(&1_000_000));
        assert!(some.iter().all(|a| (100..=1_000_000).contains(a)));
    }

    #[test]
    fn the_same_for_the_same_seed_place_and_request() {
        let all = vec![(0, u64::MAX)];
        let of = |seed, pc| sample(40, seed).answers(request(64), place(pc), &all);
        assert_eq!(of(1, 1), of(1, 1));
        assert_ne!(of(1, 1), of(2, 1));
        assert_ne!(of(1, 1), of(1, 2));
    }

    #[test]
    fn never_more_than_there_are() {
        let Answers::Some(all) = sample(1000, 0).answers(request(8), place(0), &vec![(3, 9), (20, 25)])
        else {
            panic!()
        };
        assert_eq!(all, (3..=9).chain(20..=25).collect::<Vec<u64>>());
    }
}
