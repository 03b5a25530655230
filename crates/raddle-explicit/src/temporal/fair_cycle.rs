//! Fair cycles: the search for an accepting cycle in the product of observed states and the automaton that meets the
//! fairness obligations (Couvreur, *On-the-fly Verification of Linear Temporal Logic*, FM 1999; Geldenhuys, Valmari,
//! TACAS 2004: `raddle_ltl`).
//!
//! One walk, that is one depth-first search, by one worker (`raddle_ltl::find_lasso`): its order decides the answer's
//! shape. The steps, which cost most, are cached, and other workers expand states before the walk reaches them
//! (`temporal/parallel.rs`). What the product is, and why its cycles are the runs that break a formula:
//! `temporal.rs`.

use raddle_analysis::Futures;
use raddle_ltl::{Graph, Lasso, find_lasso};
use raddle_machine::drive::Move;
use raddle_machine::{Machine, RunEnd, Status};
use raddle_trace::{Budget, Observer};
use rustc_hash::FxHashMap;

use crate::search::meter::{Meter, Reading};
use crate::search::worker::{LiveRegisters, Store, share_of_limit};
use crate::temporal::atomic_sections::Gap;
use crate::temporal::parallel::LookAhead;
use crate::temporal::successors::{Halt, Seen, SuccessorSettings, TemporalSuccessors};
use crate::temporal::superstep::Supersteps;
use crate::temporal::weak_cas_fairness::{Exchanges, Outcomes};
use crate::temporal::{TemporalConfig, TemporalQuery, TemporalResult};

/// `None`: addresses matter, and renaming was on.
pub fn search(
    machine: &Machine,
    live: &LiveRegisters,
    runs: &TemporalConfig,
    (supersteps, futures): (&Supersteps, Option<&Futures>),
    budget: &Budget,
    observer: &mut dyn Observer,
    rename: bool,
) -> Option<TemporalResult> {
    let store = Store::new(false);
    let propositions = runs.propositions();
    let helpers = budget.workers.max(1) - 1;
    let cache_limit = share_of_limit(budget.memory_limit_mb, helpers + 1);
    let settings =
        SuccessorSettings { store: &store, live, supersteps, futures, propositions, cache_limit, rename };
    let ahead = (helpers > 0).then(|| LookAhead::new(runs.help_after));
    let mut product = Product {
        runs,
        first_mark: match &runs.question {
            TemporalQuery::Accepted { automaton, .. } => automaton.acceptance_sets,
            TemporalQuery::Endless { progress } => *progress as u32,
        },
        successors: TemporalSuccessors::new(machine, settings),
        store: &store,
        ahead: ahead.as_ref(),
        marks: FxHashMap::default(),
        opened: FxHashMap::default(),
        edges: Vec::new(),
        initial: None,
        exchanges: Exchanges::default(),
        result: TemporalResult::default(),
        meter: Meter::new(budget, observer),
    };
    let found = match &ahead {
        None => product.walk(),
        Some(ahead) => std::thread::scope(|scope| {
            for _ in 0..helpers {
                // The program was accepted once.
                let (program, own) = (machine.program.clone(), machine.settings.clone());
                let again = move || Machine::new(program, own).ok();
                let run = move || ahead.help(again, settings);
                // Without helpers, the walk expands all states.
                if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                    break;
                }
            }
            // Also when the walk panics: helpers that wait for work would never be joined.
            let _finish = Finish(ahead);
            product.walk()
        }),
    };
    match found {
        Ok(lasso) => product.result.lasso = lasso,
        Err(Halt::Exposed) => return None,
        Err(Halt::TooManyThreads) => product.result.too_many_threads = true,
        Err(Halt::Stop(stop)) => product.result.stopped = Some(stop),
    }
    let mut result = product.result;
    result.states = product.opened.len() as u64;
    result.transitions = product.edges.len() as u64;
    result.steps = product.successors.space.steps + ahead.as_ref().map_or(0, LookAhead::steps);
    result.bytes = store.bytes();
    Some(result)
}

