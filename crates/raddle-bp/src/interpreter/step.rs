//! One step: given the thread that takes it and what is chosen, it is determined.

use super::{AtMost, Frame, Setting, State, Thread};
use crate::flow::{Flow, Formula, Operation, Procedure, ProcedureId, ThreadEntry, Variable};

/// The thread that takes a step, and all that is chosen in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    pub thread: usize,
    /// Which of the node's successors; 0 where there is one or none.
    pub successor: usize,
    /// The values of the node's choices `*` by their numbers, then those of the local variables, parameters apart, of
    /// the procedure that is entered, if one is.
    pub choices: Vec<bool>,
}

/// What comes of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The next state. `refused` says that a thread was not started because there are as many as there may be.
    Moved { state: State, refused: bool },
    /// With these choices the step cannot be taken: an assumption or a constraint does not hold.
    Blocked,
    /// The assertion does not hold.
    AssertionFailed,
    /// The call would make the stack higher than the setting allows.
    StackFull,
    /// There are as many threads as the setting allows, and the thread waits.
    ThreadsFull,
}

/// The threads that may take a step, be it that it blocks.
pub fn enabled_threads(state: &State) -> Vec<usize> {
    match state.atomic {
        Some(thread) => vec![thread],
        None => (0..state.threads.len()).filter(|index| state.thread(*index).is_some()).collect(),
    }
}

/// How many values [`Step::choices`] has for the next step of a thread.
pub fn choice_bits(flow: &Flow, state: &State, thread: usize) -> usize {
    let frame = state.thread(thread).expect("a running thread").top();
    let node = flow.node(frame.procedure, frame.node);
    let entered = match &node.operation {
        Operation::Call { procedure, .. } | Operation::StartThread(ThreadEntry::Call { procedure, .. }) => {
            let procedure = flow.procedure(*procedure);
            procedure.locals.len() - procedure.parameters
        }
        _ => 0,
    };
    node.choices as usize + entered
}

/// Takes a step. The thread must be enabled, the successor must exist, and there must be as many choices as
/// [`choice_bits`] says.
pub fn take(flow: &Flow, setting: &Setting, state: &State, step: &Step) -> Outcome {
    let frame = state.thread(step.thread).expect("a running thread").top();
    let node = flow.node(frame.procedure, frame.node);
    let value = |formula: &Formula| formula.evaluate(&|leaf| state.leaf(frame, &step.choices, leaf));
    // The first values of a new frame: the arguments, then what was chosen for the other local variables.
    let entered = |procedure: ProcedureId, arguments: &[Formula]| {
        let chosen = step.choices[node.choices as usize..].iter().copied();
        let locals = arguments.iter().map(value).chain(chosen).collect();
        Frame { procedure, node: Procedure::ENTRY, locals }
    };

    let mut next = state.clone();
    let thread = next.threads[step.thread].as_mut().expect("a running thread");
    if let Some(successor) = node.next.get(step.successor) {
        thread.top_mut().node = *successor;
    }
    let mut refused = false;
    match &node.operation {
        Operation::Skip => {}
        Operation::Assume(condition) => {
            if !value(condition) {
                return Outcome::Blocked;
            }
        }
        Operation::Assert(condition) => {
            if !value(condition) {
                return Outcome::AssertionFailed;
            }
        }
        Operation::Assign { targets, values, constrain } => {
            for (target, formula) in targets.iter().zip(values) {
                assign(&mut next, step.thread, *target, value(formula));
            }
            if let Some(condition) = constrain {
                let after = next.thread(step.thread).expect("a running thread").top();
                let holds = condition.evaluate(&|leaf| match leaf {
                    Formula::Next(variable) => next.leaf(after, &[], &Formula::Now(*variable)),
                    other => state.leaf(frame, &step.choices, other),
                });
                if !holds {
                    return Outcome::Blocked;
                }
            }
        }
        Operation::Call { procedure, arguments, .. } => {
            if thread.frames.len() >= setting.max_stack {
                return Outcome::StackFull;
            }
            // The caller stays at its call until the callee returns.
            thread.top_mut().node = frame.node;
            thread.frames.push(entered(*procedure, arguments));
        }
        Operation::Return(values) => {
            let values: Vec<bool> = values.iter().map(value).collect();
            thread.frames.pop();
            match thread.frames.last_mut() {
                None => end_thread(&mut next, step.thread),
                Some(caller) => {
                    let call = flow.node(caller.procedure, caller.node);
                    caller.node = call.next[0];
                    let Operation::Call { targets, .. } = &call.operation else {
                        unreachable!("a frame waits at a call")
                    };
                    for (target, value) in targets.iter().zip(values) {
                        if let Some(target) = target {
                            assign(&mut next, step.thread, *target, value);
                        }
                    }
                }
            }
        }
        Operation::StartThread(entry) => {
            if state.running() >= setting.max_threads {
                if setting.at_most == AtMost::Wait {
                    return Outcome::ThreadsFull;
                }
                refused = true;
            } else {
                let mut frames = state.thread(step.thread).expect("a running thread").frames.clone();
                match entry {
                    ThreadEntry::Copy(target) => frames.last_mut().expect("a frame").node = *target,
                    ThreadEntry::Call { procedure, arguments } => {
                        frames = vec![entered(*procedure, arguments)]
                    }
                }
                start_thread(&mut next, Thread { frames });
            }
        }
        Operation::EndThread => end_thread(&mut next, step.thread),
        Operation::AtomicBegin => next.atomic = Some(step.thread),
        Operation::AtomicEnd => next.atomic = None,
    }
    Outcome::Moved { state: next, refused }
}

fn assign(state: &mut State, thread: usize, target: Variable, value: bool) {
    match target {
        Variable::Global(index) => state.globals[index as usize] = value,
        Variable::Local(index) => {
            let thread = state.threads[thread].as_mut().expect("a running thread");
            thread.top_mut().locals[index as usize] = value;
        }
    }
}

fn start_thread(state: &mut State, thread: Thread) {
    match state.threads.iter_mut().find(|slot| slot.is_none()) {
        Some(slot) => *slot = Some(thread),
        None => state.threads.push(Some(thread)),
    }
}

fn end_thread(state: &mut State, thread: usize) {
    state.threads[thread] = None;
    while state.threads.last().is_some_and(Option::is_none) {
        state.threads.pop();
    }
    if state.atomic == Some(thread) {
        state.atomic = None;
    }
}
