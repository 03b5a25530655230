//! Where a thread is: the places of all procedures that are active on its stack.
//!
//! Programs with threads are explored as if every call were inlined (Basler 2010, §7.2.1), but nothing is copied: a
//! place of the inlined program is a stack of places, which gets a number when it is first reached. The local
//! variables of active procedures lie one behind the other in the thread's *slots*. With recursion there is no inlined
//! program; stacks are then bounded, and the exploration reports that as a cut.
//!
//! A slot is *live* if its variable is read later, see [`crate::liveness`]. Explorations drop the values of the others.

use crate::liveness::Liveness;
use raddle_bp::flow::{Flow, Node, NodeId, Operation, Procedure, ProcedureId, ThreadEntry};
use rustc_hash::FxHashMap;

/// A stack of places, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Control(u32);

/// What a control number represents.
pub(crate) struct ControlStack {
    /// The last is active; the others wait at their calls.
    pub frames: Vec<(ProcedureId, NodeId)>,
    /// Where the slots of the active procedure begin.
    pub base: u32,
    /// One past its last slot.
    pub end: u32,
    /// The live slots, rising.
    pub live: Vec<u32>,
}

impl ControlStack {
    pub(crate) fn top(&self) -> (ProcedureId, NodeId) {
        *self.frames.last().expect("a stack is not empty")
    }
}

/// All stacks of places that were reached.
pub(crate) struct Controls<'a> {
    pub flow: &'a Flow,
    stacks: Vec<ControlStack>,
    numbers: FxHashMap<Vec<(ProcedureId, NodeId)>, Control>,
    max_stack: usize,
    liveness: Liveness,
}

impl<'a> Controls<'a> {
    pub(crate) fn new(flow: &'a Flow, max_stack: usize, liveness: Liveness) -> Controls<'a> {
        Controls { flow, stacks: Vec::new(), numbers: FxHashMap::default(), max_stack, liveness }
    }

    pub(crate) fn get(&self, control: Control) -> &ControlStack {
        &self.stacks[control.0 as usize]
    }

    /// The step that a thread there takes.
    pub(crate) fn node(&self, control: Control) -> &'a Node {
        let (procedure, node) = self.get(control).top();
        self.flow.node(procedure, node)
    }

    /// The beginning of a thread in a procedure.
    pub(crate) fn start(&mut self, procedure: ProcedureId) -> Control {
        self.number(vec![(procedure, Procedure::ENTRY)])
    }

    /// The same with the active procedure at another place.
    pub(crate) fn at(&mut self, control: Control, node: NodeId) -> Control {
        let mut frames = self.get(control).frames.clone();
        frames.last_mut().expect("a stack is not empty").1 = node;
        self.number(frames)
    }

    /// With one more procedure; none if there are as many as there may be.
    pub(crate) fn call(&mut self, control: Control, procedure: ProcedureId) -> Option<Control> {
        let mut frames = self.get(control).frames.clone();
        if frames.len() >= self.max_stack {
            return None;
        }
        frames.push((procedure, Procedure::ENTRY));
        Some(self.number(frames))
    }

    /// Back in the caller, behind its call; none if there is no caller.
    pub(crate) fn give_back(&mut self, control: Control) -> Option<Control> {
        let mut frames = self.get(control).frames.clone();
        frames.pop();
        let (procedure, node) = frames.last_mut()?;
        *node = self.flow.node(*procedure, *node).next[0];
        Some(self.number(frames))
    }

    /// The call for which the caller of the active procedure waits, and where the caller's slots begin.
    pub(crate) fn caller(&self, control: Control) -> Option<(&'a Node, u32)> {
        let stack = self.get(control);
        let (procedure, node) = *stack.frames.len().checked_sub(2).map(|index| &stack.frames[index])?;
        let locals = self.flow.procedure(procedure).locals.len() as u32;
        Some((self.flow.node(procedure, node), stack.base - locals))
    }

    fn number(&mut self, frames: Vec<(ProcedureId, NodeId)>) -> Control {
        if let Some(known) = self.numbers.get(&frames) {
            return *known;
        }
        let (mut base, mut end, mut live) = (0, 0, Vec::new());
        for (index, (procedure, node)) in frames.iter().enumerate() {
            let here = if index + 1 == frames.len() {
                self.liveness.before(*procedure, *node).to_vec()
            } else {
                self.liveness.while_waiting(self.flow, *procedure, *node)
            };
            base = end;
            end += here.len() as u32;
            live.extend((base..end).zip(here).filter(|(_, live)| *live).map(|(slot, _)| slot));
        }
        let control = Control(self.stacks.len() as u32);
        self.numbers.insert(frames.clone(), control);
        self.stacks.push(ControlStack { frames, base, end, live });
        control
    }
}

/// How many slots a thread can need, with stacks of at most so many procedures.
pub(crate) fn slots(flow: &Flow, max_stack: usize) -> u32 {
    // By the height that is left: what a procedure and those that it calls need.
    let mut needed = vec![0u32; flow.procedures.len()];
    for _ in 0..max_stack {
        let below = needed.clone();
        let mut changed = false;
        for (id, procedure) in flow.enumerate() {
            let callees = procedure.nodes.iter().filter_map(|node| match &node.operation {
                Operation::Call { procedure, .. } => Some(below[procedure.0 as usize]),
                _ => None,
            });
            let need = procedure.locals.len() as u32 + callees.max().unwrap_or(0);
            changed |= need != needed[id.0 as usize];
            needed[id.0 as usize] = need;
        }
        if !changed {
            break;
        }
    }
    let starts = flow.procedures.iter().flat_map(|p| &p.nodes).filter_map(|node| match &node.operation {
        Operation::StartThread(ThreadEntry::Call { procedure, .. }) => Some(procedure),
        _ => None,
    });
    starts.chain([&flow.main]).map(|procedure| needed[procedure.0 as usize]).max().unwrap_or(0)
}

/// How high stacks are at most: without recursion, as many procedures as there are; with recursion, as many as allowed.
pub(crate) fn stack_bound(flow: &Flow, with_recursion: usize) -> usize {
    if flow.is_recursive() { with_recursion } else { flow.procedures.len() }
}
