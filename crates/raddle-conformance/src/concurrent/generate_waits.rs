//! Random programs whose threads wait in loops: for a condition with a mutex, by polling under a lock, with flags that are raised and
//! lowered again, in a function of their own. Others set what is waited for, signal with the mutex or without it, try
//! locks and read the flags meanwhile. Engines that leave out rounds of such loops are compared on them.

use super::{Concurrent, Op};
use crate::random::Random;

/// A random program.
pub fn random_program_with_waits(random: &mut Random) -> Concurrent {
    let bodies = 1 + random.below(3);
    let started = (0..1 + random.below(2)).map(|_| random.below(bodies)).collect::<Vec<_>>();
    let mut maker = Maker { random };
    let mut made = Vec::new();
    for index in 0..bodies {
        made.push(maker.body(index == 0));
    }
    let mut main = maker.body(false);
    if maker.random.one_in(3) {
        main.extend((0..started.len() as u32).map(|i| Op::Join(i + 2)));
        main.push(Op::Load { variable: 0, atomic: false });
        main.push(Op::AssertNot(maker.small()));
    }
    Concurrent { bodies: made, started, before: Vec::new(), main, initial: [0; 3] }
}

struct Maker<'a> {
    random: &'a mut Random,
}

impl Maker<'_> {
    fn body(&mut self, waits: bool) -> Vec<Op> {
        let mut ops = Vec::new();
        for _ in 0..self.random.below(2) {
            ops.push(self.other());
        }
        if waits || self.random.one_in(3) {
            ops.push(self.wait());
        }
        for _ in 0..1 + self.random.below(2) {
            ops.push(self.other());
        }
        ops
    }

    fn variable(&mut self) -> u8 {
        *self.random.pick(&[0, 0, 0, 1, 1, 2])
    }
    fn small(&mut self) -> u32 {
        *self.random.pick(&[0, 1, 1, 2])
    }
    fn two(&mut self) -> u8 {
        self.random.one_in(4) as u8
    }

    /// A loop whose rounds leave shared memory as it was, or nearly so.
    fn wait(&mut self) -> Op {
        let (variable, equals) = (self.variable(), *self.random.pick(&[1, 1, 1, 2]));
        let mut body = Vec::new();
        let under_mutex = self.random.one_in(2);
        if under_mutex {
            body.push(Op::WaitWith(self.two()));
        }
        for _ in 0..usize::from(!under_mutex) + usize::from(self.random.one_in(4)) {
            let step = self.round();
            let place = self.random.below(body.len() + 1);
            body.splice(place..place, step);
        }
        if self.random.one_in(5) {
            body = vec![Op::Call(body)];
        }
        let wait = Op::Spin { variable, equals, body };
        match under_mutex && !self.random.one_in(8) {
            true => Op::Locked { mutex: 0, body: vec![wait] },
            false => wait,
        }
    }

    fn round(&mut self) -> Vec<Op> {
        let variable = self.variable();
        let atomic = self.random.one_in(2);
        let raise = |constant: u32| Op::Store { variable, atomic, constant: Some(constant) };
        match self.random.below(9) {
            0 => vec![Op::Locked { mutex: self.two(), body: vec![Op::Load { variable, atomic }] }],
            1 => vec![Op::Locked { mutex: self.two(), body: Vec::new() }],
            2 => vec![raise(1), raise(0)],
            3 => vec![raise(2), Op::Yield, raise(0)],
            4 => vec![Op::Load { variable, atomic }, Op::AssertNot(self.small())],
            5 => vec![Op::TryLocked(vec![Op::Load { variable, atomic }])],
            6 => vec![Op::Wait(self.two())],
            7 => vec![Op::Load { variable, atomic }, Op::LocksFault(2)],
            _ => vec![Op::Choose(2), Op::If { equals: 1, body: vec![raise(1), raise(0)] }],
        }
    }

    fn other(&mut self) -> Op {
        let variable = self.variable();
        let atomic = self.random.one_in(2);
        let set = Op::Store { variable, atomic: true, constant: Some(1) };
        match self.random.below(12) {
            0 | 1 => Op::Locked { mutex: 0, body: vec![set, Op::Signal(self.two())] },
            2 => Op::Locked { mutex: self.two(), body: vec![set] },
            3 => set,
            4 | 5 => Op::Signal(self.two()),
            6 => Op::TryLocked(vec![Op::Load { variable, atomic }, Op::AssertNot(self.small())]),
            7 => Op::If { equals: self.small(), body: vec![set] },
            8 => Op::Load { variable, atomic },
            9 => Op::AssertNot(self.small()),
            10 => Op::Update { variable, by: 1 },
            _ => Op::Store { variable, atomic, constant: Some(self.small()) },
        }
    }
}
