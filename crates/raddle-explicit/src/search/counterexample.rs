//! From what the workers found to violations with schedules.
//!
//! Of each property, only what was found first (at the least depth) is kept. With a stored state goes the state from
//! which it was reached; the steps between them are found again by expanding the earlier one.

use raddle_machine::drive::{Move, ViolationKind};
use raddle_machine::{CodePoint, Machine, Outcome, RunEnd, Signature, State, ThreadIndex, property_of};
use raddle_trace::Property;

use crate::reduction::sleep_set::Sleep;
use crate::reduction::symmetry::Renaming;
use crate::search::race_completeness::{CreatedInside, UnorderedOperation};
use crate::search::successors::{Finding, Found};
use crate::search::worker::{NO_PARENT, Worker};
use crate::search::{Config, Discovery, Explored};

/// Places of one property that are kept.
const PLACES: usize = 8;

/// Steps to the end of an atomic section that are tried.
const SECTION: usize = 32;

/// What was found so far.
pub struct Gathered {
    asked: Vec<Property>,
    /// By the place in `asked`: closed once a level had some.
    kept: Vec<Vec<(u32, Found)>>,
    closed: Vec<bool>,
    unsupported: Vec<(String, CodePoint)>,
    memory_fault: Option<CodePoint>,
    wide_choices: Vec<(CodePoint, u64)>,
    sampled_choices: Vec<(CodePoint, u64)>,
    unordered: Option<UnorderedOperation>,
    /// The invariants, as the user wrote them, and those without a value somewhere.
    invariants: Vec<String>,
    troubles: Vec<(String, String)>,
    /// Faults before the first visible operation.
    at_start: Vec<Discovery>,
}

impl Gathered {
    pub fn new(config: &Config) -> Gathered {
        Gathered {
            asked: config.properties.clone(),
            kept: vec![Vec::new(); config.properties.len()],
            closed: vec![false; config.properties.len()],
            unsupported: Vec::new(),
            memory_fault: None,
            wide_choices: Vec::new(),
            sampled_choices: Vec::new(),
            unordered: None,
            invariants: Vec::new(),
            troubles: Vec::new(),
            at_start: Vec::new(),
        }
    }

    /// What happened before the first choice.
    pub fn start(&mut self, machine: &Machine, state: &State, outcome: Outcome, inside: CreatedInside) {
        if inside.seen {
            self.unordered = Some(UnorderedOperation::CreatedInAtomicSection);
        }
        self.invariants = machine.settings.invariants.iter().map(|e| e.text.clone()).collect();
        let mut faults = outcome.faults;
        let main = ThreadIndex::MAIN;
        if self.asked.contains(&Property::Leak) && state.process_is_over(main) {
            faults.extend(machine.leaks(state, main));
        }
        for fault in faults {
            let property = property_of(&fault.kind);
            if property == Property::Memsafety {
                self.memory_fault = Some(fault.user);
            }
            if self.asked.contains(&property) {
                let kind = ViolationKind::Fault(fault);
                let signature = Some(Signature::of(machine, &kind));
                self.at_start.push(Discovery {
                    property,
                    signature,
                    schedules: vec![Vec::new()],
                    in_section: false,
                });
            }
        }
        if let Some(RunEnd::Unsupported { reason, user, .. }) = state.end() {
            self.unsupported.push((reason.clone(), *user));
        }
    }

    /// The property that a finding violates; other findings are recorded.
    fn property(&mut self, finding: &Finding) -> Option<Property> {
        match finding {
            Finding::Fault(fault) => return Some(property_of(&fault.kind)),
            Finding::Deadlock(_) => return Some(Property::Deadlock),
            Finding::Race { .. } => return Some(Property::Race),
            Finding::Unsupported { reason, user } => {
                let seen = (reason.clone(), *user);
                if !self.unsupported.contains(&seen) {
                    self.unsupported.push(seen);
                }
            }
            Finding::MemoryFault(user) => {
                self.memory_fault.get_or_insert(*user);
            }
            Finding::WideChoice { user, last } => {
                if !self.wide_choices.contains(&(*user, *last)) {
                    self.wide_choices.push((*user, *last));
                }
            }
            Finding::SampledChoice { user, last } => {
                if !self.sampled_choices.contains(&(*user, *last)) {
                    self.sampled_choices.push((*user, *last));
                }
            }
            Finding::Invariant(broken) => {
                return self.invariants.get(broken.index).cloned().map(Property::Invariant);
            }
            Finding::Valueless { text, why } => {
                if self.troubles.iter().all(|(known, _)| known != text) {
                    self.troubles.push((text.clone(), why.clone()));
                }
            }
            Finding::Unordered(what) => {
                if *what == UnorderedOperation::FalseDeclaration {
                    self.unordered = Some(*what);
                }
                self.unordered.get_or_insert(*what);
            }
        }
        None
    }

