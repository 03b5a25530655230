//! All interleavings of an unrolling as one formula (Alglave, Kroening and Tautschnig 2013), with the ordering of events
//! decided by a theory in the SAT solver (He, Sun and Fan 2021).
//!
//! Each read of a location takes its value from one write (reads-from), the writes of a location are totally ordered (write
//! order), and a read comes before the writes that follow the one it reads from (from-read, derived by the theory). An
//! assignment is an execution iff program order, creation and these edges have no cycle. A section is one node: what it reads
//! of its own writes was forwarded when it was executed.
//!
//! Locations are the coarsest pieces of bytes that no access divides; an access to several of them is one of each.

use std::collections::BTreeMap;

use raddle_solver::{
    Assignment, Blaster, Formula, Graph, NodeId, Ordering, Solver, SolverOptions, Stop, Stopped, Term, Terms,
    WriteId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conflict_limit::ConflictLimit;
use crate::engine::Certify;
use crate::unrolling::*;
use crate::value_ranges::narrow_reads;

/// Clocks are slower than a step of the encoding, which may be the circuit of a multiplication.
const WORK_BETWEEN_LOOKS: u32 = 8;

/// A piece of an access: one location.
pub(crate) struct Piece {
    pub(crate) node: Node,
    pub(crate) guard: Formula,
    pub(crate) bits: Vec<Formula>,
    pub(crate) undefined: Vec<Formula>,
}

/// The formula, and the solver that knows it.
pub struct Encoding<'u> {
    pub(crate) unrolling: &'u Unrolling,
    pub(crate) terms: &'u Terms,
    pub(crate) graph: Graph,
    blaster: Blaster,
    pub(crate) solver: Solver,
    /// Knows what holds in every execution, and nothing of their order.
    pub(crate) without_order: Solver,
    pub(crate) ordering: Ordering,
    pub(crate) nodes: Vec<NodeId>,
    /// Before all others: the first contents of every location.
    first: NodeId,
    /// Conflicts of all queries together, at most.
    conflicts: ConflictLimit,
    certify: Option<Certify>,
    stop: Stop,
    /// Calls of [`Encoding::look`].
    looks: u32,
    /// By pair of nodes: the first comes before the second.
    orders: FxHashMap<(Node, Node), Formula>,
    /// Of the locations of objects with atomic accesses: which reads take their values from which writes.
    pub(crate) sources: FxHashMap<Range, Sources>,
    /// Objects with atomic accesses.
    pub(crate) atomic_objects: FxHashSet<raddle_machine::ObjectId>,
    pub statistics: EncodingStatistics,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct EncodingStatistics {
    pub events: u64,
    pub reads_from: u64,
    pub write_orders: u64,
    pub locations: u64,
    /// Of these, locks.
    pub locks: u64,
    /// In the solver.
    pub solving: std::time::Duration,
}

/// How many pairs of accesses there are, by object: at least one of them a write.
pub fn pairs(unrolling: &Unrolling) -> u64 {
    let mut by_place: FxHashMap<(raddle_machine::ObjectId, u32), (u64, u64)> = FxHashMap::default();
    for event in &unrolling.events {
        let count = by_place.entry((event.range.object, event.range.offset)).or_default();
        if event.writes { count.1 += 1 } else { count.0 += 1 }
    }
    by_place.values().map(|(reads, writes)| reads * (writes + 1) + writes * writes / 2).sum()
}

/// The reads-from relation of a location.
#[derive(Default)]
pub(crate) struct Sources {
    /// Nodes that write, and when.
    pub(crate) writes: Vec<(Node, Formula)>,
    pub(crate) reads: Vec<(Node, Formula)>,
    /// Which read takes its value from which write, or from what was there first, and when.
    pub(crate) from: Vec<(usize, Option<usize>, Formula)>,
}

fn atomic_objects(unrolling: &Unrolling) -> FxHashSet<raddle_machine::ObjectId> {
    let points = unrolling.threads.iter().flat_map(|thread| &thread.points);
    let objects = points.filter_map(|point| match &point.what {
        PointKind::AtomicRead { range, .. } => Some(range.object),
        _ => None,
    });
    objects.collect()
}

impl<'u> Encoding<'u> {
    pub fn new(
        unrolling: &'u Unrolling,
        terms: &'u Terms,
        options: SolverOptions,
        (conflicts, certify): (ConflictLimit, Option<Certify>),
        stop: &Stop,
    ) -> Result<Encoding<'u>, Stopped> {
        // Nodes of the program have the same numbers in the ordering.
        let mut ordering = Ordering::new();
        let nodes = unrolling.nodes.iter().map(|_| ordering.node()).collect();
        let first = ordering.node();
        let mut encoding = Encoding {
            unrolling,
            terms,
            graph: Graph::new(),
            blaster: Blaster::new(),
            solver: Solver::with_options(stop, options),
            without_order: Solver::new(stop),
            ordering,
            nodes,
            first,
            conflicts,
            certify,
            stop: stop.clone(),
            looks: 0,
            orders: FxHashMap::default(),
            sources: FxHashMap::default(),
            atomic_objects: atomic_objects(unrolling),
            statistics: EncodingStatistics::default(),
        };
        for (read, bits) in narrow_reads(unrolling, terms) {
            encoding.blaster.narrow(read, bits);
        }
        encoding.program_order();
        // Before the locations: which of them are locks follows from these.
        for constraint in &unrolling.constraints {
            encoding.look()?;
            let formula = encoding.formula(*constraint)?;
            encoding.solver.assert(&encoding.graph, formula);
            encoding.without_order.assert(&encoding.graph, formula);
        }
        encoding.locations()?;
        encoding.removable_rounds()?;
        Ok(encoding)
    }

    /// Called in every loop over what may be many: whether to go on.
    pub(crate) fn look(&mut self) -> Result<(), Stopped> {
        self.looks = self.looks.wrapping_add(1);
        match self.looks.is_multiple_of(WORK_BETWEEN_LOOKS) && self.stop.now() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }

    pub(crate) fn look_now(&self) -> Result<(), Stopped> {
        if self.stop.now() { Err(Stopped) } else { Ok(()) }
    }

    pub(crate) fn formula(&mut self, term: Term) -> Result<Formula, Stopped> {
        self.blaster.prepare(self.terms, &mut self.graph, term, &self.stop)?;
        Ok(self.blaster.formula(self.terms, &mut self.graph, term))
    }

    /// Program order and creation.
    fn program_order(&mut self) {
        for thread in &self.unrolling.threads {
            if let (None, Some(node)) = (thread.parent, thread.nodes.first()) {
                self.ordering.fixed(self.first, self.nodes[node.0 as usize]);
            }
            for pair in thread.nodes.windows(2) {
                self.ordering.fixed(self.nodes[pair[0].0 as usize], self.nodes[pair[1].0 as usize]);
            }
            if let (Some(last), Some(node)) = (self.unrolling.last, thread.nodes.last()) {
                self.ordering.fixed(self.nodes[node.0 as usize], self.nodes[last.0 as usize]);
            }
            if let (Some(created), Some(first)) = (thread.created, thread.nodes.first()) {
                self.ordering.fixed(self.nodes[created.0 as usize], self.nodes[first.0 as usize]);
            }
        }
    }

    /// Whether one node comes before another, as a variable; the ordering follows it where someone says so.
    pub(crate) fn comes_before(&mut self, a: Node, b: Node) -> Formula {
        let (low, high) = (a.min(b), a.max(b));
        let before = *self.orders.entry((low, high)).or_insert_with(|| self.graph.fresh());
        if a == low { before } else { !before }
    }

    /// Whether one node comes before another by program order and creation alone.
    pub(crate) fn precedes(&self, a: Node, b: Node) -> bool {
        if Some(a) == self.unrolling.last || Some(b) == self.unrolling.last {
            return Some(b) == self.unrolling.last && a != b;
        }
        let thread = self.unrolling.nodes[a.0 as usize];
        let mut at = b;
        loop {
            let other = self.unrolling.nodes[at.0 as usize];
            if other == thread {
                return a < at;
            }
            match self.unrolling.threads[other.0 as usize].created {
                // The creating section itself comes before the child too.
                Some(created) if created == a => return true,
                Some(created) => at = created,
                None => return false,
            }
        }
    }

    fn locations(&mut self) -> Result<(), Stopped> {
        let mut by_object: BTreeMap<raddle_machine::ObjectId, Vec<usize>> = BTreeMap::new();
        for (index, event) in self.unrolling.events.iter().enumerate() {
            by_object.entry(event.range.object).or_default().push(index);
        }
        for (object, events) in by_object {
            let mut bounds: Vec<u32> = events
                .iter()
                .flat_map(|e| {
                    let range = self.unrolling.events[*e].range;
                    [range.offset, range.end()]
                })
                .collect();
            bounds.sort_unstable();
            bounds.dedup();
            for pair in bounds.windows(2) {
                let piece = Range { object, offset: pair[0], length: pair[1] - pair[0] };
                let covers = |e: &&usize| {
                    let range = self.unrolling.events[**e].range;
                    range.offset <= piece.offset && piece.end() <= range.end()
                };
                let here: Vec<usize> = events.iter().filter(covers).copied().collect();
                if !here.is_empty() {
                    self.location(piece, &here)?;
                }
            }
        }
        Ok(())
    }

    /// The bits of a piece of a value; a pointer of 64 bits in four bytes is never divided.
    fn cut(&mut self, term: Term, range: Range, piece: Range) -> Result<Vec<Formula>, Stopped> {
        self.blaster.prepare(self.terms, &mut self.graph, term, &self.stop)?;
        let bits = self.blaster.bits(self.terms, &mut self.graph, term);
        if bits.len() as u32 != 8 * range.length {
            return Ok(bits);
        }
        let from = 8 * (piece.offset - range.offset) as usize;
        Ok(bits[from..from + 8 * piece.length as usize].to_vec())
    }

    fn location(&mut self, piece: Range, events: &[usize]) -> Result<(), Stopped> {
        self.statistics.locations += 1;
        self.statistics.events += events.len() as u64;
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for index in events {
            self.look()?;
            let event = &self.unrolling.events[*index];
            let (bits, undefined) =
                (self.cut(event.bits, event.range, piece)?, self.cut(event.undefined, event.range, piece)?);
            let guard = self.formula(event.guard)?;
            let piece = Piece { node: event.node, guard, bits, undefined };
            if event.writes { writes.push(piece) } else { reads.push(piece) }
        }
        if reads.is_empty() {
            return Ok(());
        }
        let initial = self.unrolling.initial.iter().find(|(range, ..)| {
            range.object == piece.object && range.offset <= piece.offset && piece.end() <= range.end()
        });
        let (range, bits, undefined) = *initial.expect("every range that is read has first contents");
        let initial = (self.cut(bits, range, piece)?, self.cut(undefined, range, piece)?);

        if self.lock(&reads, &writes, &initial)? {
            return Ok(());
        }
        let mut relation = Sources {
            writes: writes.iter().map(|write| (write.node, write.guard)).collect(),
            reads: reads.iter().map(|read| (read.node, read.guard)).collect(),
            from: Vec::new(),
        };
        self.statistics.reads_from += self.reads_from(&mut relation, |read, write| {
            let (bits, undefined) = match write {
                Some(write) => (&writes[write].bits, &writes[write].undefined),
                None => (&initial.0, &initial.1),
            };
            let pairs = reads[read].bits.iter().zip(bits).chain(reads[read].undefined.iter().zip(undefined));
            pairs.map(|(a, b)| (*a, *b)).collect()
        })?;
        if self.atomic_objects.contains(&piece.object) {
            self.sources.insert(piece, relation);
        }
        Ok(())
    }

    /// Relates the reads of a location to the writes: each has one source, the last write before it. `values` says which
    /// bits are equal where a read has a source. Returns how many pairs there are.
    pub(crate) fn reads_from(
        &mut self,
        relation: &mut Sources,
        values: impl Fn(usize, Option<usize>) -> Vec<(Formula, Formula)>,
    ) -> Result<u64, Stopped> {
        let Sources { writes, reads, from: all } = relation;
        let first_write = self.ordering.write(self.first);
        let ids: Vec<WriteId> =
            writes.iter().map(|(node, _)| self.ordering.write(self.nodes[node.0 as usize])).collect();
        for (node, guard) in writes.iter() {
            self.ordering.coherence(*guard, first_write, self.nodes[node.0 as usize]);
        }
        for (i, (a, a_guard)) in writes.iter().enumerate() {
            for (j, (b, b_guard)) in writes.iter().enumerate().skip(i + 1) {
                if a == b {
                    // Exclusive ends of one section.
                    continue;
                }
                self.look()?;
                self.statistics.write_orders += 1;
                let both = self.graph.and(*a_guard, *b_guard);
                if both == Formula::FALSE {
                    continue;
                }
                let (node_a, node_b) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
                if self.precedes(*a, *b) {
                    self.ordering.coherence(both, ids[i], node_b);
                } else if self.precedes(*b, *a) {
                    self.ordering.coherence(both, ids[j], node_a);
                } else {
                    let before = self.comes_before(*a, *b);
                    let (ab, ba) = (self.graph.and(both, before), self.graph.and(both, !before));
                    self.ordering.coherence(ab, ids[i], node_b);
                    self.ordering.coherence(ba, ids[j], node_a);
                }
            }
        }
        let mut pairs = 0;
        for (number, (node, guard)) in reads.iter().enumerate() {
            self.look()?;
            let reader = self.nodes[node.0 as usize];
            let mut sources = Vec::new();
            // The last write before it in its own thread that surely happens hides what came before.
            let hiding = writes
                .iter()
                .filter(|(w, _)| w != node && self.precedes(*w, *node))
                .filter(|(_, when)| *when == Formula::TRUE || when == guard)
                .map(|(w, _)| *w)
                .max_by(|a, b| {
                    if self.precedes(*a, *b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
                });
            let hidden = |node: Node| hiding.is_some_and(|last| node != last && self.precedes(node, last));
            let mut candidates: Vec<(Option<usize>, WriteId)> = Vec::new();
            if hiding.is_none() {
                candidates.push((None, first_write));
            }
            for (index, (write, _)) in writes.iter().enumerate() {
                if write != node && !self.precedes(*node, *write) && !hidden(*write) {
                    candidates.push((Some(index), ids[index]));
                }
            }
            for (index, id) in candidates {
                let executed = index.map_or(Formula::TRUE, |index| writes[index].1);
                let possible = self.graph.and(executed, *guard);
                if possible == Formula::FALSE {
                    continue;
                }
                self.look()?;
                let values = values(number, index);
                if values.iter().any(|(a, b)| *a == !*b) {
                    continue;
                }
                pairs += 1;
                let from = self.graph.fresh();
                self.solver.assert_any(&self.graph, &[!from, executed]);
                self.solver.assert_any(&self.graph, &[!from, *guard]);
                self.equal_where(from, &values);
                self.ordering.reads_from(from, id, reader);
                all.push((number, index, from));
                sources.push(from);
            }
            sources.push(!*guard);
            self.solver.assert_any(&self.graph, &sources);
        }
        Ok(pairs)
    }

    /// Where the condition holds, the bits of each pair are equal.
    ///
    /// Two clauses a bit, each of which refutes the condition by itself, and no gates: an equality of 32 bits as a formula
    /// takes 63 gates and 222 clauses. Constants are one formula, because many writes store the same.
    fn equal_where(&mut self, condition: Formula, pairs: &[(Formula, Formula)]) {
        let mut constant = Formula::TRUE;
        for (a, b) in pairs {
            if a == b {
                continue;
            }
            if a.as_constant().is_some() || b.as_constant().is_some() {
                let same = self.graph.equal(*a, *b);
                constant = self.graph.and(constant, same);
            } else {
                self.solver.assert_any(&self.graph, &[!condition, !*a, *b]);
                self.solver.assert_any(&self.graph, &[!condition, *a, !*b]);
            }
        }
        self.solver.assert_any(&self.graph, &[!condition, constant]);
    }

    /// Whether one of the conditions holds in some execution, and none of the excluded ones.
    pub fn reaches(&mut self, guards: &[Term], excluded: &[Term]) -> Result<bool, Stopped> {
        let mut formulas = Vec::with_capacity(guards.len());
        for guard in guards {
            self.look()?;
            formulas.push(self.formula(*guard)?);
        }
        let any = self.graph.any(formulas);
        self.holds_somewhere(any, excluded)
    }

    /// Whether a formula holds in some execution in which none of the excluded conditions does.
    pub(crate) fn holds_somewhere(&mut self, goal: Formula, excluded: &[Term]) -> Result<bool, Stopped> {
        let mut assumed = vec![goal];
        for term in excluded {
            self.look()?;
            let formula = self.formula(*term)?;
            assumed.push(!formula);
        }
        assumed.retain(|formula| *formula != Formula::TRUE);
        if assumed.contains(&Formula::FALSE) {
            return Ok(false);
        }
        self.solve(&assumed)
    }

    fn solve(&mut self, assumed: &[Formula]) -> Result<bool, Stopped> {
        self.solver.attach(&self.graph, &self.ordering);
        let solving = &mut self.statistics.solving;
        let answer = self.conflicts.solve(&mut self.solver, &self.graph, assumed, solving)?;
        if let (false, Some(Certify(certify))) = (answer, &self.certify)
            && let Some(certificate) = self.solver.certificate()
        {
            certify(certificate.trimmed());
        }
        Ok(answer)
    }

    /// Whether some execution without the excluded faults ends in a deadlock.
    ///
    /// Global: every thread has ended, or stops before a section that blocks in the last state, and some thread does so.
    /// Local: a set of threads, each of which stops before a section that blocks in the last state and waits for one of the
    /// set, or for a thread that has ended. What other threads do does not matter: those of the set stay where they are.
    pub fn deadlock(&mut self, excluded: &[Term]) -> Result<bool, Stopped> {
        let unrolling = self.unrolling;
        let mut ended = Vec::new();
        for thread in &unrolling.threads {
            let guards: Result<Vec<Formula>, Stopped> =
                thread.finished.iter().map(|(guard, _)| self.formula(*guard)).collect();
            let guards = guards?;
            ended.push(self.graph.any(guards));
        }
        let mut stuck = vec![Formula::FALSE; unrolling.threads.len()];
        /// When it is blocked, and by whom.
        type Wait = (Formula, Vec<(usize, Formula)>);
        let mut waits: Vec<Vec<Wait>> = vec![Vec::new(); unrolling.threads.len()];
        for blocked in &unrolling.blocked {
            self.look()?;
            let thread = blocked.thread.0 as usize;
            let guard = self.formula(blocked.guard)?;
            stuck[thread] = self.graph.or(stuck[thread], guard);
            if blocked.by_owner {
                let mut owners: Vec<(usize, Formula)> = Vec::with_capacity(blocked.owners.len());
                for (owner, when) in &blocked.owners {
                    owners.push((owner.0 as usize, self.formula(*when)?));
                }
                waits[thread].push((guard, owners));
            }
        }
        let mut global = self.graph.any(stuck.iter().copied());
        for (index, thread) in unrolling.threads.iter().enumerate() {
            let exists = self.formula(thread.exists)?;
            let done = self.graph.or(ended[index], stuck[index]);
            let fine = self.graph.or(!exists, done);
            global = self.graph.and(global, fine);
        }
        let members: Vec<Formula> = unrolling.threads.iter().map(|_| self.graph.fresh()).collect();
        let mut local = self.graph.any(members.iter().copied());
        for (index, waits) in waits.into_iter().enumerate() {
            let mut waiting = Formula::FALSE;
            for (guard, owners) in waits {
                let mut held = Formula::FALSE;
                for (owner, when) in owners {
                    let remains = self.graph.or(members[owner], ended[owner]);
                    let by_it = self.graph.and(when, remains);
                    held = self.graph.or(held, by_it);
                }
                let here = self.graph.and(guard, held);
                waiting = self.graph.or(waiting, here);
            }
            let fine = self.graph.or(!members[index], waiting);
            local = self.graph.and(local, fine);
        }
        let either = self.graph.or(global, local);
        self.holds_somewhere(either, excluded)
    }

    /// The values of all variables in the execution that was found.
    pub fn assignment(&mut self) -> Assignment {
        self.blaster.assignment(self.terms, &self.graph, &mut self.solver)
    }

    pub fn solver_statistics(&self) -> raddle_solver::SolverStatistics {
        self.solver.statistics()
    }
}
