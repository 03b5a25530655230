//! Random programs: two to four threads over few variables, mostly meaningful, with small state spaces.

use super::{Concurrent, Op};
use crate::random::Random;

/// What a program is made of, so that not all have everything: programs of one flavour go deeper.
struct Flavour {
    plain: bool,
    locks: bool,
    waits: bool,
    pointers: bool,
    sections: bool,
    loops: bool,
    threads: bool,
    /// Nearly everything happens under locks.
    locked: bool,
    /// Wide atomics, unaligned accesses, addresses as numbers, addresses that are used again.
    memory: bool,
}

/// A random program.
pub fn random_program(random: &mut Random) -> Concurrent {
    random_program_of(random, false)
}

/// A random program about memory: wide atomics, accesses across word boundaries, pointers as integers, reuse of addresses.
pub fn random_program_about_memory(random: &mut Random) -> Concurrent {
    random_program_of(random, true)
}

fn random_program_of(random: &mut Random, memory: bool) -> Concurrent {
    let flavour = Flavour {
        memory,
        plain: random.one_in(2),
        locks: random.one_in(2),
        waits: random.one_in(3),
        pointers: random.one_in(3),
        sections: random.one_in(3),
        loops: random.one_in(3),
        threads: random.one_in(3),
        locked: random.one_in(3),
    };
    let bodies = 1 + random.below(3);
    let started: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(bodies)).collect();
    let mut maker = Maker { random, flavour, threads: started.len() as u32, bodies, body: 0 };
    let mut made = Vec::new();
    // A body starts only later ones: else there is no end of them.
    for body in 0..bodies {
        maker.body = body;
        made.push(maker.ops(2, 5));
    }
    maker.body = bodies;
    let before = if maker.random.one_in(4) { maker.ops(0, 2) } else { Vec::new() };
    let mut main = if maker.random.one_in(2) { maker.ops(1, 3) } else { Vec::new() };
    if maker.random.one_in(3) {
        let joins = (0..started.len() as u32).map(|i| Op::Join(i + 2));
        let at = main.len();
        main.splice(at..at, joins);
        main.extend(maker.ops(0, 2));
    }
    if maker.random.one_in(5) {
        main.push(Op::ProcessExit);
    }
    let mut initial = [0; 3];
    if maker.random.one_in(6) {
        initial[maker.random.below(3)] = *maker.random.pick(&[1, 2, i32::MAX as u32]);
    }
    Concurrent { bodies: made, started, before, main, initial }
}

struct Maker<'a> {
    random: &'a mut Random,
    flavour: Flavour,
    threads: u32,
    bodies: usize,
    body: usize,
}