/// Releases the helpers.
struct Finish<'a>(&'a LookAhead);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// An edge between stored states.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StoredEdge {
    target: u32,
    progress: bool,
    /// Marks of threads that had a fairness obligation and did not step.
    missing: u64,
    /// Weak compare-exchanges that could have succeeded, and did or did not.
    weak: Outcomes,
}

/// A stored state that was expanded.
#[derive(Clone, Copy)]
struct Opened {
    first: usize,
    count: u32,
    may_end: bool,
    /// It has no valuation: no run is explored through it.
    lost: bool,
    valuation: u64,
}

/// In a node's second part: the run has ended, and its last state repeats.
const ENDED: u32 = 1 << 31;
/// In the same: spurious failures are restricted from here on.
const RESTRICTED: u32 = 1 << 30;

/// The state's number, and the automaton's state.
type Node = (u32, u32);

struct Product<'a, 'o> {
    runs: &'a TemporalConfig,
    /// The first mark that belongs to a thread.
    first_mark: u32,
    successors: TemporalSuccessors<'a>,
    store: &'a Store,
    ahead: Option<&'a LookAhead>,
    /// The mark of each thread seen, by its number.
    marks: FxHashMap<u32, u32>,
    opened: FxHashMap<u32, Opened>,
    edges: Vec<StoredEdge>,
    initial: Option<u32>,
    exchanges: Exchanges,
    result: TemporalResult,
    meter: Meter<'o>,
}

impl Product<'_, '_> {
    fn begin(&mut self) -> Result<(), Halt> {
        let machine = self.successors.space.machine;
        let (state, outcome) = machine.start(&mut ());
        for fault in &outcome.faults {
            if matches!(fault.kind, raddle_machine::FaultKind::Memory(_)) {
                self.result.gaps.push(Gap::MemoryFault(fault.user));
            }
        }
        match state.end() {
            Some(RunEnd::Unsupported { reason, user, .. }) => {
                self.result.gaps.push(Gap::Unsupported { reason: reason.clone(), user: *user });
                return Ok(());
            }
            Some(RunEnd::MemoryFault | RunEnd::Assume) => return Ok(()),
            Some(RunEnd::Assertion) | None => {}
        }
        if state.threads().any(|(_, t)| t.status == Status::Assumed) {
            return Ok(());
        }
        let first = self.successors.begin(&state)?;
        self.initial = Some(first);
        Ok(())
    }

    /// A run of the kind that is searched for.
    fn walk(&mut self) -> Result<Option<(Vec<Move>, usize)>, Halt> {
        self.begin()?;
        let Some(lasso) = find_lasso(self, u64::MAX)? else { return Ok(None) };
        let (found, outcomes) = self.moves(&lasso)?;
        if outcomes.is_fair() {
            return Ok(Some(found));
        }
        // Its cycle only fails: once more, for one in which every exchange that fails infinitely often succeeds
        // infinitely often.
        let mut allowed = Some(0);
        while let Some(failing) = allowed {
            self.exchanges.restrict(failing);
            if let Some(lasso) = find_lasso(self, u64::MAX)? {
                return Ok(Some(self.moves(&lasso)?.0));
            }
            allowed = self.exchanges.next_after(failing).map_err(|_| Halt::TooManyThreads)?;
        }
        Ok(None)
    }

    /// The mark of a thread; `None` when there are too many.
    fn mark(&mut self, thread: u32) -> Result<u64, Halt> {
        let next = self.first_mark + self.marks.len() as u32;
        let mark = *self.marks.entry(thread).or_insert(next);
        if mark >= u64::BITS - self.exchanges.reserved() { Err(Halt::TooManyThreads) } else { Ok(1 << mark) }
    }

