//! Properties of states: invariants after every event, leaks where the process ends.
//!
//! **Invariants.** Two events that write what one invariant reads may not be swapped: between them the invariant is
//! read. So each of them counts as a write of one byte that represents the invariant, and then every class has its
//! states: let a run lead to some state, and let *w* be its last event that writes what the invariant reads. The class
//! of any execution that the run can be completed to has these events in the same order, and wherever the search
//! executes it, the invariant reads right after *w* what it reads in that state. What an invariant can read is known
//! beforehand ([`Watched`]). A failed exchange, a section or a model may write at another moment: they count as if
//! they did.
//!
//! **Leaks.** With the end of the process, the run is over for them. Where everything that happens in an execution
//! happens before that, its order does not matter; where something does not, it may have happened or not, and nothing
//! is proved. Nor where it ends inside an atomic section.

use raddle_ir::MemoryOrder;
use raddle_machine::drive::ViolationKind;
use raddle_machine::{
    CodePoint, Effects, Expression, Fault, Footprint, Machine, ObjectId, State, Status, ThreadIndex, Touch,
    Watched, user_point,
};
use raddle_trace::Property;

use crate::dpor::explore::Search;
use crate::dpor::path::Event;

/// The properties of states that are checked.
pub(crate) struct Observed {
    invariants: Vec<Invariant>,
    pub leaks: bool,
}

struct Invariant {
    /// Its place in the settings.
    index: usize,
    reads: Watched,
    /// A byte that counts as written with them.
    stand_in: u64,
}

/// What the evaluation in one state gave.
#[derive(Default)]
pub(crate) struct Read {
    pub broken: Vec<ViolationKind>,
    /// Expressions without a value, and why.
    pub troubles: Vec<(String, String)>,
    pub exposed: bool,
}

impl Observed {
    pub fn new(machine: &Machine, properties: &[Property]) -> Observed {
        let functions = machine.program.functions.len();
        let asked = |e: &Expression| properties.contains(&Property::Invariant(e.text.clone()));
        let all = machine.settings.invariants.iter().enumerate().filter(|(_, e)| asked(e));
        let invariants = all.map(|(index, expression)| Invariant {
            index,
            reads: Watched::by(&machine.program, std::slice::from_ref(expression)),
            // No object lies behind all functions.
            stand_in: ObjectId::function((functions + index) as u32).base(),
        });
        Observed { invariants: invariants.collect(), leaks: properties.contains(&Property::Leak) }
    }

    /// Adds the bytes that represent the invariants whose operands are written.
    pub fn mark(&self, footprint: &mut Footprint) {
        let soft = Effects(Effects::EXCHANGE_FAILED.0 | Effects::BLOCKED.0 | Effects::ATOMIC_BEGIN.0);
        let soft = footprint.effects.has(soft);
        for invariant in &self.invariants {
            let writes = |t: &Touch| (t.write || soft || t.internal) && invariant.reads.has(t);
            let own = |t: &Touch| self.invariants.iter().any(|i| i.stand_in == t.pointer);
            if !invariant.is_marked(footprint) && footprint.touches.iter().any(|t| !own(t) && writes(t)) {
                footprint.touches.push(Touch {
                    pointer: invariant.stand_in,
                    length: 1,
                    write: true,
                    order: MemoryOrder::SequentiallyConsistent,
                    internal: false,
                    section: false,
                });
            }
        }
    }

    /// The invariants that an event with this footprint may have changed, or all.
    pub fn read(&self, machine: &Machine, state: &State, footprint: Option<&Footprint>) -> Read {
        let mut read = Read::default();
        let changed = |i: &&Invariant| footprint.is_none_or(|f| i.is_marked(f));
        if !state.is_observed() {
            return read;
        }
        for invariant in self.invariants.iter().filter(changed) {
            let index = invariant.index;
            let expression = &machine.settings.invariants[index];
            match machine.evaluate(state, expression) {
                Ok(value) => {
                    read.exposed |= value.exposed;
                    if !value.holds {
                        let (refuted_by, reads) = (value.refuted_by, value.reads);
                        let broken = raddle_machine::BrokenInvariant { index, refuted_by, reads };
                        read.broken.push(ViolationKind::Invariant(broken));
                    }
                }
                Err(why) => read.troubles.push((expression.text.clone(), why)),
            }
        }
        read
    }

    /// What leaks if the process ended with an event of this thread.
    pub fn leaks(&self, machine: &Machine, state: &State, index: ThreadIndex) -> Vec<Fault> {
        let ends = matches!(state.thread(index).status, Status::Stopped { .. });
        if self.leaks && ends { machine.leaks(state, index) } else { Vec::new() }
    }

    /// What leaks where no thread is enabled: with the last thread, the process ends.
    pub fn last_leaks(&self, machine: &Machine, state: &State) -> Vec<Fault> {
        let over = state.threads().all(|(_, t)| t.status == Status::Finished);
        if self.leaks && over { machine.leaks(state, ThreadIndex::MAIN) } else { Vec::new() }
    }
}

impl Invariant {
    fn is_marked(&self, footprint: &Footprint) -> bool {
        footprint.touches.iter().any(|t| t.pointer == self.stand_in)
    }
}

impl Search<'_> {
    /// Reads what an event may have changed. `None`: the first state.
    pub(crate) fn observe(&mut self, state: &State, footprint: Option<&Footprint>) {
        let read = self.observed.read(self.machine, state, footprint);
        self.explored.exposed |= read.exposed;
        for kind in read.broken {
            self.note(&kind, self.path.moves.len());
        }
        for trouble in read.troubles {
            if self.explored.troubles.iter().all(|(text, _)| *text != trouble.0) {
                self.explored.troubles.push(trouble);
            }
        }
    }

    pub(crate) fn note_leaks(&mut self, leaks: Vec<Fault>) {
        for leak in leaks {
            self.note(&ViolationKind::Fault(leak), self.path.moves.len());
        }
    }

    /// A process that ends inside a section ends alone: others could have come before, and the event is undone.
    pub(crate) fn notice_exit_inside(&mut self, state: &State, index: ThreadIndex, stuck: bool) {
        let thread = state.thread(index);
        if self.observed.leaks && stuck && matches!(thread.status, Status::Stopped { .. }) {
            self.explored.beside_exit.get_or_insert(user_point(self.machine, thread));
        }
    }

    /// Whether something in the complete execution need not have happened when the process ends.
    pub(crate) fn notice_beside_exit(&mut self, at: impl Fn(u32) -> Option<CodePoint>) {
        if !self.observed.leaks || self.explored.beside_exit.is_some() {
            return;
        }
        let events = &self.path.events;
        let exits = |e: &&Event| e.footprint.effects.has(Effects::PROCESS_EXIT) && !e.failed;
        let beside = events.iter().filter(exits).find(|exit| events.iter().any(|e| !e.is_in(&exit.past)));
        if let Some(exit) = beside {
            self.explored.beside_exit = at(exit.thread);
        }
    }
}
