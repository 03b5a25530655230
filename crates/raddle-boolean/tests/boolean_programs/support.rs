//! What the comparisons with brute force share.

use raddle_boolean::liveness::Liveness;
use raddle_bp::flow::{Flow, NodeId, Shortened, lower};
use raddle_bp::interpreter::{Counterexample, Setting, ThreadState, replay};
use raddle_bp::program::parse;
use raddle_conformance::{BooleanProgram, boolean_programs, with_skips};
use std::path::Path;

pub fn flow(text: &str) -> Flow {
    lower(&parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The random program of a seed. With `RADDLE_SHORTENED` it is one with many skips, without them: a flow as engines get it
/// from the driver, in which steps may lead to themselves.
pub fn random_flow(text: &str, seed: u64) -> Flow {
    match is_shortened() {
        false => flow(text),
        true => Shortened::new(&flow(&with_skips(text, seed)), Some("SLIC_ERROR")).flow,
    }
}

pub fn is_shortened() -> bool {
    std::env::var_os("RADDLE_SHORTENED").is_some()
}

/// As many programs as the environment says, else half of the number, for which a usual test run has time; `make test-long`
/// takes 400 for each.
pub fn seeds(number: u64) -> u64 {
    std::env::var("RADDLE_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(number / 2)
}

pub fn corpus() -> Vec<BooleanProgram> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/boolean");
    boolean_programs(&root).expect("the corpus")
}

/// Every state of every place, reached or not.
pub fn all_states(flow: &Flow) -> impl Iterator<Item = ThreadState> + '_ {
    flow.enumerate().flat_map(move |(procedure, body)| {
        (0..body.nodes.len() as u32).flat_map(move |node| {
            valuations(flow.globals.len() + body.locals.len()).map(move |values| {
                let (globals, locals) = values.split_at(flow.globals.len());
                ThreadState {
                    procedure,
                    node: NodeId(node),
                    globals: globals.to_vec(),
                    locals: locals.to_vec(),
                }
            })
        })
    })
}

/// The state with every local variable false that is not read later.
pub fn without_dead(state: &ThreadState, liveness: &Liveness) -> ThreadState {
    let mut state = state.clone();
    for (value, live) in state.locals.iter_mut().zip(liveness.before(state.procedure, state.node)) {
        *value &= live;
    }
    state
}

/// All valuations of so many variables.
fn valuations(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1usize << count).map(move |number| (0..count).map(|bit| number >> bit & 1 == 1).collect())
}

/// The counterexample is a run of the program and ends in the error that it names.
pub fn replays(flow: &Flow, setting: &Setting, counterexample: &Counterexample) -> Result<(), String> {
    let replayed = replay(flow, setting, &counterexample.initial, &counterexample.steps)
        .map_err(|e| format!("replay: {e}\n{counterexample:?}"))?;
    if replayed.violation.as_ref() == Some(&counterexample.violation) {
        Ok(())
    } else {
        Err(format!("replayed to {:?}, not {:?}", replayed.violation, counterexample.violation))
    }
}
