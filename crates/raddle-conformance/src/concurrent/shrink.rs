//! Smaller programs that still show something.

use super::{Concurrent, Op};

/// Removes operations, threads and nesting as long as `shows` says yes.
pub fn shrink(program: &Concurrent, mut shows: impl FnMut(&Concurrent) -> bool) -> Concurrent {
    let mut best = program.clone();
    'again: loop {
        for smaller in smaller_programs(&best) {
            if shows(&smaller) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

fn smaller_programs(program: &Concurrent) -> Vec<Concurrent> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Concurrent)| {
        let mut copy = program.clone();
        change(&mut copy);
        if copy != *program {
            all.push(copy);
        }
    };
    add(&|p| p.main.clear());
    add(&|p| p.before.clear());
    add(&|p| p.initial = [0; 3]);
    // Threads keep their numbers: joins name them.
    add(&|p| {
        p.started.pop();
    });
    for (i, _) in program.started.iter().enumerate() {
        add(&|p| {
            p.started.remove(i);
        });
    }
    for (i, ops) in program.bodies.iter().enumerate() {
        add(&|p| p.bodies[i].clear());
        for smaller in smaller_lists(ops) {
            add(&|p| p.bodies[i].clone_from(&smaller));
        }
    }
    for smaller in smaller_lists(&program.main) {
        add(&|p| p.main.clone_from(&smaller));
    }
    for smaller in smaller_lists(&program.before) {
        add(&|p| p.before.clone_from(&smaller));
    }
    // A join of a thread that main does not start names no place.
    all.retain(|p| {
        let most = p.started.len() as u32 + 1;
        let mut lists = p.bodies.iter().chain([&p.main, &p.before]);
        lists.all(|ops| ops.iter().all(|op| joins_at_most(op, most)))
    });
    all
}

fn joins_at_most(op: &Op, most: u32) -> bool {
    match op {
        Op::Join(number) => *number <= most,
        _ => body_of(op).is_none_or(|body| body.iter().all(|op| joins_at_most(op, most))),
    }
}

pub(super) fn body_of(op: &Op) -> Option<&Vec<Op>> {
    match op {
        Op::Locked { body, .. } | Op::TryLocked(body) | Op::Atomic(body) | Op::If { body, .. } => Some(body),
        Op::Repeat { body, .. } | Op::Forever(body) | Op::Spin { body, .. } | Op::Call(body) => Some(body),
        _ => None,
    }
}

pub(super) fn with_body(op: &Op, new: Vec<Op>) -> Op {
    let mut copy = op.clone();
    match &mut copy {
        Op::Locked { body, .. } | Op::TryLocked(body) | Op::Atomic(body) | Op::If { body, .. } => *body = new,
        Op::Repeat { body, .. } | Op::Forever(body) | Op::Spin { body, .. } | Op::Call(body) => *body = new,
        _ => {}
    }
    copy
}

/// One operation less, or one level of nesting less, or a simpler operation.
fn smaller_lists(ops: &[Op]) -> Vec<Vec<Op>> {
    let mut all = Vec::new();
    for (i, op) in ops.iter().enumerate() {
        let mut less = ops.to_vec();
        less.remove(i);
        all.push(less);
        let mut replaced = |by: &[Op]| {
            let mut other = ops.to_vec();
            other.splice(i..=i, by.iter().cloned());
            all.push(other);
        };
        match op {
            Op::CompareExchange { variable, expected, new, weak: true } => replaced(&[Op::CompareExchange {
                variable: *variable,
                expected: *expected,
                new: *new,
                weak: false,
            }]),
            Op::Start { body, join: true } => replaced(&[Op::Start { body: *body, join: false }]),
            _ => {}
        }
        if let Some(body) = body_of(op) {
            replaced(body);
            for smaller in smaller_lists(body) {
                replaced(&[with_body(op, smaller)]);
            }
        }
    }
    all
}
