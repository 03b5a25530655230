//! The theory of ordering consistency: literals become edges, from-read edges are composed, cycles become lemmas.
//!
//! He, Sun and Fan, *Satisfiability modulo ordering consistency theory for multi-threaded program verification* (PLDI 2021):
//! true literals activate edges in a graph whose topological order is kept ([`super::topological_order`]); a true reads-from
//! and a true coherence literal of one write give a from-read edge; an edge that would close a cycle gives a conflict
//! clause of the cycle with the fewest literals ([`super::cycle`]); literals whose edges would close one are propagated
//! ([`super::forced_edges`]).
//!
//! It makes the first decisions of each question ([`super::decisions`]).
//!
//! Ours differs in that a node may be a whole atomic section, that from-read is composed by writes and not by nodes, and that
//! constraints may come between two calls of the solver: all edges are then dropped and the trail is read again.
//!
//! The trail is a stack of literals, by decision levels. A literal that stays assigned over a backtrack is reported again by
//! the solver, so nothing here has to know about chronological backtracking.

use super::Constraint;
use super::cycle::PathSearch;
use super::decisions::Decisions;
use super::forced_edges::ForcedEdges;
use super::topological_order::{Cause, Edge, TopologicalOrder};
use crate::solver::SolverOptions;

/// A clause that the theory implies, and the cycle that its negation would make true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lemma {
    pub(crate) clause: Vec<i32>,
    pub(crate) cycle: Vec<Edge>,
}

impl Lemma {
    fn of(cycle: Vec<Edge>) -> Lemma {
        let mut clause: Vec<i32> =
            cycle.iter().flat_map(|edge| edge.cause.literals()).map(|literal| -literal).collect();
        clause.sort_unstable();
        clause.dedup();
        Lemma { clause, cycle }
    }
}

/// What a literal does when it becomes true.
#[derive(Clone, Copy)]
pub(super) enum Consequence {
    Edge { from: u32, to: u32 },
    ReadsFrom { write: u32, reader: u32 },
    Coherence { write: u32, later: u32 },
}

/// A reader of a write, or a node with a later write.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub(super) literal: i32,
    pub(super) node: u32,
}

#[derive(Default)]
pub(super) struct Write {
    pub(super) node: u32,
    pub(super) readers: Vec<Access>,
    pub(super) later: Vec<Access>,
    pub(super) true_readers: Vec<Access>,
    pub(super) true_later: Vec<Access>,
}

/// An entry that goes when the trail becomes shorter than `stamp`.
#[derive(Clone, Copy)]
struct Composed {
    stamp: u32,
    write: u32,
    is_reader: bool,
}

struct Conflict {
    /// Where the literal that closed the cycle is on the trail; none if fixed edges did.
    at: Option<u32>,
    lemma: Lemma,
    delivered: bool,
}

/// Counts of what the theory did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TheoryStatistics {
    /// Cycles that became conflict clauses.
    pub conflicts: u64,
    /// Literals that were propagated.
    pub propagations: u64,
    /// Reasons of propagations that the solver needed.
    pub reasons: u64,
    /// Literals in lemmas.
    pub lemma_literals: u64,
    /// Edges that were activated.
    pub edges: u64,
    /// Nodes that the search for forced edges visited.
    pub visited: u64,
}

#[derive(Default)]
pub(crate) struct Theory {
    pub(super) order: TopologicalOrder,
    paths: PathSearch,
    pub(super) forced: ForcedEdges,
    decisions: Decisions,
    /// By variable of the solver, its number here, from 1.
    numbers: Vec<u32>,
    /// By number: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    /// By number, its place on the trail.
    places: Vec<u32>,
    /// By twice the number, one more for the negation.
    consequences: Vec<Vec<Consequence>>,
    pub(super) writes: Vec<Write>,
    trail: Vec<i32>,
    /// By decision level from 1, the length of the trail where it began.
    levels: Vec<u32>,
    /// How much of the trail has become edges.
    processed: u32,
    composed: Vec<Composed>,
    conflict: Option<Conflict>,
    pub(super) statistics: TheoryStatistics,
}

impl Theory {
    pub(crate) fn new(options: SolverOptions) -> Theory {
        let mut theory = Theory { values: vec![0], places: vec![0], ..Theory::default() };
        theory.consequences.resize_with(2, Vec::new);
        theory.forced.enabled = options.propagate_forced_edges;
        theory.forced.keep_closure = options.keep_closure;
        theory.decisions.enabled = options.decide;
        theory
    }

