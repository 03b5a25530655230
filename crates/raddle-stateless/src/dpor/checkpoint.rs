//! The states of the path: the newest one, and a few on the way, from which the others are recomputed (checkpoints).
//!
//! Steps are executed in place. A state on the way is needed only where the search backtracks to, which is once an
//! execution, while a copy at each node would cost twice: when it is made, and when the first write after it has to
//! copy what the two share.

use raddle_machine::{RaceMonitor, State};

use crate::dpor::explore::Search;

/// Nodes from one kept state to the next.
const EVERY: u8 = 8;

/// A state, and the race monitor's state with it.
#[derive(Clone)]
pub struct Checkpoint {
    pub state: State,
    pub monitor: Option<RaceMonitor>,
}

impl Search<'_> {
    /// The moment after the first so many moves of the path.
    pub(crate) fn moment_after(&self, moves: usize) -> Checkpoint {
        let kept = self.path.nodes.iter().rev().filter(|node| node.end_move <= moves);
        let kept = kept.filter_map(|node| Some((&**node.kept.as_ref()?, node.end_move))).next();
        let (moment, from) = kept.unwrap_or((&self.first, 0));
        let mut moment = moment.clone();
        for one in &self.path.moves[from..moves] {
            let state = &mut moment.state;
            let index = state.thread_numbered(one.thread).expect("it was there before");
            match &mut moment.monitor {
                Some(monitor) => self.machine.step(state, index, one.choice, monitor),
                None => self.machine.step(state, index, one.choice, &mut ()),
            };
        }
        if let Some(monitor) = &mut moment.monitor {
            monitor.take_new();
        }
        moment
    }

    /// The moment before a node.
    pub(crate) fn moment_before(&self, node: usize) -> Checkpoint {
        self.moment_after(if node == 0 { 0 } else { self.path.nodes[node - 1].end_move })
    }

    /// Recomputes the state at the end of the path, and keeps it, since it will be needed again.
    pub(crate) fn recall(&mut self) {
        let moment = self.moment_before(self.path.nodes.len());
        if let Some(node) = self.path.nodes.last_mut() {
            node.kept.get_or_insert_with(|| Box::new(moment.clone()));
        }
        self.now = Some(moment);
    }

    /// The moment at the end of the path, moved out of the search or recomputed.
    pub(crate) fn take_now(&mut self) -> Checkpoint {
        match self.now.take() {
            Some(moment) => moment,
            None => self.moment_before(self.path.nodes.len()),
        }
    }

    /// How many nodes since a moment was kept, and the moment at the end of the path, if it is to be.
    pub(crate) fn keep(&self, now: &Checkpoint) -> (u8, Option<Box<Checkpoint>>) {
        let since = self.path.nodes.last().map_or(0, |node| node.since_kept) + 1;
        if since < EVERY { (since, None) } else { (0, Some(Box::new(now.clone()))) }
    }
}
