//! Infinite runs: a schedule whose last part repeats for ever, executed again and judged without the engine that found
//! it.
//!
//! [`confirm_lasso`] runs the schedule on the machine and checks all that makes it a counterexample: after the
//! repeated part the state is the one before it, in the canonical form in which engines store states; every thread
//! that stays enabled in that part steps in it; and the formula is false on the word of valuations, by the definition
//! of the logic. A run that has ended repeats its last state, and must have no pending fairness obligation.

use std::collections::{BTreeMap, HashMap};

use raddle_analysis::Liveness;
use raddle_ir::{FunctionId, Register};
use raddle_ltl::{Formula, holds_on_word};
use raddle_machine::components::{Components, Composer, Dictionary};
use raddle_machine::drive::Move;
use raddle_machine::{
    ChoiceKind, CodePoint, EncodeOptions, Escape, Expression, Machine, Readiness, RunEnd, Scene, State,
    Status, ThreadIndex, Watch, user_point,
};
use raddle_trace::{Cycle, Fault, FaultDetails, ProgramIdentity, Property, Trace, tool_version};

use crate::follow::{to_script, trace_id};
use crate::record::record;
use crate::wording;

/// What a run is said to show.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// It breaks this formula; without one, it never ends.
    pub formula: Option<&'a Formula>,
    /// The formula's propositions, in its order.
    pub propositions: &'a [Expression],
    /// Fairness: every thread that stays enabled steps.
    pub fairness: bool,
    /// Without a formula: what repeats has no mark of progress.
    pub progress: bool,
}

/// The run as a word: the propositions that hold in each observed state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub stem: Vec<u64>,
    pub cycle: Vec<u64>,
    /// The run has ended: its last state repeats.
    pub ended: bool,
}

/// Executes a run and checks that it shows what is claimed; `Err` says what it does not.
pub fn confirm_lasso(
    machine: &Machine,
    moves: &[Move],
    cycle: usize,
    claim: &Claim,
) -> Result<Shown, String> {
    if claim.propositions.len() > u64::BITS as usize {
        return Err("more than 64 propositions".into());
    }
    let live = Live(Liveness::new(machine.program.clone()));
    let ended = cycle >= moves.len();
    let (mut state, _) = machine.start(&mut ());
    let mut letters = Vec::new();
    let mut cycle_letter = None;
    let mut marks = Marks::default();
    let mut fair = Fairness::default();
    let mut dictionary = Numbers::default();
    let mut before = Vec::new();
    for at in 0..=moves.len() {
        let observed = at == 0 || is_observed(machine, &mut state);
        if !observed && (at == cycle || at == moves.len()) {
            return Err(format!("position {at} lies inside an atomic section"));
        }
        if at == cycle {
            cycle_letter = Some(letters.len());
            before = canonical(machine, &state, &live, &mut dictionary);
            marks.0 = false;
        }
        if at == moves.len() && !ended {
            break;
        }
        if observed {
            letters.push(valuation(machine, &state, claim)?);
            if at >= cycle {
                fair.look(machine, &mut state);
            }
        }
        let Some(one) = moves.get(at) else { break };
        if at >= cycle {
            fair.answered(machine, &state, one);
        }
        perform(machine, &mut state, one, &mut marks).map_err(|why| format!("at move {at}: {why}"))?;
        if at >= cycle {
            fair.stepped(one.thread);
        }
    }
    if state.threads().any(|(_, t)| t.status == Status::Assumed)
        || !matches!(state.end(), None | Some(RunEnd::Assertion))
    {
        return Err("the run cannot be followed to its end".into());
    }
    let Some(cycle_letter) = cycle_letter else {
        return Err("the cycle begins after the end of the schedule".into());
    };
    if ended {
        if !may_end(machine, &mut state) {
            return Err("a thread can still step where the run is said to end".into());
        }
    } else {
        if canonical(machine, &state, &live, &mut dictionary) != before {
            return Err("the state after the cycle is not the one before it".into());
        }
        if let (true, Some(thread)) = (claim.fairness, fair.forgotten(&state)) {
            return Err(format!("thread T{} stays enabled and never steps", trace_id(thread)));
        }
        if let (true, Some(thread)) = (claim.fairness, fair.always_spurious()) {
            let id = trace_id(thread);
            return Err(format!("a weak compare-exchange of thread T{id} fails spuriously forever"));
        }
    }
    let cycle = letters.split_off(cycle_letter);
    match claim.formula {
        Some(formula) if holds_on_word(formula, &letters, &cycle) => {
            return Err("the formula holds on this run".into());
        }
        Some(_) => {}
        None if ended => return Err("the run ends".into()),
        None if claim.progress && marks.0 => {
            return Err("the cycle contains raddle_progress()".into());
        }
        None => {}
    }
    Ok(Shown { stem: letters, cycle, ended })
}