impl Maker<'_> {
    fn ops(&mut self, depth: u32, most: usize) -> Vec<Op> {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| self.op(depth)).collect()
    }

    fn variable(&mut self) -> u8 {
        *self.random.pick(&[0, 0, 0, 1, 1, 2])
    }
    fn small(&mut self) -> u32 {
        *self.random.pick(&[0, 1, 1, 2])
    }
    /// Whether an access is atomic: without plain ones, nearly all are.
    fn atomic(&mut self) -> bool {
        let rarely = self.random.one_in(20);
        if self.flavour.plain { self.random.one_in(3) } else { !rarely }
    }
    fn two(&mut self) -> u8 {
        self.random.one_in(3) as u8
    }

    fn op(&mut self, depth: u32) -> Op {
        loop {
            if let Some(op) = self.maybe_op(depth) {
                return op;
            }
        }
    }

    /// Two threads that do nothing but pointers meet sooner than two that do everything.
    fn pointer_op(&mut self) -> Op {
        match self.random.below(10) {
            0 | 1 => Op::Allocate,
            2 => Op::Free,
            3 | 4 => {
                let local = self.random.one_in(3);
                Op::Publish { to: self.two(), atomic: self.atomic(), local }
            }
            5 | 6 => Op::Take { from: self.two(), atomic: self.atomic() },
            7 => Op::LoadThrough,
            8 => Op::StoreThrough { atomic: self.atomic() },
            _ => {
                Op::Call(vec![Op::Publish { to: self.two(), atomic: self.atomic(), local: true }, Op::Yield])
            }
        }
    }

    fn memory_op(&mut self) -> Op {
        match self.random.below(14) {
            0 | 1 => Op::WideStore,
            2 | 3 => Op::WideLoad,
            4 => Op::WideExchange { expected: self.small(), new: self.small() },
            5 => Op::WidePart { write: self.random.one_in(2) },
            6 | 7 => Op::Crossing { write: self.random.one_in(2) },
            8 | 9 => Op::Look { reuse: self.random.one_in(2) },
            _ => self.pointer_op(),
        }
    }

    fn locked_op(&mut self, depth: u32) -> Op {
        match self.random.below(12) {
            0 => Op::TryLocked(self.ops(depth - 1, 2)),
            1 => Op::WaitWith(self.two()),
            2 => Op::Signal(self.two()),
            3 if self.random.one_in(2) => Op::Unlock(self.two()),
            _ => Op::Locked { mutex: self.random.below(2) as u8, body: self.ops(depth - 1, 3) },
        }
    }

    fn maybe_op(&mut self, depth: u32) -> Option<Op> {
        if self.flavour.locked && depth > 0 && !self.random.one_in(3) {
            return Some(self.locked_op(depth));
        }
        if self.flavour.memory && !self.random.one_in(3) {
            return Some(self.memory_op());
        }
        if self.flavour.pointers && self.random.one_in(2) {
            return Some(self.pointer_op());
        }
        let nested = |allowed: bool| (allowed && depth > 0).then_some(());
        let enabled = |allowed: bool| allowed.then_some(());
        Some(match self.random.below(57) {
            0..=6 => Op::Load { variable: self.variable(), atomic: self.atomic() },
            7..=13 => {
                let constant = if self.random.one_in(3) { None } else { Some(self.small()) };
                Op::Store { variable: self.variable(), atomic: self.atomic(), constant }
            }
            14 => Op::Add(1),
            15 | 16 => Op::Update { variable: self.variable(), by: 1 },
            17 | 18 => {
                let weak = self.random.one_in(4);
                let (variable, expected, new) = (self.variable(), self.small(), self.small());
                Op::CompareExchange { variable, expected, new, weak }
            }
            19 => Op::LoadIndexed,
            20 => Op::StoreIndexed,
            21 => {
                enabled(self.random.one_in(4))?;
                Op::CopyWords
            }
            22..=25 => {
                nested(self.flavour.locks)?;
                Op::Locked { mutex: self.two(), body: self.ops(depth - 1, 3) }
            }
            26 => {
                nested(self.flavour.locks)?;
                Op::TryLocked(self.ops(depth - 1, 2))
            }
            27 => {
                enabled(self.flavour.locks && self.random.one_in(3))?;
                Op::Unlock(self.two())
            }
            28 | 29 => {
                enabled(self.flavour.waits)?;
                Op::Raise { flag: self.two(), constant: self.small() }
            }
            30 => {
                enabled(self.flavour.waits)?;
                Op::Await { flag: self.two(), equals: self.small() }
            }
            31 => {
                enabled(self.flavour.waits)?;
                if self.flavour.locks && self.random.one_in(2) {
                    return Some(Op::WaitWith(self.two()));
                }
                Op::Wait(self.two())
            }
            32 => {
                enabled(self.flavour.waits)?;
                Op::Signal(self.two())
            }
            33 => {
                enabled(self.flavour.threads)?;
                Op::Join(1 + self.random.below(self.threads as usize + 1) as u32)
            }
            34 => {
                enabled(self.flavour.threads)?;
                // Only later bodies, from main any.
                let first = if self.body == self.bodies { 0 } else { self.body + 1 };
                enabled(first < self.bodies)?;
                let body = first + self.random.below(self.bodies - first);
                Op::Start { body, join: self.random.one_in(2) }
            }
            35..=37 => {
                nested(self.flavour.sections)?;
                Op::Atomic(self.ops(depth - 1, 3))
            }
            38 | 39 => Op::Choose(2),
            40 => Op::Assume(self.small()),
            41..=43 => Op::AssertNot(self.small()),
            44 => {
                enabled(self.random.one_in(3))?;
                Op::LocksFault(self.small())
            }
            45 => {
                enabled(self.flavour.locks)?;
                Op::Holds(self.two())
            }
            46 => Op::Yield,
            47..=49 => {
                nested(true)?;
                Op::If { equals: self.small(), body: self.ops(depth - 1, 2) }
            }
            50 => {
                nested(self.flavour.loops)?;
                Op::Repeat { times: 2, body: self.ops(depth - 1, 2) }
            }
            51 => {
                nested(self.flavour.loops && self.random.one_in(2))?;
                Op::Forever(self.ops(depth - 1, 3))
            }
            52 => {
                nested(self.flavour.loops)?;
                let body = if self.random.one_in(2) { vec![Op::Yield] } else { Vec::new() };
                Op::Spin { variable: self.variable(), equals: self.small(), body }
            }
            53 => {
                nested(self.flavour.pointers)?;
                Op::Call(self.ops(depth - 1, 3))
            }
            54 => {
                enabled(self.random.one_in(4))?;
                Op::ThreadExit
            }
            55 => {
                enabled(self.random.one_in(6))?;
                Op::ProcessExit
            }
            _ => {
                enabled(self.random.one_in(3))?;
                Op::UseThreadLocal
            }
        })
    }
}
