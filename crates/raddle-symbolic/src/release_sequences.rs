//! Happens-before by atomics and fences, as the machine has it: each byte carries what the head of its release sequence, and
//! the read-modify-writes that continue it, have published; any other store ends the sequence.
//!
//! Of the selected access (see `races.rs`) a byte carries one bit: whether that access happens before what acquires
//! the byte. So this bit is a location of its own. Its writes are the nodes with atomic writes, which set it to
//! what is shown (the bit of the thread at a release, that of its last release fence otherwise) or add that to it, and with
//! plain writes, which clear it; its reads are the nodes with atomic reads, which add it to the bit of the thread, or
//! to what the next acquire fence will add. Accesses in kernel sections are neither, so the relation of the bytes themselves
//! is used only where all their accesses are among these; otherwise the bit has a relation of its own.
//!
//! Inside a node the points of a thread are executed in order. All rules are Horn clauses in which the bits occur
//! positively, so the least solution is what the machine computes; a relation of its own excludes no execution, because each
//! order of the nodes has just one.

use std::collections::BTreeMap;

use raddle_machine::ObjectId;
use raddle_solver::{Formula, Stopped};
use rustc_hash::FxHashMap;

use crate::order::{Encoding, Sources};
use crate::unrolling::*;

/// A thread, and which of its points.
type Point = (usize, usize);

/// What fences carry, of one thread by point.
struct Fences {
    /// What relaxed stores show.
    shown: Vec<Formula>,
    /// What a relaxed read adds to.
    read: Vec<Formula>,
}

