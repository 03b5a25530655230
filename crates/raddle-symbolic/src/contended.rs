//! Events of contended bytes. A read is a variable, or one of the values that any thread stores there if these are few;
//! what is stored is learnt for the next round. A pointer of four bytes is one value of 64 bits.

use std::collections::BTreeSet;
use std::rc::Rc;

use raddle_machine::ObjectId;
use raddle_machine::pointer::OFFSET_BITS;
use raddle_solver::Term;

use crate::contents::Chunk;
use crate::domain::ones;
use crate::executor::Executor;
use crate::unrolling::*;

impl Executor<'_> {
    /// A read of contended bytes: a variable, with what it can point to.
    pub fn read_event(&mut self, node: Node, guard: Term, range: Range) -> Chunk {
        let Range { object, offset, length } = range;
        let wide = length == 4 && self.learned.wide.contains(&(object, offset));
        let width = if wide { 64 } else { 8 * length };
        let values = self.few_values(range, wide);
        let bits = match &values {
            Some(values) if self.by_order => self.one_of(width, values),
            _ => self.d.with(|t| t.variable(width)),
        };
        if let (Some(values), false) = (&values, self.by_order) {
            self.possible.declare(bits, Rc::new(values.clone()));
        }
        let undefined = match self.learned.may_be_indeterminate(range) || self.starts_indeterminate(range) {
            true => {
                self.learned.learn_indeterminate(range);
                self.d.with(|t| t.variable(width))
            }
            false => self.d.with(|t| t.constant(width, 0u64)),
        };
        let chunk = Chunk { length, bits, undefined, wide };
        if !self.out.initial.iter().any(|(known, ..)| *known == range) {
            let first = self.initial(range).and_then(|initial| self.shaped(initial, wide));
            let (bits, undefined) = match first {
                Some(first) => (first.bits, first.undefined),
                // Any value, so that the read stays possible and the limit is reached.
                None => {
                    self.limit(guard, false, "a pointer of four bytes is also used as bytes");
                    self.d.with(|t| (t.variable(width), t.variable(width)))
                }
            };
            self.out.initial.push((range, bits, undefined));
        }
        if width == 64 {
            let mut names: BTreeSet<u64> =
                self.learned.stored.get(&(object, offset)).cloned().unwrap_or_default();
            let first = self.initial(range).and_then(|initial| self.d.as_constant(initial.bits));
            names.insert(first.unwrap_or(0) >> OFFSET_BITS);
            let opaque = self.learned.is_opaque(object, offset, length);
            if values.is_none() {
                self.candidates.read(bits, Rc::new(names), opaque);
            }
        }
        self.out.events.push(Event { node, guard, range, writes: false, bits, undefined });
        chunk
    }

    /// Whether bytes that are queried are determinate in every execution; the query counts as a read.
    pub fn is_determinate(&mut self, range: Range) -> bool {
        let known = self.is_contended(range)
            && !self.learned.may_be_indeterminate(range)
            && !self.starts_indeterminate(range);
        if known {
            self.note(range, false);
        }
        known
    }

    /// The values that a read of contended bytes can have, if they are few: what was stored there, and what was there first.
    fn few_values(&self, range: Range, wide: bool) -> Option<BTreeSet<u64>> {
        let opaque = wide && self.learned.is_opaque(range.object, range.offset, range.length);
        if range.length > 8 || opaque || !self.learned.is_stored_whole(range) {
            return None;
        }
        let first = self.d.as_constant(self.initial(range)?.bits)?;
        let mut values = self.learned.stored_values(range)?;
        values.insert(first);
        Some(values)
    }

    /// A value that can be any of these, and no other.
    fn one_of(&mut self, width: u32, values: &BTreeSet<u64>) -> Term {
        let values: Vec<u64> = values.iter().copied().collect();
        let mut cases: Vec<Term> = values.iter().map(|value| self.d.constant(width, *value)).collect();
        while cases.len() > 1 {
            let which = self.d.with(|t| t.variable(1));
            let pairs = cases.chunks(2).map(|pair| match pair {
                [a, b] => self.d.ite(which, *b, *a),
                _ => pair[0],
            });
            cases = pairs.collect();
        }
        cases[0]
    }

    /// A pointer of four bytes is one value of 64 bits: accesses to some of its bytes, or of other sizes, are a limit.
    pub fn check_wide_pointers(&mut self) {
        let places: Vec<(ObjectId, u32)> = self.learned.wide.iter().copied().collect();
        for (object, offset) in places {
            let whole = Range { object, offset, length: 4 };
            let divides = |event: &&Event| {
                let range = event.range;
                let overlaps = range.offset < whole.end() && whole.offset < range.end();
                let wide = range == whole && self.d.with(|t| t.width(event.bits)) == 64;
                range.object == object && overlaps && !wide
            };
            let guards: Vec<Term> = self.out.events.iter().filter(divides).map(|event| event.guard).collect();
            let any = self.d.with(|t| t.any(guards));
            self.limit(any, false, "a pointer of four bytes is also used as bytes");
        }
    }

    fn starts_indeterminate(&self, range: Range) -> bool {
        let initial = self.initial(range);
        range.offset != LIFE && initial.is_some_and(|chunk| self.d.as_constant(chunk.undefined) != Some(0))
    }

    /// A chunk as a wide pointer or as bytes; `None`: it cannot be.
    pub(crate) fn shaped(&self, chunk: Chunk, wide: bool) -> Option<Chunk> {
        if chunk.wide == wide {
            return Some(chunk);
        }
        let zero = self.d.as_constant(chunk.bits) == Some(0);
        let width = if wide { 64 } else { 8 * chunk.length };
        let undefined = match self.d.as_constant(chunk.undefined) {
            Some(0) => self.d.constant(width, 0),
            Some(_) if zero => ones(&self.d, width),
            _ => return None,
        };
        zero.then(|| Chunk { bits: self.d.constant(width, 0), undefined, wide, ..chunk })
    }

    /// A value of 64 bits lies there.
    pub(crate) fn learn_pointers(&mut self, object: ObjectId, offset: u32, bits: Term) {
        match self.names_of(bits) {
            Some(names) => self.learned.stored.entry((object, offset)).or_default().extend(names.iter()),
            None => {
                self.learned.opaque.insert((object, offset));
                let mentioned = self.mentioned(bits);
                if !mentioned.is_empty() {
                    self.learned.stored.entry((object, offset)).or_default().extend(mentioned.iter());
                }
            }
        }
    }

    pub fn write_event(&mut self, node: Node, guard: Term, range: Range, chunk: Chunk) {
        let Range { object, offset, .. } = range;
        if self.d.as_constant(chunk.undefined) != Some(0) {
            self.learned.learn_indeterminate(range);
        }
        let wide = range.length == 4 && self.learned.wide.contains(&(object, offset)) || chunk.wide;
        if chunk.wide {
            self.learned.wide.insert((object, offset));
        }
        let Some(chunk) = self.shaped(chunk, wide) else {
            self.limit(guard, false, "a pointer of four bytes is overwritten by bytes");
            return;
        };
        let values = self.possible.of(&self.d, chunk.bits);
        self.learned.store_values(range, self.limits.round, values.as_deref());
        if chunk.width() != 64 && offset != LIFE {
            self.learned.store_in_parts(range);
        } else if chunk.width() == 64 {
            self.learn_pointers(object, offset, chunk.bits);
        }
        let Chunk { bits, undefined, .. } = chunk;
        self.out.events.push(Event { node, guard, range, writes: true, bits, undefined });
    }
}
