//! Random programs with inputs of 16 to 64 bits and atomics of all orders: two to four threads, each short, that compute with
//! inputs, share them, index by them and branch on them, beside locks, condition variables, pointers, sections and loops.
//!
//! The constants are near the ends of the ranges of inputs, and near what inputs of 3 bits have, so that programs whose inputs
//! are cut show much of the same.

use super::{Concurrent, Op, Order};
use crate::random::Random;

const ORDERS: [Order; 5] =
    [Order::Relaxed, Order::Acquire, Order::Release, Order::AcquireRelease, Order::SequentiallyConsistent];
const LOADS: [Order; 3] = [Order::Relaxed, Order::Acquire, Order::SequentiallyConsistent];
const STORES: [Order; 3] = [Order::Relaxed, Order::Release, Order::SequentiallyConsistent];
const FENCES: [Order; 4] =
    [Order::Acquire, Order::Release, Order::AcquireRelease, Order::SequentiallyConsistent];

/// A random program.
pub fn random_program_with_inputs(random: &mut Random) -> Concurrent {
    let bodies = 1 + random.below(3);
    let started = (0..1 + random.below(3)).map(|_| random.below(bodies)).collect::<Vec<_>>();
    let mut maker = Maker {
        orders: random.one_in(2),
        plain: random.one_in(2),
        locks: random.one_in(3),
        pointers: random.one_in(4),
        sections: random.one_in(4),
        loops: random.one_in(3),
        inputs: 2,
        threads: started.len() as u32,
        random,
    };
    let mut made = Vec::new();
    for _ in 0..bodies {
        // Each thread of a body has its inputs: those of all together are few.
        maker.inputs = 1;
        made.push(maker.ops(2, 6));
    }
    maker.inputs = usize::from(started.len() < 2);
    let before = if maker.random.one_in(3) { maker.ops(0, 2) } else { Vec::new() };
    let mut main = if maker.random.one_in(2) { maker.ops(1, 3) } else { Vec::new() };
    if maker.random.one_in(3) {
        main.extend((0..started.len() as u32).map(|i| Op::Join(i + 2)));
        main.extend(maker.ops(0, 2));
    }
    let initial = if maker.random.one_in(6) { [i32::MAX as u32, 0, 1] } else { [0; 3] };
    Concurrent { bodies: made, started, before, main, initial }
}

struct Maker<'a> {
    random: &'a mut Random,
    orders: bool,
    plain: bool,
    locks: bool,
    pointers: bool,
    sections: bool,
    loops: bool,
    /// That may still be read.
    inputs: usize,
    threads: u32,
}

