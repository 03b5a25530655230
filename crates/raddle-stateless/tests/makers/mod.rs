//! Random programs of a narrow kind: what was hard to get right.

use raddle_conformance::Random;
use raddle_conformance::concurrent::{Concurrent, Op};
use raddle_ir::{Callee, Inst, Program};

/// Few short threads, of sections whose footprint depends on what they read.
pub fn sections(random: &mut Random) -> Concurrent {
    let threads = 2 + random.below(3);
    let access = |random: &mut Random| {
        let variable = random.below(3) as u8;
        match random.below(6) {
            0 | 1 => Op::Load { variable, atomic: true },
            2..=4 => Op::Store { variable, atomic: true, constant: Some(random.below(3) as u32) },
            _ => Op::CompareExchange { variable, expected: random.below(2) as u32, new: 1, weak: false },
        }
    };
    let section = |random: &mut Random| {
        let mut inner = vec![Op::Load { variable: random.below(3) as u8, atomic: true }];
        let body = (0..1 + random.below(2)).map(|_| access(random)).collect();
        inner.push(Op::If { equals: random.below(2) as u32, body });
        if random.one_in(5) {
            inner.push(Op::Assume(random.below(2) as u32));
        }
        if random.one_in(4) {
            inner.push(Op::Locked { mutex: 0, body: vec![access(random)] });
        }
        if random.one_in(6) {
            inner.insert(0, Op::Choose(2));
        }
        Op::Atomic(inner)
    };
    let body = |random: &mut Random| -> Vec<Op> {
        (0..1 + random.below(2))
            .map(|_| match random.below(5) {
                0 | 1 => section(random),
                2 if random.one_in(2) => Op::Locked { mutex: 0, body: vec![access(random)] },
                _ => access(random),
            })
            .collect()
    };
    let bodies: Vec<Vec<Op>> = (0..threads).map(|_| body(random)).collect();
    let main = if random.one_in(2) { body(random) } else { Vec::new() };
    Concurrent { started: (0..bodies.len()).collect(), bodies, before: Vec::new(), main, initial: [0; 3] }
}

/// Frames that are left, or threads that end, depending on what was read.
pub fn frames(random: &mut Random) -> Concurrent {
    let threads = 2 + random.below(2);
    let access = |random: &mut Random| {
        let variable = random.below(2) as u8;
        match random.below(5) {
            0 | 1 => Op::Load { variable, atomic: true },
            _ => Op::Store { variable, atomic: true, constant: Some(random.below(2) as u32) },
        }
    };
    let body = |random: &mut Random| -> Vec<Op> {
        let mut out = Vec::new();
        for _ in 0..1 + random.below(3) {
            match random.below(7) {
                0 => out.push(Op::Call(vec![
                    Op::Publish { to: 0, atomic: true, local: true },
                    Op::Load { variable: random.below(2) as u8, atomic: true },
                    Op::If { equals: random.below(2) as u32, body: vec![access(random), access(random)] },
                ])),
                1 => {
                    out.push(Op::Take { from: 0, atomic: true });
                    out.push(if random.one_in(2) {
                        Op::LoadThrough
                    } else {
                        Op::StoreThrough { atomic: true }
                    });
                }
                2 => {
                    out.push(Op::Load { variable: random.below(2) as u8, atomic: true });
                    out.push(Op::If { equals: random.below(2) as u32, body: vec![Op::ThreadExit] });
                }
                3 => out.push(Op::Join(2 + random.below(threads) as u32)),
                _ => out.push(access(random)),
            }
        }
        out
    };
    let bodies: Vec<Vec<Op>> = (0..threads).map(|_| body(random)).collect();
    let main = body(random);
    Concurrent { started: (0..bodies.len()).collect(), bodies, before: Vec::new(), main, initial: [0; 3] }
}

/// Threads that wait for each other in every way, shortly.
pub fn waits(random: &mut Random) -> Concurrent {
    let threads = 2 + random.below(3);
    let access = |random: &mut Random| {
        let variable = random.below(2) as u8;
        match random.below(6) {
            0 | 1 => Op::Load { variable, atomic: true },
            2 | 3 => Op::Store { variable, atomic: true, constant: Some(random.below(2) as u32) },
            4 => Op::Holds(0),
            _ => Op::CompareExchange { variable, expected: 0, new: 1, weak: random.one_in(3) },
        }
    };
    let one = |random: &mut Random| match random.below(16) {
        0 | 1 => Op::Await { flag: random.below(2) as u8, equals: random.below(2) as u32 },
        2 | 3 => Op::Raise { flag: random.below(2) as u8, constant: random.below(2) as u32 },
        4 => Op::WaitWith(random.below(2) as u8),
        5 => Op::Wait(0),
        6 | 7 => Op::Signal(random.below(2) as u8),
        8 | 9 => Op::Locked { mutex: random.below(2) as u8, body: vec![access(random)] },
        10 => Op::Locked { mutex: 0, body: vec![Op::WaitWith(0), access(random)] },
        11 => Op::TryLocked(vec![access(random)]),
        12 => Op::Locked { mutex: 0, body: vec![Op::Signal(0)] },
        13 if random.one_in(3) => Op::Unlock(0),
        14 => Op::Join(2 + random.below(threads) as u32),
        _ => access(random),
    };
    let body = |random: &mut Random| -> Vec<Op> { (0..1 + random.below(2)).map(|_| one(random)).collect() };
    let bodies: Vec<Vec<Op>> = (0..threads).map(|_| body(random)).collect();
    let main = if random.one_in(2) { body(random) } else { Vec::new() };
    Concurrent { started: (0..bodies.len()).collect(), bodies, before: Vec::new(), main, initial: [0; 3] }
}