    /// Adds nodes, writes and constraints. The trail will be read again.
    pub(crate) fn extend(
        &mut self,
        nodes: usize,
        writes: impl Iterator<Item = u32>,
        constraints: &[Constraint<i32>],
    ) {
        self.undo_to(0);
        if self.conflict.as_ref().is_some_and(|conflict| conflict.at.is_some()) {
            self.conflict = None;
        }
        self.order.grow(nodes);
        self.forced.grow(nodes);
        self.decisions.grow(nodes);
        self.writes.extend(writes.map(|node| Write { node, ..Write::default() }));
        for constraint in constraints {
            match *constraint {
                Constraint::Fixed { from, to } => self.add_fixed(from.0, to.0),
                Constraint::Edge { when, from, to } => {
                    self.add_consequence(when, Consequence::Edge { from: from.0, to: to.0 });
                    self.forced.add_candidate(from.0, to.0, when);
                }
                Constraint::ReadsFrom { when, write, reader } => {
                    let (write, reader) = (write.0, reader.0);
                    let entry = &mut self.writes[write as usize];
                    entry.readers.push(Access { literal: when, node: reader });
                    self.forced.add_candidate(entry.node, reader, when);
                    self.forced.add_read(reader, write, when);
                    self.add_consequence(when, Consequence::ReadsFrom { write, reader });
                }
                Constraint::Coherence { when, write, later } => {
                    let (write, later) = (write.0, later.0);
                    let entry = &mut self.writes[write as usize];
                    entry.later.push(Access { literal: when, node: later });
                    self.forced.add_candidate(entry.node, later, when);
                    self.add_consequence(when, Consequence::Coherence { write, later });
                }
            }
        }
        self.forced.restart(&self.order);
    }

    fn add_fixed(&mut self, from: u32, to: u32) {
        let edge = Edge { from, to, stamp: 0, cause: Cause::Fixed };
        if self.order.insert(edge).is_err() && self.conflict.is_none() {
            self.conflict = Some(Conflict { at: None, lemma: self.cycle_with(edge), delivered: false });
        }
    }

    fn add_consequence(&mut self, literal: i32, consequence: Consequence) {
        let variable = literal.unsigned_abs() as usize;
        if self.numbers.len() <= variable {
            self.numbers.resize(variable + 1, 0);
        }
        if self.numbers[variable] == 0 {
            self.numbers[variable] = self.values.len() as u32;
            self.values.push(0);
            self.places.push(0);
            self.consequences.push(Vec::new());
            self.consequences.push(Vec::new());
        }
        let at = self.index(literal);
        self.consequences[at].push(consequence);
        if let Consequence::ReadsFrom { reader, .. } = consequence {
            let number = self.numbers[variable];
            let is_open = self.values[number as usize] == 0;
            self.decisions.add(literal, (number, is_open), reader);
        }
    }

    fn index(&self, literal: i32) -> usize {
        self.numbers[literal.unsigned_abs() as usize] as usize * 2 + usize::from(literal < 0)
    }

    /// 1 where the literal is true, -1 where it is false.
    pub(super) fn value(&self, literal: i32) -> i8 {
        let value = self.values[self.numbers[literal.unsigned_abs() as usize] as usize];
        if literal < 0 { -value } else { value }
    }

    pub(crate) fn assign(&mut self, literals: &[i32]) {
        for literal in literals {
            let number = self.numbers.get(literal.unsigned_abs() as usize).copied().unwrap_or(0) as usize;
            // Literals of the root level may be reported more than once.
            if number == 0 || self.values[number] != 0 {
                continue;
            }
            self.values[number] = if *literal < 0 { -1 } else { 1 };
            self.places[number] = self.trail.len() as u32;
            self.trail.push(*literal);
            self.decisions.assigned(number);
        }
    }

    /// To be called before the solver searches.
    pub(crate) fn begin_question(&mut self) {
        self.decisions.begin_question();
    }

    pub(crate) fn new_level(&mut self) {
        self.levels.push(self.trail.len() as u32);
    }

    pub(crate) fn backtrack(&mut self, level: usize) {
        let Some(length) = self.levels.get(level).copied() else { return };
        self.levels.truncate(level);
        for literal in self.trail.drain(length as usize..) {
            let number = self.numbers[literal.unsigned_abs() as usize] as usize;
            self.values[number] = 0;
            self.decisions.unassigned(number);
        }
        self.decisions.backtracked();
        if self.processed > length || self.order_is_ahead_of(length) {
            self.undo_to(length);
        }
        if self.conflict.as_ref().is_some_and(|conflict| conflict.at.is_some_and(|at| at >= length)) {
            self.conflict = None;
        }
    }