    /// For searches that have the path already: the property, if this is its first violation.
    pub fn note(&mut self, found: &Found) -> Option<Property> {
        let property = self.property(&found.finding)?;
        let place = self.asked.iter().position(|p| *p == property)?;
        (!std::mem::replace(&mut self.closed[place], true)).then_some(property)
    }

    pub fn add(&mut self, found: Vec<(u32, Found)>) {
        for (number, one) in found {
            let Some(property) = self.property(&one.finding) else { continue };
            if let Some(place) = self.asked.iter().position(|p| *p == property)
                && !self.closed[place]
                && self.kept[place].len() < PLACES
            {
                self.kept[place].push((number, one));
            }
        }
    }

    /// A level is over: what it found of a property is the nearest.
    pub fn end_level(&mut self) {
        for (closed, kept) in self.closed.iter_mut().zip(&self.kept) {
            *closed |= !kept.is_empty();
        }
    }

    /// Some property is violated.
    pub fn has_found(&self) -> bool {
        self.closed.contains(&true) || !self.at_start.is_empty()
    }

    /// Every property that is checked is violated.
    pub fn is_complete(&self) -> bool {
        let at_start = |p: &Property| self.at_start.iter().any(|d| d.property == *p);
        let all = self.asked.iter().zip(&self.kept).zip(&self.closed);
        all.into_iter().all(|((p, kept), closed)| !kept.is_empty() || *closed || at_start(p))
    }

    /// What is reported beside violations, and violations before the first step.
    pub fn finish(&mut self, explored: &mut Explored) {
        explored.discoveries.append(&mut self.at_start);
        explored.unsupported = std::mem::take(&mut self.unsupported);
        explored.memory_fault = self.memory_fault;
        explored.wide_choices = std::mem::take(&mut self.wide_choices);
        explored.sampled_choices = std::mem::take(&mut self.sampled_choices);
        explored.unordered = self.unordered;
        explored.troubles = std::mem::take(&mut self.troubles);
    }

    /// Makes schedules of what was found.
    pub fn conclude(mut self, worker: &mut Worker, explored: &mut Explored) {
        self.finish(explored);
        for (property, kept) in self.asked.iter().zip(self.kept) {
            for (number, found) in kept {
                let discovery = discovery(worker, property.clone(), number, found);
                let known = |d: &Discovery| d.signature.is_some() && d.signature == discovery.signature;
                if !explored.discoveries.iter().any(known) {
                    explored.discoveries.push(discovery);
                }
            }
        }
    }
}

fn discovery(worker: &mut Worker, property: Property, number: u32, found: Found) -> Discovery {
    let (way, state) = way_to(worker, number);
    way.violation(worker.machine(), property, state, found)
}

/// From a stored state to the state of a finding that concerns a state, not a step.
fn arrive(machine: &Machine, state: &mut State, moves: &[Move], finding: &Finding) {
    if !matches!(finding, Finding::Deadlock(_) | Finding::Invariant(_) | Finding::Race { .. }) {
        return;
    }
    for one in moves {
        if let Some(index) = state.thread_numbered(one.thread) {
            machine.step(state, index, one.choice, &mut ());
        }
    }
}

/// A violation at the end of a path. `state`: where it was found.
fn violation(
    machine: &Machine,
    property: Property,
    path: Vec<Move>,
    state: &State,
    finding: Finding,
) -> Discovery {
    match finding {
        Finding::Fault(fault) => {
            let signature = Some(Signature::of(machine, &ViolationKind::Fault(fault)));
            Discovery { property, signature, schedules: vec![path], in_section: false }
        }
        Finding::Deadlock(deadlock) => {
            // Stored states have their threads in the order of numbers, this one in that of their creation.
            let deadlock = machine.deadlock(&mut state.clone()).unwrap_or(deadlock);
            let signature = Some(Signature::of(machine, &ViolationKind::Deadlock(deadlock)));
            Discovery { property, signature, schedules: vec![path], in_section: false }
        }
        Finding::Invariant(broken) => {
            let signature = Some(Signature::of(machine, &ViolationKind::Invariant(broken)));
            Discovery { property, signature, schedules: vec![path], in_section: false }
        }
        Finding::Race { threads: (a, b), .. } => {
            let in_section = state.atomic_owner().is_some();
            Discovery { property, signature: None, schedules: race_schedules(&path, a, b), in_section }
        }
        other => unreachable!("not a violation: {other:?}"),
    }
}