/// Loops that wait, for one or two variables, and what they wait for.
pub fn spins(random: &mut Random) -> Concurrent {
    let threads = 2 + random.below(2);
    let access = |random: &mut Random| {
        let variable = random.below(2) as u8;
        match random.below(5) {
            0 => Op::Load { variable, atomic: true },
            1..=3 => Op::Store { variable, atomic: true, constant: Some(random.below(2) as u32) },
            _ => Op::CompareExchange { variable, expected: 0, new: 1, weak: random.one_in(3) },
        }
    };
    let one = |random: &mut Random| match random.below(9) {
        0..=2 => {
            let body = match random.below(4) {
                0 => vec![Op::Load { variable: random.below(2) as u8, atomic: true }],
                1 => vec![Op::CompareExchange { variable: 1, expected: 0, new: 1, weak: random.one_in(3) }],
                2 => vec![Op::Yield],
                _ => Vec::new(),
            };
            Op::Spin { variable: random.below(2) as u8, equals: random.below(2) as u32, body }
        }
        3 => Op::AssertNot(random.below(2) as u32),
        4 => Op::Locked { mutex: 0, body: vec![access(random)] },
        5 => Op::TryLocked(vec![access(random)]),
        _ => access(random),
    };
    let body = |random: &mut Random| -> Vec<Op> { (0..1 + random.below(3)).map(|_| one(random)).collect() };
    let bodies: Vec<Vec<Op>> = (0..threads).map(|_| body(random)).collect();
    let main = if random.one_in(2) { body(random) } else { Vec::new() };
    let initial = [random.below(2) as u32, random.below(2) as u32, 0];
    Concurrent { started: (0..bodies.len()).collect(), bodies, before: Vec::new(), main, initial }
}

/// Condition variables: loops that wait under a lock, bare waits, and those who signal.
pub fn conditions(random: &mut Random) -> Concurrent {
    let threads = 2 + random.below(2);
    let access = |random: &mut Random| {
        let variable = random.below(2) as u8;
        match random.below(5) {
            0 | 1 => Op::Load { variable, atomic: true },
            _ => Op::Store { variable, atomic: true, constant: Some(random.below(2) as u32) },
        }
    };
    let one = |random: &mut Random| {
        let variable = random.below(2) as u8;
        let condition = random.below(2) as u8 * random.below(2) as u8;
        let raise = Op::Store { variable, atomic: true, constant: Some(1) };
        match random.below(9) {
            0..=2 => {
                let wait = vec![Op::WaitWith(condition)];
                let mut body = vec![Op::Spin { variable, equals: 1, body: wait }];
                if random.one_in(2) {
                    body.push(access(random));
                }
                Op::Locked { mutex: 0, body }
            }
            3 => Op::Locked { mutex: 0, body: vec![Op::WaitWith(condition), access(random)] },
            4 | 5 => Op::Locked { mutex: 0, body: vec![raise, Op::Signal(condition)] },
            6 => Op::Signal(condition),
            7 => Op::Locked { mutex: 0, body: vec![access(random)] },
            _ => access(random),
        }
    };
    let body = |random: &mut Random| -> Vec<Op> {
        let mut body: Vec<Op> = (0..1 + random.below(2)).map(|_| one(random)).collect();
        if random.one_in(4) {
            body.push(Op::Load { variable: random.below(2) as u8, atomic: true });
            body.push(Op::AssertNot(random.below(2) as u32));
        }
        body
    };
    let bodies: Vec<Vec<Op>> = (0..threads).map(|_| body(random)).collect();
    let main = if random.one_in(2) { body(random) } else { Vec::new() };
    Concurrent { started: (0..bodies.len()).collect(), bodies, before: Vec::new(), main, initial: [0; 3] }
}

/// Whether a thread waits for a flag and a lock at once. Two independent events may disable that, each alone, and it is met
/// twice. No model of the library does.
pub fn waits_with_a_lock(program: &Program) -> bool {
    let wait = program.function_named("raddle_cond_wait");
    let calls = |inst: &Inst| matches!(inst, Inst::Call(call) if matches!(call.callee, Callee::Direct(f) if Some(f) == wait));
    program.functions.iter().any(|f| !f.library && f.code.iter().any(calls))
}