/// Listens for marks of progress.
#[derive(Default)]
struct Marks(bool);

impl Watch for Marks {
    fn progress(&mut self, _: &Scene) {
        self.0 = true;
    }
}

fn perform(machine: &Machine, state: &mut State, one: &Move, marks: &mut Marks) -> Result<(), String> {
    if state.end().is_some() || state.threads().any(|(_, t)| matches!(t.status, Status::Stopped { .. })) {
        return Err("the process has ended".into());
    }
    let id = trace_id(one.thread);
    let thread = state.thread_numbered(one.thread).ok_or_else(|| format!("thread T{id} does not exist"))?;
    if state.thread(thread).status == Status::Diverged {
        return Ok(());
    }
    if !machine.readiness(state, thread).can_step() {
        return Err(format!("thread T{id} cannot step"));
    }
    let request = state.thread(thread).pending;
    match (request, one.choice) {
        (None, None) => {}
        (Some(request), Some(choice)) if choice <= request.last => {}
        _ => return Err(format!("thread T{id} waits for another choice")),
    }
    machine.step(state, thread, one.choice, marks);
    Ok(())
}

/// A step that the thread will take some time, if nothing disables it.
fn is_owed(machine: &Machine, state: &mut State, thread: ThreadIndex) -> bool {
    matches!(machine.readiness(state, thread), Readiness::Enabled | Readiness::Escape(Escape::Timeout, _))
}

/// Outside sections; or inside one whose thread does not go on.
fn is_observed(machine: &Machine, state: &mut State) -> bool {
    match state.in_section().or(state.atomic_owner()) {
        _ if state.end().is_some() => true,
        None => true,
        Some(owner) => !state.thread(owner).is_running() || !is_owed(machine, state, owner),
    }
}

fn may_end(machine: &Machine, state: &mut State) -> bool {
    if state.end().is_some() || state.threads().any(|(_, t)| matches!(t.status, Status::Stopped { .. })) {
        return true;
    }
    (0..state.thread_count())
        .map(|i| ThreadIndex(i as u32))
        .all(|thread| state.thread(thread).status != Status::Diverged && !is_owed(machine, state, thread))
}

fn valuation(machine: &Machine, state: &State, claim: &Claim) -> Result<u64, String> {
    let mut letter = 0;
    for (bit, expression) in claim.propositions.iter().enumerate() {
        let value = machine.evaluate(state, expression);
        let value = value.map_err(|why| format!("`{}` has no value: {why}", expression.text))?;
        letter |= (value.holds as u64) << bit;
    }
    Ok(letter)
}

/// Threads without a fairness obligation in some state of the repeated part, or with a step in it.
#[derive(Default)]
struct Fairness {
    satisfied: Vec<u32>,
    /// Weak compare-exchanges (thread and place) that failed spuriously, and those that did not.
    failed: Vec<(u32, CodePoint)>,
    compared: Vec<(u32, CodePoint)>,
}

impl Fairness {
    fn look(&mut self, machine: &Machine, state: &mut State) {
        for index in 0..state.thread_count() {
            let thread = ThreadIndex(index as u32);
            if !is_owed(machine, state, thread) {
                let number = state.thread(thread).number;
                self.stepped(number);
            }
        }
    }

    fn stepped(&mut self, number: u32) {
        if !self.satisfied.contains(&number) {
            self.satisfied.push(number);
        }
    }

    /// The answer to whether a weak compare-exchange fails spuriously.
    fn answered(&mut self, machine: &Machine, state: &State, one: &Move) {
        let Some(thread) = state.thread_numbered(one.thread).map(|index| state.thread(index)) else { return };
        let weak = thread.pending.is_some_and(|request| request.kind == ChoiceKind::SpuriousFailure);
        // Inside a section it lies between two observed states, and is not judged.
        if weak && state.atomic_owner().is_none() {
            let exchange = (one.thread, user_point(machine, thread));
            if one.choice == Some(1) { &mut self.failed } else { &mut self.compared }.push(exchange);
        }
    }

