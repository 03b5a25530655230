//! Inference: the least solution of the atomicities of all calls.
//!
//! Flanagan, Freund and Lifshin, *Type inference for atomicity* (TLDI 2005): each call has an unknown atomicity, the body gives
//! a constraint, and the least solution is found by iteration from below. Here an unknown starts as "does not return", so a
//! call that never returns is below all atomicities, and what follows it does not count. A body is its flow graph: the
//! atomicity of a place is the join over the ways that lead to it, a loop needs no rule of its own.
//!
//! A conditional atomicity `lock ? a : b` is what the calls of a function have that are entered with the lock, and those that
//! are not: calls are told apart by the state in which they are entered.

use std::collections::{BTreeSet, VecDeque};

use raddle_ir::{BlockId, Inst};
use rustc_hash::FxHashMap;

use super::kind::{Atomicity, Phase};
use super::movers::Movers;
use super::recorder::{CallId, Noted, Recorder, Step};
use crate::interpret::Interpreter;

/// The effect of some steps, with steps to blame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Flow {
    pub effect: Atomicity,
    /// A step that is no right mover.
    pub commit: Option<Noted>,
    /// A step that is no left mover.
    pub breaks: Option<Noted>,
    /// One of the former and a later one of the latter.
    pub broken: Option<(Noted, Noted)>,
}

impl Flow {
    const START: Flow = Flow { effect: Atomicity::CONST, commit: None, breaks: None, broken: None };

    fn of(effect: Atomicity, noted: Noted) -> Flow {
        let commits = effect.at_start() > Phase::Before;
        let breaks = effect.once_committed() == Phase::Broken;
        Flow {
            effect,
            commit: commits.then_some(noted),
            breaks: breaks.then_some(noted),
            broken: (effect.at_start() == Phase::Broken).then_some((noted, noted)),
        }
    }

    fn then(self, next: Flow) -> Flow {
        let effect = self.effect.then(next.effect);
        let newly = effect.at_start() == Phase::Broken && self.broken.is_none();
        let broken = match (self.commit, next.breaks) {
            (Some(first), Some(second)) if newly => Some((first, second)),
            _ if newly => next.broken,
            _ => self.broken,
        };
        Flow { effect, commit: self.commit.or(next.commit), breaks: self.breaks.or(next.breaks), broken }
    }

    fn or(self, other: Flow) -> Flow {
        Flow {
            effect: self.effect.or(other.effect),
            commit: self.commit.or(other.commit),
            breaks: self.breaks.or(other.breaks),
            broken: self.broken.or(other.broken),
        }
    }
}

fn joined(a: Option<Flow>, b: Option<Flow>) -> Option<Flow> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.or(b)),
        (a, b) => a.or(b),
    }
}

fn is_same(a: &Option<Flow>, b: &Option<Flow>) -> bool {
    a.map(|flow| flow.effect) == b.map(|flow| flow.effect)
}

/// By call: its flow, if it may return.
pub fn solve(interpreter: &Interpreter, recorder: &Recorder, movers: &Movers) -> Vec<Option<Flow>> {
    let mut callers: FxHashMap<CallId, BTreeSet<CallId>> = FxHashMap::default();
    for ((caller, _), noted) in recorder.all_steps() {
        for noted in noted {
            if let Step::Call(callee) = noted.step {
                callers.entry(callee).or_default().insert(*caller);
            }
        }
    }
    let mut flows: Vec<Option<Flow>> = vec![None; recorder.calls.len()];
    // Callees have mostly been named after their callers.
    let mut queue: VecDeque<CallId> = recorder.reached.iter().rev().copied().collect();
    let mut queued: BTreeSet<CallId> = recorder.reached.clone();
    while let Some(call) = queue.pop_front() {
        queued.remove(&call);
        let flow = body(interpreter, recorder, movers, &flows, call);
        if is_same(&flow, &flows[call.index()]) {
            continue;
        }
        // The steps to blame stay those that were found first.
        flows[call.index()] = joined(flows[call.index()], flow);
        for caller in callers.get(&call).into_iter().flatten() {
            if queued.insert(*caller) {
                queue.push_back(*caller);
            }
        }
    }
    flows
}

/// The flow of a call, as far as the calls that it makes are known.
fn body(
    interpreter: &Interpreter,
    recorder: &Recorder,
    movers: &Movers,
    flows: &[Option<Flow>],
    call: CallId,
) -> Option<Flow> {
    let function = interpreter.program.function(recorder.calls[call.index()].function);
    let mut entries: Vec<Option<Flow>> = vec![None; function.blocks.len()];
    *entries.first_mut()? = Some(Flow::START);
    let mut queue = VecDeque::from([BlockId(0)]);
    let mut returned: Option<Flow> = None;
    while let Some(block) = queue.pop_front() {
        let range = function.blocks[block.index()];
        let mut flow = entries[block.index()];
        for pc in range.start..range.end {
            let Some(before) = flow else { break };
            let inst = &function.code[pc as usize];
            flow = instruction(recorder, movers, flows, (call, pc), matches!(inst, Inst::Call(_)), before);
            if matches!(inst, Inst::Return { .. }) {
                returned = joined(returned, flow);
            }
        }
        let Some(flow) = flow else { continue };
        function.code[range.end as usize - 1].for_each_target(|target| {
            if !recorder.edges.contains(&(call, block, target)) {
                return;
            }
            let more = joined(entries[target.index()], Some(flow));
            if !is_same(&more, &entries[target.index()]) {
                entries[target.index()] = more;
                if !queue.contains(&target) {
                    queue.push_back(target);
                }
            }
        });
    }
    returned
}

/// The flow after an instruction; `None`: control does not come there.
fn instruction(
    recorder: &Recorder,
    movers: &Movers,
    flows: &[Option<Flow>],
    (call, pc): (CallId, u32),
    is_call: bool,
    before: Flow,
) -> Option<Flow> {
    let mut flow = before;
    let mut returns = !is_call;
    let mut steps = recorder.steps(call, pc).peekable();
    while let Some(first) = steps.next() {
        let mut slot = alternative(movers, flows, first);
        returns |= matches!(first.step, Step::Call(_)) && slot.is_some();
        while let Some(next) = steps.next_if(|next| next.slot == first.slot) {
            let other = alternative(movers, flows, next);
            returns |= matches!(next.step, Step::Call(_)) && other.is_some();
            slot = joined(slot, other);
        }
        if let Some(slot) = slot {
            flow = flow.then(slot);
        }
    }
    returns.then_some(flow)
}

fn alternative(movers: &Movers, flows: &[Option<Flow>], noted: &Noted) -> Option<Flow> {
    match noted.step {
        Step::Call(callee) => flows[callee.index()],
        _ => Some(Flow::of(movers.effect(noted), *noted)),
    }
}
