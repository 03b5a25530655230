//! Replays a given run, step by step: a claimed error must have a run that ends in it.

use super::step::{Outcome, choice_bits, enabled_threads, take};
use super::{Setting, State, Step, Violation};
use crate::flow::{Flow, Procedure};
use std::fmt;

/// A run as it went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The states before each step and at the end; a failed assertion leads to none.
    pub states: Vec<State>,
    /// The error with which the run ends: a failed assertion in its last step, or the error label in its last state.
    pub violation: Option<Violation>,
}

/// Why a run is none of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The first state is no initial state.
    NotInitial,
    /// The step of this number (from 0) cannot be taken.
    Step { number: usize, why: &'static str },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NotInitial => write!(f, "the first state is not an initial state of the program"),
            ReplayError::Step { number, why } => write!(f, "step {}: {why}", number + 1),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Runs the steps from the initial state.
///
/// # Errors
///
/// If this is no run of the program under that setting.
pub fn replay(
    flow: &Flow,
    setting: &Setting,
    initial: &State,
    steps: &[Step],
) -> Result<Replayed, ReplayError> {
    if !is_initial(flow, setting, initial) {
        return Err(ReplayError::NotInitial);
    }
    let mut states = vec![initial.clone()];
    for (number, step) in steps.iter().enumerate() {
        let state = &states[number];
        let refuse = |why| ReplayError::Step { number, why };
        checked(flow, state, step).map_err(refuse)?;
        let frame = state.thread(step.thread).expect("enabled").top();
        let node = flow.node(frame.procedure, frame.node);
        match take(flow, setting, state, step) {
            Outcome::Moved { state, .. } => states.push(state),
            Outcome::Blocked => return Err(refuse("an assumption or a constraint does not hold")),
            Outcome::StackFull => return Err(refuse("the stack is full")),
            Outcome::ThreadsFull => return Err(refuse("there are as many threads as there may be")),
            Outcome::AssertionFailed if number + 1 == steps.len() => {
                let violation = Violation::AssertionFailed { thread: step.thread, place: node.place };
                return Ok(Replayed { states, violation: Some(violation) });
            }
            Outcome::AssertionFailed => return Err(refuse("an assertion fails before the end")),
        }
    }
    let last = states.last().expect("the initial state");
    let at_label = setting.error_label.as_ref().and_then(|label| last.at_label(flow, label));
    let violation = at_label.map(|thread| {
        let frame = last.thread(thread).expect("at the label").top();
        Violation::LabelReached { thread, place: flow.node(frame.procedure, frame.node).place }
    });
    Ok(Replayed { states, violation })
}

/// Whether a step is one that may be tried; else why not.
pub(super) fn checked(flow: &Flow, state: &State, step: &Step) -> Result<(), &'static str> {
    if !enabled_threads(state).contains(&step.thread) {
        return Err("the thread does not run, or another one is inside an atomic section");
    }
    let frame = state.thread(step.thread).expect("enabled").top();
    if step.successor >= flow.node(frame.procedure, frame.node).next.len().max(1) {
        return Err("there is no such successor");
    }
    if step.choices.len() != choice_bits(flow, state, step.thread) {
        return Err("there are more or fewer values to choose");
    }
    Ok(())
}

pub(super) fn is_initial(flow: &Flow, setting: &Setting, state: &State) -> bool {
    let locals = flow.procedure(flow.main).locals.len();
    let threads_start = state.threads.iter().all(|thread| {
        thread.as_ref().is_some_and(|thread| match thread.frames.as_slice() {
            [frame] => {
                frame.procedure == flow.main && frame.node == Procedure::ENTRY && frame.locals.len() == locals
            }
            _ => false,
        })
    });
    state.globals.len() == flow.globals.len()
        && state.threads.len() == setting.initial_threads
        && state.atomic.is_none()
        && threads_start
}