    /// The thread of an exchange that is retried and only fails.
    fn always_spurious(&self) -> Option<u32> {
        self.failed.iter().find(|exchange| !self.compared.contains(exchange)).map(|(thread, _)| *thread)
    }

    fn forgotten(&self, state: &State) -> Option<u32> {
        state.threads().map(|(_, t)| t.number).find(|number| !self.satisfied.contains(number))
    }
}

struct Live(Liveness);

impl raddle_machine::Liveness for Live {
    fn is_live(&self, function: FunctionId, pc: u32, called: bool, register: Register) -> bool {
        self.0.is_live(function, pc, called, register)
    }
}

#[derive(Default)]
struct Numbers {
    numbers: HashMap<Vec<u8>, u32>,
    all: Vec<Vec<u8>>,
}

impl Dictionary for &mut Numbers {
    fn number(&mut self, bytes: &[u8]) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(bytes.to_vec()).or_insert(next);
        if number == next {
            self.all.push(bytes.to_vec());
        }
        number
    }
    fn read(&mut self, number: u32, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.all[number as usize]);
    }
}

fn canonical(machine: &Machine, state: &State, live: &Live, numbers: &mut Numbers) -> Vec<u32> {
    let rename = !state.memory().exposed;
    let options = EncodeOptions { rename, yielded: false, leaks: false, dead_registers: Some(live) };
    let mut vector = vec![rename as u32];
    Composer::new(machine, options, numbers).compose(state, None, &mut vector, &mut Components::default());
    vector
}

/// Narrates a run that was confirmed. `None` if it cannot be followed.
pub fn narrate_lasso(
    machine: &Machine,
    moves: &[Move],
    cycle: usize,
    (property, claim, shown): (&Property, &Claim, &Shown),
    program: ProgramIdentity,
    settings: BTreeMap<String, String>,
) -> Option<Trace> {
    let recorded = record(machine, moves);
    if recorded.lost.is_some() {
        return None;
    }
    let first = *recorded.steps_before.get(cycle)?;
    let step = recorded.steps.get(first).filter(|_| !shown.ended).map(|step| step.index);
    let (code, message) = match (property, claim.formula) {
        (Property::Ltl(text), Some(formula)) => {
            ("ltl", format!("this run violates `{text}`{}", truths(formula, shown)))
        }
        _ if claim.progress => ("livelock", "livelock: the run makes no progress".to_string()),
        _ => ("non-termination", "non-terminating run".to_string()),
    };
    // A thread that loops without a step is somewhere, too.
    let quiet = moves.get(cycle).filter(|_| step.is_none()).and_then(|one| {
        let thread = recorded.state.thread(recorded.state.thread_numbered(one.thread)?);
        wording::place(&machine.program, raddle_machine::user_point(machine, thread))
    });
    let told = step.and_then(|_| recorded.steps.get(first)).or(recorded.steps.last());
    let fault = Fault {
        code: code.into(),
        message,
        place: quiet.or(told.and_then(|step| step.place.clone())),
        thread: None,
        stack: Vec::new(),
        details: FaultDetails::None,
    };
    Some(Trace {
        tool_version: tool_version().to_string(),
        program,
        property: property.clone(),
        fault,
        why: Vec::new(),
        threads: recorded.threads,
        steps: recorded.steps,
        script: to_script(moves, settings),
        cycle: Some(Cycle { script: cycle as u64, step }),
        sources: BTreeMap::new(),
    })
}

/// The values of the propositions in the cycle.
fn truths(formula: &Formula, shown: &Shown) -> String {
    let words: Vec<String> = (formula.propositions().iter().enumerate())
        .map(|(bit, name)| {
            let times = shown.cycle.iter().filter(|letter| **letter >> bit & 1 == 1).count();
            let word = match (times, shown.ended) {
                (0, true) => "is false",
                (_, true) => "is true",
                (0, false) => "is never true",
                (n, false) if n == shown.cycle.len() => "is always true",
                _ => "changes",
            };
            format!("{name} {word}")
        })
        .collect();
    let when = if shown.ended { "in the last state" } else { "in the cycle" };
    if words.is_empty() { String::new() } else { format!(": {when}, {}", words.join(", ")) }
}
