//! The successors of a state, and what is wrong in it.
//!
//! Every thread that can step gives a successor, one for each answer if it waits for a choice. With supersteps a
//! successor lies several steps of one thread further.
//!
//! # Supersteps
//!
//! Zaks and Joshi, *Verifying Multi-threaded C Programs with SPIN* (SPIN 2008), section 4. From a state, each thread *i*
//! runs a sequence of steps, its superstep, such that a step of one superstep and a step of another depend on each
//! other only if each is the last of its own. Why nothing is lost: take any run, and the first thread whose superstep it
//! completes. All that the others did until then are steps of their supersteps but not last ones, so they are
//! independent of it, and the completed superstep can be moved to the front; then the same again from where it leads.
//! Every thread's superstep is followed, so no thread is ignored, and cycles need no proviso. Steps that write what an
//! invariant reads are always last, so the order of such steps is kept.
//!
//! Two things are added to the paper's figures, without which runs are lost: the pending operation of a *blocked* thread
//! is in its table (who enables it must stop there), and creation of a thread, its end, the process's end and a choice
//! end a superstep. And one is mended: figure 7 answers `POST_STOP` for the first table that has a conflict; a table
//! further on may ask for `PRE_STOP`, so all are looked at.
//!
//! # Races, by state
//!
//! Two threads race when they stand before conflicting accesses that are not both atomic. Between supersteps this is
//! asked of every pair of steps of different supersteps: what comes before them in their supersteps is independent, so
//! a state where both are pending can be reached.

use crate::unordered::Unordered;
use raddle_machine::drive::Move;
use raddle_machine::{
    Blocked, Deadlock, Effects, Fault, Footprint, Machine, Outcome, Readiness, RunEnd, State, Status,
    ThreadIndex, Touch, WaitKind, deadlock_of,
};

/// How far the successors of a state lie, and what is looked for on the way.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Steps of one superstep at most; 1 switches at every visible operation.
    pub superstep: u32,
    pub races: bool,
    pub deadlocks: bool,
    pub leaks: bool,
    /// Answers to one choice that are followed.
    pub choices: u64,
}

/// One way on from a state.
pub struct Successor {
    pub state: State,
    /// The steps that lead there, all of one thread.
    pub moves: Vec<Move>,
}

/// What was found at a state.
#[derive(Clone, Debug)]
pub enum Finding {
    Fault(Fault),
    Deadlock(Deadlock),
    /// Two threads, by number, are both about to touch the same bytes.
    Race {
        threads: (u32, u32),
        touches: (Touch, Touch),
    },
    Unsupported {
        reason: String,
        user: raddle_machine::CodePoint,
    },
    MemoryFault(raddle_machine::CodePoint),
    /// A choice with too many answers, at this place of the user's code.
    WideChoice {
        user: raddle_machine::CodePoint,
        last: u64,
    },
    /// The outcome of an operation told about another thread without ordering the two.
    Unordered(&'static str),
}

/// A finding, and the steps from the state to it.
#[derive(Clone, Debug)]
pub struct Found {
    pub finding: Finding,
    pub moves: Vec<Move>,
}

/// The first step of a thread with one answer, or nothing when it is disabled.
struct First {
    choice: Option<u64>,
    state: State,
    footprint: Footprint,
}

/// What is known of a thread at a state.
struct Stand {
    number: u32,
    readiness: Readiness,
    firsts: Vec<First>,
    /// The steps of its superstep so far known; at first the first steps, whatever the answer.
    table: Vec<Footprint>,
    /// The moves of the steps in the table.
    moves: Vec<Move>,
    /// Its steps may not be taken together: the table holds alternatives.
    single: bool,
}

pub struct Expander<'a> {
    pub machine: &'a Machine,
    pub rules: Rules,
    pub unordered: Unordered,
    /// Steps of the machine.
    pub steps: u64,
}