impl Encoding<'_> {
    /// What was published by atomics, to what acquires it.
    pub(crate) fn release_sequences(
        &mut self,
        after: &[Vec<Formula>],
        guards: &[Vec<Formula>],
    ) -> Result<(), Stopped> {
        let unrolling = self.unrolling;
        let mut by_object: BTreeMap<ObjectId, Vec<(Range, Point)>> = BTreeMap::new();
        for (t, thread) in unrolling.threads.iter().enumerate() {
            for (p, point) in thread.points.iter().enumerate() {
                match &point.what {
                    PointKind::AtomicRead { range, .. }
                    | PointKind::AtomicWrite { range, .. }
                    | PointKind::Access { range, writes: true, atomic: false } => {
                        by_object.entry(range.object).or_default().push((*range, (t, p)));
                    }
                    _ => {}
                }
            }
        }
        let fences: Vec<Fences> =
            (0..unrolling.threads.len()).map(|t| self.fences(t, &after[t], &guards[t])).collect();
        for points in by_object.into_values() {
            let mut bounds: Vec<u32> =
                points.iter().flat_map(|(range, _)| [range.offset, range.end()]).collect();
            bounds.sort_unstable();
            bounds.dedup();
            for pair in bounds.windows(2) {
                let covers = |range: &Range| range.offset <= pair[0] && pair[1] <= range.end();
                let here: Vec<Point> =
                    points.iter().filter(|(range, _)| covers(range)).map(|(_, point)| *point).collect();
                if let Some((range, _)) = points.first() {
                    let piece = Range { object: range.object, offset: pair[0], length: pair[1] - pair[0] };
                    self.published(piece, &here, after, guards, &fences)?;
                }
            }
        }
        Ok(())
    }

    fn fences(&mut self, thread: usize, after: &[Formula], guards: &[Formula]) -> Fences {
        let points = &self.unrolling.threads[thread].points;
        let fenced = points.iter().any(|point| matches!(point.what, PointKind::Fence { acquires: true, .. }));
        let (mut shown, mut read) = (Formula::FALSE, Formula::FALSE);
        let mut fences = Fences { shown: Vec::new(), read: Vec::new() };
        for (p, point) in points.iter().enumerate() {
            match point.what {
                PointKind::Fence { acquires, releases } => {
                    if acquires {
                        let learnt = self.graph.and(guards[p], read);
                        self.implies(learnt, after[p]);
                    }
                    if releases {
                        let now = self.graph.and(guards[p], after[p]);
                        shown = self.graph.or(shown, now);
                    }
                }
                PointKind::AtomicRead { acquires: false, .. } if fenced => {
                    let next = self.graph.fresh();
                    self.implies(read, next);
                    read = next;
                }
                _ => {}
            }
            fences.shown.push(shown);
            fences.read.push(read);
        }
        fences
    }

    /// One location.
    fn published(
        &mut self,
        piece: Range,
        points: &[Point],
        after: &[Vec<Formula>],
        guards: &[Vec<Formula>],
        fences: &[Fences],
    ) -> Result<(), Stopped> {
        let what = |(t, p): Point| &self.unrolling.threads[t].points[p].what;
        let is_read = |point: &Point| matches!(what(*point), PointKind::AtomicRead { .. });
        let publishes = |point: &Point| match what(*point) {
            PointKind::AtomicWrite { releases, .. } => {
                *releases || fences[point.0].shown[point.1] != Formula::FALSE
            }
            _ => false,
        };
        if !points.iter().any(is_read) || !points.iter().any(publishes) {
            return Ok(());
        }
        let mut by_node: BTreeMap<Node, Vec<Point>> = BTreeMap::new();
        for (t, p) in points {
            by_node.entry(self.unrolling.threads[*t].points[*p].node).or_default().push((*t, *p));
        }
        let mut relation = Sources::default();
        let mut incoming: FxHashMap<Node, Formula> = FxHashMap::default();
        let mut executed = Vec::new();
        for (node, points) in &by_node {
            self.look()?;
            let guard = |points: &[Point], encoding: &mut Self| {
                let all: Vec<Formula> = points.iter().map(|(t, p)| guards[*t][*p]).collect();
                encoding.graph.any(all)
            };
            let writing: Vec<Point> = points.iter().filter(|point| !is_read(point)).copied().collect();
            let (any, written) = (guard(points, self), guard(&writing, self));
            // What was there matters if it is read, added to, or stays on some path.
            let stays = points.iter().any(|(t, p)| match what((*t, *p)) {
                PointKind::AtomicRead { .. } | PointKind::AtomicWrite { update: true, .. } => true,
                _ => guards[*t][*p] != written,
            });
            if stays {
                incoming.insert(*node, self.graph.fresh());
                relation.reads.push((*node, any));
            }
            if written != Formula::FALSE {
                relation.writes.push((*node, written));
            }
            executed.push((*node, points));
        }
        let mut left: FxHashMap<Node, Formula> = FxHashMap::default();
        for (node, points) in executed {
            let mut carried = incoming.get(&node).copied().unwrap_or(Formula::FALSE);
            for (t, p) in points {
                let guard = guards[*t][*p];
                let stays = self.graph.and(!guard, carried);
                match *what((*t, *p)) {
                    PointKind::AtomicRead { acquires, .. } => {
                        let learnt = self.graph.and(guard, carried);
                        let into = if acquires { after[*t][*p] } else { fences[*t].read[*p] };
                        if acquires || into != Formula::FALSE {
                            self.implies(learnt, into);
                        }
                    }
                    PointKind::AtomicWrite { releases, update, .. } => {
                        let shown = if releases { after[*t][*p] } else { fences[*t].shown[*p] };
                        let shown = self.graph.and(guard, shown);
                        carried = self.graph.or(shown, if update { carried } else { stays });
                    }
                    _ => carried = stays,
                }
            }
            left.insert(node, carried);
        }
        let known = self.known_sources(piece, &relation);
        let relation = match known {
            Some(known) => known,
            None => {
                self.reads_from(&mut relation, |_, _| Vec::new())?;
                relation
            }
        };
        for (read, write, from) in &relation.from {
            let Some(write) = write else { continue };
            let (reader, writer) = (relation.reads[*read].0, relation.writes[*write].0);
            let happens = self.graph.and(*from, left[&writer]);
            self.implies(happens, incoming[&reader]);
        }
        Ok(())
    }

    /// The relation of the bytes themselves, if the same nodes write them.
    fn known_sources(&self, piece: Range, relation: &Sources) -> Option<Sources> {
        let bytes = self.sources.get(&piece)?;
        let same_writes = bytes.writes.len() == relation.writes.len()
            && relation.writes.iter().all(|write| bytes.writes.contains(write));
        let find =
            |list: &[(Node, Formula)], one: &(Node, Formula)| list.iter().position(|other| other == one);
        let reads: Option<Vec<usize>> = relation.reads.iter().map(|read| find(&bytes.reads, read)).collect();
        let reads = reads.filter(|_| same_writes)?;
        let mut known =
            Sources { reads: relation.reads.clone(), writes: bytes.writes.clone(), from: Vec::new() };
        for (number, read) in reads.into_iter().enumerate() {
            let of_read = bytes.from.iter().filter(|(other, ..)| *other == read);
            known.from.extend(of_read.map(|(_, write, from)| (number, *write, *from)));
        }
        Some(known)
    }
}
