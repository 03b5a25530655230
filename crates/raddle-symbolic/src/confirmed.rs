//! Schedules that are handed over while the search goes on, and what came of them.
//!
//! The search runs on a thread of its own, because calls of the program are followed on the stack; schedules are confirmed
//! on the thread of the caller. A violation that is confirmed is final: it is not searched for again, and not lost where the search
//! is terminated.

use std::sync::mpsc::{Receiver, Sender, channel};

use raddle_machine::drive::Move;

use crate::unrolling::FaultClass;

/// What a schedule shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violated {
    Fault(FaultClass),
    Deadlock,
    Race,
}

/// The violations that were confirmed, on the side of the search.
pub(crate) struct Confirmed {
    schedules: Vec<(Violated, Vec<Move>)>,
    found: Sender<(Violated, Vec<Move>)>,
    answers: Receiver<bool>,
}

impl Confirmed {
    /// The schedule of a violation that is known.
    pub fn schedule(&self, violated: Violated) -> Option<Vec<Move>> {
        let known = self.schedules.iter().find(|(known, _)| *known == violated);
        known.map(|(_, schedule)| schedule.clone())
    }

    /// A schedule was found; waits until it is confirmed, or not.
    pub fn found(&mut self, violated: Violated, schedule: Vec<Move>) -> Vec<Move> {
        let asked = self.found.send((violated, schedule.clone())).is_ok();
        if asked && self.answers.recv() == Ok(true) {
            self.schedules.push((violated, schedule.clone()));
        }
        schedule
    }
}

/// Runs a search on a thread with a stack of so many bytes, and confirms what it finds on this one. `None`: there is no memory
/// for the stack.
pub(crate) fn with_confirmation<T: Send>(
    stack: usize,
    search: impl FnOnce(&mut Confirmed) -> T + Send,
    confirm: &mut dyn FnMut(Violated, &[Move]) -> bool,
) -> Option<T> {
    std::thread::scope(|scope| {
        let (found, schedules) = channel();
        let (answer, answers) = channel();
        let run = move || search(&mut Confirmed { schedules: Vec::new(), found, answers });
        let thread = std::thread::Builder::new().stack_size(stack).spawn_scoped(scope, run).ok()?;
        // Ends with the search, which has the other side of the channel.
        for (violated, schedule) in schedules {
            // Refused only by a search that has panicked, which is said below.
            let _ = answer.send(confirm(violated, &schedule));
        }
        match thread.join() {
            Ok(outcome) => Some(outcome),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
