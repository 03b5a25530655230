//! Names for the heap objects of a schedule, found by executing it before it is written down.
//!
//! The first execution gives the last state and what was freed on the way; the second one drops every pointer that ever
//! led to another object. What remains are names that are right throughout the trace (`raddle-places`: `heap_names.rs`).
//! A pointer that a thread changes and changes back within one step counts as unchanged.

use raddle_machine::drive::{Move, Strategy};
use raddle_machine::{Machine, ObjectKind, Readiness, Scene, State, ThreadIndex, Watch, pointer};
use raddle_places::{FreedObject, HeapLink, HeapNames, heap_links};

use crate::follow::Follow;

/// Pointers times steps that are looked at. Longer runs name objects by numbers.
const MOST_WORK: usize = 20_000_000;

#[derive(Default)]
struct Frees {
    freed: Vec<FreedObject>,
}

impl Watch for Frees {
    fn free(&mut self, scene: &Scene, freed: u64, _: u32, _: bool) {
        let id = pointer::object(freed);
        if let Some(object) = scene.memory.object(id)
            && let ObjectKind::Heap { function, pc } = object.kind
        {
            let allocated = raddle_machine::CodePoint { function, pc };
            self.freed.push(FreedObject { object: id, allocated, size: object.size() });
        }
    }
}

/// What the heap objects are called.
pub fn heap_names(machine: &Machine, moves: &[Move]) -> HeapNames {
    let mut frees = Frees::default();
    let last = follow(machine, moves, &mut frees, |_| {});
    let mut links = heap_links(machine, &last);
    if links.len().saturating_mul(moves.len()) > MOST_WORK {
        links.clear();
    }
    if !links.is_empty() {
        let held = |links: &mut Vec<HeapLink>, state: &State| links.retain(|link| link.holds(state));
        follow(machine, moves, &mut Frees::default(), |state| held(&mut links, state));
    }
    HeapNames::new(machine, &last, &links, &frees.freed)
}

/// Executes the schedule as far as it goes.
fn follow(machine: &Machine, moves: &[Move], frees: &mut Frees, mut at_each: impl FnMut(&State)) -> State {
    let (mut state, _) = machine.start(frees);
    let mut strategy = Follow::new(moves);
    at_each(&state);
    for step in moves {
        if state.end().is_some() {
            break;
        }
        let readiness: Vec<Readiness> =
            (0..state.thread_count()).map(|i| machine.readiness(&mut state, ThreadIndex(i as u32))).collect();
        let Some(thread) = strategy.pick(&state, &readiness) else { break };
        machine.step(&mut state, thread, step.choice, frees);
        at_each(&state);
    }
    state
}
