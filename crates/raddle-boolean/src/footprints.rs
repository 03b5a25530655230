//! Which shared variables a thread touches: in its next step, in the atomic section that it is about to enter, and
//! ever.
//!
//! The input of the partial order reductions (Basler 2010, §6.2.2, table 6.1). Two steps of different threads that do
//! not touch the same variable, or only read it, can be taken in either order, and neither makes the other possible or
//! impossible. The number of running threads is one more variable: starting a thread reads and writes it, ending one
//! writes it; unless there is always room for all (see `footprints/starts.rs`).
//!
//! Unlike in the thesis, `assume` only reads. There it must count as a write because it narrows a set of states; here
//! a set is parted into the states in which a thread can go on and the others (see `hybrid/reduce.rs`), so that what
//! holds of single states holds of sets.
//!
//! Everything is an over-approximation by control flow; the future of a thread includes that of the threads that it
//! starts.

mod sections;
mod starts;

use crate::control::{Control, Controls};
use raddle_bp::flow::{Flow, Formula, NodeId, Operation, Procedure, ProcedureId, ThreadEntry, Variable};

/// A set of shared variables; the one behind the last is how many threads run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Touched(Vec<u64>);

impl Touched {
    fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn extend(&mut self, other: &Touched) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    fn meets(&self, other: &Touched) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// What is read and what is written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Footprint {
    reads: Touched,
    writes: Touched,
    /// Whether something is judged there: an assertion, the error label, a thread start that can be refused, a call for
    /// which there can be no room.
    pub judged: bool,
}

impl Footprint {
    pub(crate) fn extend(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.judged |= other.judged;
    }

    /// Whether the order of the two can matter.
    pub(crate) fn conflicts(&self, other: &Footprint) -> bool {
        self.writes.meets(&other.reads) || self.writes.meets(&other.writes) || self.reads.meets(&other.writes)
    }

    fn read(&mut self, formula: &Formula) {
        formula.for_each_leaf(&mut |leaf| {
            if let Formula::Now(Variable::Global(index)) | Formula::Next(Variable::Global(index)) = leaf {
                self.reads.insert(*index as usize);
            }
        });
    }

    fn write(&mut self, variable: Variable) {
        if let Variable::Global(index) = variable {
            self.writes.insert(index as usize);
        }
    }
}

/// The footprints of a program.
pub(crate) struct Footprints {
    /// By procedures and nodes: from there to the end of the thread, as far as the procedure and what it calls go.
    future: Vec<Vec<Footprint>>,
    /// The same, to the end of an atomic section.
    section: Vec<Vec<Footprint>>,
    /// By procedures and nodes: a place in a depth-first order. A step to a place that is not later closes a loop.
    order: Vec<Vec<u32>>,
    /// Atomic sections, by their first node, that every thread leaves.
    surely_left: Vec<Vec<bool>>,
    /// The number of the variable that says how many threads run; none if no thread start is ever refused.
    running: Option<usize>,
}

impl Footprints {
    /// Of a program with so many threads at the start, and at most.
    pub(crate) fn new(flow: &Flow, error_label: Option<&str>, initial: usize, most: usize) -> Footprints {
        let never_refused = starts::threads_in_all(flow, initial).is_some_and(|all| all <= most);
        let running = (!never_refused).then_some(flow.globals.len());
        let mut entries = vec![false; flow.procedures.len()];
        entries[flow.main.0 as usize] = true;
        for node in flow.procedures.iter().flat_map(|procedure| &procedure.nodes) {
            if let Operation::StartThread(ThreadEntry::Call { procedure, .. }) = &node.operation {
                entries[procedure.0 as usize] = true;
            }
        }
        let recursive = flow.is_recursive();
        let own: Vec<Vec<Footprint>> = flow
            .enumerate()
            .map(|(id, procedure)| {
                let of = |node: &raddle_bp::flow::Node| {
                    let mut own = step(&node.operation, running);
                    match &node.operation {
                        // Results are assigned in the callee's last step; for futures, that is here.
                        Operation::Call { targets, .. } => {
                            targets.iter().flatten().for_each(|target| own.write(*target));
                            own.judged |= recursive;
                        }
                        Operation::Return(_) if entries[id.0 as usize] => {
                            running.into_iter().for_each(|running| own.writes.insert(running));
                        }
                        _ => {}
                    }
                    own.judged |= node.labels.iter().any(|label| Some(label.as_str()) == error_label);
                    own
                };
                procedure.nodes.iter().map(of).collect()
            })
            .collect();
        let future = closure(flow, &own, false);
        let section = closure(flow, &own, true);
        let order = flow.procedures.iter().map(depth_first).collect();
        let surely_left = flow.procedures.iter().map(sections::surely_left).collect();
        Footprints { future, section, order, surely_left, running }
    }

    /// The next step of a thread. Of one that is about to enter an atomic section, the whole section: no other thread
    /// takes a step in between.
    pub(crate) fn next(&self, controls: &Controls<'_>, control: Control) -> Footprint {
        let node = controls.node(control);
        let mut footprint = step(&node.operation, self.running);
        match (&node.operation, controls.caller(control)) {
            (Operation::Return(_), Some((call, _))) => {
                let Operation::Call { targets, .. } = &call.operation else { unreachable!("a call") };
                targets.iter().flatten().for_each(|target| footprint.write(*target));
            }
            (Operation::Return(_), None) => {
                self.running.into_iter().for_each(|running| footprint.writes.insert(running));
            }
            (Operation::AtomicBegin, _) => footprint.extend(&self.stack(controls, control, &self.section)),
            _ => {}
        }
        footprint
    }