impl Maker<'_> {
    fn ops(&mut self, depth: u32, most: usize) -> Vec<Op> {
        let count = 1 + self.random.below(most);
        (0..count).flat_map(|_| self.op(depth)).collect()
    }

    fn variable(&mut self) -> u8 {
        *self.random.pick(&[0, 0, 0, 1, 1, 2])
    }
    fn small(&mut self) -> u32 {
        *self.random.pick(&[0, 1, 1, 2])
    }
    fn two(&mut self) -> u8 {
        self.random.one_in(3) as u8
    }

    /// None: a plain access.
    fn order(&mut self, of: &[Order]) -> Option<Order> {
        match (self.plain && !self.random.one_in(3), self.orders) {
            (true, _) => None,
            (false, true) => Some(*self.random.pick(of)),
            (false, false) => Some(Order::SequentiallyConsistent),
        }
    }

    /// Near an end of a range.
    fn number(&mut self, bits: u8) -> u64 {
        let top = u64::MAX >> (64 - bits);
        *self.random.pick(&[0, 1, 2, 3, 4, 5, 7, top, top - 1, top >> 1, (top >> 1) + 1, top & 0x1234_5678])
    }

    /// An input, what is computed of it, and what depends on it.
    fn input(&mut self, depth: u32) -> Vec<Op> {
        let bits = *self.random.pick(&[16, 32, 32, 64]);
        let signed = self.random.one_in(3);
        let mut ops = Vec::new();
        if self.inputs > 0 {
            self.inputs -= 1;
            ops.push(Op::Input { bits, signed, chosen: bits });
        }
        for _ in 0..self.random.below(3) {
            let op =
                *self.random.pick(&["add", "add", "sub", "xor", "and", "or", "mul", "shl", "lshr", "ashr"]);
            let by = match op {
                "mul" => *self.random.pick(&[2, 3, 5]),
                "shl" | "lshr" | "ashr" => 1 + self.random.below(4) as u64,
                _ => self.number(bits),
            };
            ops.push(Op::Compute { op, by });
        }
        match self.random.below(6) {
            0 => ops.push(Op::StoreWide(self.order(&STORES))),
            1 => ops.extend([Op::LowBits(1), Op::StoreIndexed]),
            2 => ops.extend([Op::LowBits(u32::MAX), Op::Add(1)]),
            3 => {
                let (op, with) = self.comparison(bits);
                ops.extend([Op::Compare { op, with }, Op::AssertNot(1)]);
            }
            4 => {
                let (op, with) = self.comparison(bits);
                ops.extend([Op::Compare { op, with }, Op::Assume(1)]);
            }
            _ if depth > 0 => {
                let (op, with) = self.comparison(bits);
                let body = self.ops(depth - 1, 2);
                ops.extend([Op::Compare { op, with }, Op::If { equals: 1, body }]);
            }
            _ => ops.push(Op::LowBits(3)),
        }
        ops
    }

    fn comparison(&mut self, bits: u8) -> (&'static str, u64) {
        let op = *self.random.pick(&["eq", "eq", "ne", "ult", "ule", "slt", "sle"]);
        (op, self.number(bits))
    }

    fn ordered(&mut self) -> Op {
        let variable = self.variable();
        let constant = if self.random.one_in(3) { None } else { Some(self.small()) };
        match self.random.below(8) {
            0..=2 => match self.order(&LOADS) {
                Some(order) => Op::OrderedLoad { variable, order },
                None => Op::Load { variable, atomic: false },
            },
            3..=5 => match self.order(&STORES) {
                Some(order) => Op::OrderedStore { variable, order, constant },
                None => Op::Store { variable, atomic: false, constant },
            },
            6 => {
                let order = self.order(&ORDERS).unwrap_or(Order::Relaxed);
                Op::OrderedUpdate { variable, by: 1, order }
            }
            _ => {
                let success = self.order(&ORDERS).unwrap_or(Order::AcquireRelease);
                let failure = *self.random.pick(&LOADS);
                let (expected, new) = (self.small(), self.small());
                Op::OrderedExchange { variable, expected, new, success, failure }
            }
        }
    }

    fn op(&mut self, depth: u32) -> Vec<Op> {
        let one = loop {
            match self.random.below(40) {
                0..=7 => return self.input(depth),
                8..=16 => break self.ordered(),
                17 | 18 if self.orders => break Op::Fence(*self.random.pick(&FENCES)),
                19 => {
                    let mut ops = vec![Op::LoadWide(self.order(&LOADS))];
                    ops.extend(self.input(depth).into_iter().filter(|op| !matches!(op, Op::Input { .. })));
                    return ops;
                }
                20 | 21 => break Op::AssertNot(self.small()),
                22 | 23 if depth > 0 => {
                    break Op::If { equals: self.small(), body: self.ops(depth - 1, 2) };
                }
                24 | 25 if self.locks && depth > 0 => {
                    break Op::Locked { mutex: self.two(), body: self.ops(depth - 1, 2) };
                }
                26 if self.locks && depth > 0 => break Op::TryLocked(self.ops(depth - 1, 2)),
                // A condition variable: waited for with the mutex held, signalled.
                27 if self.locks => {
                    let wait = vec![Op::WaitWith(self.two())];
                    break Op::Locked { mutex: 0, body: wait };
                }
                28 if self.locks => break Op::Signal(self.two()),
                29 if self.sections && depth > 0 => break Op::Atomic(self.ops(depth - 1, 3)),
                30 if self.loops && depth > 0 => {
                    break Op::Repeat { times: 2, body: self.ops(depth - 1, 2) };
                }
                31 if self.loops && depth > 0 => {
                    break Op::Spin { variable: self.variable(), equals: self.small(), body: Vec::new() };
                }
                32 if self.pointers => {
                    return vec![Op::Allocate, Op::Publish { to: self.two(), atomic: true, local: false }];
                }
                33 if self.pointers => {
                    let then = if self.random.one_in(4) { Op::Free } else { Op::LoadThrough };
                    return vec![Op::Take { from: self.two(), atomic: true }, then];
                }
                34 if self.pointers => break Op::StoreThrough { atomic: self.random.one_in(2) },
                35 => break Op::LoadIndexed,
                36 if self.threads > 0 && self.random.one_in(2) => {
                    break Op::Join(2 + self.random.below(self.threads as usize) as u32);
                }
                _ => {}
            }
        };
        vec![one]
    }
}