    /// Whether a literal beyond the length has edges already: one that was interrupted by a conflict.
    fn order_is_ahead_of(&self, length: u32) -> bool {
        self.conflict.as_ref().is_some_and(|conflict| conflict.at.is_some_and(|at| at >= length))
    }

    fn undo_to(&mut self, length: u32) {
        self.order.undo(length);
        self.forced.undo(length);
        while let Some(entry) = self.composed.last()
            && entry.stamp > length
        {
            let write = &mut self.writes[entry.write as usize];
            let list = if entry.is_reader { &mut write.true_readers } else { &mut write.true_later };
            list.pop();
            self.composed.pop();
        }
        self.processed = self.processed.min(length);
    }

    /// Turns what is new on the trail into edges, up to the first cycle.
    pub(crate) fn process(&mut self) {
        while self.conflict.is_none()
            && let Some(literal) = self.trail.get(self.processed as usize).copied()
        {
            let at = self.index(literal);
            for place in 0..self.consequences[at].len() {
                let consequence = self.consequences[at][place];
                if let Err(edge) = self.apply(literal, consequence) {
                    self.statistics.conflicts += 1;
                    let lemma = self.cycle_with(edge);
                    self.conflict = Some(Conflict { at: Some(self.processed), lemma, delivered: false });
                    return;
                }
            }
            self.processed += 1;
        }
    }

    /// Adds the edges of a true literal. The first that would close a cycle is the error.
    fn apply(&mut self, literal: i32, consequence: Consequence) -> Result<(), Edge> {
        match consequence {
            Consequence::Edge { from, to } => {
                self.activate(from, to, Cause::Literal(literal))?;
            }
            Consequence::ReadsFrom { write, reader } => {
                let node = self.writes[write as usize].node;
                if node != reader {
                    self.activate(node, reader, Cause::Literal(literal))?;
                }
                for place in 0..self.writes[write as usize].true_later.len() {
                    let later = self.writes[write as usize].true_later[place];
                    let cause = Cause::FromRead { reads_from: literal, coherence: later.literal, write };
                    if later.node != reader {
                        self.activate(reader, later.node, cause)?;
                    }
                }
                self.compose(write, Access { literal, node: reader }, true);
            }
            Consequence::Coherence { write, later } => {
                let node = self.writes[write as usize].node;
                if node != later {
                    self.activate(node, later, Cause::Literal(literal))?;
                }
                for place in 0..self.writes[write as usize].true_readers.len() {
                    let reader = self.writes[write as usize].true_readers[place];
                    let cause = Cause::FromRead { reads_from: reader.literal, coherence: literal, write };
                    if reader.node != later {
                        self.activate(reader.node, later, cause)?;
                    }
                }
                self.compose(write, Access { literal, node: later }, false);
            }
        }
        if self.forced.enabled {
            self.find_forced_accesses(literal, consequence, self.processed + 1);
        }
        Ok(())
    }

    fn activate(&mut self, from: u32, to: u32, cause: Cause) -> Result<(), Edge> {
        let edge = Edge { from, to, stamp: self.processed + 1, cause };
        self.statistics.edges += 1;
        let connects = self.forced.enabled
            && !self.forced.knows_path(from, to).unwrap_or_else(|| self.order.reaches(from, to));
        if connects {
            self.forced.collect_connected(&self.order, from, to);
        }
        self.order.insert(edge).map_err(|_| edge)?;
        if connects {
            self.find_forced_edges(edge);
        }
        Ok(())
    }

    fn compose(&mut self, write: u32, access: Access, is_reader: bool) {
        let entry = &mut self.writes[write as usize];
        if is_reader {
            entry.true_readers.push(access);
        } else {
            entry.true_later.push(access);
        }
        self.composed.push(Composed { stamp: self.processed + 1, write, is_reader });
    }

    /// The lemma of the cycle that an edge closes.
    fn cycle_with(&mut self, edge: Edge) -> Lemma {
        let mut cycle = self
            .paths
            .shortest(&self.order, edge.to, edge.from, u32::MAX)
            .expect("a path from the target of an edge that closes a cycle to its source");
        cycle.push(edge);
        Lemma::of(cycle)
    }

    /// The conflict clause, once.
    pub(crate) fn take_conflict(&mut self) -> Option<Lemma> {
        let conflict = self.conflict.as_mut().filter(|conflict| !conflict.delivered)?;
        conflict.delivered = true;
        self.statistics.lemma_literals += conflict.lemma.clause.len() as u64;
        Some(conflict.lemma.clone())
    }

