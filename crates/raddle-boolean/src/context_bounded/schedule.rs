//! A run of the sequential program, put into the order in which threads take turns.

use super::sequential::{Layout, Meaning, Sequential};
use raddle_bp::flow::{Flow, Operation, Procedure};
use raddle_bp::interpreter::{AtMost, Counterexample, Frame, Setting, State, Step, Thread, replay};

/// A step of the program, by the number that its thread has in the sequential program.
struct Event {
    round: usize,
    thread: usize,
    successor: usize,
    choices: Vec<bool>,
    /// The number of the thread that it starts.
    starts: Option<usize>,
    /// It ends its thread.
    ends: bool,
    /// It is the error: a step that fails, or none at all.
    error: Option<Failure>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    Step,
    Label,
}

/// The first state and the steps of the run. None if it does not fit together, which would be an internal error.
pub(super) fn of(flow: &Flow, sequential: &Sequential, found: &Counterexample) -> Option<(State, Vec<Step>)> {
    let setting = Setting {
        initial_threads: 1,
        max_threads: 1,
        at_most: AtMost::Skip,
        max_stack: usize::MAX,
        error_label: None,
    };
    let states = replay(&sequential.flow, &setting, &found.initial, &found.steps).ok()?.states;
    let layout = &sequential.layout;
    // What the locals that get no arguments have when threads begin.
    let mut begun: Vec<Option<Vec<bool>>> = vec![None; layout.threads];
    let mut initial_globals = None;
    let mut events = Vec::new();
    for (state, step) in states.iter().zip(&found.steps) {
        let frames = &state.thread(0)?.frames;
        let top = frames.last()?;
        let Some(meaning) = sequential.meanings.get(&(top.procedure, top.node)) else { continue };
        let mut event = Event {
            round: layout.round_of(&state.globals),
            thread: layout.now_of(&state.globals),
            successor: step.successor,
            choices: step.choices.clone(),
            starts: None,
            ends: false,
            error: None,
        };
        match *meaning {
            Meaning::Begin { number, procedure } => {
                let procedure = flow.procedure(procedure);
                let fresh = procedure.locals.len() - procedure.parameters;
                // Initial threads have no arguments: what was chosen in their place comes first.
                let chosen = sequential.flow.node(top.procedure, top.node).choices as usize;
                begun[number] = Some(step.choices.get(..chosen + fresh)?.to_vec());
                if initial_globals.is_none() {
                    let first = |global| state.globals[layout.copy(global, 0) as usize];
                    initial_globals = Some((0..flow.globals.len() as u32).map(first).collect());
                }
                continue;
            }
            Meaning::AtLabel => event.error = Some(Failure::Label),
            Meaning::Fails { procedure, node } => {
                event.choices.truncate(flow.node(procedure, node).choices as usize);
                event.error = Some(Failure::Step);
            }
            Meaning::Start { procedure, node, number } => {
                event.choices.truncate(flow.node(procedure, node).choices as usize);
                event.starts = Some(number);
            }
            Meaning::Step { procedure, node } => {
                let node = flow.node(procedure, node);
                let mut kept = node.choices as usize;
                match &node.operation {
                    // Locals for results come behind the others.
                    Operation::Call { procedure, .. } => {
                        let callee = flow.procedure(*procedure);
                        kept += callee.locals.len() - callee.parameters;
                    }
                    // Above the one that takes all turns there is this one alone.
                    Operation::Return(_) => event.ends = frames.len() == 2,
                    Operation::EndThread => event.ends = true,
                    _ => {}
                }
                event.choices.truncate(kept);
            }
        }
        events.push(event);
    }
    // Stable: what a thread does in a round stays in order.
    events.sort_by_key(|event| (event.round, event.thread));
    let end = events.iter().position(|event| event.error.is_some())?;
    events.truncate(end + 1);
    let locals = begun.iter().take(layout.initial_threads).map(|locals| {
        let frame = Frame { procedure: flow.main, node: Procedure::ENTRY, locals: locals.clone()? };
        Some(Some(Thread { frames: vec![frame] }))
    });
    let initial = State { globals: initial_globals?, threads: locals.collect::<Option<_>>()?, atomic: None };
    Some((initial, named(layout, &begun, events)?))
}

/// The steps with the numbers that threads have in a run: that of a thread that has ended is free again.
fn named(layout: &Layout, begun: &[Option<Vec<bool>>], events: Vec<Event>) -> Option<Vec<Step>> {
    let mut names: Vec<Option<usize>> = vec![None; layout.threads];
    (0..layout.initial_threads).for_each(|thread| names[thread] = Some(thread));
    let mut steps = Vec::new();
    for mut event in events {
        if event.error == Some(Failure::Label) {
            break;
        }
        if let Some(new) = event.starts {
            // Every thread that is started is run, be it that it stops at once.
            event.choices.extend(begun[new].as_ref()?);
        }
        steps.push(Step { thread: names[event.thread]?, successor: event.successor, choices: event.choices });
        if let Some(new) = event.starts {
            names[new] = Some((0..).find(|name| !names.contains(&Some(*name)))?);
        }
        if event.ends {
            names[event.thread] = None;
        }
    }
    Some(steps)
}
