//! Schedules that wait for their level, and their execution.

use std::rc::Rc;
use std::sync::Arc;

use raddle_machine::{Fault, Footprint, RaceMonitor, State};
use raddle_trace::Property;

use super::Search;
use crate::dpor::clock::Cut;
use crate::dpor::event::Answers;
use crate::dpor::path::Path;
use crate::preemption_bound::Merge;

/// Items that may have a snapshot.
const MOST_SNAPSHOTS: usize = 30_000;

/// The last event of a schedule, and those before it.
pub(super) struct Trail {
    pub before: Option<Rc<Trail>>,
    pub thread: u32,
    pub answers: Answers,
}

/// Where a schedule leads, if states are merged: then nothing else of it matters.
pub(super) struct Snapshot {
    pub state: State,
    pub last: u32,
    pub yielded: bool,
    pub dead: Vec<u32>,
    pub asleep: Vec<(u32, Vec<Arc<Footprint>>)>,
    pub length: usize,
}

/// A schedule, and an event to execute behind it.
pub(super) struct Item {
    pub behind: Option<Rc<Trail>>,
    /// So that it need not be executed again.
    pub at: Option<Rc<Snapshot>>,
    pub thread: u32,
    pub answers: Answers,
}

/// An execution so far.
pub(super) struct Walk {
    pub state: State,
    pub monitor: Option<RaceMonitor>,
    /// Without nodes.
    pub path: Path,
    pub reached: Cut,
    pub trail: Option<Rc<Trail>>,
    /// How many events it has.
    pub length: usize,
    /// Of the set of its events.
    pub hash: u128,
    pub last: u32,
    pub yielded: bool,
    /// States before the last events, as long as one thread does nothing but read, or from a wake-up without a
    /// signal (spurious, or by a time-out) on; and whether each is one of these.
    pub streak: Vec<(State, bool)>,
    /// Threads that wait in a loop, and what they have read.
    pub asleep: Vec<(u32, Vec<Arc<Footprint>>)>,
}

impl Search<'_> {
    /// Before the first event.
    pub(super) fn first_walk(&mut self) -> (Walk, Vec<Fault>) {
        let mut monitor = self.config.properties.contains(&Property::Race).then(RaceMonitor::new);
        let (state, outcome) = match &mut monitor {
            Some(monitor) => self.machine.start(monitor),
            None => self.machine.start(&mut ()),
        };
        let walk = Walk {
            state,
            monitor,
            path: Path::default(),
            reached: Cut::default(),
            trail: None,
            length: 0,
            hash: 0,
            last: 0,
            yielded: false,
            streak: Vec::new(),
            asleep: Vec::new(),
        };
        (walk, outcome.faults)
    }

    /// The execution of an item's schedule, without its last event.
    pub(super) fn walked(&mut self, item: &Item) -> Walk {
        let Some(at) = &item.at else { return self.walk(&item.behind) };
        let path = Path { dead: at.dead.clone(), ..Path::default() };
        Walk {
            state: at.state.clone(),
            monitor: None,
            path,
            reached: Cut::default(),
            trail: item.behind.clone(),
            length: at.length,
            hash: 0,
            last: at.last,
            yielded: at.yielded,
            streak: Vec::new(),
            asleep: at.asleep.clone(),
        }
    }

    /// Where the execution is, if that is worth keeping.
    pub(super) fn snapshot(&self, walk: &Walk) -> Option<Rc<Snapshot>> {
        let few = self.level.len() + self.next.len() < MOST_SNAPSHOTS;
        (self.bound.merge == Merge::States && few && walk.monitor.is_none()).then(|| {
            Rc::new(Snapshot {
                state: walk.state.clone(),
                last: walk.last,
                yielded: walk.yielded,
                dead: walk.path.dead.clone(),
                asleep: walk.asleep.clone(),
                length: walk.length,
            })
        })
    }

    /// A schedule, executed from the start.
    pub(super) fn walk(&mut self, trail: &Option<Rc<Trail>>) -> Walk {
        let mut at = trail.clone();
        let mut trail = Vec::new();
        while let Some(one) = at {
            at = one.before.clone();
            trail.push(one);
        }
        let (mut walk, _) = self.first_walk();
        for one in trail.into_iter().rev() {
            self.step(&mut walk, one.thread, one.answers.clone(), false);
        }
        walk
    }
}