    /// The edges of a state with their marks, in order.
    fn marked(&mut self, seen: &Seen) -> Result<Vec<StoredEdge>, Halt> {
        let mut obliged = 0;
        if self.runs.fairness {
            for thread in &seen.obliged {
                obliged |= self.mark(*thread)?;
            }
        }
        let mut edges = Vec::with_capacity(seen.edges.len());
        for edge in &seen.edges {
            let own = match edge.thread {
                Some(thread) if self.runs.fairness => self.mark(thread)?,
                _ => 0,
            };
            let weak = match (edge.weak, edge.thread) {
                (Some(weak), Some(thread)) if self.runs.fairness => {
                    let known = self.exchanges.outcomes(thread, weak);
                    known.ok_or(Halt::TooManyThreads)?
                }
                _ => Outcomes::default(),
            };
            let (target, progress, missing) = (edge.target, edge.progress, obliged & !own);
            edges.push(StoredEdge { target, progress, missing, weak });
        }
        Ok(edges)
    }

    fn open(&mut self, number: u32) -> Result<Opened, Halt> {
        if let Some(opened) = self.opened.get(&number) {
            return Ok(*opened);
        }
        let seen = match self.ahead.and_then(|ahead| ahead.take(number)) {
            Some(seen) => {
                self.result.helped += 1;
                *seen?
            }
            None => {
                let seen = self.successors.expand(number)?;
                if let Some(ahead) = self.ahead {
                    ahead.add(&seen.new);
                }
                seen
            }
        };
        for gap in &seen.gaps {
            if !self.result.gaps.contains(gap) {
                self.result.gaps.push(gap.clone());
            }
        }
        for (text, why) in &seen.troubles {
            if self.result.troubles.iter().all(|(known, _)| known != text) {
                self.result.troubles.push((text.clone(), why.clone()));
            }
        }
        let first = self.edges.len();
        for edge in self.marked(&seen)? {
            if !self.edges[first..].contains(&edge) {
                self.edges.push(edge);
            }
        }
        let opened = Opened {
            first,
            count: (self.edges.len() - first) as u32,
            may_end: seen.may_end,
            lost: !seen.troubles.is_empty(),
            valuation: seen.valuation,
        };
        self.opened.insert(number, opened);
        Ok(opened)
    }

    /// Checks the limits.
    fn pause(&mut self) -> Result<(), Halt> {
        let (opened, edges, nodes) = (self.opened.len() as u64, self.edges.len() as u64, self.result.nodes);
        let (store, ahead) = (self.store, self.ahead);
        let stop = self.meter.look(|| {
            // With what the search keeps of each node.
            let stored = store.bytes() + edges * size_of::<StoredEdge>() as u64 + opened * 64 + nodes * 40;
            Reading {
                states: opened,
                stored,
                held: stored + store.cached_bytes() + ahead.map_or(0, LookAhead::bytes),
                phase: Some("infinite runs"),
                ..Reading::default()
            }
        });
        stop.map_or(Ok(()), |stop| Err(Halt::Stop(stop)))
    }

    /// The schedule of a lasso, and where its cycle begins; and what the weak compare-exchanges of the cycle do.
    fn moves(&mut self, lasso: &Lasso<Node>) -> Result<((Vec<Move>, usize), Outcomes), Halt> {
        let threads = self.thread_marks();
        let mut moves = Vec::new();
        for pair in lasso.stem.windows(2) {
            if pair[1].1 & ENDED == 0 {
                moves.extend(self.way(pair[0].0, |e| e.target == pair[1].0)?.0);
            }
        }
        let start = moves.len();
        let mut outcomes = Outcomes::default();
        let mut from = lasso.stem.last().map_or((0, ENDED), |node| *node);
        for (node, marks) in lasso.cycle.iter().zip(&lasso.cycle_marks) {
            if node.1 & ENDED == 0 {
                let progress = matches!(self.runs.question, TemporalQuery::Endless { progress: true });
                let exchanges = self.exchanges.clone();
                let fits = |e: &StoredEdge| {
                    e.target == node.0
                        && threads & !e.missing == marks & threads
                        && !(progress && e.progress)
                        && exchanges.fits(e.weak, *marks)
                };
                let (way, taken) = self.way(from.0, fits)?;
                moves.extend(way);
                outcomes.add(taken.weak);
            }
            from = *node;
        }
        Ok(((moves, start), outcomes))
    }

