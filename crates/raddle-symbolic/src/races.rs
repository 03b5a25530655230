//! Races by happens-before, not by adjacency: an operation may observe another thread without being ordered with it, and
//! then no reordering brings the two accesses together.
//!
//! One access is selected as the earlier one. A Boolean for each point of each thread says that the point happens after it;
//! these are closed under program order, creation, release before acquire of one object and channel in the order of
//! the nodes, the user's atomic sections as one lock, and atomics and fences (`release_sequences.rs`). A conflicting access of another thread
//! that comes later in the order of nodes, and for which the Boolean may be false, races with the selected one: the solver
//! looks for the least closed set.
//!
//! Bytes that are not contended cannot race: their accesses are ordered by creation.

use raddle_machine::ObjectId;
use raddle_solver::{Formula, Stopped};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::order::Encoding;
use crate::unrolling::*;

/// A thread, and which of its points.
type Point = (usize, usize);

impl Encoding<'_> {
    /// Holds, if satisfiable, in the executions that have a race.
    pub fn race(&mut self) -> Result<Formula, Stopped> {
        let unrolling = self.unrolling;
        let mut guards: Vec<Vec<Formula>> = vec![Vec::new(); unrolling.threads.len()];
        for (thread, guards) in unrolling.threads.iter().zip(&mut guards) {
            for point in &thread.points {
                self.look()?;
                guards.push(self.formula(point.guard)?);
            }
        }
        let pairs = self.conflicts()?;
        if pairs.is_empty() {
            return Ok(Formula::FALSE);
        }
        let after: Vec<Vec<Formula>> = unrolling
            .threads
            .iter()
            .map(|thread| thread.points.iter().map(|_| self.graph.fresh()).collect())
            .collect();
        let selected: FxHashMap<(usize, usize), Formula> =
            pairs.iter().map(|(first, _)| *first).map(|first| (first, self.graph.fresh())).collect();
        // Program order; what follows the selected access; creation.
        for (t, thread) in unrolling.threads.iter().enumerate() {
            for (p, point) in thread.points.iter().enumerate() {
                self.look()?;
                let mut is_after = after[t][p];
                if let Some(selected) = selected.get(&(t, p)) {
                    let taken = self.graph.and(*selected, guards[t][p]);
                    is_after = self.graph.or(is_after, taken);
                }
                if let Some(next) = after[t].get(p + 1) {
                    self.implies(is_after, *next);
                }
                if let PointKind::Spawn(child) = &point.what
                    && let Some(first) = after[child.0 as usize].first()
                {
                    let happens = self.graph.and(is_after, guards[t][p]);
                    self.implies(happens, *first);
                }
            }
        }
        self.released_to_acquired(&after, &guards)?;
        self.release_sequences(&after, &guards)?;
        let mut races = Vec::new();
        for ((t, p), (u, q)) in pairs {
            self.look()?;
            let (one, other) = (unrolling.threads[t].points[p].node, unrolling.threads[u].points[q].node);
            if self.precedes(other, one) {
                continue;
            }
            let both = self.graph.and(guards[t][p], guards[u][q]);
            let unordered = self.graph.and(both, !after[u][q]);
            let racing = self.graph.fresh();
            let is_race = self.graph.and(unordered, selected[&(t, p)]);
            self.implies(racing, is_race);
            self.ordering.edge(racing, self.nodes[one.0 as usize], self.nodes[other.0 as usize]);
            races.push(racing);
        }
        Ok(self.graph.any(races))
    }

    pub(crate) fn implies(&mut self, a: Formula, b: Formula) {
        let implied = self.graph.or(!a, b);
        self.solver.assert(&self.graph, implied);
    }

    /// Pairs of accesses by different threads to overlapping bytes, one of them a write, not both atomic; each way round.
    fn conflicts(&mut self) -> Result<Vec<(Point, Point)>, Stopped> {
        let mut by_object: FxHashMap<ObjectId, Vec<Point>> = FxHashMap::default();
        let unrolling = self.unrolling;
        let threads = &unrolling.threads;
        for (t, thread) in threads.iter().enumerate() {
            for (p, point) in thread.points.iter().enumerate() {
                if let PointKind::Access { range, .. } = &point.what {
                    by_object.entry(range.object).or_default().push((t, p));
                }
            }
        }
        let mut objects: Vec<_> = by_object.into_iter().collect();
        objects.sort_by_key(|(object, _)| *object);
        let mut pairs = Vec::new();
        for (_, points) in objects {
            for first in &points {
                self.look()?;
                for second in points.iter().filter(|second| second.0 != first.0) {
                    let what = |(t, p): Point| match &threads[t].points[p].what {
                        PointKind::Access { range, writes, atomic } => (*range, *writes, *atomic),
                        _ => unreachable!("only accesses were collected"),
                    };
                    let ((a, a_writes, a_atomic), (b, b_writes, b_atomic)) = (what(*first), what(*second));
                    let overlap = a.offset < b.end() && b.offset < a.end();
                    if overlap && (a_writes || b_writes) && !(a_atomic && b_atomic) {
                        pairs.push((*first, *second));
                    }
                }
            }
        }
        Ok(pairs)
    }

    /// What was released on an object and channel before an acquisition happens before what follows that.
    fn released_to_acquired(
        &mut self,
        after: &[Vec<Formula>],
        guards: &[Vec<Formula>],
    ) -> Result<(), Stopped> {
        type Points = (Vec<Point>, Vec<Point>);
        let mut by_key: FxHashMap<(ObjectId, u32, i32), Points> = FxHashMap::default();
        let unrolling = self.unrolling;
        let threads = &unrolling.threads;
        for (t, thread) in threads.iter().enumerate() {
            for (p, point) in thread.points.iter().enumerate() {
                match &point.what {
                    PointKind::Release(key) => by_key.entry(*key).or_default().0.push((t, p)),
                    PointKind::Acquire(key) => by_key.entry(*key).or_default().1.push((t, p)),
                    _ => {}
                }
            }
        }
        let mut keys: Vec<_> = by_key.into_iter().collect();
        keys.sort_by_key(|(key, _)| *key);
        let mut ordered: FxHashSet<(Node, Node)> = FxHashSet::default();
        for (_, (releases, acquires)) in keys {
            for (t, p) in &releases {
                for (u, q) in acquires.iter().filter(|(u, _)| u != t) {
                    let (one, other) = (threads[*t].points[*p].node, threads[*u].points[*q].node);
                    if self.precedes(other, one) {
                        continue;
                    }
                    self.look()?;
                    let both = self.graph.and(guards[*t][*p], guards[*u][*q]);
                    let before = match self.precedes(one, other) {
                        true => Formula::TRUE,
                        false => {
                            let before = self.comes_before(one, other);
                            if ordered.insert((one.min(other), one.max(other))) {
                                let (a, b) = (self.nodes[one.0 as usize], self.nodes[other.0 as usize]);
                                self.ordering.edge(before, a, b);
                                self.ordering.edge(!before, b, a);
                            }
                            before
                        }
                    };
                    let happens = self.graph.and(both, before);
                    let happens = self.graph.and(happens, after[*t][*p]);
                    self.implies(happens, after[*u][*q]);
                }
            }
        }
        Ok(())
    }
}
