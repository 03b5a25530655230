//! The reachability tree (Cordeiro and Fischer 2011, section 3.1): a state and its successors.
//!
//! The paper's rules R1 to R6 create a child for each thread that can go on. Ours are the same on another granularity:
//! an edge of the tree executes one node of the unrolling (a visible operation or a section as a whole), and what lies
//! between two nodes is done with the first. So a switch is possible inside a statement that reads and writes, and between
//! a test of shared memory and what follows it, which the paper leaves out. Threads exist after the node that created them
//! (R5), and a join is a section like any other (R6).
//!
//! R3 and R4, tests and assumptions: where the guard of a thread's next node is neither true nor false, the state is split
//! in two, one in which the thread comes to the node and one in which it does not; the path condition has the decisions of
//! all threads. Guards were merged at joins when the threads were unrolled, so branches without visible operations split
//! nothing. Counting of switches needs the split; the merged alternative, `ite(guard, new, old)` in memory, would keep
//! fewer states but larger ones.
//!
//! A thread that stops (a section that would block, a failed assumption, an end of the run) is one that is not scheduled
//! any more: what is judged is judged in every state, and each prefix of an execution is one.
//!
//! The execution of a node depends on the values that it reads, and is remembered by them.

use std::rc::Rc;

use raddle_solver::{Stop, Stopped, Substitution, Term, Terms};
use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::happens_before::HappensBefore;
use super::state::{ABSENT, State};
use super::steps::{Read, Slot, Steps};
use crate::unrolling::*;

/// Something to be judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Indices of the lists of the unrolling.
    Fault(usize),
    Limit(usize),
    RaceLimit(usize),
    Cut(usize),
    Deadlock,
    /// Whether every order of happens-before before it is known.
    Race {
        certain: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Finding {
    pub what: What,
    /// When it happens, given the path condition of the state before.
    pub guard: Term,
}

/// An edge of the tree.
pub struct Successor {
    pub state: State,
    /// The node that was executed; `None`: a guard was decided.
    pub node: Option<Node>,
    /// What is added to the path condition; `FALSE`: the run has ended.
    pub condition: Term,
    pub findings: Vec<Finding>,
}

/// At most so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    pub switches: Option<u64>,
    pub preemptions: Option<u64>,
}

impl Switches {
    pub fn is_bounded(&self) -> bool {
        self.switches.is_some() || self.preemptions.is_some()
    }
}

/// What a node does, given what it reads.
struct Executed {
    values: Vec<(Slot, Term)>,
    /// Location, guard, value.
    writes: Vec<(usize, Term, (Term, Term))>,
    children: Vec<(usize, Term)>,
    points: Vec<Term>,
}

/// What holds at a position.
#[derive(Default)]
struct Checked {
    constraint: Option<Term>,
    findings: Vec<(What, Term)>,
    finished: Option<Term>,
    /// The guard of the next node if the thread does not stop before it.
    next: Option<Term>,
}

type Memo<T> = FxHashMap<(u32, u32, Box<[Term]>), Rc<T>>;

pub struct Tree<'u> {
    pub steps: Steps<'u>,
    pub terms: &'u mut Terms,
    pub bounds: Switches,
    /// Whether races are looked for.
    pub races: bool,
    /// Something was left out because of the bounds.
    pub cut: bool,
    executed: Memo<Executed>,
    checked: Memo<Checked>,
}

