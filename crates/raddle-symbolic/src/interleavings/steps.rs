//! The unrolled program as the reachability tree executes it: for each node what it reads and writes, and for each place
//! between two nodes of a thread what is checked there.
//!
//! Memory is a vector of *locations*, the coarsest pieces of bytes that no access divides (as in `order.rs`). Variables of
//! the unrolling are either *defined* by a node (what it reads; whether the thread goes on to it) or inputs.
//!
//! A defined variable and a location are *live* at a position of a thread as long as something later uses them; what is not
//! live is left out of the keys of states. What a child uses counts as a use by its creator until it is created.

use std::collections::BTreeMap;

use raddle_machine::ObjectId;
use raddle_solver::{Stop, Stopped, Term, Terms, View};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::unrolling::*;

/// A variable that a node defines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

#[derive(Clone)]
pub struct Read {
    pub event: usize,
    pub guard: Term,
    pub bits: Option<Slot>,
    pub undefined: Option<Slot>,
    /// Its locations, lowest first; empty if they do not fit (a limit is reached then): the value is free.
    pub places: Vec<usize>,
}

pub struct Write {
    pub guard: Term,
    /// Locations with what is written; `None` where it does not fit: the value is free.
    pub parts: Vec<(usize, Option<(Term, Term)>)>,
}

/// A node.
pub struct Step {
    pub thread: usize,
    /// How many nodes of its thread come before it.
    pub index: usize,
    /// The thread may stop before it: the variable that says that it does not.
    pub runs: Option<Slot>,
    pub pauses: bool,
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    /// Threads that it creates, and when.
    pub children: Vec<(usize, Term)>,
    /// Of races: the points of the node, as indices into the thread's.
    pub points: Vec<usize>,
    /// Defined variables that it needs.
    pub needs: Vec<Slot>,
    /// Locations that it reads and writes.
    pub read_places: Vec<usize>,
    pub written_places: Vec<usize>,
    /// Sections that block in the last state if the thread stops before this node, with their reads of it.
    pub probe: Option<Probe>,
}

/// What is executed on the last state instead of a node.
#[derive(Default)]
pub struct Probe {
    pub reads: Vec<Read>,
    /// Indices of `Unrolling::blocked`, `unsupported` and `cuts`.
    pub blocked: Vec<usize>,
    pub limits: Vec<usize>,
    pub cuts: Vec<usize>,
    pub needs: Vec<Slot>,
    pub read_places: Vec<usize>,
}

/// What is judged when a thread has passed some of its nodes.
#[derive(Default)]
pub struct Checks {
    pub constraints: Vec<Term>,
    /// Indices of the lists of the unrolling.
    pub faults: Vec<usize>,
    pub limits: Vec<usize>,
    pub race_limits: Vec<usize>,
    pub cuts: Vec<usize>,
    pub finished: Vec<Term>,
    pub needs: Vec<Slot>,
    /// A yield lies between the node before and the next one.
    pub yields: bool,
}

#[derive(Default)]
pub struct ThreadSteps {
    /// By position: checks; one more than nodes.
    pub checks: Vec<Checks>,
    /// Live as long as the position is at most the number; highest first.
    pub live: Vec<(i64, Slot)>,
    pub live_inputs: Vec<(i64, Term)>,
    pub live_places: Vec<(i64, usize)>,
    /// By location: the last index of a node that reads it, and that writes it.
    pub last_read: FxHashMap<usize, i64>,
    pub last_written: FxHashMap<usize, i64>,
}

pub struct Steps<'u> {
    pub unrolling: &'u Unrolling,
    pub threads: Vec<ThreadSteps>,
    /// By node.
    pub steps: Vec<Step>,
    /// First contents of the locations.
    pub initial: Vec<(Term, Term)>,
    /// What holds whatever is read.
    pub constraints: Vec<Term>,
    /// By slot: the variable.
    pub variables: Vec<Term>,
    slots: FxHashMap<Term, Slot>,
    /// By slot: its thread and the index of its node; those of the last node have none.
    owners: Vec<Option<(usize, usize)>>,
}

