//! Guarded accesses as movers: a plain access that no other thread can conflict with while it is pending is an ample set.
//!
//! The mark `guarded` of an access (`raddle_ir::Access`) is a fact about the program, proved by `raddle-static`
//! (`guarded_accesses.rs`, Flanagan and Freund's race-freedom types, inferred): *in no run in which the access is the next
//! step of a thread do other threads make a conflicting access before it*. Lipton (*Reduction*, CACM 1975) calls such a
//! step a both-mover; transactions of movers are one step in Flanagan and Qadeer (*Transactions for software model checking*,
//! 2003). Here each guarded access is taken alone, and the chain of steps that `reduction/ample.rs` forms is the
//! transaction. Lock-acquisition patterns (`reduction/lock_pattern.rs`) do the same for global locks by paths; guards are
//! per object: a lock inside the heap block that it protects, elements of an array with a lock each, blocks that are not
//! published yet, hand-over by creation and join.
//!
//! # Why the step alone is a persistent set
//!
//! Let s be a state, a the guarded access that is the next step of thread t, and w any run of the other threads from s.
//! By the fact, no step of w conflicts with a. A plain access is disabled by nothing but the sections of others, which
//! the caller excludes in s, and enables no thread by itself: what a disabled thread reads is read inside sections of models,
//! and no guarded access touches what these access (part of the fact, too). So a commutes with all of w. What else the step
//! touches (the locals of a frame that ends behind the access) is compared with the futures of the other threads as for any
//! step. All other conditions are those of `reduction/ample.rs`: the step has no effect but its access, is no
//! fault, invisible to invariants, and advances the thread along no back edge.
//!
//! The fact speaks of runs without a memory fault. If w reaches one, the run ends there: the steps of w before it are
//! such a run, so a commutes with them, and the faulting step reads what it accesses, or branches on, as any other step.
//! A step that is a fault itself is never taken alone.
//!
//! # What is preserved
//!
//! As in `reduction/ample.rs`. Of races in particular: two accesses race by state if both are pending in one state; a
//! guarded one is never pending together with a conflicting one, since the latter could be executed next. So it takes part
//! in no race, nor in one with a compare-exchange (`race_by_state::may_have_raced`) or a section (`Touch::bypasses`).
//!
//! # Back edges
//!
//! The static cycle proviso of `reduction/ample.rs` ends a chain at every back edge, and with it a loop over guarded
//! elements. When a state is new, reached by the superstep of a thread from a state in which every thread was explored, the
//! thread may go on alone along [`BACK_EDGES`] back edges by guarded steps (`Expander::settle`). When a stored state is
//! expanded, it may not. So a cycle of states still has one in which all threads are explored: a transition of the cycle whose
//! chain has such a back edge begins in one; and if there is none, the static proviso holds for all its steps.
//!
//! # What it misses
//!
//! Atomic accesses, copies of memory, accesses to locals and thread-locals that other threads may point to, and those of
//! library functions have no mark. Temporal properties do not use the marks, nor does a search under a bound on switches.

use std::ops::Range;

use raddle_ir::MemoryOrder;
use raddle_machine::pointer::{self, ObjectName};
use raddle_machine::{Footprint, Touch};

/// Back edges that a thread takes alone in one transition, at most.
pub const BACK_EDGES: u32 = 64;

/// Whether something that a step does has the mark `guarded`.
pub fn has_mark(step: &Footprint) -> bool {
    step.guarded == Some(true) || step.guarded_release.is_some()
}

/// The touches of a step that are neither of a guarded access nor of a guarded release.
pub fn beside_guarded(step: &Footprint) -> impl Iterator<Item = &Touch> {
    let of_access = move |touch: &Touch| {
        let id = pointer::object(touch.pointer);
        step.guarded == Some(true)
            && matches!(id.name(), ObjectName::Global(_) | ObjectName::Heap { .. })
            && !touch.internal
            && !touch.section
            && touch.order == MemoryOrder::NotAtomic
    };
    let lock = released_bytes(step);
    let of_release = move |touch: &Touch| {
        lock.as_ref().is_some_and(|lock| {
            (touch.section || touch.internal)
                && lock.start <= touch.pointer
                && touch.pointer + touch.length as u64 <= lock.end
        })
    };
    step.touches.iter().filter(move |touch| !of_access(touch) && !of_release(touch))
}

/// The bytes of the lock that a step gives back by a guarded call: those that the section declares to use.
fn released_bytes(step: &Footprint) -> Option<Range<u64>> {
    let lock = step.guarded_release?;
    let lasts = matches!(pointer::object(lock).name(), ObjectName::Global(_) | ObjectName::Heap { .. });
    let used = |touch: &&Touch| touch.section && !touch.internal && touch.pointer == lock;
    let used = step.touches.iter().find(used).filter(|_| lasts)?;
    Some(lock..lock + used.length as u64)
}
