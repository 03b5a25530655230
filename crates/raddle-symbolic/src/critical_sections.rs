//! Locks as critical sections: the first summary of a model.
//!
//! A cell of memory is a lock if every access to it is one of two kinds, each a section of its own: *take* reads zero and
//! writes a constant that is not zero, or is not executed; *give* writes zero, and is executed only by a thread that has
//! taken the cell and not given it since. By induction over the execution, the cell then is not zero just while
//! some critical section is open, and at most one is: so instead of a reads-from relation it is enough
//! that of two critical sections of different threads one ends before the other begins. What was read is known.
//!
//! That a cell is a lock follows from the formula itself: small queries without the ordering constraints confirm that no
//! execution does otherwise. If one may, or if a query exceeds its limit of conflicts, the cell is memory like any other. So the summary needs no knowledge of the model, and cannot contradict it.

use std::collections::BTreeMap;

use raddle_solver::{Formula, Stopped};

use crate::order::{Encoding, Piece};
use crate::unrolling::Node;

/// Conflicts of one query, at most.
const CONFLICTS: i32 = 100;

/// The accesses of one section to a cell.
struct Operation<'p> {
    node: Node,
    read: &'p Piece,
    /// Where it writes.
    writes: Formula,
    value: u64,
}

/// From a take to the gives that end it; in each execution at most one does.
struct CriticalSection {
    take: Node,
    thread: u32,
    taken: Formula,
    value: u64,
    gives: Vec<(Node, Formula)>,
    given: Formula,
}