    /// The first edge that fits, preferably one without a spurious failure.
    fn way(
        &mut self,
        from: u32,
        fits: impl Fn(&StoredEdge) -> bool,
    ) -> Result<(Vec<Move>, StoredEdge), Halt> {
        let (seen, moves) = self.successors.moves(from)?;
        let edges = self.marked(&seen)?;
        let fitting = edges.into_iter().zip(moves).filter(|(edge, _)| fits(edge));
        let found = fitting.min_by_key(|(edge, _)| edge.weak.spurious != 0);
        let (edge, moves) = found.expect("the search went along this edge");
        Ok((moves, edge))
    }

    /// The marks that belong to threads, taken or not.
    fn thread_marks(&self) -> u64 {
        u64::MAX.checked_shl(self.first_mark).unwrap_or(0) & !self.exchanges.marks()
    }

    /// Adds an edge of the product: as it is, or where spurious failures are restricted, in the copy of the graph in
    /// which they are, and before it.
    fn add(&self, from: u32, to: Node, marks: u64, weak: Outcomes, out: &mut Vec<(Node, u64)>) {
        if !self.exchanges.is_restricted() {
            out.push((to, marks));
            return;
        }
        let (number, state) = to;
        let marks = marks & !self.exchanges.marks();
        if from & RESTRICTED == 0 {
            out.push(((number, state), marks));
        }
        if let Some(more) = self.exchanges.admits(weak) {
            out.push(((number, state | RESTRICTED), marks | more));
        }
    }
}

impl Graph for Product<'_, '_> {
    type Node = Node;
    type Stop = Halt;

    fn initial(&mut self, out: &mut Vec<Node>) {
        let Some(number) = self.initial else { return };
        match &self.runs.question {
            TemporalQuery::Accepted { automaton, .. } => {
                out.extend(automaton.initial.iter().map(|state| (number, *state)));
            }
            TemporalQuery::Endless { .. } => out.push((number, 0)),
        }
    }

    fn successors(&mut self, (number, state): Node, out: &mut Vec<(Node, u64)>) -> Result<(), Halt> {
        self.result.nodes += 1;
        if self.result.nodes.is_multiple_of(16) {
            self.pause()?;
        }
        let opened = self.open(number)?;
        if opened.lost {
            return Ok(());
        }
        let edges = &self.edges[opened.first..opened.first + opened.count as usize];
        let threads = self.thread_marks();
        let from = state;
        let state = state & !RESTRICTED;
        match &self.runs.question {
            TemporalQuery::Accepted { automaton, .. } => {
                let ended = state & ENDED;
                for next in automaton.states[(state & !ENDED) as usize].iter() {
                    if !next.admits(opened.valuation) {
                        continue;
                    }
                    if ended == 0 {
                        for e in edges {
                            let marks = next.marks | threads & !e.missing;
                            self.add(from, (e.target, next.target), marks, e.weak, out);
                        }
                    }
                    if ended != 0 || opened.may_end {
                        let to = (number, next.target | ENDED);
                        self.add(from, to, next.marks | threads, Outcomes::default(), out);
                    }
                }
            }
            TemporalQuery::Endless { progress: false } => {
                for e in edges {
                    self.add(from, (e.target, 0), threads & !e.missing, e.weak, out);
                }
            }
            TemporalQuery::Endless { progress: true } => {
                for edge in edges {
                    let marks = threads & !edge.missing;
                    if state == 0 {
                        self.add(from, (edge.target, 0), marks, edge.weak, out);
                    }
                    if !edge.progress {
                        self.add(from, (edge.target, 1), marks | state as u64, edge.weak, out);
                    }
                }
            }
        }
        Ok(())
    }
}