impl<'u> Tree<'u> {
    pub fn new(
        unrolling: &'u Unrolling,
        terms: &'u mut Terms,
        races: bool,
        stop: &Stop,
    ) -> Result<Tree<'u>, Stopped> {
        let steps = Steps::new(unrolling, terms, stop)?;
        Ok(Tree {
            steps,
            terms,
            bounds: Switches::default(),
            races,
            cut: false,
            executed: FxHashMap::default(),
            checked: FxHashMap::default(),
        })
    }

    /// About how many bytes are in use.
    pub fn bytes(&self) -> usize {
        self.terms.bytes() + 300 * (self.executed.len() + self.checked.len())
    }

    /// The first state. `None`: no execution exists.
    pub fn first(&mut self) -> Option<Successor> {
        let threads = self.steps.threads.len();
        let races = self.races.then(|| Rc::new(HappensBefore::new(&self.steps)));
        let mut state = State {
            positions: vec![ABSENT; threads],
            pending: vec![Term::FALSE; threads],
            finished: vec![Term::FALSE; threads],
            memory: self.steps.initial.clone(),
            values: self.steps.variables.clone(),
            facts: Facts::default(),
            last: 0,
            switches: 0,
            preemptions: 0,
            yielded: vec![false; threads],
            races,
        };
        state.positions[0] = 0;
        let mut edge = Successor { state, node: None, condition: Term::TRUE, findings: Vec::new() };
        let follows = self.arrive(&mut edge, 0);
        Self::judged(edge, follows)
    }

    /// An edge that leads nowhere is still judged: a fault may have ended the run.
    fn judged(mut edge: Successor, follows: bool) -> Option<Successor> {
        if !follows {
            edge.condition = Term::FALSE;
        }
        (follows || !edge.findings.is_empty()).then_some(edge)
    }

    /// A thread has come to a new position: what holds there is judged, and nodes that it does not come to are passed.
    /// False if there is no such execution.
    fn arrive(&mut self, edge: &mut Successor, thread: usize) -> bool {
        loop {
            let position = edge.state.positions[thread] as usize;
            let checked = self.check(&edge.state, thread, position);
            if let Some(constraint) = checked.constraint
                && !self.assume(edge, constraint)
            {
                return false;
            }
            for (what, guard) in &checked.findings {
                let guard = edge.state.facts.apply(self.terms, *guard);
                if guard == Term::FALSE {
                    continue;
                }
                let full = self.terms.and(edge.condition, guard);
                edge.findings.push(Finding { what: *what, guard: full });
                if let (What::RaceLimit(_), Some(races)) = (what, &mut edge.state.races) {
                    let races = Rc::make_mut(races);
                    races.unknown = self.terms.or(races.unknown, guard);
                }
                // A fault in the user's section that ends the run: nothing follows.
                if let What::Fault(index) = what
                    && self.ends_run(*index)
                {
                    let not = self.terms.not(guard);
                    if !self.assume(edge, not) {
                        return false;
                    }
                }
            }
            if let Some(finished) = checked.finished {
                let finished = edge.state.facts.apply(self.terms, finished);
                let before = edge.state.finished[thread];
                edge.state.finished[thread] = self.terms.or(before, finished);
            }
            edge.state.yielded[thread] |= self.steps.threads[thread].checks[position].yields;
            let Some(next) = checked.next else {
                edge.state.pending[thread] = Term::FALSE;
                return true;
            };
            let next = edge.state.facts.apply(self.terms, next);
            edge.state.pending[thread] = next;
            if next != Term::FALSE {
                return true;
            }
            self.pass(&mut edge.state, thread);
        }
    }

    /// Whether a fault ends the run without a thread that could have stopped before it.
    fn ends_run(&self, index: usize) -> bool {
        let fault = &self.steps.unrolling.faults[index];
        matches!(fault.class, FaultClass::Assertion | FaultClass::Memory) && fault.happens.is_none()
    }

    /// Adds to the path condition of an edge.
    fn assume(&mut self, edge: &mut Successor, condition: Term) -> bool {
        let condition = edge.state.facts.apply(self.terms, condition);
        if condition == Term::FALSE {
            return false;
        }
        edge.condition = self.terms.and(edge.condition, condition);
        edge.condition != Term::FALSE && edge.state.assume(self.terms, condition)
    }

    /// The thread does not come to its next node. What that would have read is of no interest.
    fn pass(&mut self, state: &mut State, thread: usize) {
        let position = state.positions[thread] as usize;
        let node = self.steps.unrolling.threads[thread].nodes[position];
        let step = &self.steps.steps[node.0 as usize];
        if let Some(runs) = step.runs {
            state.values[runs.0 as usize] = Term::FALSE;
        }
        for slot in step.reads.iter().flat_map(|read| [read.bits, read.undefined]).flatten() {
            let width = self.terms.width(self.steps.variables[slot.0 as usize]);
            state.values[slot.0 as usize] = self.terms.constant(width, 0u64);
        }
        state.positions[thread] += 1;
    }

    fn check(&mut self, state: &State, thread: usize, position: usize) -> Rc<Checked> {
        let checks = &self.steps.threads[thread].checks[position];
        let inputs: Box<[Term]> = checks.needs.iter().map(|slot| state.value(*slot)).collect();
        let key = (thread as u32, position as u32, inputs);
        if let Some(known) = self.checked.get(&key) {
            return known.clone();
        }
        let unrolling = self.steps.unrolling;
        let mut replaced = replacements(&self.steps, &checks.needs, &key.2);
        let node = unrolling.threads[thread].nodes.get(position);
        if let Some(runs) = node.and_then(|node| self.steps.steps[node.0 as usize].runs) {
            // Not in the faults before it.
            replaced.insert(self.steps.variables[runs.0 as usize], Term::TRUE);
        }
        let mut out = Checked::default();
        let terms = &mut *self.terms;
        let constraint = terms.all(checks.constraints.iter().copied());
        out.constraint = Some(terms.replace(constraint, &mut replaced)).filter(|c| *c != Term::TRUE);
        let mut list: Vec<(What, Term)> = Vec::new();
        list.extend(checks.faults.iter().map(|i| (What::Fault(*i), unrolling.faults[*i].guard)));
        list.extend(checks.limits.iter().map(|i| (What::Limit(*i), unrolling.unsupported[*i].guard)));
        list.extend(checks.cuts.iter().map(|i| (What::Cut(*i), unrolling.cuts[*i].guard)));
        if self.races {
            let limits = &unrolling.unsupported_for_races;
            list.extend(checks.race_limits.iter().map(|i| (What::RaceLimit(*i), limits[*i].guard)));
        }
        for (what, guard) in list {
            let guard = terms.replace(guard, &mut replaced);
            out.findings.extend((guard != Term::FALSE).then_some((what, guard)));
        }
        let finished = terms.any(checks.finished.iter().copied());
        out.finished = Some(terms.replace(finished, &mut replaced)).filter(|f| *f != Term::FALSE);
        out.next = node.map(|node| terms.replace(unrolling.guards[node.0 as usize], &mut replaced));
        let out = Rc::new(out);
        self.checked.insert(key, out.clone());
        out
    }

    /// The value of a read in a state, given what was read before it.
    pub(super) fn load(
        &mut self,
        memory: &[(Term, Term)],
        read: &Read,
        replaced: &mut Substitution,
    ) -> [Option<(Slot, Term)>; 2] {
        let guard = self.terms.replace(read.guard, replaced);
        let whole = |terms: &mut Terms, slot: Slot, of: fn(&(Term, Term)) -> Term, steps: &Steps| {
            let variable = steps.variables[slot.0 as usize];
            if guard == Term::FALSE {
                let width = terms.width(variable);
                return terms.constant(width, 0u64);
            }
            let parts: Vec<Term> = read.places.iter().map(|place| of(&memory[*place])).collect();
            let joined = parts.into_iter().reduce(|low, high| terms.concat(high, low));
            joined.unwrap_or(variable)
        };
        let bits = read.bits.map(|slot| (slot, whole(self.terms, slot, |m| m.0, &self.steps)));
        let undefined = read.undefined.map(|slot| (slot, whole(self.terms, slot, |m| m.1, &self.steps)));
        for (slot, value) in bits.iter().chain(&undefined) {
            replaced.insert(self.steps.variables[slot.0 as usize], *value);
        }
        [bits, undefined]
    }

    fn execute(&mut self, state: &State, node: Node) -> Rc<Executed> {
        let steps = std::mem::take(&mut self.steps.steps);
        let step = &steps[node.0 as usize];
        let mut inputs: Vec<Term> = step.needs.iter().map(|slot| state.value(*slot)).collect();
        inputs.extend(step.read_places.iter().flat_map(|place| {
            let (bits, undefined) = state.memory[*place];
            [bits, undefined]
        }));
        let key = (node.0, 0, inputs.into_boxed_slice());
        let known = self.executed.get(&key).cloned();
        let result = known.unwrap_or_else(|| {
            let mut replaced = replacements(&self.steps, &step.needs, &key.2[..step.needs.len()]);
            let mut values = Vec::new();
            if let Some(runs) = step.runs {
                replaced.insert(self.steps.variables[runs.0 as usize], Term::TRUE);
                values.push((runs, Term::TRUE));
            }
            for read in &step.reads {
                values.extend(self.load(&state.memory, read, &mut replaced).into_iter().flatten());
            }
            let mut writes = Vec::new();
            for write in &step.writes {
                let guard = self.terms.replace(write.guard, &mut replaced);
                if guard == Term::FALSE {
                    continue;
                }
                for (place, part) in &write.parts {
                    let value = match part {
                        Some((bits, undefined)) => {
                            let bits = self.terms.replace(*bits, &mut replaced);
                            (bits, self.terms.replace(*undefined, &mut replaced))
                        }
                        None => {
                            let width = self.terms.width(self.steps.initial[*place].0);
                            (self.terms.variable(width), self.terms.variable(width))
                        }
                    };
                    writes.push((*place, guard, value));
                }
            }
            let mut children = Vec::new();
            for (child, exists) in &step.children {
                let exists = self.terms.replace(*exists, &mut replaced);
                children.push((*child, exists));
            }
            let points = match self.races {
                true => {
                    let all = &self.steps.unrolling.threads[step.thread].points;
                    step.points.iter().map(|p| self.terms.replace(all[*p].guard, &mut replaced)).collect()
                }
                false => Vec::new(),
            };
            let executed = Rc::new(Executed { values, writes, children, points });
            self.executed.insert(key, executed.clone());
            executed
        });
        self.steps.steps = steps;
        result
    }

    /// The thread executes its next node, which it comes to. `None`: the node blocks.
    fn step(&mut self, state: &State, thread: usize) -> Option<Successor> {
        let node = self.steps.unrolling.threads[thread].nodes[state.positions[thread] as usize];
        let executed = self.execute(state, node);
        let mut edge =
            Successor { state: state.clone(), node: Some(node), condition: Term::TRUE, findings: Vec::new() };
        let next = &mut edge.state;
        let facts = state.facts.clone();
        for (slot, value) in &executed.values {
            next.values[slot.0 as usize] = facts.apply(self.terms, *value);
        }
        next.positions[thread] += 1;
        next.yielded[thread] = false;
        for (place, guard, (bits, undefined)) in &executed.writes {
            let guard = facts.apply(self.terms, *guard);
            let old = state.memory[*place];
            let (bits, undefined) = (facts.apply(self.terms, *bits), facts.apply(self.terms, *undefined));
            // Several writes of one node to one location exclude each other, or write the same (a frame that ends on two paths).
            let now = next.memory[*place];
            debug_assert!(
                now == old || guard != Term::TRUE || now == (bits, undefined),
                "exclusive ends of one section"
            );
            next.memory[*place] =
                (self.terms.ite(guard, bits, now.0), self.terms.ite(guard, undefined, now.1));
        }
        let mut race = Term::FALSE;
        if let Some(races) = &state.races {
            let points: Vec<Term> = executed.points.iter().map(|g| facts.apply(self.terms, *g)).collect();
            let mut races = (**races).clone();
            race = races.execute(&self.steps, self.terms, node, &points);
            edge.state.races = Some(Rc::new(races));
        }
        let follows = self.arrive(&mut edge, thread);
        if let Some(races) = edge.state.races.as_ref().filter(|_| race != Term::FALSE) {
            let doubtful = self.terms.and(race, races.unknown);
            let certain = self.terms.not(races.unknown);
            let certain = self.terms.and(race, certain);
            edge.findings.push(Finding { what: What::Race { certain: true }, guard: certain });
            edge.findings.push(Finding { what: What::Race { certain: false }, guard: doubtful });
        }
        if !follows {
            return Self::judged(edge, false);
        }
        for (child, exists) in &executed.children {
            let exists = edge.state.facts.apply(self.terms, *exists);
            if exists != Term::FALSE {
                edge.state.positions[*child] = 0;
                if !self.arrive(&mut edge, *child) {
                    return Self::judged(edge, false);
                }
            }
        }
        if let Some(races) = &mut edge.state.races {
            Rc::make_mut(races).forget(&self.steps, &edge.state.positions);
        }
        Some(edge)
    }

    /// The state with the guard of a thread's next node decided.
    fn decided(&mut self, state: &State, thread: usize, comes: bool) -> Option<Successor> {
        let guard = state.pending[thread];
        let condition = if comes { guard } else { self.terms.not(guard) };
        let mut edge =
            Successor { state: state.clone(), node: None, condition: Term::TRUE, findings: Vec::new() };
        if !self.assume(&mut edge, condition) {
            return None;
        }
        if comes {
            edge.state.pending[thread] = Term::TRUE;
            return Some(edge);
        }
        self.pass(&mut edge.state, thread);
        let follows = self.arrive(&mut edge, thread);
        Self::judged(edge, follows)
    }

    /// The successors of a state, the thread that ran last first; and whether a thread is blocked, or waits for a signal.
    pub fn successors(&mut self, state: &State) -> (Vec<Successor>, bool) {
        let threads: Vec<usize> = (0..state.positions.len()).filter(|t| state.exists(*t)).collect();
        // Guards that other decisions have made constant.
        if let Some(t) = threads.iter().find(|t| {
            state.pending[**t] == Term::FALSE
                && (state.positions[**t] as usize) < self.steps.unrolling.threads[**t].nodes.len()
        }) {
            return (self.decided(state, *t, false).into_iter().collect(), false);
        }
        if let Some(t) = threads.iter().find(|t| state.pending[**t].as_boolean().is_none()) {
            let both = [true, false].into_iter().filter_map(|comes| self.decided(state, *t, comes));
            return (both.collect(), false);
        }
        let mut waits = false;
        let mut ready: Vec<(usize, Successor)> = Vec::new();
        let order = threads.iter().filter(|t| **t == state.last as usize);
        let order = order.chain(threads.iter().filter(|t| **t != state.last as usize));
        for t in order.filter(|t| state.pending[**t] == Term::TRUE) {
            let node = self.steps.unrolling.threads[*t].nodes[state.positions[*t] as usize];
            let step = &self.steps.steps[node.0 as usize];
            waits |= step.pauses;
            let (may_block, pauses) = (step.runs.is_some(), step.pauses);
            let alone = !self.bounds.is_bounded() && self.is_alone(state, *t, node);
            match self.step(state, *t) {
                Some(edge) => {
                    waits |= may_block && edge.condition != Term::TRUE;
                    if alone && edge.condition == Term::TRUE && !pauses {
                        return (vec![edge], false);
                    }
                    ready.push((*t, edge));
                }
                None => waits = true,
            }
        }
        if !self.bounds.is_bounded() {
            return (ready.into_iter().map(|(_, edge)| edge).collect(), waits);
        }
        let last = state.last as usize;
        let goes_on = ready.iter().any(|(t, edge)| {
            let pauses = edge.node.is_some_and(|node| self.steps.steps[node.0 as usize].pauses);
            // With the rounds that were left out, it may have yielded.
            let waits = pauses || state.yielded[last] || self.steps.unrolling.threads[last].awaits;
            *t == last && edge.condition == Term::TRUE && !waits
        });
        let mut out = Vec::new();
        for (t, mut edge) in ready {
            if t != last {
                edge.state.switches += 1;
                edge.state.preemptions += goes_on as u64;
            }
            edge.state.last = t as u32;
            let over = |used: u64, most: Option<u64>| most.is_some_and(|most| used > most);
            if over(edge.state.switches, self.bounds.switches)
                || over(edge.state.preemptions, self.bounds.preemptions)
            {
                self.cut = true;
            } else {
                out.push(edge);
            }
        }
        (out, waits)
    }

    /// Whether no other thread accesses, from now on, what a node accesses: then it may come first (a persistent set of
    /// one thread, Godefroid 1996). What is judged in states after it is stable or its own thread's.
    fn is_alone(&self, state: &State, thread: usize, node: Node) -> bool {
        let step = &self.steps.steps[node.0 as usize];
        let others = (0..state.positions.len()).filter(|u| *u != thread && state.exists(*u));
        let conflicts = |u: usize, place: &usize, writes: bool| {
            self.steps.conflicts(u, state.positions[u] as usize, *place, writes)
        };
        let mut others = others;
        !others.any(|u| {
            step.read_places.iter().any(|place| conflicts(u, place, false))
                || step.written_places.iter().any(|place| conflicts(u, place, true))
                || state
                    .races
                    .as_ref()
                    .is_some_and(|races| races.orders(&self.steps, node, u, state.positions[u]))
        })
    }
}

pub(super) fn replacements(steps: &Steps, slots: &[Slot], values: &[Term]) -> Substitution {
    let mut out = Substitution::new();
    for (slot, value) in slots.iter().zip(values) {
        out.insert(steps.variables[slot.0 as usize], *value);
    }
    out
}