impl<'u> Steps<'u> {
    pub fn new(unrolling: &'u Unrolling, terms: &mut Terms, stop: &Stop) -> Result<Steps<'u>, Stopped> {
        let mut steps = Steps {
            unrolling,
            threads: Vec::new(),
            steps: Vec::new(),
            initial: Vec::new(),
            constraints: Vec::new(),
            variables: Vec::new(),
            slots: FxHashMap::default(),
            owners: Vec::new(),
        };
        steps.make_slots(terms);
        let places = steps.locations(terms);
        steps.nodes(terms, &places, stop)?;
        steps.checks(terms, stop)?;
        steps.liveness(terms, stop)?;
        Ok(steps)
    }

    pub fn slot_of(&self, variable: Term) -> Option<Slot> {
        self.slots.get(&variable).copied()
    }

    fn slot(&mut self, variable: Term, owner: Option<(usize, usize)>) -> Slot {
        if let Some(slot) = self.slots.get(&variable) {
            return *slot;
        }
        let slot = Slot(self.variables.len() as u32);
        self.variables.push(variable);
        self.owners.push(owner);
        self.slots.insert(variable, slot);
        slot
    }

    fn make_slots(&mut self, terms: &Terms) {
        let mut index = vec![None; self.unrolling.nodes.len()];
        for (t, thread) in self.unrolling.threads.iter().enumerate() {
            for (i, node) in thread.nodes.iter().enumerate() {
                index[node.0 as usize] = Some((t, i));
            }
        }
        for (node, runs) in &self.unrolling.stops {
            self.slot(*runs, index[node.0 as usize]);
        }
        for event in self.unrolling.events.iter().filter(|event| !event.writes) {
            for term in [event.bits, event.undefined] {
                if terms.is_variable(term) {
                    self.slot(term, index[event.node.0 as usize]);
                }
            }
        }
        let of = |owner: &Option<(usize, usize)>| Step {
            thread: owner.map_or(0, |o| o.0),
            index: owner.map_or(0, |o| o.1),
            runs: None,
            pauses: false,
            reads: Vec::new(),
            writes: Vec::new(),
            children: Vec::new(),
            points: Vec::new(),
            needs: Vec::new(),
            read_places: Vec::new(),
            written_places: Vec::new(),
            probe: None,
        };
        self.steps = index.iter().map(of).collect();
        for (node, runs) in &self.unrolling.stops {
            self.steps[node.0 as usize].runs = self.slot_of(*runs);
        }
        for node in &self.unrolling.pauses {
            self.steps[node.0 as usize].pauses = true;
        }
    }

    /// The locations that are read, by object and offset, with their first contents.
    fn locations(&mut self, terms: &mut Terms) -> Vec<(Range, usize)> {
        let mut bounds: BTreeMap<ObjectId, Vec<u32>> = BTreeMap::new();
        for event in &self.unrolling.events {
            bounds.entry(event.range.object).or_default().extend([event.range.offset, event.range.end()]);
        }
        let mut out = Vec::new();
        for (object, mut bounds) in bounds {
            bounds.sort_unstable();
            bounds.dedup();
            let of_object: Vec<_> =
                self.unrolling.initial.iter().filter(|(range, ..)| range.object == object).collect();
            for pair in bounds.windows(2) {
                let piece = Range { object, offset: pair[0], length: pair[1] - pair[0] };
                let covers = |range: &Range| range.offset <= piece.offset && piece.end() <= range.end();
                let Some((range, bits, undefined)) = of_object.iter().find(|(range, ..)| covers(range))
                else {
                    continue;
                };
                let first = part(terms, *bits, *range, piece).zip(part(terms, *undefined, *range, piece));
                let first = first
                    .unwrap_or_else(|| (terms.variable(8 * piece.length), terms.variable(8 * piece.length)));
                out.push((piece, self.initial.len()));
                self.initial.push(first);
            }
        }
        out
    }

    fn nodes(&mut self, terms: &mut Terms, places: &[(Range, usize)], stop: &Stop) -> Result<(), Stopped> {
        let mut by_object: FxHashMap<ObjectId, Vec<(Range, usize)>> = FxHashMap::default();
        for (piece, place) in places {
            by_object.entry(piece.object).or_default().push((*piece, *place));
        }
        let none = Vec::new();
        let mut of_last: FxHashMap<Slot, Read> = FxHashMap::default();
        for (index, event) in self.unrolling.events.iter().enumerate() {
            let pieces = by_object.get(&event.range.object).unwrap_or(&none);
            let inside = |(piece, _): &&(Range, usize)| {
                event.range.offset <= piece.offset && piece.end() <= event.range.end()
            };
            let pieces: Vec<(Range, usize)> = pieces.iter().filter(inside).copied().collect();
            let mut parts = Vec::new();
            for (piece, place) in &pieces {
                let width = terms.width(self.initial[*place].0);
                let cut = part(terms, event.bits, event.range, *piece).zip(part(
                    terms,
                    event.undefined,
                    event.range,
                    *piece,
                ));
                parts.push((*place, cut.filter(|(bits, _)| terms.width(*bits) == width)));
            }
            let step = &mut self.steps[event.node.0 as usize];
            if event.writes {
                step.written_places.extend(parts.iter().map(|(place, _)| *place));
                step.writes.push(Write { guard: event.guard, parts });
                continue;
            }
            let fits = parts.iter().all(|(_, cut)| cut.is_some());
            let places: Vec<usize> = parts.iter().map(|(place, _)| *place).filter(|_| fits).collect();
            let slot = |term: Term| self.slots.get(&term).copied();
            let (bits, undefined) = (slot(event.bits), slot(event.undefined));
            let read = Read { event: index, guard: event.guard, bits, undefined, places };
            if Some(event.node) == self.unrolling.last {
                let both = bits.into_iter().chain(undefined);
                of_last.extend(both.map(|slot| (slot, read.clone())));
            } else {
                step.read_places.extend(&read.places);
                step.reads.push(read);
            }
        }
        for (t, thread) in self.unrolling.threads.iter().enumerate() {
            if let Some(node) = thread.created {
                self.steps[node.0 as usize].children.push((t, thread.exists));
            }
            for (p, point) in thread.points.iter().enumerate() {
                self.steps[point.node.0 as usize].points.push(p);
            }
        }
        self.probes(terms, &of_last, stop)?;
        for step in &mut self.steps {
            for list in [&mut step.read_places, &mut step.written_places] {
                list.sort_unstable();
                list.dedup();
            }
        }
        for index in 0..self.steps.len() {
            go_on(stop)?;
            let needs = self.needs(terms, &self.run_terms(index));
            self.steps[index].needs = needs;
        }
        Ok(())
    }

    /// What of the last state belongs to which nodes: those that the thread may stop before. Sections that begin after
    /// different nodes may have met, so there may be several.
    fn probes(&mut self, terms: &Terms, of_last: &FxHashMap<Slot, Read>, stop: &Stop) -> Result<(), Stopped> {
        let runs: FxHashMap<Term, Node> =
            self.unrolling.stops.iter().map(|(node, runs)| (*runs, *node)).collect();
        let mut found: Vec<(Term, Vec<Term>, u8, usize)> = Vec::new();
        for (index, blocked) in self.unrolling.blocked.iter().enumerate() {
            let roots = blocked.owners.iter().map(|(_, when)| *when).chain([blocked.guard]);
            found.push((blocked.guard, terms.support(roots), 0, index));
        }
        let limits = self.unrolling.unsupported.iter().enumerate();
        for (index, limit) in limits.filter(|(_, limit)| limit.position.is_none()) {
            found.push((limit.guard, terms.support([limit.guard]), 1, index));
        }
        let cuts = self.unrolling.cuts.iter().enumerate();
        for (index, cut) in cuts.filter(|(_, cut)| cut.position.is_none()) {
            found.push((cut.guard, terms.support([cut.guard]), 2, index));
        }
        for (guard, support, kind, index) in found {
            go_on(stop)?;
            for variable in negated(terms, guard) {
                let Some(node) = runs.get(&variable) else { continue };
                let probe = self.steps[node.0 as usize].probe.get_or_insert_default();
                match kind {
                    0 => probe.blocked.push(index),
                    1 => probe.limits.push(index),
                    _ => probe.cuts.push(index),
                }
                // Those that only a guard of a read needs are added too.
                let mut todo: Vec<Term> = support.clone();
                while let Some(variable) = todo.pop() {
                    let read = self.slots.get(&variable).and_then(|slot| of_last.get(slot));
                    let is_new = |read: &&Read| probe.reads.iter().all(|known| known.event != read.event);
                    if let Some(read) = read.filter(is_new) {
                        todo.extend(terms.support([read.guard]));
                        probe.read_places.extend(&read.places);
                        probe.reads.push(read.clone());
                    }
                }
            }
        }
        for step in &mut self.steps {
            if let Some(probe) = &mut step.probe {
                probe.reads.sort_by_key(|read| read.event);
                probe.read_places.sort_unstable();
                probe.read_places.dedup();
            }
        }
        for index in 0..self.steps.len() {
            if self.steps[index].probe.is_some() {
                go_on(stop)?;
                let needs = self.needs(terms, &self.probe_terms(index));
                self.steps[index].probe.as_mut().expect("checked").needs = needs;
            }
        }
        Ok(())
    }

    /// Terms that the execution of a node evaluates.
    fn run_terms(&self, index: usize) -> Vec<Term> {
        let step = &self.steps[index];
        let mut roots: Vec<Term> = step.reads.iter().map(|read| read.guard).collect();
        for write in &step.writes {
            roots.push(write.guard);
            roots.extend(write.parts.iter().filter_map(|(_, part)| *part).flat_map(|(a, b)| [a, b]));
        }
        roots.extend(step.children.iter().map(|(_, exists)| *exists));
        let points = &self.unrolling.threads[step.thread].points;
        roots.extend(step.points.iter().map(|p| points[*p].guard));
        roots
    }

    fn probe_terms(&self, index: usize) -> Vec<Term> {
        let mut roots = Vec::new();
        let Some(probe) = &self.steps[index].probe else { return roots };
        roots.extend(probe.reads.iter().map(|read| read.guard));
        for index in &probe.blocked {
            let blocked = &self.unrolling.blocked[*index];
            roots.push(blocked.guard);
            roots.extend(blocked.owners.iter().map(|(_, when)| *when));
        }
        roots.extend(probe.limits.iter().map(|i| self.unrolling.unsupported[*i].guard));
        roots.extend(probe.cuts.iter().map(|i| self.unrolling.cuts[*i].guard));
        roots
    }

    /// Terms that are evaluated at a position, the guard of the next node included.
    fn check_terms(&self, thread: usize, position: usize) -> Vec<Term> {
        let checks = &self.threads[thread].checks[position];
        let unrolling = self.unrolling;
        let mut roots = checks.constraints.clone();
        roots.extend(checks.faults.iter().map(|i| unrolling.faults[*i].guard));
        roots.extend(checks.limits.iter().map(|i| unrolling.unsupported[*i].guard));
        roots.extend(checks.race_limits.iter().map(|i| unrolling.unsupported_for_races[*i].guard));
        roots.extend(checks.cuts.iter().map(|i| unrolling.cuts[*i].guard));
        roots.extend(&checks.finished);
        if let Some(node) = unrolling.threads[thread].nodes.get(position) {
            roots.push(unrolling.guards[node.0 as usize]);
        }
        roots
    }

    /// The variables that threads define among those of some terms.
    fn needs(&self, terms: &Terms, roots: &[Term]) -> Vec<Slot> {
        let support = terms.support(roots.iter().copied());
        let slots = support.iter().filter_map(|variable| self.slot_of(*variable));
        slots.filter(|slot| self.owners[slot.0 as usize].is_some()).collect()
    }

    fn checks(&mut self, terms: &Terms, stop: &Stop) -> Result<(), Stopped> {
        let unrolling = self.unrolling;
        for thread in &unrolling.threads {
            let checks = (0..=thread.nodes.len()).map(|_| Checks::default()).collect();
            self.threads.push(ThreadSteps { checks, ..ThreadSteps::default() });
        }
        let depth: Vec<usize> = (0..unrolling.threads.len())
            .map(|t| {
                std::iter::successors(Some(t), |t| Some(unrolling.threads[*t].parent?.0 as usize)).count()
            })
            .collect();
        for constraint in &unrolling.constraints {
            go_on(stop)?;
            let needs = self.needs(terms, &[*constraint]);
            let owners = needs.iter().filter_map(|slot| self.owners[slot.0 as usize]);
            match owners.max_by_key(|(thread, index)| (depth[*thread], *index)) {
                Some((thread, index)) => {
                    self.threads[thread].checks[index + 1].constraints.push(*constraint);
                }
                None => self.constraints.push(*constraint),
            }
        }
        let at = |position: Position| (position.thread.0 as usize, position.nodes);
        for (index, fault) in unrolling.faults.iter().enumerate() {
            let (thread, nodes) = at(fault.position);
            self.threads[thread].checks[nodes].faults.push(index);
        }
        for (index, limit) in unrolling.unsupported.iter().enumerate() {
            if let Some((thread, nodes)) = limit.position.map(at) {
                self.threads[thread].checks[nodes].limits.push(index);
            }
        }
        for (index, limit) in unrolling.unsupported_for_races.iter().enumerate() {
            if let Some((thread, nodes)) = limit.position.map(at) {
                self.threads[thread].checks[nodes].race_limits.push(index);
            }
        }
        for (index, cut) in unrolling.cuts.iter().enumerate() {
            if let Some((thread, nodes)) = cut.position.map(at) {
                self.threads[thread].checks[nodes].cuts.push(index);
            }
        }
        for position in &unrolling.yields {
            let (thread, nodes) = at(*position);
            self.threads[thread].checks[nodes].yields = true;
        }
        for (t, thread) in unrolling.threads.iter().enumerate() {
            for (guard, node) in &thread.finished {
                let index = self.steps[node.0 as usize].index;
                self.threads[t].checks[index + 1].finished.push(*guard);
            }
        }
        for t in 0..self.threads.len() {
            for position in 0..self.threads[t].checks.len() {
                go_on(stop)?;
                let needs = self.needs(terms, &self.check_terms(t, position));
                self.threads[t].checks[position].needs = needs;
            }
        }
        Ok(())
    }

    /// Until which position of a thread its variables, inputs and locations are used.
    fn liveness(&mut self, terms: &Terms, stop: &Stop) -> Result<(), Stopped> {
        let inputs = |roots: Vec<Term>, steps: &Steps| -> Vec<Term> {
            let support = terms.support(roots);
            support.into_iter().filter(|variable| !steps.slots.contains_key(variable)).collect()
        };
        let count = self.threads.len();
        let mut variables: Vec<FxHashMap<Slot, i64>> = vec![FxHashMap::default(); count];
        let mut free: Vec<FxHashMap<Term, i64>> = vec![FxHashMap::default(); count];
        let mut places: Vec<FxHashMap<usize, i64>> = vec![FxHashMap::default(); count];
        fn extend<K: Eq + std::hash::Hash + Copy>(map: &mut FxHashMap<K, i64>, all: &[K], until: i64) {
            for key in all {
                let known = map.entry(*key).or_insert(until);
                *known = (*known).max(until);
            }
        }
        for t in (0..count).rev() {
            for position in 0..self.threads[t].checks.len() {
                go_on(stop)?;
                let until = position as i64 - 1;
                extend(&mut variables[t], &self.threads[t].checks[position].needs, until);
                extend(&mut free[t], &inputs(self.check_terms(t, position), self), until);
            }
            let (mut last_read, mut last_written) = (FxHashMap::default(), FxHashMap::default());
            for (i, node) in self.unrolling.threads[t].nodes.iter().enumerate() {
                go_on(stop)?;
                let (until, index) = (i as i64, node.0 as usize);
                let step = &self.steps[index];
                extend(&mut variables[t], &step.needs, until);
                extend(&mut free[t], &inputs(self.run_terms(index), self), until);
                extend(&mut places[t], &step.read_places, until);
                extend(&mut last_read, &step.read_places, until);
                extend(&mut last_written, &step.written_places, until);
                if let Some(probe) = &step.probe {
                    extend(&mut variables[t], &probe.needs, until);
                    extend(&mut free[t], &inputs(self.probe_terms(index), self), until);
                    extend(&mut places[t], &probe.read_places, until);
                }
                for (child, _) in &step.children {
                    let all = |map: &FxHashMap<usize, i64>| map.keys().copied().collect::<Vec<_>>();
                    extend(&mut last_read, &all(&self.threads[*child].last_read), until);
                    extend(&mut last_written, &all(&self.threads[*child].last_written), until);
                    let keys: Vec<Slot> = variables[*child].keys().copied().collect();
                    extend(&mut variables[t], &keys, until);
                    let keys: Vec<Term> = free[*child].keys().copied().collect();
                    extend(&mut free[t], &keys, until);
                    let keys = all(&places[*child]);
                    extend(&mut places[t], &keys, until);
                }
            }
            let thread = &mut self.threads[t];
            (thread.last_read, thread.last_written) = (last_read, last_written);
        }
        fn sorted<K: Ord + Copy>(map: FxHashMap<K, i64>) -> Vec<(i64, K)> {
            let mut list: Vec<(i64, K)> = map.into_iter().map(|(key, until)| (until, key)).collect();
            list.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            list
        }
        for (thread, map) in self.threads.iter_mut().zip(variables) {
            thread.live = sorted(map);
        }
        for (thread, map) in self.threads.iter_mut().zip(free) {
            thread.live_inputs = sorted(map);
        }
        for (thread, map) in self.threads.iter_mut().zip(places) {
            thread.live_places = sorted(map);
        }
        Ok(())
    }

    /// Whether a thread that has passed so many nodes, or one that it creates later, accesses a location so that the
    /// order with a read or a write of it matters.
    pub fn conflicts(&self, thread: usize, position: usize, place: usize, writes: bool) -> bool {
        let later = |last: &FxHashMap<usize, i64>| last.get(&place).is_some_and(|i| *i >= position as i64);
        let steps = &self.threads[thread];
        later(&steps.last_written) || writes && later(&steps.last_read)
    }
}

fn go_on(stop: &Stop) -> Result<(), Stopped> {
    if stop.now() { Err(Stopped) } else { Ok(()) }
}

/// Variables whose negation a condition may need.
fn negated(terms: &Terms, condition: Term) -> Vec<Term> {
    let (mut seen, mut found, mut others) = (FxHashSet::default(), Vec::new(), Vec::new());
    let mut todo = vec![(condition, true)];
    while let Some((term, positive)) = todo.pop() {
        if !seen.insert((term, positive)) {
            continue;
        }
        match terms.view(term) {
            View::Constant(_) => {}
            View::Variable => found.extend((!positive).then_some(term)),
            View::Not(inner) => todo.push((inner, !positive)),
            View::And(a, b) => todo.extend([(a, positive), (b, positive)]),
            View::Ite(c, a, b) => todo.extend([(c, true), (c, false), (a, positive), (b, positive)]),
            _ => others.push(term),
        }
    }
    found.extend(terms.support(others));
    found.sort_unstable();
    found.dedup();
    found
}

/// A piece of a value; a pointer of 64 bits in four bytes is not divided.
fn part(terms: &mut Terms, term: Term, range: Range, piece: Range) -> Option<Term> {
    if terms.width(term) != 8 * range.length {
        return (range == piece).then_some(term);
    }
    let low = 8 * (piece.offset - range.offset);
    Some(terms.extract(term, low + 8 * piece.length - 1, low))
}