/// Both accesses, one after the other, in either order. If one thread is blocked by the other's atomic section, its
/// access comes before the section: nothing in the section has touched what it touches, or the race would have been
/// detected there.
fn race_schedules(path: &[Move], a: u32, b: u32) -> Vec<Vec<Move>> {
    let step = |thread| Move { thread, choice: None };
    let mut all = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        let mut side_by_side = path.to_vec();
        side_by_side.extend([step(x), step(y)]);
        all.push(side_by_side);
    }
    for (inside, outside) in [(a, b), (b, a)] {
        // The section is within the last stretch of its owner's steps.
        let stretch = path.iter().rev().take_while(|m| m.thread == inside).count();
        for back in 1..=stretch.min(1000) {
            let mut early = path.to_vec();
            early.insert(path.len() - back, step(outside));
            early.push(step(inside));
            all.push(early);
        }
        // Or after the section: the thread was created in it, or can do what it does only because of it.
        for further in 0..SECTION {
            let mut late = path.to_vec();
            late.extend(std::iter::repeat_n(step(inside), 1 + further));
            late.push(step(outside));
            all.push(late);
        }
    }
    all
}

/// The moves from the start to a state, one stretch after the other.
#[derive(Default)]
pub struct Way {
    moves: Vec<Move>,
    /// Numbers of threads in the state, and those that they have in the moves.
    numbers: Renaming,
    renamed: bool,
}

impl Way {
    /// The number in the moves of a thread of the state.
    fn now(&self, thread: u32) -> u32 {
        self.numbers.iter().find(|(in_state, _)| *in_state == thread).map_or(thread, |(_, now)| *now)
    }

    /// Moves with the thread numbers of the state, and the threads that have other numbers after them.
    pub fn go(&mut self, moves: &[Move], renaming: &Renaming) {
        let named: Vec<Move> = moves.iter().map(|m| Move { thread: self.now(m.thread), ..*m }).collect();
        self.moves.extend(named);
        if !renaming.is_empty() {
            self.renamed = true;
            let fresh: Renaming = renaming.iter().map(|(old, new)| (*new, self.now(*old))).collect();
            self.numbers.retain(|(in_state, _)| fresh.iter().all(|(n, _)| n != in_state));
            self.numbers.extend(fresh);
        }
    }

    /// What was found at its end.
    pub fn violation(
        mut self,
        machine: &Machine,
        property: Property,
        state: State,
        found: Found,
    ) -> Discovery {
        let (mut state, mut finding) = (state, found.finding);
        arrive(machine, &mut state, &found.moves, &finding);
        self.go(&found.moves, &Renaming::new());
        if self.renamed {
            if let Finding::Race { threads, .. } = &mut finding {
                *threads = (self.now(threads.0), self.now(threads.1));
            }
            let deadlock = matches!(finding, Finding::Deadlock(_));
            (self.moves, state) = fitted(machine, &self.moves, deadlock);
            if deadlock && let Some(deadlock) = machine.deadlock(&mut state) {
                finding = Finding::Deadlock(deadlock);
            }
        }
        violation(machine, property, self.moves, &state, finding)
    }
}

/// The moves that are possible, one after the other: when no other thread is enabled, `main` joins threads in an
/// order that depends on their numbers, and ends after a few more or fewer joins.
fn fitted(machine: &Machine, moves: &[Move], to_the_end: bool) -> (Vec<Move>, State) {
    let (mut state, _) = machine.start(&mut ());
    let mut fitted = Vec::new();
    let mut go = |state: &mut State, one: &Move| {
        let Some(index) = state.thread_numbered(one.thread) else { return false };
        let mut trial = state.clone();
        let outcome = machine.step(&mut trial, index, one.choice, &mut ());
        if outcome.blocked.is_none() {
            fitted.push(*one);
            *state = trial;
        }
        outcome.blocked.is_none()
    };
    for one in moves {
        go(&mut state, one);
    }
    let main = Move { thread: state.thread(ThreadIndex::MAIN).number, choice: None };
    for _ in 0..4 * state.thread_count() {
        let joins = state.thread(ThreadIndex::MAIN).is_running() && machine.deadlock(&mut state).is_none();
        if !to_the_end || !joins || !go(&mut state, &main) {
            break;
        }
    }
    (fitted, state)
}

/// The path from the start to a stored state.
fn way_to(worker: &mut Worker, number: u32) -> (Way, State) {
    let mut numbers = vec![number];
    loop {
        let parent = worker.store.tree.roots.note(numbers[numbers.len() - 1]);
        if parent == NO_PARENT {
            break;
        }
        numbers.push(parent);
    }
    numbers.reverse();
    let mut way = Way::default();
    let mut found = Vec::new();
    for pair in numbers.windows(2) {
        // An empty sleep set: no thread is skipped.
        worker.open(pair[0], Sleep::default(), &mut found).expect("it was opened before");
        let goal = worker.store.tree.roots.key(pair[1]);
        let hit = (0..worker.successors.len())
            // What was used of a bound does not change the root.
            .find(|i| worker.reach(*i, 0).is_ok_and(|reached| reached.key == goal));
        let hit = hit.expect("a stored state was reached from its parent");
        way.go(worker.moves(hit), worker.renaming(hit));
    }
    worker.open(number, Sleep::default(), &mut found).expect("it was opened before");
    (way, worker.state())
}
