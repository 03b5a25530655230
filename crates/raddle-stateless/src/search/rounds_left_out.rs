//! Races that are lost with the rounds of await loops that are left out.
//!
//! A round is part of the executions that end with it, and of no other (`await_loop.rs`). One of its accesses may race with
//! an access that is made only after the thread has gone on. As long as all information about other threads comes with an
//! edge of happens-before, that access is possible without the thread's going on too, and the race is found beside the
//! round. A failed trylock, a relaxed load or a fence carries information without an edge: then it may be missed, if
//! another thread writes what such a round reads.

use raddle_analysis::{ResultInformation, SectionFacts};
use raddle_ir::{FunctionId, MemoryOrder};
use raddle_machine::{AccessEvent, AccessKind, Footprint, Machine, Scene, Touch, Value, Watch, pointer};
use rustc_hash::FxHashSet;

/// What was left out, and what would have to be executed for it to matter.
#[derive(Clone, Debug, Default)]
pub struct RoundsLeftOut {
    /// Information was passed without an edge.
    unordered: bool,
    /// By object that such rounds read, whether atomically.
    read: FxHashSet<(u64, bool)>,
    /// The same of objects that were written beside other threads.
    written: FxHashSet<(u64, bool)>,
}

impl RoundsLeftOut {
    /// Whether a race may have been left out.
    pub fn may_race(&self) -> bool {
        let is_written = |object: u64, atomic: bool| self.written.contains(&(object, atomic));
        let races = |(object, atomic): &(u64, bool)| {
            is_written(*object, false) || !atomic && is_written(*object, true)
        };
        self.unordered && self.read.iter().any(races)
    }

    pub(crate) fn merge(&mut self, other: RoundsLeftOut) {
        self.unordered |= other.unordered;
        self.read.extend(other.read);
        self.written.extend(other.written);
    }

    /// A round with this event is left out.
    pub(crate) fn leave_out(&mut self, footprint: &Footprint) {
        self.read.extend(checked(footprint).map(what));
    }

    /// An event was executed beside other threads.
    pub(crate) fn executed(&mut self, footprint: &Footprint, unordered: &Unordered) {
        self.unordered |= unordered.seen;
        self.written.extend(checked(footprint).filter(|touch| touch.write).map(what));
    }
}

fn checked(footprint: &Footprint) -> impl Iterator<Item = &Touch> {
    footprint.touches.iter().filter(|touch| !touch.internal)
}

fn what(touch: &Touch) -> (u64, bool) {
    (pointer::object(touch.pointer).base(), touch.order != MemoryOrder::NotAtomic)
}

/// Notices information about other threads that comes without an edge of happens-before.
pub struct Unordered {
    results: Vec<ResultInformation>,
    seen: bool,
}

impl Unordered {
    pub fn new(machine: &Machine) -> Unordered {
        let program = &machine.program;
        let results = SectionFacts::of(program).results(program, machine.settings.spurious_wakeups);
        Unordered { results, seen: false }
    }
}

impl Watch for Unordered {
    fn access(&mut self, _: &Scene, event: &AccessEvent) {
        use MemoryOrder::*;
        if event.in_section || event.order == NotAtomic {
            return;
        }
        self.seen |= match event.kind {
            AccessKind::Read => !matches!(event.order, Acquire | AcquireRelease | SequentiallyConsistent),
            AccessKind::Write => !matches!(event.order, Release | AcquireRelease | SequentiallyConsistent),
            AccessKind::Update => !matches!(event.order, AcquireRelease | SequentiallyConsistent),
        };
    }
    fn fence(&mut self, _: &Scene, _: MemoryOrder) {
        self.seen = true;
    }
    fn library_return(&mut self, scene: &Scene, function: FunctionId, value: Option<Value>) {
        // Main without children is alone.
        let alone = scene.thread.number == 1 && scene.thread.children == 0;
        self.seen |= !alone && self.results[function.index()].is_carried_by(value.map(|v| v.bits as i32));
    }
}
