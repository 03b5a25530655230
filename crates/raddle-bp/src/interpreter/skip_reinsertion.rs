//! A run of a program without its skips, as a run of the whole program.

use super::replay::{checked, is_initial};
use super::step::{Outcome, take};
use super::{ReplayError, Setting, State, Step};
use crate::flow::{Flow, Shortened};

/// The steps of the whole program: each thread takes its skips right before its next step, when no other thread keeps
/// it from that. Skips behind its last step are not taken. The initial state is the same in both programs.
///
/// # Errors
///
/// If this is no run of the shorter program under that setting. The number in it is that of the step of the shorter
/// run.
pub fn lengthen(
    flow: &Flow,
    short: &Shortened,
    setting: &Setting,
    initial: &State,
    steps: &[Step],
) -> Result<Vec<Step>, ReplayError> {
    if !is_initial(flow, setting, initial) {
        return Err(ReplayError::NotInitial);
    }
    let mut state = initial.clone();
    let mut all = Vec::with_capacity(steps.len());
    for (number, step) in steps.iter().enumerate() {
        let refuse = |why| ReplayError::Step { number, why };
        while let Some(thread) = state.thread(step.thread) {
            let frame = thread.top();
            if !short.is_bypassed(frame.procedure, frame.node) {
                break;
            }
            let skip = Step { thread: step.thread, successor: 0, choices: Vec::new() };
            checked(flow, &state, &skip).map_err(refuse)?;
            match take(flow, setting, &state, &skip) {
                Outcome::Moved { state: next, .. } => state = next,
                _ => return Err(refuse("a place that was left out does something")),
            }
            all.push(skip);
        }
        checked(flow, &state, step).map_err(refuse)?;
        all.push(step.clone());
        match take(flow, setting, &state, step) {
            Outcome::Moved { state: next, .. } => state = next,
            // Only the last step may fail; whether it is one is for `replay` to say.
            _ if number + 1 == steps.len() => break,
            _ => return Err(refuse("it cannot be taken")),
        }
    }
    Ok(all)
}