    /// Whether a complete assignment is consistent. If not, the conflict is delivered again.
    pub(crate) fn accepts(&mut self, model: &[i32]) -> bool {
        self.process();
        if let Some(conflict) = &mut self.conflict {
            conflict.delivered = false;
            return false;
        }
        assert!(
            model.iter().all(|literal| self.value(*literal) == 1),
            "the solver reports every assignment before it asks whether a model is consistent"
        );
        true
    }

    /// A literal that must hold.
    pub(crate) fn next_forced(&mut self) -> Option<i32> {
        if self.conflict.is_some() {
            return None;
        }
        while let Some(literal) = self.forced.next() {
            if self.value(literal) == 0 {
                self.statistics.propagations += 1;
                return Some(literal);
            }
        }
        None
    }

    /// The clause by which a literal was propagated: a cycle of an edge that its negation would activate and edges that
    /// came before it.
    pub(crate) fn reason(&mut self, literal: i32) -> Lemma {
        let trail = match self.value(literal) {
            1 => self.place(literal),
            _ => u32::MAX,
        };
        self.statistics.reasons += 1;
        let hint = self.forced.hint(literal);
        let lemma = hint
            .and_then(|edge| self.closed_before(edge, trail))
            .or_else(|| self.any_reason(literal, trail))
            .expect("a cycle of a literal that was propagated");
        self.statistics.lemma_literals += lemma.clause.len() as u64;
        lemma
    }

    /// The lemma of the cycle that an edge would close among edges that came with a trail of at most that length.
    fn closed_before(&mut self, edge: Edge, trail: u32) -> Option<Lemma> {
        let mut cycle = self.paths.shortest(&self.order, edge.to, edge.from, trail)?;
        cycle.push(edge);
        Some(Lemma::of(cycle))
    }

    /// By all edges that the negation of the literal would activate. Needed where the solver has reported the trail anew,
    /// and what was propagated is forgotten here.
    fn any_reason(&mut self, literal: i32, trail: u32) -> Option<Lemma> {
        let activated = -literal;
        let mut edges = Vec::new();
        let true_before =
            |theory: &Theory, other: i32| theory.value(other) == 1 && theory.place(other) < trail;
        for consequence in &self.consequences[self.index(activated)] {
            match *consequence {
                Consequence::Edge { from, to } => edges.push((from, to, Cause::Literal(activated))),
                Consequence::ReadsFrom { write, reader } => {
                    let entry = &self.writes[write as usize];
                    if entry.node != reader {
                        edges.push((entry.node, reader, Cause::Literal(activated)));
                    }
                    for later in entry.later.iter().filter(|later| true_before(self, later.literal)) {
                        let cause =
                            Cause::FromRead { reads_from: activated, coherence: later.literal, write };
                        edges.push((reader, later.node, cause));
                    }
                }
                Consequence::Coherence { write, later } => {
                    let entry = &self.writes[write as usize];
                    if entry.node != later {
                        edges.push((entry.node, later, Cause::Literal(activated)));
                    }
                    for reader in entry.readers.iter().filter(|reader| true_before(self, reader.literal)) {
                        let cause =
                            Cause::FromRead { reads_from: reader.literal, coherence: activated, write };
                        edges.push((reader.node, later, cause));
                    }
                }
            }
        }
        edges
            .into_iter()
            .filter(|(from, to, cause)| from != to || !matches!(cause, Cause::FromRead { .. }))
            .filter_map(|(from, to, cause)| self.closed_before(Edge { from, to, stamp: 0, cause }, trail))
            .min_by_key(|lemma| lemma.clause.len())
    }

    /// The next decision; 0 leaves it to the solver.
    pub(crate) fn decide(&mut self) -> i32 {
        self.decisions.next(&self.order, &self.values)
    }

    fn place(&self, literal: i32) -> u32 {
        self.places[self.numbers[literal.unsigned_abs() as usize] as usize]
    }

    pub(crate) fn statistics(&self) -> TheoryStatistics {
        self.statistics
    }

    pub(crate) fn capacity_bytes(&self) -> usize {
        let consequences: usize =
            self.consequences.iter().map(|list| list.capacity() * size_of::<Consequence>() + 24).sum();
        let accesses: usize = self
            .writes
            .iter()
            .map(|write| (write.readers.capacity() + write.later.capacity()) * size_of::<Access>() * 2 + 96)
            .sum();
        self.order.capacity_bytes()
            + self.decisions.capacity_bytes()
            + self.forced.capacity_bytes()
            + consequences
            + accesses
    }
}