impl Expander<'_> {
    /// Gives the successors of a state that has not ended, in the order of the threads' numbers, and what was found.
    pub fn expand(&mut self, state: &mut State, successors: &mut Vec<Successor>, found: &mut Vec<Found>) {
        if state.end().is_some() {
            return;
        }
        let mut stands = self.stands(state, found);
        self.judge_deadlock(state, &stands, found);
        if self.rules.races {
            self.judge_races(&stands, found);
        }
        for index in 0..stands.len() {
            let firsts = std::mem::take(&mut stands[index].firsts);
            let single = stands[index].single;
            for first in firsts {
                let moves = vec![Move { thread: stands[index].number, choice: first.choice }];
                let mut successor = Successor { state: first.state, moves };
                if self.rules.superstep > 1 {
                    self.go_on(&mut successor, index, first.footprint, single, &mut stands, found);
                }
                self.judge_leaks(&successor, index, found);
                successors.push(successor);
            }
        }
    }

    /// Executes the first step of every thread.
    fn stands(&mut self, state: &mut State, found: &mut Vec<Found>) -> Vec<Stand> {
        let mut stands = Vec::with_capacity(state.thread_count());
        for i in 0..state.thread_count() {
            let index = ThreadIndex(i as u32);
            stands.push(self.stand(state, index, found));
        }
        stands
    }

    fn stand(&mut self, state: &mut State, index: ThreadIndex, found: &mut Vec<Found>) -> Stand {
        let thread = state.thread(index);
        let number = thread.number;
        let mut stand = Stand {
            number,
            readiness: Readiness::Enabled,
            firsts: Vec::new(),
            table: Vec::new(),
            moves: Vec::new(),
            single: false,
        };
        if thread.status != Status::Running {
            stand.readiness = Readiness::Gone(thread.status);
            return stand;
        }
        let excluded = state.in_section().or(state.atomic_owner()).filter(|owner| *owner != index);
        if let Some(owner) = excluded {
            stand.readiness = if state.in_section().is_some() {
                Readiness::Excluded(owner)
            } else {
                let owners = vec![owner];
                Readiness::Blocked(Blocked { kind: WaitKind::AtomicSection, object: 0, owners })
            };
            // It counts with its pending access, unless it waits for a choice.
            if self.rules.races && state.in_section().is_none() && thread.pending.is_none() {
                stand.table.push(self.machine.footprint(state, index, None));
            }
            return stand;
        }
        let answers: Vec<Option<u64>> = match thread.pending {
            None => vec![None],
            Some(request) if request.last < self.rules.choices => (0..=request.last).map(Some).collect(),
            Some(request) => {
                let user = raddle_machine::user_point(self.machine, thread);
                let finding = Finding::WideChoice { user, last: request.last };
                found.push(Found { finding, moves: Vec::new() });
                Vec::new()
            }
        };
        stand.single = answers.len() != 1 || answers[0].is_some();
        for choice in answers {
            let mut after = state.clone();
            let mut footprint = Footprint::default();
            let outcome = self.step(&mut after, index, choice, &mut footprint);
            if let Some(blocked) = outcome.blocked {
                stand.readiness = Readiness::Blocked(blocked);
                stand.table.push(footprint);
                stand.moves.push(Move { thread: number, choice });
                return stand;
            }
            if outcome.escaped {
                stand.readiness = self.machine.readiness(state, index);
                stand.single = true;
            }
            let one = Move { thread: number, choice };
            self.report(&after, outcome, &[one], found);
            stand.moves.push(one);
            stand.table.push(footprint.clone());
            stand.firsts.push(First { choice, state: after, footprint });
        }
        stand
    }

    fn step(
        &mut self,
        state: &mut State,
        index: ThreadIndex,
        choice: Option<u64>,
        footprint: &mut Footprint,
    ) -> Outcome {
        self.steps += 1;
        let outcome = self.machine.step(state, index, choice, &mut (&mut *footprint, &mut self.unordered));
        if outcome.blocked.is_some() {
            footprint.effects.add(Effects::BLOCKED);
        }
        if state.end().is_some() {
            footprint.effects.add(Effects::RUN_END);
        }
        outcome
    }

    /// What a step showed.
    fn report(&mut self, after: &State, outcome: Outcome, moves: &[Move], found: &mut Vec<Found>) {
        let mut add = |finding| found.push(Found { finding, moves: moves.to_vec() });
        for fault in outcome.faults {
            if matches!(fault.kind, raddle_machine::FaultKind::Memory(_)) {
                add(Finding::MemoryFault(fault.user));
            }
            add(Finding::Fault(fault));
        }
        if let Some(RunEnd::Unsupported { reason, user, .. }) = after.end() {
            add(Finding::Unsupported { reason: reason.clone(), user: *user });
        }
        if let Some(what) = self.unordered.take_new() {
            add(Finding::Unordered(what));
        }
    }

    fn judge_deadlock(&self, state: &State, stands: &[Stand], found: &mut Vec<Found>) {
        let waits = |s: &Stand| matches!(s.readiness, Readiness::Blocked(_) | Readiness::Escape(..));
        if !self.rules.deadlocks || state.in_section().is_some() || !stands.iter().any(waits) {
            return;
        }
        let readiness: Vec<Readiness> = stands.iter().map(|s| s.readiness.clone()).collect();
        if let Some(deadlock) = deadlock_of(state, &readiness) {
            found.push(Found { finding: Finding::Deadlock(deadlock), moves: Vec::new() });
        }
    }

    fn judge_leaks(&self, successor: &Successor, index: usize, found: &mut Vec<Found>) {
        let index = ThreadIndex(index as u32);
        if self.rules.leaks {
            let stopped = matches!(successor.state.thread(index).status, Status::Stopped { .. });
            let all_finished = successor.state.threads().all(|(_, t)| t.status == Status::Finished);
            if stopped || all_finished {
                for fault in self.machine.leaks(&successor.state, index) {
                    found.push(Found { finding: Finding::Fault(fault), moves: successor.moves.clone() });
                }
            }
        }
    }

    /// Races between first steps.
    fn judge_races(&self, stands: &[Stand], found: &mut Vec<Found>) {
        for (i, a) in stands.iter().enumerate() {
            for b in &stands[i + 1..] {
                for left in &a.table {
                    for right in &b.table {
                        if let Some(touches) = race_between(left, right) {
                            let finding = Finding::Race { threads: (a.number, b.number), touches };
                            found.push(Found { finding, moves: Vec::new() });
                        }
                    }
                }
            }
        }
    }

    /// Runs a superstep on from its first step.
    fn go_on(
        &mut self,
        successor: &mut Successor,
        index: usize,
        first: Footprint,
        single: bool,
        stands: &mut [Stand],
        found: &mut Vec<Found>,
    ) {
        if single || ends(&first) {
            return;
        }
        let thread = ThreadIndex(index as u32);
        let number = stands[index].number;
        // The first step was in every other table's view from the beginning.
        if self.conflict(stands, index, &first, None, found) != Conflict::None {
            return;
        }
        let mut last = first;
        for _ in 1..self.rules.superstep {
            let inside = successor.state.atomic_owner() == Some(thread);
            if successor.state.thread(thread).pending.is_some()
                || !inside && ends(&last)
                || successor.state.end().is_some()
                || !successor.state.thread(thread).is_running()
            {
                return;
            }
            let mut next = successor.state.clone();
            let mut footprint = Footprint::default();
            let outcome = self.step(&mut next, thread, None, &mut footprint);
            let step = Move { thread: number, choice: None };
            if outcome.blocked.is_some() || outcome.escaped {
                return;
            }
            let mut moves = successor.moves.clone();
            moves.push(step);
            // Inside an atomic section the others wait, so nothing needs to stop; but it may race with what they are at.
            let conflict = self.conflict(stands, index, &footprint, Some(&successor.moves), found);
            let conflict = if inside { Conflict::None } else { conflict };
            if conflict == Conflict::Before {
                return;
            }
            if !inside && footprint.effects.has(Effects::ATOMIC_BEGIN) {
                return;
            }
            self.report(&next, outcome, &moves, found);
            stands[index].table.push(footprint.clone());
            stands[index].moves.push(step);
            successor.moves = moves;
            successor.state = next;
            last = footprint;
            if conflict == Conflict::After {
                return;
            }
        }
    }

    /// How a step of a superstep stands to the supersteps of the other threads, as far as they are known. `moves`: the
    /// steps before it, when it is not the first.
    fn conflict(
        &self,
        stands: &[Stand],
        index: usize,
        step: &Footprint,
        moves: Option<&[Move]>,
        found: &mut Vec<Found>,
    ) -> Conflict {
        let own = &stands[index];
        let mut result = Conflict::None;
        for (k, other) in stands.iter().enumerate() {
            if k == index {
                continue;
            }
            for (position, theirs) in other.table.iter().enumerate() {
                if !step.depends(own.number, theirs, other.number) {
                    continue;
                }
                if self.rules.races
                    && let (Some(before), Some(touches)) = (moves, race_between(step, theirs))
                {
                    let mut path = before.to_vec();
                    path.extend(if other.single { &[][..] } else { &other.moves[..position] });
                    let finding = Finding::Race { threads: (own.number, other.number), touches };
                    found.push(Found { finding, moves: path });
                }
                // Alternatives are all last.
                if other.single || position + 1 == other.table.len() {
                    result = result.max(Conflict::After);
                } else {
                    result = Conflict::Before;
                }
            }
        }
        result
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Conflict {
    None,
    /// The superstep ends with the step.
    After,
    /// The superstep ends before it.
    Before,
}

/// Steps after which a superstep is over, whatever the others do.
fn ends(step: &Footprint) -> bool {
    let over = Effects::SPAWN.0
        | Effects::THREAD_END.0
        | Effects::PROCESS_EXIT.0
        | Effects::ESCAPE.0
        | Effects::ASSUME.0
        | Effects::RUN_END.0
        | Effects::ATOMIC_BEGIN.0
        | Effects::ATOMIC_END.0;
    step.effects.has(Effects(over))
}

fn race_between(a: &Footprint, b: &Footprint) -> Option<(Touch, Touch)> {
    a.touches.iter().find_map(|x| b.touches.iter().find(|y| x.races(y)).map(|y| (*x, *y)))
}
