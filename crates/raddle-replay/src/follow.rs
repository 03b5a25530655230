//! Replay as a strategy: the moves of a schedule, in order.

use raddle_machine::drive::{Move, Strategy};
use raddle_machine::{ChoiceRequest, Readiness, State, Status, ThreadIndex};
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
        let (at, id) = (self.next, trace_id(step.thread));
        let mut lose = |why: String| {
            self.lost = Some((at, why));
            None
        };
        let Some(thread) = state.thread_numbered(step.thread) else {
            return lose(format!("thread T{id} does not exist"));
        };
        // A thread that loops for ever by itself: in the schedule of an infinite run its turns do nothing.
        if state.thread(thread).status == Status::Diverged {
            self.next += 1;
            return Some(thread);
        }
        if !readiness[thread.index()].can_step() {
            return lose(format!("thread T{id} cannot step"));
        }
        match (state.thread(thread).pending, step.choice) {
            (Some(_), None) => return lose(format!("thread T{id} waits for a choice")),
            (None, Some(_)) => return lose(format!("thread T{id} waits for no choice")),
            (Some(request), Some(choice)) if choice > request.last => {
                return lose(format!("{choice} is not an answer to the choice of thread T{id}"));
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

/// The moves of a script; `Err` says why it has none.
pub fn from_script(script: &ReplayScript) -> Result<Vec<Move>, String> {
    let ReplayScript::Machine { steps, .. } = script else {
        return Err("the script is not one of a C program".into());
    };
    let mut moves = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        // A move of the machine has one choice at most, and an escape is one of its moves like any other.
        if step.choices.len() > 1 || step.escape {
            return Err(format!("step {at} of the script is none of a C program"));
        }
        let Some(thread) = step.thread.checked_add(1) else {
            return Err(format!("step {at} of the script names thread {}", step.thread));
        };
        moves.push(Move { thread, choice: step.choices.first().copied() });
    }
    Ok(moves)
}