    /// All that the thread may still do.
    pub(crate) fn future(&self, controls: &Controls<'_>, control: Control) -> Footprint {
        self.stack(controls, control, &self.future)
    }

    fn stack(&self, controls: &Controls<'_>, control: Control, of: &[Vec<Footprint>]) -> Footprint {
        let frames = &controls.get(control).frames;
        let mut all = Footprint::default();
        for (index, (procedure, node)) in frames.iter().enumerate() {
            let here = &of[procedure.0 as usize];
            if index + 1 == frames.len() {
                all.extend(&here[node.0 as usize]);
            } else {
                // It waits at its call, and goes on behind it; the results are the callee's last step.
                let call = controls.flow.node(*procedure, *node);
                if let Operation::Call { targets, .. } = &call.operation {
                    targets.iter().flatten().for_each(|target| all.write(*target));
                }
                call.next.iter().for_each(|next| all.extend(&here[next.0 as usize]));
            }
        }
        all
    }

    /// Whether a step from there can close a loop of control. Every loop has such a step.
    pub(crate) fn closes_loop(&self, controls: &Controls<'_>, control: Control) -> bool {
        let back = |procedure: ProcedureId, node: NodeId| {
            let order = &self.order[procedure.0 as usize];
            let node_order = order[node.0 as usize];
            let next = &controls.flow.node(procedure, node).next;
            next.iter().any(|next| order[next.0 as usize] <= node_order)
        };
        let frames = &controls.get(control).frames;
        match controls.node(control).operation {
            // The caller moves.
            Operation::Return(_) => {
                frames.len() >= 2 && back(frames[frames.len() - 2].0, frames[frames.len() - 2].1)
            }
            // The caller stays until the callee returns.
            Operation::Call { .. } => false,
            _ => back(controls.get(control).top().0, controls.get(control).top().1),
        }
    }

    /// Whether a thread start can be refused.
    pub(crate) fn can_be_refused(&self) -> bool {
        self.running.is_some()
    }

    /// Whether every thread that enters the atomic section there leaves it.
    pub(crate) fn surely_left(&self, controls: &Controls<'_>, control: Control) -> bool {
        let (procedure, node) = controls.get(control).top();
        self.surely_left[procedure.0 as usize][node.0 as usize]
    }
}

/// What a step touches as far as its node shows.
fn step(operation: &Operation, running: Option<usize>) -> Footprint {
    let mut own = Footprint::default();
    match operation {
        Operation::Skip | Operation::AtomicBegin | Operation::AtomicEnd => {}
        Operation::Assume(formula) => own.read(formula),
        Operation::Assert(formula) => {
            own.read(formula);
            own.judged = true;
        }
        Operation::Assign { targets, values, constrain } => {
            values.iter().chain(constrain).for_each(|formula| own.read(formula));
            targets.iter().for_each(|target| own.write(*target));
        }
        Operation::Call { arguments, .. } => arguments.iter().for_each(|formula| own.read(formula)),
        Operation::Return(values) => values.iter().for_each(|formula| own.read(formula)),
        Operation::StartThread(entry) => {
            if let ThreadEntry::Call { arguments, .. } = entry {
                arguments.iter().for_each(|formula| own.read(formula));
            }
            if let Some(running) = running {
                own.reads.insert(running);
                own.writes.insert(running);
                own.judged = true;
            }
        }
        Operation::EndThread => running.into_iter().for_each(|running| own.writes.insert(running)),
    }
    own
}

/// What can come after each node, itself included; with `section`, not beyond the end of an atomic section.
fn closure(flow: &Flow, own: &[Vec<Footprint>], section: bool) -> Vec<Vec<Footprint>> {
    let mut all = own.to_vec();
    loop {
        let mut changed = false;
        for (id, procedure) in flow.enumerate() {
            for (index, node) in procedure.nodes.iter().enumerate().rev() {
                let here = id.0 as usize;
                let mut footprint = all[here][index].clone();
                if !(section && node.operation == Operation::AtomicEnd) {
                    node.next.iter().for_each(|next| footprint.extend(&all[here][next.0 as usize]));
                }
                let entry = Procedure::ENTRY.0 as usize;
                match &node.operation {
                    Operation::Call { procedure, .. } => footprint.extend(&all[procedure.0 as usize][entry]),
                    // A thread that is started inside a section waits for its end.
                    Operation::StartThread(_) if section => {}
                    Operation::StartThread(ThreadEntry::Call { procedure, .. }) => {
                        footprint.extend(&all[procedure.0 as usize][entry]);
                    }
                    Operation::StartThread(ThreadEntry::Copy(node)) => {
                        footprint.extend(&all[here][node.0 as usize]);
                    }
                    _ => {}
                }
                changed |= footprint != all[here][index];
                all[here][index] = footprint;
            }
        }
        if !changed {
            return all;
        }
    }
}

/// The places of nodes in a depth-first order, last left first: an edge to a node that is not later closes a loop.
fn depth_first(procedure: &Procedure) -> Vec<u32> {
    let count = procedure.nodes.len();
    let (mut order, mut seen) = (vec![0; count], vec![false; count]);
    let mut place = count as u32;
    for root in 0..count {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, child)) = stack.pop() {
            match procedure.nodes[node].next.get(child) {
                Some(next) => {
                    stack.push((node, child + 1));
                    let next = next.0 as usize;
                    if !std::mem::replace(&mut seen[next], true) {
                        stack.push((next, 0));
                    }
                }
                None => {
                    place -= 1;
                    order[node] = place;
                }
            }
        }
    }
    order
}
