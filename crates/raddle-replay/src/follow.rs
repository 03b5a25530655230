//! Replay as a strategy: the moves of a schedule, in order.

use raddle_machine::drive::{Move, Strategy};
use raddle_machine::{ChoiceRequest, Readiness, State, ThreadIndex};
use raddle_trace::{ReplayScript, ScheduleStep};
use std::collections::BTreeMap;

/// Follows a schedule; stops at its end, or where it cannot be followed.
pub struct Follow<'a> {
    moves: &'a [Move],
    next: usize,
    /// Where the schedule could not be followed, and why.
    pub lost: Option<(usize, String)>,
}

impl<'a> Follow<'a> {
    pub fn new(moves: &'a [Move]) -> Self {
        Follow { moves, next: 0, lost: None }
    }
}

impl Strategy for Follow<'_> {
    fn pick(&mut self, state: &State, readiness: &[Readiness]) -> Option<ThreadIndex> {
        let step = self.moves.get(self.next)?;
        let at = self.next;
        let mut lose = |why: String| {
            self.lost = Some((at, why));
            None
        };
        let Some(thread) = state.thread_numbered(step.thread) else {
            return lose(format!("thread {} does not exist", step.thread));
        };
        if !readiness[thread.index()].can_step() {
            return lose(format!("thread {} cannot step", step.thread));
        }
        match (state.thread(thread).pending, step.choice) {
            (Some(_), None) => return lose(format!("thread {} waits for a choice", step.thread)),
            (None, Some(_)) => return lose(format!("thread {} waits for no choice", step.thread)),
            (Some(request), Some(choice)) if choice > request.last => {
                return lose(format!("{choice} is no answer to the choice of thread {}", step.thread));
            }
            _ => {}
        }
        self.next += 1;
        Some(thread)
    }

    fn choose(&mut self, _: &State, _: ThreadIndex, _: ChoiceRequest) -> u64 {
        self.moves[self.next - 1].choice.unwrap_or(0)
    }
}

/// Thread ids of traces count from 0 (main); the machine's numbers from 1.
pub(crate) fn trace_id(number: u32) -> u32 {
    number.saturating_sub(1)
}

pub fn to_script(moves: &[Move], settings: BTreeMap<String, String>) -> ReplayScript {
    let steps = moves
        .iter()
        .map(|m| ScheduleStep {
            thread: trace_id(m.thread),
            choices: m.choice.into_iter().collect(),
            escape: false,
        })
        .collect();
    ReplayScript::Machine { steps, settings }
}

/// The moves of a script, if it is the machine's.
pub fn from_script(script: &ReplayScript) -> Option<Vec<Move>> {
    match script {
        ReplayScript::Machine { steps, .. } => Some(
            steps
                .iter()
                .map(|s| Move { thread: s.thread.saturating_add(1), choice: s.choices.first().copied() })
                .collect(),
        ),
        _ => None,
    }
}