impl Encoding<'_> {
    /// Encodes the accesses to a location if it is a lock. False: it is not, as far as is known, and nothing was encoded.
    pub(crate) fn lock(
        &mut self,
        reads: &[Piece],
        writes: &[Piece],
        initial: &(Vec<Formula>, Vec<Formula>),
    ) -> Result<bool, Stopped> {
        if writes.len() < 2 || constant(&initial.0) != Some(0) || constant(&initial.1) != Some(0) {
            return Ok(false);
        }
        let Some((operations, last)) = self.operations(reads, writes) else { return Ok(false) };
        let Some(sections) = self.sections(&operations)? else { return Ok(false) };
        for (i, a) in sections.iter().enumerate() {
            for b in &sections[i + 1..] {
                self.look()?;
                let both = self.graph.and(a.taken, b.taken);
                if both == Formula::FALSE {
                    continue;
                }
                if a.thread == b.thread || self.precedes(a.take, b.take) || self.precedes(b.take, a.take) {
                    let (first, second) = if self.precedes(b.take, a.take) { (b, a) } else { (a, b) };
                    self.follows(both, first, second);
                } else {
                    let before = self.comes_before(a.take, b.take);
                    let (ab, ba) = (self.graph.and(both, before), self.graph.and(both, !before));
                    self.follows(ab, a, b);
                    self.follows(ba, b, a);
                }
            }
        }
        // The last state.
        for read in last {
            let mut free = read.guard;
            for section in &sections {
                let open = self.graph.and(section.taken, !section.given);
                let when = self.graph.and(read.guard, open);
                self.has_value(read, when, section.value);
                free = self.graph.and(free, !open);
            }
            self.has_value(read, free, 0);
        }
        self.statistics.locks += 1;
        Ok(true)
    }

    /// Under a condition, one critical section ends before another begins.
    fn follows(&mut self, when: Formula, first: &CriticalSection, second: &CriticalSection) {
        let ends = self.graph.or(!when, first.given);
        self.solver.assert(&self.graph, ends);
        for (give, given) in &first.gives {
            if first.thread != second.thread {
                let edge = self.graph.and(when, *given);
                let (a, b) = (self.nodes[give.0 as usize], self.nodes[second.take.0 as usize]);
                self.ordering.edge(edge, a, b);
            }
        }
    }

    fn has_value(&mut self, read: &Piece, when: Formula, value: u64) {
        let same = self.equals(read, value);
        let implied = self.graph.or(!when, same);
        self.solver.assert(&self.graph, implied);
    }

    /// The operations in the order of their nodes, and reads of the last state; `None`: others access the cell too.
    fn operations<'p>(
        &mut self,
        reads: &'p [Piece],
        writes: &[Piece],
    ) -> Option<(Vec<Operation<'p>>, Vec<&'p Piece>)> {
        let is_plain = |piece: &Piece| constant(&piece.undefined) == Some(0) && piece.bits.len() <= 64;
        if !reads.iter().chain(writes).all(is_plain) {
            return None;
        }
        let mut by_node: BTreeMap<Node, (Formula, u64)> = BTreeMap::new();
        for write in writes {
            let value = constant(&write.bits)?;
            let known = by_node.entry(write.node).or_insert((Formula::FALSE, value));
            if known.1 != value {
                return None;
            }
            known.0 = self.graph.or(known.0, write.guard);
        }
        let (mut operations, mut last) = (Vec::new(), Vec::new());
        for read in reads {
            match by_node.remove(&read.node) {
                Some((writes, value)) => operations.push(Operation { node: read.node, read, writes, value }),
                None if Some(read.node) == self.unrolling.last => last.push(read),
                None => return None,
            }
        }
        operations.sort_by_key(|operation| operation.node);
        by_node.is_empty().then_some((operations, last))
    }

    /// The critical sections, if no execution does otherwise.
    ///
    /// By induction over time: when an operation is executed, all before it were as expected, those of its own thread
    /// among them. A take is executed only where the thread has no section open; then the cell is zero or the value of another
    /// thread, and a take that is executed has read zero. A give is executed only where the thread's last section is open; then
    /// no other thread has changed the cell, so it reads what the thread wrote.
    fn sections(&mut self, operations: &[Operation]) -> Result<Option<Vec<CriticalSection>>, Stopped> {
        let mut sections: Vec<CriticalSection> = Vec::new();
        let mut expected: BTreeMap<u32, Vec<Formula>> = BTreeMap::new();
        let mut takers: BTreeMap<u64, u32> = BTreeMap::new();
        for operation in operations {
            self.look()?;
            let Operation { node, read, writes, value } = *operation;
            let thread = self.unrolling.nodes[node.0 as usize].0;
            let expected = expected.entry(thread).or_default();
            if self.is_excluded(read.guard, expected)? && self.is_excluded(writes, expected)? {
                continue;
            }
            // On every branch: the last one in the order of nodes may be that of another branch.
            let mut held = Formula::FALSE;
            for section in sections.iter().filter(|section| section.thread == thread) {
                let open = self.graph.and(section.taken, !section.given);
                held = self.graph.or(held, open);
            }
            // The section that a give ends is the last of the thread's.
            let last = sections.iter_mut().rev().find(|section| section.thread == thread);
            let wrong = match (value, &last) {
                (0, None) => return Ok(None),
                (0, Some(section)) => {
                    let open = self.graph.and(section.taken, !section.given);
                    self.graph.and(read.guard, !open)
                }
                _ => {
                    if *takers.entry(value).or_insert(thread) != thread {
                        return Ok(None);
                    }
                    let (zero, own) = (self.equals(read, 0), self.equals(read, value));
                    let neither = self.graph.and(!zero, !own);
                    let wrong = self.graph.or(held, neither);
                    self.graph.and(read.guard, wrong)
                }
            };
            let without_a_read = self.graph.and(writes, !read.guard);
            if !self.is_excluded(wrong, expected)? || !self.is_excluded(without_a_read, expected)? {
                return Ok(None);
            }
            let was = last.as_ref().filter(|_| value == 0).map_or(0, |section| section.value);
            let same = self.equals(read, was);
            expected.push(self.graph.or(!read.guard, same));
            // A read without a write would depend on the order.
            let only_reads = self.graph.and(read.guard, !writes);
            if !self.is_excluded(only_reads, expected)? {
                return Ok(None);
            }
            match last.filter(|_| value == 0) {
                Some(section) => {
                    section.gives.push((node, writes));
                    section.given = self.graph.or(section.given, writes);
                }
                None => {
                    let (gives, given) = (Vec::new(), Formula::FALSE);
                    sections.push(CriticalSection { take: node, thread, taken: writes, value, gives, given });
                }
            }
        }
        // What was found holds in every execution.
        for expected in expected.into_values().flatten() {
            self.solver.assert(&self.graph, expected);
        }
        Ok(Some(sections))
    }

    /// Whether a condition holds in no execution in which some others do, by what is known without the order.
    fn is_excluded(&mut self, condition: Formula, others: &[Formula]) -> Result<bool, Stopped> {
        if condition == Formula::FALSE {
            return Ok(true);
        }
        let mut assumed = others.to_vec();
        assumed.push(condition);
        assumed.retain(|formula| *formula != Formula::TRUE);
        match self.without_order.solve_within(&self.graph, &assumed, Some(CONFLICTS)) {
            Ok(possible) => Ok(!possible),
            Err(Stopped) => {
                self.look_now()?;
                Ok(false)
            }
        }
    }

    fn equals(&mut self, read: &Piece, value: u64) -> Formula {
        let mut same = Formula::TRUE;
        for (index, bit) in read.bits.iter().enumerate() {
            let bit = if value >> index & 1 == 1 { *bit } else { !*bit };
            same = self.graph.and(same, bit);
        }
        same
    }
}

/// The value of bits that are all constants.
fn constant(bits: &[Formula]) -> Option<u64> {
    let mut value = 0;
    for (index, bit) in bits.iter().enumerate() {
        match *bit {
            Formula::TRUE => value |= 1 << index,
            Formula::FALSE => {}
            _ => return None,
        }
    }
    Some(value)
}
